# SPDX-License-Identifier: BSD-3-Clause
"""The viewer below a path of another server: examples/web_embed, in a real browser."""

import json
import os
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from browser import PATIENCE, PageTest, Viewer, unittest, wait_for

PREFIX = "/debug/trace/"
PAGES = ("goroutines", "mmu", "io", "block", "syscall", "sched", "usertasks", "userregions")
ANSWERS = ("trace", "static/app.js", "goroutines", "api/rows?view=proc", "api/rows?view=goroutine",
           "api/rows?view=none", "api/minimap", "api/area", "api/flame?kind=running",
           "api/search?q=main+%26", "api/groups", "api/mmu", "api/profile?kind=sched",
           "sched?raw=1", "jsontrace", "nothing")


class Embedded(Viewer):
    """web_embed as a process; its URL ends without the slash."""

    def __init__(self, trace):
        self.process = subprocess.Popen([os.environ["GT_WEB_EMBED"], trace],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+" + PREFIX + r")\n", line)
        if not found:
            self.process.kill()
            self.process.communicate()
            raise AssertionError(f"web_embed said {line!r}")
        self.url = found.group(1).rstrip("/")

    def stop(self):
        self.process.communicate("", timeout=PATIENCE)
        if self.process.returncode != 0:
            raise AssertionError(f"web_embed ended with {self.process.returncode}")


def fetch(url):
    """Status and body, once an analysis is made."""
    def is_there():
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as response:
                return (response.status, response.read()) if response.status != 202 else None
        except urllib.error.HTTPError as error:
            return error.code, error.read()
    return wait_for(is_there, url)


class EmbedTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.command = cls.viewer
        cls.viewer = Embedded(cls.path())
        cls.addClassCleanup(cls.viewer.stop)
        wait_for(lambda: cls.viewer.ask("trace")["progress"]["done"], "the whole trace")

    def setUp(self):
        """Clears the storage from a page that names its icon: for a picture the browser asks for
        /favicon.ico, which lies outside of the prefix."""
        self.open("/mmu")
        self.js("localStorage.clear()")
        self.browser.get_log("browser")

    def tearDown(self):
        """All that the page has asked for is below the prefix."""
        origin = self.viewer.url.removesuffix(PREFIX.rstrip("/"))
        urls = self.js("return performance.getEntries().map((each) => each.name)"
                       ".filter((name) => name.startsWith('http'))")
        self.assertTrue(urls)
        for url in urls:
            self.assertTrue(url.startswith(origin + PREFIX), url)
        super().tearDown()

    def test_timeline_is_drawn(self):
        self.open_timeline("/?view=goroutine")
        self.assertEqual(self.state()["view"], "goroutine")
        self.assertTrue(self.shown("#views [data-view=goroutine][aria-pressed=true]"))

    def test_pages_are_filled(self):
        for page in PAGES:
            with self.subTest(page):
                self.open("/" + page)
                self.assertFalse(self.shown(".error"))

    def test_links_stay_below_the_prefix(self):
        for page in ("", "goroutines"):
            self.open("/" + page)
            paths = self.js("return [...document.querySelectorAll('a[href]')]"
                            ".filter((each) => each.origin === location.origin)"
                            ".map((each) => each.pathname)")
            self.assertTrue(paths)
            for path in paths:
                self.assertTrue(path.startswith(PREFIX), path)

    def test_prefix_without_slash_leads_to_the_page(self):
        self.browser.get(self.viewer.url)
        self.settle()
        self.assertEqual(urllib.parse.urlsplit(self.browser.current_url).path, PREFIX)

    def test_answers_are_those_of_the_command(self):
        self.open("/goroutines")
        for path in ANSWERS:
            with self.subTest(path):
                expected = fetch(f"{self.command.url}/{path}")
                self.assertEqual(fetch(f"{self.viewer.url}/{path}"), expected)
        about, same = (json.loads(fetch(f"{each.url}/api/trace")[1])
                       for each in (self.viewer, self.command))
        # The command tells its memory, and this host does not.
        self.assertIsNone(about["process_memory"])
        self.assertGreater(same["process_memory"], 0)
        # It opens traces, too.
        self.assertEqual((about["traces_url"], same["traces_url"]), ("", "traces"))
        for each in about, same:
            del each["memory"], each["process_memory"], each["traces_url"]
        self.assertEqual(about, same)


if __name__ == "__main__":
    unittest.main(verbosity=2)
