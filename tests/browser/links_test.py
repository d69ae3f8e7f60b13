# SPDX-License-Identifier: BSD-3-Clause
"""Links that show again what a page shows, and commands that fetch it."""

import json
import shlex
import subprocess
import time
from urllib.parse import parse_qs, urlencode, urlsplit

from browser import Keys, PageTest, PATIENCE, unittest, wait_for
from timeline import TimelineTest

# What is drawn and said: the canvases without what depends on the pointer, and the panel.
DRAWN = """
    const visible = (id) => document.getElementById(id);
    const canvases = ["canvas", "labels", "minimap", "axis", "counters", "overlay"]
      .map((id) => [id, visible(id).toDataURL()]);
    const graph = [...document.querySelectorAll(".flame canvas")]
      .filter((each) => each.checkVisibility()).map((each) => ["flame", each.toDataURL()]);
    const panel = document.getElementById("panel");
    const texts = [...panel.querySelectorAll(".panel-body:not([hidden])")]
      .map((each) => each.innerText.replace(/process [^\\n]*/g, ""));
    return {...Object.fromEntries([...canvases, ...graph]), panel: panel.hidden ? "" : texts[0],
            tab: document.querySelector("#panel [aria-selected=true]").id,
            dock: document.body.dataset.dock,
            pressed: [...document.querySelectorAll("#top [aria-pressed], #top input")]
              .map((each) => each.ariaPressed ?? each.checked ?? each.value).join()};
"""

# What another browser may remember: the opposite of what the walks choose.
OTHER = {
    "gotrace.timeline": json.dumps({"tooltips": False, "overlay": False, "labels": True,
                                    "compact": False, "arrows": True}),
    "gotrace.panel": json.dumps({"dock": "bottom", "tab": "search", "visible": False}),
    "gotrace.flame": "syscall", "gotrace.hide-runtime": "0", "gotrace.bars": "0",
}

FIND = "document.querySelector('#panel-flame input[type=search]')"
# Waits for what a selector finds.
UNTIL = """
    const until = async (selector) => {
      while (!document.querySelector(selector))
        await new Promise((resolve) => { setTimeout(resolve, 20); });
    };
"""
FRAME = UNTIL + """
    await until("#panel-flame .flame:not(.is-empty)");
    const graph = document.querySelector("#panel-flame .flame canvas");
    graph.focus();
    const press = (key) => graph.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
"""

