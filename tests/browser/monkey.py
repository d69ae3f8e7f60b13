#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Uses the viewer at random and fails if anything goes wrong: an error of the page, a request that
fails, or memory that grows.

    monkey.py [--actions N] [--seed N] [--stay] TRACE

GT_COMMAND is the command. With --stay the timeline is never left or loaded again, so that what it
forgets to free adds up. A seed always leads to the same actions, as far as the times at which
answers arrive let them. After the first fifth of the actions, at most 1,000, memory must not grow
by more than a tenth: the objects of the page, and with some slack its document and what the server
has allocated and holds, whose caches still fill in a short run. Memory is measured in the state in
which the timeline has begun, and without the page's caches of tiles, rows, names and tooltips,
because each has a bound that thousands of actions may not reach. V8 compiles what is used for the
first time, or often, which is printed and may grow.
"""

import argparse
import json
import os
import random
import sys
import time

# First, as it skips the test where there is no browser.
import browser as pages
from browser import ActionBuilder, ActionChains, Keys, Viewer, open_browser
from heap import Heap

from selenium.common.exceptions import (JavascriptException, MoveTargetOutOfBoundsException,
                                        TimeoutException)

WARM = 1000
GROWTH = 1.1
SLACK = {"the objects of the page": 100 * 1000, "its document": 2000 * 1000,
         "the server": 4000 * 1000}
MEASURED = 500
WAIT = 0.01
ALIVE = 10

LETTERS = "wasdfrmhpclxoteguqny[].,/?01234+-=z"
KEYS = (Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_DOWN, Keys.PAGE_DOWN,
        Keys.PAGE_UP, Keys.ESCAPE, Keys.ENTER, Keys.TAB, Keys.HOME, Keys.SPACE, Keys.F10)
SHIFTED = "mhpuwasdy"
SEARCHES = ("main", "runtime", "g1", "kind:state dur>1us", "kind:log", "state:waiting", "/f.n/",
            "stack:main", "ended:no", "reason:sync", "dur>", "\"", "/(/", "goroutine:5 running",
            ">", "\u00e4\u20ac", "x" * 300)
SIZES = ((1400, 900), (800, 600), (1000, 500), (500, 900), (1920, 1080), (375, 640))
ZOOMS = (1, 1, 1.5, 2, 0.75)
PAGES = ("", "goroutines", "usertasks", "userregions", "gc", "mmu", "contention", "io", "block",
         "report", "syscall", "sched", "search?q=main")

# Empties what the timeline keeps up to a bound.
FORGET = """
    const {tiles, rows, drawing, tooltip, labels, arrows} = gotrace;
    tiles.tracks.clear();
    tiles.bytes = 0;
    rows.pages.clear();
    drawing.masks.masks.clear();
    tooltip.cache.clear();
    labels.widths.clear();
    arrows.runners.clear();
"""

# Errors that the browser's log does not have, and the answers that failed.
WATCH = """
    if (window.monkey) return;
    window.monkey = {errors: [], failed: []};
    addEventListener("error", ({message}) => monkey.errors.push(`error: ${message}`));
    addEventListener("unhandledrejection", ({reason}) =>
      monkey.errors.push(`rejection: ${reason?.stack ?? reason}`));
    const fetched = window.fetch;
    window.fetch = async (...asked) => {
      const answer = await fetched(...asked);
      if (answer.status >= 400) monkey.failed.push(`${answer.status} ${asked[0]}`);
      return answer;
    };
"""

# Clicks one of what can be clicked on the page, except what leaves it or saves files.
CLICKABLE = """
    const all = [...document.querySelectorAll("button, a[href], summary, input[type=checkbox],"
      + " [role=tab], [role=menuitem], select")];
    const fits = all.filter((each) => each.checkVisibility() && !each.disabled
      && !each.hasAttribute("download") && each.target !== "_blank"
      && !/^(http|blob|data|vscode)/.test(each.getAttribute("href") ?? "")
      && (!arguments[1] || !each.matches("a[href]"))
      && !/jsontrace|\\.pftrace|\\.pprof|\\.csv|Save|PNG|SVG|CSV|JSON|pprof|print/i.test(
        `${each.getAttribute("href") ?? ""} ${each.textContent}`));
    const one = fits[Math.floor(arguments[0] * fits.length)];
    one?.scrollIntoView({block: "nearest"});
    one?.click();
