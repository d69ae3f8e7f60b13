#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a test starts does not depend on the signals that whoever started the test ignores."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import signals
import waiting

signals.start_with_defaults()

HERE = str(pathlib.Path(__file__).parent)
NAMES = ("HUP", "INT", "TERM", "PIPE", "USR1")
# Starts a shell that sends itself the signal, and prints how it ended.
START = """
import signals, subprocess, sys
signals.start_with_defaults()
print(subprocess.run(["sh", "-c", "kill -%s $$" % sys.argv[1]]).returncode)
"""
# Is ended while it has a temporary folder.
ENDED = """
import os, signal, signals, sys, tempfile, time
signals.start_with_defaults()
folder = tempfile.TemporaryDirectory()
os.kill(os.getpid(), int(sys.argv[1]))
"""


def run(*arguments, **options):
    return subprocess.run(arguments, check=False, timeout=waiting.PATIENCE, cwd=HERE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options)


class SignalsTest(unittest.TestCase):
    def test_what_is_ignored_is_not_inherited(self):
        for name in NAMES:
            with self.subTest(name):
                number = getattr(signal, "SIG" + name)
                done = run("sh", "-c", f"trap '' {' '.join(NAMES)} CHLD; exec \"$@\"", "sh",
                           sys.executable, "-B", "-c", START, name)
                self.assertEqual(done.stdout, f"{-number}\n")

    def test_end_by_a_signal_leaves_no_folder(self):
        for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                done = run(sys.executable, "-B", "-c", ENDED, str(int(number)),
                           env=dict(os.environ, TMPDIR=folder))
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(os.listdir(folder), [])


class WaitingTest(unittest.TestCase):
    def test_condition_is_returned_and_has_a_limit(self):
        answers = iter([None, 0, "there"])
        self.assertEqual(waiting.wait_for(lambda: next(answers), "an answer"), "there")
        with self.assertRaisesRegex(AssertionError, "waited 0.05 s for nothing"):
            waiting.wait_for(lambda: False, "nothing", 0.05)


if __name__ == "__main__":
    unittest.main()
