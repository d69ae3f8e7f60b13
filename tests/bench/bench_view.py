#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how soon a trace is on the screen, beside `go tool trace`.

bench_view.py --gotrace PATH [--peer] TRACE

Starts `gotrace view` and a headless Chromium that already runs, and takes the time from the
start of the command to a timeline on the screen, and to all of the trace on the screen; then
how long frames take while it is panned and zoomed, in each view. With --peer, $GT_PEER is
started in the same way, `$GT_PEER -http=127.0.0.1:0 TRACE`, until it says that it listens;
what its pages take in the browser is not counted. Needs chromium, chromium-driver and
python3-selenium of Debian's.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROUNDS = 5
PEER = os.environ.get("GT_PEER")


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1600,1000"):
        options.add_argument(argument)
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def peak_of(pid):
    with open("/proc/%d/status" % pid) as status:
        return int(re.search(r"VmHWM:\s*(\d+) kB", status.read()).group(1)) * 1024


def wait_until(condition, start):
    while not condition():
        time.sleep(0.002)
    return time.monotonic() - start


def open_viewer(command, trace):
    start = time.monotonic()
    process = subprocess.Popen([command, "view", "--no-open", trace], stdout=subprocess.PIPE, text=True)
    url = re.search(r"http://\S+", process.stdout.readline()).group(0)
    return process, url, start


def stop(process):
    process.send_signal(signal.SIGINT)
    process.wait()
    process.stdout.close()


def measure_start(browser, command, trace):
    """Seconds to a timeline and to all of it on the screen, and the viewer's peak memory."""
    process, url, start = open_viewer(command, trace)
    browser.get(url)
    drawn = lambda: browser.execute_script("return document.body?.dataset.ready === '1'")
    whole = lambda: browser.execute_script(
        "return window.gotrace?.trace?.progress?.done === true && document.body.dataset.ready === '1'")
    first = wait_until(drawn, start)
    all_of_it = wait_until(whole, start)
    peak = peak_of(process.pid)
    browser.get("about:blank")
    stop(process)
    return first, all_of_it, peak


PAN = """
const [view, done] = arguments;
const app = window.gotrace;
app.set({view}, {push: false});
const whole = app.trace.duration;
let step = 0;
app.frames.length = 0;
const times = [];
function next() {
  times.push(...app.frames.splice(0));
  if (step >= 240) { done(times); return; }
  const width = whole * 2 ** -(step / 24);
  const at = (whole - width) * (0.5 + 0.4 * Math.sin(step / 20));
  app.set({s: at, e: at + width}, {push: false});
  step++;
  requestAnimationFrame(next);
}
requestAnimationFrame(next);
"""


def measure_frames(browser, command, trace):
    process, url, _ = open_viewer(command, trace)
    browser.get(url)
    browser.set_script_timeout(120)
    wait_until(lambda: browser.execute_script("return window.gotrace?.trace?.progress?.done === true"), 0)
    for view in ("proc", "thread", "goroutine"):
        times = sorted(browser.execute_async_script(PAN, view))
        at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
        print("frames, by %-10s %5d, median %5.1f ms, p95 %5.1f ms, p99 %5.1f ms, max %5.1f ms"
              % (view + ":", len(times), at(0.5), at(0.95), at(0.99), times[-1]))
    browser.get("about:blank")
    stop(process)


def measure_peer(trace):
    start = time.monotonic()
    process = subprocess.Popen([PEER, "-http=127.0.0.1:0", trace], stderr=subprocess.PIPE, text=True,
                               env={"PATH": "/nonexistent", "HOME": "/nonexistent", "BROWSER": "/bin/true"})
    for line in process.stderr:
        if "listening on" in line:
            break
    seconds = time.monotonic() - start
    peak = peak_of(process.pid)
    process.kill()
    process.wait()
    process.stderr.close()
    return seconds, peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gotrace", required=True)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("trace")
    arguments = parser.parse_args()
    if arguments.peer and not PEER:
        sys.exit("bench_view.py: $GT_PEER names no binary")
    size = os.path.getsize(arguments.trace)
    print("%s, %.1f MB" % (os.path.basename(arguments.trace), size / 1e6))
    browser = open_browser()
    try:
        runs = [measure_start(browser, arguments.gotrace, arguments.trace) for _ in range(ROUNDS)]
        first, whole, peak = (sorted(column)[ROUNDS // 2] for column in zip(*runs))
        print("a timeline on the screen after %.2f s, all of the trace after %.2f s; peak memory %.0f MB"
              % (first, whole, peak / 1e6))
        measure_frames(browser, arguments.gotrace, arguments.trace)
    finally:
        browser.quit()
    if arguments.peer:
        seconds, held = measure_peer(arguments.trace)
        print("go tool trace listens after %.1f s; peak memory %.0f MB" % (seconds, held / 1e6))
        print("the whole trace is on the screen %.0f times as soon, in 1/%.0f of the memory"
              % (seconds / whole, held / peak))


if __name__ == "__main__":
    main()
