#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example `cut` writes the second of a group of goroutines, and tells what goes wrong."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CUT = sys.argv.pop(1)
COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"]) / "v2"
TRACE = DATA / "go1.22-tasks.trace"
SECOND = 1000000000
# What there is before the first event of a second.
NAMES = ("StateTransition", "Metric")
EXTRAS = ("RegionBegin", "RegionEnd", "Log", "StackSample")


def run(*arguments, data=None):
    return subprocess.run([*map(str, arguments)], input=data, check=False, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Event:
    def __init__(self, text):
        # The end of a task that began before the cut lacks what the beginning has told.
        self.text = re.sub(r" Parent=.*", "", text.strip())
        self.goroutine, self.kind, time = re.search(r"G=(\S+) (\w+) Time=(\d+)", text).groups()
        self.time = int(time)


def events_of(path):
    """The events, without Syncs."""
    events = map(Event, run(COMMAND, "dump", path).stdout.decode()[2:].split("\nM="))
    return [event for event in events if event.kind != "Sync"]


class CutExampleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "out.trace"

    def cut(self, function, trace, code=0, message=b""):
        result = run(CUT, function, trace)
        self.assertEqual((result.returncode, bool(result.stderr)), (code, bool(message)))
        self.assertIn(message, result.stderr)
        self.path.write_bytes(result.stdout)
        return events_of(self.path) if result.stdout else []

    def expect_second(self, found, trace, group):
        """What is there after the states at the beginning is of a second, and of the group."""
        every = events_of(trace)
        start = next(event.time for event in every if event.goroutine in group)
        self.assertEqual([event.text for event in found if event.time >= start],
                         [event.text for event in every
                          if 0 <= event.time - start < SECOND and
                          (event.goroutine in group or event.kind not in EXTRAS)])
        self.assertFalse([event.text for event in found
                          if event.time < start and event.kind not in NAMES])
        self.assertEqual(run(COMMAND, "check", self.path).returncode, 0)
        if os.environ.get("GT_PEER"):
            self.assertEqual(run(os.environ["GT_PEER"], "-d=parsed", self.path).returncode, 0)

    def test_events_of_other_goroutines_are_left_out_if_no_state_needs_them(self):
        found = self.cut("main.tasks.func1", TRACE)
        self.expect_second(found, TRACE, {"9", "10", "11"})
        self.assertTrue([event for event in found if event.kind == "Log"])
        found = self.cut("main.tasks.func1", DATA / "go1.27-tasks.trace")
        self.assertTrue([event for event in found if event.kind == "RegionEnd"])

    def test_what_happens_after_the_second_is_left_out(self):
        slow = self.folder / "slow.trace"
        text = run(COMMAND, "text", TRACE).stdout
        slow.write_bytes(run(COMMAND, "encode", "--set-sizes", "-",
                             data=re.sub(rb"freq=\d+", b"freq=500", text)).stdout)
        found = self.cut("main.tasks.func1", slow)
        self.expect_second(found, slow, {"9", "10", "11"})
        self.assertLess(found[-1].time, events_of(slow)[-1].time)

    def test_damaged_trace_gives_what_precedes_the_fault(self):
        trace = DATA / "go1.23-cut.trace"
        found = self.cut("main.main", trace, code=1, message=b"names stack 1")
        self.assertTrue(found)
        self.assertEqual(found[-1].text, events_of(trace)[-1].text)

    def test_failures_are_told(self):
        self.cut("main.nobody", TRACE, code=1, message=b"there are no events to write")
        self.cut("main.main", "/nonexistent", code=1, message=b"No such file")
        self.cut("main.main", __file__, code=1, message=b"not a Go execution trace")
        with open("/dev/full", "wb") as full:
            result = subprocess.run([CUT, "main.main", TRACE], stdout=full, check=False,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stderr)
        self.assertEqual(run(CUT, "main.main").returncode, 2)


if __name__ == "__main__":
    unittest.main()
