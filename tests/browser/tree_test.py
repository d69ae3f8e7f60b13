# SPDX-License-Identifier: BSD-3-Clause
"""Tasks that unfold to their subtasks and goroutines on the timeline."""

import time

from browser import Keys, unittest, wait_for
from timeline import THEMES, TimelineTest, themed

# The rows on the screen as "depth title", with how they are folded.
SHOWN = """
    const {layout, rows} = gotrace;
    return layout.items.filter(({row, pinned}) => row && !pinned).map(({row}) =>
      `${row.depth} ${row.title}${row.inside > 0 ? (rows.isFolded(row) ? " +" : " -") : ""}`);
"""

# The place of the sign, or of the name, of a row on the screen.
SIGN = """
    const item = gotrace.layout.items.find(({row, pinned}) => !pinned
        && row?.view === arguments[0] && row.id === arguments[1]);
    if (!item) return null;
    const box = document.getElementById("labels").getBoundingClientRect();
    return {x: Math.round(box.x + gotrace.labels.indentOf(item.row, false) + 4),
            y: Math.round(box.y + item.y + item.height / 2)};
"""

# How opaque what lies over the first lane of a row is at a time, from 0 to 255.
SHADE = """
    const [view, id, depth, time] = arguments;
    const item = gotrace.layout.items.find(({row}) => row?.view === view && row.id === id
        && row.depth === depth);
    const copy = document.createElement("canvas");
    copy.width = copy.height = 1;
    const context = copy.getContext("2d", {willReadFrequently: true});
    const dpr = window.devicePixelRatio;
    const {y, height} = item.lanes[0];
    context.drawImage(document.getElementById("overlay"), -Math.round(gotrace.view.x(time) * dpr),
                      -Math.round((y + height / 2) * dpr));
    return context.getImageData(0, 0, 1, 1).data[3];
"""


# The colours along the upper edge of a row's first lane.
EDGE = """
    const [view, id] = arguments;
    const item = gotrace.layout.items.find(({row}) => row?.view === view && row.id === id);
    const canvas = document.getElementById("canvas");
    const y = Math.round((item.lanes[0].y + 2) * window.devicePixelRatio);
    return [...canvas.getContext("2d").getImageData(0, y, canvas.width, 1).data];
"""


