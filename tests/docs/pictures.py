#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pictures of docs/viewer.md and docs/recording.md anew.

GT_COMMAND=FILE GT_TESTDATA=DIR pictures.py DIR [NAME...]

They are of a recorded trace, which is in the source, or of the program in docs/recording.md, which
is compiled and recorded for them, in a headless Chromium, as the tests of suite browser use it.
Look at them before they are committed.
"""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "browser"))

from browser import COMMAND, Comparison, TESTDATA, Viewer, open_browser, wait_for  # noqa: E402
from png import shrink  # noqa: E402

RECORDING = pathlib.Path(__file__).resolve().parents[2] / "docs" / "recording.md"
TRACE = "v2/go1.27-mix.trace"
SIZE = (1280, 720)
LARGEST = 150_000


class Camera:
    """A viewer, a browser, and where pictures go."""

    def __init__(self, directory):
        self.directory = directory
        self.viewer = Viewer(os.path.join(TESTDATA, TRACE))
        self.browser = open_browser(*SIZE)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False})
        wait_for(lambda: self.viewer.ask("trace")["progress"]["done"], "the whole trace")

    @contextlib.contextmanager
    def of(self, viewer):
        """Another viewer for a while."""
        mine, self.viewer = self.viewer, viewer
        try:
            yield
        finally:
            viewer.stop()
            self.viewer = mine

    def close(self):
        self.browser.quit()
        self.viewer.stop()

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def open(self, path):
        self.browser.get(self.viewer.url + path)
        wait_for(lambda: self.js("return document.body?.dataset.ready === '1'"), path)

    def wait_for_text(self, text):
        wait_for(lambda: self.js("return document.body.innerText.includes(arguments[0])", text),
                 text)

    def take(self, name):
        wait_for(lambda: self.js("return document.body?.dataset.ready === '1'"), "the page")
        path = self.directory / (name + ".png")
        path.write_bytes(shrink(self.browser.get_screenshot_as_png()))
        size = path.stat().st_size
        print("%s: %d bytes" % (path, size))
        if size > LARGEST:
            raise SystemExit("%s is too large" % path)

    def find(self, query):
        """The first span that the search finds."""
        return self.viewer.ask("search", q=query)["results"][0]


def take_timeline(camera):
    camera.open("/?view=goroutine&sort=id")
    camera.wait_for_text("Contention")
    camera.take("timeline")


def waiting_goroutine(camera):
    """Goroutine 21 when it waits for a proc for nearly 4 ms."""
    return camera.find("g21 state:runnable dur>3ms")


def take_wait(camera):
    span = waiting_goroutine(camera)
    start, end = span["start"] - 300_000, span["end"] + 300_000
    camera.open("/?view=goroutine&sort=id&filter=mix&s=%d&e=%d&sel=%d.%d"
                % (start, end, span["track"], span["index"]))
    camera.wait_for_text("G23 ")
    camera.take("wait")


def take_area(camera):
    span = waiting_goroutine(camera)
    camera.open("/?view=proc&s=%d&e=%d&area=%d-%d"
                % (span["start"] - 300_000, span["end"] + 300_000, span["start"], span["end"]))
    camera.wait_for_text("Running: garbage collector")
    camera.take("area")


def take_why(camera):
    region = camera.find("g21 kind:region dur>6ms")
    start, end = region["start"] - 300_000, region["end"] + 300_000
    camera.open("/?view=goroutine&sort=id&filter=mix&s=%d&e=%d&panel=1&tab=why&why=span:%d.%d"
                % (start, end, region["track"], region["index"]))
    camera.wait_for_text("Where the time went")
    wait_for(lambda: camera.js("return window.gotrace.trail.steps.length > 0"), "the trail")
    camera.take("why")


def take_flame(camera):
    camera.open("/sched")
    camera.take("flame")


def take_goroutines(camera):
    camera.open("/goroutines")
    camera.wait_for_text("main.mix.func1")
    camera.take("goroutines")


def take_compare(camera):
    others = [os.path.join(TESTDATA, "compare", name) for name in ("plain-1.trace", "lock.trace")]
    with camera.of(Comparison(*others)):
        camera.open("/compare?about=task:checkout+p50")
        camera.wait_for_text("Heights are")
        wait_for(lambda: camera.js("return !document.querySelector('[aria-busy=true]')"), "graphs")
        camera.take("compare")


def record_service(directory):
    """Compiles the program in docs/recording.md, and records it."""
    code = re.search(r"\n    #include(?:\n|    .*\n|.*\n)*?    }\n(?=\n## )", RECORDING.read_text())
    source, program = directory / "service.c", directory / "service"
    source.write_text(re.sub("^    ", "", code[0], flags=re.M))
    subprocess.run(["cc", "-O1", "-o", program, source, "-pthread"], check=True)
    trace = directory / "service.trace"
    subprocess.run([COMMAND, "record", "-o", trace, program], check=True)
    return trace


def take_service(camera):
    """What the service does, and why it takes so long."""
    with tempfile.TemporaryDirectory() as directory, \
            camera.of(Viewer(str(record_service(pathlib.Path(directory))))):
        camera.open("/?view=goroutine&sort=id")
        camera.wait_for_text("Contention")
        camera.take("service")
        camera.open("/?view=goroutine&sort=id&panel=1&tab=why&why=goroutine:1")
        camera.wait_for_text("Where the time went")
        wait_for(lambda: camera.js("return window.gotrace.trail.steps.length > 0"), "the trail")
        camera.take("service-why")


PICTURES = {
    "timeline": take_timeline,
    "wait": take_wait,
    "area": take_area,
    "why": take_why,
    "flame": take_flame,
    "goroutines": take_goroutines,
    "compare": take_compare,
    "service": take_service,
}


def main():
    camera = Camera(pathlib.Path(sys.argv[1]))
    try:
        for name in sys.argv[2:] or PICTURES:
            PICTURES[name](camera)
    finally:
        camera.close()


if __name__ == "__main__":
    main()
