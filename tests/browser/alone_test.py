# SPDX-License-Identifier: BSD-3-Clause
"""The viewer without a server: what `gotrace page` writes, opened from disk and from a host of
files. GT_PAGE is gotrace.html of the build."""

import functools
import gzip
import http.server
import json
import os
import pathlib
import shutil
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


# The package of npm, as a host of files has it.
PACKAGE = pathlib.Path(PAGE).parents[1] / "javascript"
EMBEDDING = """<!doctype html><link rel="icon" href="data:,">
<div id="here" style="height: 90vh"></div>
<script type="module">
import { open } from "./gotrace.js";
import { mount } from "./viewer.js";
const file = await (await fetch("tasks.trace")).blob();
const trace = await open(file);
const events = [...trace.events()].length;
const [goroutines] = trace.readTable("goroutines");
const here = document.getElementById("here");
const options = { page: "index.html", name: "tasks.trace", address: "report" };
const viewer = await mount(here, new Blob(["no trace"]), options).catch((error) => error.message);
await mount(here, file, options);
window.told = { events, refused: viewer, goroutines: goroutines.count };
</script>
"""

# The Worker's memory ends soon after the trace was opened.
SHORT_OF_MEMORY = """
engine.memory.grow(65536 - engine.memory.buffer.byteLength / 65536);
const spare = engine.functions.page_alloc(1 << 18);
for (let size = 1 << 24; size > 64; )
  if (engine.functions.page_alloc(size) === 0) size >>= 1;
engine.functions.page_free(spare);
"""


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
        run("page", "-o", cls.folder / "trace.html", TRACE)
        run("page", "-o", cls.folder)
        (cls.folder / "tasks.trace").write_bytes(pathlib.Path(TASKS).read_bytes())
        (cls.folder / "tasks.trace.gz").write_bytes(
            gzip.compress(pathlib.Path(TASKS).read_bytes()))
        (cls.folder / "broken.gz").write_bytes(b"\x1f\x8b\x08 nothing")
        (cls.folder / "packed.zst").write_bytes(b"\x28\xb5\x2f\xfd nothing")
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
        try:
            wait_for(lambda: self.in_frame("return document.body.dataset.ready === '1'"
                                           " && document.title === arguments[0]", title), title)
        except AssertionError as error:
            there = self.in_frame("return [document.title, document.body.dataset.ready,"
                                  " document.body.innerText.slice(0, 500)]")
            raise AssertionError(f"{error}; there is {self.browser.current_url}, {there}") from None

    def text(self, selector):
        return self.in_frame("return document.querySelector(arguments[0])?.textContent ?? ''",
                             selector)

    def pick(self, path):
        self.browser.find_element("id", "picker").send_keys(path)

    def wait_for_note(self, message):
        wait_for(lambda: message in self.outer("return document.getElementById('note').innerText"),
                 message)

    def follow(self, selector):
        """Clicks what may not be there yet."""
        wait_for(lambda: self.in_frame("const found = document.querySelector(arguments[0]);"
                                       "found?.click(); return found !== null", selector), selector)

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
        wait_for(lambda: self.browser.current_url.endswith("#goroutines"), "its address")
        self.follow("td a[href^='goroutine?']")
        wait_for(lambda: "#goroutine?name=" in self.browser.current_url, "the goroutine's page")
        wait_for(lambda: self.in_frame("return document.body.dataset.ready === '1'"), "its content")
        self.outer("history.back()")
        self.settle("Goroutines · gotrace")
        self.outer("history.back()")
        self.settle("go1.27-mix.trace · gotrace")

    def test_a_page_that_is_left_no_longer_changes_the_address(self):
        self.open_file("trace.html")
        self.settle("go1.27-mix.trace · gotrace")
        self.in_frame("parent.left = frameElement.gotraceHost;"
                      "document.querySelector('.nav-link[href=goroutines]').click();"
                      "parent.left.replace('?s=5', null); parent.left.push('?s=6', null)")
        self.settle("Goroutines · gotrace")
        self.outer("left.replace('?s=7', null); left.push('?s=8', null); left.go('gc');"
                   "left.reload()")
        self.assertTrue(self.browser.current_url.endswith("#goroutines"), self.browser.current_url)
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

    def test_a_trace_that_is_too_large_is_read_in_part_and_the_ways_out_are_named(self):
        page = (self.folder / "index.html").read_text(encoding="utf-8")
        opened = "engine = await Engine.open(module, name, file.size, read);"
        self.assertIn(opened, page)
        (self.folder / "short.html").write_text(
            page.replace(opened, opened + SHORT_OF_MEMORY), encoding="utf-8")
        self.open_file("short.html")
        self.pick(TRACE)
        wait_for(lambda: "gotrace cut" in (self.text("#banner") or ""), "the message")
        self.assertIn("gotrace view", self.text("#banner"))
        self.settle("go1.27-mix.trace · gotrace")

    def test_a_compressed_file_is_unpacked(self):
        self.open_file("index.html")
        self.pick(str(self.folder / "tasks.trace.gz"))
        self.settle("tasks.trace.gz · gotrace")

    def test_what_is_no_trace_is_said_to_be_none(self):
        self.open_file("index.html")
        for path, message in ((PAGE, "not a"), ("broken.gz", "cannot be decompressed"),
                              ("packed.zst", "zstd")):
            self.pick(str(self.folder / path))
            self.wait_for_note(message)
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

    def serve(self):
        """The folder on a host of files; returns its address."""
        handler = functools.partial(Quiet, directory=self.folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join, PATIENCE)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_the_package_for_javascript_mounts_the_viewer_and_reads_events(self):
        for each in PACKAGE.iterdir():
            if each.suffix in (".js", ".wasm"):
                shutil.copy(each, self.folder)
        (self.folder / "embed.html").write_text(EMBEDDING, encoding="utf-8")
        self.open(f"{self.serve()}/embed.html")
        told = wait_for(lambda: self.outer("return window.told"), "the package")
        count = len(run("dump", TASKS).decode().split("\nM="))
        goroutines = run("goroutines", "--json", TASKS).decode().splitlines()
        self.assertEqual(told, {"events": count, "refused": "not a Go execution trace",
                                "goroutines": sum(json.loads(each)["count"]
                                                  for each in goroutines)})
        wait_for(lambda: self.in_frame("return document.title") == "Report · gotrace", "the report")
        self.browser.get_log("browser")

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
