# SPDX-License-Identifier: BSD-3-Clause
"""gotrace convert: the events stay, and the version and the wall clock are those asked for."""

import collections
import re
import unittest

from written import DATA, TRACE, Written, events_of, run

BEFORE_CLOCKS = DATA / "v2" / "go1.22-gcgens.trace"


# A proc runs on no thread. In the next generation thread 5 tells its status: if that is 1, it runs
# there, which readers take; if it is 2, it is idle, but no event can stop it without a thread.
NO_THREAD = """Trace Go1.23
EventBatch gen=1 m=18446744073709551615 time=1 size=4
ProcStatus dt=1 p=0 pstatus=1
EventBatch gen=1 m=18446744073709551615 time=1 size=6
Frequency freq=1000000000
EventBatch gen=2 m=5 time=10 size=4
ProcStatus dt=1 p=0 pstatus=%d
EventBatch gen=2 m=18446744073709551615 time=10 size=6
Frequency freq=1000000000
"""


class ConvertTest(Written, unittest.TestCase):
    command = "convert"

    def header(self):
        return self.path.read_bytes()[:16].rstrip(b"\0")

    def start(self):
        stat = run("stat", self.path).stdout.decode()
        found = re.search(r"^start +(\S+)$", stat, re.MULTILINE)
        return found and found.group(1)

    def test_events_are_those_of_the_input_in_each_version(self):
        clocks = b"left out: 1 clock snapshot"
        for go, header, message in (("1.23", b"go 1.23 trace", clocks),
                                    ("1.24", b"go 1.23 trace", clocks),
                                    ("1.25", b"go 1.25 trace", b""),
                                    ("1.26", b"go 1.26 trace", b""),
                                    ("1.27", b"go 1.26 trace", b"")):
            with self.subTest(go=go):
                events = self.write("--go", go, message=message)
                self.assertEqual(events, events_of(TRACE))
                self.assertEqual(self.header(), header)

    def test_default_is_the_version_of_the_input(self):
        for trace, header in (("v2/go1.22-gcgens", b"go 1.22 trace"),
                              ("v2/go1.24-alloc", b"go 1.23 trace"),
                              ("v2/go1.25-tasks", b"go 1.25 trace"),
                              ("v2/go1.26-tasks", b"go 1.26 trace"),
                              ("v2/go1.27-mix", b"go 1.26 trace")):
            with self.subTest(trace=trace):
                trace = DATA / (trace + ".trace")
                self.assertEqual(self.write(trace=trace, message=b""), events_of(trace))
                self.assertEqual(self.header(), header)

    def test_wall_clock_is_made_up_where_the_version_asked_for_has_one(self):
        events = self.write("--go", "1.25", trace=BEFORE_CLOCKS,
                            message=b"made up: the wall clock")
        self.assertEqual(events, events_of(BEFORE_CLOCKS))
        self.assertEqual(self.header(), b"go 1.25 trace")
        self.assertEqual(self.start(), "1970-01-01T00:00:01Z")

    def test_wall_clock_that_the_user_gives_asks_for_the_newest_version(self):
        self.write("--wall", "1", trace=BEFORE_CLOCKS, message=b"")
        self.assertEqual(self.header(), b"go 1.26 trace")

    def test_clock_begins_when_the_user_says(self):
        for wall, start in (("2026-11-23T14:30:00Z", "2026-11-23T14:30:00Z"),
                            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
                            ("2000-03-01T00:00:00Z", "2000-03-01T00:00:00Z"),
                            ("2100-03-01T00:00:00Z", "2100-03-01T00:00:00Z"),
                            ("1795444200", "2026-11-23T14:30:00Z")):
            with self.subTest(wall=wall):
                self.write("--wall", wall, trace=BEFORE_CLOCKS)
                self.assertEqual(self.start(), start)

    def test_clock_of_the_trace_is_not_replaced(self):
        self.write()
        start = self.start()
        self.write("--wall", "2026-11-23T14:30:00Z", message=b"--wall is not used")
        self.assertEqual(self.start(), start)

    def test_converted_there_and_back_the_events_are_the_same(self):
        self.write("--go", "1.23", trace=BEFORE_CLOCKS)
        old = self.folder.parent / (self.folder.name + ".old")
        self.path.rename(old)
        self.addCleanup(old.unlink)
        events = self.write("--wall", "1", trace=old)
        self.assertEqual(events, events_of(BEFORE_CLOCKS))

    def convert_to_1_22(self, trace, *lines):
        """Writes a trace for Go 1.22, and returns its events. Expects these lines to be printed."""
        result = run("convert", "--go", "1.22", "--output", self.path, trace)
        self.assertEqual(result.returncode, 0)
        found = [line.split(".trace: ")[1] for line in result.stderr.decode().splitlines()]
        self.assertEqual(found, list(lines))
        self.assertEqual(self.header(), b"go 1.22 trace")
        self.assertEqual(run("check", self.path).returncode, 0)
        return events_of(self.path)

    def test_trace_of_go_1_22_is_written_for_it(self):
        self.assertEqual(self.convert_to_1_22(BEFORE_CLOCKS), events_of(BEFORE_CLOCKS))

    def test_what_go_1_22_lacks_is_left_out(self):
        trace = DATA / "v2" / "go1.24-alloc.trace"
        lack = ", which traces of Go 1.22 cannot have"
        events = self.convert_to_1_22(
            trace, "left out: 519 events and batches of experiments" + lack,
            "left out: 2 stacks of goroutines at first" + lack)
        kept = [event for event in events_of(trace) if " Experimental " not in event]
        self.assertEqual(self.shapes(events), self.shapes(kept))

    def test_coroutines_run_before_they_wait_in_go_1_22(self):
        trace = DATA / "v2" / "go1.23-coro.trace"
        lack = ", which traces of Go 1.22 cannot have"
        events = self.convert_to_1_22(
            trace, "left out: 5 stacks of goroutines at first" + lack,
            "changed: 5 creations of goroutines that wait, which run for 1 ns before")
        created = [event for event in events_of(trace) if "NotExist->Waiting" in event]
        self.assertEqual(len(events), len(events_of(trace)) + 4 * len(created))

    def shapes(self, events):
        """What stays of events of Go 1.21: the kind, the subject, and the time since the first."""
        found = [re.search(r" (\S+) Time=(\d+) ?((?:GoID|ProcID|Name|Task)=\S+)?", event).groups()
                 for event in events]
        return [(kind, int(time) - int(found[0][1]), what) for kind, time, what in found]

    def test_traces_of_go_1_21_and_before_are_converted(self):
        for name in ("go1.19-tasks", "go1.21-chan", "go1.21-syscall"):
            trace = DATA / "v1" / (name + ".trace")
            self.write(trace=trace)
            self.assertEqual(self.header(), b"go 1.23 trace")
            self.assertEqual(self.shapes(events_of(self.path)), self.shapes(events_of(trace)))

    def changes(self, events):
        """The changes of state of each goroutine. A goroutine that C begins is created and enters
        its system call in two events of Go 1.21, and in one of later versions."""
        found = collections.defaultdict(list)
        for event in events:
            match = re.search(r" GoID=(\d+) (\w+->\w+)", event)
            if not match:
                continue
            changes = found[match.group(1)]
            changes.append(match.group(2))
            if changes[-2:-1] == ["NotExist->Runnable"] and changes[-1].endswith("->Syscall"):
                changes[-2:] = ["NotExist->Syscall"]
        return found

    def test_goroutines_that_c_has_called_are_converted(self):
        for name, count in (("go1.19-cgo", 0), ("go1.21-cgo", 7)):
            trace = DATA / "cgo" / (name + ".trace")
            result = run("convert", "--wall", "1", "--lenient", "--output", self.path, trace)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b"changes of a proc to another thread", result.stderr)
            self.assertEqual(run("check", self.path).returncode, 0)
            events = events_of(self.path)
            self.assertEqual(sum("NotExist->Syscall" in event for event in events), count)
            found = run("dump", "--lenient", trace).stdout.decode().split("\nM=")
            self.assertEqual(self.changes(events), self.changes(found))

    def test_what_cannot_be_as_it_was_is_reported(self):
        self.write("--wall", "1", trace=DATA / "v1" / "go1.21-gc.trace",
                   message=b"moved: 3 events to a thread or goroutine that can have them")
        self.write("--wall", "1", trace=DATA / "v1" / "found-no-gomaxprocs.trace",
                   message=b"left out: 32 events that cannot be where they are since Go 1.22")

    def test_lenient_writes_all_that_needs_no_repair(self):
        for status, message in ((1, b""), (2, b"left out: 1 event that no trace can have there")):
            trace = run("encode", "-", data=(NO_THREAD % status).encode()).stdout
            result = run("convert", "--wall", "1", "--lenient", "-", data=trace)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(message, result.stderr)
            events = run("dump", "-", data=result.stdout).stdout
            self.assertEqual(events.count(b"ProcID=0"), 2 if status == 1 else 1, events)

    def test_wrong_use_is_refused(self):
        for arguments in (("--go", "1.21", TRACE), ("--go", "23", TRACE), ("--go", "1.28", TRACE),
                          ("--go", "", TRACE), ("--go", "1.23", "--wall", "1", TRACE), (),
                          (TRACE, TRACE)):
            self.expect_misuse(*arguments)
        for wall in ("", "0", "-1", "1234567890123", "1969-12-31T23:59:59Z",
                     "1970-01-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
                     "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
                     "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01 00:00:00Z",
                     "2026-01-01T00:00:00", "2026-01-01", "now"):
            self.expect_misuse("--wall", wall, TRACE)


if __name__ == "__main__":
    unittest.main()
