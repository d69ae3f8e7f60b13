# SPDX-License-Identifier: BSD-3-Clause
"""Spans and areas of the timeline: how they are selected, and what is then said of them."""

import base64
import re
from xml.etree import ElementTree

from browser import Keys, run, unittest, wait_for
from timeline import TimelineTest, VIEWS


class Selecting(TimelineTest):
    def test_click_selects_and_escape_clears(self):
        for view in VIEWS:
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                span = self.longest(view, "task" if view == "task" else "state")
                self.click(span)
                self.await_selection(span)
                self.await_details(span)
                wait_for(lambda: self.parameters().get("sel") == f"{span['track']}.{span['index']}",
                         "the address")
                self.press(Keys.ESCAPE)
                wait_for(lambda: self.selected() is None and self.state()["sel"] is None,
                         "no selection")

    def test_details_say_what_the_dump_says(self):
        """Of a goroutine's first wait: its time, its reason, and the stack that led to it."""
        dump = run("dump", self.path()).decode()
        first = int(re.search(r" Time=(\d+)", dump).group(1))
        wait = re.search(r"Time=(\d+) GoID=1 Running->Waiting Reason=\"(.*)\"\n"
                         r"TransitionStack=\n((?:\t.*\n)+)", dump)
        functions = re.findall(r"^\t(\S+) @", wait.group(3), re.MULTILINE)
        self.assertGreater(len(functions), 2)
        track = self.rows("goroutine", filter="g1")[0]["lanes"][0]["track"]
        span = self.viewer.ask("span", track=track, at=int(wait.group(1)) - first)
        self.open_timeline(f"/?view=goroutine&sel={track}.{span['index']}")
        self.await_details(span)
        terms = "document.querySelectorAll('#panel-details .facts dt')"
        facts = self.js(f"return Object.fromEntries([...{terms}]"
                        ".map((term) => [term.textContent, term.nextElementSibling.textContent]))")
        self.assertEqual(facts["Reason"], wait.group(2))
        self.assertEqual(facts["Start"],
                         f"{(int(wait.group(1)) - first) / 1e9:.9f}".rstrip("0") + " s")
        frames = self.js("const stack = document.querySelector('#panel-details .stack');"
                         "return [...stack.querySelectorAll('.frame-function')]"
                         ".map((frame) => frame.textContent)")
        self.assertEqual(frames, functions)

    def woken(self):
        """A span that another one led to, which woke others before and lasts much longer."""
        for row in self.rows("goroutine"):
            span = self.span(row["lanes"][0]["track"], 0)
            while span:
                place = span["by"] and span["by"]["span"]
                cause = place and self.span(**place)
                if cause and len(cause["wakes"]) > 1 and \
                        cause["wakes"][0]["span"] != {key: span[key] for key in ("track", "index")}:
                    return span, cause
                span = span["next"] and self.span(**span["next"])
        raise AssertionError("no such span")

    def middle(self):
        """The time in the middle of the screen, and how much is shown."""
        state = self.state()
        return (state["s"] + state["e"]) / 2, state["e"] - state["s"]

    def test_arrows_lead_to_the_wake_up_and_back(self):
        span, cause = self.woken()
        time = span["by"]["time"]
        # The cause is on the screen, but the wake-up is not in the middle of it.
        self.open_timeline(f"/?view=goroutine&s={time - 1000}&e={time + 7000}")
        self.select(span)
        self.settle()
        before = self.middle()
        self.press("[")
        self.await_selection(cause)
        wait_for(lambda: abs(self.middle()[0] - time) <= 1, "the wake-up in the middle")
        self.assertAlmostEqual(self.middle()[1], before[1], delta=1)
        self.press("]")
        self.await_selection(span)
        wait_for(lambda: abs(self.middle()[0] - before[0]) <= 1, "what was shown before")

    def test_keyboard_alone(self):
        self.open_timeline("/?view=goroutine")
        self.press(Keys.ARROW_DOWN)
        first = wait_for(self.selected, "a selection")
        for there, back in ((".", ","), (Keys.ARROW_RIGHT, Keys.ARROW_LEFT)):
            self.js("window.gotrace.select(0, 0)")
            wait_for(lambda: self.selected() == (0, 0), "the first span")
            self.press(there)
            wait_for(lambda: self.selected() == (0, 1), "the next one")
            self.press(back)
            wait_for(lambda: self.selected() == (0, 0), "the one before")
        self.press(Keys.ARROW_DOWN)
        below = wait_for(lambda: self.selected() != (0, 0) and self.selected(), "the row below")
        self.press(Keys.ARROW_UP)
        wait_for(lambda: self.selected() not in (None, below), "the row above")
        self.assertIsNotNone(first)

    def test_arrows_are_followed(self):
        """From a wait to who ended it, as the API has it."""
        self.open_timeline("/?view=goroutine")
        row = self.rows("goroutine", filter="g10")[0]
        span = self.span(row["lanes"][0]["track"], 0)
        while not span["by"]:
            span = self.span(**span["next"])
        self.select(span)
        self.press("[")
        self.await_selection(span["by"]["span"])

    def test_area_of_the_selection(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "region")
        self.select(span)
        self.press("r")
        wait_for(lambda: (self.state()["area"] or {}).get("start") == span["start"], "the area")
        self.assertEqual(self.state()["area"]["end"], span["end"])
        address = f"{span['start']}-{span['end']}"
        wait_for(lambda: self.parameters().get("area", "").startswith(address), "the address")

    def test_dragging_makes_an_area_that_is_summed_up(self):
        """Of the rows that were dragged over, with the numbers of the API."""
        self.open_timeline("/?view=goroutine")
        box = self.box()
        self.drag((int(box["x"] + box["width"] * 0.2), box["y"] + 5),
                  (int(box["x"] + box["width"] * 0.9), box["y"] + 100))
        area = wait_for(lambda: self.state()["area"], "an area")
        self.assertGreater(len(area["tracks"]), 1)
        answer = self.viewer.ask("area", start=area["start"], end=area["end"],
                                 tracks=",".join(map(str, area["tracks"])))
        expected = {row["class"]: row["count"] for row in answer["classes"] if row["count"] > 0}
        self.assertGreater(len(expected), 2)
        shown = wait_for(lambda: self.table(0), "the table")
        self.assertEqual(sorted(int(row[3].replace(",", "")) for row in shown),
                         sorted(expected.values()))
        self.assert_durations([row[1] for row in shown],
                              [row["time"] for row in answer["classes"] if row["count"] > 0])
        wait_for(lambda: "area" in self.parameters(), "the address")
        self.press(Keys.ESCAPE)
        wait_for(lambda: self.state()["area"] is None, "no area")

    def assert_durations(self, texts, times):
        """Texts of times, the largest first, with at least three digits."""
        units = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}
        pairs = [text.split(" ") for text in texts]
        shown = [float(number) * units[unit] for number, unit in pairs]
        self.assertEqual(len(shown), len(times))
        for text, time in zip(shown, sorted(times, reverse=True)):
            self.assertAlmostEqual(text, time, delta=time * 0.006)

    def test_rounded_percentiles_are_marked_until_they_are_exact(self):
        self.open_timeline("/?view=goroutine")
        self.answer_roughly("area", """
            for (const row of [...answer.classes, ...answer.reasons]) row.p50 += 1000000000;""")
        self.js("gotrace.set({area: {start: 20000, end: 20000000, tracks: null}})")
        self.js("document.getElementById('tab-area').click()")
        note = "#panel-area .note"
        wait_for(lambda: "≈ of 12,345,678 spans" in self.text(note), "what is said of rounding")
        for number in (0, 1):
            for row in self.table(number):
                figures = row[-6:]
                self.assertEqual([text.startswith("≈ ") for text in figures],
                                 [False, False, True, True, True, False], figures)
        self.js("window.release()")
        wait_for(lambda: self.text(note) == "", "exact numbers")
        exact = self.viewer.ask("area", start=20000, end=20000000)
        classes = sorted(exact["classes"], key=lambda row: -row["time"])
        rows = self.table(0)
        self.assertEqual([int(row[3].replace(",", "")) for row in rows],
                         [row["count"] for row in classes])
        for row, figures in zip(rows, classes):
            self.assert_durations(row[-4:-3], [figures["p50"]])

    def table(self, number):
        return self.js("const grid = document.querySelectorAll('#panel-area .grid')[arguments[0]];"
                       "if (!grid?.checkVisibility()) return [];"
                       "return [...grid.querySelectorAll('tbody tr')].map((row) =>"
                       " [...row.cells].map((cell) => cell.textContent))", number)

    def export(self, label):
        """Chooses an entry of the menu, and returns the blob that is saved as a data URL."""
        self.js("""
            window.saved = null;
            const create = URL.createObjectURL.bind(URL);
            URL.createObjectURL = (blob) => {
              const reader = new FileReader();
              reader.onload = () => { window.saved = reader.result; };
              reader.readAsDataURL(blob);
              return create(blob);
            };
            document.querySelector('#panel-area [aria-haspopup=menu]').click();""")
        self.js("[...document.querySelectorAll('.menu [role=menuitem]')]"
                ".find((item) => item.textContent.includes(arguments[0])).click()", label)
        return wait_for(lambda: self.js("return window.saved"), label)

    # The picture's text, colours and errors, as the browser reads it.
    READ = """
        const [data, done] = arguments;
        const picture = new Image();
        picture.onload = () => {
          const canvas = new OffscreenCanvas(picture.width, picture.height);
          const context = canvas.getContext("2d");
          context.drawImage(picture, 0, 0);
          const words = new Uint32Array(
            context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
          done([picture.width, picture.height, new Set(words).size, words[words.length - 1]]);
        };
        picture.src = data;
    """

    def test_pictures_of_the_timeline(self):
        for theme in ("light", "dark"):
            with self.subTest(theme):
                self.open_timeline("/?view=goroutine&area=20000-150000@0,2")
                self.js("localStorage.setItem('gotrace.theme', arguments[0])", theme)
                self.browser.refresh()
                self.settle()
                wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
                size = self.js("const g = window.gotrace, d = devicePixelRatio;"
                               "return Math.round((g.labels.width + g.view.width) * d)")
                background = self.js("return getComputedStyle(document.body).backgroundColor")
                red, green, blue = [int(part) for part in re.findall(r"\d+", background)][:3]
                pictures = [self.export("PNG"), self.export("SVG")]
                self.assertTrue(pictures[0].startswith("data:image/png;"))
                self.assertTrue(pictures[1].startswith("data:image/svg+xml;"))
                for data in pictures:
                    width, height, colours, last = self.js_later(
                        self.READ, data)
                    self.assertAlmostEqual(width, size, delta=1)
                    self.assertGreater(height, 200)
                    self.assertGreater(colours, 12)
                    self.assertEqual(last, 0xff000000 | blue << 16 | green << 8 | red)
                svg = ElementTree.fromstring(base64.b64decode(pictures[1].split(",")[1]))
                texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
                for expected in ("G1", "main.main", "Running", "100 \N{MICRO SIGN}s", "Heap",
                                 "Waiting: network", "130 \N{MICRO SIGN}s"):
                    self.assertIn(expected, texts)
        self.js("localStorage.removeItem('gotrace.theme')")

    def test_the_export_says_how_much_it_is(self):
        area = {"start": 20000, "end": 150000, "tracks": "0,2"}
        spans = self.viewer.ask("area", **area)["spans"]
        self.open_timeline("/?view=goroutine&area=20000-150000@0,2")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        items = {item["text"]: item["href"] for item in self.js(
            "return [...document.querySelectorAll('.menu [role=menuitem]')]"
            ".map((item) => ({text: item.textContent, href: item.href ?? null}))")}
        states = items[f"List of the states, CSV ({spans} spans)"]
        self.assertIn(f"Stacks and their time, pprof ({spans} spans)", items)
        body = self.js("return fetch(arguments[0]).then((answer) => answer.text())", states)
        self.assertEqual(body.count("\r\n"), 1 + spans)

    def test_estimated_flame_graph_is_marked_until_it_is_exact(self):
        self.open_timeline("/?view=goroutine")
        self.answer_roughly("flame", "")
        self.js("gotrace.set({area: {start: 20000, end: 20000000, tracks: null}})")
        self.js("document.getElementById('tab-flame').click()")
        note = "#panel-flame .note"
        wait_for(lambda: "≈ of 12,345,678 spans" in self.text(note), "what is said of the sample")
        self.js("window.release()")
        wait_for(lambda: self.text(note) == "", "the exact graph")

    def test_flame_graph_of_the_area(self):
        self.open_timeline("/?view=goroutine&area=20000-200000")
        self.js("document.getElementById('tab-flame').click()")
        self.js("const kind = document.querySelector('.flame-tools select'); kind.value = 'wall';"
                "kind.dispatchEvent(new Event('change'))")
        wait_for(lambda: self.shown(".flame canvas") and self.colours(".flame canvas") > 3,
                 "the flame graph")
        self.assertFalse(self.shown(".flame > .empty"))

    def test_tooltip(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "state")
        place = self.placed(span)
        self.pointer(place["x"], place["y"]).perform()
        title = span["goroutine"]["title"]
        wait_for(lambda: self.shown("#tooltip") and title in self.text("#tooltip"), "the tooltip")

    def fetched(self, selector):
        """The bytes that a link leads to."""
        text = self.js_later("""
            const [selector, done] = arguments;
            fetch(document.querySelector(selector).href)
              .then((answer) => answer.arrayBuffer())
              .then((bytes) => Array.from(new Uint8Array(bytes), (x) => String.fromCharCode(x)))
              .then((letters) => done(btoa(letters.join(""))));
        """, selector)
        return base64.b64decode(text)

    def cut(self, start, end):
        return run("cut", f"--start=+{start}ns", f"--end=+{end}ns", self.path())

    def test_menu_of_a_span(self):
        self.open_timeline("/?view=goroutine")
        span = self.longest("goroutine", "state")
        place = self.placed(span)
        actions = self.pointer(place["x"], place["y"])
        actions.pointer_action.context_click()
        actions.perform()
        wait_for(lambda: self.shown("[role=menu]"), "the menu")
        self.assertEqual(self.fetched(".menu [download='area.trace']"),
                         self.cut(span["start"], span["end"]))
        self.press(Keys.ESCAPE)
        wait_for(lambda: not self.shown("[role=menu]"), "no menu")

    def test_area_is_saved_as_a_trace(self):
        self.open_timeline("/?view=goroutine&area=20000-200000")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        self.assertEqual(self.fetched(".menu [download='area.trace']"), self.cut(20000, 200000))

    def test_menu_within_an_area_saves_the_area_as_a_trace(self):
        self.open_timeline("/?view=goroutine&area=20000-200000")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        place = self.placed(self.longest("goroutine", "state"))
        actions = self.pointer(place["x"], place["y"])
        actions.pointer_action.context_click()
        actions.perform()
        wait_for(lambda: self.shown("[role=menu]"), "the menu")
        entries = self.js("return [...document.querySelectorAll('.menu [download]')]"
                          ".map((each) => each.textContent)")
        self.assertEqual(entries[-1], "Save this area as a trace")
        self.assertEqual(self.fetched(".menu [download]:last-of-type"), self.cut(20000, 200000))

    def test_area_and_whole_trace_are_saved_for_perfetto(self):
        self.open_timeline("/?view=goroutine&area=20000-200000")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        self.assertEqual(self.fetched(".menu [download='area.pftrace']"),
                         run("perfetto", "--start=+20us", "--end=+200us", self.path()))
        self.assertEqual(self.fetched(".menu [download='trace.pftrace']"),
                         run("perfetto", self.path()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
