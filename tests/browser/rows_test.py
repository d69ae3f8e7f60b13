# SPDX-License-Identifier: BSD-3-Clause
"""The rows of the timeline: pinned ones that scroll by themselves, and what lies over the rows."""

from browser import ActionChains, Keys, ScrollOrigin, unittest, wait_for
from timeline import THEMES, TimelineTest, themed


class Pins(TimelineTest):
    def setUp(self):
        super().setUp()
        size = self.browser.get_window_size()
        self.browser.set_window_size(1100, 480)
        self.addCleanup(self.browser.set_window_size, size["width"], size["height"])

    def open_pinned(self, count=12):
        self.pinned = [f"goroutine:{row['id']}" for row in self.rows("goroutine")[:count]]
        self.assertEqual(len(self.pinned), count)
        self.open_timeline(f"/?view=goroutine&pin={','.join(self.pinned)}")
        wait_for(lambda: self.js("return gotrace.layout.pins.count") == count, "all pins")
        self.settle()

    def pins(self):
        """The names of the pinned rows of which the middle is in sight."""
        return self.js("""
            const {layout} = gotrace;
            return layout.items.filter(({pinned, y, height}) => pinned && y + height / 2 > 0
                && y + height / 2 < layout.pins.room).map(({row}) => `goroutine:${row.id}`)""")

    def scroll_pins(self, by):
        """By the wheel over the pins."""
        before, box = self.state()["pinY"], self.box()
        origin = ScrollOrigin.from_viewport(box["x"] + 300, box["y"] + 30)
        ActionChains(self.browser, duration=0).scroll_from_origin(origin, 0, by).perform()
        wait_for(lambda: self.state()["pinY"] != before, "the pins to scroll")
        self.settle()

    def scrolled_to_the_end(self):
        return wait_for(lambda: self.pins()[-1:] == self.pinned[-1:], "the last pin")

    def test_all_pins_can_be_reached_by_the_wheel(self):
        self.open_pinned()
        first = self.pins()
        self.assertEqual(first, self.pinned[:len(first)])
        self.assertLess(len(first), 12)
        seen = set(first)
        while self.pinned[-1] not in seen:
            self.scroll_pins(60)
            seen.update(self.pins())
        self.assertEqual(seen, set(self.pinned))
        self.assertEqual(self.state()["y"], 0)

    def test_pins_have_at_most_half_of_the_height(self):
        self.open_pinned()
        above, height = self.js("return [gotrace.layout.pinnedHeight, gotrace.layout.height]")
        self.assertLessEqual(above, height / 2)
        self.assertGreater(above, height / 3)
        others = self.items("(item) => !item.pinned && item.y + item.height >"
                            " gotrace.layout.pinnedHeight")
        self.assertGreater(others.count(True), 2)

    def test_the_page_says_how_many_are_out_of_sight(self):
        self.open_pinned()
        below = 12 - len(self.pins())
        self.assertIn("12 pinned", self.text("#row-count"))
        self.assertEqual(self.text("#pin-note"), f"12 pinned  ·  ↓ {below} below")
        self.press_with(Keys.SHIFT, Keys.PAGE_DOWN)
        wait_for(lambda: "above" in self.text("#pin-note"), "what is above")
        self.js("gotrace.set({pin: gotrace.state.pin.slice(0, 2)})")
        wait_for(lambda: not self.shown("#pin-note") and not self.shown("#pin-scrollbar"), "no bar")
        self.assertEqual(self.text("#row-count").split(", ")[1], "2 pinned")
        self.assertEqual(self.pins(), self.pinned[:2])

    def test_keys_scroll_pins(self):
        self.open_pinned()
        for _ in range(6):
            self.press_with(Keys.SHIFT, Keys.PAGE_DOWN)
        self.scrolled_to_the_end()
        for _ in range(6):
            self.press_with(Keys.SHIFT, Keys.PAGE_UP)
        wait_for(lambda: self.pins()[:1] == self.pinned[:1], "the first pin")
        self.js("document.getElementById('pin-scrollbar').focus()")
        self.press(Keys.END)
        self.scrolled_to_the_end()
        self.press(Keys.ARROW_UP, Keys.HOME)
        wait_for(lambda: self.state()["pinY"] == 0, "the first pin")

    def test_drags_scroll_pins(self):
        self.open_pinned()
        bar = self.box("pin-scrollbar")
        x = int(bar["x"] + bar["width"] / 2)
        self.drag((x, int(bar["y"] + 10)), (x, int(bar["y"] + bar["height"])))
        self.scrolled_to_the_end()
        box = self.box()
        x, y = int(box["x"] + 200), int(box["y"] + 10)
        ActionChains(self.browser, duration=0).key_down(" ").perform()
        for _ in range(2):
            self.drag((x, y), (x, y + 200))
        ActionChains(self.browser, duration=0).key_up(" ").perform()
        wait_for(lambda: self.pins()[:1] == self.pinned[:1], "the first pin")
        self.assertEqual(self.state()["y"], 0)

    def test_a_row_that_is_pinned_is_brought_into_sight(self):
        self.open_pinned(11)
        row = self.rows("goroutine")[11]
        self.js("gotrace.run('pin', arguments[0])", {**row, "view": "goroutine"})
        self.pinned.append(f"goroutine:{row['id']}")
        self.scrolled_to_the_end()

    def test_the_address_has_the_place_of_the_pins(self):
        self.open_pinned()
        self.scroll_pins(45)
        wait_for(lambda: "py" in self.parameters(), "the address")
        address, seen = self.js("return location.pathname + location.search"), self.pins()
        self.open_timeline(address)
        wait_for(lambda: self.pins() == seen, "the same pins")

    def test_scrolled_pins_are_what_they_look_like(self):
        """Hit tests, colours, the selection and arrows where the last pins are drawn."""
        self.open_pinned()
        self.scroll_pins(1000)
        self.scrolled_to_the_end()
        row = next(row for row in self.rows("goroutine")[:12] if row["id"] == int(
            self.pinned[-1].split(":")[1]))
        span = self.span(row["lanes"][0]["track"], 0)
        place = self.placed(span)
        self.assertTrue(self.has_its_colour(span))
        self.assertLess(place["y"], self.box()["y"] + self.js("return gotrace.layout.pins.room"))
        hit = self.js("const {row, item} = gotrace.hit(arguments[0], arguments[1]);"
                      "return [row.id, item?.track]", place["x"], place["y"])
        self.assertEqual(hit, [row["id"], span["track"]])
        self.click(span)
        wait_for(lambda: self.selected() and self.selected()[0] == span["track"], "the selection")
        self.settle()
        arrow, lane = self.js("""
            const {item, lane} = gotrace.layout.tracks.get(arguments[0]);
            return [gotrace.arrows.yOf(arguments[0]), item.pinned && lane.y + lane.height / 2]
            """, span["track"])
        self.assertEqual(arrow, lane)

    def test_a_pin_out_of_sight_is_in_its_place_among_the_others(self):
        self.open_pinned()
        self.scroll_pins(1000)
        track = self.rows("goroutine")[0]["lanes"][0]["track"]
        pinned, y = self.js("const {item, lane} = gotrace.layout.tracks.get(arguments[0]);"
                            "return [item.pinned, lane.y]", track)
        self.assertFalse(pinned)
        self.assertGreater(y, self.js("return gotrace.layout.pinnedHeight"))

    def test_nothing_is_hit_between_pins_and_rows(self):
        self.open_pinned()
        note = self.box("pin-note")
        self.assertIsNone(self.js("return gotrace.hit(arguments[0], arguments[1]).row",
                                  note["x"] + 400, note["y"] + note["height"] / 2))


