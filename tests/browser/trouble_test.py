# SPDX-License-Identifier: BSD-3-Clause
"""What the page does when something is wrong: with the server, or with the trace."""

import re

from browser import Viewer, unittest, wait_for
from timeline import TimelineTest

# Counts requests, and gives up soon.
COUNTING = """
    window.asked = 0;
    const real = window.fetch;
    window.fetch = (...all) => { window.asked++; return real(...all); };
    const {connection} = await import("./static/connection.js");
    connection.patience = 300;
"""


class DeadServer(TimelineTest):
    """The server of these tests ends while the page is open."""

    def setUp(self):
        super().setUp()
        self.own = Viewer(self.path())
        self.open_at(self.own.url)

    def tearDown(self):
        """The browser itself reports each request that fails."""
        self.own.stop()
        wrong = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual([line for line in wrong if not self.is_expected(line)], [])

    def is_expected(self, line):
        return "ERR_CONNECTION_REFUSED" in line or "the server does not answer" in line

    def open_at(self, url, path="/?view=goroutine"):
        self.browser.get(url + path)
        wait_for(lambda: self.js("return window.gotrace?.trace?.progress?.done === true"
                                 " && gotrace.actions.has('palette')"), "the whole trace")
        self.settle()

    def test_requests_stop_and_go_on(self):
        self.js(f"return (async () => {{ {COUNTING} }})()")
        self.own.stop()
        self.js("gotrace.zoomTo(3000, 3400)")
        wait_for(lambda: "it is asked again" in self.text("#banner"), "the first message")
        wait_for(lambda: "no longer asked" in self.text("#banner"), "the second message")
        asked = self.js("return window.asked")
        self.js("gotrace.zoomTo(20000, 20040)")
        self.js("return new Promise((resolve) => setTimeout(resolve, 1200))")
        self.assertEqual(self.js("return window.asked"), asked)
        self.own = Viewer("--http", re.sub("^http://", "", self.own.url), self.path())
        self.js("document.querySelector('#banner .button').click()")
        wait_for(lambda: not self.shown("#banner"), "the banner to go")
        self.settle()
        self.assertGreater(self.js("return window.asked"), asked)
        self.assertTrue(self.items("(item) => item.lanes.length"))

    def test_pages_stop_asking_too(self):
        self.browser.get(self.own.url + "/goroutines")
        self.settle()
        self.js(f"return (async () => {{ {COUNTING} }})()")
        self.own.stop()
        self.js("""return (async () => {
            const {startTraceInfo} = await import("./static/traceinfo.js");
            startTraceInfo();
        })()""")
        wait_for(lambda: "no longer asked" in self.text("#banner"), "the message")
        self.own = Viewer("--http", re.sub("^http://", "", self.own.url), self.path())
        self.js("document.querySelector('#banner .button').click()")
        wait_for(lambda: not self.shown("#banner"), "the banner to go")


class Numbers(TimelineTest):
    trace = "v2/go1.27-mix.trace"

    def test_counts_have_separators(self):
        """Four digits in a row are a count that lacks one, unless they belong to a name or follow
        a decimal point."""
        paths = ("/?view=goroutine&group=1", "/?view=goroutine&area=0-100000000", "/?q=state:running",
                 "/goroutines", "/usertasks", "/userregions", "/sched")
        for path in paths:
            with self.subTest(path):
                self.open(path)
                wait_for(lambda: not self.js("return document.querySelector('[aria-busy=true]')"),
                         "the answers")
                text = self.js("return document.body.innerText")
                self.assertEqual(re.findall(r"(?<![\w.,:+/#-])\d{4,}(?![\w./])", text), [])
        self.open_timeline("/")
        self.assertRegex(self.text("#status-trace"), r"\d,\d{3} events")

    def test_memory_is_that_of_the_process(self):
        self.open_timeline("/")
        facts = self.viewer.ask("trace")
        with open(f"/proc/{self.viewer.process.pid}/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * 4096
        self.assertAlmostEqual(facts["process_memory"] / resident, 1, delta=0.2)
        self.assertGreater(facts["process_memory"], facts["memory"])
        self.assertRegex(self.text("#status-load"), r"process [\d.]+ MiB · timeline [\d.]+ [KM]iB")


if __name__ == "__main__":
    unittest.main()
