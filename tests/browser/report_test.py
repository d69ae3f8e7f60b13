# SPDX-License-Identifier: BSD-3-Clause
"""The page of the report says what `gotrace report` says, and leads to the timeline."""

import json
import re

from browser import Keys, PageTest, run, unittest, wait_for

FIRST = "document.querySelector('.finding')"


class Report(PageTest):
    trace = "report/blocked-on-lock-planted.trace"

    def report(self):
        return json.loads(run("report", "--json", self.path()))

    def sections(self):
        return self.js("return [...document.querySelectorAll('.finding')].map((each) => each.id)")

    def range_of(self, example):
        start = self.report()["start"]
        return [example["start"] - start, example["end"] - start]

    def test_the_page_says_what_the_command_says(self):
        report = self.report()
        finding = report["findings"][0]
        self.open("/report")
        self.assertEqual(self.sections(), [each["name"] for each in report["findings"]])
        self.assertEqual(self.text(".finding h2"), finding["sentence"])
        self.assertEqual(self.text(".finding-advice"), finding["advice"])
        figure = self.text(".finding-figure")
        self.assertTrue(figure.startswith(f"{finding['figure'] / 1e6:.2f} ms waited"), figure)
        self.assertIn(f"{finding['share']:.1f} % {finding['whole']}", figure)
        self.assertIn(f"1 finding in {report['events']} events", self.text("#page .lead"))
        row = self.js(f"return [...{FIRST}.querySelector('tbody tr').cells]"
                      ".map((cell) => cell.textContent)")
        self.assertEqual(row[1:3], [str(finding["subjects"][0]["count"]),
                                    "main.blockedOnLock.func2"])
        self.assertIn("from main.waitForLock:53", row[3])
        self.assertIn("from main.holdLock:46", row[4])

    def test_the_example_is_on_the_timeline(self):
        example = self.report()["findings"][0]["example"]
        self.open("/report")
        self.js(f"{FIRST}.querySelector('.finding-links a').click()")
        wait_for(lambda: self.js("return window.gotrace?.focus")
                 == f"goroutine:{example['goroutine']}", "its row")
        area = wait_for(lambda: self.state()["area"], "the area")
        self.assertEqual([area["start"], area["end"]], self.range_of(example))

    def test_the_rows_of_a_group_are_on_the_timeline(self):
        self.open("/report")
        self.js(f"{FIRST}.querySelector('tbody tr').cells[6].querySelector('a').click()")
        wait_for(lambda: self.js("return window.gotrace?.state?.filter")
                 == "main.blockedOnLock.func2", "the filter")
        self.assertEqual(self.state()["view"], "goroutine")

    def test_stacks_are_opened_and_kept_in_the_address(self):
        self.open("/report")
        self.js(f"{FIRST}.querySelector('details.opener summary').click()")
        wait_for(lambda: "open=0" in self.browser.current_url, "the address")
        stacks = wait_for(lambda: self.js(
            f"return [...{FIRST}.querySelectorAll('.more .stack')].map((each) => each.ariaLabel)"),
            "the stacks")
        self.assertEqual(stacks, ["Stack", "Ended by"])
        self.browser.refresh()
        self.settle()
        wait_for(lambda: self.shown(".more .stack"), "the same stacks")
        self.js(f"{FIRST}.querySelector('details.opener summary').click()")
        wait_for(lambda: not self.shown(".more .stack"), "no stacks")

    def test_the_curve_leads_to_each_time_by_keys_and_by_the_pointer(self):
        answer = self.viewer.ask("report")
        values = answer["findings"][0]["curve"]["values"]
        width = answer["bins"]["width"]

        def bin_of_link():
            area = self.js(f"return new URL({FIRST}.querySelector('.spark').href)"
                           ".searchParams.get('area')")
            return int(area.split("-")[0]) // width

        self.open("/report")
        self.assertEqual(bin_of_link(), values.index(max(values)))
        self.js(f"{FIRST}.querySelector('.spark').focus()")
        self.press(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
        wait_for(lambda: bin_of_link() == 1, "the second bin")
        self.assertIn("Show it on the timeline",
                      self.js(f"return {FIRST}.querySelector('.spark').ariaLabel"))
        self.press(Keys.END)
        wait_for(lambda: bin_of_link() == len(values) - 1, "the last bin")
        self.js(f"""
            const spark = {FIRST}.querySelector(".spark");
            const {{left, width}} = spark.getBoundingClientRect();
            const clientX = left + 0.5 * width + 1;
            spark.dispatchEvent(new PointerEvent("pointermove", {{clientX}}));
        """)
        wait_for(lambda: bin_of_link() == len(values) // 2, "the middle")
        self.press(Keys.ENTER)
        area = wait_for(lambda: self.js("return window.gotrace?.state?.area"), "the area")
        self.assertEqual(area["end"] - area["start"], width)

    def test_a_finding_has_an_address(self):
        self.open("/report#trace-health")
        self.assertTrue(self.js("return document.querySelector('#trace-health:target') !== null"))
        self.assertEqual(self.js("return document.querySelector('.finding-name').hash"),
                         "#blocked-on-lock")

    def test_the_timeline_says_how_many_there_are(self):
        self.open_timeline()
        wait_for(lambda: self.text(".nav-count") == "1 finding", "the number")
        self.js("document.querySelector('.nav-link[href=report]').click()")
        wait_for(lambda: self.text("#page h1") == "Report", "the page")
        wait_for(lambda: self.text(".nav-count") == "1 finding", "the number there")

    def test_progress_is_shown_until_the_answer_is_there(self):
        add = "Page.addScriptToEvaluateOnNewDocument"
        script = self.browser.execute_cdp_cmd(add, {"source": """
            const whole = window.fetch;
            window.fetch = (address, options) =>
              /api.report/.test(address) && !window.released
                ? Promise.resolve(new Response('{"progress":0.25}', {status: 202}))
                : whole(address, options);
        """})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument",
                        script)
        self.browser.get(self.viewer.url + "/report")
        wait_for(lambda: self.text("#page .waiting") == "Analysing the trace… 25 %", "progress")
        self.js("window.released = true")
        self.settle()
        self.assertEqual(len(self.sections()), 2)


class Healthy(PageTest):
    trace = "report/healthy-mended.trace"

    def test_a_program_without_faults(self):
        kinds = json.loads(run("report", "--json", self.path()))["looked_for"]
        self.open("/report")
        self.assertIn("No findings in", self.text("#page .lead"))
        self.assertEqual(self.js("return [...document.querySelectorAll('.finding-kinds li')]"
                                 ".map((each) => each.textContent)"), kinds)
        self.assertTrue(self.shown(".finding-kinds"))
        self.assertEqual(self.js("return document.querySelectorAll('.finding').length"), 1)
        self.assertTrue(self.shown(".finding.is-good"))

    def test_the_timeline_shows_no_number(self):
        self.open_timeline()
        wait_for(lambda: self.js("return performance.getEntriesByType('resource')"
                                 ".some(({name}) => /api.report/.test(name))"), "the request")
        self.assertEqual(self.text(".nav-count"), "")


class Mixed(PageTest):
    trace = "v2/go1.27-mix.trace"

    def test_all_findings_have_their_figures(self):
        report = json.loads(run("report", "--json", self.path()))
        wrong = [each for each in report["findings"] if each["excess"] >= 1]
        self.open("/report")
        figures = self.js("return [...document.querySelectorAll('.finding-figure b:first-child')]"
                          ".map((each) => each.textContent)")
        self.assertEqual(len(figures), len(report["findings"]))
        for text, finding in zip(figures, report["findings"]):
            number = float(re.sub("[^0-9.]", "", text))
            scale = {"ms": 1e6, "µs": 1e3}.get(text.split()[-1], 1)
            self.assertAlmostEqual(number * scale / finding["figure"], 1, 2, text)
        self.assertTrue(self.text("#page .lead").startswith(f"{len(wrong)} findings in "))

    def test_the_curve_of_outliers_shows_how_long_the_longest_takes(self):
        answer = self.viewer.ask("report")
        width = answer["bins"]["width"]
        found = {each["name"]: each for each in answer["findings"]}
        for name, view in (("task-outlier", "task"), ("region-outlier", "goroutine")):
            if name not in found:
                continue
            curve, example = found[name]["curve"], found[name]["example"]
            self.assertEqual((curve["unit"], curve["view"]), ("ns", view))
            # Another of the types may have a longer one.
            longest = example["end"] - example["start"]
            at = slice(example["start"] // width, example["end"] // width + 1)
            self.assertGreaterEqual(min(curve["values"][at]), longest)
            self.assertLess(min(curve["values"]), longest)
        self.assertIn("task-outlier", found)

    def test_a_task_leads_to_its_page(self):
        self.open("/report")
        name = self.text("#task-outlier td.name a")
        self.js("document.querySelector('#task-outlier td.name a').click()")
        wait_for(lambda: self.text("#page h1") != "Report" and name in self.text("#page h1"),
                 "the tasks")


if __name__ == "__main__":
    unittest.main(verbosity=2)
