# SPDX-License-Identifier: BSD-3-Clause
"""What leads to a place on the timeline: links, searches, the order of rows, commands."""

import os
import re

from browser import ActionChains, Keys, TESTDATA, unittest, wait_for
from timeline import TimelineTest


class Links(TimelineTest):
    def test_selection(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "region")
        self.open_timeline(f"/?view=goroutine&sel={span['track']}.{span['index']}")
        self.await_selection(span)
        self.await_details(span)

    def test_area(self):
        self.open_timeline("/?view=goroutine&area=20000-150000@0,2")
        self.assertEqual(self.state()["area"], {"start": 20000, "end": 150000, "tracks": [0, 2]})
        wait_for(lambda: "2 lanes" in self.text("#panel-area .area-head"), "the area's panel")

    def test_view_range_and_order(self):
        self.open_timeline("/?view=goroutine&s=50000&e=90000&sort=name&desc=1&filter=main")
        state = self.state()
        self.assertEqual([state[key] for key in ("view", "s", "e", "sort", "desc", "filter")],
                         ["goroutine", 50000, 90000, "name", True, "main"])
        shown = self.items("(item) => item.row.title")
        rows = self.rows("goroutine", sort="name", desc=1, filter="main")
        self.assertEqual(shown, [row["title"] for row in rows][:len(shown)])
        self.assertGreater(len(shown), 2)
        self.assertEqual(self.js("return document.getElementById('filter').value"), "main")

    def test_links_of_go(self):
        self.open_timeline("/trace?goid=10")
        self.await_focus("goroutine:10")
        self.assertEqual(self.state()["view"], "goroutine")
        task = self.rows("task")[1]
        for name in ("taskid", "focustask"):
            self.open_timeline(f"/trace?{name}={task['id']}")
            self.await_focus(f"task:{task['id']}")
            wait_for(lambda: self.state()["s"] > 0, "a zoom to it")
            state = self.state()
            self.assertLess(state["s"], task["start"])
            self.assertGreater(state["e"], task["end"])
        self.open_timeline("/trace?view=thread")
        self.assertEqual(self.state()["view"], "thread")

    def test_fragments_of_go(self):
        """Ranges in milliseconds."""
        self.open_timeline("/trace#0.1:0.15")
        self.assertAlmostEqual(self.state()["s"], 100000, delta=1)
        self.assertAlmostEqual(self.state()["e"], 150000, delta=1)

    def test_what_is_wrong_is_ignored(self):
        self.open_timeline("/?view=nothing&s=9&e=3&sel=x&area=4&sort=&pin=%3Cb%3E&y=-4&tf=now")
        state = self.state()
        self.assertEqual((state["view"], state["sel"], state["area"], state["pin"]),
                         ("proc", None, None, []))
        self.assertGreater(self.colours("#canvas"), 4)


