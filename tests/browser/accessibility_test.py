# SPDX-License-Identifier: BSD-3-Clause
"""What axe-core finds on each page, in light and dark, and how the timeline is used without
seeing it: what keys do is spoken, and the focus is visible.

axe-core is one of the tools that tests/gates/javascript.sh installs.
"""

import os
import sys
from urllib.parse import urlparse

from browser import Keys, SKIPPED, unittest, wait_for
from compare_test import ComparePage
from timeline import THEMES, TimelineTest, themed

AXE = os.path.join(os.path.dirname(__file__), "..", "gates", "javascript", "node_modules",
                   "axe-core", "axe.min.js")
if not os.path.exists(AXE):
    print("skipped: axe-core is not installed; tests/gates/javascript.sh installs it")
    sys.exit(SKIPPED)

# What axe-core complains about, with the first elements: by all rules in light, and in dark by
# those that look at colours.
VIOLATIONS = """
    const options = {resultTypes: ["violations"], iframes: arguments[1]};
    if (arguments[0] === "dark") options.runOnly = ["color-contrast", "link-in-text-block"];
    const {violations} = await axe.run(document, options);
    return violations.map(({id, nodes}) =>
        `${id}: ${nodes.slice(0, 4).map(({html, any}) =>
            `${html.slice(0, 120)} ${any[0]?.message ?? ""}`).join(" | ")}`);
"""

# The pages of the bar, and the names of those that need parameters.
PAGES = """
    const {PAGES} = await import("./STATIC/nav.js");
    return PAGES.map(({path, also}) => [path, also ?? []]);
"""


class Accessible:
    def assert_accessible(self, with_frames=True):
        """In both themes. A page follows the system's without being loaded again."""
        with open(AXE, encoding="utf-8") as file:
            self.js(file.read())
        for theme in THEMES:
            with self.subTest(theme=theme), themed(self.browser, theme):
                self.assertEqual(self.js(VIOLATIONS, theme, with_frames), [])


