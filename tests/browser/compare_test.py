# SPDX-License-Identifier: BSD-3-Clause
"""The page of a comparison says what `gotrace compare` says, leads to what its lines are about, and
zooms two timelines together."""

import json
import os
import subprocess
import urllib.error
import urllib.request

from browser import (COMMAND, Comparison, Keys, PATIENCE, PageTest, TESTDATA, run, the_browser,
                     unittest, wait_for)

NAMES = ("plain-1", "plain-2", "lock", "slow")
PLAIN, PLAIN_2, LOCK, SLOW = (os.path.join(TESTDATA, "compare", name + ".trace")
                              for name in NAMES)


class ComparePage(PageTest):
    traces = (PLAIN, LOCK)

    @classmethod
    def setUpClass(cls):
        cls.viewer = Comparison(*cls.traces)
        cls.addClassCleanup(cls.viewer.stop)
        wait_for(lambda: cls.viewer.ask("trace")["progress"]["done"], "the whole trace")
        cls.browser = the_browser()

    def open_page(self, query=""):
        self.open("/compare" + query)
        wait_for(lambda: not self.shown("[aria-busy=true]"), "the flame graph")

    def rows(self):
        return self.js("return [...document.querySelectorAll('.compare-table tbody tr')]"
                       ".map((row) => [...row.cells].map((cell) => cell.textContent))")

    def labels(self):
        return self.js("return [...document.querySelectorAll('.compare-table td.name a')]"
                       ".map((link) => link.title.split('\\n')[0])")

    def links_of(self, label):
        """Where the line of a difference leads to, before and after."""
        return self.js("return [...document.querySelectorAll('.compare-table tbody tr')]"
                       ".filter((row) => row.cells[1].textContent === arguments[0])"
                       ".flatMap((row) => [...row.querySelectorAll('.compare-places a')])"
                       ".map((link) => link.href)", label)

    def get(self, path):
        with urllib.request.urlopen(self.viewer.url + path, timeout=PATIENCE) as response:
            return json.load(response)

    def told(self, *options):
        return json.loads(run("compare", "--json", "--stacks", *options,
                              *self.traces))["differences"]

    def in_frame(self, number, script, *arguments):
        """What a script returns in one of the timelines, whose page is `page` there."""
        return self.js("const page = document.querySelectorAll('.companion')[arguments[0]]"
                       "?.contentWindow; const app = page?.gotrace;" + script, number, *arguments)

    def open_timelines(self, query=""):
        self.open_page(query)
        self.js("document.querySelector('.compare-times').scrollIntoView()")
        for number in (0, 1):
            wait_for(lambda: self.in_frame(number, "return app?.trace?.progress?.done === true"
                                           " && page.document.body.dataset.ready === '1'"),
                     "a timeline")
        wait_for(lambda: self.in_frame(0, "return app.view.extent") > 0, "both durations")

    def range_in(self, number):
        return self.in_frame(number, "return [app.state.s, app.state.e]")


