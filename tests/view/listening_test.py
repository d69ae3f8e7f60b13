# SPDX-License-Identifier: BSD-3-Clause
"""Whom `gotrace view` serves: its warning, and the sites that may show it in a frame."""

import os
import pathlib
import signal
import subprocess
import sys
import unittest

from view_server import Server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402

TRACE = os.path.join(os.environ["GT_TESTDATA"], "v2", "go1.27-tasks.trace")
WARNING = ("gotrace: view: listening on all addresses of this machine; whoever can reach it can "
           "read the trace\n")


def listen(*options):
    """The first line on standard output, and all of standard error."""
    with subprocess.Popen([os.environ["GT_COMMAND"], "view", "--no-open", *options, TRACE],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        return line, process.communicate(timeout=60)[1]


class ListeningTest(unittest.TestCase):
    def test_all_addresses_are_warned_of(self):
        for address in (":0", "0.0.0.0:0", "[::]:0"):
            with self.subTest(address=address):
                line, errors = listen("--http", address)
                if not line and address == "[::]:0":
                    self.skipTest("no IPv6")
                self.assertIn("listening on http://127.0.0.1:", line)
                self.assertEqual(errors, WARNING)

    def test_one_address_is_not(self):
        for options in ((), ("--http", "127.0.0.1:0"), ("--http", "localhost:0")):
            with self.subTest(options=options):
                self.assertEqual(listen(*options)[1], "")

    def test_sites_may_be_named_that_embed_the_viewer(self):
        sites = "'self' https://tools.example.com"
        with Server(TRACE, "--frame-ancestors", sites) as server:
            for path in ("/", "/trace", "/mmu", "/goroutines", "/io", "/static/app.js",
                         "/api/trace", "/nothing"):
                server.get(path)
                policy = server.headers.get_all("Content-Security-Policy")
                self.assertEqual(len(policy), 1)
                self.assertTrue(policy[0].startswith("default-src 'self';"))
                self.assertTrue(policy[0].endswith("; frame-ancestors " + sites))

    def test_other_directives_are_refused(self):
        line, errors = listen("--frame-ancestors", "*; script-src *")
        self.assertEqual(line, "")
        self.assertIn("not a list of sites: '*; script-src *'", errors)


if __name__ == "__main__":
    skips.main()
