#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace record: programs that do what few do have the same results under it. $GT_HABITS is the
program with these."""

import os
import pathlib
import re
import shutil
import sys

from recording import Folder, check

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import beside  # noqa: E402

HABITS = os.environ["GT_HABITS"]
# A shell opens descriptors by numbers that the script chooses.
SHELL = """
exec 200>>{0}/lock 201>{0}/other 202>{0}/file
flock -n 200 && echo locked
echo hello >&202
sleep 1.3
exec 202>&-
cat {0}/lock {0}/other {0}/file
"""


class Descriptors(Folder):
    def test_a_program_takes_the_numbers_of_the_agent(self):
        self.same(HABITS, "numbers")
        check(self.trace)
        # Each number was used between other calls.
        self.assertGreater(self.events().count("Running->Syscall"), 8)

    def test_those_of_the_agent_are_hidden(self):
        self.same(HABITS, "hidden")
        check(self.trace)

    def test_children_have_the_numbers(self):
        for options in (), ("--no-children",):
            done = self.same(HABITS, "children", options=options)
            check(self.trace)
            # The end of the parent's trace is in its file.
            size = f"{self.trace}: {self.trace.stat().st_size} bytes"
            self.assertIn(size.encode(), done.stderr)

    def test_a_shell_opens_numbers(self):
        if not shutil.which("bash") or not shutil.which("flock"):
            self.skipTest("no bash or flock")
        done = self.same("bash", "-c", SHELL.format(self.path))
        self.assertEqual(done.stdout, b"locked\nhello\n")
        for trace in self.traces():
            check(trace)


class Threads(Folder):
    def test_a_thread_that_is_refused_is_not_ready_for_ever(self):
        done = self.same(HABITS, "refused")
        self.assertEqual(done.stdout, b"refused 11\n")
        check(self.trace)
        events = self.events()
        made = re.findall(r"GoID=(\d+) NotExist->Runnable", events)
        self.assertTrue(made)
        for goroutine in made:
            self.assertIn(f"GoID={goroutine} Running->NotExist", events)


class Cancellation(Folder):
    def test_creating_a_thread_is_no_cancellation_point(self):
        done = self.same(HABITS, "cancelled")
        self.assertEqual(done.stdout, b"cancelled 1, made 1\n")
        check(self.trace)

    def test_a_child_begins_to_record_with_a_cancellation(self):
        done = self.same(HABITS, "cancelled_child")
        self.assertEqual(done.stdout, b"child 5\n")
        self.assertEqual(len(self.traces()), 2)
        for trace in self.traces():
            check(trace)


class Results(Folder):
    def test_what_is_free_is_refused_as_without(self):
        done = self.same(HABITS, "bad_locks")
        self.assertIn(b"futex -1 14\n", done.stdout)
        check(self.trace)


if __name__ == "__main__":
    beside.main()
