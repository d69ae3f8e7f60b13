# SPDX-License-Identifier: BSD-3-Clause
"""Traces that are not as usual: with names that look like markup, cut off, of old versions."""

import os
import re
import tempfile
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

from browser import Keys, TESTDATA, run, unittest, wait_for
from timeline import TimelineTest, VIEWS

MARKUP = '"><img src=x onerror=alert(1)>'
PAGES = ("/goroutines", "/usertasks", "/userregions", "/mmu", "/io", "/block", "/syscall", "/sched")


class Names(TimelineTest):
    """Every name of the trace, and its file's, would be an image that runs a script."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = os.path.join(folder.name, MARKUP)
        text = run("text", os.path.join(TESTDATA, cls.trace)).decode()
        escaped = MARKUP.replace('"', '\\"')
        text, count = re.subn(r'^(\tdata=")', lambda found: found.group(1) + escaped, text,
                              flags=re.MULTILINE)
        assert count > 20, count
        with open(cls.made, "wb") as file:
            file.write(run("encode", "--set-sizes", "-", input=text.encode()))
        super().setUpClass()

    @classmethod
    def path(cls):
        return cls.made

    def assert_text(self):
        """The markup is there as text, and no such element. A dialog would have failed the call."""
        self.assertEqual(self.js("return [...document.querySelectorAll('[onerror], [src=x]')]"
                                 ".map((each) => each.outerHTML)"), [])
        self.assertIn(MARKUP, self.js("return document.body.textContent"))

    def test_timeline(self):
        for view in VIEWS:
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                self.assert_drawn(view, "task" if view == "task" else "state")
                self.assert_text()

    def test_groups_of_rows_and_filter(self):
        self.open_timeline("/?" + urlencode({"view": "goroutine", "group": 1, "filter": MARKUP}))
        self.assertTrue(self.items("(item) => item.row.title")[0].startswith(MARKUP))
        self.open_timeline("/?" + urlencode({"view": "goroutine", "filter": MARKUP + "none"}))
        wait_for(lambda: MARKUP in self.text("#rows-empty"), "a word that there is none")
        self.assert_text()

    def test_details_tooltip_and_menu(self):
        self.open_timeline("/?view=goroutine")
        for kind in ("state", "region"):
            span = self.longest("goroutine", kind)
            self.click(span)
            self.await_details(span)
            wait_for(lambda: MARKUP in self.text("#tooltip"), "the tooltip")
            self.assert_text()
            place = self.placed(span)
            actions = self.pointer(place["x"], place["y"])
            actions.pointer_action.context_click()
            actions.perform()
            wait_for(lambda: MARKUP in self.text("[role=menu]"), "the menu")
            self.assert_text()
            self.press(Keys.ESCAPE)

    def test_area_and_flame_graph(self):
        self.open_timeline("/?view=goroutine&area=0-200000")
        wait_for(lambda: MARKUP in self.text("#panel-area"), "the area")
        self.assert_text()
        self.js("document.getElementById('tab-flame').click()")
        self.js("const kind = document.querySelector('.flame-tools select'); kind.value = 'wall';"
                "kind.dispatchEvent(new Event('change'))")
        wait_for(lambda: self.shown(".flame canvas") and self.colours(".flame canvas") > 3,
                 "the flame graph")
        self.js("[...document.querySelectorAll('.flame-tools button')]"
                ".find((button) => button.textContent === 'Table').click()")
        wait_for(lambda: MARKUP in self.text("#panel-flame"), "the table")
        self.assert_text()

    def test_search(self):
        quoted = '"' + MARKUP.strip('"') + '"'
        kinds = ("region", "log", "task", "reason", "function")
        for query in (quoted, *(f"kind:{kind}" for kind in kinds)):
            with self.subTest(query):
                self.open_timeline("/?" + urlencode({"q": query}))
                wait_for(lambda: "result" in self.text(".search-count"), "results")
                self.assertTrue(self.shown("#panel-search .search-result"))
                self.assert_text()
        self.open_timeline("/?" + urlencode({"q": quoted + " none"}))
        wait_for(lambda: quoted in self.text("#panel-search .note"), "a word that there is none")
        self.assert_text()

    def test_picture(self):
        """An SVG file is XML, which has no place for some characters."""
        self.open_timeline("/?view=goroutine")
        svg = self.js_later(
            "const done = arguments[0]; import('./STATIC/picture.js')"
            ".then(({pictureSVG}) => done(pictureSVG(window.gotrace)))")
        picture = ElementTree.fromstring(svg)
        kinds = {element.tag.rpartition("}")[2] for element in picture.iter()}
        self.assertLessEqual(kinds, {"svg", "path", "text", "g", "clipPath"})
        names = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
        self.assertTrue(any(name.startswith(MARKUP[:6]) for name in names), names)
        odd = self.js_later(
            "const done = arguments[0]; import('./STATIC/svgcontext.js')"
            ".then(({xmlText}) => done(xmlText('<\\u0000\\u001b\\ud800\\uffff&\\u{1f600}')))")
        self.assertEqual(odd, "&lt;\ufffd\ufffd\ufffd\ufffd&amp;\U0001f600")

    def test_pages(self):
        for path in PAGES:
            with self.subTest(path):
                self.open(path)
                wait_for(lambda: MARKUP in self.js("return document.body.textContent"), "the names")
                self.assert_text()

    def test_pages_of_one(self):
        region = self.viewer.ask("regions")["types"][0]
        task = self.viewer.ask("tasks")["types"][0]
        group = self.viewer.ask("groups")["groups"][0]
        pages = [("/goroutine", {"name": group["name"]}), ("/usertask", {"type": task["name"]}),
                 ("/usertask", {"logtext": MARKUP}), ("/userregion", {"type": region["type"]}),
                 ("/search", {"q": "kind:region"}), ("/search", {"q": "kind:log"}),
                 ("/sched", {"name": group["name"]}), ("/regionsched", {"type": region["type"]})]
        for path, query in pages:
            with self.subTest(path):
                self.open(f"{path}?{urlencode(query)}")
                self.assertFalse(self.shown(".error"))
                self.assert_text()

    def test_parameters(self):
        """What stands in the address is no more to be trusted than what is in the trace."""
        for path, names in (("/goroutine", ("name", "sort")), ("/usertask", ("type", "logtext")),
                            ("/userregion", ("type",)), ("/io", ("name", "type")),
                            ("/search", ("q", "start", "tracks", "sort")),
                            ("/", ("q", "filter", "sort", "pin", "hide", "view"))):
            for name in names:
                with self.subTest(f"{path} {name}"):
                    self.open(f"{path}?{name}={quote(MARKUP)}")
                    self.assertFalse(self.js("return document.querySelector('[onerror]') !== null"))
        # That the server refuses some of it is in the console.
        self.browser.get_log("browser")


class Cut(TimelineTest):
    """What is lost of a trace is said, with its place; what is good is shown."""

    trace = "v2/go1.26-cut.trace"

    def test_timeline(self):
        repair = self.viewer.ask("trace")["repairs"][0]
        self.assertRegex(repair, r"offset \d+")
        for view in ("proc", "goroutine"):
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                self.assertTrue(self.shown("#banner"))
                self.assertIn(repair, self.text("#banner"))
                self.assertGreater(self.colours("#canvas"), 3)
        self.js("document.querySelector('#banner button').click()")
        self.assertFalse(self.shown("#banner"))

    def test_pages(self):
        repair = self.viewer.ask("trace")["repairs"][0]
        for path in PAGES:
            with self.subTest(path):
                self.open(path)
                wait_for(lambda: repair in self.text("#banner"), "the banner")
                self.assertTrue(self.shown("#banner"))
                self.assertFalse(self.shown("#page .error"))


class CutOld(Cut):
    trace = "v1/go1.21-cut.trace"


class Old(TimelineTest):
    """Traces from before Go 1.22."""

    trace = "v1/go1.21-tasks.trace"

    def test_timeline(self):
        for view in VIEWS:
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                self.assert_drawn(view, "task" if view == "task" else "state")
        self.assertFalse(self.shown("#banner"))

    def test_details(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "region")
        self.click(span)
        self.await_details(span)

    def test_pages(self):
        for path in PAGES:
            with self.subTest(path):
                self.open(path)
                self.assertFalse(self.shown(".error"))
        self.open("/usertasks")
        self.assertTrue(self.shown("#page .grid tbody tr"))


class Older(Old):
    trace = "v1/go1.19-tasks.trace"


if __name__ == "__main__":
    unittest.main(verbosity=2)
