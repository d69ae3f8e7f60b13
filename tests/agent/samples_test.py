#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace record takes CPU samples, and the program has its SIGPROF for itself."""

import os
import re
import signal
import unittest

from recording import Folder, check, run

WORKS = os.environ["GT_WORKS"]


def samples(text):
    """The stacks of samples."""
    return re.findall(r"StackSample [^\n]*\n(?:Stack=\n)?((?:\t[^\n]*\n)*)", text)


class Samples(Folder):
    def test_work_has_samples_with_stacks(self):
        self.same(WORKS, "work")
        check(self.trace)
        stacks = samples(self.events())
        self.assertGreater(len(stacks), 10)
        self.assertLess(len(stacks), 80)
        hot = [stack for stack in stacks if "works_hot" in stack]
        self.assertGreater(len(hot), len(stacks) / 2)
        self.assertTrue(all("run" in stack for stack in hot), hot[0])

    def test_there_are_none_without_them(self):
        self.same(WORKS, "work", options=("--sample=0",))
        self.assertEqual(samples(self.events()), [])

    def test_waits_need_no_stacks(self):
        self.same(WORKS, "work", options=("--sample=1000", "--stack=0"))
        check(self.trace)
        stacks = samples(self.events())
        self.assertGreater(len(stacks), 10)
        self.assertTrue(any("works_hot" in stack for stack in stacks))

    def test_a_window_has_samples(self):
        self.same(WORKS, "work", options=("--flight=10s",))
        check(self.trace)
        self.assertGreater(len(samples(self.events())), 10)

    def test_handlers_of_the_program_get_its_own_signals(self):
        done = self.same(WORKS, "handlers")
        self.assertIn(b"by nobody 0\nby itself 1\n", done.stdout)
        self.assertGreater(len(samples(self.events())), 0)

    def test_all_functions_set_handlers_of_the_program(self):
        for name in "old_functions", "old_functions_of_sets", "masks", "vfork_child":
            with self.subTest(name):
                self.same(WORKS, name)
                check(self.trace)

    def test_another_handler_leaves_what_takes_samples(self):
        self.same(WORKS, "jumps", options=("--sample=1000", "--stack=127"))
        check(self.trace)
        self.assertGreater(len(samples(self.events())), 10)

    def test_a_profiler_of_the_program_goes_on(self):
        self.same(WORKS, "profiler")
        check(self.trace)

    def test_waits_for_signals_do_not_end_by_samples(self):
        done = self.same(WORKS, "blocked")
        self.assertIn(b"polled 0\nnothing -1 1\nwaited 0 1\ninfo 1 1\n", done.stdout)

    def test_a_child_has_samples_of_its_own(self):
        self.same(WORKS, "child")
        traces = self.traces()
        self.assertEqual(len(traces), 2)
        for trace in traces:
            check(trace)
        self.assertGreater(len(samples(self.events(traces[0]) + self.events(traces[1]))), 0)

    def test_a_signal_that_nothing_handles_ends_the_program(self):
        done = self.same(WORKS, "end")
        self.assertEqual(done.returncode, -signal.SIGPROF)

    def test_bad_numbers_are_refused(self):
        for number in ("1001", "-1", "x", ""):
            done = self.record(WORKS, "work", options=(f"--sample={number}",))
            self.assertEqual(done.returncode, 2)
            self.assertEqual(run(WORKS).returncode, 0)


if __name__ == "__main__":
    unittest.main()
