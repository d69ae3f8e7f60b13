# SPDX-License-Identifier: BSD-3-Clause
"""What the headers of folded groups show, and the line of GOMAXPROCS."""

from browser import unittest, wait_for
from timeline import SHADES, TimelineTest

# The place of the header of a group on the screen, once its numbers have arrived.
HEADER = """
    const {activity, layout, rows} = window.gotrace;
    const item = layout.items.find(({row}) => row?.header && row.title === arguments[0]);
    if (!item || (arguments[1] && !activity.of(item.row))) return null;
    const box = document.getElementById("canvas").getBoundingClientRect();
    return {x: box.x, y: box.y + item.y, height: item.height, members: item.row.members,
            folded: rows.isFolded(item.row), at: rows.listingIndex(item.index)};
"""

# The shares of colours in a rectangle of a canvas.
COLUMN = """
    const [x, y, height] = arguments;
    const canvas = document.getElementById("canvas");
    const {data} = canvas.getContext("2d").getImageData(x, y, 1, height);
    return Array.from({length: height}, (_, i) => [...data.slice(4 * i, 4 * i + 3)]);
"""


class Groups(TimelineTest):
    trace = "v2/go1.27-mix.trace"
    title = "main.mix.func1"

    def fold(self, query=""):
        self.open_timeline(f"/?view=goroutine&group=1{query}")
        self.js("window.gotrace.prefs.overlay = false; window.gotrace.rows.foldAll()")
        wait_for(lambda: self.js(HEADER, self.title, True), "the header")
        self.settle()
        return self.js(HEADER, self.title, True)

    def numbers(self, header, start, end):
        """What the server says of one bin."""
        answer = self.viewer.ask("activity", view="goroutine", headers=header["at"], bins=1,
                                 **{"from": int(start), "to": int(end)})
        return answer["headers"][0]["classes"]

    def test_a_folded_group_is_drawn_in_the_colours_of_its_states(self):
        header = self.fold()
        self.assertGreater(header["members"], 1)
        self.assertGreater(header["height"], 30)
        box = self.box()
        x = box["width"] // 2
        column = self.js(COLUMN, x, int(header["y"] - box["y"]) + 4, int(header["height"]) - 5)
        time = self.time_at(box["x"] + x)
        seen = self.numbers(header, time - 40000, time + 40000)
        largest = max(seen, key=seen.get)
        shades = self.js(SHADES, largest)
        self.assertGreater(sum(pixel in shades for pixel in column), 5, largest)

    def test_the_tooltip_says_how_many_are_in_each_state(self):
        header = self.fold()
        box = self.box()
        pointer = self.pointer(int(box["x"] + box["width"] // 2), int(header["y"] + 20))
        pointer.perform()
        wait_for(lambda: self.shown("#tooltip") and self.title in self.text("#tooltip"),
                 "the tooltip")
        text = self.text("#tooltip")
        found = self.js("const {activity, layout, cursor} = window.gotrace;"
                        "return activity.at(layout.items.find(({row}) =>"
                        " row?.title === arguments[0]).row, cursor)", self.title)
        self.assertIn(f"of {header['members']} exist", text)
        self.assertTrue(found["counts"])
        at = self.time_at(box["x"] + box["width"] // 2)
        start = at - at % found["width"]
        exact = self.numbers(header, start - found["width"], start + 2 * found["width"])
        for entry in found["counts"]:
            self.assertIn(entry["cls"], exact)

    def test_unfolding_shows_the_members_in_place_of_the_numbers(self):
        header = self.fold()
        self.assertTrue(header["folded"])
        self.pointer_click(header)
        wait_for(lambda: not self.js(HEADER, self.title, False)["folded"], "unfolding")
        # The rows follow the state with the next frame, which a busy machine draws later.
        wait_for(lambda: self.js(HEADER, self.title, False)["height"] < 30, "a lower header")

    def pointer_click(self, header):
        actions = self.pointer(int(header["x"] + 20), int(header["y"] + 10))
        actions.pointer_action.click()
        actions.perform()

    def test_zooming_counts_the_visible_range(self):
        header = self.fold("&s=10000000&e=10100000")
        found = wait_for(lambda: self.js(
            "const {activity, layout} = window.gotrace;"
            "const group = activity.of(layout.items.find(({row}) =>"
            " row?.title === arguments[0]).row);"
            "return group && {width: group.width, start: group.classes[0].series.t[0]}",
            self.title), "the numbers")
        self.assertLess(found["width"], 1000)
        self.assertLess(found["start"], 10000000)
        self.assertGreater(header["height"], 30)


class Gomaxprocs(TimelineTest):
    trace = "v2/go1.27-procs.trace"

    def test_its_line_has_the_steps_of_the_trace(self):
        self.open_timeline()
        bins = wait_for(lambda: self.js("return window.gotrace.counters.feed.data?.gomaxprocs"),
                        "the counters")
        self.assertGreater(len(set(bins["max"])), 2)
        steps = self.viewer.ask("counters", bins=200)["gomaxprocs"]
        self.assertEqual(max(bins["max"]), max(steps["max"]))
        box = self.box()
        for share in (0.2, 0.5, 0.8):
            x = int(box["x"] + box["width"] * share)
            self.pointer(x, int(box["y"] + 30)).perform()
            time = self.time_at(x)
            value = self.viewer.ask("counters/at", t=int(time))["gomaxprocs"]
            wait_for(lambda: self.js("return document.querySelector('[title=GOMAXPROCS]')"
                                     ".textContent") == f"{value}", f"{value} at {share}")


if __name__ == "__main__":
    unittest.main()
