#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace view --follow --keep: the newest part of a trace that is recorded for a long time."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from live_test import Live, PATIENCE, wait_for
from long_trace import SECOND, Long

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import beside  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
MIB = 1 << 20


class Kept(Live):
    """A viewer that keeps the newest two seconds of a file, to which generations are added."""

    def __init__(self, path, trace, keep="2s"):
        self.path = path
        self.left = list(trace.parts)
        self.marked = trace.version >= 26
        self.most_left = len(self.left) - 2
        self.most_memory = 0
        path.write_bytes(self.left.pop(0))
        super().__init__(path, "--keep", keep)

    def add(self, count=1, lets_go=True):
        """Adds generations one by one, and waits for each and for what is let go then."""
        for _ in range(count):
            before = self.position(self.ask("trace"))
            with self.path.open("ab") as file:
                file.write(self.left.pop(0))
            # The first generation of older versions is complete only when the next one comes.
            if self.marked or len(self.left) < self.most_left:
                self.wait(lambda trace, after=before: self.position(trace) > after)
            # Twice as much as is kept, and the generation by which that becomes more.
            if lets_go:
                self.wait(lambda trace: trace["duration"] < 5.2 * SECOND)
            self.measure()

    def add_until(self, condition):
        while not condition(self.ask("trace")):
            self.add()

    @staticmethod
    def position(trace):
        return trace["dropped"] + trace["duration"]

    def measure(self):
        self.most_memory = max(self.most_memory, self.ask("trace")["memory"])

    def room(self):
        """The bytes of all its files that have no name."""
        room = 0
        for each in pathlib.Path("/proc", str(self.process.pid), "fd").iterdir():
            try:
                if os.readlink(each).endswith(" (deleted)"):
                    room += each.stat().st_size
            except FileNotFoundError:
                pass
        return room


class KeepTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "growing.trace"

    def test_only_newest_part_is_shown(self):
        for version in 26, 25, 23:
            with self.subTest(version), Kept(self.path, Long(14, version=version)) as view:
                view.add(2)
                first = view.ask("trace")
                self.assertEqual((first["epoch"], first["dropped"]), (1, 0))
                view.add(12)
                trace = view.wait(lambda trace: trace["epoch"] >= 3)
                self.assertGreater(trace["dropped"], 3 * SECOND)
                self.assertGreaterEqual(trace["duration"], 2 * SECOND)
                self.assertLess(trace["duration"], 5.2 * SECOND)
                self.assertIsNone(trace["error"])
                rows = view.ask("rows", view="goroutine", count=1000, epoch=trace["epoch"])
                self.assertGreater(len(rows["rows"]), 50)
                # Goroutine 1001 lived in the first second only.
                view.ask("row", expected=404, view="goroutine", id=1001)

    def test_memory_and_temporary_files_stay_bounded(self):
        trace = Long(24, turns=20000)
        with Kept(self.path, trace, keep="60s") as view:
            view.add(23, lets_go=False)
            view.wait(lambda facts: facts["duration"] > 22 * SECOND)
            view.measure()
            whole = view.most_memory
        with Kept(self.path, trace) as view:
            view.add(23)
            # The last of 23 generations begins after 22 seconds, and twice what is kept may stay.
            view.wait(lambda facts: facts["dropped"] >= 18 * SECOND
                      and facts["duration"] < 5.2 * SECOND)
            view.measure()
            self.assertGreater(view.ask("trace")["epoch"], 2)
            # It shows up to four seconds, holds those of the former part, and gives back whole
            # files. Whatever comes while it loads adds to that for a while.
            second = max(map(len, trace.parts))
            most = 7 * second + 2 * MIB
            view.wait(lambda _facts: view.room() < most)
        self.assertLess(view.most_memory, 0.75 * whole)
        self.assertGreater(self.path.stat().st_size, 1.25 * most)

    def test_addresses_of_what_was_let_go_are_answered_with_410(self):
        with Kept(self.path, Long(12)) as view:
            view.add_until(lambda trace: trace["epoch"] == 2)
            # A page that does not know it yet still gets what it asks for.
            row = view.ask("row", view="goroutine", id=1001, epoch=1)
            self.assertEqual(row["id"], 1001)

            def is_gone():
                status, kind, body = view.get("/api/row?view=goroutine&id=1001&epoch=1")
                if status == 200:
                    return False
                self.assertEqual(status, 410)
                self.assertTrue(kind.startswith("application/json"))
                self.assertIn(b"this part of the recording was let go; load the page again", body)
                return True
            wait_for(is_gone, "the row to be let go")
            for query in "epoch=0", "epoch=3", "epoch=18446744073709551615", "a=b&epoch=1":
                self.assertEqual(view.get("/api/rows?view=proc&" + query)[0], 410, query)
            for query in "epoch=", "epoch=x", "epoch=-1", "epoch=18446744073709551616":
                self.assertEqual(view.get("/api/rows?view=proc&" + query)[0], 400, query)
            self.assertEqual(view.get("/api/rows?view=proc&xepoch=1")[0], 200)

    def test_stop_leaves_newest_part(self):
        with Kept(self.path, Long(9)) as view:
            view.add(9)
            view.wait(lambda trace: trace["epoch"] >= 2)
            self.assertEqual(view.stop()[0], 200)
            trace = view.wait(lambda trace: trace["progress"]["done"])
            self.assertIsNone(trace["error"])
            self.assertGreaterEqual(trace["duration"], 2 * SECOND)
            status, _, body = view.get("/api/area.trace?epoch=%d&start=0&end=%d"
                                       % (trace["epoch"], trace["duration"]))
            self.assertEqual(status, 200)
        subprocess.run([COMMAND, "check", "-"], input=body, check=True, stdout=subprocess.DEVNULL)

    def test_nothing_more_is_let_go_after_a_fault(self):
        with self.assertRaisesRegex(RuntimeError, "--keep lets go of nothing more after a fault"):
            with Kept(self.path, Long(14)) as view:
                view.add(3)
                with self.path.open("ab") as file:
                    file.write(b"\xee" * 100)
                view.add(9, lets_go=False)
                facts = view.ask("trace")
                self.assertGreater(facts["repairs_total"], 0)
                self.assertEqual((facts["epoch"], facts["dropped"]), (1, 0))
                view.process.terminate()
                raise RuntimeError(view.process.stderr.read())

    def test_trace_without_generations_is_shown_as_a_whole(self):
        data = pathlib.Path(os.environ["GT_TESTDATA"], "v1", "go1.21-chan.trace")
        self.path.write_bytes(data.read_bytes())
        command = [COMMAND, "view", "--no-open", "--follow", "--keep", "1s", self.path]
        told = subprocess.Popen(command,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        line = told.stderr.readline()
        told.terminate()
        told.communicate(timeout=PATIENCE)
        self.assertIn("--keep has no effect: traces of Go 1.21 and earlier", line)
        self.assertEqual(told.returncode, 0)

    def test_viewer_ends_at_once_while_it_loads_another_part(self):
        trace = Long(8, turns=20000)
        with Kept(self.path, trace, "1s") as view:
            with self.path.open("ab") as file:
                file.write(b"".join(view.left))
            begin = time.monotonic()
        self.assertLess(time.monotonic() - begin, 20)

    def test_values_that_are_no_times_are_refused(self):
        for value in ("0", "999ms", "-1s", "1", "", "s", "1e9", "10 s", "9223372036s", "99999999h",
                      "60s\n", "60s;rm", "0x10s", "nan", "60s60"):
            with self.subTest(value):
                self.refuse("not a time of at least 1s: ", "--follow", "--keep=" + value)
        self.refuse("--keep needs --follow", "--keep", "60s")
        self.refuse("", "--follow", "--keep", "60s", "--every", "60s")

    def refuse(self, message, *options):
        result = subprocess.run([COMMAND, "view", "--no-open", *options, self.path], check=False,
                                timeout=PATIENCE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(message, result.stderr)


if __name__ == "__main__":
    beside.main()