class Compare(ComparePage):
    def test_the_page_says_what_the_command_says(self):
        told = self.told()
        self.open_page()
        rows = self.rows()
        self.assertEqual([row[0] for row in rows], [each["verdict"] for each in told])
        self.assertEqual(self.labels(), [each["label"] for each in told])
        self.assertTrue(self.text("#page .lead").startswith(f"{len(told)} differences between "))
        figures = {row[1]: row[2:5] for row in rows}
        self.assertEqual(figures["region:reserve mean"], ["421 ns", "2.264 ms", "× 5,382"])
        self.assertEqual(figures["task:checkout p50"][2], "+100 %")

    def test_noise_is_listed_when_it_is_asked_for(self):
        everything = self.told("--all")
        self.open_page()
        self.js("[...document.querySelectorAll('#page .tools button')]"
                ".find((each) => each.textContent === 'Also noise').click()")
        wait_for(lambda: len(self.rows()) == len(everything), "all of them")
        self.assertEqual(self.labels(), [each["label"] for each in everything])
        self.assertEqual(self.parameters()["all"], "1")
        self.browser.refresh()
        self.settle()
        self.assertEqual(len(self.rows()), len(everything))

    def test_the_table_is_filtered_and_sorted(self):
        self.open_page()
        self.press("/", "price")
        wait_for(lambda: [row[1] for row in self.rows()] == ["region:price rate"], "the filter")
        self.js("const field = document.querySelector('#page input[type=search]');"
                "field.value = 'nothing'; field.dispatchEvent(new Event('input'))")
        wait_for(lambda: self.shown(".compare-table .empty"), "a text instead")
        self.open_page()
        self.js("[...document.querySelectorAll('.compare-table th button')][1].click()")
        labels = [row[1] for row in self.rows()]
        self.assertEqual(labels, sorted(labels))

    def test_each_line_leads_to_what_it_is_about(self):
        self.open_page()
        self.assertEqual(self.links_of("region:reserve mean"),
                         [self.viewer.url + "/userregion?type=reserve",
                          self.viewer.url + "/t/2/userregion?type=reserve"])
        self.assertEqual(self.links_of("trace allocated")[0], self.viewer.url + "/gc")
        task = self.links_of("task:checkout p50")[1]
        self.assertEqual(task, self.viewer.url + "/t/2/usertask?type=checkout")
        self.browser.get(task)
        self.settle()
        self.assertIn("checkout", self.text("#page h1"))
        self.assertTrue(self.shown(".nav-link[href=compare]"))

    def test_stacks_are_compared(self):
        self.open_page("?which=stacks")
        stacks = [each for each in self.told() if each["subject"] == "stack"]
        self.assertGreater(len(stacks), 0)
        self.assertEqual(self.labels(), [each["label"] for each in stacks])
        # What the lock is held for, which the other build does not do.
        new = next(each for each in stacks if each["verdict"] == "added")
        self.assertEqual((new["measure"], new["detail"]), ("blocked", "sleep"))
        title = "blocked sleep at time.Sleep from main.(*shop).order.func2"
        self.assertIn(title, [row[1] for row in self.rows()])
        self.assertEqual(self.links_of(title), [self.viewer.url + "/t/2/block?find=time.Sleep"])
        self.js("[...document.querySelectorAll('.compare-table td.name a')]"
                ".find((each) => each.textContent === arguments[0]).click()", title)
        wait_for(lambda: title in self.text(".compare-about h2"), "the stack")
        frames = self.js("return [...document.querySelectorAll('.compare-stack li')]"
                         ".map((each) => each.textContent)")
        self.assertEqual(";".join(reversed(frames)), new["name"])

    def test_a_line_is_chosen_by_keys_and_kept_in_the_address(self):
        self.open_page()
        labels = self.labels()
        self.assertEqual(self.js("return document.querySelector('.is-chosen a').title")
                         .split("\n")[0], labels[0])
        self.press(*["j"] * (labels.index("task:checkout p50") + 1))
        self.assertEqual(self.js("return document.activeElement.textContent"),
                         "task:checkout p50")
        self.press(Keys.ENTER)
        wait_for(lambda: "task:checkout p50" in self.text(".compare-about h2"), "the difference")
        self.browser.refresh()
        self.settle()
        wait_for(lambda: "task:checkout p50" in self.text(".compare-about h2"), "the same")

    def test_the_distributions_are_those_of_the_library(self):
        told = self.told()
        index = [each["label"] for each in told].index("task:checkout p50")
        buckets = self.get(f"/comparison/buckets?index={index}")
        for side in ("before", "after"):
            self.assertEqual(sum(count for _, _, count in buckets[side]),
                             told[index][side + "_count"])
        self.open_page("?about=task:checkout+p50")
        wait_for(lambda: self.shown(".spread"), "the distributions")
        counts = self.js("return [...document.querySelectorAll('.spread tbody tr')]"
                         ".map((row) => [...row.cells].map((cell) => cell.textContent))")
        self.assertEqual([row[:2] for row in counts],
                         [["Before", str(told[index]["before_count"])],
                          ["After", str(told[index]["after_count"])]])
        # The quantile is in the middle of the bucket, whose edge the command takes.
        self.assertAlmostEqual(float(counts[1][2].split()[0]) * 1e6 / told[index]["after"], 1, 1)
        self.js("document.querySelector('.spread .spark').focus()")
        self.press(Keys.HOME, Keys.ARROW_RIGHT)
        label = self.js("return document.querySelector('.spread .spark').ariaLabel")
        self.assertTrue(label.startswith("task:checkout p50: 1.024 ms to "), label)
        self.press(Keys.END)
        href = self.js("return document.querySelector('.spread .spark').href")
        self.assertIn("/usertask?type=checkout&latmin=", href)

    def test_the_flame_graph_is_the_difference_of_both(self):
        self.open_page("?kind=running")
        totals = []
        for prefix in ("", "t/2/"):
            with urllib.request.urlopen(
                    f"{self.viewer.url}/{prefix}api/trace", timeout=PATIENCE) as response:
                duration = json.load(response)["duration"]
            with urllib.request.urlopen(
                    f"{self.viewer.url}/{prefix}api/flame?kind=running&view=goroutine&start=0"
                    f"&end={duration}", timeout=PATIENCE) as response:
                totals.append((json.load(response)["total"], duration))
        (before, long_before), (after, long_after) = totals
        text = wait_for(lambda: self.text(".compare-flame .flame-status"), "the sums")
        change = after - before * long_after / long_before
        sign = "+" if change > 0 else "\u2212"
        expected = self.js("const {formatDuration} = await import('./STATIC/format.js');"
                           "return arguments[0].map(formatDuration)", [after, abs(change)])
        self.assertIn(f"after {expected[0]}; change {sign}{expected[1]}", text)
        self.assertGreater(self.colours(".compare-flame canvas"), 3)

    def test_the_kind_of_graph_follows_the_difference_unless_it_is_chosen(self):
        self.open_page("?about=task:checkout+p50")
        select = ".compare-flame select"
        value = "return document.querySelector(arguments[0]).value"
        self.assertEqual(self.js(value, select), "wall")
        self.js("const select = document.querySelector(arguments[0]); select.value = 'runnable';"
                "select.dispatchEvent(new Event('change'))", select)
        wait_for(lambda: self.parameters().get("kind") == "runnable", "the address")
        self.open_page("?about=goroutine:main.main+running&all=1")
        self.assertEqual(self.js(value, select), "running")

    def test_what_waits_only_in_the_runtime_is_left_out(self):
        self.open("/goroutines")
        nodes = self.js("""
            const {withoutIdle} = await import("/STATIC/compareflame.js");
            const nodes = [[0, "all", 0, 9], [0, "[wait_chan]", 0, 9], [1, "runtime.bgsweep", 4, 4],
                           [1, "main.main", 5, 5], [3, "runtime.gopark", 5, 5],
                           [0, "[running]", 0, 3], [5, "runtime.gcBgMarkWorker", 3, 3],
                           [1, "runtime/trace.Start.func1", 6, 6]];
            return withoutIdle({unit: "ns", total: 9, nodes}, arguments[0]).nodes
                .map((node) => node[2]);""", "wall")
        self.assertEqual(nodes, [0, 0, 0, 5, 5, 0, 3, 0])


