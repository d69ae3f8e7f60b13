#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""large_page.py PAGE TRACE: opens a large trace in the viewer without a server, PAGE being
gotrace.html of a build, and prints how long that took, also as processor time of the browser, and
how much memory the page took. Fails if the trace is not read to its end, or other numbers are shown
than by `gotrace stat`. GT_COMMAND and GT_TESTDATA are as in tests/browser."""

import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "browser"))
os.environ.setdefault("GT_TIME_SCALE", "60")

from browser import COMMAND, open_browser, wait_for  # noqa: E402
from selenium.common.exceptions import WebDriverException  # noqa: E402
import subprocess  # noqa: E402

MEMORY_MAX = 1 << 32


def in_frame(browser, script):
    browser.switch_to.default_content()
    try:
        browser.switch_to.frame(browser.find_element("tag name", "iframe"))
        return browser.execute_script(script)
    except WebDriverException:
        return None
    finally:
        browser.switch_to.default_content()


def processor_seconds(root):
    """The processor time of a process and of all that it has started and that still run."""
    ticks, parents = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(path.parent.name)] = int(fields[1])
        ticks[int(path.parent.name)] = int(fields[11]) + int(fields[12])
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sum(ticks.get(pid, 0) for pid in found) / os.sysconf("SC_CLK_TCK")


def main(page, trace):
    expected = json.loads(subprocess.run([COMMAND, "stat", "--json", trace], check=True,
                                         capture_output=True).stdout)
    browser = open_browser()
    try:
        browser.get(pathlib.Path(page).resolve().as_uri())
        start = time.monotonic()
        before = processor_seconds(browser.service.process.pid)
        browser.find_element("id", "picker").send_keys(str(pathlib.Path(trace).resolve()))
        # The browser is busy with each question, which must be rare for its time to mean something.
        wait_for(lambda: in_frame(browser, "return window.gotrace?.trace?.progress.done"
                                           " && gotrace.ready"), "the whole trace", interval=0.25)
        seconds = time.monotonic() - start
        busy = processor_seconds(browser.service.process.pid) - before
        error, events, memory = wait_for(lambda: in_frame(
            browser, "const {error, counts, process_memory} = gotrace.trace;"
                     " return [error, counts.events, process_memory]"), "the facts")
        note = browser.execute_script("return document.getElementById('note').innerText")
    finally:
        browser.quit()
    size = os.path.getsize(trace)
    print(f"{size} bytes, {events} events: {seconds:.1f} s, {busy:.1f} s of the processors,"
          f" {memory} bytes of memory, {memory / size:.2f} for each of the trace; error: {error}")
    if error or note or events != expected["events"] or memory > MEMORY_MAX:
        sys.exit(f"wrong: {expected['events']} events were expected {note}")


main(*sys.argv[1:])
