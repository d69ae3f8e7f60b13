#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a test waits for is there when the wait has ended."""

import pathlib
import socket
import tempfile
import unittest

import waiting


class WaitingTest(unittest.TestCase):
    def test_a_server_listens_only_when_it_takes_connections(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
            path = pathlib.Path(folder) / "s"
            self.assertFalse(waiting.listens(path))
            server.bind(str(path))
            self.assertTrue(path.exists())
            self.assertFalse(waiting.listens(path))
            server.listen()
            self.assertTrue(waiting.listens(path))
            server.close()
            self.assertFalse(waiting.listens(path))

    def test_a_wait_that_ends_without_it_says_for_what(self):
        with self.assertRaisesRegex(AssertionError, "waited 0.05 s for the sun"):
            waiting.wait_for(lambda: False, "the sun", 0.05)
        self.assertEqual(waiting.wait_for(lambda: 3, "a number", 0.05), 3)


if __name__ == "__main__":
    unittest.main()
