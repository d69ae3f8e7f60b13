# SPDX-License-Identifier: BSD-3-Clause
"""The timeline in a browser: that it is drawn, and how one moves on it."""

import re
import urllib.request

from browser import Keys, unittest, wait_for
from timeline import THEMES, TimelineTest, VIEWS, themed


class Loading(TimelineTest):
    def static(self, name):
        with urllib.request.urlopen(f"{self.viewer.url}/static/{name}") as answer:
            return answer.read().decode()

    def imported(self, root):
        """All modules that a module imports, itself or by others, as it is loaded."""
        found, left = set(), [root]
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += re.findall(r'^(?:import|export|\})[^;"]*"\./(\w+\.js)";',
                                   self.static(name), re.MULTILINE)
        return found - {root}

    def test_the_page_names_all_modules_that_it_needs(self):
        """Otherwise each level of imports would be one more wait for the server."""
        with urllib.request.urlopen(self.viewer.url) as answer:
            page = answer.read().decode()
        named = re.findall(r'<link rel="modulepreload" href="static/\w+/(\w+\.js)" />', page)
        self.assertEqual(sorted(named), sorted(self.imported("app.js")))
        self.open_timeline()
        self.assertIn("panels.js", self.js(
            "return performance.getEntriesByType('resource').map(({name}) =>"
            " name.split('/').at(-1))"))

    def test_the_panels_come_after_the_first_timeline(self):
        self.open_timeline()
        times = self.js("""
            const entries = performance.getEntriesByType("resource");
            const start = (part) => entries.find(({name}) => name.includes(part)).startTime;
            return [start("/api/tiles"), start("/panels.js")]""")
        # Panels start after the first tiles were asked for, or when that takes too long.
        self.assertGreater(times[1], min(times[0], 500))


# Zooms to a time between two labels of the axis, and counts what is drawn there.
BETWEEN = """
    const {axis, trace} = gotrace;
    for (let length = 1000; length < 5000; length += 100) {
      const s = trace.duration / 2 + 37;
      gotrace.set({s, e: s + length});
      gotrace.view.jump(s, s + length);
      if (axis.ticks(axis.step()).length > 0) continue;
      const {context} = axis;
      const fillRect = context.fillRect.bind(context);
      let count = 0;
      context.fillRect = (...box) => { count++; fillRect(...box); };
      axis.draw();
      delete context.fillRect;
      return count;
    }
    return null;
"""