class Trees(TimelineTest):
    def open_tree(self, task, more=""):
        self.open_timeline(f"/?view=task&tree={task}{more}")
        wait_for(lambda: self.js("return gotrace.rows.known"), "the rows of the tree")
        self.settle()

    def shown(self, selector=None):
        return super().shown(selector) if selector else self.js(SHOWN)

    def click_sign(self, view, number):
        place = wait_for(lambda: self.js(SIGN, view, number), "the row")
        actions = self.pointer(place["x"], place["y"])
        actions.pointer_action.click()
        actions.perform()

    def tree(self, task):
        return wait_for(lambda: self.viewer.ask("rows", view="task", tree=task, count=1000)
                        .get("rows"), "the tree")

    def test_a_click_on_its_sign_unfolds_a_task_in_its_own_time(self):
        self.open_timeline("/?view=task")
        self.click_sign("task", 2)
        wait_for(lambda: self.js("return gotrace.rows.tree") == 2, "the tree")
        wait_for(lambda: len(self.shown()) == 6, "its rows")
        self.assertEqual(self.shown(), [
            "0 Task 2 job 0 -", "1 G1 main.main", "1 G10 main.tasks.func1", "1 Task 7 sub -",
            "2 G10 main.tasks.func1", "2 G17 main.job.func2"])
        task = self.rows("task", filter="t2")[0]
        wait_for(lambda: not self.js("return gotrace.view.moving"), "the zoom")
        state, length = self.state(), task["end"] - task["start"]
        self.assertLess(abs(task["start"] - state["s"]), 0.1 * length)
        self.assertLess(abs(state["e"] - task["end"]), 0.1 * length)
        self.assertEqual(self.parameters()["tree"], "2")
        self.press_with(Keys.SHIFT, "u")
        wait_for(lambda: self.js("return gotrace.rows.tree") is None, "all tasks")
        wait_for(lambda: len(self.shown()) == 7, "the rows of all tasks")

    def test_the_keyboard_unfolds_folds_and_leaves_a_tree(self):
        self.open_timeline("/?view=task")
        self.js("document.getElementById('canvas').focus()")
        self.press(Keys.ARROW_DOWN)
        wait_for(lambda: self.js("return gotrace.focused?.view") == "task", "a task")
        number = self.js("return gotrace.focused.id")
        self.press("u")
        wait_for(lambda: self.js("return gotrace.rows.tree") == number, "the tree")
        wait_for(lambda: self.shown(), "its rows")
        self.js("gotrace.focusRow(gotrace.rows.at(0))")
        self.press("u")
        wait_for(lambda: len(self.shown()) == 1, "the root alone")
        self.assertTrue(self.shown()[0].endswith(" +"))
        self.press("u")
        wait_for(lambda: len(self.shown()) > 1, "what is below the root")
        self.press("4")
        wait_for(lambda: self.js("return gotrace.rows.tree") is None, "all tasks")

    def test_nodes_fold_within_folded_ones(self):
        self.open_tree(1)
        whole = self.js("return gotrace.rows.total")
        self.assertEqual(whole, len(self.tree(1)))
        self.click_sign("task", 2)
        wait_for(lambda: self.js("return gotrace.rows.total") == whole - 5, "five rows less")
        self.click_sign("task", 1)
        wait_for(lambda: self.js("return gotrace.rows.total") == 1, "one row")
        self.click_sign("task", 1)
        wait_for(lambda: self.js("return gotrace.rows.total") == whole - 5, "still folded")
        self.js("gotrace.reveal({view: 'task', row_id: 7})")
        wait_for(lambda: self.js("return gotrace.rows.total") == whole, "all rows again")
        self.assertEqual(self.js("return gotrace.focus"), "task:7")

    def test_a_link_of_another_page_leads_to_the_tree(self):
        self.browser.get(self.viewer.url + "/usertask?type=job 0")
        href = wait_for(lambda: self.js(
            "return [...document.querySelectorAll('td a')].find((each) =>"
            " each.textContent === 'tree')?.getAttribute('href')"), "the link")
        self.open_timeline("/" + href)
        wait_for(lambda: len(self.shown()) == 6, "the rows of the tree")
        self.assertTrue(super().shown("#tree-close"))

    def test_the_details_of_a_task_offer_its_tree(self):
        row = self.rows("task", filter="t3")[0]
        track = row["lanes"][0]["track"]
        self.open_timeline(f"/?view=task&sel={track}.0")
        button = wait_for(lambda: self.js(
            "return [...document.querySelectorAll('.detail-tools a')].find((each) =>"
            " each.textContent === 'Open as tree')"), "the button")
        button.click()
        wait_for(lambda: self.js("return gotrace.rows.tree") == 3, "the tree")

    def test_the_area_and_the_flame_graph_are_about_the_tree(self):
        self.open_tree(5)
        self.js("gotrace.set({area: {start: 0, end: gotrace.trace.duration, tracks: null}})")
        text = wait_for(lambda: self.text(".area-head h3"), "the panel")
        self.assertIn("tree of task 5", text)
        wait_for(lambda: any("api/area?" in name and "tree=5" in name for name in self.js(
            "return performance.getEntriesByType('resource').map(({name}) => name)")), "the area")

    def test_goroutines_fade_where_they_did_not_work_for_the_task(self):
        for theme in THEMES:
            with themed(self.browser, theme):
                self.open_tree(2)
                self.js("gotrace.prefs.overlay = false; gotrace.invalidate('rows', 'overlay')")
                self.settle()
                row = next(each for each in self.tree(2) if each["id"] == 10 and
                           each["depth"] == 1)
                start, end = row["worked"][0]
                inside = self.js(SHADE, "goroutine", 10, 1, (start + end) // 2)
                before = self.js(SHADE, "goroutine", 10, 1, (row["start"] + start) // 2)
                self.assertLess(inside, 60, theme)
                self.assertGreater(before, 120, theme)

    def test_logs_are_on_each_row_of_their_goroutine(self):
        self.open_tree(2)
        wait_for(lambda: self.js("return gotrace.marks.feed.data?.length > 0"), "the marks")
        self.settle()
        logs, rows = self.js("""
            const {layout, marks} = gotrace;
            const of = (row, lane) => marks.logs.filter(({mark, top}) =>
                mark.track === lane.track && top < lane.y && top > lane.y - 9).length;
            const rows = layout.items.filter(({row}) => row.id === 10 && row.view === "goroutine");
            return [rows.map(({row, lanes}) => of(row, lanes[0])), rows.length];
        """)
        self.assertEqual(rows, 2)
        self.assertGreater(logs[0], 0)
        self.assertEqual(logs[0], logs[1])

    def edge_without_collections(self):
        self.js("""
            gotrace.prefs.overlay = false;
            gotrace.invalidate("rows", "overlay");
            return new Promise((done) => {
              requestAnimationFrame(() => requestAnimationFrame(done));
            });
        """)
        return self.js(EDGE, "goroutine", 10)

    def test_a_goroutine_looks_in_a_tree_as_among_all_goroutines(self):
        self.open_timeline("/?view=goroutine&filter=10")
        self.settle()
        alone = self.edge_without_collections()
        self.open_tree(2)
        self.assertEqual(self.edge_without_collections(), alone)

    def test_keys_stay_on_the_goroutine_with_the_number_of_a_task(self):
        numbers = {(row["view"], row["id"]) for row in self.tree(1)}
        number = next(id for view, id in sorted(numbers)
                      if view == "goroutine" and ("task", id) in numbers)
        self.open_tree(1)
        self.js("gotrace.focusRow({view: 'goroutine', id: arguments[0], title: ''})", number)
        self.press(".")
        row = wait_for(lambda: self.js("return gotrace.selection?.row"), "a span")
        self.assertEqual((row["view"], row["id"]), ("goroutine", number))

    def test_pins_and_filters_work_on_the_rows_of_a_tree(self):
        self.open_tree(1, "&pin=goroutine:10,task:7&only=1")
        wait_for(lambda: self.js("return gotrace.layout.pins.count") == 2, "both of them")
        self.assertEqual(self.js("return gotrace.rows.total"), 0)
        self.open_tree(1, "&filter=G17")
        self.assertEqual([each.split()[1] for each in self.shown()],
                         ["Task", "Task", "Task", "G17"])

    def test_a_row_outside_of_the_tree_is_shown_without_it(self):
        self.open_tree(5)
        inside = [each for each in self.tree(5) if each["view"] == "goroutine"][0]["id"]
        self.js("gotrace.reveal({view: 'goroutine', row_id: arguments[0]})", inside)
        wait_for(lambda: self.js("return gotrace.focus") == f"goroutine:{inside}", "the row")
        self.assertEqual(self.state()["tree"], 5)
        self.js("gotrace.reveal({view: 'goroutine', row_id: 1})")
        wait_for(lambda: self.state()["view"] == "goroutine", "all goroutines")
        self.assertIsNone(self.state()["tree"])

    def test_the_tree_of_no_task_is_left_with_a_word(self):
        self.open_timeline("/?view=task&tree=987")
        wait_for(lambda: self.state()["tree"] is None, "all tasks")
        wait_for(lambda: "no task 987" in self.text("#status"), "the message")
        wait_for(lambda: len(self.shown()) == 7, "the rows of all tasks")
        # The browser logs every answer of this kind by itself.
        self.browser.get_log("browser")

    def test_history_leads_back_out_of_a_tree(self):
        self.open_timeline("/?view=task")
        self.click_sign("task", 1)
        wait_for(lambda: self.js("return gotrace.rows.tree") == 1, "the tree")
        time.sleep(0.7)
        self.press_with(Keys.CONTROL, "z")
        self.press_with(Keys.CONTROL, "z")
        wait_for(lambda: self.js("return gotrace.rows.tree") is None, "all tasks")


if __name__ == "__main__":
    unittest.main()
