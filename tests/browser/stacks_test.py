# SPDX-License-Identifier: BSD-3-Clause
"""The pages about stacks say what the commands say, and their switches are in the address."""

import json
import subprocess
from collections import Counter

from browser import COMMAND, PageTest, run, unittest, wait_for


def profile_time(*arguments):
    """The time of all stacks of `gotrace pprof`, in nanoseconds."""
    lines = run("pprof", *arguments, "--text").splitlines()
    return sum(int(line.split(b" ")[1]) for line in lines)


class Profiles(PageTest):
    trace = "v2/go1.27-mix.trace"

    def test_the_scheduler_page_has_all_runnable_time(self):
        summary = [json.loads(line) for line in run("summary", self.path()).splitlines()]
        runnable = sum(line["stats"]["SchedWait"] for line in summary if "created" in line)
        self.assertGreater(runnable, profile_time("sched", self.path()))
        self.assertEqual(runnable, self.viewer.ask("profile", kind="sched", waits="all")["total"])
        self.open("/sched")
        self.assertIn(f"{runnable / 1e6:.2f} ms", self.text("#page .lead"))
        self.assertIn("All waits are counted", self.text("#page .lead"))

    def test_as_go_counts_is_a_part_of_the_address(self):
        as_go = profile_time("sched", self.path())
        self.open("/sched")
        self.js("""[...document.querySelectorAll("#page a.button")]
                   .find((link) => link.textContent === "As Go counts").click()""")
        wait_for(lambda: "waits=go" in self.browser.current_url, "the address")
        self.settle()
        self.assertIn(f"{as_go / 1e6:.2f} ms", self.text("#page .lead"))
        self.assertIn("Only what go tool trace counts", self.text("#page .lead"))
        self.assertEqual(self.text("#page a.button[aria-current=true]"), "As Go counts")
        for page in self.js("return [...document.querySelectorAll('#page a[href*=\"block\"]')]"
                            ".map((link) => link.href)"):
            self.assertIn("waits=go", page)

    def test_the_saved_profile_is_what_the_page_shows(self):
        for address, options in (("/sched", ["--all"]), ("/sched?waits=go", [])):
            self.open(address)
            saved = self.js("""
                return fetch(document.querySelector("#page a[download]").href)
                    .then((answer) => answer.arrayBuffer())
                    .then((data) => [...new Uint8Array(data)]);
            """)
            self.assertEqual(bytes(saved), run("pprof", "sched", *options, self.path()))


class Contention(PageTest):
    trace = "v2/go1.27-mix.trace"

    def rows(self):
        """The cells of each pair: waited at, ended by, reason, total, waits."""
        return self.js("return [...document.querySelectorAll('#page .paged tbody > tr')]"
                       ".map((row) => [...row.cells].slice(0, 5).map((cell) => cell.textContent))")

    def series(self):
        """The waits by reason of `gotrace latency`: count and sum."""
        lines = run("latency", "--json", "--top", "0", self.path()).splitlines()
        return {line["name"]: (line["count"], line["sum_ns"]) for line in map(json.loads, lines)
                if (line["kind"], line["group"]) == ("block", "reason")}

    def test_the_waits_are_those_of_the_command(self):
        series = self.series()
        for name, reasons in (("all", list(series)), ("sync", ["sync"]),
                              ("chan", ["chan receive"])):
            self.open(f"/contention?class={name}")
            count = sum(series[reason][0] for reason in reasons)
            self.assertIn(f" in {count:,} waits", self.text("#page .lead"))
            rows = self.rows()
            self.assertEqual(sum(int(row[4].replace(",", "")) for row in rows), count)
            self.assertEqual({row[2] for row in rows}, set(reasons))

    def test_who_held_the_lock(self):
        self.open("/contention?class=sync")
        waited, ended, *_ = self.rows()[0]
        self.assertIn("sync.(*Mutex).Lock", waited)
        self.assertIn("sync.(*Mutex).Unlock", ended)
        self.assertIn("from main.mix.func1.1:136", ended)
        self.js("document.querySelector('#page details.opener').open = true")
        wait_for(lambda: self.js("return document.querySelectorAll('#page .more .stack').length")
                 == 2, "both stacks")
        self.assertIn("whole.go:134", self.text("#page .more .stack"))
        self.assertTrue(self.shown("#page .more .histogram.large"))

    def test_from_the_longest_wait_to_the_timeline(self):
        pair = self.viewer.ask("contention", **{"class": "sync", "sort": "max"})["pairs"][0]
        longest = pair["longest"]
        self.open("/contention?class=sync&sort=max")
        self.js("""[...document.querySelectorAll("#page .paged tbody a")]
                   .find((link) => link.title.startsWith("Show the longest wait")).click()""")
        wait_for(lambda: self.js("return window.gotrace?.focus")
                 == f"goroutine:{longest['goroutine']}", "its row")
        area = self.state()["area"]
        self.assertEqual([area["start"], area["end"]], [longest["start"], longest["end"]])
        self.assertEqual(self.state()["pin"], [f"goroutine:{longest['goroutine']}",
                                               f"goroutine:{longest['ended_by']}"])

    def test_a_reason_is_a_part_of_the_address(self):
        self.open("/contention?class=all")
        self.js("""const select = document.querySelector("#page select");
                   select.value = "sleep"; select.dispatchEvent(new Event("change"))""")
        wait_for(lambda: "reason=sleep" in self.browser.current_url, "the address")
        self.settle()
        self.assertEqual({row[2] for row in self.rows()}, {"sleep"})


