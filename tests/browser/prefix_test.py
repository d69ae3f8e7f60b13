# SPDX-License-Identifier: BSD-3-Clause
"""The viewer behind a proxy that mounts it below a path: no request leaves that path."""

from urllib.parse import urlencode, urlsplit

from browser import Keys, unittest, wait_for
from prefix import Prefix
from timeline import TimelineTest

PREFIX = "/debug/trace"
PAGES = ("/goroutines", "/usertasks", "/userregions", "/gc", "/mmu", "/report", "/io", "/block",
         "/syscall", "/sched", "/usertask", "/userregion", "/goroutine?name=main.tasks.func1")

# What a page refers to: links, forms, scripts, styles, pictures.
REFERENCES = """
    const found = [];
    for (const node of document.querySelectorAll("[href], [src], [action]")) {
      for (const name of ["href", "src", "action"]) {
        if (node.hasAttribute(name)) found.push(new URL(node.getAttribute(name), document.baseURI));
      }
    }
    return found.map((url) => url.origin + url.pathname);
"""


class Prefixed(TimelineTest):
    """`self.open` leads below the prefix; `self.viewer.ask` asks the viewer itself."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.proxy = Prefix(urlsplit(cls.viewer.url).netloc, PREFIX)
        cls.addClassCleanup(cls.proxy.stop)

    def setUp(self):
        super().setUp()
        self.proxy.strays.clear()

    def tearDown(self):
        self.assertEqual(self.proxy.strays, [])
        super().tearDown()

    def open(self, path="/"):
        self.browser.get(self.proxy.url + path)
        self.settle()

    def follow(self, selector):
        """Clicks the first such link and waits for the page it leads to."""
        before = self.browser.current_url
        wait_for(lambda: self.js("const link = document.querySelector(arguments[0]);"
                                 "link?.click(); return link !== null", selector), selector)
        wait_for(lambda: self.browser.current_url != before, f"where {selector} leads")
        self.settle()
        self.assert_inside(self.browser.current_url)

    def fetch(self, selector):
        """The status and the type of what a link that saves a file leads to."""
        return self.js_later("""
            const [selector, done] = arguments;
            fetch(document.querySelector(selector).href)
              .then((answer) => done([answer.status, answer.headers.get("content-type")]));
        """, selector)

    def assert_inside(self, *addresses):
        for address in addresses:
            self.assertTrue(address.startswith(self.proxy.url + "/"), address)

    def assert_references(self):
        references = self.js(REFERENCES)
        self.assertGreater(len(references), 10)
        self.assert_inside(*references)

    def test_the_timeline_loads(self):
        for path in ("/", "/trace", "/?view=goroutine", "/trace?goid=10", "/trace#0.1:0.15"):
            with self.subTest(path):
                self.open_timeline(path)
                self.assertGreater(self.colours("#canvas"), 4)
                self.assertEqual(self.text(".nav [aria-current=page]"), "Timeline")
                self.assert_references()

    def test_each_page_loads(self):
        for path in PAGES:
            with self.subTest(path):
                self.open(path)
                self.assertFalse(self.shown("#page .error"))
                self.assertTrue(self.text("#page h1"))
                self.assert_references()

    def test_the_history_stays_inside(self):
        self.open_timeline("/")
        self.press("3")
        wait_for(lambda: self.parameters().get("view") == "goroutine", "the address")
        self.assert_inside(self.browser.current_url)
        self.browser.back()
        wait_for(lambda: self.state()["view"] == "proc", "the view before")
        self.assert_inside(self.browser.current_url)

    def test_panels_load_and_save(self):
        self.open_timeline("/?view=goroutine&area=0-200000")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        self.assert_references()
        for name, kind in (("area.csv", "text/csv"), ("area.pprof", "application/octet-stream"),
                           ("area.json", "application/json"), ("states.csv", "text/csv"),
                           ("area.pftrace", "application/octet-stream"),
                           ("trace.pftrace", "application/octet-stream"),
                           ("area.trace", "application/octet-stream"),
                           ("area-numbers.json", "application/json")):
            status, found = self.fetch(f".menu [download='{name}']")
            self.assertEqual((status, found.split(";")[0]), (200, kind))
        self.js("document.getElementById('tab-flame').click()")
        wait_for(lambda: self.shown("#panel-flame [download]"), "the flame graph")
        self.assertEqual(self.fetch("#panel-flame [download]")[0], 200)
        self.assert_references()

    def test_details_search_and_help_open(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "region")
        self.click(span)
        self.await_details(span)
        self.assert_references()
        self.press("/")
        self.press("main")
        wait_for(lambda: "result" in self.text(".search-count"), "results")
        self.assert_references()
        self.press(Keys.ESCAPE)
        self.open_timeline("/")
        self.press("?")
        wait_for(lambda: self.shown("dialog.help[open]"), "the help")
        self.assert_references()

    def test_links_stay_inside(self):
        self.open("/")
        self.follow(".nav a[href*=usertasks]")
        self.follow("#page .histogram a")
        self.follow("#page .grid a[href*=focustask]")
        self.follow(".brand")
        self.follow(".nav a[href*=userregions]")
        self.follow("#page .grid a[href*=regionsched]")
        self.follow("#page .links a[href*=regionblock]")
        self.assertEqual(self.fetch("#page [download]")[0], 200)
        self.follow("#page .lead a")
        self.follow(".nav a[href*=goroutines]")
        self.follow("#page .grid a[href*=func1]")
        self.follow("#page .links a[href*=sched]")

    def test_forms_stay_inside(self):
        self.open("/usertask?" + urlencode({"latmin": "1ns"}))
        self.js("document.querySelector('#page form').requestSubmit()")
        wait_for(lambda: "latmax=" in self.browser.current_url, "the list")
        self.settle()
        self.assert_inside(self.browser.current_url)
        self.js("const field = document.querySelector('#search'); field.value = 'main';"
                "field.form.requestSubmit()")
        wait_for(lambda: "q=main" in self.browser.current_url, "the timeline")
        wait_for(lambda: "result" in self.text(".search-count"), "results")
        self.assert_inside(self.browser.current_url)


if __name__ == "__main__":
    unittest.main(verbosity=2)
