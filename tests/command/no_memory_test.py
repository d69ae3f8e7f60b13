# SPDX-License-Identifier: BSD-3-Clause
"""What commands do that write files when an allocation fails: the old file stays, and a message
says why."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import count_of

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACE = DATA / "v2" / "go1.27-tasks.trace"
# What a lenient reader makes of this, no trace can have.
CUT = DATA / "v2" / "go1.23-cut.trace"
# All allocations would take minutes.
STEP = count_of(11, 3)


class NoMemoryTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.count = self.folder / "count"

    def run_failing(self, at, *arguments):
        return subprocess.run(
            [COMMAND, *map(str, arguments)], check=False, capture_output=True,
            env={**os.environ, "LD_PRELOAD": os.environ["GT_NO_MEMORY"], "GT_FAIL_AT": str(at),
                 "GT_FAIL_COUNT": str(self.count)})

    def tables(self):
        return sorted(str(path.relative_to(self.folder)) for path in
                      (self.folder / "tables").rglob("*.parquet"))

    def test_old_file_stays(self):
        path = self.folder / "out"
        for arguments in (["convert"], ["cut"], ["anonymize"], ["downgrade"], ["perfetto"],
                          ["cut", "--end=-1us"], ["perfetto", "--goid", "1"],
                          ["convert", "--lenient", CUT], ["downgrade", "--lenient", CUT]):
            arguments = [*arguments, "-o", path, *([] if CUT in arguments else [TRACE])]
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_failing(0, *arguments).returncode, 0)
                size = path.stat().st_size
                count = int(self.count.read_text())
                self.assertGreater(count, 50)
                for at in range(1, count + 1, STEP):
                    path.write_bytes(b"before")
                    result = self.run_failing(at, *arguments)
                    if result.returncode == 0:
                        self.assertEqual(path.stat().st_size, size, at)
                        continue
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(b"memory", result.stderr, at)
                    self.assertEqual(path.read_bytes(), b"before", at)
                    self.assertEqual(sorted(os.listdir(self.folder)), ["count", "out"])

    def test_tables_are_whole_or_a_message_says_why_not(self):
        arguments = ["columns", "--output", self.folder / "tables", TRACE]
        self.assertEqual(self.run_failing(0, *arguments).returncode, 0)
        whole = self.tables()
        for at in range(1, int(self.count.read_text()) + 1, 4 * STEP):
            for path in whole:
                (self.folder / path).unlink(missing_ok=True)
            result = self.run_failing(at, *arguments)
            if result.returncode == 0:
                self.assertEqual(self.tables(), whole, at)
            else:
                self.assertIn(b"memory", result.stderr, at)


if __name__ == "__main__":
    unittest.main()
