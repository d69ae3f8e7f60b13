#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run.py [--jobs N] [--limit S] [--only NAME]... NAME...: runs test files of this folder, which
share browsers.

NAME is a file, or its name without `_test.py`. Each of N browsers, 2 by default, shows the pages of
one file after another, each in a window of its own: to start a browser and to load selenium takes
about as long as two tests. A file that takes longer than S seconds, 300 by default, fails and loses
its browser, like each file that fails, and the others go on with a new one.
"""

import argparse
import contextlib
import dataclasses
import faulthandler
import os
import pathlib
import re
import runpy
import signal
import sys
import tempfile
import time
import traceback

import browser as pages

HERE = pathlib.Path(__file__).resolve().parent
SCALE = float(os.environ.get("GT_TIME_SCALE", 1))
# How many lines at the end tell of each file that failed.
LINES = 6
# How the lines begin that tell what went wrong, by unittest and, in the last case, by the browser.
TELLING = re.compile(r"(FAIL|ERROR): |[\w.]*(Error|Exception|Fault)\b|\{'level'")


def freshen(browser):
    """Leaves nothing of the file before: its windows go, and with them whatever was emulated in
    them; then all that its pages have stored. Origins differ by their ports, and one may return."""
    old = browser.window_handles
    browser.switch_to.new_window("tab")
    new = browser.current_window_handle
    for window in old:
        browser.switch_to.window(window)
        browser.close()
    browser.switch_to.window(new)
    # Otherwise it has no focus.
    browser.execute_cdp_cmd("Page.bringToFront", {})
    browser.set_window_size(pages.WIDTH, pages.HEIGHT)
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "default"})
    browser.execute_cdp_cmd("Browser.resetPermissions", {})
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    browser.execute_cdp_cmd("Storage.clearCookies", {})


@dataclasses.dataclass
class Failure:
    """A file that failed, and what it printed."""

    what: str
    text: str

    def lines(self, count):
        """What went wrong, in so many lines: those that tell it, or else the last ones."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        told = [line for line in lines if TELLING.match(line)]
        return (told or lines)[-count:]


class Place:
    """One browser, and the file that is run with it as a process."""

    def __init__(self):
        self.browser = None
        self.child = self.file = self.output = self.began = None

    def ready(self):
        """A browser as if it was new."""
        if self.browser:
            try:
                freshen(self.browser)
            except Exception:
                traceback.print_exc()
                self.quit()
        if not self.browser:
            self.browser = pages.open_browser()

    def quit(self):
        """Also if the driver, which would end the browser, is dead."""
        if self.browser:
            process = self.browser.capabilities.get("goog:processID")
            with contextlib.suppress(Exception):
                self.browser.quit()
            with contextlib.suppress(ProcessLookupError, TypeError):
                os.kill(process, signal.SIGKILL)
        self.browser = None

    def start(self, file, limit):
        self.ready()
        self.file, self.began = file, time.monotonic()
        self.output = tempfile.TemporaryFile()
        sys.stdout.flush()
        sys.stderr.flush()
        self.child = os.fork()
        if self.child == 0:
            self.become_test(limit)

    def become_test(self, limit):
        """What the child does. The connection to the driver is its own until it ends."""
        code = 1
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for stream in (1, 2):
                os.dup2(self.output.fileno(), stream)
            faulthandler.dump_traceback_later(limit, exit=True)
            pages.shared[:] = [self.browser]
            sys.argv = [str(self.file)]
            runpy.run_path(str(self.file), run_name="__main__")
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def end(self, code):
        """Tells how the file ended, and what it printed if that was not well. Returns its
        failure, if it is one."""
        self.kill()
        seconds = time.monotonic() - self.began
        self.output.seek(0)
        text = self.output.read().decode(errors="replace")
        self.output.close()
        name, self.child = self.file.stem.removesuffix("_test"), None
        if code == 0:
            print(f"ok {name} ({seconds:.0f} s)", flush=True)
            return None
        failure = Failure(f"{name}, with {code} after {seconds:.0f} s", text)
        print(f"{text}\nFAILED: {failure.what}", flush=True)
        self.quit()
        return failure

    def kill(self):
        """What the file may have left, as viewers that it did not end."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child, signal.SIGKILL)


def run_all(files, places, limit):
    """Returns the failures."""
    waiting, failed = list(files), []
    idle, busy = list(places), {}
    while waiting or busy:
        while waiting and idle:
            place = idle.pop()
            place.start(waiting.pop(0), limit)
            busy[place.child] = place
        child, status = os.wait()
        # Drivers of browsers are children as well.
        if child in busy:
            place = busy.pop(child)
            failure = place.end(os.waitstatus_to_exitcode(status))
            if failure:
                failed.append(failure)
            idle.append(place)
    return failed


def file_of(name):
    path = pathlib.Path(name)
    return path.resolve() if path.suffix == ".py" else HERE / f"{name}_test.py"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--only", action="append", metavar="NAME", help="leave out all others")
    parser.add_argument("names", nargs="+", metavar="NAME")
    options = parser.parse_args()
    files = [file_of(name) for name in options.only or options.names]
    for file in files:
        if not file.exists():
            parser.error(f"there is no {file}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("run.py: ended from outside"))
    places = [Place() for _ in range(min(options.jobs, len(files)))]
    try:
        failed = run_all(files, places, options.limit * SCALE)
    finally:
        for place in places:
            if place.child:
                place.kill()
            place.quit()
    # Once more at the end, of which most is seen where a gate shows the last lines only.
    for failure in failed:
        print(f"FAILED: {failure.what}", *failure.lines(LINES), sep="\n  ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