class Timelines(ComparePage):
    def test_one_zoom_is_that_of_the_other(self):
        self.open_timelines()
        durations = [self.in_frame(number, "return app.trace.duration") for number in (0, 1)]
        self.assertNotEqual(*durations)
        for number in (0, 1):
            wait_for(lambda: self.range_in(number) == [0, max(durations)], "the longer one")
        self.in_frame(0, "app.zoomTo(100e6, 200e6)")
        wait_for(lambda: self.range_in(1) == [100e6, 200e6], "the same range")
        self.in_frame(1, "app.zoomTo(150e6, 160e6)")
        wait_for(lambda: self.range_in(0) == [150e6, 160e6], "the range of the second")
        self.assertEqual(self.range_in(1), [150e6, 160e6])
        self.assertEqual([self.parameters()[name] for name in "se"], ["150000000", "160000000"])
        self.js("[...document.querySelectorAll('.compare-times button')]"
                ".find((each) => each.textContent === 'Whole traces').click()")
        for number in (0, 1):
            wait_for(lambda: self.range_in(number) == [0, max(durations)], "all of it")

    def test_a_key_in_one_moves_both(self):
        self.open_timelines("?s=100000000&e=200000000")
        self.assertEqual(self.range_in(0), [100e6, 200e6])
        frame = self.js("return document.querySelector('.companion')")
        self.browser.switch_to.frame(frame)
        self.js("document.getElementById('canvas').focus()")
        self.press("w")
        self.browser.switch_to.default_content()
        wait_for(lambda: self.range_in(0) != [100e6, 200e6], "the zoom")
        wait_for(lambda: self.range_in(1) == self.range_in(0), "the same range")

    def test_rows_are_the_same(self):
        self.open_timelines()
        self.js("document.querySelector('.compare-times [data-view=task]').click()")
        for number in (0, 1):
            wait_for(lambda: self.in_frame(number, "return app.state.view") == "task", "tasks")
        self.in_frame(0, "app.set({view: 'goroutine', filter: 'main'})")
        wait_for(lambda: self.in_frame(1, "return app.state.filter") == "main", "the filter")
        self.assertEqual(self.in_frame(1, "return app.state.view"), "goroutine")
        self.assertEqual(self.js("return document.querySelector('.compare-times [data-view="
                                 "goroutine]').ariaPressed"), "true")
        self.js("[...document.querySelectorAll('.compare-table td.name a')]"
                ".find((each) => each.textContent === 'task:checkout p50').click()")
        for number in (0, 1):
            wait_for(lambda: self.in_frame(number, "return app.state.filter") == "checkout",
                     "the rows of the tasks")

    def test_messages_of_others_change_nothing(self):
        self.open_timelines()
        before = self.range_in(0)
        self.in_frame(0, "page.postMessage({gotrace: 'move', shown: {s: 1, e: 2}}, '*');"
                      "page.postMessage(null, '*'); page.parent.postMessage("
                      "{gotrace: 'moved', shown: {s: 1, e: 2}}, '*')")
        # What is sent from the right place later arrives later.
        self.in_frame(1, "app.set({filter: 'last'})")
        wait_for(lambda: self.in_frame(0, "return app.state.filter") == "last", "the last message")
        self.assertNotEqual(self.range_in(1), [1, 2])
        self.assertNotEqual(before, [1, 2])


