# SPDX-License-Identifier: BSD-3-Clause
"""gotrace cut: what it writes, and where; and that nothing incomplete is left."""

import re
import unittest

from written import DATA, OLD, TRACE, Written, events_of, run, times_of


class CutTest(Written, unittest.TestCase):
    command = "cut"

    def setUp(self):
        super().setUp()
        self.all = events_of(TRACE)
        self.times = times_of(self.all)

    def expect_between(self, events, start, end):
        """After the statuses come exactly the events from `start` to `end`."""
        expected = [event for event, time in zip(self.all, self.times) if start <= time <= end]
        self.assertGreater(len(expected), 2)
        self.assertEqual(events[-len(expected):], expected)
        statuses = events[:-len(expected)]
        self.assertLess(times_of(statuses)[-1], times_of(expected)[0])
        names = ("StateTransition", "RangeActive", "RangeBegin")
        self.assertFalse([event for event in statuses if event.split(" ")[3] not in names])

    def test_without_times_all_is_copied(self):
        self.assertEqual(self.write(), self.all)

    def test_analyses_of_a_copy_are_those_of_the_trace(self):
        for trace in sorted((DATA / "v2").glob("go1.2[257]-*.trace")):
            if run("check", trace).returncode != 0:
                continue
            self.assertEqual(run("cut", "--output", self.path, trace).returncode, 0, trace)
            for command in (("summary",), ("mmu",), ("pprof", "sched"), ("latency",)):
                ours, theirs = (run(*command, path) for path in (self.path, trace))
                self.assertEqual(ours.stdout, theirs.stdout, (trace, command))
                self.assertEqual(ours.returncode, 0, (trace, command))

    def test_numbers_are_times_of_the_trace(self):
        start, end = self.times[len(self.times) // 3], self.times[len(self.times) // 2]
        self.expect_between(self.write("--start", start, "--end", end), start, end)

    def test_signs_count_from_the_beginning_and_the_end(self):
        dump = run("dump", TRACE).stdout.decode()
        times = [int(time) for time in re.findall(r"^M=.* Time=(\d+)", dump, re.MULTILINE)]
        third = (times[-1] - times[0]) // 3
        events = self.write("--start", "+%dns" % third, "--end", "-%dns" % third)
        self.expect_between(events, times[0] + third, times[-1] - third)

    def test_times_before_the_trace_are_its_beginning(self):
        self.assertEqual(self.write("--start=-1h"), self.all)

    def test_part_of_a_trace_of_go_1_21_is_a_trace(self):
        events = events_of(OLD)
        times = times_of(events)
        start = times[len(times) // 2]
        found = self.write("--start", start, trace=OLD)
        later = sum(time >= start for time in times)
        self.assertEqual(times_of(found)[-later:],
                         [time + (1 << 20) for time in times if time >= start])

    def test_failures_leave_what_was_there(self):
        self.expect_failure("--start", self.times[-1] + 1000000, TRACE,
                            message=b"there are no events to write")

    def test_wrong_use_is_refused(self):
        for arguments in (("--start", "5s", TRACE), ("--end", "+", TRACE), ("--end", "", TRACE),
                          ("--start", "+1x", TRACE), (), (TRACE, TRACE)):
            self.expect_misuse(*arguments)


if __name__ == "__main__":
    unittest.main()
