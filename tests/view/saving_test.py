#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `gotrace view` saves of a repaired trace is what `gotrace cut --lenient` writes."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from viewing import Viewer, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "command"))
from written import batches_of  # noqa: E402

DATA = pathlib.Path(os.environ["GT_TESTDATA"])
END = 10**15


class Saving(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "damaged.trace"

    def read(self, trace):
        """Reads a trace strictly, and with Go's own reader, where that is there."""
        path = self.folder / "saved.trace"
        path.write_bytes(trace)
        run("dump", path)
        if os.environ.get("GT_PEER"):
            subprocess.run([os.environ["GT_PEER"], "-d=parsed", path], check=True,
                           stdout=subprocess.DEVNULL)

    def expect_saved(self, data):
        """Returns how many ranges of the trace were saved."""
        saved = 0
        self.path.write_bytes(data)
        with Viewer(self.path) as viewer:
            end = viewer.trace()["duration"]
            for start, until in ((0, END), (end // 3, 2 * end // 3), (0, 0), (1, 1),
                                 (end + 1, END)):
                status, body = viewer.fetch("/api/area.trace", start=start, end=until)
                cut = run("cut", "--lenient", f"--start=+{start}ns", f"--end=+{until}ns", self.path,
                          code=1 if status == 404 else 0)
                if status == 404:
                    self.assertTrue(json.loads(body)["error"])
                    continue
                self.assertEqual(status, 200)
                self.assertEqual(body, cut, (start, until))
                self.read(body)
                saved += 1
        return saved

    def test_trace_that_is_cut_off(self):
        for name, part in (("v2/go1.26-gcgens", 0.6), ("v2/go1.22-gens", 0.8),
                           ("v2/go1.27-mix", 0.9), ("v1/go1.21-many", 0.5)):
            data = (DATA / (name + ".trace")).read_bytes()
            with self.subTest(name):
                self.assertGreaterEqual(self.expect_saved(data[:int(len(data) * part)]), 2)

    def test_trace_without_a_batch(self):
        data = (DATA / "v2/go1.22-gens.trace").read_bytes()
        for begin, end, _ in list(batches_of(data))[2::7]:
            with self.subTest(begin):
                self.expect_saved(data[:begin] + data[end:])

    def test_hole(self):
        data = (DATA / "v2/go1.27-mix.trace").read_bytes()
        holes = random.Random(43)
        for _ in range(8):
            begin = holes.randrange(3000, len(data) - 3000)
            with self.subTest(begin):
                self.expect_saved(data[:begin] + b"\xff" * 400 + data[begin + 400:])

    def test_what_cannot_be_written_is_told_at_first(self):
        self.path.write_bytes((DATA / "v2/go1.27-mix.trace").read_bytes()[:60000])
        with Viewer(self.path) as viewer:
            viewer.trace()
            status, body = viewer.fetch("/api/area.trace", start=END)
        self.assertEqual(status, 404)
        self.assertEqual(json.loads(body), {"error": "there are no events to write"})


if __name__ == "__main__":
    unittest.main()