# Walks through the timeline: by the member of the state, what the user does to change it.
WALKS = {
    "notes": {
        "notes": "gotrace.notes.set([{time: 5000000, end: null, row: '', text: 'a, b\\n* 100%'},"
                 " {time: 2000000, end: 3000000, row: 'proc:1', text: '<b>\u00e4</b>'}])",
        "tab": "document.getElementById('tab-notes').click()",
        "panel": "if (document.getElementById('panel').hidden) gotrace.run('panel')",
    },
    "rows": {
        "view": "document.querySelector('[data-view=goroutine]').click()",
        "group": "document.getElementById('group').click()",
        "fold": "gotrace.rows.toggleGroup(0)",
        "sort": "gotrace.set({sort: 'running'})",
        "desc": "document.getElementById('desc').click()",
        "filter": "gotrace.set({filter: 'm'})",
        "s": "gotrace.zoomTo(1000000, 5000000)", "e": "",
        "idle": "document.getElementById('active').click()",
        "origin": "gotrace.set({origin: 2000000})",
        "tf": "gotrace.set({tf: 'rel'})",
        "marks": "gotrace.set({marks: [1500000, 2500000]})",
        "pin": "gotrace.set({pin: ['goroutine:1', 'goroutine:7']})",
        "hide": "gotrace.set({hide: ['goroutine:21']})",
        "row": "gotrace.focusRow({view: 'goroutine', id: 7, title: ''})",
        "show": "for (const name of ['compact', 'labels']) gotrace.togglePref(name)",
        "counters": "document.getElementById('counters-collapse').click()",
    },
    "scrolled": {
        "view": "gotrace.set({view: 'goroutine'})",
        "y": "gotrace.set({y: 1})",
    },
    "details": {
        "sel": "const answer = await fetch('api/search?q=kind:log&max=40');"
               "const [{row_id, start}] = (await answer.json()).results;"
               "const row = await fetch(`api/row?view=goroutine&id=${row_id}`);"
               "await gotrace.selecting.selectAt((await row.json()).lanes[0].track, start)",
        "tab": "document.getElementById('tab-flame').click();"
               "document.getElementById('tab-details').click()",
        "panel": "if (document.getElementById('panel').hidden) gotrace.run('panel')",
        "runtime": "document.querySelector('.stacks-head input').click()",
        "shut": "document.querySelector('#panel-details details.fold summary').click()",
        "open": "document.querySelector('.inline-stack summary').click()",
        "dock": "document.querySelector('.panel-tools button').click()",
    },
    "tree": {
        "view": "gotrace.set({view: 'task'})",
        "tree": "const answer = await fetch('api/rows?view=task&count=1');"
                "gotrace.set({tree: (await answer.json()).rows[0].id})",
        "fold": "gotrace.rows.toggleGroup(0)",
    },
    "pins": {
        "view": "gotrace.set({view: 'goroutine'})",
        "pin": "const answer = await fetch('api/rows?view=goroutine&count=40');"
               "const {rows} = await answer.json();"
               "gotrace.set({pin: rows.map(({id}) => `goroutine:${id}`)})",
        "only": "gotrace.run('pins-only')",
        "pinY": "gotrace.set({pinY: 3})",
    },
    "flame": {
        "area": "gotrace.set({area: {start: 1000000, end: 9000000, tracks: [0, 2, 3, 4, 9]}})",
        "panel": "if (document.getElementById('panel').hidden) gotrace.run('panel')",
        "tab": "document.getElementById('tab-flame').click()",
        "kind": "const kind = document.querySelector('#panel-flame select'); kind.value = 'wall';"
                "kind.dispatchEvent(new Event('change'))",
        "flame": "document.querySelector('#panel-flame .flame-modes button').click()",
        "zoom": FRAME + "press('ArrowDown'); press('ArrowDown'); press('Enter')",
        "frame": FRAME + "press('ArrowDown')",
        "find": f"{FIND}.value = 'chan'; {FIND}.dispatchEvent(new Event('input'))",
    },
    "numbers": {
        "area": "gotrace.set({area: {start: 1000000, end: 9000000, tracks: null}})",
        "panel": "if (document.getElementById('panel').hidden) gotrace.run('panel')",
        "tab": "document.getElementById('tab-area').click()",
        "sorts": "document.querySelectorAll('#panel-area th button')[3].click();"
                 "document.querySelectorAll('#panel-area th button')[0].click()",
    },
    "search": {
        "within": "gotrace.set({within: {start: 1000000, end: 20000000, tracks: null}})",
        "q": "const field = document.getElementById('search'); field.value = 'kind:region';"
             "field.dispatchEvent(new Event('input'))",
        "more": UNTIL + """
            await until(".search-group > button");
            document.querySelector(".search-group > button").click();
        """,
        "hit": "gotrace.run('search-next'); gotrace.run('search-next')",
        "titles": "document.querySelector('.search-head .titles-switch input').click()",
        "tab": "",
    },
    "compare": {
        "view": "gotrace.set({view: 'goroutine'})",
        "base": "gotrace.set({base: {view: 'goroutine', start: 1000000, end: 3000000,"
                " tracks: null, tree: null}})",
        "area": "gotrace.set({area: {start: 4000000, end: 9000000, tracks: null}})",
        "tab": "document.getElementById('tab-compare').click()",
        "against": "const kind = document.querySelector('#panel-compare select');"
                   "kind.value = 'waiting'; kind.dispatchEvent(new Event('change'))",
        "norm": "[...document.querySelectorAll('#panel-compare .button')]"
                ".find((each) => each.textContent === 'By length').click()",
    },
}

# Keeps what is copied, which a browser without windows may refuse.
GRAB = """
    window.copied = [];
    const writeText = async (text) => { window.copied.push(text); };
    Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText}});
"""

NAMES = """
    const [module, done] = arguments;
    import("/static/address.js").then(({tables}) =>
      done(tables.flatMap((table) => table.fields.map(([key, field]) => [key, field.name]))));
"""

HOSTILE = ("1e999", "NaN", "-1", "null", "0x10", "[object Object]", "%00", "%", "1" * 400,
           "a" * 3000, "99999999999999999999",
           "-99999999999999999999-99999999999999999999@0-4000000000",
           ",".join(f"goroutine:{i}" for i in range(900)), "*,%FF,%ZZ", "<img src=x>", "true",
           "0-4000000000", "goroutine:1e9", "task:5-1", "1.2.3-4.5.6", "area:--time,constructor:x",
           "__proto__", "toString,valueOf", "1.5")


