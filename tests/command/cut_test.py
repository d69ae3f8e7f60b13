# SPDX-License-Identifier: BSD-3-Clause
"""gotrace cut: what it writes, and where; and that nothing incomplete is left."""

import pathlib
import re
import sys
import unittest

from written import DATA, OLD, TRACE, Written, batches_of, events_of, run, times_of, varint

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import count_of, share_of


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
        names = ("StateTransition", "RangeActive", "RangeBegin", "Metric")
        self.assertFalse([event for event in statuses if event.split(" ")[3] not in names])

    def test_without_times_all_is_copied(self):
        self.assertEqual(self.write(), self.all)

    def test_analyses_of_a_copy_are_those_of_the_trace(self):
        for trace in share_of(sorted((DATA / "v2").glob("go1.2[257]-*.trace")), 5):
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

    def test_dates_are_times_of_the_wall_clock(self):
        """The Sync says which time of the trace the clock showed at which time of the day."""
        sync = re.search(r"Trace=(\d+) .* Wall=(\S+)\.(\d+)Z", run("dump", TRACE).stdout.decode())
        start = int(sync.group(1)) + 2000000
        second = "%s.%09d" % (sync.group(2), int(sync.group(3)) + 2000000)
        hour = int(second[11:13])
        events = self.write("--start", second + "Z")
        self.expect_between(events, start, self.times[-1])
        other = "%s%02d%s+01:00" % (second[:11], hour + 1, second[13:])
        self.assertEqual(self.write("--start", other), events)

    def test_dates_need_a_wall_clock(self):
        self.expect_failure("--start", "2026-11-21T03:10:00Z", DATA / "v2" / "go1.23-gc.trace",
                            message=b"does not have the wall clock")

    def test_tasks_begin_anew(self):
        def ends_of(events):
            return [re.sub(r" Time=\d+| Stack=.*", "", event.split("\n")[0]) for event in events
                    if " TaskEnd " in event]

        for trace in sorted((DATA / "v2").glob("go1.2*-tasks.trace")):
            events = events_of(trace)
            times = times_of(events)
            for place in range(0, len(times), len(times) // 4):
                found = self.write("--tasks", "--start", times[place], trace=trace)
                ends = ends_of(found)
                self.assertEqual(ends, ends_of(events)[-len(ends):] if ends else [])
                begun = sum(" TaskBegin " in event for event in found)
                plain = self.write("--start", times[place], trace=trace)
                self.assertGreaterEqual(begun, sum(" TaskBegin " in event for event in plain))

    def parts_of(self, events, start):
        """
        What names the states before the cut, in any order and without times; the rest. Any of the
        goroutines that run tells GOMAXPROCS.
        """
        names = sorted(re.sub(r" Time=\d+|^.*(?= Metric )", "", event) for event in events
                       if times_of([event])[0] < start)
        return names, [event for event in events if times_of([event])[0] >= start]

    def test_generations_long_before_the_cut_tell_nothing_about_it(self):
        for trace in share_of(sorted((DATA / "v2").glob("go1.2*g*.trace")), 5):
            times = times_of(events_of(trace))
            for place in range(0, len(times), len(times) // count_of(4, 15) + 1):
                start, end = times[place], times[min(place + 40, len(times) - 1)]
                found = self.write("--start", start, "--end", end, trace=trace)
                result = run("cut", "--start", start, "--end", end, "-", data=trace.read_bytes())
                self.path.write_bytes(result.stdout)
                self.assertEqual(self.parts_of(found, start),
                                 self.parts_of(events_of(self.path), start))
            last = self.write("--start=-1ms", trace=trace)
            result = run("cut", "--start=-1ms", "-", data=trace.read_bytes())
            self.path.write_bytes(result.stdout)
            self.assertEqual(times_of(last)[-1:], times_of(events_of(self.path))[-1:])
            self.assertEqual(len(last), len(events_of(self.path)))

    def test_cut_where_all_sleep_tells_gomaxprocs_later(self):
        owed = 0
        for trace in share_of(sorted((DATA / "v2").glob("go1.2[2-7]-s*.trace")), 3):
            times = times_of(events_of(trace))
            gap, start = max((later - time, time) for time, later in zip(times, times[1:]))
            found = self.write("--start", start + gap // 2, trace=trace)
            told = [i for i, event in enumerate(found) if "/sched/gomaxprocs:threads" in event]
            runs = [i for i, event in enumerate(found)
                    if "->Running" in event and " GoID=" in event]
            self.assertLess(told[0], runs[0] + 10, trace)
            owed += told[0] > runs[0]
        self.assertGreater(owed, 0)

    def test_nothing_is_known_before_the_first_event_of_an_old_trace(self):
        for name in ("go1.19-sync.trace", "go1.21-tasks.trace"):
            self.expect_failure("--start", "+1ns", "--end", "+1ns", DATA / "v1" / name,
                                message=b"there are no events to write")

    def test_cut_begins_with_gomaxprocs(self):
        """It is told as soon as a goroutine runs, and never delays an event."""
        for place in range(1, 10):
            start = self.times[len(self.times) * place // 10]
            found = self.write("--start", start)
            told = [i for i, event in enumerate(found) if "/sched/gomaxprocs:threads" in event]
            runs = [i for i, event in enumerate(found)
                    if "->Running" in event and " GoID=" in event]
            self.assertLess(told[0], runs[0] + 10)

    def with_long_beginning(self, trace, lead):
        """
        Lets the first generation begin earlier by `lead` units, but for its first batch in the
        file, whose time is one at its end: up to Go 1.24 the runtime writes that batch then.
        """
        data = trace.read_bytes()
        out = data[:16]
        batches = list(batches_of(data))
        self.assertGreater(batches[0][2][2], max(batch[2][2] for batch in batches[1:5]))
        for begin, end, (generation, thread, time, size) in batches:
            is_moved = begin != 16 and generation == 1
            out += b"\x01" + b"".join(map(varint, (generation, thread,
                                                   time - lead * is_moved, size)))
            out += data[end - size:end]
        changed = self.folder.parent / (self.folder.name + ".changed")
        self.addCleanup(changed.unlink)
        changed.write_bytes(out)
        return changed

    def test_generation_may_begin_long_before_the_time_of_its_first_batch(self):
        trace = self.with_long_beginning(DATA / "v2" / "go1.22-gens.trace", 3000000)
        all_times = times_of(events_of(trace))
        first, last = all_times[0], all_times[-1]
        for tenth in range(10):
            start = first + (last - first) * tenth // 10
            times = [time for time in all_times if time >= start]
            found = self.write("--start", start, trace=trace)
            self.assertEqual([time for time in times_of(found) if time >= times[0]], times)
            self.path.write_bytes(run("cut", "--start", start, "-",
                                      data=trace.read_bytes()).stdout)
            self.assertEqual(self.parts_of(found, times[0]),
                             self.parts_of(events_of(self.path), times[0]))

    def test_generations_long_before_the_cut_are_not_read(self):
        trace = DATA / "v2" / "go1.27-gens.trace"
        start = times_of(events_of(trace))[-20]
        expected = self.write("--start", start, trace=trace)
        text = run("text", trace).stdout
        damaged = self.folder.parent / (self.folder.name + ".damaged")
        self.addCleanup(damaged.unlink)
        damaged.write_bytes(run("encode", "--set-sizes", "-", data=re.sub(
            rb"p_seq=\d+", b"p_seq=99999", text, count=1)).stdout)
        self.assertEqual(run("dump", damaged).returncode, 1)
        self.assertEqual(self.write("--start", start, trace=damaged), expected)

    def test_repaired_trace_is_written_with_what_can_be(self):
        for name in ("v2/go1.27-cut.trace", "v2/go1.23-cut.trace", "v1/go1.21-cut.trace"):
            repaired = run("dump", "--lenient", DATA / name)
            result = run("cut", "--lenient", "--output", self.path, DATA / name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b": repaired: ", result.stderr)
            more = repaired.stdout.count(b"\nM=") - run("dump", DATA / name).stdout.count(b"\nM=")
            self.assertGreater(more, 0)
            self.assertGreater(len(events_of(self.path)), len(events_of(DATA / name)))

    def test_damaged_trace_in_the_window_is_repaired(self):
        events = events_of(TRACE)
        damaged = self.folder.parent / (self.folder.name + ".damaged")
        self.addCleanup(damaged.unlink)
        damaged.write_bytes(TRACE.read_bytes()[:-40])
        start = times_of(events)[len(events) // 2]
        result = run("cut", "--lenient", "--start", start, "--output", self.path, damaged)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLessEqual(abs(times_of(events_of(self.path))[-1] - times_of(events)[-1]),
                             1000)

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

    def test_what_cannot_be_as_it_was_is_reported(self):
        self.write("--start", "+1us", trace=DATA / "v1" / "go1.21-gc.trace",
                   message=b"moved: 3 events to a thread or goroutine that can have them")

    def details_of(self, events):
        """The logs, regions, tasks and samples of events, without their stacks."""
        kinds = r" (Task|Region|Log|StackSample)"
        return [event.split("\n")[0] for event in events if re.search(kinds, event)]

    def cut_tasks(self, *arguments):
        trace = DATA / "v2" / "go1.27-tasks.trace"
        self.tasks = events_of(trace)
        return self.write(*arguments, trace=trace)

    def test_goroutine_has_its_details_and_all_have_states(self):
        found = self.cut_tasks("--goroutine", 22)
        own = [event for event in self.tasks if re.search("^.* (G|GoID)=22 ", event)]
        start, end = times_of(own)[0], times_of(own)[-1]
        inside = [event for event in found if start <= times_of([event])[0] <= end]
        # Tasks that it names are there, even if others end them.
        self.assertEqual([event for event in inside if "\t" in event and " Task" not in event],
                         [event for event in own if "\t" in event and " Task" not in event])
        states = [[event.split("\n")[0] for event in events if " StateTransition " in event]
                  for events in (inside, self.tasks)]
        self.assertEqual(states[0], [event for event in states[1]
                                     if start <= times_of([event])[0] <= end])
        self.assertEqual([event for event in self.details_of(inside) if " Task" not in event],
                         [event for event in self.details_of(own) if " Task" not in event])
        self.assertLess(self.path.stat().st_size, 2 * 4357 // 5)
        self.assertNotIn(b"job 0", self.path.read_bytes())
        self.assertIn(b"job 2", self.path.read_bytes())

    def test_task_has_its_subtasks(self):
        details = self.details_of(self.cut_tasks("--task", 4))
        self.assertEqual({re.search(r"(?:ID|Task)=(\d+)", event).group(1) for event in details},
                         {"4", "5"})
        begin = [event for event in self.tasks if re.search(" TaskBegin .* ID=4 ", event)]
        self.assertEqual(times_of(details)[0], times_of(begin)[0])
        both = self.details_of(self.cut_tasks("--task", "4,3"))
        self.assertGreater(len(both), len(details))

    def test_region_has_what_happens_in_it(self):
        found = self.cut_tasks("--region", "inner")
        regions = [event.split("\n")[0] for event in found if " Region" in event]
        self.assertEqual(regions, [event.split("\n")[0] for event in self.tasks
                                   if " Region" in event and 'Type="inner"' in event])
        self.assertGreater(len(regions), 4)
        logs = [event for event in found if " Log " in event]
        self.assertEqual(len(logs), sum(" Log " in event and 'Category="step"' in event
                                        for event in self.tasks))

    def test_times_that_are_given_count(self):
        end = times_of(events_of(DATA / "v2" / "go1.27-tasks.trace"))[-1]
        found = self.cut_tasks("--goroutine", 22, "--start", end - 100, "--end", end)
        self.assertEqual([event for event in found if " Log " in event], [])

    def test_goroutines_that_are_named_later_have_states(self):
        found = self.cut_tasks("--goroutine", 22)
        names = set(re.findall(r"GoID=(\d+) ", "\n".join(found)))
        self.assertTrue({"2", "3", "4", "5", "6"} <= names, names)

    def test_what_is_not_in_the_trace_leaves_no_file(self):
        for option, value, message in (("--goroutine", "1,99", b"there is no goroutine 99"),
                                       ("--task", "99", b"there is no task 99"),
                                       ("--region", "x", b'no region of the type "x"')):
            self.expect_failure(option, value, TRACE, message=message)

    def test_stretch_in_which_all_sleep_has_the_states(self):
        for trace in share_of(sorted((DATA / "v2").glob("go1.2[2-7]-s*.trace")), 3):
            times = times_of(events_of(trace))
            gap, start = max((later - time, time) for time, later in zip(times, times[1:]))
            found = self.write("--start", start + gap // 4, "--end", start + gap // 2, trace=trace)
            self.assertGreater(len(found), 5)
            self.assertEqual(times_of(found)[-1], start + gap // 2)
            self.assertEqual([event for event in found
                              if not re.search("StateTransition|RangeActive|gomaxprocs", event)],
                             [])

    def test_beginning_without_events_has_the_states(self):
        """The first generation has no event, as in a trace whose beginning was lost."""
        for name in ("go1.22-gens.trace", "go1.23-gens.trace", "go1.25-gens.trace"):
            data = (DATA / "v2" / name).read_bytes()
            out = data[:16]
            clock = None
            for begin, end, (generation, thread, time, size) in batches_of(data):
                body = data[end - size:end]
                clock = clock or b"\x01" + b"".join(map(varint, (1, thread, time - 1000000,
                                                                 size))) + body
                out += clock if begin == 16 else b""
                out += b"\x01" + b"".join(map(varint, (generation + 1, thread, time, size))) + body
            trace = self.folder.parent / (self.folder.name + ".beginning")
            self.addCleanup(trace.unlink, missing_ok=True)
            trace.write_bytes(out)
            for times in (("--end", "+2ms"), ("--start", "+1ms", "--end", "+2ms")):
                found = self.write(*times, trace=trace)
                self.assertGreater(len(found), 5)
                self.assertFalse([event for event in found if " StateTransition " not in event])

    def test_failures_leave_what_was_there(self):
        self.expect_failure("--start", self.times[-1] + 1000000, TRACE,
                            message=b"there are no events to write")

    def test_wrong_use_is_refused(self):
        for arguments in (("--start", "5s", TRACE), ("--end", "+", TRACE), ("--end", "", TRACE),
                          ("--start", "+1x", TRACE), (), (TRACE, TRACE),
                          ("--goroutine", "x", TRACE), ("--goroutine", "", TRACE),
                          ("--goroutine", "1,", TRACE), ("--task", "0", TRACE),
                          ("--goroutine", "9223372036854775808", TRACE),
                          ("--start", "2026-02-29T00:00:00Z", TRACE),
                          ("--start", "2026-11-21T03:10:00", TRACE),
                          ("--start", "2026-11-21T03:10:00.Z", TRACE),
                          ("--start", "2026-11-21T03:10:00+25:00", TRACE),
                          ("--start", "2026-11-21T03:10:00.0000000001Z", TRACE)):
            self.expect_misuse(*arguments)


if __name__ == "__main__":
    unittest.main()
