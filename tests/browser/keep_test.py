# SPDX-License-Identifier: BSD-3-Clause
"""A trace of which only the newest part is kept, while it is looked at."""

import os
import pathlib
import sys
import tempfile

from browser import Viewer, unittest, wait_for
from timeline import TimelineTest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "view"))
from long_trace import SECOND, Long  # noqa: E402

GENERATIONS = 24


class Keep(TimelineTest):
    """Each test has a viewer that keeps two seconds of a file of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.parts = Long(GENERATIONS).parts

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "growing.trace")
        self.written = 0
        with open(self.file, "wb"):
            self.write(3)
        self.viewer = Viewer("--follow", "--keep", "2s", self.file)
        self.addCleanup(self.viewer.stop)
        wait_for(lambda: self.position() > 1.9 * SECOND, "the first two generations")
        super().setUp()

    def write(self, count):
        with open(self.file, "ab") as file:
            file.write(b"".join(self.parts[self.written:self.written + count]))
        self.written += count

    def position(self):
        """Up to when in the recording the server has read."""
        facts = self.viewer.ask("trace")
        return facts["dropped"] + facts["duration"]

    def add(self):
        """Writes a generation, and waits until the page shows it."""
        before = self.js("return gotrace.trace.dropped + gotrace.view.duration")
        self.write(1)
        wait_for(lambda: self.js("return gotrace.trace.dropped + gotrace.view.duration") > before,
                 "the page to show the next generation")

    def next_epoch(self):
        """Adds until the page has gone on with another part."""
        before = self.epoch()
        while self.epoch() == before and self.written < len(self.parts):
            self.add()
            self.await_server()
        self.assertGreater(self.epoch(), before)
        self.settle()

    def await_server(self):
        """Until the page is at the part that the server shows, which that changes by itself."""
        wait_for(lambda: self.viewer.ask("trace")["duration"] < 5.2 * SECOND,
                 "the server to let go")
        wait_for(lambda: self.epoch() == self.viewer.ask("trace")["epoch"], "the page to notice")

    def epoch(self):
        return self.js("return gotrace.trace.epoch")

    def dropped(self):
        return self.js("return gotrace.trace.dropped")

    def open_live(self, path="/"):
        self.open(path)
        wait_for(lambda: self.js("return window.gotrace?.trace?.progress?.live === true"
                                 " && gotrace.actions.has('palette')"), "a live trace")
        self.settle()

    def range(self):
        return self.js("const {s, e} = window.gotrace.view.target; return [s, e]")

    def said(self, text):
        wait_for(lambda: text in self.js("return document.body.innerText")
                 or text in self.js("return document.body.textContent"), text)

    def test_timeline_slides_and_goes_on_when_parts_are_let_go(self):
        self.open_live(f"/?view=goroutine&live={SECOND}")
        for number in (2, 3, 4):
            self.next_epoch()
            self.assertGreaterEqual(self.epoch(), number)
            wait_for(lambda: self.range()[1] == self.js("return gotrace.view.duration"),
                     "the view to follow")
            wait_for(lambda: self.items("(item) => item"), "spans of the newest part")
            self.assertLessEqual(self.js("return gotrace.view.duration"), 6 * SECOND)
        self.assertGreater(self.dropped(), 5 * SECOND)
        self.said("were let go")

    def test_view_stays_at_its_time_while_that_is_kept(self):
        self.open_live("/?view=goroutine")
        self.add()
        self.add()
        # More than the second that it is from the end is kept.
        start = self.js("return gotrace.view.duration") - SECOND
        self.js("gotrace.view.jump(arguments[0], arguments[1]);"
                "gotrace.set({s: arguments[0], e: arguments[1]})", start, start + SECOND / 4)
        self.settle()
        shown = [round(each + self.dropped()) for each in self.range()]
        self.next_epoch()
        self.assertGreater(self.dropped(), 0)
        wait_for(lambda: [round(each + self.dropped()) for each in self.range()] == shown,
                 "the same time")

    def test_selection_that_is_let_go_is_forgotten(self):
        self.open_live("/?view=goroutine&live=1000000000")
        row = next(row for row in self.rows("goroutine") if row["id"] == 1001)
        span = self.span(row["lanes"][0]["track"], 0)
        self.select(span)
        self.next_epoch()
        wait_for(lambda: self.js("return gotrace.selection === null"), "no selection")
        self.assertIsNone(self.state()["sel"])
        self.said("were let go, and with them what was selected")

    def test_address_of_a_part_that_was_let_go_leads_to_what_there_is(self):
        self.open_live("/?view=goroutine&s=100000000&e=200000000")
        self.next_epoch()
        self.open_live("/?view=goroutine&s=100000000&e=200000000")
        start, end = self.range()
        self.assertGreater(end, 0)
        self.assertLess(start, self.js("return gotrace.view.duration"))
        wait_for(lambda: "from" in self.parameters(), "the address of the part")


if __name__ == "__main__":
    unittest.main(verbosity=2)