class Finding(TimelineTest):
    def test_search_finds_and_reveals(self):
        results = self.viewer.ask("search", q="main.tasks.func1", max=1000)["results"]
        goroutine = next(result for result in results if result["kind"] == "goroutine")
        self.open_timeline()
        self.press("/")
        wait_for(lambda: self.js("return document.activeElement.id") == "search", "the search box")
        self.press("main.tasks.func1")
        wait_for(lambda: self.text(".search-count").startswith(f"{len(results)} results"),
                 "results")
        self.press(Keys.ENTER)
        wait_for(lambda: self.state()["view"] == "goroutine", "the goroutines")
        self.await_focus(f"goroutine:{goroutine['row_id']}")

    def test_search_selects_what_has_a_span(self):
        result = self.viewer.ask("search", q="kind:region inner", max=1000)["results"][0]
        self.open_timeline()
        self.press("/")
        self.press("kind:region inner")
        wait_for(lambda: "result" in self.text(".search-count"), "results")
        self.press(Keys.ENTER)
        self.await_selection(result)
        self.assertGreater(self.js("return window.gotrace.highlighted.length"), 0)

    def test_estimated_results_are_marked_until_they_are_exact(self):
        total = self.viewer.ask("search", q="kind:state", max=10)["total"]
        self.open_timeline("/?view=goroutine")
        self.answer_roughly("search", "answer.results = answer.results.slice(0, 5);"
                                      "answer.total = 7654;")
        self.press("/")
        self.press("kind:state")
        count = ".search-count"
        wait_for(lambda: self.text(count) == "5 of ≈ 7,654 results", "the estimate")
        self.assertIn("≈ of 12,345,678 spans", self.text("#panel-search .note"))
        self.js("window.release()")
        wait_for(lambda: self.text(count) == f"{total} results", "all results")
        self.assertEqual(self.text("#panel-search .note"), "")

    def test_the_manual_has_the_fields_that_the_page_offers(self):
        with open(os.path.join(TESTDATA, "../docs/viewer.md"), encoding="utf-8") as manual:
            table = re.search(r"\| Query \| Finds \|\n((?:\|.*\n)+)", manual.read())[1]
        self.open_timeline("/?view=goroutine")
        offered = self.js("return [...document.querySelectorAll('.search-forms code')]"
                          ".map((code) => code.textContent).join(' ')")
        field = re.compile(r"\b([a-z]+)(?=[:<>])")
        self.assertEqual(set(field.findall(table)), set(field.findall(offered)))
        # func: is about start functions, stack: about all functions.
        self.assertRegex(table, r"`func:\w+` \| goroutines that start with")
        for query, inner in (("func:main.work", False), ("stack:main.job", True)):
            results = self.viewer.ask("search", q=query, max=1000)["results"]
            self.assertEqual(bool(results), inner, query)

    def test_search_is_restricted_to_view_or_area(self):
        self.open_timeline("/?view=goroutine&s=0&e=80000&area=20000-60000@0,2")
        self.press("/")
        self.press("kind:state")
        count = ".search-count"

        def total(**scope):
            return self.viewer.ask("search", q="kind:state", max=10, **scope)["total"]

        def choose(label, expected):
            self.js("[...document.querySelectorAll('.search-head .button')]"
                    ".find((each) => each.textContent === arguments[0]).click()", label)
            wait_for(lambda: self.text(count) == f"{expected} results", label)
        whole, view, area = total(), total(start=0, end=80000), total(start=20000, end=60000,
                                                                      tracks="0,2")
        self.assertTrue(whole > view > area > 0, (whole, view, area))
        wait_for(lambda: self.text(count) == f"{whole} results", "all results")
        choose("In view", view)
        choose("In area", area)
        wait_for(lambda: self.parameters().get("within") == "20000-60000@0,2", "the address")
        self.browser.refresh()
        wait_for(lambda: self.text(count) == f"{area} results", "the same results")
        self.js("document.querySelector('.search-head a').click()")
        wait_for(lambda: "/search?" in self.browser.current_url, "the table's page")
        wait_for(lambda: self.text("#page .lead"), "what is searched")
        self.assertIn("on 2 lanes", self.text("#page .lead"))
        wait_for(lambda: self.text(".pager-where") == f"All {area}", "the table")

    def test_goto(self):
        self.open_timeline()
        self.press("g")
        wait_for(lambda: self.js("return document.activeElement.id") == "search", "the search box")
        self.press("11")
        wait_for(lambda: "result" in self.text(".search-count"), "results")
        self.press(Keys.ENTER)
        self.await_focus("goroutine:11")

    def test_goto_selects_the_row(self):
        row = self.rows("goroutine", filter="g11")[0]
        self.open_timeline("/?view=goroutine")
        self.press("g")
        wait_for(lambda: self.js("return document.activeElement.id") == "search", "the search box")
        self.press("11", Keys.ENTER)
        self.await_focus("goroutine:11")
        wait_for(lambda: (self.selected() or [None])[0] == row["lanes"][0]["track"],
                 "a state of the goroutine")

    def test_unknown_goroutines_are_named(self):
        self.open_timeline("/?view=goroutine")
        self.press("g")
        wait_for(lambda: self.js("return document.activeElement.id") == "search", "the search box")
        self.press("999999")
        wait_for(lambda: "There is no goroutine 999999" in self.text(".search .note"), "the answer")
        self.open_timeline("/trace?goid=999999")
        wait_for(lambda: "There is no goroutine 999999" in self.text("#status-load"), "the answer")
        # The browser notes that the row was not found.
        self.browser.get_log("browser")

    def test_filter_of_rows(self):
        rows = [row["title"] for row in self.rows("goroutine") if "main.tasks" in row["title"]]
        self.open_timeline("/?view=goroutine")
        self.js("document.getElementById('filter').focus()")
        self.press("MAIN.TASKS")
        wait_for(lambda: self.items("(item) => item.row?.title") == rows, "these rows alone")
        wait_for(lambda: self.parameters().get("filter") == "MAIN.TASKS", "the address")

    def test_sort_by_time(self):
        self.open_timeline("/?view=goroutine")
        self.js("const sort = document.getElementById('sort'); sort.value = 'running';"
                "sort.dispatchEvent(new Event('change'))")
        wait_for(lambda: self.parameters().get("sort") == "running", "the address")
        self.settle()
        times = self.items("(item) => item.row.time.running ?? 0")
        self.assertGreater(len(times), 3)
        self.assertEqual(times, sorted(times, reverse=True))

    def test_groups(self):
        self.open_timeline("/?view=goroutine&group=1")
        headers = [row["title"] for row in self.rows("goroutine", group=1) if row.get("header")]
        self.assertGreater(len(headers), 1)
        titles = self.items("(item) => item.row.header && item.row.title")
        shown = [title for title in titles if title]
        self.assertEqual(shown, headers[:len(shown)])
        self.assertGreater(len(shown), 1)

    def test_pin_and_hide(self):
        def titles():
            return self.items("(item) => [item.row.title, item.pinned]")

        self.open_timeline("/?view=goroutine")
        row = self.rows("goroutine", filter="g10")[0]
        span = self.span(row["lanes"][0]["track"], 0)
        self.select(span)
        self.await_details(span)
        self.settle()
        rows = titles()
        self.press("p")
        wait_for(lambda: titles()[0] == [row["title"], True], "the row at the top")
        wait_for(lambda: self.parameters().get("pin") == "goroutine:10", "the address")
        self.press("p")
        wait_for(lambda: titles() == rows, "the rows as they were")
        self.press("h")
        wait_for(lambda: row["title"] not in [title for title, _ in titles()],
                 "the row to go")
        wait_for(lambda: self.parameters().get("hide") == "goroutine:10", "the address")
        self.press_with(Keys.SHIFT, "h")
        wait_for(lambda: titles() == rows, "the rows as they were")

    def test_toggles(self):
        self.open_timeline("/?view=goroutine")
        toggles = {"o": "overlay", "e": "arrows", "l": "labels", "c": "compact", "t": "tooltips"}
        for key, name in toggles.items():
            before = self.pref(name)
            self.press(key)
            wait_for(lambda: self.pref(name) != before, name)
            self.settle()
        self.assertGreater(self.colours("#canvas"), 4)
        self.open_timeline("/?view=goroutine")
        self.assertTrue(self.pref("compact"), "it is not kept")

    def test_help(self):
        self.open_timeline()
        self.press("?")
        wait_for(lambda: self.shown("dialog.help[open]"), "the overlay")
        self.press(Keys.ESCAPE)
        wait_for(lambda: not self.shown("dialog"), "no overlay")
        # With the next frame the browser takes the focus from what it no longer shows.
        wait_for(lambda: self.js("return !document.activeElement.closest('dialog')"), "the focus")
        self.press("w")
        wait_for(lambda: self.parameters().get("s"), "keys to work again")

    def test_palette(self):
        self.open_timeline()
        ActionChains(self.browser, duration=0).key_down(Keys.CONTROL).key_down(Keys.SHIFT) \
            .send_keys("p").key_up(Keys.SHIFT).key_up(Keys.CONTROL).perform()
        wait_for(lambda: self.shown("dialog.palette[open]"), "the palette")
        self.press("by thread", Keys.ENTER)
        wait_for(lambda: self.state()["view"] == "thread", "the view")
        self.assertFalse(self.shown("dialog"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