"""

# Answers that a user's wrong input leads to, as a search that cannot be parsed.
EXPECTED = ("400 api/search", "404 api/row", "404 api/span")


class Fault(Exception):
    """Something that must not happen."""


class Monkey:
    def __init__(self, viewer, browser, seed, stay):
        self.viewer = viewer
        self.stay = stay
        self.browser = browser
        self.random = random.Random(seed)
        self.log = []
        self.heap = Heap(browser)
        self.tasks = [row["id"] for row in viewer.ask("rows", view="task", count=40)["rows"]]
        browser.execute_cdp_cmd("Page.enable", {})
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "{(() => {%s})()}" % WATCH})
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
        self.actions = [
            (20, self.press_letter), (8, self.press_key), (6, self.press_shifted),
            (14, self.click_rows), (10, self.drag_rows), (10, self.wheel), (10, self.click_element),
            (4, self.menu), (5, self.search), (4, self.choose_row), (3, self.go_back),
            (2, self.go_forward), (2, self.resize), (1, self.zoom_page), (1, self.visit_page),
            (3, self.select_option)]
        if stay:
            leaving = (self.choose_row, self.visit_page, self.go_back, self.go_forward)
            self.actions = [each for each in self.actions if each[1] not in leaving]

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def open(self, path=""):
        self.browser.get("%s/%s" % (self.viewer.url, path))

    def is_timeline(self):
        return self.js("return !!window.gotrace?.layout")

    def act(self):
        weights = [weight for weight, _ in self.actions]
        action = self.random.choices([each for _, each in self.actions], weights)[0]
        self.log.append(action.__name__)
        try:
            action()
        except (JavascriptException, MoveTargetOutOfBoundsException):
            # The page was left, or the window has become smaller, in the middle of it.
            pass
        except TimeoutException as error:
            self.require_answer(error)
        time.sleep(WAIT)

    def require_answer(self, error):
        """The driver sometimes waits for an answer to an action in vain. The page is only to blame
        if it does not answer at all."""
        try:
            self.js("return 1")
        except TimeoutException:
            raise Fault("the page hangs: %s" % error.msg) from error

    # The actions.

    def send(self, *keys):
        ActionChains(self.browser, duration=0).send_keys(*keys).perform()

    def press_letter(self):
        self.leave_field()
        self.send(self.random.choice(LETTERS))

    def press_key(self):
        self.send(self.random.choice(KEYS))

    def press_shifted(self):
        self.leave_field()
        ActionChains(self.browser, duration=0).key_down(Keys.SHIFT) \
            .send_keys(self.random.choice(SHIFTED)).key_up(Keys.SHIFT).perform()

    def leave_field(self):
        """So that letters are keys and not text, most of the time."""
        if self.random.random() < 0.8:
            self.js("document.activeElement?.blur()")

    def point(self):
        """A place of the rows, their names, the axis or the minimap; else of the window."""
        name = self.random.choice(("canvas", "canvas", "canvas", "labels", "axis", "minimap"))
        box = self.js("""
            const box = document.getElementById(arguments[0])?.getBoundingClientRect();
            const [width, height] = [innerWidth, innerHeight];
            return box && box.width > 4 && box.height > 4 && box.y < height
              ? [box.x, box.y, Math.min(box.width, width - box.x),
                 Math.min(box.height, height - box.y)]
              : [0, 0, width, height]""", name)
        x, y, width, height = box
        return (int(x + self.random.random() * max(1, width - 2)),
                int(y + self.random.random() * max(1, height - 2)))

    def pointer(self, x, y):
        actions = ActionBuilder(self.browser, duration=0)
        actions.pointer_action.move_to_location(max(0, x), max(0, y))
        return actions

    def click_rows(self):
        actions = self.pointer(*self.point())
        if self.random.random() < 0.2:
            actions.pointer_action.double_click()
        else:
            actions.pointer_action.click()
        actions.perform()

    def menu(self):
        actions = self.pointer(*self.point())
        actions.pointer_action.context_click()
        actions.perform()

    def drag_rows(self):
        (x, y), (to_x, to_y) = self.point(), self.point()
        modifier = self.random.choice((None, None, Keys.CONTROL, Keys.SHIFT))
        if modifier:
            ActionChains(self.browser, duration=0).key_down(modifier).perform()
        actions = self.pointer(x, y)
        actions.pointer_action.pointer_down()
        actions.pointer_action.move_to_location((x + to_x) // 2, (y + to_y) // 2)
        actions.pointer_action.move_to_location(to_x, to_y)
        actions.pointer_action.pointer_up()
        actions.perform()
        if modifier:
            ActionChains(self.browser, duration=0).key_up(modifier).perform()

    def wheel(self):
        x, y = self.point()
        modifiers = self.random.choice((0, 0, 2, 2, 8))
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": x, "y": y, "modifiers": modifiers,
            "deltaX": self.random.choice((0, 0, 80)),
            "deltaY": self.random.choice((-400, -120, -20, 20, 120, 400))})

    def click_element(self):
        self.js(CLICKABLE, self.random.random(), self.stay)

    def select_option(self):
        self.js("""
            const all = [...document.querySelectorAll("select")].filter((each) =>
              each.checkVisibility());
            const one = all[Math.floor(arguments[0] * all.length)];
            if (!one) return;
            one.selectedIndex = Math.floor(arguments[1] * one.options.length);
            one.dispatchEvent(new Event("change", {bubbles: true}))""",
                self.random.random(), self.random.random())

    def search(self):
        text = self.random.choice(SEARCHES)
        if self.is_timeline():
            self.js("gotrace.run('search', arguments[0])", text)
            self.send(*self.random.choices((Keys.ENTER, Keys.ARROW_DOWN, Keys.ESCAPE), k=2))

    def choose_row(self):
        """A link as another page has it."""
        view = self.random.choice(("goroutine", "task", "proc", "thread"))
        number = self.random.randrange(1, 40)
        task = self.random.choice(self.tasks or [None])
        tree = f"&tree={task}" if task is not None and view == "task" else ""
        more = self.random.choice(("", f"&goid={number}", tree, "&group=1",
                                   "&sort=parent", f"&pin={view}:{number}&only=1", "&idle=0",
                                   f"&filter={number}"))
        self.open(f"?view={view}{more}")

    def go_back(self):
        self.js("history.back()")

    def go_forward(self):
        self.js("history.forward()")

    def resize(self):
        self.browser.set_window_size(*self.random.choice(SIZES))

    def zoom_page(self):
        """What the browser's own zoom does: another pixel ratio."""
        width, height = self.random.choice(SIZES)
        zoom = self.random.choice(ZOOMS)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": int(width / zoom), "height": int(height / zoom), "deviceScaleFactor": zoom,
            "mobile": False})

    def visit_page(self):
        self.open(self.random.choice(PAGES))

    # What must hold.

    def check(self):
        """Raises a Fault if anything has gone wrong since the last time."""
        if self.viewer.process.poll() is not None:
            raise Fault("the server has ended with %d" % self.viewer.process.returncode)
        found = self.js("""
            if (!window.monkey) return null;
            const {errors, failed} = window.monkey;
            return {errors: errors.splice(0), failed: failed.splice(0)}""")
        wrong = list(found["errors"]) if found else []
        wrong += [each for each in (found["failed"] if found else [])
                  if not each.startswith(EXPECTED)]
        wrong += [entry["message"] for entry in self.browser.get_log("browser")
                  if entry["level"] == "SEVERE" and not self.is_expected(entry["message"])]
        if not self.browser.current_url.startswith(self.viewer.url):
            raise Fault("it is at %s" % self.browser.current_url)
        if wrong:
            raise Fault("\n".join(wrong))

    @staticmethod
    def is_expected(message):
        """The browser logs each answer with an error, whoever is to blame."""
        return any("/%s" % each.split()[1] in message and each.split()[0] in message
                   for each in EXPECTED)

    def begin(self):
        self.open("?view=goroutine")
        self.wait_until_ready()
        self.js("window.monkey.state = structuredClone(gotrace.state)")

    def memory(self):
        """Returns bytes by what they are for, at the same page each time."""
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.set_window_size(1400, 900)
        if self.stay:
            self.send(Keys.ESCAPE, Keys.ESCAPE, Keys.ESCAPE)
            self.js("gotrace.run('search', ''); gotrace.set(structuredClone(window.monkey.state))")
        else:
            self.js("localStorage.clear()")
            self.open("?view=goroutine")
        self.wait_until_ready()
        self.js(FORGET)
        self.js("gotrace.invalidate('rows', 'labels')")
        self.wait_until_ready()
        time.sleep(0.3)
        with open("/proc/%d/status" % self.viewer.process.pid, encoding="ascii") as status:
            lines = dict(line.split(":", 1) for line in status)
        sizes = self.heap.bytes_by_type()
        return {"the objects of the page": sum(sizes.values()) - sizes["code"] - sizes["native"],
                "its document": sizes["native"], "its compiled code": sizes["code"],
                "the server": 1024 * int(lines["RssAnon"].split()[0])}

    def wait_until_ready(self):
        end = time.monotonic() + pages.PATIENCE
        while not self.js("return document.body?.dataset.ready === '1'"):
            if time.monotonic() > end:
                raise Fault("the timeline is never ready")
            time.sleep(0.05)


