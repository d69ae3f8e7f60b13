# SPDX-License-Identifier: BSD-3-Clause
"""A trace that grows while it is looked at: what moves, and what does not."""

import os
import tempfile
import time

from browser import TESTDATA, Viewer, unittest, wait_for
from timeline import TimelineTest

WIDTH = 1000000


class Live(TimelineTest):
    """Each test has a viewer that follows a file of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(os.path.join(TESTDATA, "v2", "go1.27-gens.trace"), "rb") as file:
            cls.bytes = file.read()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "growing.trace")
        self.written = 0
        with open(self.file, "wb"):
            self.write(len(self.bytes) // 3)
        self.viewer = Viewer("--follow", self.file)
        self.addCleanup(self.viewer.stop)
        wait_for(lambda: self.viewer.ask("trace")["duration"] > 0, "the first generation")
        self.settled()
        super().setUp()

    def write(self, size):
        with open(self.file, "ab") as file:
            file.write(self.bytes[self.written:self.written + size])
        self.written += size

    def grow(self):
        """Writes what the next generation needs, and waits until the server has it."""
        before = self.viewer.ask("trace")["duration"]

        def has_grown():
            if self.written < len(self.bytes):
                self.write(500)
            return self.viewer.ask("trace")["duration"] > before
        wait_for(has_grown, "the next generation")
        return self.settled()

    def settled(self):
        """The duration when the server has read all that was written, which is noticed late."""
        seen = []

        def is_still():
            time.sleep(0.05)
            seen.append(self.viewer.ask("trace")["duration"])
            return len(seen) > 6 and len(set(seen[-6:])) == 1
        wait_for(is_still, "the server to read everything")
        return seen[-1]

    def open_live(self, path="/"):
        self.open(path)
        wait_for(lambda: self.js("return window.gotrace?.trace?.progress?.live === true"
                                 " && gotrace.actions.has('palette')"), "a live trace")
        self.settle()

    def range(self):
        return self.js("const {s, e} = window.gotrace.view.target; return [s, e]")

    def pressed(self, name):
        return self.js("return document.querySelector(`#live-tools [data-run=${arguments[0]}]`)"
                       ".ariaPressed === 'true'", name)

    def await_duration(self, duration):
        wait_for(lambda: self.js("return gotrace.view.duration") == duration, "the page to grow")
        self.settle()

    def test_timeline_grows_and_the_view_follows_until_the_user_moves(self):
        self.open_live(f"/?live={WIDTH}")
        self.assertTrue(self.shown("#live-tools") and self.pressed("live"))
        self.assertFalse(self.shown("#progress"))
        self.assertIn("behind", self.text("#live-lag"))
        duration = self.grow()
        self.await_duration(duration)
        self.assertEqual(self.range(), [duration - WIDTH, duration])
        self.press("w")
        wait_for(lambda: not self.pressed("live"), "the view to stay")
        wait_for(lambda: "s" in self.parameters(), "the range in the address")
        shown = self.range()
        self.await_duration(self.grow())
        self.assertEqual(self.range(), shown)
        self.press("v")
        wait_for(lambda: self.pressed("live"), "the view to follow")
        width = shown[1] - shown[0]
        end = self.js("return gotrace.view.duration")
        self.assertEqual([round(each) for each in self.range()], [round(end - width), end])
        wait_for(lambda: "s" not in self.parameters(), "an address without a range")
        self.assertEqual(int(self.parameters()["live"]), round(width))

    def test_short_trace_fills_the_view_from_the_left(self):
        self.open_live("/?view=goroutine")
        self.assertEqual(self.range(), [0, 10e9])
        items = len(self.items("(item) => item"))
        self.assertGreater(items, 0)
        self.await_duration(self.grow())
        self.assertEqual(self.range(), [0, 10e9])
        self.press("0")
        wait_for(lambda: not self.pressed("live"), "the whole trace")
        duration = self.grow()
        self.await_duration(duration)
        wait_for(lambda: self.range() == [0, duration], "the whole trace as it grows")

    def test_pause_draws_nothing_and_the_rest_follows(self):
        self.open_live()
        before = self.js("return gotrace.view.duration")
        self.js("document.querySelector('[data-run=live-pause]').click()")
        self.assertTrue(self.pressed("live-pause"))
        duration = self.grow()
        wait_for(lambda: self.text("#live-lag").startswith("paused"), "the word for it")
        self.assertEqual(self.js("return gotrace.view.duration"), before)
        self.press("V")
        self.await_duration(duration)
        self.assertFalse(self.pressed("live-pause"))

    def test_stop_ends_the_recording_and_leaves_what_is_shown(self):
        self.open_live(f"/?live={WIDTH}")
        shown = self.range()
        self.js("document.querySelector('[data-run=live-stop]').click()")
        wait_for(lambda: self.viewer.ask("trace")["progress"]["done"], "the end")
        wait_for(lambda: not self.shown("#live-group"), "the page to know it")
        self.assertEqual(self.range(), shown)
        wait_for(lambda: "s" in self.parameters() and "live" not in self.parameters(),
                 "the range in the address")

    def test_other_pages_say_up_to_when_they_are(self):
        self.open("/goroutines")
        wait_for(lambda: "recorded up to" in self.text("#trace-name"), "the heading")


if __name__ == "__main__":
    unittest.main(verbosity=2)
