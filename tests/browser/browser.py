# SPDX-License-Identifier: BSD-3-Clause
"""A gotrace viewer and a real browser that looks at it, for the tests of the pages.

Nothing here waits for a fixed time: a condition is asked for until it holds, and the patience
is for machines that have other things to do. A test file can be run alone, with a browser of its
own; run.py lends one browser to many of them.
"""

import atexit
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

SKIPPED = 77

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(SKIPPED)

# Chromium without windows, which takes a third less time than one that hides them. The script of
# this name in /usr/bin only waits for it: it would go on when the script is ended.
CHROMIUM = "/usr/lib/chromium/chromium-headless-shell"
DRIVER = "/usr/bin/chromedriver"
if not (os.path.exists(CHROMIUM) and os.path.exists(DRIVER)):
    print("skipped: chromium-headless-shell and chromium-driver are not installed")
    sys.exit(SKIPPED)

COMMAND = os.environ["GT_COMMAND"]
TESTDATA = os.environ["GT_TESTDATA"]
# Of the page: the window has no frame and no bars.
WIDTH, HEIGHT = 1600, 860

signals.start_with_defaults()


def run(*arguments, **options):
    """What the command prints."""
    return subprocess.run([COMMAND, *arguments], check=True, capture_output=True,
                          timeout=PATIENCE, **options).stdout


class Viewer:
    """`gotrace view` as a process. Only tests of that let it write notes beside the trace."""

    said = r"Trace viewer is listening on (http://127\.0\.0\.1:\d+)\n"

    def __init__(self, *arguments, keeps_notes=False):
        options = ["--no-open"] if keeps_notes else ["--no-open", "--no-notes"]
        self.start(["view", *options, *arguments])

    def start(self, arguments):
        self.process = subprocess.Popen([COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(self.said, line)
        if not found:
            self.process.kill()
            self.process.communicate()
            raise AssertionError(f"the viewer said {line!r}")
        self.url = found.group(1)

    def ask(self, path, **query):
        """The answer to a request of its own, once it is there."""
        url = f"{self.url}/api/{path}?{urllib.parse.urlencode(query)}"

        def is_there():
            with urllib.request.urlopen(url, timeout=PATIENCE) as response:
                return (json.load(response),) if response.status != 202 else None
        return wait_for(is_there, url)[0]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE)
        if self.process.returncode != 0:
            raise AssertionError(f"the viewer ended with {self.process.returncode}")


def room_for_shared_memory():
    """Whether /dev/shm has room for what the browser's processes share: containers may have 64 MB.
    Where it has, files on a disk need not be written for that."""
    try:
        return shutil.disk_usage("/dev/shm").free >= 1 << 30
    except OSError:
        return False


class Comparison(Viewer):
    """`gotrace compare --http` as a process."""

    said = r"Comparison is listening on (http://127\.0\.0\.1:\d+)/compare\n"

    def __init__(self, *arguments):
        self.start(["compare", "--http", "--no-open", *arguments])


def options_of_browser(width, height):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--no-sandbox", "--disable-gpu",
                     f"--window-size={width},{height}", "--force-device-scale-factor=1"):
        options.add_argument(argument)
    if not room_for_shared_memory():
        options.add_argument("--disable-dev-shm-usage")
    # In a process of its own a page may not see at once what the one before has stored.
    options.add_argument("--process-per-site")
    # What pages store stays in memory, which takes less time.
    options.add_argument("--incognito")
    # So that a page that is loaded again finds its scripts compiled.
    options.add_argument("--disable-features=ScriptStreaming")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # A dialog stays open, so that whatever is done next fails.
    options.set_capability("unhandledPromptBehavior", "ignore")
    return options


