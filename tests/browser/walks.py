# SPDX-License-Identifier: BSD-3-Clause
"""Walks through the state of the timeline, and what the links of pages must show again."""

import json
import time

from browser import wait_for
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

# Walks through the timeline: by the member of the state, what the user does to change it. These are
# about rows.
ROWS = {
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
}

# These are about the panel.
PANEL = {
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
    "why": {
        "view": "gotrace.set({view: 'goroutine'})",
        "why": "gotrace.set({why: 'goroutine:1.1000000.9000000'})",
        "tab": "document.getElementById('tab-why').click()",
        "panel": "if (document.getElementById('panel').hidden) gotrace.run('panel')",
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
    "/report": {
        "titles": "document.querySelector('.titles-switch input').click()",
        "open": "document.querySelectorAll('#page details.opener summary')[1].click()",
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

# Keeps what is copied, which a browser without windows may refuse.
GRAB = """
    window.copied = [];
    const writeText = async (text) => { window.copied.push(text); };
    Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText}});
"""

NAMES = """
    const [module, done] = arguments;
    import("/STATIC/address.js").then(({tables}) =>
      done(tables.flatMap((table) => table.fields.map(([key, field]) => [key, field.name]))));
"""


class WalkTest(TimelineTest):
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
            usual = self.js("return import('/STATIC/state.js').then(({TIMELINE}) =>"
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

    def like(self, state):
        """The state, with what `state` has for the scrolling if that differs by no more than in
        addresses, which have ten-thousandths of a row."""
        return {key: state[key] if key in ("y", "pinY") and abs(value - state[key]) < 0.0001
                else value for key, value in self.state().items()}

    def check(self, steps):
        """What a walk has changed is there again in a browser that remembers something else."""
        self.remember({})
        self.open_timeline("/")
        self.walk(steps)
        drawn, state, link = self.calm(), self.state(), self.link()
        self.remember(OTHER)
        self.browser.get(link)
        wait_for(lambda: self.js("return window.gotrace?.actions.has('palette')"), "the panels")
        self.assert_same(state, drawn)

    def assert_same(self, state, drawn):
        """Once all has been asked for."""
        found = {}

        def same():
            found["drawn"], found["state"] = self.drawn(), self.like(state)
            return found == {"drawn": drawn, "state": state}

        try:
            wait_for(same, "the same")
        except AssertionError:
            self.assertEqual(found["state"], state)
            for part, picture in drawn.items():
                self.assertEqual(found["drawn"].get(part), picture, part)
            raise