class Titles(PageTest):
    trace = "v2/go1.27-mix.trace"

    def titles(self, place=".paged tbody"):
        """What the page calls the stacks of a table."""
        return self.js("return [...document.querySelectorAll(`${arguments[0]} .stack-title`)]"
                       ".map((title) => title.firstChild.textContent)", place)

    def switch(self):
        self.js("[...document.querySelectorAll('.titles-switch input')]"
                ".find((box) => box.checkVisibility()).click()")

    def leaves_and_others(self, stacks):
        """What tables say of stacks: their leaves, and their first frames outside the runtime."""
        name = "{0[function]}:{0[line]}".format
        stacks = [stack for stack in stacks if stack]
        others = [next((frame for frame in stack if not frame["function"].startswith("runtime.")),
                       stack[0]) for stack in stacks]
        return [name(stack[0]) for stack in stacks], [name(frame) for frame in others]

    def test_pairs_of_places_are_called_by_frames_outside_the_runtime_or_leaves(self):
        pairs = self.viewer.ask("contention", count=100, **{"class": "chan"})["pairs"]
        leaves, others = self.leaves_and_others(
            [stack for pair in pairs for stack in (pair["waiter"], pair["unblocker"])])
        self.assertNotEqual(leaves, others)
        self.open("/contention?class=chan")
        self.assertEqual(self.titles(), others)
        self.switch()
        self.assertEqual(self.titles(), leaves)
        self.assertIn("titles=leaf", self.browser.current_url)
        self.browser.refresh()
        wait_for(lambda: self.titles() == leaves, "the leaves again")

    def test_results_are_called_by_frames_outside_the_runtime_or_leaves(self):
        query = {"q": "reason:chan", "count": 100}
        leaves, others = self.leaves_and_others(
            [result["stack"] for result in self.viewer.ask("search/table", **query)["results"]])
        self.assertNotEqual(leaves, others)
        self.open("/search?q=reason:chan")
        self.assertEqual(self.titles(), others)
        self.switch()
        self.assertEqual(self.titles(), leaves)

    def test_the_panel_calls_results_and_samples_as_chosen(self):
        results = self.viewer.ask("search", q="reason:chan", max=30)["results"]
        leaves, others = self.leaves_and_others([result["stack"] for result in results])
        self.open("/?q=reason:chan&tab=search&panel=1")
        shown = ("return [...document.querySelectorAll('.search-stack .stack-title')].slice(0, 30)"
                 ".map((title) => title.firstChild.textContent)")
        wait_for(lambda: self.js(shown) == others[:30], "the first frames outside the runtime")
        self.switch()
        wait_for(lambda: self.js(shown) == leaves[:30], "the leaves")
        self.assertEqual(self.js("return window.gotrace.state.titles"), "leaf")
        self.js("window.gotrace.set({titles: 'outside'})")
        wait_for(lambda: self.js(shown) == others[:30], "the other frames again")


def leaves(*arguments, lines=False):
    """The time of `gotrace pprof` by leaf, as FUNCTION or FUNCTION:LINE."""
    sums = Counter()
    for line in run("pprof", *arguments, "--text").decode().splitlines():
        _, time, stack = line.split(" ", 2)
        name, _, number = stack.split(";")[0].rpartition(":")
        sums[(f"{name}:{number}" if lines else name) or "(no stack)"] += int(time)
    return sums


