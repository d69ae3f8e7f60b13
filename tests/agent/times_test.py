#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace record: traces of a part of the time."""

import signal
import subprocess
import sys
import time
import unittest

from recording import AGENT, COMMAND, Folder, check

# Sleeps until its input ends, and tells how often.
SLEEPS = """
import select, sys, time
print("ready", flush=True)
count = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    time.sleep(0.01)
    count += 1
print(count)
"""


class TimesTest(Folder):
    def start(self, *options):
        self.child = subprocess.Popen(
            [COMMAND, "record", "--agent", AGENT, "-o", str(self.trace), *options, "--",
             sys.executable, "-c", SLEEPS],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(self.child.stdout.readline(), b"ready\n")

    def end(self):
        """Ends the program; returns how often it has slept."""
        out, self.said = self.child.communicate(timeout=30)
        self.assertEqual(self.child.returncode, 0)
        return int(out)

    def wait_for(self, name):
        """Waits until a trace is there and does not grow."""
        path, size, until = self.path / name, 0, time.monotonic() + 20
        while not size or size != path.stat().st_size:
            size = path.stat().st_size if path.exists() else 0
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def sleeps(self, name):
        check(self.path / name)
        return self.events(self.path / name).count('Running->Waiting Reason="sleep"')

    def test_flight(self):
        self.start("--flight", "300ms")
        time.sleep(0.3)
        self.child.send_signal(signal.SIGUSR2)
        self.wait_for("t.trace")
        time.sleep(1)
        count = self.end()
        self.assertGreater(self.sleeps("t.trace"), 1)
        # The second one is of the end, and has not the whole time.
        self.assertIn(self.sleeps("t-2.trace"), range(2, count - 10))

    def test_delay_and_duration(self):
        self.start("--delay", "200ms", "--duration", "200ms")
        self.wait_for("t.trace")
        time.sleep(0.5)
        count = self.end()
        self.assertIn(self.sleeps("t.trace"), range(2, count - 10))
        self.assertIn(b"t.trace: ", self.said)

    def test_signals_begin_and_end(self):
        self.start("--start-on", "USR1", "--stop-on", "SIGHUP")
        for name in ("t.trace", "t-2.trace"):
            self.child.send_signal(signal.SIGUSR1)
            self.wait_for(name)
            time.sleep(0.2)
            self.child.send_signal(signal.SIGHUP)
            time.sleep(0.3)
        count = self.end()
        for name in ("t.trace", "t-2.trace"):
            self.assertIn(self.sleeps(name), range(1, count))
        self.assertFalse((self.path / "t-3.trace").exists())

    # Of two signals that wait, the one with the lower number is delivered first.
    def test_signals_come_while_a_trace_ends(self):
        self.start("--start-on", "USR1", "--stop-on", "HUP")
        self.child.send_signal(signal.SIGUSR1)
        self.wait_for("t.trace")
        time.sleep(0.2)
        self.child.send_signal(signal.SIGHUP)
        self.child.send_signal(signal.SIGUSR1)
        self.wait_for("t-2.trace")
        time.sleep(0.2)
        count = self.end()
        for name in ("t.trace", "t-2.trace"):
            self.assertIn(self.sleeps(name), range(1, count))
        self.assertFalse((self.path / "t-3.trace").exists())

    def test_signals_come_while_a_trace_begins(self):
        self.start("--start-on", "HUP", "--stop-on", "USR1")
        self.child.send_signal(signal.SIGHUP)
        self.child.send_signal(signal.SIGUSR1)
        self.wait_for("t.trace")
        time.sleep(0.5)
        count = self.end()
        self.assertIn(self.sleeps("t.trace"), range(0, count // 2))


if __name__ == "__main__":
    unittest.main()
