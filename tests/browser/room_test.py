# SPDX-License-Identifier: BSD-3-Clause
"""Pages fit on small screens, and each has the same tools: the palette, commands and links."""

import json
import subprocess

from browser import Keys, PATIENCE, PageTest, unittest, wait_for
from walks import GRAB

PAGES = ("/goroutines", "/usertasks", "/userregions", "/gc", "/mmu", "/contention?class=all",
         "/report",
         "/search?q=kind:state", "/sched", "/goroutine?name=main.mix.func1", "/")
WIDTHS = (1280, 800, 420)

# What is wider than the screen, and the buttons of the bar that lie outside of it.
WIDE = """
    const areas = [document.documentElement, document.getElementById("page")];
    const wide = areas.filter((area) => area && area.scrollWidth > area.clientWidth);
    const inside = ({left, right}) => left >= 0 && right <= innerWidth;
    const buttons = [...document.querySelectorAll("#top-actions button")]
      .filter((each) => each.checkVisibility() && !inside(each.getBoundingClientRect()));
    return [...wide, ...buttons].map((each) => each.id || each.textContent || each.tagName);
"""


class Room(PageTest):
    trace = "v2/go1.27-mix.trace"

    def narrow(self, width):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})

    def test_no_page_scrolls_sideways_and_the_buttons_of_the_bar_stay_in_sight(self):
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        for path in PAGES:
            self.narrow(WIDTHS[0])
            self.open(path)
            for width in WIDTHS:
                with self.subTest(f"{path} at {width}"):
                    self.narrow(width)
                    wait_for(lambda: self.js("return innerWidth") == width, "the size")
                    self.assertEqual(self.js(WIDE), [])

    def test_the_bar_of_the_timeline_is_one_line_at_1280(self):
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.narrow(1280)
        self.open("/")
        wait_for(lambda: self.shown(".nav-link") and self.shown("#top-actions button"), "the bar")
        middles = self.js("""
            return [".brand", ".nav-link", "#search", "#top-actions"].map((each) => {
              const {top, bottom} = document.querySelector(each).getBoundingClientRect();
              return (top + bottom) / 2;
            });
        """)
        self.assertLess(max(middles) - min(middles), 5)

    def test_a_wide_table_scrolls_by_itself(self):
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.narrow(420)
        self.open("/goroutines")
        self.assertGreater(self.js("const box = document.querySelector('.grid-scroll');"
                                   "box.scrollLeft = 5000; return box.scrollLeft"), 200)


class Tools(PageTest):
    trace = "v2/go1.27-mix.trace"

    def test_the_bar_leads_to_the_search_as_a_table(self):
        self.open("/gc")
        self.js("document.querySelector('.nav-link[href=search]').click()")
        wait_for(lambda: self.text("#page h1") == "Search", "the page")
        self.assertEqual(self.text(".nav-link[aria-current=page]"), "Search")

    def test_the_palette_leads_from_page_to_page(self):
        self.open("/goroutines")
        self.press_with(Keys.CONTROL, "k")
        wait_for(lambda: self.shown("dialog.palette[open]"), "the palette")
        self.assertNotIn("Goroutines", self.text(".palette-list"))
        self.press("contention", Keys.ENTER)
        wait_for(lambda: self.text("#page h1") == "Contention", "the page")
        self.press_with(Keys.CONTROL, "k")
        self.press("dark", Keys.ENTER)
        self.assertEqual(self.js("return document.documentElement.dataset.theme"), "dark")

    def test_each_page_has_a_command_that_prints_what_it_shows(self):
        for path, field in (("/goroutines", "groups"), ("/usertasks", "types"),
                            ("/userregions", "types"), ("/mmu", "curve"), ("/sched", "nodes"),
                            ("/gc", "cycles"), ("/report", "findings")):
            with self.subTest(path):
                self.open(path)
                self.js(GRAB)
                self.press_with(Keys.SHIFT, "y")
                command = wait_for(lambda: self.js("return window.copied.pop()"), "a copy")
                output = subprocess.run(["sh", "-c", command], check=True, capture_output=True,
                                        timeout=PATIENCE).stdout
                self.assertGreater(len(json.loads(output)[field]), 0)

    def test_links_to_other_profiles_keep_the_shape_of_the_graph(self):
        self.open("/sched")
        self.js("[...document.querySelectorAll('.flame-modes button')].find((each) =>"
                " each.textContent === 'Leaf first').click()")
        shape = wait_for(lambda: self.parameters().get("flame"), "the shape in the address")
        links = self.js("return [...document.querySelectorAll('#page > .tools a')]"
                        ".map((link) => new URL(link.href).searchParams.get('flame'))")
        self.assertEqual(set(links), {shape})

    def test_keys_on_the_plot_do_nothing_before_there_is_a_curve(self):
        self.open("/mmu")
        self.js("""
            return import("./STATIC/mmuplot.js").then(({MmuPlot}) => {
              const plot = new MmuPlot(() => { throw new Error("picked"); });
              document.body.append(plot.element);
              plot.element.append(plot.svg);
              for (const key of ["Enter", " ", "End", "ArrowRight"])
                plot.svg.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            });
        """)


if __name__ == "__main__":
    unittest.main(verbosity=2)
