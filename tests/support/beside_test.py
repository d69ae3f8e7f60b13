#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests that run beside each other are all told of, and one that fails makes the program fail."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import skips

HEAD = """
import sys, threading, unittest
sys.path.insert(0, {folder!r})
import beside

both = threading.Barrier(2, timeout=60)

class Some(unittest.TestCase):
    def test_one(self):
        both.wait()

    def test_other(self):
        both.wait()
"""
END = """
if __name__ == "__main__":
    beside.main()
"""


class BesideTest(unittest.TestCase):
    def run_tests(self, more="", *names):
        head = HEAD.format(folder=str(pathlib.Path(__file__).parent))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some_test.py"
            path.write_text(head + more + END)
            return subprocess.run([sys.executable, "-B", path, *names], capture_output=True,
                                  check=False, text=True)

    def test_they_run_at_once(self):
        done = self.run_tests()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Some.test_one: ok", done.stderr)
        self.assertIn("2 tests, 0 failed", done.stderr)

    def test_only_those_that_are_named_run(self):
        done = self.run_tests("    def test_third(self):\n        pass\n", "Some.test_third")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 tests, 0 failed", done.stderr)

    def test_each_kind_of_failure_is_one(self):
        for body in ("self.fail('so')", "raise OSError('so')", "self.addCleanup(self.fail, 'so')",
                     "with self.subTest('so'): self.fail()"):
            with self.subTest(body):
                done = self.run_tests(f"    def test_bad(self):\n        {body}\n")
                self.assertEqual(done.returncode, 1)
                self.assertIn("Some.test_bad: FAILED", done.stderr)
                self.assertIn("so", done.stderr)
                self.assertIn("3 tests, 1 failed", done.stderr)

    def test_a_reason_for_skipping_is_told(self):
        done = self.run_tests("    def test_sun(self):\n        self.skipTest('no sun')\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out: no sun\n", done.stdout)

    def test_what_is_shared_is_refused(self):
        done = self.run_tests("    @classmethod\n    def setUpClass(cls):\n        pass\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot run beside each other", done.stderr)

    def test_no_tests_are_a_failure(self):
        self.assertEqual(self.run_tests("del Some\n").returncode, 1)


if __name__ == "__main__":
    skips.main()
