# SPDX-License-Identifier: BSD-3-Clause
"""Why?: the panel tells the path of a span, task or area, its trail is over the rows, and its lines
lead to their rows."""

import json

from browser import HEIGHT, Keys, WIDTH, run, unittest, wait_for
from timeline import TimelineTest, themed

HEAD = "#panel-why h3"
SUMS = "#panel-why .area-body table.grid"
STEPS = """
    return window.gotrace.trail.steps.map(({part, y, x0, x1}) =>
        ({goroutine: part.goroutine, start: part.start, end: part.end, y, x0, x1}));
"""
# How many pixels of the overlay in a box have the colour of the trail.
TRAIL = """
    const {x0, x1, y} = arguments[0];
    const overlay = document.getElementById("overlay");
    const ratio = overlay.width / overlay.getBoundingClientRect().width;
    const probe = document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.documentElement);
    probe.fillStyle = style.getPropertyValue("--accent").trim();
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
    const {data} = overlay.getContext("2d").getImageData((x0 + x1) / 2 * ratio, y * ratio, 1, 1);
    return Math.abs(data[0] - r) + Math.abs(data[1] - g) + Math.abs(data[2] - b) < 60;
"""


class WhyPanel(TimelineTest):
    trace = "v2/go1.27-tasks.trace"

    def wait(self):
        """A span of goroutine 1 in which it waits."""
        row = self.rows("goroutine", sort="id")[0]
        span = self.span(row["lanes"][0]["track"], 0)
        while not span["class"].startswith("wait"):
            span = self.span(**span["next"])
        return span

    def asked(self, **query):
        return self.viewer.ask("why", **query)

    def await_head(self, answer, who):
        parts = "1 part" if answer["total"] == 1 else f"{answer['total']} parts"
        wait_for(lambda: self.text(HEAD).startswith(f"Why? {who}: ")
                 and self.text(HEAD).endswith(f" in {parts}"), f"the path of {who}")

    def steps(self):
        return self.js(STEPS)

    def open_rows(self, more=""):
        self.open_timeline("/?view=goroutine&panel=1" + more)

    def test_the_past_is_read_before_the_first_question(self):
        self.open_rows()
        wait_for(lambda: self.js("return performance.getEntriesByType('resource').some(({name}) =>"
                                 " name.includes('api/why?prepare=1'))"), "the request")
        self.assertEqual(self.asked(prepare=1), {"ready": True})

    def test_the_path_of_a_span_is_told_and_drawn(self):
        span = self.wait()
        self.open_rows()
        self.select(span)
        self.press("b")
        answer = self.asked(track=span["track"], index=span["index"])
        self.await_head(answer, "G1")
        rows = self.js(f"return [...document.querySelectorAll('{SUMS}')].map((table) =>"
                       " table.tBodies[0].rows.length)")
        self.assertEqual(rows[:2], [len(answer["sums"]), answer["total"]])
        steps = wait_for(self.steps, "the trail")
        places = {tuple(part[key] for key in ("goroutine", "start", "end"))
                  for part in answer["parts"]}
        self.assertLessEqual({(step["goroutine"], step["start"], step["end"]) for step in steps},
                             places)
        longest = max(steps, key=lambda step: step["end"] - step["start"])
        wait_for(lambda: self.js(TRAIL, longest), "its colour")

    def test_the_parts_are_those_of_the_command(self):
        self.open_timeline("/?view=goroutine&panel=0&why=goroutine:1")
        lines = [json.loads(line)
                 for line in run("why", "--goroutine=1", "--json", self.path()).splitlines()]
        wait_for(lambda: len(self.steps()) == len(lines), "the trail")
        self.assertEqual([(step["goroutine"], step["end"] - step["start"])
                          for step in self.steps()],
                         [(line["goroutine"], line["time_ns"]) for line in lines])

    def test_lines_lead_to_their_rows_and_times(self):
        self.open_rows("&why=goroutine:1&tab=why")
        links = "#panel-why .row-link"
        wait_for(lambda: self.shown(links), "the lines")
        self.js("[...document.querySelectorAll(arguments[0])].find((each) =>"
                " each.textContent === 'G20').click()", links)
        self.await_focus("goroutine:20")
        sums = self.asked(goroutine=1)["sums"]
        longest = [each["longest"] for each in sums if each["longest"]["goroutine"] == 20][0]
        wait_for(lambda: self.state()["s"] <= longest["start"]
                 and self.state()["e"] >= longest["end"], "its time")
        self.assertIn("why=", self.browser.current_url)

    def test_a_task_and_an_area_are_asked_from_their_menus(self):
        self.open_timeline("/?view=task&panel=1")
        task = self.span(self.rows("task")[0]["lanes"][0]["track"], 0)
        self.select(task)
        wait_for(lambda: self.shown("#panel-details [data-focus=why]"), "the button")
        self.js("document.querySelector('#panel-details [data-focus=why]').click()")
        answer = self.asked(task=task["row"]["id"])
        self.await_head(answer, f"G{answer['intervals'][0]['goroutine']}")
        self.open_rows("&tab=area&area=100000-200000")
        button = "[...document.querySelectorAll('#panel-area button')]" \
                 ".find((each) => each.textContent === 'Why?')"
        wait_for(lambda: self.js(f"return Boolean({button})"), "the button of the area")
        self.js(f"{button}.click()")
        answer = self.asked(start=100000, end=200000, view="goroutine")
        self.await_head(answer, f"{len(answer['intervals'])} goroutines")

    def test_the_trail_can_be_pinned_and_cleared(self):
        span = self.wait()
        self.open_timeline(f"/?view=proc&panel=1&tab=why&why=span:{span['track']}.{span['index']}")
        wait_for(lambda: self.text(HEAD).startswith("Why? G1"), "the path")
        self.assertEqual(self.steps(), [])
        self.js("[...document.querySelectorAll('#panel-why button')].find((each) =>"
                " each.textContent === 'Show the trail').click()")
        wait_for(lambda: self.steps(), "the trail")
        self.assertIn("goroutine:1", self.state()["pin"])
        self.js("[...document.querySelectorAll('#panel-why button')].find((each) =>"
                " each.textContent === 'Clear').click()")
        wait_for(lambda: not self.steps(), "no trail")
        wait_for(lambda: "Select a span" in self.text("#panel-why .note"), "what to do")

    def test_an_interval_that_is_not_there_is_told(self):
        self.open_rows("&why=goroutine:98765&tab=why")
        wait_for(lambda: "the trace has no such goroutine" in self.text("#panel-why .note"),
                 "the error")
        told = self.browser.get_log("browser")
        self.assertTrue(all("404" in entry["message"] for entry in told), told)
        self.open_rows("&why=nothing:1&tab=why")
        wait_for(lambda: "Select a span" in self.text("#panel-why .note"), "what to do")

    def test_without_a_selection_the_key_says_what_it_needs(self):
        self.open_rows()
        self.press("b")
        wait_for(lambda: "Select a span or an area first" in self.text("#status"), "the hint")

    def test_the_pages_of_tasks_and_regions_lead_to_it(self):
        for page, query in (("usertask", "type"), ("userregion", "type")):
            kind = self.viewer.ask("tasks" if page == "usertask" else "regions")["types"][0]
            name = kind["name"] if page == "usertask" else kind["type"]
            self.open(f"/{page}?{query}={name}")
            links = "return [...document.querySelectorAll('#page a')]" \
                    ".filter((each) => each.textContent === 'why?')"
            wait_for(lambda: self.js(links + ".length"), "the links")
            self.browser.get(self.js(links + "[0].href"))
            wait_for(lambda: self.text(HEAD).startswith("Why? G"), "the path")

    def test_it_can_be_read_in_both_themes_and_on_a_narrow_screen(self):
        for theme in ("light", "dark"):
            with themed(self.browser, theme):
                self.open_rows("&why=goroutine:1&tab=why")
                wait_for(lambda: self.steps(), "the trail")
                longest = max(self.steps(), key=lambda step: step["end"] - step["start"])
                wait_for(lambda: self.js(TRAIL, longest), theme)
        self.browser.set_window_size(520, 900)
        try:
            self.open_rows("&why=goroutine:1&tab=why")
            wait_for(lambda: self.shown(SUMS), "the table")
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"),
                                 self.js("return document.documentElement.clientWidth"))
        finally:
            self.browser.set_window_size(WIDTH, HEIGHT)

    def test_it_is_reached_by_keys(self):
        self.open_rows("&tab=details")
        self.select(self.wait())
        self.press("b")
        wait_for(lambda: self.text(HEAD).startswith("Why? G1"), "the path")
        self.js("document.querySelector('#panel-why .row-link').focus()")
        self.press(Keys.ENTER)
        wait_for(lambda: self.js("return window.gotrace.focus"), "a row")


if __name__ == "__main__":
    unittest.main()
