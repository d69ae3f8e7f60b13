# SPDX-License-Identifier: BSD-3-Clause
"""The tabs of several traces, and traces that are opened from the page."""

import gzip
import os
import pathlib
import sys
import tempfile

from browser import HEIGHT, Keys, PageTest, TESTDATA, Viewer, WIDTH, unittest, wait_for
from timeline import TimelineTest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "command"))
from http_server import CHUNKED, Server as Remote, chunks  # noqa: E402

MARKUP = '"><img src=x onerror=alert(1)>.trace'
OTHERS = tuple(os.path.join(TESTDATA, name + ".trace")
               for name in ("v2/go1.27-mix", "v1/go1.19-sync"))
DROP = """const [kind, name, bytes] = arguments; const data = new DataTransfer();
data.items.add(new File([new Uint8Array(bytes)], name));
const event = new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data});
document.body.dispatchEvent(event); return event.defaultPrevented"""


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Traces:
    """What the tests of both kinds of viewers need."""

    def open(self, path):
        self.browser.get(self.viewer.url + path)
        wait_for(lambda: self.js("return document.body.dataset.ready"), path)

    def tabs(self):
        return self.js("return [...document.querySelectorAll('.trace-tab a')].map((each) => "
                       "each.textContent)")

    def current(self):
        return self.js("return document.querySelector('.trace-tab [aria-current]')?.textContent")

    def await_path(self, path):
        wait_for(lambda: self.browser.current_url.startswith(self.viewer.url + path), path)
        wait_for(lambda: self.js("return document.body.dataset.ready"), path)

    def name(self):
        """The name of the trace that is shown, which the status bar says."""
        return self.js("return document.querySelector('#trace-name, #status-trace').textContent"
                       ".split(' ')[0]")

    def note(self):
        return self.js("const note = document.querySelector('.open-note');"
                       "return note && !note.hidden ? note.textContent : ''")

    def drop(self, kind, name, data):
        return self.js(DROP, kind, name, list(data))

    def close_all_but_one(self):
        self.js("""return fetch('/traces').then((answer) => answer.json()).then(({traces}) =>
            Promise.all(traces.slice(1).map(({id}) =>
                fetch(`/traces?id=${id}`, {method: 'DELETE'}))))""")

    def forget_log(self):
        self.browser.get_log("browser")


class SeveralTraces(Traces, TimelineTest):
    @classmethod
    def setUpClass(cls):
        cls.options = OTHERS
        super().setUpClass()

    def test_tabs_lead_to_their_traces_on_the_same_page(self):
        self.open("/")
        wait_for(lambda: len(self.tabs()) == 3, "tabs")
        self.assertEqual(self.tabs(), ["go1.26-tasks.trace", "go1.27-mix.trace",
                                       "go1.19-sync.trace"])
        for path in "/", "/goroutines", "/mmu":
            self.open(path)
            wait_for(lambda: self.current() == "go1.26-tasks.trace", "this tab")
            self.js("document.querySelectorAll('.trace-tab a')[1].click()")
            self.await_path("/t/2" + path)
            wait_for(lambda: self.current() == "go1.27-mix.trace", "the other tab")
            wait_for(lambda: self.name() == "go1.27-mix.trace", "its name")

    def test_page_of_one_goroutine_is_not_shown_of_another_trace(self):
        self.open("/goroutine?id=main.main")
        wait_for(lambda: len(self.tabs()) == 3, "tabs")
        self.js("document.querySelectorAll('.trace-tab a')[2].click()")
        self.await_path("/t/3/")

    def test_link_brings_back_tab_and_state(self):
        self.open("/t/3/?view=goroutine&filter=main")
        wait_for(lambda: self.current() == "go1.19-sync.trace", "the tab")
        self.assertEqual(self.js("return gotrace.state.filter"), "main")
        self.assertIn("/t/3/", self.browser.current_url)

    def test_palette_leads_to_traces(self):
        self.open("/")
        wait_for(lambda: len(self.tabs()) == 3, "tabs")
        self.js("gotrace.run('palette')")
        wait_for(lambda: self.js("return document.activeElement.tagName") == "INPUT", "the palette")
        self.browser.switch_to.active_element.send_keys("show go1.19" + Keys.ENTER)
        self.await_path("/t/3/")

    def test_bar_fits_a_small_window(self):
        try:
            self.browser.set_window_size(500, 700)
            self.open("/t/3/")
            wait_for(lambda: self.current() == "go1.19-sync.trace", "the tab")
            self.assertTrue(self.js(
                "const tab = document.querySelector('.trace-tab [aria-current]')"
                ".getBoundingClientRect(); "
                "return document.documentElement.scrollWidth <= innerWidth"
                " && tab.left >= 0 && tab.left < innerWidth"))
        finally:
            self.browser.set_window_size(WIDTH, HEIGHT)


