# SPDX-License-Identifier: BSD-3-Clause
"""gotrace downgrade: goroutines do the same, in a trace of Go 1.21; what is lost is told."""

import collections
import gzip
import os
import pathlib
import re
import subprocess
import sys
import unittest

from written import COMMAND, DATA, OLD, TRACE, Written, events_of, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of

RUNS = re.compile(r"GoID=(\d+) Runnable->Running")

# What the traces lose.
LOSSES = {
    "v2/go1.27-gc.trace": ["left out: 1 clock snapshot",
                           "left out: 7 stacks of statuses and of stops of the world",
                           "changed: 24 reasons of goroutines that stop, to none"],
    "v2/go1.23-alloc.trace": ["left out: 471 events and batches of experiments",
                              "left out: 3 stacks of statuses and of stops of the world",
                              "changed: 11 reasons of goroutines that stop, to none"],
}


# A generation in which goroutine 1 runs on thread 5, up to its strings.
GENERATION = """EventBatch gen=%(gen)d m=18446744073709551615 time=%(time)d size=0
Frequency freq=1000000000
EventBatch gen=%(gen)d m=5 time=%(time)d size=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=5 gstatus=2
GoStop dt=1 reason_string=1 stack=0
GoStart dt=1 g=1 g_seq=1
%(rest)sEventBatch gen=%(gen)d m=18446744073709551615 time=%(time)d size=0
Strings
String id=1
\tdata="preempted"
"""
# A proc that Go 1.21 cannot have; an event that waits for what is lost; and one that is damaged.
PROC = "ProcStatus dt=1 p=2000000 pstatus=2\n"
THREAD = "EventBatch gen=%d m=6 time=%d size=0\n"
STUCK = "ProcStart dt=20 p=%d p_seq=5\n"
TORN = "GoStop dt=1 reason_string=99 stack=0\nGoStart dt=1 g=1 g_seq=2\n"


def encode(*rests):
    """A trace with a generation for each text, which is within it."""
    text = "Trace Go1.22\n" + "".join(
        GENERATION % {"gen": i + 1, "time": 1000 * (i + 1), "rest": rest}
        for i, rest in enumerate(rests))
    return run("encode", "--set-sizes", "-", data=text.encode()).stdout


def runs_of(events):
    """How often each goroutine starts to run."""
    found = (RUNS.search(event) for event in events)
    return collections.Counter(match.group(1) for match in found if match)


def is_loss(line):
    return re.search(rb": (left out|changed): \d+ ", line)


class DowngradeTest(Written, unittest.TestCase):
    command = "downgrade"

    def expect_events(self, found, trace):
        self.assertEqual(runs_of(found), runs_of(events_of(trace)))

    def write(self, *arguments, trace=TRACE, message=b""):
        result = run("downgrade", *arguments, "--output", self.path, trace)
        self.assertIn(message, result.stderr)
        self.assertEqual([line for line in result.stderr.splitlines() if not is_loss(line)], [])
        self.assertEqual(result.returncode, 0)
        self.assertEqual(os.listdir(self.folder), ["out.trace"])
        self.assertEqual(run("check", self.path).returncode, 0)
        self.assertEqual(self.path.read_bytes()[:16].rstrip(b"\0"), b"go 1.21 trace")
        return events_of(self.path)

    def test_goroutines_run_as_often_in_each_trace(self):
        for path in share_of(sorted((DATA / "v2").glob("go1.*.trace")), 5):
            if "-cut" not in path.name:
                with self.subTest(trace=path.name):
                    self.expect_events(self.write(trace=path), path)

    def test_what_is_lost_is_counted(self):
        for name, expected in LOSSES.items():
            with self.subTest(trace=name):
                result = run("downgrade", "--output", self.path, DATA / name)
                lines = [line.split(".trace: ")[1] for line in result.stderr.decode().splitlines()]
                self.assertEqual(lines, expected)

    def test_standard_input_and_output_will_do_and_compressed_traces(self):
        result = run("downgrade", "-", data=gzip.compress(TRACE.read_bytes()))
        self.assertEqual(result.returncode, 0)
        self.path.write_bytes(result.stdout)
        self.expect_events(events_of(self.path), TRACE)

    def test_full_disk_is_reported(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([COMMAND, "downgrade", TRACE], stdout=full, check=False,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        others = [line for line in result.stderr.splitlines() if not is_loss(line)]
        self.assertEqual(len(others), 1)
        self.assertIn(b"No space left", others[0])

    def test_trace_of_go_1_21_is_refused(self):
        self.expect_failure(OLD, message=b"this is a trace of Go 1.21 or earlier")

    def test_repaired_trace_is_written_with_what_can_be(self):
        for name in ("go1.23-cut", "go1.27-cut"):
            trace = DATA / "v2" / (name + ".trace")
            result = run("downgrade", "--lenient", "--output", self.path, trace)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b": repaired: ", result.stderr)
            self.assertEqual(run("check", self.path).returncode, 0)
            whole = run("dump", "--lenient", trace).stdout.decode().split("\nM=")
            self.assertEqual(runs_of(events_of(self.path)), runs_of(whole))
            if os.environ.get("GT_PEER"):
                subprocess.run([os.environ["GT_PEER"], "-d=parsed", self.path], check=True,
                               stdout=subprocess.DEVNULL)

    def test_repaired_trace_has_what_a_writer_makes_up(self):
        """Of a generation that is cut off it has as much as other commands write of it."""
        damaged = self.folder.parent / (self.folder.name + ".damaged")
        self.addCleanup(damaged.unlink)
        for name in ("go1.22-gcgens", "go1.26-gcgens"):
            data = (DATA / "v2" / (name + ".trace")).read_bytes()
            damaged.write_bytes(data[:len(data) * 3 // 5])
            whole = run("cut", "--lenient", damaged)
            result = run("downgrade", "--lenient", damaged)
            self.assertEqual((whole.returncode, result.returncode), (0, 0), result.stderr)
            self.assertRegex(result.stderr, rb": made up: \d+ events? that names? what exists")
            self.assertEqual(result.stdout, run("downgrade", "-", data=whole.stdout).stdout)
            self.path.write_bytes(result.stdout)
            self.assertEqual(run("check", self.path).returncode, 0)

    def expect_left_out(self, data, message, runs, code=0):
        result = run("downgrade", "--lenient", "-", data=data)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(b": left out: " + message, result.stderr)
        self.path.write_bytes(result.stdout)
        self.assertEqual(run("check", self.path).returncode, 0)
        self.assertEqual(runs_of(events_of(self.path))["1"], runs)

    def test_what_cannot_be_repaired_is_left_out(self):
        """From what keeps most of the trace: a thread, a generation, or all after the fault."""
        stuck = THREAD % (1, 1000) + STUCK
        self.expect_left_out(encode(stuck % 2000000, ""), b"the rest of 1 thread, whose events", 2)
        self.expect_left_out(encode(stuck % 7, PROC), b"generation 2 and all after it", 1)
        self.expect_left_out(encode(TORN + PROC, ""), b"everything after the first fault", 1,
                             code=1)

    def test_repaired_trace_of_go_1_21_is_refused(self):
        data = OLD.read_bytes()
        result = run("downgrade", "--lenient", "-", data=data[:len(data) * 3 // 5])
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertIn(b"this is a trace of Go 1.21 or earlier", result.stderr)

    def test_wrong_use_is_refused(self):
        for arguments in ((), (TRACE, TRACE), ("--go", "1.21", TRACE)):
            self.expect_misuse(*arguments)


if __name__ == "__main__":
    unittest.main()
