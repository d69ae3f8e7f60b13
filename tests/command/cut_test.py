# SPDX-License-Identifier: BSD-3-Clause
"""gotrace cut: what it writes, and where; and that nothing incomplete is left."""

import gzip
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACE = DATA / "v2" / "go1.27-gc.trace"
CUT = DATA / "v2" / "go1.23-cut.trace"
OLD = DATA / "v1" / "go1.21-chan.trace"

# A shell without job control starts what is in the background with the signal ignored, and the
# command leaves it so. A process that is started here has the default action, as with any handler.
signal.signal(signal.SIGINT, signal.default_int_handler)


def run(*arguments, data=None):
    return subprocess.run([COMMAND, *map(str, arguments)], input=data, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def events_of(path):
    """The events of a trace, each with its stacks, without Syncs."""
    events = run("dump", path).stdout.decode().split("\nM=")
    return [event.strip() for event in events if " Sync Time=" not in event]


def times_of(events):
    return [int(re.search(r" Time=(\d+)", event).group(1)) for event in events]


class CutTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "out.trace"
        self.all = events_of(TRACE)
        self.times = times_of(self.all)

    def cut(self, *arguments, trace=TRACE):
        """Cuts the trace, and returns the events of the result."""
        result = run("cut", *arguments, "--output", self.path, trace)
        self.assertEqual(result.stderr, b"")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(os.listdir(self.folder), ["out.trace"])
        self.assertEqual(run("check", self.path).returncode, 0)
        return events_of(self.path)

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
        self.assertEqual(self.cut(), self.all)

    def test_numbers_are_times_of_the_trace(self):
        start, end = self.times[len(self.times) // 3], self.times[len(self.times) // 2]
        self.expect_between(self.cut("--start", start, "--end", end), start, end)

    def test_signs_count_from_the_beginning_and_the_end(self):
        dump = run("dump", TRACE).stdout.decode()
        times = [int(time) for time in re.findall(r"^M=.* Time=(\d+)", dump, re.MULTILINE)]
        third = (times[-1] - times[0]) // 3
        events = self.cut("--start", "+%dns" % third, "--end", "-%dns" % third)
        self.expect_between(events, times[0] + third, times[-1] - third)

    def test_standard_input_and_output_will_do_and_compressed_traces(self):
        packed = gzip.compress(TRACE.read_bytes())
        result = run("cut", "--start=-1h", "-", data=packed)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.path.write_bytes(result.stdout)
        self.assertEqual(events_of(self.path), self.all)

    def test_damaged_trace_gives_what_precedes_the_fault(self):
        result = run("cut", "--output", self.path, CUT)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"go1.23-cut.trace: ", result.stderr)
        self.assertEqual(run("dump", self.path).returncode, 0)
        self.assertEqual(events_of(self.path), events_of(CUT))

    def test_failures_leave_what_was_there(self):
        self.path.write_bytes(b"before")
        for arguments, message in (
                (("--start", self.times[-1] + 1000000, TRACE), b"there are no events to write"),
                ((OLD,), b"traces of Go 1.21 and earlier cannot be written"),
                (("/nonexistent",), b"No such file"),
                ((__file__,), b"not a Go execution trace")):
            with self.subTest(arguments=arguments):
                result = run("cut", "--output", self.path, *arguments)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr.count(b"\n"), 1)
                self.assertIn(message, result.stderr)
                self.assertEqual(self.path.read_bytes(), b"before")
                self.assertEqual(os.listdir(self.folder), ["out.trace"])

    def test_input_is_not_overwritten(self):
        self.path.write_bytes(TRACE.read_bytes())
        other = self.folder / "other.trace"
        os.link(self.path, other)
        for output in (self.path, other):
            result = run("cut", "--output", output, self.path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"it is the input", result.stderr)
        self.assertEqual(self.path.read_bytes(), TRACE.read_bytes())

    def test_what_is_no_plain_file_is_not_replaced(self):
        link = self.folder / "link"
        link.symlink_to("nowhere")
        for output in (link, self.folder, "/dev/null"):
            result = run("cut", "--output", output, TRACE)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"not a plain file", result.stderr)
        result = run("cut", "--output", self.folder / "none" / "out", TRACE)
        self.assertIn(b"No such file", result.stderr)
        self.assertEqual(result.returncode, 1)

    def test_file_that_is_replaced_keeps_its_permissions(self):
        self.path.write_bytes(b"before")
        self.path.chmod(0o600)
        self.cut()
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o600)

    def test_interrupted_run_leaves_nothing(self):
        theirs, ours = os.pipe()
        with subprocess.Popen([COMMAND, "cut", "--output", str(self.path), "-"], stdin=theirs,
                              stderr=subprocess.PIPE) as process:
            os.close(theirs)
            os.write(ours, TRACE.read_bytes()[:5000])
            while not os.listdir(self.folder):
                pass
            process.send_signal(signal.SIGINT)
            self.assertIn(b"interrupted", process.stderr.read())
            os.close(ours)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_full_disk_is_reported(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([COMMAND, "cut", TRACE], stdout=full, check=False,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count(b"\n"), 1)
        self.assertIn(b"No space left", result.stderr)

    def test_wrong_use_is_refused(self):
        for arguments in (("--start", "5s", TRACE), ("--end", "+", TRACE), ("--end", "", TRACE),
                          ("--start", "+1x", TRACE), (), (TRACE, TRACE)):
            self.assertEqual(run("cut", *arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
