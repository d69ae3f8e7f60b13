# SPDX-License-Identifier: BSD-3-Clause
"""The viewer without a server: gotrace.html of a build for WebAssembly, which GT_PAGE names, opened
from disk and from a host of files."""

import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

# First, as it skips the test where there is no browser.
from browser import PATIENCE, SKIPPED, TESTDATA, run, the_browser, unittest, wait_for

from selenium.common.exceptions import WebDriverException

PAGE = os.environ.get("GT_PAGE", "")
if not os.path.isfile(PAGE):
    print("skipped: GT_PAGE names no page")
    sys.exit(SKIPPED)

TRACE = os.path.join(TESTDATA, "v2/go1.27-mix.trace")
TASKS = os.path.join(TESTDATA, "v2/go1.26-tasks.trace")


def write_page(path, trace):
    """A page that contains a trace."""
    tool = pathlib.Path(__file__).parents[2] / "examples/page/with_trace.py"
    subprocess.run([sys.executable, tool, PAGE, trace, path], check=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *_):
        self.asked.append(self.path)


class AloneTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        write_page(cls.folder / "trace.html", TRACE)
        (cls.folder / "index.html").write_bytes(pathlib.Path(PAGE).read_bytes())
        (cls.folder / "tasks.trace").write_bytes(pathlib.Path(TASKS).read_bytes())
        cls.browser = the_browser()

    def setUp(self):
        self.browser.get("about:blank")
        self.browser.get_log("browser")

    def tearDown(self):
        wrong = [entry for entry in self.browser.get_log("browser")
                 if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(wrong, [])

    def outer(self, script, *arguments):
        """What a script returns for the page itself."""
        self.browser.switch_to.default_content()
        return self.browser.execute_script(script, *arguments)

    def in_frame(self, script, *arguments):
        """The same for the viewer's frame; None while there is none, or another one comes."""
        self.browser.switch_to.default_content()
        try:
            self.browser.switch_to.frame(self.browser.find_element("tag name", "iframe"))
            return self.browser.execute_script(script, *arguments)
        except WebDriverException:
            return None
        finally:
            self.browser.switch_to.default_content()

    def open(self, url):
        self.browser.get(url)

    def open_file(self, name, fragment=""):
        self.open((self.folder / name).as_uri() + fragment)

    def settle(self, title):
        """Until the page of the viewer with this title is drawn."""
        wait_for(lambda: self.in_frame("return document.body.dataset.ready === '1'"
                                       " && document.title === arguments[0]", title), title)

    def text(self, selector):
        return self.in_frame("return document.querySelector(arguments[0])?.textContent ?? ''",
                             selector)

    def pick(self, path):
        self.browser.find_element("id", "picker").send_keys(path)

    def follow(self, selector):
        self.in_frame("document.querySelector(arguments[0]).click()", selector)

    def test_timeline_of_a_page_with_a_trace_is_drawn_from_disk(self):
        self.open_file("trace.html")
        self.settle("go1.27-mix.trace · gotrace")
        wait_for(lambda: self.in_frame("return gotrace.trace.progress.done && gotrace.ready"),
                 "the whole trace")
        wait_for(lambda: self.in_frame("""
            const canvas = document.getElementById("canvas");
            const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size > 8;
        """), "the colours of states")
        events = run("stat", TRACE).decode()
        count = self.in_frame("return gotrace.trace.counts.events")
        self.assertIn(f"{count}", events.replace(",", ""))
        wait_for(lambda: self.outer("return document.title") == "go1.27-mix.trace · gotrace",
                 "the title")

    def test_the_page_says_that_nothing_leaves_it(self):
        self.open_file("index.html")
        self.assertIn("nothing leaves the page", self.outer("return document.body.innerText"))

    def test_a_deep_link_shows_the_report(self):
        self.open_file("trace.html", "#report")
        self.settle("Report · gotrace")
        report = json.loads(run("report", "--json", TRACE))
        self.assertEqual(self.in_frame(
            "return [...document.querySelectorAll('.finding')].map((each) => each.id)"),
            [each["name"] for each in report["findings"]])

    def test_a_deep_link_shows_a_range_of_the_timeline(self):
        self.open_file("trace.html", "#?view=goroutine&s=1000000&e=2000000")
        self.settle("go1.27-mix.trace · gotrace")
        self.assertEqual(self.in_frame("return [gotrace.state.view, gotrace.state.s,"
                                       " gotrace.state.e]"), ["goroutine", 1000000, 2000000])
        link = self.in_frame("return gotrace.link().text")
        self.assertTrue(link.startswith((self.folder / "trace.html").as_uri() + "#"), link)
        self.assertIn("s=1000000&e=2000000", link)

    def test_links_lead_to_pages_and_the_history_back(self):
        self.open_file("trace.html")
        self.settle("go1.27-mix.trace · gotrace")
        self.follow(".nav-link[href=goroutines]")
        self.settle("Goroutines · gotrace")
        self.assertTrue(self.browser.current_url.endswith("#goroutines"))
        self.follow("td a[href^='goroutine?']")
        wait_for(lambda: "#goroutine?name=" in self.browser.current_url, "the goroutine's page")
        wait_for(lambda: self.in_frame("return document.body.dataset.ready === '1'"), "its content")
        self.outer("history.back()")
        self.settle("Goroutines · gotrace")
        self.outer("history.back()")
        self.settle("go1.27-mix.trace · gotrace")

    def test_the_history_undoes_changes_of_the_timeline(self):
        self.open_file("trace.html")
        self.settle("go1.27-mix.trace · gotrace")
        self.in_frame("document.mark = 1; gotrace.set({view: 'goroutine'})")
        wait_for(lambda: "view=goroutine" in self.browser.current_url, "the address")
        self.outer("history.back()")
        wait_for(lambda: self.in_frame("return gotrace.state.view") == "proc", "the former view")
        self.assertEqual(self.in_frame("return document.mark"), 1)

    def test_the_search_leads_from_a_page_to_the_timeline(self):
        self.open_file("trace.html", "#gc")
        self.settle("GC · gotrace")
        self.in_frame("document.getElementById('search').value = 'main worker';"
                      "document.querySelector('form[role=search]').requestSubmit()")
        self.settle("go1.27-mix.trace · gotrace")
        self.assertEqual(self.in_frame("return gotrace.state.q"), "main worker")

    def test_a_file_is_picked_and_another_one_replaces_it(self):
        self.open_file("index.html")
        self.pick(TASKS)
        self.settle("go1.26-tasks.trace · gotrace")
        self.pick(TRACE)
        self.settle("go1.27-mix.trace · gotrace")

    def test_what_is_no_trace_is_said_to_be_none(self):
        self.open_file("index.html")
        self.pick(PAGE)
        wait_for(lambda: "not a" in self.outer("return document.getElementById('note').innerText"),
                 "the error")
        self.pick(TASKS)
        self.settle("go1.26-tasks.trace · gotrace")
        self.assertTrue(self.outer("return document.getElementById('note').hidden"))

    def test_a_download_is_saved_as_a_file(self):
        self.open_file("trace.html", "#sched")
        self.settle("Scheduler latency · gotrace")
        self.in_frame("URL.createObjectURL = (blob) => { document.saved = blob.size;"
                      " return 'data:,'; }; document.querySelector('a[download]').click()")
        wait_for(lambda: self.in_frame("return document.saved"), "the profile")
        self.assertGreater(self.in_frame("return document.saved"), 1000)

    def test_a_host_of_files_serves_a_trace_that_the_address_names(self):
        handler = functools.partial(Quiet, directory=self.folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                del Quiet.asked[:]
                self.open(f"http://127.0.0.1:{server.server_port}/?url=tasks.trace#usertasks")
                self.settle("Tasks · gotrace")
                asked = {path for path in Quiet.asked if path != "/favicon.ico"}
                self.assertEqual(asked, {"/?url=tasks.trace", "/tasks.trace"})
                self.browser.get_log("browser")
            finally:
                server.shutdown()
                thread.join(PATIENCE)

    def test_the_policy_lets_nothing_out(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                self.open_file("trace.html")
                self.settle("go1.27-mix.trace · gotrace")
                del Quiet.asked[:]
                url = f"http://127.0.0.1:{server.server_port}/leak"
                for where in (self.outer, self.in_frame):
                    where("document.leaks = 0; const told = () => document.leaks++;"
                          "fetch(arguments[0]).catch(told);"
                          "const image = new Image(); image.onerror = told;"
                          "image.src = arguments[0];"
                          "const script = document.createElement('script');"
                          "script.onerror = told; script.src = arguments[0];"
                          "document.head.append(script)", url)
                    wait_for(lambda: where("return document.leaks") == 3, "three refusals")
                self.assertEqual(Quiet.asked, [])
                self.browser.get_log("browser")
            finally:
                server.shutdown()
                thread.join(PATIENCE)


if __name__ == "__main__":
    unittest.main()
