#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how soon a trace is on the screen, beside `go tool trace`.

bench_view.py --gotrace PATH [--rounds N] [--peer] TRACE

Starts `gotrace view`, and opens it in a headless Chromium that already runs: the time from the
start of the command to a timeline on the screen, to all of the trace on the screen, and the
peak memory by then. Then what frames take while each view is panned and zoomed. With --peer,
$GT_PEER is started in the same way until it says that it listens, for its time and memory;
what its pages take in the browser comes on top and is not counted. Needs chromium,
chromium-driver and python3-selenium of Debian's.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402

signals.start_with_defaults()

PEER = os.environ.get("GT_PEER")
PATIENCE = 600
VIEWS = ("proc", "thread", "goroutine", "task")

DRAWN = "return document.body?.dataset.ready === '1'"
READ = "return window.gotrace?.trace?.progress?.done === true"
WHOLE = READ + " && document.body.dataset.ready === '1'"

# From all of the trace to a thousandth of it, to and fro, a step a frame; what is drawn is timed
# by the page itself.
MOVE = """
const [view, done] = arguments;
const app = window.gotrace;
app.set({view, s: null, e: null}, {push: false});
const whole = app.trace.duration;
const steps = 240;
const times = [];
let step = 0;
app.frames.length = 0;
function next() {
  times.push(...app.frames.splice(0));
  if (step === steps) { done(times); return; }
  const width = whole * 2 ** -(step / 24);
  const at = (whole - width) * (0.5 + 0.4 * Math.sin(step / 20));
  app.set({s: at, e: at + width}, {push: false, glide: false});
  step++;
  requestAnimationFrame(next);
}
requestAnimationFrame(next);
"""


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1600,1000"):
        options.add_argument(argument)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_script_timeout(PATIENCE)
    browser.get("about:blank")
    return browser


def peak_of(pid):
    with open("/proc/%d/status" % pid) as status:
        return int(re.search(r"VmHWM:\s*(\d+) kB", status.read()).group(1)) * 1024


def seconds_until(browser, condition, start):
    while not browser.execute_script(condition):
        if time.monotonic() - start > PATIENCE:
            sys.exit("bench_view.py: nothing came in %d s" % PATIENCE)
        time.sleep(0.002)
    return time.monotonic() - start


class Viewer:
    """The command, from its start on; to be used with `with`."""

    def __init__(self, command, trace):
        self.start = time.monotonic()
        self.process = subprocess.Popen([command, "view", "--no-open", trace],
                                        stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()


def measure_start(browser, command, trace):
    """Seconds to a timeline and to all of it on the screen, and the viewer's peak memory."""
    with Viewer(command, trace) as viewer:
        browser.get(viewer.url)
        first = seconds_until(browser, DRAWN, viewer.start)
        whole = seconds_until(browser, WHOLE, viewer.start)
        peak = peak_of(viewer.process.pid)
        browser.get("about:blank")
    return first, whole, peak


def measure_frames(browser, command, trace):
    with Viewer(command, trace) as viewer:
        browser.get(viewer.url)
        seconds_until(browser, READ, viewer.start)
        for view in VIEWS:
            times = sorted(browser.execute_async_script(MOVE, view))
            seconds_until(browser, DRAWN, time.monotonic())
            count = len(times)
            at = [times[min(count - 1, int(share * count))] for share in (0.5, 0.95, 0.99)]
            print("frames, by %-10s %5d, median %5.1f ms, p95 %5.1f ms, p99 %5.1f ms, max %5.1f ms"
                  % (view + ":", count, *at, times[-1]))
        print("peak memory after all that: %.0f MB" % (peak_of(viewer.process.pid) / 1e6))
        browser.get("about:blank")


def measure_peer(trace):
    """Seconds until it listens, and its peak memory. Without a PATH it finds no browser to open."""
    start = time.monotonic()
    process = subprocess.Popen([PEER, "-http=127.0.0.1:0", trace], stderr=subprocess.PIPE,
                               text=True, env={"PATH": "/nonexistent", "HOME": "/nonexistent"})
    listens = any("listening on" in line for line in process.stderr)
    seconds = time.monotonic() - start
    peak = peak_of(process.pid) if listens else 0
    process.kill()
    process.communicate()
    if not listens:
        sys.exit("bench_view.py: the peer does not listen")
    return seconds, peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gotrace", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("trace")
    arguments = parser.parse_args()
    command, trace = arguments.gotrace, arguments.trace
    if arguments.peer and not PEER:
        sys.exit("bench_view.py: $GT_PEER names no binary")
    print("%s, %.1f MB" % (os.path.basename(trace), os.path.getsize(trace) / 1e6))
    browser = open_browser()
    try:
        runs = [measure_start(browser, command, trace) for _ in range(arguments.rounds)]
        first, whole, peak = (sorted(column)[len(runs) // 2] for column in zip(*runs))
        print("a timeline on the screen after %.2f s, all of the trace after %.2f s; "
              "peak memory %.0f MB" % (first, whole, peak / 1e6), flush=True)
        measure_frames(browser, command, trace)
    finally:
        browser.quit()
    if arguments.peer:
        seconds, held = measure_peer(trace)
        print("go tool trace listens after %.2f s; peak memory %.0f MB" % (seconds, held / 1e6))
        print("all of the trace is on the screen %.1f times as soon, in 1/%.1f of the memory"
              % (seconds / whole, held / peak))


if __name__ == "__main__":
    main()