def open_browser(width=WIDTH, height=HEIGHT):
    # Chromium leaves files there.
    folder = tempfile.TemporaryDirectory(prefix="gotrace-test-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    service = Service(DRIVER, env={**os.environ, "TMPDIR": folder.name})
    browser = webdriver.Chrome(service=service, options=options_of_browser(width, height))
    browser.set_script_timeout(PATIENCE)
    browser.set_page_load_timeout(PATIENCE)
    return browser


shared = []
# Once it is known. All viewers have it in common.
address_of_files = []


def the_browser():
    """One for all tests of a program: to start it takes longer than most of them."""
    if not shared:
        shared.append(open_browser())
        atexit.register(shared[0].quit)
    return shared[0]


class PageTest(unittest.TestCase):
    """Tests with one viewer; `trace` is below testdata, and `options` are of the command."""

    trace = "v2/go1.26-tasks.trace"
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.viewer = Viewer(cls.path(), *cls.options)
        cls.addClassCleanup(cls.viewer.stop)
        wait_for(lambda: cls.viewer.ask("trace")["progress"]["done"], "the whole trace")
        cls.browser = the_browser()

    @classmethod
    def tearDownClass(cls):
        """Leaves the page while its server still answers.

        Chromium can loop without end when it leaves a page whose modules have just failed to load.
        """
        cls.browser.get("about:blank")

    @classmethod
    def path(cls):
        return os.path.join(TESTDATA, cls.trace)

    def setUp(self):
        """Pages keep the theme and the like in the browser; what one test leaves is forgotten.

        From a picture of the viewer's: there no page stores anything as it is left.
        """
        self.browser.get(self.viewer.url + "/static/icon.svg")
        self.js("localStorage.clear()")
        self.browser.get_log("browser")

    def tearDown(self):
        """A page that complains is not well, whatever else it does."""
        wrong = [entry for entry in self.browser.get_log("browser")
                 if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(wrong, [])

    def named(self, script):
        """A script in which STATIC/ is the address of the files of the page, with their version, so
        that it imports the same modules."""
        if "STATIC/" not in script:
            return script
        if not address_of_files:
            with urllib.request.urlopen(self.viewer.url + "/trace") as answer:
                page = answer.read().decode()
            address_of_files.append(re.search(r'src="(static/\w+/)', page)[1])
        return script.replace("STATIC/", address_of_files[0])

    def js(self, script, *arguments):
        return self.browser.execute_script(self.named(script), *arguments)

    def js_later(self, script, *arguments):
        """What the script passes to its last argument."""
        return self.browser.execute_async_script(self.named(script), *arguments)

    def open(self, path="/"):
        self.browser.get(self.viewer.url + path)
        self.settle()

    def settle(self):
        """Until all is drawn."""
        wait_for(lambda: self.js("return document.body?.dataset.ready === '1'"), "the page")

    def open_timeline(self, path="/"):
        self.open(path)
        wait_for(lambda: self.js("return window.gotrace?.trace?.progress?.done === true"
                                 " && gotrace.actions.has('palette')"), "the whole trace")
        self.settle()

    def state(self):
        return self.js("return window.gotrace.state")

    def press(self, *keys):
        ActionChains(self.browser, duration=0).send_keys(*keys).perform()

    def press_with(self, modifier, key):
        ActionChains(self.browser, duration=0).key_down(modifier).send_keys(key) \
            .key_up(modifier).perform()

    def parameters(self):
        return self.js("return Object.fromEntries(new URLSearchParams(location.search))")

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def shown(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])]"
                       ".some((each) => each.checkVisibility())", selector)

    def colours(self, selector):
        """How many colours a canvas has; 1 where it is blank."""
        return self.js("""
            const canvas = document.querySelector(arguments[0]);
            const copy = document.createElement("canvas");
            copy.width = canvas.width; copy.height = canvas.height;
            const context = copy.getContext("2d");
            context.drawImage(canvas, 0, 0);
            const {data} = context.getImageData(0, 0, copy.width, copy.height);
            return new Set(new Uint32Array(data.buffer)).size;
        """, selector)


__all__ = [
    "ActionBuilder", "ActionChains", "COMMAND", "HEIGHT", "Keys", "PATIENCE", "PageTest", "SKIPPED",
    "ScrollOrigin", "TESTDATA", "Viewer", "WIDTH", "run", "unittest", "wait_for",
]
