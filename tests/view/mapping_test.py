# SPDX-License-Identifier: BSD-3-Clause
"""How much of a mapped trace stays in the memory of `gotrace view` after it was read."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from view_server import Server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402

TRACE_BYTES = 12000000


def resident(process, path):
    """The bytes of a mapped file that are in the memory of a process."""
    with open("/proc/%d/smaps" % process.pid) as maps:
        parts = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", maps.read(), flags=re.MULTILINE)
    return sum(1024 * int(re.search(r"^Rss: *(\d+) kB", part, re.MULTILINE).group(1))
               for part in parts if part.split("\n", 1)[0].endswith(path))


@unittest.skipUnless(os.path.exists("/proc/self/smaps"), "the system has no /proc/PID/smaps")
class MappingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.trace = os.path.join(cls.directory.name, "synthetic.trace")
        subprocess.run([os.environ["GT_SYNTH"], "--bytes", str(TRACE_BYTES), cls.trace],
                       stdout=subprocess.DEVNULL, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def assert_mostly_returned(self, server):
        self.assertLess(resident(server.process, self.trace), TRACE_BYTES / 2)

    def test_loading_gives_back_what_it_has_read(self):
        with Server(self.trace) as server:
            self.assert_mostly_returned(server)

    def test_an_analysis_gives_back_what_it_has_read(self):
        with Server(self.trace) as server:
            self.assertEqual(server.answer("/api/mmu?flags=stw")[0], 200)
            self.assert_mostly_returned(server)

    def test_a_download_gives_back_what_it_has_read(self):
        with Server(self.trace) as server:
            self.assertGreater(len(server.get("/jsontrace?from=0&to=1000000")[2]), 100)
            self.assert_mostly_returned(server)


if __name__ == "__main__":
    skips.main()