class OnlyPins(TimelineTest):
    def open_with_pins(self, more=""):
        rows = self.rows("goroutine")
        self.chosen = [row for row in rows if row["time"]][:2]
        names = ",".join(f"goroutine:{row['id']}" for row in self.chosen)
        self.open_timeline(f"/?view=goroutine&pin={names}{more}")
        wait_for(lambda: self.js("return gotrace.layout.pins.count") == 2, "the pins")
        self.settle()

    def shown_rows(self):
        return self.items("({row}) => row?.id")

    def await_only(self):
        ids = [row["id"] for row in self.chosen]
        wait_for(lambda: self.shown_rows() == ids, "only the pins")

    def test_the_box_and_the_key_show_only_pinned_rows(self):
        self.open_with_pins()
        self.assertGreater(len(self.shown_rows()), 2)
        self.js("document.getElementById('only').click()")
        self.await_only()
        self.assertFalse(self.shown("#rows-empty"))
        self.assertIn("2 of ", self.text("#row-count"))
        self.js("document.getElementById('canvas').focus()")
        self.press_with(Keys.SHIFT, "p")
        wait_for(lambda: len(self.shown_rows()) > 2, "all rows")
        self.assertFalse(self.js("return document.getElementById('only').checked"))

    def test_it_is_in_the_link(self):
        self.open_with_pins("&only=1")
        self.await_only()
        wait_for(lambda: self.parameters().get("only") == "1", "the address")

    def test_the_box_is_there_only_with_pins(self):
        self.open_timeline("/?view=goroutine&only=1")
        self.assertFalse(self.shown("#only"))
        self.assertGreater(len(self.shown_rows()), 2)

    def test_the_area_is_that_of_the_pinned_rows(self):
        self.open_with_pins("&only=1")
        self.await_only()
        tracks = [row["lanes"][0]["track"] for row in self.chosen]
        scope = self.js("return import(new URL('STATIC/scope.js', document.baseURI))"
                        ".then((scope) => scope.scopeParameters(scope.scopeOf(gotrace)))")
        self.assertEqual(scope["tracks"], tracks)
        self.assertNotIn("view", scope)

    def test_going_to_another_row_shows_all_rows(self):
        self.open_with_pins("&only=1")
        self.await_only()
        other = next(row for row in self.rows("goroutine") if row not in self.chosen)
        self.js("gotrace.reveal({view: 'goroutine', row_id: arguments[0]})", other["id"])
        wait_for(lambda: other["id"] in self.shown_rows(), "the other row")
        self.assertFalse(self.state()["only"])