class Shapes(PageTest):
    trace = "v2/go1.27-mix.trace"
    options = ("--source-url", "https://host/blob/main/{path}#L{line}")

    def shaped(self, change):
        """The nodes of the scheduler's flame graph after a change, with names instead of numbers
        of parents."""
        return self.js("""
            const [change] = arguments;
            return Promise.all([import("./STATIC/flametree.js"),
                                fetch("api/profile?kind=sched&waits=all")])
                .then(async ([tree, answer]) =>
                    tree[change](tree.nodesOf(await answer.json())));
        """, change)

    def test_leaf_first_begins_with_where_the_time_was_spent(self):
        self.open("/sched")
        nodes = self.shaped("leafFirst")
        expected = leaves("sched", "--all", self.path())
        self.assertEqual({node[1]: node[3] for node in nodes[1:] if node[0] == 0}, expected)
        self.assertEqual(nodes[0][3], sum(expected.values()))
        self.assertEqual(sum(node[2] for node in nodes), nodes[0][3])

    def test_without_the_runtime_the_time_is_its_callers(self):
        self.open("/sched")
        nodes = self.shaped("withoutRuntime")
        self.assertFalse([node[1] for node in nodes if node[1].startswith("runtime.")])
        self.assertEqual(nodes[0][3], sum(leaves("sched", "--all", self.path()).values()))
        sent = [node for node in nodes if node[1] == "main.mix.func1" and node[0] == 0]
        self.assertGreater(sent[0][2], 0)

    def test_lines_tell_frames_of_a_function_apart(self):
        answer = self.viewer.ask("profile", kind="sched", waits="all", lines=1)
        sums = Counter()
        for node, (file, line) in zip(answer["nodes"], answer["places"]):
            if node[2] > 0:
                sums[f"{node[1]}:{line}" if answer["files"][file] else node[1]] += node[2]
        self.assertEqual(sums, leaves("sched", "--all", self.path(), lines=True))
        merged = self.viewer.ask("profile", kind="sched", waits="all")
        self.assertLess(len(merged["nodes"]), len(answer["nodes"]))
        self.assertIn(0, [line for file, line in merged["places"] if merged["files"][file]])

    def test_the_shape_is_in_the_address(self):
        self.open("/sched?flame=leaf")
        pressed = "return [...document.querySelectorAll(`${arguments[0]} .flame-modes" \
                  " [aria-pressed=true]`)].map((button) => button.textContent)"
        self.assertEqual(self.js(pressed, "#page"), ["Leaf first"])
        self.js("document.querySelectorAll('.flame-modes button')[2].click()")
        wait_for(lambda: self.parameters().get("flame") == "leaf,lines", "the address")
        self.open_timeline("/?flame=app&area=0-30000000")
        self.js("document.querySelector('#tab-flame').click()")
        self.assertEqual(self.js(pressed, "#panel-flame"), ["No runtime"])
        self.js("document.querySelectorAll('#panel-flame .flame-modes button')[0].click()")
        wait_for(lambda: self.parameters().get("flame") == "leaf,app", "the address")

    def test_frames_lead_to_their_source(self):
        self.open("/contention?class=sync")
        self.js("document.querySelector('#page details.opener').open = true")
        link = wait_for(lambda: self.js(
            "return document.querySelectorAll('#page .more a.frame-place')[1]?.href"), "a link")
        self.assertRegex(link, r"^https://host/blob/main/[^/].*\.go#L\d+$")

    def test_source_links_are_escaped_and_never_scripts(self):
        self.open("/sched")
        script = """
            const [template, file, line] = arguments;
            return import("./STATIC/sourcelink.js").then((module) => {
                module.setSourceTemplate(template);
                return module.sourceAddress(file, line);
            });
        """
        self.assertEqual(self.js(script, "vscode://file/{file}:{line}", "/a b/\"#?.go", 7),
                         "vscode://file//a%20b/%22%23%3F.go:7")
        self.assertEqual(self.js(script, "https://h/{path}", "/x/{line}.go", 7),
                         "https://h/x/%7Bline%7D.go")
        for bad in ("javascript:alert({line})", "data:text/html,{file}", " https://h"):
            self.assertIsNone(self.js(script, bad, "/x.go", 7))
            told = subprocess.run([COMMAND, "view", "--no-open", "--source-url", bad, self.path()],
                                  capture_output=True, timeout=60, check=False)
            self.assertNotEqual(told.returncode, 0)
            self.assertIn(b"not the address of an editor or a site", told.stderr)


