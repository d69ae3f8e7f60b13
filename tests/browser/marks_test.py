# SPDX-License-Identifier: BSD-3-Clause
"""Logs on the timeline: where they are drawn, and what is said about them."""

from browser import unittest, wait_for
from timeline import TimelineTest


class Logs(TimelineTest):
    def open_logs(self):
        """All logs of the rows on the screen."""
        self.open_timeline("/?view=goroutine")
        return wait_for(self.marks, "the marks")

    def marks(self):
        return self.js("return gotrace.marks.feed.data?.filter((mark) => mark.kind === 'log')")

    def hover(self, mark):
        x, y = self.js("""
            const {layout, marks, view} = gotrace;
            const log = marks.logs.find(({mark}) => mark.index === arguments[0]);
            const box = document.getElementById("canvas").getBoundingClientRect();
            return [box.x + view.x(log.mark.time), box.y + log.top + 3];
        """, mark["index"])
        self.pointer(round(x), round(y)).perform()

    def test_logs_are_on_the_lanes_of_states(self):
        marks = self.open_logs()
        states = {row["lanes"][0]["track"] for row in self.rows("goroutine")}
        self.assertGreater(len(marks), 2)
        self.assertEqual({mark["track"] for mark in marks} - states, set())

    def test_tooltip_of_a_log(self):
        marks = self.open_logs()
        facts = {mark["index"]: self.viewer.ask("mark", index=mark["index"]) for mark in marks}
        mark = next(mark for mark in marks
                    if facts[mark["index"]]["task"] and facts[mark["index"]]["category"])
        said = facts[mark["index"]]
        self.open_timeline(f"/?view=goroutine&s={mark['time'] - 2000}&e={mark['time'] + 8000}")
        wait_for(lambda: self.js("return gotrace.marks.logs.some(({mark}) => mark.index =="
                                 " arguments[0])", mark["index"]), "the flag")
        self.hover(mark)
        wait_for(lambda: said["stack"][0]["function"] in self.text("#tooltip"), "the tooltip")
        for part in (said["category"], said["message"], said["task"]["title"],
                     said["goroutine"]["title"]):
            self.assertIn(part, self.text("#tooltip"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