class Links(TimelineTest):
    trace = "v2/go1.27-mix.trace"

    def remember(self, values):
        """What another browser has stored, from a page that stores nothing as it is left."""
        self.browser.get(self.viewer.url + "/static/icon.svg")
        self.js("localStorage.clear(); for (const [key, value] of Object.entries(arguments[0]))"
                " localStorage.setItem(key, value)", values)

    def rest(self):
        """Until nothing is asked for and nothing moves."""
        self.settle()
        wait_for(lambda: self.js("return !document.querySelector('[aria-busy=true]')"
                                 " && document.body.dataset.ready === '1'"), "rest")

    def walk(self, steps):
        for name, script in steps.items():
            self.js(f"return (async () => {{ {script} }})()")
            usual = self.js("return import('/static/state.js').then(({TIMELINE}) =>"
                            " TIMELINE.parse('')[arguments[0]])", name)
            wait_for(lambda: self.js("return gotrace.state[arguments[0]]", name) != usual,
                     f"a change of {name}")
            self.rest()

    def drawn(self):
        """What is drawn, without the pointer and the focus."""
        self.js("gotrace.cursor = null; document.activeElement?.blur(); gotrace.invalidate('rows',"
                " 'labels', 'axis', 'overlay', 'counters', 'minimap')")
        self.rest()
        return self.js(DRAWN)

    def calm(self):
        """The same, once it has not changed for a while: what is asked for last may change it."""
        found = []

        def still():
            found.append(self.drawn())
            time.sleep(0.15)
            return len(found) > 5 and all(each == found[-1] for each in found[-6:])

        wait_for(still, "calm")
        return found[-1]

    def link(self):
        return self.js("return gotrace.link().text")

    def kept(self):
        """The state, with what is scrolled as precisely as addresses have it."""
        return {key: round(value, 3) if key in ("y", "pinY") else value
                for key, value in self.state().items()}

    def test_a_link_shows_in_a_fresh_browser_all_that_was_changed(self):
        for name, steps in WALKS.items():
            with self.subTest(name):
                self.remember({})
                self.open_timeline("/")
                self.walk(steps)
                drawn, state, link = self.calm(), self.kept(), self.link()
                self.remember(OTHER)
                self.browser.get(link)
                wait_for(lambda: self.js("return window.gotrace?.actions.has('palette')"),
                         "the panels")
                self.assert_same(state, drawn)

    def assert_same(self, state, drawn):
        """Once all has been asked for."""
        found = {}

        def same():
            found["drawn"], found["state"] = self.drawn(), self.kept()
            return found == {"drawn": drawn, "state": state}

        try:
            wait_for(same, "the same")
        except AssertionError:
            self.assertEqual(found["state"], state)
            for part, picture in drawn.items():
                self.assertEqual(found["drawn"].get(part), picture, part)
            raise

    def test_every_piece_of_the_state_is_walked(self):
        self.open_timeline("/")
        keys = {key for key, _ in self.browser.execute_async_script(NAMES, "")}
        self.assertEqual(keys, {key for steps in WALKS.values() for key in steps})
        self.assertEqual(keys, set(self.state()))

    def test_links_from_others_do_no_harm(self):
        self.open_timeline("/")
        names = {name for _, name in self.browser.execute_async_script(NAMES, "")}
        for text in HOSTILE:
            states = self.js("""
                const [names, text] = arguments;
                return import("/static/state.js").then(({parseState, stateQuery}) =>
                  names.map((name) => {
                    const state = parseState(new URLSearchParams([[name, text]]).toString(),
                                             `#${text}:${text}`);
                    return [name, stateQuery(state, state.s === null, true).text.length];
                  }));
            """, sorted(names), text)
            for name, length in states:
                self.assertLess(length, 6500, f"{name}={text[:40]}")
        for text in ("1e999", "goroutine:1e9", "-5", "1" * 200):
            with self.subTest(text[:20]):
                self.open_timeline("/?" + urlencode({name: text for name in names}))
                self.assertTrue(self.js("return gotrace.actions.has('palette')"))

    def test_a_state_that_is_too_long_is_left_out_and_said(self):
        self.open_timeline("/?view=goroutine")
        link = self.js("return gotrace.link({filter: 'x'.repeat(2000), pin: Array.from("
                       "{length: 2000}, (_, i) => `goroutine:${i}`)})")
        self.assertEqual(link["tooLong"], ["the filter", "the pinned rows"])
        self.assertLess(len(link["text"]), 12100)

    def grab(self):
        self.js(GRAB)

    def copied(self):
        return wait_for(lambda: self.js("return window.copied.pop()"), "a copy")

    def test_keys_copy_and_say_so(self):
        self.open_timeline("/?view=goroutine")
        self.grab()
        self.press("y")
        link = self.copied()
        self.assertEqual(link, self.link())
        self.assertTrue(link.startswith(self.viewer.url + "/?view=goroutine&"), link)
        wait_for(lambda: "Link copied" in self.text("#live"), "it to be said")
        self.press_with(Keys.SHIFT, "y")
        self.assertIn("/jsontrace?view=goroutine", self.copied())
        wait_for(lambda: "curl command copied" in self.text("#live"), "it to be said")

    def fetch(self, command):
        """What a command prints, which is run by a shell."""
        return subprocess.run(["sh", "-c", command], check=True, capture_output=True,
                              timeout=PATIENCE).stdout

    def test_copied_commands_fetch_what_the_panels_show(self):
        self.open_timeline("/?view=goroutine&area=1000000-9000000&tab=area&panel=1")
        self.rest()
        self.grab()
        for tab, field in (("area", "classes"), ("flame", "nodes")):
            with self.subTest(tab):
                self.js("gotrace.set({tab: arguments[0]})", tab)
                self.rest()
                self.press_with(Keys.SHIFT, "y")
                self.assertGreater(len(json.loads(self.fetch(self.copied()))[field]), 3)
        self.js("gotrace.set({q: 'reason:sync', tab: 'search'})")
        self.rest()
        self.press_with(Keys.SHIFT, "y")
        self.assertGreater(json.loads(self.fetch(self.copied()))["total"], 0)

    def test_names_cannot_leave_the_quotes_of_a_command(self):
        self.open_timeline("/?view=goroutine")
        self.grab()
        for text in ("'; touch /tmp/x; '", "$(id)", "`id`", "a\"b", "{1,2}[1-9]", "\\'", "--help"):
            with self.subTest(text):
                self.js("gotrace.set({q: arguments[0], tab: 'search', panel: true})", text)
                self.js("gotrace.run('copy-curl')")
                words = shlex.split(self.copied())
                self.assertEqual(words[:-1], ["curl", "--silent", "--show-error", "--fail",
                                              "--globoff"])
                query = parse_qs(urlsplit(words[-1]).query)
                self.assertEqual(query["q"], [text.strip()])
        self.js("gotrace.set({q: ''})")