class Overlays(TimelineTest):
    trace = "v2/go1.27-gcgens.trace"

    # The pixels of bars without an overlay, those of which another colour is seen with it, and
    # how many of the other pixels the overlay changes.
    PIXELS = """
        const [overlay] = arguments;
        const {palette} = await import("./STATIC/colors.js");
        const read = () => {
            const canvas = document.getElementById("canvas");
            const context = canvas.getContext("2d", {willReadFrequently: true});
            const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
            return new Uint32Array(data.buffer);
        };
        const draw = (on) => {
            gotrace.prefs.overlay = on;
            gotrace.layoutNow();
            gotrace.drawing.draw();
            return read();
        };
        const plain = draw(false), marked = draw(true);
        const solid = new Set(palette.solid);
        const counts = {bars: 0, wrong: 0, ground: 0, others: 0};
        for (let i = 0; i < plain.length; i++) {
            const differs = plain[i] !== marked[i];
            if (solid.has(plain[i])) counts.bars++, counts.wrong += differs;
            else counts.others++, counts.ground += differs;
        }
        return {...counts, edges: gotrace.drawing.ground.edges.length,
                height: document.getElementById("canvas").height};
    """

    def assert_kept(self, view):
        self.open_timeline(f"/?view={view}")
        wait_for(lambda: self.js("return gotrace.collector.get()?.gc.length > 0"), "the collector")
        found = self.js(self.PIXELS)
        self.assertGreater(found["bars"], 10000)
        # Each edge is one column of pixels.
        self.assertLessEqual(found["wrong"], found["edges"] * found["height"])
        self.assertLess(found["wrong"], found["bars"] / 20)
        self.assertGreater(found["ground"], found["others"] / 20)

    def test_bars_keep_their_colours_during_collections(self):
        for theme in THEMES:
            for view in ("proc", "goroutine"):
                with self.subTest(theme=theme, view=view), themed(self.browser, theme):
                    self.assert_kept(view)

    def test_the_ground_of_collections_is_no_colour_of_the_legend(self):
        self.open_timeline("/?view=goroutine")
        wait_for(lambda: self.js("return gotrace.collector.get()?.gc.length > 0"), "the collector")
        mistaken = self.js("""
            const {palette} = await import("./STATIC/colors.js");
            const solid = new Set(palette.solid);
            return [...gotrace.drawing.ground.line(palette.pixelBg)].filter((x) => solid.has(x));
            """)
        self.assertEqual(mistaken, [])

    def test_an_area_leaves_the_colours_below_it(self):
        self.open_timeline("/?view=goroutine&area=2000000-8000000")
        covered, all_of_it = self.js("""
            const {overlay, view} = gotrace;
            const left = Math.ceil(view.x(2e6)) + 2, right = Math.floor(view.x(8e6)) - 2;
            const {data} = overlay.context.getImageData(left, 30, right - left, 60);
            let covered = 0;
            for (let i = 3; i < data.length; i += 4) covered += data[i] > 24;
            return [covered, data.length / 4];
            """)
        self.assertTrue(0 < covered < all_of_it / 4, (covered, all_of_it))


if __name__ == "__main__":
    unittest.main(verbosity=2)