class Drawing(TimelineTest):
    def test_an_axis_without_labels_has_few_lines(self):
        size = self.browser.get_window_size()
        self.addCleanup(self.browser.set_window_size, size["width"], size["height"])
        self.browser.set_window_size(375, 640)
        self.open_timeline("/")
        count = self.js(BETWEEN)
        self.assertIsNotNone(count)
        self.assertLess(count, 100)

    def test_opens_with_the_whole_trace(self):
        self.open_timeline()
        duration = self.js("return window.gotrace.trace.duration")
        state = self.state()
        self.assertEqual(state["view"], "proc")
        self.assertLessEqual(state["s"], 0)
        self.assertGreaterEqual(state["e"], duration)
        for canvas in ("#canvas", "#labels", "#minimap", "#axis", "#counters"):
            wait_for(lambda: self.colours(canvas) > 4, f"a picture in {canvas}")
        self.assertFalse(self.shown("#banner"))
        self.assertFalse(self.shown("#progress"))

    def test_each_view_is_drawn(self):
        for view in VIEWS:
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                self.assertEqual(self.state()["view"], view)
                self.assert_drawn(view, "task" if view == "task" else "state")
                self.assertGreater(self.colours("#labels"), 4)

    def test_regions_are_drawn_in_their_goroutines(self):
        self.open_timeline("/?view=goroutine")
        self.assert_drawn("goroutine", "region")

    def test_dark_and_light_differ(self):
        backgrounds = []
        for theme in THEMES:
            with themed(self.browser, theme):
                self.open_timeline("/?view=goroutine")
                self.assert_drawn("goroutine", "state")
                backgrounds.append(
                    self.js("return getComputedStyle(document.body).backgroundColor"))
        self.assertNotEqual(*backgrounds)

    def turn_theme(self):
        return self.js("document.querySelector('.nav-theme').click();"
                       "return document.documentElement.dataset.theme")

    def test_a_chosen_theme_is_drawn(self):
        self.open_timeline("/?view=goroutine")
        for theme in ("light", "dark"):
            wait_for(lambda: self.turn_theme() == theme, theme)
            self.settle()
            span = self.longest("goroutine", "state")
            wait_for(lambda: self.has_its_colour(span), "its colours")

    def test_a_small_window(self):
        size = self.browser.get_window_size()
        self.browser.set_window_size(700, 420)
        try:
            self.open_timeline("/?view=goroutine")
            self.assertGreater(self.colours("#canvas"), 4)
            width = self.js("return [document.documentElement.scrollWidth, innerWidth]")
            self.assertLessEqual(*width)
        finally:
            self.browser.set_window_size(size["width"], size["height"])

    def test_frames_are_fast(self):
        self.open_timeline("/?view=goroutine")
        self.js("window.gotrace.frames.length = 0")
        for _ in range(10):
            self.press("w")
            self.press("d")
        self.settle()
        frames = sorted(self.js("return window.gotrace.frames"))
        self.assertGreater(len(frames), 10)
        # Generous: the machine may be busy. What is aimed at is measured by bench_view.py.
        self.assertLess(frames[len(frames) // 2], 50)


class Moving(TimelineTest):
    def test_views_keep_the_range_and_the_selection(self):
        self.open_timeline("/?s=100000&e=200000")
        span = self.longest("proc", "state")
        self.select(span)
        before = self.state()
        for key, view in (("3", "goroutine"), ("4", "task"), ("2", "thread"), ("1", "proc")):
            self.press(key)
            wait_for(lambda: self.state()["view"] == view, "the view")
            self.settle()
            state = self.state()
            self.assertEqual((state["s"], state["e"], state["sel"]),
                             (before["s"], before["e"], before["sel"]))
            self.assertTrue(self.shown(f"#views [data-view={view}][aria-pressed=true]"))

    def test_zoom_and_pan_by_keys(self):
        self.open_timeline()
        whole = self.width()
        self.press("w")
        wait_for(lambda: self.width() < whole * 0.95, "a zoom")
        narrow = self.state()
        self.press("d")
        wait_for(lambda: self.state()["s"] > narrow["s"], "a pan to the right")
        self.assertAlmostEqual(self.width(), narrow["e"] - narrow["s"], delta=1)
        right = self.state()["s"]
        self.press("a")
        wait_for(lambda: self.state()["s"] < right, "a pan to the left")
        before = self.width()
        self.press("s")
        wait_for(lambda: self.width() > before, "a zoom out")
        self.press("w", "w", "w")
        wait_for(lambda: self.width() < whole * 0.5, "zooms")
        self.press("0")
        wait_for(lambda: self.width() >= whole * 0.999, "all of it")
        wait_for(lambda: "s" not in self.parameters(), "an address without a range")

    def test_zoom_by_the_wheel_keeps_what_is_under_the_pointer(self):
        self.open_timeline("/?view=goroutine")
        box = self.box()
        x, y = int(box["x"] + box["width"] * 0.7), int(box["y"] + 60)
        before, under = self.width(), self.time_at(x)
        self.scroll(Keys.CONTROL, x, y, -120)
        wait_for(lambda: self.width() < before * 0.95, "a zoom")
        self.settle()
        self.assertAlmostEqual(self.time_at(x), under, delta=self.width() / box["width"] * 2)
        narrow = self.state()
        self.scroll(Keys.SHIFT, x, y, 120)
        wait_for(lambda: self.state()["s"] > narrow["s"], "a pan")
        self.assertAlmostEqual(self.width(), narrow["e"] - narrow["s"], delta=1)

    def test_the_address_follows_and_leads_back(self):
        self.open_timeline()
        self.press("w")
        wait_for(lambda: "s" in self.parameters(), "the range in the address")
        state, query = self.state(), self.parameters()
        self.assertAlmostEqual(float(query["s"]), state["s"], delta=1)
        self.assertAlmostEqual(float(query["e"]), state["e"], delta=1)
        self.open_timeline(self.js("return location.pathname + location.search"))
        self.assertAlmostEqual(self.state()["s"], state["s"], delta=1)
        self.assertAlmostEqual(self.state()["e"], state["e"], delta=1)

    def test_undo_and_redo(self):
        """By the keys and by the browser, and over views as well as ranges."""
        def control(key):
            return lambda: self.press_with(Keys.CONTROL, key)

        for undo, redo in ((control("z"), control("y")), (self.browser.back, self.browser.forward)):
            self.open_timeline()
            self.js("window.gotrace.zoomTo(100000, 150000)")
            wait_for(lambda: self.parameters().get("s") == "100000", "the zoom in the address")
            self.press("3")
            wait_for(lambda: self.parameters().get("view") == "goroutine",
                     "the view in the address")
            undo()
            wait_for(lambda: self.state()["view"] == "proc", "the view before")
            self.assertAlmostEqual(self.width(), 50000, delta=1)
            undo()
            wait_for(lambda: self.width() > 100000, "the range before")
            redo()
            wait_for(lambda: abs(self.width() - 50000) < 1, "the range again")
            redo()
            wait_for(lambda: self.state()["view"] == "goroutine", "the view again")

    def test_fit(self):
        """F shows the selection, and a second time what was shown before."""
        self.open_timeline("/?view=goroutine")
        whole = self.width()
        span = self.longest("goroutine", "region")
        self.select(span)
        self.press("f")
        wait_for(lambda: self.width() < whole * 0.9, "the zoom")
        state = self.state()
        self.assertLess(state["s"], span["start"])
        self.assertGreater(state["e"], span["end"])
        self.assertLess(self.width(), (span["end"] - span["start"]) * 1.5)
        self.press("f")
        wait_for(lambda: self.width() > whole * 0.99, "what was before")

    def test_drag_with_control_zooms(self):
        self.open_timeline("/?view=goroutine")
        box = self.box()
        y = box["y"] + 60
        left, right = (int(box["x"] + box["width"] * part) for part in (0.25, 0.5))
        times = [self.time_at(x) for x in (left, right)]
        self.drag((left, y), (right, y), Keys.CONTROL)
        wait_for(lambda: abs(self.width() - (times[1] - times[0])) < 1000, "the zoom")
        self.assertIsNone(self.state()["area"])

    def test_minimap_moves_the_view(self):
        self.open_timeline("/?s=0&e=40000")
        box = self.box("minimap")
        y = int(box["y"] + box["height"] / 2)
        self.drag((int(box["x"] + box["width"] * 0.1), y), (int(box["x"] + box["width"] * 0.6), y))
        wait_for(lambda: self.state()["s"] > 80000, "the move")
        self.assertAlmostEqual(self.width(), 40000, delta=2)

    def test_marks(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "state")
        self.select(span)
        self.press("m")
        wait_for(lambda: self.state()["marks"] == [span["start"]], "a mark")
        wait_for(lambda: self.parameters().get("m") == str(span["start"]), "it in the address")
        self.press_with(Keys.SHIFT, "m")
        wait_for(lambda: self.state()["marks"] == [], "no mark")


class Ends(TimelineTest):
    def test_the_trace_stays_on_the_screen(self):
        self.open_timeline()
        end = self.js("return gotrace.trace.duration")
        for to in (-3 * end, 3 * end):
            self.js("gotrace.set({s: arguments[0], e: arguments[0] + 100})", to)
            state = self.state()
            self.assertEqual(state["e"] - state["s"], 100)
            self.assertLessEqual(state["s"], end - 50)
            self.assertGreaterEqual(state["e"], 50)


if __name__ == "__main__":
    unittest.main(verbosity=2)