class Several(ComparePage):
    traces = (PLAIN, PLAIN_2, "--", LOCK, SLOW)

    def test_a_side_has_several_traces(self):
        self.open_page()
        names = [[each["path"] for each in self.get("/comparison")[f"{side}_traces"]]
                 for side in ("before", "after")]
        self.assertEqual(names, [["./", "t/2/"], ["t/3/", "t/4/"]])
        self.assertIn("between 2 traces of ", self.text("#page .lead"))
        self.js("const select = document.querySelectorAll('#page .function-select')[1];"
                "select.value = '2'; select.dispatchEvent(new Event('change'))")
        wait_for(lambda: self.parameters().get("after") == "2", "the address")
        links = self.js("return [...document.querySelectorAll('.compare-places a')]"
                        ".map((link) => new URL(link.href).pathname)")
        self.assertEqual(links[1], "/t/4/usertask")
        source = self.js("return document.querySelectorAll('.companion')[1].src")
        self.assertTrue(source.startswith(self.viewer.url + "/t/4/trace?"), source)

    def test_graphs_of_a_side_are_added(self):
        self.open("/goroutines")
        sums = self.js("""
            const {joined} = await import("/STATIC/compareflame.js");
            const {nodesOf, differenceOf} = await import("/STATIC/flametree.js");
            const graph = (time) => ({unit: "ns", total: time, files: ["a.go"],
                nodes: [[0, "all", 0, time], [0, "main.main", 1, time],
                        [1, "f", time - 1, time - 1]],
                places: [[-1, 0], [0, 0], [0, 0]]});
            const both = joined([graph(10), graph(20)]);
            const tree = differenceOf([], nodesOf(both));
            return [both.total, both.nodes[0][3], tree.map(([, name, , total]) => [name, total])];
        """)
        self.assertEqual(sums, [30, 30, [["all", 30], ["main.main", 30], ["f", 28]]])


class Wrong(ComparePage):
    def test_wrong_requests_are_refused(self):
        for path, status in (("/comparison?first=x", 400), ("/comparison?count=", 400),
                             ("/comparison/buckets?index=99999", 404), ("/comparison/", 404),
                             ("/comparison/buckets", 404), ("/comparison?first=1234567890", 400)):
            with self.subTest(path), self.assertRaises(urllib.error.HTTPError) as caught:
                self.get(path)
            self.assertEqual(caught.exception.code, status)
        part = self.get("/comparison?first=2&count=3")
        whole = self.get("/comparison")
        self.assertEqual(part["differences"], whole["differences"][2:5])
        self.assertEqual(self.get("/comparison?first=999")["differences"], [])

    def test_the_command_says_what_is_wrong(self):
        for arguments, said in ((["--http", "--json", PLAIN, LOCK], "--http excludes"),
                                (["--no-open", PLAIN, LOCK], "need --http"),
                                (["--http", "-", LOCK], "--http needs files"),
                                (["--http", "--no-open", "--address", "x", PLAIN, LOCK], "x")):
            with self.subTest(arguments):
                done = subprocess.run([COMMAND, "compare", *arguments], capture_output=True,
                                      text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(said, done.stderr)


class Equal(ComparePage):
    traces = (PLAIN, PLAIN)

    def test_nothing_differs(self):
        self.open_page()
        self.assertIn("No differences between 1 trace of", self.text("#page .lead"))
        self.assertTrue(self.shown(".compare-table .empty"))
        self.assertEqual(self.rows(), [])
        self.assertTrue(self.shown(".compare-flame canvas"))


class Narrow(ComparePage):
    def test_a_narrow_page_has_no_bar_below(self):
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 420, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        self.open_page()
        self.assertLessEqual(self.js("const {scrollWidth, clientWidth} ="
                                     "document.getElementById('page');"
                                     "return scrollWidth - clientWidth"), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