TABLES = "document.querySelectorAll('#page table')"
PLOT = """
    while (!document.querySelector("#page .mmu-details h2"))
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    const plot = document.querySelector("#page svg[tabindex]");
    for (const key of ["ArrowRight", "Enter"])
      plot.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    plot.dispatchEvent(new PointerEvent("pointerleave"));
"""
TURN = """
    [...document.querySelectorAll(".pager button")].find((each) => each.textContent === "Next")
      .click();
"""

# Walks through the other pages: by the parameter of the address, what the user does to change it.
PAGES = {
    "/goroutines": {
        "filter": "const field = document.querySelector('#page input[type=search]');"
                  "field.value = 'main'; field.dispatchEvent(new Event('input'))",
        "measure": "const select = document.querySelector('#page select'); select.value = 'block';"
                   "select.dispatchEvent(new Event('change'))",
        "bars": "document.querySelector('#page input[type=checkbox]').click()",
        "sorts": "document.querySelectorAll('#page th button')[1].click()",
    },
    "/contention?class=all": {
        "sort": "document.querySelectorAll('#page th button')[1].click()",
        "desc": "document.querySelectorAll('#page th button')[1].click()",
        "titles": "document.querySelector('.titles-switch input').click()",
        "open": "document.querySelectorAll('#page details summary')[1].click()",
    },
    "/search?q=kind:region": {"first": TURN},
    "/gc": {
        "sort": f"{TABLES}[2].querySelectorAll('th button')[1].click()",
        "desc": "",
        "stop-sort": f"{TABLES}[3].querySelectorAll('th button')[0].click()",
        "stop-desc": f"{TABLES}[3].querySelectorAll('th button')[0].click()",
        "sorts": f"{TABLES}[1].querySelectorAll('th button')[4].click()",
        "window": PLOT,
    },
    "/mmu": {
        "flags": "document.querySelector('#page input[value=sweep]').click();"
                 "document.querySelector('#page input[value=mut]').click()",
        "window": PLOT,
    },
    "/block": {
        "flame": "document.querySelectorAll('.flame-modes button')[1].click();"
                 "[...document.querySelectorAll('.flame-tools button')]"
                 ".find((each) => each.textContent === 'Table').click()",
        "find": "const field = document.querySelector('.flame-tools input'); field.value = 'chan';"
                "field.dispatchEvent(new Event('input'))",
        "sorts": "document.querySelectorAll('.flame-table th button')[1].click()",
    },
    "/sched": {
        "zoom": FRAME.replace("#panel-flame ", "") + "press('ArrowDown'); press('Enter')",
        "frame": FRAME.replace("#panel-flame ", "") + "press('ArrowDown')",
    },
    "/userregions": {"sorts": "document.querySelectorAll('#page th button')[0].click()"},
}

