# SPDX-License-Identifier: BSD-3-Clause
"""The timeline in Perfetto: what a page at the address of --perfetto-ui is given, and nobody else.

The page is our own. It answers as Perfetto's does, and sends its server what it got.
"""

import http.server
import threading
import urllib.parse

from browser import Keys, run, unittest, wait_for
from timeline import TimelineTest

# Asks the server what to do, as a test may want it to be silent.
PAGE = b"""<!doctype html><title>Perfetto</title><script>
addEventListener("message", async ({source, origin, data}) => {
  const {perfetto} = data;
  if (data === "PING") {
    const answer = await (await fetch("/ping?" + new URLSearchParams({origin}))).text();
    if (answer) source.postMessage(answer, origin);
  } else {
    const {buffer, title, fileName} = perfetto;
    await fetch("/file?" + new URLSearchParams({origin, title, fileName}),
                {method: "POST", body: buffer});
  }
});
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, body, kind="text/html", status=200, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path)
        host = self.headers["Host"]
        if path.path == "/ping":
            self.server.pings.append(dict(urllib.parse.parse_qsl(path.query)))
            self.answer(self.server.pong, "text/plain")
        elif self.server.moves and host.startswith("127.0.0.1"):
            self.answer(b"", status=302, Location=f"http://localhost:{host.split(':')[1]}/moved")
        else:
            self.server.visits.append(self.path)
            self.answer(PAGE if path.path != "/favicon.ico" else b"")

    def do_POST(self):
        facts = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        facts["bytes"] = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.files.append(facts)
        self.answer(b"")


class Stub(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/ui/#!/viewer"
        self.forget()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def forget(self):
        self.pong, self.moves = b"PONG", False
        self.pings, self.files, self.visits = [], [], []


class PerfettoTest(TimelineTest):
    @classmethod
    def setUpClass(cls):
        cls.stub = Stub()
        cls.addClassCleanup(cls.stub.server_close)
        cls.addClassCleanup(cls.stub.shutdown)
        cls.options = ("--perfetto-ui", cls.stub.url)
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.stub.forget()
        self.main = self.browser.current_window_handle

    def tearDown(self):
        self.close_others()
        # Until the other page is there, the browser says of each message that it went nowhere.
        self.messages = [one["message"] for one in self.browser.get_log("browser")]
        for message in self.messages:
            self.assertIn("Failed to execute 'postMessage'", message)
        super().tearDown()

    def close_others(self):
        for handle in set(self.browser.window_handles) - {self.main}:
            self.browser.switch_to.window(handle)
            self.browser.close()
        self.browser.switch_to.window(self.main)

    def open_area(self):
        self.open_timeline("/?view=goroutine&area=20000-200000")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")

    def choose(self, label):
        """Opens the menu and chooses an entry, as the keyboard does."""
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').focus()")
        self.press(Keys.ENTER)
        wait_for(lambda: self.shown("[role=menu]"), "the menu")
        for _ in self.labels():
            if self.js("return document.activeElement.innerText").startswith(label):
                break
            self.press(Keys.ARROW_DOWN)
        self.press(Keys.ENTER)

    def labels(self):
        return self.js("return [...document.querySelectorAll('[role=menuitem]')]"
                       ".map((item) => item.innerText)")

    def said(self, text):
        wait_for(lambda: text in self.text("#status-load"), text)

    def test_area_is_opened_at_the_address_of_the_option(self):
        self.open_area()
        self.choose("Open the timeline in Perfetto")
        file, = wait_for(lambda: self.stub.files, "the file")
        self.said("Opened in Perfetto.")
        self.assertEqual(file["bytes"],
                         run("perfetto", "--start=+20us", "--end=+200us", self.path()))
        self.assertEqual(file["fileName"], "area.pftrace")
        self.assertEqual(file["title"], self.path().split("/")[-1] + " · gotrace")
        self.assertEqual(file["origin"], self.viewer.url)
        self.assertEqual(self.stub.visits[0], "/ui/")

    def test_whole_trace_is_opened(self):
        self.open_area()
        self.choose("Open the whole trace in Perfetto")
        file, = wait_for(lambda: self.stub.files, "the file")
        self.assertEqual((file["fileName"], file["bytes"]),
                         ("trace.pftrace", run("perfetto", self.path())))

    def test_command_palette_opens_the_visible_range(self):
        self.open_timeline("/?view=goroutine")
        self.js("gotrace.actions.get('palette')('in Perfetto')")
        wait_for(lambda: self.shown("dialog[open] [role=option]"), "the palette")
        self.press(Keys.ENTER)
        file, = wait_for(lambda: self.stub.files, "the file")
        self.assertEqual(file["bytes"], run("perfetto", self.path()))

    def test_page_that_does_not_say_pong_gets_nothing(self):
        self.stub.pong = b"pong"
        self.open_area()
        self.choose("Open the timeline in Perfetto")
        wait_for(lambda: len(self.stub.pings) > 2, "pings")
        self.close_others()
        self.said("The window of Perfetto was closed.")
        self.assertEqual(self.stub.files, [])

    def test_page_of_another_origin_gets_no_message(self):
        self.stub.moves = True
        self.open_area()
        self.choose("Open the timeline in Perfetto")
        wait_for(lambda: "/moved" in self.stub.visits, "the other page")
        handle, = set(self.browser.window_handles) - {self.main}
        self.browser.switch_to.window(handle)
        wait_for(lambda: self.js("return document.title") == "Perfetto", "its title")
        # It may claim to be ready.
        self.js("opener.postMessage('PONG', '*')")
        self.browser.switch_to.window(self.main)
        self.assertFalse(self.js(
            "return new Promise((done) => setTimeout(done, 1000)).then(() => false)"))
        self.close_others()
        self.said("The window of Perfetto was closed.")
        self.assertEqual((self.stub.pings, self.stub.files), ([], []))

    def test_failure_of_the_server_is_told(self):
        self.open_area()
        self.js("gotrace.rows.statesView = 'proc'")
        self.js("const real = fetch; window.fetch = (url, options) => "
                "real(String(url).replace('view=', 'view=no'), options)")
        self.choose("Open the timeline in Perfetto")
        wait_for(lambda: "view" in self.text("#status-load"), "the error")
        self.assertEqual(self.browser.window_handles, [self.main])
        self.assertEqual(self.stub.files, [])
        self.browser.get_log("browser")


class WithoutTest(TimelineTest):
    def test_without_the_option_there_is_nothing_to_open(self):
        self.open_timeline("/?view=goroutine&area=20000-200000")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        text = self.text("[role=menu]")
        self.assertIn("Timeline for Perfetto", text)
        self.assertNotIn("Open", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
