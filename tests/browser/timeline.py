# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the timeline have in common: where things are, and how they are pointed at."""

from contextlib import contextmanager

from browser import ActionBuilder, ActionChains, PageTest, ScrollOrigin, wait_for

VIEWS = ("proc", "thread", "goroutine", "task")
THEMES = ("light", "dark")

# Where a span is in the window, and what colour it mostly has.
PLACE = """
    const [track, start, end] = arguments;
    const {layout, view} = window.gotrace;
    const placed = layout.tracks.get(track);
    if (!placed) return null;
    const canvas = document.getElementById("canvas");
    const box = canvas.getBoundingClientRect();
    const left = Math.max(view.x(start), 0), right = Math.min(view.x(end), view.width);
    const width = Math.max(1, Math.floor(right - left) - 2);
    const {y, height} = placed.lane;
    const {data} = canvas.getContext("2d").getImageData(Math.ceil(left) + 1, y, width, height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const colour = data.slice(i, i + 3).join();
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const most = [...counts].sort((a, b) => b[1] - a[1])[0][0];
    return {x: Math.round(box.x + (left + right) / 2), y: Math.round(box.y + y + height / 2),
            width: right - left, colour: most.split(",").map(Number)};
"""

# The shades that a class may have.
SHADES = """
    const probe = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.documentElement);
    probe.fillStyle = style.getPropertyValue(`--class-${arguments[0].replaceAll("_", "-")}`).trim();
    probe.fillRect(0, 0, 1, 1);
    const base = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
    const shade = (to, share) => base.map((part) => Math.round(part * (1 - share) + to * share));
    return [0, 255].flatMap((to) => [0, 0.09, 0.18, 0.27].map((share) => shade(to, share)));
"""


@contextmanager
def themed(browser, theme):
    """With what the system asks for; the page has no theme of its own then."""
    def emulate(features):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    emulate([{"name": "prefers-color-scheme", "value": theme}])
    try:
        yield
    finally:
        emulate([])


class TimelineTest(PageTest):
    def width(self):
        state = self.state()
        return state["e"] - state["s"]

    def rows(self, view, **query):
        return self.viewer.ask("rows", view=view, count=100, **query)["rows"]

    def span(self, track, index):
        return self.viewer.ask("span", track=track, index=index)

    def longest(self, view, kind):
        """The longest span of the lanes of a kind in the view's first rows."""
        best = None
        for row in self.rows(view)[:12]:
            for lane in row["lanes"]:
                span = self.span(lane["track"], 0) if lane["kind"] == kind else None
                while span:
                    if best is None or span["end"] - span["start"] > best["end"] - best["start"]:
                        best = span
                    span = span["next"] and self.span(**span["next"])
        return best

    def placed(self, span):
        where = [span[key] for key in ("track", "start", "end")]
        return wait_for(lambda: self.js(PLACE, *where), "the span's place")

    def pointer(self, x, y):
        actions = ActionBuilder(self.browser, duration=0)
        actions.pointer_action.move_to_location(x, y)
        return actions

    def click(self, span):
        place = self.placed(span)
        actions = self.pointer(place["x"], place["y"])
        actions.pointer_action.click()
        actions.perform()

    def drag(self, start, end, modifier=None):
        if modifier:
            ActionChains(self.browser, duration=0).key_down(modifier).perform()
        actions = self.pointer(*start)
        pointer = actions.pointer_action
        pointer.pointer_down()
        for step in (1, 2, 3):
            pointer.move_to_location(*(int(a + (b - a) * step / 3) for a, b in zip(start, end)))
        pointer.pointer_up()
        actions.perform()
        if modifier:
            ActionChains(self.browser, duration=0).key_up(modifier).perform()

    def box(self, name="canvas"):
        return self.js("const b = document.getElementById(arguments[0]).getBoundingClientRect();"
                       "return {x: Math.ceil(b.x), y: Math.ceil(b.y), width: b.width,"
                       " height: b.height}", name)

    def scroll(self, modifier, x, y, by):
        ActionChains(self.browser, duration=0).key_down(modifier) \
            .scroll_from_origin(ScrollOrigin.from_viewport(x, y), 0, by).key_up(modifier).perform()

    def time_at(self, x):
        """The time at a place of the window."""
        return self.js("return window.gotrace.view.time(arguments[0])", x - self.box()["x"])

    def pref(self, name):
        return self.js("return window.gotrace.prefs[arguments[0]]", name)

    def items(self, script):
        """What a function says of each row on the screen."""
        return self.js(f"return window.gotrace.layout.items.map({script})")

    def select(self, span):
        self.js("window.gotrace.select(arguments[0], arguments[1])", span["track"], span["index"])
        self.await_selection(span)

    def await_selection(self, span):
        wait_for(lambda: self.selected() == (span["track"], span["index"]), "the selection")

    def selected(self):
        found = self.js("const span = window.gotrace.selection;"
                        "return span && [span.track, span.index]")
        return found and tuple(found)

    def answer_roughly(self, path, change):
        """Answers rough requests with an estimate, to which `change` is done, and requests for the
        exact answer when window.release() is called."""
        self.js("""
            const fetched = window.fetch;
            window.released = new Promise((release) => { window.release = release; });
            window.fetch = async (address, options) => {
              if (!String(address).startsWith("api/%s?")) return fetched(address, options);
              const rough = String(address).includes("rough=1");
              if (!rough) await window.released;
              const answer = await (await fetched(address, options)).json();
              if (!rough) return Response.json(answer);
              %s
              return Response.json({...answer, approximate: true, spans: 12345678});
            };""" % (path, change))

    def await_focus(self, row):
        wait_for(lambda: self.js("return window.gotrace.focus") == row, f"the row {row}")

    def await_details(self, span):
        wait_for(lambda: span["row"]["title"] in self.text("#panel-details .facts")
                 and self.shown("#panel-details"), "the details")

    def has_its_colour(self, span):
        return self.placed(span)["colour"] in self.js(SHADES, span["class"])

    def assert_drawn(self, view, kind):
        """The pixels where the longest span is have the colour of its class."""
        span = self.longest(view, kind)
        self.assertGreater(self.placed(span)["width"], 20)
        self.assertTrue(self.has_its_colour(span), span)