class Comparing(PageTest):
    trace = "v2/go1.27-mix.trace"
    first = (2000000, 10000000)
    second = (14000000, 26000000)

    def rows(self, number):
        """The cells of one of the tables: by state, reason and function."""
        return self.js("return [...document.querySelectorAll('.compare table')"
                       "[arguments[0]].tBodies[0].rows]"
                       ".map((row) => [...row.cells].map((cell) => cell.textContent))", number)

    def reasons(self, area):
        answer = self.viewer.ask("area", start=area[0], end=area[1], view="goroutine")
        return {row["reason"]: row["time"] for row in answer["reasons"]}

    def compare(self, more=""):
        first, second = ("-".join(map(str, area)) for area in (self.first, self.second))
        self.open_timeline(f"/?view=goroutine&base=goroutine:{first}&area={second}{more}")
        wait_for(lambda: self.shown(".compare .grid tbody tr"), "the comparison")

    def test_from_an_area_to_the_comparison_with_the_next_one(self):
        self.open_timeline("/?view=goroutine&area=2000000-10000000")
        self.js("document.querySelector('#tab-area').click()")
        self.js("""[...document.querySelectorAll("#panel-area .button")]
                   .find((each) => each.textContent.startsWith("Compare with")).click()""")
        wait_for(lambda: "Select the area" in self.text(".compare .note"), "what to do next")
        self.js("gotrace.set({area: {start: 14000000, end: 26000000, tracks: null}})")
        wait_for(lambda: self.shown(".compare .grid tbody tr"), "the comparison")
        self.assertEqual(self.text(".compare h3"), "A: 8 ms at 2 ms. B: 12 ms at 14 ms")
        wait_for(lambda: self.parameters().get("base") == "goroutine:2000000-10000000", "address")

    def test_the_differences_are_those_of_both_areas(self):
        self.compare("&norm=0")
        before, after = self.reasons(self.first), self.reasons(self.second)
        rows = {row[0]: row[3] for row in self.rows(1)}
        self.assertEqual(set(rows), {name or "(none)" for name in {**before, **after}})
        for name, text in rows.items():
            change = after.get(name, 0) - before.get(name, 0)
            if name != "(none)" and change != 0:
                self.assertEqual(text[0], "+" if change > 0 else "\u2212", name)
                self.assertEqual("new" in text, name not in before, name)

    def test_by_length_the_times_of_a_are_scaled(self):
        self.compare()
        self.assertIn("scaled to the length of B", self.text(".compare .note"))
        # Goroutines that wait all the time do so in both areas, which by length is no change.
        rows = {row[0]: row for row in self.rows(2)}
        self.assertEqual(rows["main.main"][1:], ["12 ms", "12 ms", "0"])
        self.js("[...document.querySelectorAll('.compare .button')]"
                ".find((each) => each.textContent === 'By length').click()")
        wait_for(lambda: "as they are" in self.text(".compare .note"), "the other way")
        self.assertEqual(self.rows(2)[0][3][0], "+")
        self.assertEqual({row[0]: row for row in self.rows(2)}["main.main"][1], "8 ms")

    def test_the_difference_has_all_of_both_sides(self):
        self.open("/sched")
        nodes, totals = self.js("""
            const [first, second] = arguments;
            const ask = ([start, end]) =>
                fetch(`api/flame?kind=wall&start=${start}&end=${end}&view=goroutine`)
                    .then((answer) => answer.json());
            return Promise.all([import("./STATIC/flametree.js"), ask(first), ask(second)])
                .then(([tree, a, b]) => [tree.differenceOf(tree.nodesOf(a), tree.nodesOf(b), 2),
                                         [a.total, b.total]]);
        """, self.first, self.second)
        self.assertEqual(nodes[0][6], 2 * totals[0])
        self.assertEqual(nodes[0][3], 2 * totals[0] + totals[1])
        for node in nodes:
            self.assertTrue(0 <= node[6] <= node[3], node)

    def test_the_difference_is_drawn_in_colours(self):
        self.compare()
        wait_for(lambda: self.colours(".compare canvas") > 5, "the graph")
        self.js("[...document.querySelectorAll('.compare .button')]"
                ".find((each) => each.textContent === 'Swap').click()")
        wait_for(lambda: self.text(".compare h3") == "A: 12 ms at 14 ms. B: 8 ms at 2 ms", "sides")


if __name__ == "__main__":
    unittest.main()
