# SPDX-License-Identifier: BSD-3-Clause
"""How many writes the messages about a damaged trace take: a trace may need a hundred thousand
repairs."""

import os
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest

COMMAND = os.environ["GT_COMMAND"]
WHOLE = os.path.join(os.environ["GT_TESTDATA"], "v1", "go1.21-many.trace")


def writes_to_errors(*arguments):
    """What each write to standard error has: on this kind of socket, each one is a message."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    writes = []
    with ours, subprocess.Popen([COMMAND, *arguments], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=theirs):
        theirs.close()
        while writes[-1:] != [b""]:
            writes.append(ours.recv(1 << 20))
    return writes[:-1]


def repairs_of(lines):
    """The number of repairs that the lines tell of: those of one kind share a line."""
    counts = [re.search(rb": repaired: .*?(?:, and (\d+) more like it)?$", line)
              for line in lines]
    return sum(1 + int(count.group(1) or 0) for count in counts)


class WritesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "damaged.trace")
        whole = pathlib.Path(WHOLE).read_bytes()
        third = len(whole) // 3
        pathlib.Path(self.path).write_bytes(whole[:third] + whole[third + 3000:])

    def test_many_repairs_take_few_writes(self):
        for arguments in (["check"], ["dump", "--lenient"]):
            with self.subTest(arguments=arguments):
                writes = writes_to_errors(*arguments, self.path)
                lines = b"".join(writes).splitlines()
                self.assertGreater(repairs_of(lines), 300)
                self.assertLess(len(lines), 10)
                self.assertLess(len(writes), 4)
                for line in lines:
                    self.assertTrue(line.startswith(b"gotrace: "))

    def test_repairs_come_before_the_result_in_one_pipe(self):
        text = subprocess.run([COMMAND, "check", self.path], stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
        *lines, result, ending = text.splitlines()
        self.assertTrue(lines[0].startswith("gotrace: "))
        repairs = repairs_of(line.encode() for line in lines)
        self.assertTrue(result.endswith("%d repairs" % repairs), result)
        self.assertTrue(ending.startswith("it cannot be told"), ending)


if __name__ == "__main__":
    unittest.main()
