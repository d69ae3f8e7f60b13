# SPDX-License-Identifier: BSD-3-Clause
"""The panels of the timeline in a browser: details, area, flame graph, search, menus."""

from browser import Keys, PageTest, unittest, wait_for
from timeline import themed

# The table of times by state.
AREA_ROWS = ".area .grid:first-of-type tbody tr"

# The figures beside the counters that are cut off: each is wholly seen or not at all.
CUT = """
    return [...document.querySelectorAll(".counter:not([hidden]) .counter-values > span")]
        .filter((each) => {
            const {top, bottom} = each.getBoundingClientRect();
            const boxes = [each.parentElement, each.closest(".counter")]
                .map((box) => box.getBoundingClientRect());
            const from = Math.max(...boxes.map((box) => box.top));
            const to = Math.min(...boxes.map((box) => box.bottom));
            return (top < from - 1 && bottom > from + 1) || (bottom > to + 1 && top < to - 1);
        }).map((each) => each.textContent);
"""

# The colour of the last pixel of the names, where there is no row and no text.
GROUND = """
    const canvas = document.getElementById("labels");
    const context = document.createElement("canvas").getContext("2d");
    context.drawImage(canvas, 1 - canvas.width, 0);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
"""


class Panels(PageTest):
    def open_fresh(self, path="/?view=goroutine"):
        """Without what earlier tests stored. The timeline stores its state when it is left, so
        another page clears the storage."""
        self.open("/goroutines")
        self.js("localStorage.clear()")
        self.open_timeline(path)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def click(self, selector):
        self.js("document.querySelector(arguments[0]).click()", selector)

    def focus(self, selector):
        self.js("document.querySelector(arguments[0]).focus()", selector)

    def selected(self):
        return self.js("const s = window.gotrace.selection; return s && [s.track, s.index]")

    def answer(self, path):
        return self.js("return (async () => (await fetch(arguments[0])).json())()", path)

    def results(self, query):
        return self.answer(f"/api/search?q={query}&max=100")["results"]

    def all(self, selector, value):
        """What a JavaScript expression makes of each such element."""
        return self.js("const values = [];"
                       "for (const node of document.querySelectorAll(arguments[0]))"
                       f"  values.push({value});"
                       "return values", selector)

    def choose(self, selector, value):
        self.js("const select = document.querySelector(arguments[0]); select.value = arguments[1];"
                "select.dispatchEvent(new Event('change'))", selector, value)

    def select(self, result):
        self.js("return window.gotrace.select(arguments[0], arguments[1])",
                result["track"], result["index"])
        wait_for(lambda: self.selected() == [result["track"], result["index"]], "the selection")

    def tab(self):
        return self.text("#panel [role=tab][aria-selected=true]")

    def show(self, name):
        if self.js("return document.getElementById('panel').hidden"):
            self.press("q")
        self.click(f"#tab-{name}")

    def test_details_say_what_the_server_says(self):
        self.open_fresh()
        result = self.results("kind:region")[0]
        self.select(result)
        span = self.answer(f"/api/span?track={result['track']}&index={result['index']}")
        wait_for(lambda: self.tab() == "Details", "the details")
        self.assertIn("outer", self.text(".detail-head h3"))
        self.assertIn(span["goroutine"]["title"], self.text(".facts"))
        shown = self.all(".stack-pair .stack", "[...node.querySelectorAll('.frame-function')]"
                                               ".map((frame) => frame.textContent)")
        self.assertEqual(shown[0], [frame["function"] for frame in span["stack"]])
        self.assertEqual(shown[1], [frame["function"] for frame in span["end_stack"]])
        self.assertEqual(self.js("return document.querySelectorAll('.links .mark-log').length"),
                         sum(mark["kind"] == "log" for mark in span["marks"]))

    def test_back_and_forward_through_selections(self):
        self.open_fresh()
        first, second = self.results("kind:region")[:2]
        self.select(first)
        self.select(second)
        self.press("<")
        wait_for(lambda: self.selected() == [first["track"], first["index"]], "the one before")
        self.press(">")
        wait_for(lambda: self.selected() == [second["track"], second["index"]], "the one after")

    def test_links_are_addresses_and_work_in_place(self):
        self.open_fresh()
        inner = next(result for result in self.results("kind:region") if result["title"] == "outer")
        self.select(inner)
        link = wait_for(lambda: self.all(".links .span-link", "node.getAttribute('href')"),
                        "a link")[0]
        self.js("window.stays = true")
        self.click(".links .span-link")
        wait_for(lambda: self.selected() != [inner["track"], inner["index"]], "the other span")
        self.assertTrue(self.js("return window.stays === true"), "the page was left")
        track, index = self.selected()
        self.assertIn(f"sel={track}.{index}", link)

    def test_runtime_frames_hide(self):
        self.open_fresh()
        self.select(self.results("stack:runtime.")[0])
        wait_for(lambda: self.shown(".frame.is-runtime"), "such frames")
        self.click(".stacks-head input")
        wait_for(lambda: not self.shown(".frame.is-runtime"), "them to hide")

    def test_area_is_added_up(self):
        self.open_fresh()
        duration = self.js("return gotrace.trace.duration")
        self.js("gotrace.set({area: {start: 0, end: arguments[0], tracks: null}})", duration)
        wait_for(lambda: self.tab() == "Area" and self.all(AREA_ROWS, "true"), "the area")
        answer = self.answer(f"/api/area?start=0&end={duration}&view=goroutine")
        self.assertEqual(len(self.all(AREA_ROWS, "true")), len(answer["classes"]))
        expected = sorted(row["count"] for row in answer["classes"])
        counts = "Number(node.cells[3].textContent.replace(/,/g, ''))"
        self.click(".area .grid:first-of-type th:nth-child(4) button")
        self.assertEqual(self.all(AREA_ROWS, counts), expected[::-1])
        self.click(".area .grid:first-of-type th:nth-child(4) button")
        self.assertEqual(self.all(AREA_ROWS, counts), expected)

    def test_area_follows_what_is_seen(self):
        self.open_fresh()
        self.show("area")
        wait_for(lambda: self.all(AREA_ROWS, "true"), "the whole")
        self.js("gotrace.zoomTo(1000, 3000)")
        wait_for(lambda: "Visible range: 2 µs" in self.text(".area-head"), "the new range")
        answer = self.answer("/api/area?start=1000&end=3000&view=goroutine")
        wait_for(lambda: len(self.all(AREA_ROWS, "true")) == len(answer["classes"]), "its sums")

    def test_links_of_the_area_search_its_time(self):
        self.open_fresh()
        self.js("gotrace.set({area: {start: 60000, end: 120000, tracks: null}})")
        wait_for(lambda: self.tab() == "Area" and self.all(AREA_ROWS, "true"), "the area")
        rows = self.answer("/api/area?start=60000&end=120000&view=goroutine")["classes"]
        count = next(row["count"] for row in rows if row["class"] == "runnable")
        self.assertLess(count, len(self.results("state:runnable")))
        self.click(".area [title*='state:\"runnable\"']")
        wait_for(lambda: self.text(".search-count").startswith(f"{count} result"), "its states")
        wait_for(lambda: self.parameters().get("within") == "60000-120000", "the address")
        self.open_timeline("/?" + self.js("return location.search").lstrip("?"))
        wait_for(lambda: self.text(".search-count").startswith(f"{count} result"), "the same")
        self.click(".search-head [title='Search the whole trace']")
        whole = len(self.results("state:runnable"))
        wait_for(lambda: self.text(".search-count").startswith(f"{whole} result"), "all states")
        wait_for(lambda: "within" not in self.parameters(), "the address")

    def test_flame_graph_by_keyboard(self):
        self.open_fresh()
        self.show("flame")
        self.choose(".flame-tools select", "wall")
        wait_for(lambda: self.colours(".flame canvas") > 3, "the flame graph")
        self.focus(".flame canvas")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        name = self.text(".flame-status b")
        self.assertNotEqual(name, "all")
        reset = ("return [...document.querySelectorAll('.flame-tools button')]"
                 ".find((button) => button.textContent === 'Reset zoom').disabled")
        self.assertTrue(self.js(reset))
        self.press(Keys.ENTER)
        wait_for(lambda: not self.js(reset), "the zoom")
        self.press(Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE)
        wait_for(lambda: self.js(reset), "the way back")
        self.press("/", name)
        wait_for(lambda: "matched" in self.text(".flame-matched"), "the search")

    def test_flame_graph_says_why_it_is_empty(self):
        self.open_fresh()
        self.show("flame")
        self.choose(".flame-tools select", "cpu")
        wait_for(lambda: "CPU profile" in self.text(".flame > .empty"), "the reason")

    def test_search_steps_and_clears(self):
        self.open_fresh()
        found = self.results("kind:region")
        self.press("/", "kind:region")
        wait_for(lambda: self.parameters().get("q") == "kind:region", "the address")
        wait_for(lambda: self.text(".search-count").startswith(f"{len(found)} results"),
                 "the count")
        self.press(Keys.ENTER, Keys.ENTER)
        wait_for(lambda: self.selected() == [found[1]["track"], found[1]["index"]], "the second")
        self.press_with(Keys.SHIFT, Keys.ENTER)
        wait_for(lambda: self.selected() == [found[0]["track"], found[0]["index"]], "the first")
        self.assertEqual(self.tab(), "Search")
        self.press(Keys.ESCAPE)
        wait_for(lambda: "q" not in self.parameters(), "an empty address")
        self.assertEqual(self.js("return gotrace.highlighted.length"), 0)

    def test_search_in_the_address(self):
        self.open_fresh("/?view=goroutine&q=kind:task")
        wait_for(lambda: "results" in self.text(".search-count"), "the results")
        self.assertEqual(self.js("return document.getElementById('search').value"), "kind:task")

    def test_palette_runs_commands(self):
        self.open_fresh()
        self.press_with(Keys.CONTROL, "k")
        wait_for(lambda: self.shown("dialog.palette[open]"), "the palette")
        self.press("by thread", Keys.ENTER)
        wait_for(lambda: self.state()["view"] == "thread", "the view")
        self.assertFalse(self.js("return document.querySelector('dialog.palette').open"))

    def test_menu_by_keyboard(self):
        self.open_fresh()
        self.select(self.results("kind:region")[0])
        self.focus("#canvas")
        self.press_with(Keys.SHIFT, Keys.F10)
        wait_for(lambda: self.js("return document.activeElement.getAttribute('role')")
                 == "menuitem", "the menu")
        self.press(Keys.ESCAPE)
        wait_for(lambda: self.js("return document.querySelector('[role=menu]') === null"),
                 "it to close")
        self.assertEqual(self.js("return document.activeElement.id"), "canvas")
        self.assertIsNotNone(self.selected())

    def test_menu_pins_the_row(self):
        self.open_fresh()
        row = self.answer("/api/rows?view=goroutine&first=0&count=1")["rows"][0]
        row["view"] = "goroutine"
        self.js("const hit = {row: arguments[0], track: null, item: null};"
                "gotrace.emit('menu', {x: 300, y: 200, hit, selection: null})", row)
        self.js("[...document.querySelectorAll('[role=menuitem]')]"
                ".find((item) => item.textContent.startsWith('Pin row')).click()")
        wait_for(lambda: self.js("return gotrace.state.pin") == [f"goroutine:{row['id']}"],
                 "the pin")

    def test_panel_is_kept(self):
        self.open_fresh()
        self.select(self.results("kind:region")[0])
        wait_for(lambda: not self.js("return document.getElementById('panel').hidden"), "the panel")
        self.click(".panel-tools button")
        self.assertEqual(self.js("return document.body.dataset.dock"), "right")
        self.press("q")
        wait_for(lambda: "details" in self.text("#status-extra"), "what is hidden")
        self.open_timeline("/?view=goroutine")
        self.assertEqual(self.js("return document.body.dataset.dock"), "right")
        self.assertTrue(self.js("return document.getElementById('panel').hidden"))

    def test_theme_is_kept(self):
        self.open_fresh()
        theme = "return document.documentElement.dataset.theme ?? 'auto'"
        self.assertEqual(self.js(theme), "auto")
        self.click(".nav-theme")
        chosen = self.js(theme)
        self.assertNotEqual(chosen, "auto")
        self.open("/goroutines")
        self.assertEqual(self.js(theme), chosen)

    def test_help_is_searched(self):
        self.open_fresh()
        self.press("?")
        wait_for(lambda: self.js("return document.querySelector('dialog.help')?.open"), "the help")
        entries = "return document.querySelectorAll('.help-entry').length"
        whole = self.js(entries)
        self.press("palette")
        wait_for(lambda: 0 < self.js(entries) < whole, "fewer keys")
        self.assertIn("palette", self.text(".help-entry dd"))

    def test_rows_are_visible_at_any_size_and_zoom(self):
        """With the panel open. A zoom leaves the page fewer pixels of its own."""
        for width, height in ((375, 640), (800, 600), (1280, 720), (2560, 1440)):
            for zoom in (1, 2, 3):
                with self.subTest(width=width, height=height, zoom=zoom):
                    self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                        "width": width // zoom, "height": height // zoom,
                        "deviceScaleFactor": zoom, "mobile": False})
                    self.addCleanup(self.browser.execute_cdp_cmd,
                                    "Emulation.clearDeviceMetricsOverride", {})
                    self.open_timeline("/?view=goroutine&area=20000-600000")
                    self.assertTrue(self.js("return !document.getElementById('panel').hidden"))
                    self.assertGreaterEqual(self.js("return gotrace.layout.height"), 44)
                    self.assertGreaterEqual(self.js("return gotrace.layout.items.length"), 2)
                    self.assertLessEqual(
                        self.js("return document.documentElement.scrollHeight - innerHeight"), 0)
                    self.assertEqual(self.js(CUT), [])
                    with themed(self.browser, "dark"):
                        self.settle()
                        wait_for(lambda: max(self.js(GROUND)) < 60, "a dark page")
                        self.assertGreater(self.colours("#canvas"), 4)
                        self.assertGreaterEqual(self.js("return gotrace.layout.items.length"), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
