# SPDX-License-Identifier: BSD-3-Clause
"""What the page does when something is wrong: with the server, or with the trace."""

import os
import re
import tempfile

from browser import TESTDATA, Viewer, run, unittest, wait_for
from timeline import SHADES, TimelineTest

# Counts requests.
COUNTING = """
    window.asked = 0;
    const real = window.fetch;
    window.fetch = (...all) => { window.asked++; return real(...all); };
"""


class DeadServer(TimelineTest):
    """The server of these tests ends while the page is open."""

    def setUp(self):
        super().setUp()
        self.own = Viewer(self.path())
        self.open_at(self.own.url)

    def tearDown(self):
        """The browser itself reports each request that fails."""
        self.own.stop()
        wrong = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual([line for line in wrong if not self.is_expected(line)], [])

    def is_expected(self, line):
        return "net::ERR_" in line or "the server does not answer" in line

    def open_at(self, url, path="/?view=goroutine"):
        self.browser.get(url + path)
        wait_for(lambda: self.js("return window.gotrace?.trace?.progress?.done === true"
                                 " && gotrace.actions.has('palette')"), "the whole trace")
        self.settle()

    def give_up_after(self, milliseconds):
        self.js(f"""return (async () => {{
            const {{connection}} = await import("./STATIC/connection.js");
            connection.patience = {milliseconds};
        }})()""")

    def test_requests_stop_and_go_on(self):
        self.js(COUNTING)
        # The first message remains until the test has seen it.
        self.give_up_after(1e9)
        self.own.stop()
        self.js("gotrace.zoomTo(3000, 3400)")
        wait_for(lambda: "it is asked again" in self.text("#banner"), "the first message")
        self.give_up_after(300)
        wait_for(lambda: "no longer asked" in self.text("#banner"), "the second message")
        asked = self.js("return window.asked")
        self.js("gotrace.zoomTo(20000, 20040)")
        self.js("return new Promise((resolve) => setTimeout(resolve, 1200))")
        self.assertEqual(self.js("return window.asked"), asked)
        self.own = Viewer("--http", re.sub("^http://", "", self.own.url), self.path())
        self.js("document.querySelector('#banner .button').click()")
        wait_for(lambda: not self.shown("#banner"), "the banner to go")
        self.settle()
        self.assertGreater(self.js("return window.asked"), asked)
        self.assertTrue(self.items("(item) => item.lanes.length"))

    def test_pages_stop_asking_too(self):
        self.browser.get(self.own.url + "/goroutines")
        self.settle()
        self.js(COUNTING)
        self.give_up_after(300)
        self.own.stop()
        self.js("""return (async () => {
            const {startTraceInfo} = await import("./STATIC/traceinfo.js");
            startTraceInfo();
        })()""")
        wait_for(lambda: "no longer asked" in self.text("#banner"), "the message")
        self.own = Viewer("--http", re.sub("^http://", "", self.own.url), self.path())
        self.js("document.querySelector('#banner .button').click()")
        wait_for(lambda: not self.shown("#banner"), "the banner to go")


class LeftPage(TimelineTest):
    """When a page is left, the browser ends its requests, and those that it makes then."""

    def test_tiles_are_not_asked_for_again_at_once(self):
        self.open_timeline("/?view=goroutine")
        found = self.js("""return (async () => {
            const {TileLoader} = await import("./STATIC/loader.js");
            const real = window.fetch;
            let asked = 0, shown = 0;
            window.fetch = (address, options) => {
              if (!String(address).includes("api/tiles")) return real(address, options);
              asked++;
              // Requests without end would keep the page from answering.
              if (asked > 100) return new Promise(() => {});
              return Promise.reject(new DOMException("The page is left.", "AbortError"));
            };
            const lacking = {lacks: () => true, put: () => {}};
            const loader = new TileLoader(lacking, () => { shown++; }, () => {});
            loader.want({s: 0, e: 1000}, 1, [1, 2], [3], 1000);
            await new Promise((resolve) => setTimeout(resolve, 300));
            window.fetch = real;
            return {asked, shown};
        })()""")
        self.assertEqual(found, {"asked": 1, "shown": 0})