def run(monkey, actions):
    """Returns what is in use by action."""
    monkey.begin()
    measured = {}
    warm = min(WARM, max(1, actions // 5))
    for i in range(1, actions + 1):
        monkey.act()
        if i % ALIVE == 0 or i == actions:
            monkey.check()
        if i == warm or i % MEASURED == 0 or i == actions:
            measured[i] = monkey.memory()
            monkey.check()
            print("%5d actions: " % i + ", ".join(
                "%s %.2f MB" % (what, size / 1e6) for what, size in measured[i].items()),
                flush=True)
    for what, slack in SLACK.items():
        before, after = measured[warm][what], measured[actions][what]
        if after > before * GROWTH + slack:
            raise Fault("%s grew from %d to %d bytes" % (what, before, after))
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--actions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stay", action="store_true")
    parser.add_argument("trace")
    options = parser.parse_args()
    viewer = Viewer(options.trace)
    browser = open_browser(1400, 900)
    monkey = Monkey(viewer, browser, options.seed, options.stay)
    try:
        run(monkey, options.actions)
        print(json.dumps({"actions": options.actions, "seed": options.seed,
                          "trace": os.path.basename(options.trace)}))
        return 0
    except Fault as fault:
        print("after %d actions, the last of which are %s:\n%s"
              % (len(monkey.log), ", ".join(monkey.log[-12:]), fault), file=sys.stderr)
        return 1
    finally:
        browser.quit()
        viewer.stop()


if __name__ == "__main__":
    sys.exit(main())
