# SPDX-License-Identifier: BSD-3-Clause
"""The pages beside the timeline: each loads, and says what the commands say."""

import json
from collections import Counter
from urllib.parse import urlencode

from browser import PageTest, run, unittest, wait_for

# Each page of the bar, and what it calls itself.
PAGES = {
    "/report": "Report",
    "/goroutines": "Goroutines",
    "/usertasks": "User tasks",
    "/userregions": "User regions",
    "/contention": "Contention",
    "/gc": "Garbage collection",
    "/mmu": "Minimum mutator utilization",
    "/io": "Network blocking",
    "/block": "Synchronization blocking",
    "/syscall": "System calls",
    "/sched": "Scheduler latency",
    "/search": "Search",
}


def number(text):
    return int(text.replace(",", ""))


class Pages(PageTest):
    def rows(self):
        return self.js("return [...document.querySelectorAll('#page .grid > tbody > tr')]"
                       ".map((row) => [...row.cells].map((cell) => cell.textContent))")

    def column(self, index):
        return [row[index] for row in self.rows()]

    def follow(self, selector, text, address):
        """Clicks the first link, or that with a text, and waits for the page it leads to."""
        self.js("""
            const [selector, text] = arguments;
            const links = [...document.querySelectorAll(selector)];
            links.find((link) => text === null || link.textContent === text).click();
        """, selector, text)
        wait_for(lambda: address in self.browser.current_url, address)
        self.settle()

    def summary(self):
        """The objects of `gotrace summary`."""
        return [json.loads(line) for line in run("summary", self.path()).splitlines()]

    def test_each_page_says_what_it_is(self):
        self.open("/goroutines")
        linked = self.js("return [...document.querySelectorAll('.nav a')]"
                         ".map((link) => link.pathname)")
        self.assertEqual(set(linked), {"/", *PAGES})
        for path, title in PAGES.items():
            with self.subTest(path):
                self.open(path)
                self.assertEqual(self.text("#page h1"), title)
                self.assertTrue(self.shown(f".nav [href='{path[1:]}'][aria-current=page]"))
                self.assertFalse(self.shown(".error"))
                self.assertFalse(self.shown("#banner"))

    def test_pages_of_regions(self):
        region = self.viewer.ask("regions")["types"][0]
        query = urlencode({"type": region["type"], "pc": region["pc"][2:]})
        for path in ("/regionio", "/regionblock", "/regionsyscall", "/regionsched"):
            with self.subTest(path):
                self.open(f"{path}?{query}")
                self.assertEqual(self.text("#page h1"), PAGES[path.replace("region", "")])
                self.assertIn(region["type"], self.text("#page .lead"))
                self.assertFalse(self.shown(".error"))

    def test_lists_in_several_answers_are_complete(self):
        lists = (("/goroutines", "groups", "groups"), ("/userregions", "regions", "types"),
                 ("/usertasks", "tasks", "types"))
        add = "Page.addScriptToEvaluateOnNewDocument"
        script = self.browser.execute_cdp_cmd(add, {"source": """
            const whole = window.fetch;
            window.fetch = (address, options) => whole(
              /api.(groups|regions|tasks)\\b/.test(address) ? `${address}&count=1` : address,
              options);
        """})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument",
                        script)
        for page, path, name in lists:
            with self.subTest(page):
                expected = len(self.viewer.ask(path)[name])
                self.assertGreater(expected, 1)
                self.open(page)
                self.assertEqual(len(self.rows()), expected)

    def test_groups_of_goroutines(self):
        counted = Counter(line["name"] or "(unknown)" for line in self.summary()
                          if "created" in line)
        self.assertGreater(len(counted), 3)
        self.open("/goroutines")
        self.assertEqual({row[0]: number(row[1]) for row in self.rows()}, counted)

    def test_groups_are_sorted_and_filtered(self):
        self.open("/goroutines")
        sort = "return [...document.querySelectorAll('#page th button')][1].click()"
        self.js(sort)
        counts = [number(row[1]) for row in self.rows()]
        self.assertEqual(counts, sorted(counts, reverse=True))
        self.js(sort)
        self.assertEqual([number(row[1]) for row in self.rows()], sorted(counts))
        self.js("const field = document.querySelector('#page input[type=search]');"
                "field.value = 'main.'; field.dispatchEvent(new Event('input'))")
        names = [row[0] for row in self.rows()]
        self.assertGreater(len(names), 1)
        self.assertTrue(all("main." in name for name in names), names)

    def test_from_a_group_to_a_goroutine_on_the_timeline(self):
        self.open("/goroutines")
        self.follow("#page .grid a", "main.tasks.func1", "name=main.tasks.func1")
        self.assertEqual(self.text("#page h1"), "main.tasks.func1")
        group = self.viewer.ask("group", name="main.tasks.func1", count=100)
        expected = {f"G{row['id']}" for row in group["goroutines"]}
        rows = self.rows()
        self.assertEqual({row[0] for row in rows}, expected)
        self.follow("#page .grid tbody a", None, "goid=")
        wait_for(lambda: self.js("return window.gotrace.focus") == f"goroutine:{rows[0][0][1:]}",
                 "its row")

    def test_a_group_by_another_order(self):
        """What is shown is in the address, as one may want to come back to it."""
        self.open("/goroutine?name=main.tasks.func1&sort=id&desc=0")
        ids = [int(row[0][1:]) for row in self.rows()]
        self.assertEqual(ids, sorted(ids))
        self.js("document.querySelector('#page th button').click()")
        wait_for(lambda: [int(row[0][1:]) for row in self.rows()] == ids[::-1], "the other order")
        # The usual order is not in the address.
        wait_for(lambda: "desc=" not in self.browser.current_url, "the address")
        self.browser.refresh()
        wait_for(lambda: [int(row[0][1:]) for row in self.rows()] == ids[::-1], "the same order")

    def test_search_as_a_table(self):
        query = {"q": "kind:state"}
        lengths = [result["end"] - result["start"] for result in
                   self.viewer.ask("search/table", **query, count=1000)["results"]]
        self.open("/search?" + urlencode(query))
        starts = self.column(4)
        self.assertEqual(len(starts), len(lengths))
        self.assertIn(f"States: {len(lengths)}", self.text("#page .kinds"))
        self.js("document.querySelectorAll('#page th button')[1].click()")
        wait_for(lambda: "sort=start" in self.browser.current_url, "another order")
        wait_for(lambda: self.column(4) == sorted(starts, reverse=True), "the last ones first")
        bar = self.js("const bar = [...document.querySelectorAll('.histogram-bar')].at(-1);"
                      "bar.click(); return bar.title")
        wait_for(lambda: "latmin=" in self.browser.current_url, "the filter")
        wait_for(lambda: len(self.rows()) == number(bar.split(": ")[1]), "the bar's results")
        self.assertIn("is-outside", self.js("return document.querySelector('.histogram-bar')"
                                            ".className"))
        csv = self.js("return fetch([...document.querySelectorAll('#page .pager a')]"
                      ".find((link) => link.download).href).then((answer) => answer.text())")
        self.assertEqual(csv.count("\r\n"), 1 + len(self.rows()))
        self.follow("#page td a", None, "sel=")
        wait_for(lambda: self.js("return window.gotrace.selection !== null"), "the selection")

    def test_a_search_that_is_wrong(self):
        self.open("/search?" + urlencode({"q": "/(a/"}))
        wait_for(lambda: "a parenthesis is left open" in self.text("#page .error"), "the message")
        self.browser.get_log("browser")

    def test_an_unknown_group(self):
        self.open("/goroutine?name=main.nothing")
        self.assertEqual(self.rows(), [])

    def test_tasks(self):
        expected = {kind["name"] or "(no name)": kind["count"]
                    for kind in self.viewer.ask("tasks")["types"]}
        self.assertEqual(sum(expected.values()),
                         sum("complete" in line for line in self.summary()))
        self.open("/usertasks")
        self.assertEqual({row[0]: number(row[1]) for row in self.rows()}, expected)

    def test_from_a_bar_to_its_tasks_and_their_timeline(self):
        self.open("/usertasks")
        self.follow("#page .histogram a", None, "/usertask?")
        rows = self.rows()
        self.assertGreater(len(rows), 0)
        self.js("document.querySelector('#page details').open = true")
        self.assertTrue(self.shown("#page .grid.inner"))
        self.follow("#page .grid a[href*=focustask]", None, "focustask=")
        wait_for(lambda: self.js("return window.gotrace.focus") == f"task:{rows[0][0]}", "its row")

    def test_tasks_by_log_and_latency(self):
        tasks = self.viewer.ask("task", count=100)["tasks"]
        lengths = sorted(task["end"] - task["start"] for task in tasks if task["complete"])
        self.open("/usertask?" + urlencode({"complete": 1, "latmin": f"{lengths[1]}ns"}))
        self.assertEqual(len(self.rows()), len(lengths) - 1)
        logged = self.viewer.ask("task", logtext="begin", count=100)["tasks"]
        self.assertTrue(0 < len(logged) < len(tasks))
        self.open("/usertask?logtext=begin")
        self.assertEqual({int(row[0]) for row in self.rows()}, {task["id"] for task in logged})

    def test_regions(self):
        expected = Counter()
        for kind in self.viewer.ask("regions")["types"]:
            expected[kind["type"], kind["function"]] = kind["count"]
        self.open("/userregions")
        self.assertEqual({(row[0], row[1]): number(row[2]) for row in self.rows()}, expected)

    def test_from_a_bar_to_its_regions_and_their_timeline(self):
        self.open("/userregions")
        self.follow("#page .histogram a", None, "/userregion?")
        goroutines = [row[1] for row in self.rows()]
        self.assertGreater(len(goroutines), 0)
        self.follow("#page .grid tbody a", None, "view=goroutine")
        wait_for(lambda: self.js("return window.gotrace.focus") == f"goroutine:{goroutines[0][1:]}",
                 "its row")
        self.assertGreater(self.js("return window.gotrace.state.s"), 0)

    def test_from_a_region_to_its_profile(self):
        self.open("/userregions")
        self.follow("#page .grid a[href*=regionsched]", None, "/regionsched?")
        self.assertEqual(self.text("#page h1"), "Scheduler latency")

    def test_flame_graphs_are_drawn(self):
        for path in ("/sched", "/block"):
            with self.subTest(path):
                self.open(path)
                wait_for(lambda: self.colours(".flame canvas") > 3, "the flame graph")
                self.assertFalse(self.shown(".flame > .empty"))

    def test_a_flame_graph_without_anything_says_so(self):
        self.assertEqual(len(self.viewer.ask("profile", kind="io")["nodes"]), 1)
        self.open("/io")
        wait_for(lambda: self.shown(".flame > .empty"), "a word")

    def test_the_theme_is_that_of_the_timeline(self):
        self.open("/goroutines")
        self.js("document.querySelector('.nav-theme').click()")
        theme = "return document.documentElement.dataset.theme"
        chosen = self.js(theme)
        self.assertIn(chosen, ("light", "dark"))
        self.open("/")
        wait_for(lambda: self.js(theme) == chosen, "the theme that was chosen")


