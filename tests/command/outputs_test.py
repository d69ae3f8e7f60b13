# SPDX-License-Identifier: BSD-3-Clause
"""Where each command writes to when that is "-", and what commands say of what they repair."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from written import COMMAND, DATA, TRACE, run

CUT = DATA / "v2" / "go1.27-cut.trace"
CHAN = DATA / "v2" / "go1.27-chan.trace"


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect_misuse(self, word, *arguments):
        """Nothing is made, and the message has the word."""
        result = subprocess.run([COMMAND, *map(str, arguments)], check=False, cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((result.returncode, result.stdout), (2, b""), result.stderr)
        self.assertIn(word, result.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_not_one_stream_does_not_go_to_standard_output(self):
        for option in (["-o", "-"], ["--output=-"]):
            self.expect_misuse(b"files in a folder", "columns", *option, TRACE)
            self.expect_misuse(b"files in a folder", "columns", *option, "--sql", "duckdb")
            self.expect_misuse(b"several files", "split", "--every", "1s", *option, TRACE)

    def test_what_the_program_writes_is_not_mixed_with_its_trace(self):
        if b"record" in run("help").stdout:
            self.expect_misuse(b"that of the program", "record", "-o", "-", "/bin/true")

    def test_what_comes_is_kept_in_a_file(self):
        data = TRACE.read_bytes()
        for command in ("dump", "stat", "check"):
            result = subprocess.run([COMMAND, command, "--save", "-", "-"], input=data, check=False,
                                    cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((result.returncode, result.stdout), (2, b""))
            self.assertIn(b"--save cannot be standard output", result.stderr)
            self.assertEqual(os.listdir(self.folder), [])

    def test_tables_of_a_repaired_trace_say_so(self):
        result = run("columns", "-o", self.folder / "tables", CUT)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.decode(),
                         f"gotrace: {CUT}: repaired: 4 faults; 'gotrace check' names them\n")
        self.assertEqual(run("columns", "-o", self.folder / "whole", TRACE).stderr, b"")

    def test_what_a_repair_has_left_empty_is_no_finding(self):
        """The strings of a generation, among them the labels, come last, and are cut off."""
        data = (DATA / "v2" / "go1.27-gc.trace").read_bytes()
        damaged = self.folder / "damaged.trace"
        damaged.write_bytes(data[:int(len(data) * 0.4)])
        empty = run("dump", "--lenient", damaged).stdout.count(b'Label=""')
        self.assertGreater(empty, 0)
        checked = run("check", damaged)
        self.assertEqual(checked.returncode, 1)
        self.assertNotIn(b"is empty", checked.stdout)
        self.assertIn(b"no findings", checked.stdout)
        self.assertIn(b"; it is left empty", checked.stderr)

    def test_help_fits_into_80_columns(self):
        commands = re.findall(r"^  (\w+) +\w", run("help").stdout.decode(), re.M)
        self.assertGreater(len(commands), 20)
        for arguments in ([], *([command] for command in commands)):
            with self.subTest(arguments):
                text = run("help", *arguments).stdout.decode()
                self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])

    def test_numbers_of_what_was_changed(self):
        """One thing is one, and what was repaired is not said to be all there."""
        out = self.folder / "out.trace"
        many = run("cut", "--lenient", "-o", out, CUT).stderr.decode()
        self.assertIn("repaired: 4 faults, which the output does not mark\n", many)
        one = run("downgrade", "-o", out, CHAN).stderr.decode()
        self.assertIn("left out: 1 clock snapshot\n", one)
        self.assertIn("left out: 1 stack of a status or of a stop of the world\n", one)
        data = bytearray(TRACE.read_bytes())
        damaged = self.folder / "damaged.trace"
        for end in range(len(data) - 1, len(data) - 400, -1):
            damaged.write_bytes(data[:end])
            said = run("cut", "--lenient", "-o", out, damaged).stderr.decode()
            if "repaired: 1 fault" in said:
                break
        self.assertIn("repaired: 1 fault, which the output does not mark\n", said)


if __name__ == "__main__":
    unittest.main()