class Numbers(TimelineTest):
    trace = "v2/go1.27-mix.trace"

    def test_counts_have_separators(self):
        """Four digits in a row are a count that lacks one, unless they belong to a name or follow
        a decimal point."""
        paths = ("/?view=goroutine&group=1", "/?view=goroutine&area=0-100000000",
                 "/?q=state:running",
                 "/goroutines", "/usertasks", "/userregions", "/sched")
        for path in paths:
            with self.subTest(path):
                self.open(path)
                wait_for(lambda: not self.js("return document.querySelector('[aria-busy=true]')"),
                         "the answers")
                text = self.js("return document.body.innerText")
                self.assertEqual(re.findall(r"(?<![\w.,:+/#-])\d{4,}(?![\w./])", text), [])
        self.open_timeline("/")
        self.assertRegex(self.text("#status-trace"), r"\d,\d{3} events")

    def test_memory_is_that_of_the_process(self):
        self.open_timeline("/")
        facts = self.viewer.ask("trace")
        with open(f"/proc/{self.viewer.process.pid}/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * 4096
        self.assertAlmostEqual(facts["process_memory"] / resident, 1, delta=0.2)
        self.assertGreater(facts["process_memory"], facts["memory"])
        self.assertRegex(self.text("#status-load"), r"process [\d.]+ MiB · timeline [\d.]+ [KM]iB")


# Three regions of a goroutine, which end in the order of their begins.
OVERLAPPING = """Trace Go1.25
EventBatch gen=1 m=18446744073709551615 time=1000 size=0
Sync
Frequency freq=1000000000
ClockSnapshot dt=0 mono=1000 sec=1 nsec=0
EventBatch gen=1 m=5 time=1000 size=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=5 gstatus=2
UserRegionBegin dt=100 task=1 name_string=1 stack=0
UserRegionBegin dt=100 task=2 name_string=1 stack=0
UserRegionBegin dt=100 task=3 name_string=1 stack=0
UserRegionEnd dt=100 task=1 name_string=1 stack=0
UserRegionEnd dt=100 task=2 name_string=1 stack=0
UserRegionEnd dt=100 task=3 name_string=1 stack=0
EventBatch gen=1 m=18446744073709551615 time=1001 size=0
Strings
String id=1
\tdata="request"
"""


class Overlapping(TimelineTest):
    """Regions that do not nest, in a trace that does not tell how the recording has ended."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = os.path.join(folder.name, "overlapping.trace")
        with open(cls.made, "wb") as file:
            file.write(run("encode", "--set-sizes", "-", input=OVERLAPPING.encode()))
        super().setUpClass()

    @classmethod
    def path(cls):
        return cls.made

    def test_each_has_a_lane_with_its_own_length(self):
        spans = self.viewer.ask("search", q="kind:region", max=10)["results"]
        self.assertEqual([(span["start"], span["end"] - span["start"]) for span in spans],
                         [(102, 300), (202, 300), (302, 300)])
        self.open_timeline("/?view=goroutine")
        places = [self.placed(span) for span in spans]
        self.assertEqual(len({place["y"] for place in places}), 3)
        pixels = self.js("return window.gotrace.view.nsPerPixel")
        for place in places:
            self.assertAlmostEqual(place["width"], 300 / pixels, delta=1)
            self.assertIn(place["colour"], self.js(SHADES, "region"))

    def test_banner_and_status_use_the_words_of_stat(self):
        self.open_timeline("/?view=goroutine")
        banner = self.text("#banner")
        self.assertIn("This trace was repaired: 2 faults.", banner)
        self.assertIn("regions that do not nest were paired by name", banner)
        self.assertIn("1 more like it", banner)
        self.assertIn("ending unknown", self.text("#status-trace"))
        self.assertIn("It cannot be told whether the recording was stopped",
                      self.js("return document.querySelector('#status-trace').title"))


class Damaged(TimelineTest):
    """Four hundred bytes in the middle are no events."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        with open(os.path.join(TESTDATA, "v2/go1.27-mix.trace"), "rb") as file:
            data = bytearray(file.read())
        data[30000:30400] = b"\xff" * 400
        cls.made = os.path.join(folder.name, "hole.trace")
        with open(cls.made, "wb") as file:
            file.write(data)
        super().setUpClass()

    @classmethod
    def path(cls):
        return cls.made

    def longest_loss(self, view, fits=lambda loss: True):
        losses = self.viewer.ask("losses", view=view, bins=4096)["losses"]
        return max(filter(fits, losses), key=lambda loss: loss["end"] - loss["start"])

    def lost_in(self, loss):
        return self.viewer.ask("area", tracks=loss["track"], start=loss["start"], end=loss["end"])

    def test_damage_is_told_by_kinds(self):
        facts = self.viewer.ask("trace")
        kinds = facts["repair_kinds"]
        self.assertEqual(sum(kind["count"] for kind in kinds) + facts["repairs_others"],
                         facts["repairs_total"])
        self.open_timeline("/?view=goroutine")
        self.assertIn(f"{facts['repairs_total']} faults", self.text("#banner"))
        for kind in kinds:
            self.assertIn(f"{kind['count']} × {kind['text']}", self.text("#banner"))
        lost = next(kind for kind in kinds if "batch is left out" in kind["text"])
        self.assertAlmostEqual(lost["first"], self.longest_loss("thread")["start"], delta=100000)

    def test_picture_as_svg_has_the_hatching(self):
        loss = self.longest_loss("goroutine")
        self.open_timeline("/?view=goroutine&s=%d&e=%d" % (loss["start"] - 1000,
                                                           loss["end"] + 1000))
        wait_for(lambda: self.js("return gotrace.losses.shown().length"), "the losses")
        svg = self.js_later(
            "const done = arguments[0]; import('./STATIC/picture.js')"
            ".then(({pictureSVG}) => done(pictureSVG(window.gotrace)))")
        self.assertNotIn("[object", svg)
        self.assertIn('stroke-width="1.25"', svg)

    def test_area_in_the_damage_is_saved(self):
        end = self.viewer.ask("trace")["duration"]
        self.open_timeline(f"/?view=goroutine&area=0-{end}")
        wait_for(lambda: self.shown("#panel-area .stacked"), "the area")
        self.js("document.querySelector('#panel-area [aria-haspopup=menu]').click()")
        self.js("const make = URL.createObjectURL;"
                "URL.createObjectURL = (blob) => (window.saved = blob.size, make(blob));"
                "[...document.querySelectorAll('.menu [role=menuitem]')]"
                ".find((item) => item.textContent.includes('as a trace')).click()")
        wait_for(lambda: self.js("return window.saved"), "the trace")
        self.assertGreater(self.js("return window.saved"), 1000)
        refusals = [entry for entry in self.browser.get_log("browser")
                    if entry["source"] == "network"]
        self.assertEqual(refusals, [])

    def test_closed_banner_leaves_an_icon(self):
        for path in ("/", "/goroutines"):
            with self.subTest(path):
                self.open(path)
                wait_for(lambda: self.shown("#banner"), "the banner")
                self.assertFalse(self.shown(".banner-icon"))
                self.js("document.querySelector('#banner [aria-label=Close]').click()")
                self.assertFalse(self.shown("#banner"))
                self.assertTrue(self.shown(".banner-icon"))
                self.press(" ")
                self.assertTrue(self.shown("#banner"))
                self.assertFalse(self.shown(".banner-icon"))

    def test_losses_are_hatched(self):
        for view in ("thread", "goroutine"):
            with self.subTest(view):
                self.open_timeline(f"/?view={view}")
                loss = self.longest_loss(view, lambda loss: self.js(
                    "const {track, start, end} = arguments[0];"
                    "return gotrace.overlay.boxOf(track, start, end)?.width > 2", loss))
                middle = (loss["start"] + loss["end"]) / 2
                share = """
                    const [{track, start, end}] = arguments;
                    const box = gotrace.overlay.boxOf(track, start, end), {dpr} = gotrace.view;
                    const {data} = gotrace.overlay.context.getImageData(
                      box.x * dpr, box.y * dpr, box.width * dpr, box.height * dpr);
                    let drawn = 0;
                    for (let i = 3; i < data.length; i += 4) drawn += data[i] > 60;
                    return 4 * drawn / data.length;
                """
                wait_for(lambda: 0.05 < self.js(share, loss) < 0.6, "the hatching")
                self.assertIsNotNone(self.js("return gotrace.losses.at(arguments[0], arguments[1])",
                                             loss["track"], middle))

    def test_rows_whose_time_is_lost_are_not_idle(self):
        """It is not known that nothing happened there."""
        for view in ("goroutine", "thread"):
            with self.subTest(view):
                loss = self.longest_loss(view)
                rows = self.viewer.ask("rows", view=view, hide_idle=1, count=1000,
                                       start=loss["start"] + 1, end=loss["end"] - 1)["rows"]
                self.assertIn(loss["track"], [row["lanes"][0]["track"] for row in rows])

    def test_sums_leave_losses_out(self):
        loss = self.longest_loss("goroutine", lambda loss: self.lost_in(loss)["lost"]["count"] == 1)
        self.assertEqual(self.lost_in(loss)["classes"], [])
        self.assertEqual(self.lost_in(loss)["lost"]["time"], loss["end"] - loss["start"])
        for row in self.rows("goroutine")[:10]:
            losses = self.viewer.ask("losses", start=row["start"], end=row["end"])["losses"]
            if row["lanes"][0]["track"] not in [loss["track"] for loss in losses]:
                continue
            mine = self.viewer.ask("area", tracks=row["lanes"][0]["track"], start=row["start"],
                                   end=row["end"])
            known = sum(each["time"] for each in mine["classes"])
            self.assertEqual(known + mine["lost"]["time"], row["end"] - row["start"])
        whole = self.viewer.ask("area", view="goroutine")
        self.open_timeline("/?view=goroutine&area=0-40000000")
        wait_for(lambda: f"in {whole['lost']['count']} places are left out"
                 in self.text(".area .note"), "what is left out")


class CutOff(Damaged):
    """The end is missing."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        with open(os.path.join(TESTDATA, "v2/go1.27-mix.trace"), "rb") as file:
            data = file.read(60000)
        cls.made = os.path.join(folder.name, "cut.trace")
        with open(cls.made, "wb") as file:
            file.write(data)
        super(Damaged, cls).setUpClass()

    def test_damage_is_told_by_kinds(self):
        kinds = self.viewer.ask("trace")["repair_kinds"]
        self.assertTrue(any("is cut off" in kind["text"] for kind in kinds))
        self.open_timeline("/?view=goroutine")
        self.assertIn("is cut off", self.text("#banner"))


if __name__ == "__main__":
    unittest.main()