class Axe(Accessible, TimelineTest):
    def links(self):
        return self.js("return [...document.querySelectorAll('#page a[href]')]"
                       ".map((link) => link.href)")

    def test_all_pages(self):
        self.open("/goroutines")
        pages = self.js(PAGES)
        self.assertGreaterEqual(len(pages), 9)
        wanted, linked = set(), {}
        for path, also in pages:
            wanted.update(also)
            if path == "./":
                continue
            with self.subTest(path):
                self.open("/" + path)
                linked.update((urlparse(link).path[1:], link) for link in self.links())
                self.assert_accessible()
        for name in sorted(wanted):
            with self.subTest(name):
                self.open("/" + linked[name].split("/", 3)[3] if name in linked else "/" + name)
                self.assert_accessible()

    def test_search_as_a_table(self):
        self.open("/search?q=dur%3E1us&latmin=10us")
        wait_for(lambda: self.links(), "results")
        self.assert_accessible()

    def test_timeline(self):
        for view in ("proc", "goroutine"):
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                self.assert_accessible()

    def test_panels(self):
        self.open_timeline("/?view=goroutine&area=20000-600000&q=main")
        span = self.longest("goroutine", "state")
        self.select(span)
        self.await_details(span)
        for tab in ("details", "area", "flame", "search"):
            with self.subTest(tab):
                self.js("document.getElementById(`tab-${arguments[0]}`).click()", tab)
                wait_for(lambda: self.shown(f"#panel-{tab}"), "the panel")
                self.settle()
                self.assert_accessible()

    def test_what_opens(self):
        self.open_timeline("/?view=goroutine")
        for name, selector in (("help", "dialog.help"), ("palette", "dialog[open]")):
            with self.subTest(name):
                self.js("gotrace.run(arguments[0])", name)
                wait_for(lambda: self.shown(selector), name)
                self.assert_accessible()
                self.js("document.querySelector('dialog[open]').close()")
        self.js("document.getElementById('legend').open = true")
        self.assert_accessible()
        self.js("document.getElementById('legend').open = false")
        self.select(self.longest("goroutine", "state"))
        self.js("gotrace.run('menu')")
        wait_for(lambda: self.shown("[role=menu]"), "the menu")
        self.assert_accessible()
        self.press(Keys.ESCAPE)
        self.js("gotrace.set({area: {start: 20000, end: 600000, tracks: null}})")
        self.js("document.getElementById('tab-area').click()")
        wait_for(lambda: self.shown("#panel-area [aria-haspopup=menu]"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        wait_for(lambda: self.shown("[role=menu]"), "the menu of exports")
        self.assert_accessible()


class Comparison(Accessible, ComparePage):
    def test_differences_of_each_kind(self):
        for query in ("?all=1", "?about=task:checkout+p50", "?which=stacks", "?match=nothing"):
            with self.subTest(query):
                self.open_timelines(query)
                # The frames have the timeline, which is looked at above.
                self.assert_accessible(with_frames=False)


class Speech(TimelineTest):
    """What a screen reader is told to say."""

    def said(self):
        return self.text("#live")

    def open_rows(self):
        self.open_timeline("/?view=goroutine")
        self.js("document.getElementById('canvas').focus()")

    def test_a_selected_span_is_said(self):
        self.open_rows()
        self.press(Keys.ARROW_RIGHT)
        wait_for(self.selected, "a selection")
        row, length = self.js("""
            const {formatDuration} = await import("./STATIC/format.js");
            const {row, start, end} = gotrace.selection;
            return [row.title, formatDuration(end - start)];""")
        wait_for(lambda: row in self.said() and length in self.said(), "the row and the duration")
        state = self.js("const {classTitle} = await import('./STATIC/colors.js');"
                        "return classTitle(gotrace.selection.class)")
        self.assertIn(state, self.said())
        before = self.selected()
        self.press(Keys.ARROW_DOWN)
        wait_for(lambda: self.selected() != before, "another row")
        wait_for(lambda: self.js("return gotrace.selection.row.title") in self.said(), "its row")

    def test_the_range_is_said_after_a_key(self):
        self.open_rows()
        self.js("gotrace.zoomTo(1000, 3000)")
        self.settle()
        self.assertEqual(self.said(), "")
        self.press("w")
        wait_for(lambda: " from " in self.said(), "the range")
        length = self.js("const {formatDuration} = await import('./STATIC/format.js');"
                         "return formatDuration(gotrace.state.e - gotrace.state.s)")
        self.assertTrue(self.said().startswith(f"{length} from "), self.said())
        self.press("0")
        wait_for(lambda: self.said().startswith("The whole trace"), "all of it")

    def test_other_keys_are_said(self):
        self.open_rows()
        for key, words in (("1", "by proc"), ("o", "Garbage collections: off"),
                           ("o", "Garbage collections: on"), ("m", "Mark at"),
                           ("3", "goroutines")):
            self.press(key)
            wait_for(lambda: words in self.said(), words)
        # It is said before the rows are there, without which there is nothing to select.
        wait_for(lambda: any(str(title).startswith("G") for title in
                             self.items("(item) => item.row?.title")), "the rows")
        self.press(Keys.ARROW_RIGHT)
        wait_for(self.selected, "a selection")
        self.press("r")
        wait_for(lambda: self.said().startswith("Area of"), "the area")
        self.press("p")
        wait_for(lambda: self.said() == "1 pinned row", "the pin")

    def test_the_number_of_a_search_hit_is_said(self):
        self.open_timeline("/?view=goroutine&q=main")
        self.js("document.getElementById('search').focus()")
        wait_for(lambda: " result" in self.text(".search-count"), "results")
        self.press(Keys.ENTER)
        wait_for(lambda: self.text(".search-count").startswith("1 of "), "the first result")
        self.assertTrue(self.shown(".search-count[aria-live=polite]"))

    def test_one_sentence_is_said_twice(self):
        self.open_rows()
        texts = self.js("return [1, 2].map(() => {"
                        " gotrace.speech.say('again');"
                        " return document.getElementById('live').textContent; })")
        self.assertNotEqual(*texts)
        self.assertEqual([text.strip("\u00a0") for text in texts], ["again"] * 2)


class Focus(TimelineTest):
    # What has the focus: its name, and whether that is seen.
    FOCUSED = """
        const at = document.activeElement, style = getComputedStyle(at);
        const box = document.getElementById("rows-box");
        const ring = at.id === "canvas" &&
            getComputedStyle(box, "::after").borderTopWidth !== "0px";
        return [at.id || at.textContent.trim(), at === document.body || ring
            || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1)];
    """

    def focused(self):
        return self.js(self.FOCUSED)[0]

    def test_the_skip_link_comes_first_and_leads_to_the_rows(self):
        self.open_timeline("/?view=goroutine")
        self.press(Keys.TAB)
        self.assertEqual(self.focused(), "Skip to the timeline")
        self.press(Keys.ENTER)
        wait_for(lambda: self.focused() == "canvas", "the rows")
        self.assertEqual(self.js("return location.hash"), "")

    def test_the_skip_link_of_pages(self):
        self.open("/goroutines")
        link = self.js("const link = document.querySelector('a'); link.focus();"
                       "return [link.textContent, link.getBoundingClientRect().top]")
        self.assertEqual(link[0], "Skip to the content")
        self.assertGreaterEqual(link[1], 0)
        self.press(Keys.ENTER)
        wait_for(lambda: self.focused() == "page", "the content")

    def test_focus_is_seen_everywhere_and_goes_from_top_to_bottom(self):
        self.open_timeline("/?view=goroutine")
        order = []
        while len(order) < 60:
            self.press(Keys.TAB)
            name, seen = self.js(self.FOCUSED)
            self.assertTrue(seen, name)
            order.append(name)
            if name == "canvas":
                break
        places = ["Skip to the timeline", "search", "filter", "sort", "minimap", "tf", "canvas"]
        self.assertEqual([name for name in order if name in places], places)


if __name__ == "__main__":
    unittest.main(verbosity=2)
