# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of gotrace record share. $GT_AGENT is the agent."""

import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ["GT_COMMAND"]
AGENT = os.environ["GT_AGENT"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, timeout=60,
                          **options)


def check(trace):
    """The trace is accepted by the validator, and by Go's reader if there is one."""
    done = run(COMMAND, "check", trace)
    assert done.returncode == 0 and b"no findings" in done.stdout, (trace, done)
    if os.environ.get("GT_PEER"):
        done = run(os.environ["GT_PEER"], "gtpeer", "parsed", trace)
        assert done.returncode == 0, (trace, done.stderr)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.trace = self.path / "t.trace"

    def record(self, *program, options=(), **more):
        return run(COMMAND, "record", "--agent", AGENT, "-o", self.trace, *options, "--", *program,
                   **more)

    def same(self, *program, options=(), **more):
        """Runs a program with and without the agent; the results are the same."""
        plain = run(*program, **more)
        done = self.record(*program, options=options, **more)
        self.assertEqual((done.returncode, done.stdout), (plain.returncode, plain.stdout))
        own = b"".join(line for line in done.stderr.splitlines(True)
                       if not line.startswith(b"gotrace: "))
        self.assertEqual(own, plain.stderr)
        return done

    def traces(self):
        return sorted(self.path.glob("*.trace"))

    def events(self, trace=None):
        return run(COMMAND, "dump", trace or self.trace).stdout.decode()
