# SPDX-License-Identifier: BSD-3-Clause
"""Files that hold more than a trace: prints of its program, an older trace, another process's."""

import os
import pathlib
import unittest

from written import run

MIXED = pathlib.Path(os.environ["GT_TESTDATA"]) / "mixed"


class MixedTest(unittest.TestCase):
    def expect_true(self, name):
        """The events are those of the trace that lies in the file, and there is one repair."""
        path = MIXED / f"{name}.trace"
        true = run("dump", path.with_suffix(".true"))
        mixed = run("dump", "--lenient", path)
        self.assertEqual((true.returncode, mixed.returncode), (0, 0))
        self.assertEqual(mixed.stdout, true.stdout)
        self.assertEqual(mixed.stderr.count(b": repaired: "), 1, mixed.stderr)
        return mixed.stderr.decode()

    def test_strict_reading_ends_where_go_does(self):
        for path in MIXED.glob("*.trace"):
            with self.subTest(path.name):
                self.assertEqual(run("dump", path).returncode, 1)

    def test_text_between_batches_is_left_out(self):
        self.assertIn('49 lines of text lie in the trace, the first: '
                      '"worker 1: request 1 took 1.11 ms"; left out; the program prints to the '
                      "trace's file, too", self.expect_true("text-go1.26"))
        for version, lines in ("1.21", 50), ("1.24", 56):
            with self.subTest(version):
                self.assertIn(f'{lines} lines of text lie in the trace, the first: "listening on '
                              ':8080"; left out', self.expect_true(f"text-go{version}"))
        self.assertIn(b"the recording was stopped",
                      run("stat", "--lenient", MIXED / "text-go1.26.trace").stdout)

    def test_rest_of_an_older_trace_is_left_out(self):
        for version, size in ("1.19", 10513), ("1.22", 13965), ("1.24", 14197), ("1.26", 11441):
            with self.subTest(version):
                name = f"stale-tail-go{version}"
                at = (MIXED / f"{name}.true").stat().st_size
                self.assertIn(f"the trace ends here: the {size} bytes behind it are of another, "
                              f"older trace; left out (offset {at})", self.expect_true(name))

    def test_only_one_of_two_processes_is_read(self):
        """A test that starts itself again with its own arguments: both write to one file."""
        for version in "1.24", "1.26":
            with self.subTest(version):
                mixed = run("dump", "--lenient", MIXED / f"test-reexec-go{version}.trace")
                self.assertEqual(mixed.returncode, 0)
                self.assertEqual(mixed.stderr.count(b": repaired: "), 1, mixed.stderr)
                self.assertIn(b"are of another trace; left out", mixed.stderr)

    def test_second_trace_begins_at_its_header(self):
        """A download that broke off, and the whole file behind it."""
        for version in "1.21", "1.24":
            with self.subTest(version):
                path = MIXED / f"cut-then-whole-go{version}.trace"
                second = path.read_bytes().index(b"go 1.", 1)
                mixed = run("dump", "--lenient", path)
                self.assertIn(f"another trace begins here, and the one that is read ends before "
                              f"it; left out (offset {second})".encode(), mixed.stderr)
                self.assertNotIn(b"NEWRUN", mixed.stdout)


if __name__ == "__main__":
    unittest.main()