SEEN = """
    const page = document.getElementById("page");
    return [page.innerText,
            [...page.querySelectorAll("input, select")].map((each) => [each.value, each.checked]),
            [...page.querySelectorAll("th")].map((each) => each.ariaSort),
            [...page.querySelectorAll("canvas")].filter((each) => each.checkVisibility())
              .map((each) => each.toDataURL())];
"""


class PageLinks(PageTest):
    trace = "v2/go1.27-mix.trace"

    def names(self):
        """What the page stores; it also knows the table of the timeline, which is not its own."""
        names = [name for _, name in self.browser.execute_async_script(NAMES, "")]
        return set(names[self.js("return import('/static/state.js')"
                                 ".then(({TIMELINE}) => TIMELINE.fields.length)"):])

    def seen(self):
        found = []

        def calm():
            self.settle()
            self.js("document.activeElement?.blur()")
            found.append(self.js(SEEN))
            time.sleep(0.1)
            return len(found) > 2 and found[-1] == found[-2] == found[-3]

        wait_for(calm, "calm")
        return found[-1]

    def test_a_link_shows_in_a_fresh_browser_all_that_was_changed(self):
        for path, steps in PAGES.items():
            with self.subTest(path):
                self.open(path)
                for name, script in steps.items():
                    self.js(f"return (async () => {{ {script} }})()")
                    wait_for(lambda: name in self.parameters(), name)
                    self.seen()
                link = self.js("return import('/static/pagestate.js')"
                               ".then(({pageLink}) => pageLink().text)")
                before = self.seen()
                self.browser.get(self.viewer.url + "/static/icon.svg")
                self.js("localStorage.clear(); localStorage.setItem('gotrace.bars', '0')")
                self.browser.get(link)
                wait_for(lambda: self.seen() == before, "the same page")

    def test_every_piece_of_the_state_is_walked(self):
        walked = {name for steps in PAGES.values() for name in steps}
        for path, steps in PAGES.items():
            with self.subTest(path):
                self.open(path)
                names = self.names()
                left = names - set(steps)
                # What tables and flame graphs have in common is walked once.
                self.assertEqual({name.replace("stop-", "") for name in left} - walked, set())
                self.assertEqual(set(steps) - names, set())

    def test_links_from_others_do_no_harm(self):
        for path in PAGES:
            self.open(path)
            names = self.names() - {"sort", "stop-sort"}
            for text in ("1e999", "-5", "1.5", "<img>", "1" * 200, "%FF"):
                with self.subTest(f"{path} {text[:20]}"):
                    sign = "&" if "?" in path else "?"
                    self.open(path + sign + urlencode({name: text for name in names}))
                    self.assertFalse(self.shown("#page .error"))

    def test_keys_copy(self):
        self.open("/contention?class=all")
        self.js(GRAB)
        self.press("y")
        copied = wait_for(lambda: self.js("return window.copied.pop()"), "a copy")
        self.assertTrue(copied.startswith(self.viewer.url + "/contention?class=all"), copied)
        wait_for(lambda: self.text("#live") == "Copied", "it to be said")
        self.press_with(Keys.SHIFT, "y")
        command = wait_for(lambda: self.js("return window.copied.pop()"), "a copy")
        output = subprocess.run(["sh", "-c", command], check=True, capture_output=True,
                                timeout=PATIENCE).stdout
        self.assertEqual(json.loads(output)["total"],
                         self.viewer.ask("contention", **{"class": "all"})["total"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