class Collector(PageTest):
    trace = "v2/go1.27-mix.trace"

    def cells(self, caption):
        """The cells of the table with a caption."""
        return self.js("""
            const table = [...document.querySelectorAll("#page .grid")]
                .find((each) => each.caption.textContent === arguments[0]);
            return [...table.tBodies[0].rows].map((row) =>
                [...row.cells].map((cell) => cell.textContent));
        """, caption)

    def test_gc_lists_cycles_assists_and_stops(self):
        summary = self.viewer.ask("gc/summary")
        self.open("/gc")
        wait_for(lambda: len(self.cells("Cycles")) == summary["cycles"], "the cycles")
        self.assertGreater(summary["cycles"], 1)
        self.assertEqual([row[0] for row in self.cells("Cycles")],
                         [str(i + 1) for i in range(summary["cycles"])])
        assists = {row[0]: number(row[1]) for row in self.cells("Assists by start function")}
        self.assertEqual(assists, {group["name"]: group["goroutines"]
                                   for group in summary["assists"]})
        causes = {row[0]: number(row[1]) for row in self.cells("Stops by cause")}
        self.assertEqual(causes, {each["cause"]: each["count"] for each in summary["causes"]})
        wait_for(lambda: self.js("return document.querySelector('#page .curve.minimum')"),
                 "the utilization beside it")
        self.assertFalse(self.shown("#gc-missing"))

    def test_the_longest_stop_leads_to_its_time(self):
        stop = self.viewer.ask("gc/stops", count=1)["stops"][0]
        self.open("/gc")
        wait_for(lambda: self.cells("Stops of the world"), "the stops")
        self.assertEqual(self.cells("Stops of the world")[0][2], stop["cause"])
        self.js("document.querySelectorAll('#page .paged')[1].querySelector('tbody a').click()")
        wait_for(lambda: self.js("return window.gotrace?.state.area?.start") == stop["start"],
                 "the area of the stop")
        state = self.state()
        self.assertLess(state["s"], stop["start"])
        self.assertGreater(state["e"], stop["end"])

    def test_stops_are_sorted_and_filtered_in_the_address(self):
        self.open("/gc?cause=GC+mark+termination&stop-sort=start&stop-desc=0")
        stops = self.viewer.ask("gc/stops", cause="GC mark termination", sort="start",
                                count=100)["stops"]
        self.assertGreater(len(stops), 1)
        wait_for(lambda: len(self.cells("Stops of the world")) == len(stops), "the stops")
        self.assertEqual({row[2] for row in self.cells("Stops of the world")},
                         {"GC mark termination"})
        starts = [row[0] for row in self.cells("Stops of the world")]
        self.assertEqual(starts, sorted(starts))