class Opening(Traces, PageTest):
    def setUp(self):
        super().setUp()
        self.close_all_but_one()

    def await_opener(self):
        wait_for(lambda: self.js("return document.querySelector('[title^=\"Open a trace\"]')"
                                 "?.hidden === false"), "the button that opens traces")

    def test_one_trace_has_no_bar_but_a_button(self):
        self.open("/")
        self.await_opener()
        self.assertTrue(self.js("return document.querySelector('.trace-tabs').hidden"))
        self.js("window.picked = 0; document.querySelector('[aria-label=\"Traces to open\"]')"
                ".addEventListener('click', (event) => { picked++; event.preventDefault(); })")
        self.js("document.querySelector('[title^=\"Open a trace\"]').focus()")
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait_for(lambda: self.js("return picked") == 1, "the picker")
        self.js("gotrace.run('palette')")
        wait_for(lambda: self.js("return document.activeElement.tagName") == "INPUT", "the palette")
        self.browser.switch_to.active_element.send_keys("open a trace" + Keys.ENTER)
        wait_for(lambda: self.js("return picked") == 2, "the picker, twice")

    def test_picked_files_become_tabs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, MARKUP)
            with open(path, "wb") as file:
                file.write(gzip.compress(read(OTHERS[0])))
            self.open("/goroutines")
            wait_for(lambda: self.js("return document.querySelector("
                                     "'[aria-label=\"Traces to open\"]') !== null"),
                     "the picker")
            self.browser.find_element("css selector", "input[type=file]").send_keys(
                path + "\n" + OTHERS[1])
            wait_for(lambda: "/t/" in self.browser.current_url, "the last one")
            wait_for(lambda: self.tabs() == ["go1.26-tasks.trace", MARKUP, "go1.19-sync.trace"],
                     "the tabs")
            self.assertEqual(self.current(), "go1.19-sync.trace")
            self.assertFalse(self.js("return document.querySelector('[onerror]') !== null"))

    def test_dropped_file_becomes_a_tab(self):
        self.open("/")
        self.await_opener()
        data = read(OTHERS[1])
        self.assertTrue(self.drop("dragover", "x.trace", data))
        self.assertFalse(self.js("return document.querySelector('.drop-target').hidden"))
        self.assertTrue(self.drop("drop", "x.trace", data))
        wait_for(lambda: "/t/" in self.browser.current_url, "its tab")
        wait_for(lambda: self.current() == "x.trace", "its name")
        self.assertTrue(self.js("return document.querySelector('.drop-target').hidden"))
        self.js("document.querySelector('.trace-tab button[aria-label=\"Close x.trace\"]').click()")
        self.await_path("/")
        wait_for(lambda: self.js("return document.querySelector('.trace-tabs')?.hidden"), "no bar")

    def test_a_closed_trace_is_asked_for_nothing_more(self):
        self.open("/")
        self.await_opener()
        self.drop("drop", "x.trace", read(OTHERS[1]))
        wait_for(lambda: "/t/" in self.browser.current_url, "its tab")
        wait_for(lambda: self.current() == "x.trace", "its name")
        self.js("""
            import("./STATIC/api.js").then(async ({ getJSON }) => {
              for (;;) {
                window.asked = await getJSON("api/trace");
              }
            });
        """)
        wait_for(lambda: self.js("return window.asked !== undefined"), "the first answer")
        self.js("document.querySelector('.trace-tab button[aria-label=\"Close x.trace\"]').click()")
        self.await_path("/")

    def test_bad_file_is_told_of(self):
        self.open("/mmu")
        self.await_opener()
        self.drop("drop", "bad.trace", b"no trace at all")
        wait_for(lambda: "bad.trace: not a Go execution trace" in self.note(), "the reason")
        self.js("document.querySelector('.open-note button').click()")
        self.assertEqual(self.note(), "")
        self.assertIn("/mmu", self.browser.current_url)
        self.forget_log()


class NotOpening(Traces, PageTest):
    """Other machines may reach this server."""

    @classmethod
    def setUpClass(cls):
        cls.options = ("--http", "0.0.0.0:0", OTHERS[0])
        super().setUpClass()

    def test_page_says_why_it_opens_nothing(self):
        self.open("/mmu")
        wait_for(lambda: len(self.tabs()) == 2, "tabs")
        count = self.js("return document.querySelectorAll('.trace-tabs button').length")
        self.assertEqual(count, 0)
        self.assertTrue(self.drop("drop", "x.trace", read(OTHERS[1])))
        wait_for(lambda: "does not open traces" in self.note(), "the reason")


class TakenTraces(Traces, PageTest):
    """Traces that the viewer itself takes from a URL."""

    def test_new_traces_appear_without_loading_the_page(self):
        whole = CHUNKED + chunks(read(OTHERS[1]), 999)
        remote = Remote(lambda connection: connection.sendall(whole))
        self.addCleanup(remote.close)
        self.viewer = Viewer("--every", "1s", remote.url)
        self.addCleanup(self.viewer.stop)
        self.open("/")
        self.js("window.isLoadedOnce = true")
        wait_for(lambda: len(self.tabs()) > 2, "three traces")
        self.assertRegex(self.tabs()[1], r"^\d\d:\d\d:\d\d")
        self.assertTrue(self.js("return window.isLoadedOnce"))


if __name__ == "__main__":
    unittest.main()
