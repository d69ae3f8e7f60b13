#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Standard input that comes slowly, does not block, or cannot be read."""

import fcntl
import os
import subprocess
import threading
import time
import unittest

COMMAND = os.environ["GT_COMMAND"]
TRACE = os.path.join(os.environ["GT_TESTDATA"], "v2", "go1.27-coro.trace")


def write_slowly(fd, data):
    for start in range(0, len(data), len(data) // 7):
        time.sleep(0.005)
        os.write(fd, data[start:start + len(data) // 7])
    os.close(fd)


def run_without_blocking(command, data):
    """What a command prints for data that it gets through a pipe that does not block."""
    theirs, ours = os.pipe()
    fcntl.fcntl(theirs, fcntl.F_SETFL, os.O_NONBLOCK)
    with subprocess.Popen([COMMAND, command, "-"], stdin=theirs, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        os.close(theirs)
        writer = threading.Thread(target=write_slowly, args=(ours, data))
        writer.start()
        output = process.communicate()[0]
        writer.join()
    return process.returncode, output


class StandardInputTest(unittest.TestCase):
    def test_commands_wait_for_input_that_does_not_block(self):
        with open(TRACE, "rb") as file:
            data = file.read()
        for command in "dump", "wire":
            with self.subTest(command=command):
                expected = subprocess.run([COMMAND, command, TRACE], check=True,
                                          stdout=subprocess.PIPE).stdout
                self.assertEqual(run_without_blocking(command, data), (0, expected))

    def test_error_says_why_standard_input_cannot_be_read(self):
        directory = os.open("/", os.O_RDONLY)
        for command in "dump", "wire":
            with self.subTest(command=command):
                run = subprocess.run([COMMAND, command, "-"], stdin=directory, check=False,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual((run.returncode, run.stdout), (1, b""))
                self.assertRegex(run.stderr.decode(), "-: reading failed: Is a directory")
        os.close(directory)


if __name__ == "__main__":
    unittest.main()