class NoCollections(PageTest):
    trace = "v1/go1.19-chan.trace"

    def test_what_the_trace_does_not_say_is_said(self):
        self.open("/gc")
        wait_for(lambda: self.shown("#gc-missing"), "what is missing")
        self.assertIn("dedicated, fractional or idle", self.text("#gc-missing"))
        self.assertIn("how much was swept", self.text("#gc-missing"))
        self.assertIn("did not run", self.text("#page"))


class Collections(PageTest):
    trace = "v2/go1.27-gcgens.trace"

    def curve(self):
        return self.js("return document.querySelector('#page .curve.minimum')"
                       "?.getAttribute('points').split(' ') ?? []")

    def test_mmu(self):
        answer = self.viewer.ask("mmu", flags="stw|background|assist")
        self.open("/mmu")
        points = self.curve()
        self.assertEqual(len(points), len(answer["curve"]))
        heights = [float(point.split(",")[1]) for point in points]
        self.assertGreater(max(heights), min(heights))
        self.assertLess(heights[-1], heights[0])
        self.js("document.querySelector('#page [name=stw]').click()")
        wait_for(lambda: self.curve() != points, "another curve")

    def test_worst_windows(self):
        self.open("/mmu")
        self.js("document.querySelector('#page .mmu-plot button').click()")
        listed = "return document.querySelectorAll('.mmu-details li').length"
        wait_for(lambda: self.js(listed) > 0, "the worst windows")
        self.js("document.querySelector('.mmu-details a').click()")
        wait_for(lambda: self.js("return window.gotrace?.state.s > 0"), "the timeline")
        self.settle()


if __name__ == "__main__":
    unittest.main(verbosity=2)
