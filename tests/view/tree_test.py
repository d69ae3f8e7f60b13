#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the trees of tasks against what Go's reader says of the traces, and against made traces
whose tasks have any number of levels, or are their own ancestors."""

import gzip
import json
import os
import re
import tempfile
import unittest
import urllib.parse

from rich_trace import Text
from view_server import Server

TESTDATA = os.environ["GT_TESTDATA"]
TRACES = ("v1/go1.19-tasks", "v1/go1.21-tasks", "v2/go1.22-tasks", "v2/go1.26-tasks",
          "v2/go1.27-tasks")
NO_TASK = 2**64 - 1
LEVELS = 100000
LEVELS_OPEN = 300
LISTED = 100000


def ask(server, name, expected=200, **parameters):
    """Waits for the analysis that the answer needs."""
    path = "/api/%s?%s" % (name, urllib.parse.urlencode(parameters))
    status, _, body = server.answer(path)
    if status != expected:
        raise AssertionError("%s: %d %r" % (path, status, body[:200]))
    return json.loads(body)


def list_tree(server, task, **parameters):
    answer = {"total": 1}
    rows = []
    while len(rows) < answer["total"]:
        answer = ask(server, "rows", view="task", tree=task, first=len(rows), count=10000,
                     **parameters)
        if not answer["rows"]:
            break
        rows += answer["rows"]
    return rows


class Task:
    def __init__(self, parent):
        self.parent = parent
        self.children = []
        # Regions and logs by goroutine, and the goroutines of the begin and the end.
        self.regions, self.logs, self.edges = {}, {}, set()
        self.created = set()


class Facts:
    """What Go's reader has told of tasks, reckoned without the viewer."""

    def __init__(self, path):
        self.tasks = {}
        self.open = {}
        with gzip.open(path, "rt", encoding="utf-8") as dump:
            for line in dump:
                if line.startswith("M="):
                    self.take(line)
        for stack in self.open.values():
            for task in stack:
                self.count(self.tasks.get(task), "regions", stack.goroutine)

    @staticmethod
    def count(task, what, goroutine):
        if task:
            counts = getattr(task, what)
            counts[goroutine] = counts.get(goroutine, 0) + 1

    def take(self, line):
        kind = line.split()[3]
        goroutine = int(re.search(r" G=(-?\d+)", line)[1])
        number = {name: int(value) for name, value in re.findall(r" (ID|Parent|Task)=(\d+)", line)}
        if kind == "TaskBegin":
            task = self.tasks.setdefault(number["ID"], Task(number["Parent"]))
            task.edges.add(goroutine)
            if number["Parent"] in self.tasks:
                self.tasks[number["Parent"]].children.append(number["ID"])
        elif kind == "TaskEnd" and number["ID"] in self.tasks:
            self.tasks[number["ID"]].edges.add(goroutine)
        elif kind == "Log":
            self.count(self.tasks.get(number["Task"]), "logs", goroutine)
        elif kind == "RegionBegin":
            self.open.setdefault(goroutine, Regions(goroutine)).append(number["Task"])
        elif kind == "RegionEnd":
            stack = self.open.get(goroutine) or [number["Task"]]
            self.count(self.tasks.get(stack.pop()), "regions", goroutine)
        elif kind == "StateTransition" and " NotExist->" in line:
            created = int(re.search(r" GoID=(\d+)", line)[1])
            self.create(created, goroutine)

    def create(self, created, creator):
        """A goroutine that is created in a region is created for the region's task."""
        inner = [task for task in self.open.get(creator, ()) if task in self.tasks]
        if inner:
            self.tasks[inner[-1]].created.add(created)

    def of(self, task):
        """By goroutine: its regions and logs."""
        found = self.tasks[task]
        goroutines = set(found.regions) | set(found.logs) | found.edges
        return {each: (found.regions.get(each, 0), found.logs.get(each, 0)) for each in goroutines}


class Regions(list):
    def __init__(self, goroutine):
        super().__init__()
        self.goroutine = goroutine


class RealTrees(unittest.TestCase):
    def each(self):
        for name in TRACES:
            path = os.path.join(TESTDATA, name)
            with self.subTest(name), Server(path + ".trace") as server:
                yield server, Facts(path + ".dump.gz")

    def check_shape(self, rows):
        """Depths and numbers of rows below agree, and subtasks follow the goroutines."""
        for i, row in enumerate(rows):
            below = 0
            while i + 1 + below < len(rows) and rows[i + 1 + below]["depth"] > row["depth"]:
                below += 1
            self.assertEqual(row["inside"], below, row["title"])
            self.assertEqual(row["view"] == "goroutine", "worked" in row)

    def split(self, rows):
        """By task: its depth, and its own goroutines."""
        found, path = {}, []
        for row in rows:
            del path[row["depth"]:]
            if row["view"] == "task":
                found[row["id"]] = (path[-1] if path else None, {})
                path.append(row["id"])
            else:
                found[path[-1]][1][row["id"]] = row
        return found

    def test_a_tree_has_the_subtasks_and_goroutines_that_go_tells(self):
        for server, facts in self.each():
            self.assertTrue(facts.tasks)
            for root in facts.tasks:
                rows = list_tree(server, root)
                self.check_shape(rows)
                found = self.split(rows)
                self.assertEqual(set(found), self.below(facts, root))
                for task, (parent, goroutines) in found.items():
                    if task != root:
                        self.assertEqual(facts.tasks[task].parent, parent)
                    told = {each: (row["regions"], row["logs"])
                            for each, row in goroutines.items()
                            if each in facts.of(task)}
                    self.assertEqual(told, facts.of(task), task)
                    others = {each for each in goroutines if each not in facts.of(task)}
                    self.assertTrue(all(goroutines[each]["created"] for each in others))
                    self.assertLessEqual(facts.tasks[task].created, set(goroutines))

    @staticmethod
    def below(facts, root):
        found, left = set(), [root]
        while left:
            task = left.pop()
            found.add(task)
            left += facts.tasks[task].children
        return found

    def test_goroutines_that_a_task_created_are_its_own(self):
        """main.tasks begins and ends the task, and starts three goroutines in between."""
        with Server(os.path.join(TESTDATA, "v2/go1.26-tasks.trace")) as server:
            created = [(row["id"], row["depth"]) for row in list_tree(server, 1)
                       if row.get("created")]
            self.assertLessEqual({(10, 1), (11, 1), (12, 1)}, set(created))

    def test_a_goroutine_worked_within_the_task_if_it_did_not_outlive_it(self):
        for server, facts in self.each():
            for root in facts.tasks:
                for row in list_tree(server, root):
                    times = row.get("worked", [])
                    self.assertEqual(times, sorted(times))
                    for (_, end), (start, _) in zip(times, times[1:]):
                        self.assertLess(end, start)
                    for start, end in times:
                        self.assertLessEqual(row["start"], start)
                        self.assertLessEqual(start, end)
                        self.assertLessEqual(end, max(row["end"], start))

    def test_the_area_of_a_tree_is_the_time_in_which_its_goroutines_worked(self):
        for server, facts in self.each():
            for root in facts.tasks:
                rows = list_tree(server, root)
                expected = self.sums(server, rows)
                area = ask(server, "area", tree=root)
                found = {each["class"]: each["time"] for each in area["classes"] if each["time"]}
                self.assertEqual(found, expected, root)
                flame = ask(server, "flame", tree=root, kind="wall")
                states = sum(time for cls, time in expected.items() if cls != "task")
                self.assertEqual(flame["total"], states)

    @staticmethod
    def sums(server, rows):
        """The times of the first lanes' spans, each within what was worked on its row."""
        worked, sums = {}, {}
        for row in rows:
            track = row["lanes"][0]["track"]
            whole = [[row["start"], row["end"]]] if row["view"] == "task" else row["worked"]
            worked.setdefault(track, []).extend(whole)
        for track, times in worked.items():
            times, joined = sorted(times), []
            for start, end in times:
                if joined and start <= joined[-1][1]:
                    joined[-1][1] = max(joined[-1][1], end)
                else:
                    joined.append([start, end])
            place = {"track": track, "index": 0}
            while place:
                span = ask(server, "span", **place)
                time_in = sum(max(0, min(end, span["end"]) - max(start, span["start"]))
                              for start, end in joined)
                if time_in:
                    sums[span["class"]] = sums.get(span["class"], 0) + time_in
                place = span["next"]
        return sums

    def test_pages_and_positions_are_those_of_the_whole_tree(self):
        with Server(os.path.join(TESTDATA, "v2/go1.26-tasks.trace")) as server:
            rows = list_tree(server, 1)
            pages = []
            for first in range(0, len(rows), 4):
                pages += ask(server, "rows", view="task", tree=1, first=first, count=4)["rows"]
            self.assertEqual(pages, rows)
            seen = set()
            for position, row in enumerate(rows):
                if (row["view"], row["id"]) in seen:
                    continue
                seen.add((row["view"], row["id"]))
                found = ask(server, "row", view=row["view"], tree=1, id=row["id"])
                self.assertEqual((found["position"], found["depth"]), (position, row["depth"]))
            outside = ask(server, "row", view="goroutine", tree=5, id=1)
            self.assertEqual(outside["position"], -1)

    def test_a_filter_keeps_the_tasks_above_what_it_selects(self):
        with Server(os.path.join(TESTDATA, "v2/go1.26-tasks.trace")) as server:
            rows = list_tree(server, 1, filter="G17 ")
            self.check_shape(rows)
            self.assertEqual([(row["view"], row["id"], row["depth"]) for row in rows],
                             [("task", 1, 0), ("task", 2, 1), ("task", 7, 2),
                              ("goroutine", 17, 3)])
            self.assertEqual(list_tree(server, 1, filter="nothing of that name"), [])
            early = list_tree(server, 1, hide_idle=1, start=0, end=60000)
            self.assertEqual({row["id"] for row in early if row["view"] == "goroutine"}, {1})

    def test_the_search_of_a_tree_finds_only_its_rows(self):
        with Server(os.path.join(TESTDATA, "v2/go1.26-tasks.trace")) as server:
            tracks = {lane["track"] for row in list_tree(server, 5) for lane in row["lanes"]}
            for query in ("inner", "kind:state", "kind:region"):
                everywhere = ask(server, "search", q=query, max=1000)["results"]
                found = ask(server, "search", q=query, max=1000, tree=5)["results"]
                self.assertEqual([each for each in everywhere if each["track"] in tracks], found)
                self.assertLess(len(found), len(everywhere))

    def test_the_logs_of_a_task_are_on_its_row(self):
        for server, facts in self.each():
            for row in server.ask("rows", view="task", count=100)["rows"]:
                track = row["lanes"][0]["track"]
                marks = server.ask("marks", tracks=track, bins=4096)["marks"]
                self.assertEqual({mark["track"] for mark in marks} - {track}, set())
                self.assertEqual(sum(mark["count"] for mark in marks),
                                 sum(facts.tasks[row["id"]].logs.values()))

    def test_what_is_no_task_is_refused(self):
        with Server(os.path.join(TESTDATA, "v2/go1.26-tasks.trace")) as server:
            for name in ("rows", "area", "flame"):
                ask(server, name, expected=404, view="task", tree=987654321)
                ask(server, name, expected=400, view="task", tree="x")
                ask(server, name, expected=400, view="task", tree=-1)
                ask(server, name, expected=400, view="task", tree=2**64)


class MadeTrees(unittest.TestCase):
    """Trees that no program makes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "made.trace")
        self.text = Text()
        self.text.event("ProcStatus p=0 pstatus=1")
        self.text.event("GoStatus g=1 m=1 gstatus=2")

    def begin(self, task, parent):
        self.text.event("UserTaskBegin task=%d parent_task=%d name_string=0 stack=0"
                        % (task, parent))

    def end(self, task):
        self.text.event("UserTaskEnd task=%d stack=0" % task)

    def serve(self):
        self.text.encode(self.path)
        return Server(self.path)

    def test_tasks_that_are_their_own_ancestors_are_listed_once(self):
        self.begin(1, 1)
        self.begin(2, 4)
        self.begin(3, 2)
        self.begin(4, 3)
        self.begin(5, 4)
        with self.serve() as server:
            for root, below in ((1, [1]), (2, [2, 3, 4, 5]), (4, [4, 2, 3, 5]), (5, [5])):
                rows = list_tree(server, root)
                tasks = [row["id"] for row in rows if row["view"] == "task"]
                self.assertEqual((tasks[0], sorted(tasks)), (root, sorted(below)))
                self.assertEqual(rows[0]["inside"], len(rows) - 1)
                ask(server, "area", tree=root)
                ask(server, "flame", tree=root)

    def test_a_hundred_thousand_levels_are_a_list_like_any_other(self):
        for level in range(1, LEVELS + 1):
            self.begin(level, level - 1 if level > 1 else 0)
        with self.serve() as server:
            answer = ask(server, "rows", view="task", tree=1, first=0, count=2)
            # Each task has one row, and one of the goroutine that began it.
            self.assertEqual(answer["total"], 2 * LEVELS)
            self.assertEqual(answer["rows"][0]["inside"], 2 * LEVELS - 1)
            last = ask(server, "rows", view="task", tree=1, first=2 * LEVELS - 2, count=5)["rows"]
            self.assertEqual([(row["view"], row["depth"], row["inside"]) for row in last],
                             [("task", LEVELS - 1, 1), ("goroutine", LEVELS, 0)])
            kept = ask(server, "rows", view="task", tree=1, filter="task %d" % LEVELS, count=1)
            self.assertEqual(kept["total"], LEVELS)
            self.assertEqual(ask(server, "row", view="task", tree=1, id=LEVELS)["position"],
                             2 * LEVELS - 2)
            ask(server, "area", tree=1)

    def begin_many(self):
        self.begin(1, 0)
        for task in range(2, LEVELS + 2):
            self.begin(task, 1)
            self.end(task)

    def test_a_search_lists_at_most_100000_results(self):
        self.begin_many()
        with self.serve() as server:
            found = ask(server, "search/table", q="kind:task", first=LISTED - 1, count=10)
            self.assertEqual((found["total"], found["listed"]), (LEVELS + 1, LISTED))
            self.assertEqual(len(found["results"]), 1)

    def test_many_subtasks_are_answered_in_pages(self):
        self.begin_many()
        with self.serve() as server:
            answer = ask(server, "rows", view="task", tree=1, first=0, count=10000)
            self.assertEqual(answer["total"], 2 * LEVELS + 2)
            self.assertEqual([row["id"] for row in answer["rows"][:6]], [1, 1, 2, 1, 3, 1])
            self.assertLess(len(json.dumps(answer)), 4400000)

    def test_regions_that_overlap_are_one_time_of_work(self):
        self.begin(1, 0)
        for _ in range(LEVELS_OPEN):
            self.text.event("UserRegionBegin task=1 name_string=0 stack=0")
        for _ in range(LEVELS_OPEN):
            self.text.event("UserRegionEnd task=1 name_string=0 stack=0")
        with self.serve() as server:
            goroutine = list_tree(server, 1)[1]
            self.assertEqual((goroutine["regions"], goroutine["worked_total"]), (LEVELS_OPEN, 1))
            start, end = goroutine["worked"][0]
            self.assertEqual(end - start, 2 * LEVELS_OPEN - 1)

    def sample(self, taken):
        """A CPU sample between this event and the next one."""
        taken.append(self.text.time + 1)
        self.text.time += 2
        self.text.lines.append("UserLog dt=2 task=0 key_string=0 value_string=0 stack=0")

    def add_samples(self, taken):
        self.text.table("CPUSamples", [["CPUSample time=%d m=1 p=0 g=1 stack=0" % time]
                                       for time in taken], 1000)

    def test_a_place_with_a_sample_and_a_log_shows_the_log(self):
        taken = []
        self.begin(1, 0)
        self.sample(taken)
        self.add_samples(taken)
        with self.serve() as server:
            mark, = ask(server, "marks", bins=1)["marks"]
            self.assertEqual((mark["kind"], mark["count"]), ("log", 2))

    def test_samples_of_a_tree_are_those_while_its_goroutines_worked(self):
        taken = []
        self.begin(1, 0)
        self.end(1)
        for i in range(5):
            self.text.event("UserRegionBegin task=1 name_string=0 stack=0")
            begun = self.text.time
            for _ in range(i + 1):
                self.sample(taken)
            self.text.event("UserRegionEnd task=1 name_string=0 stack=0")
            for _ in range(20):
                self.sample(taken)
        self.add_samples(taken)
        with self.serve() as server:
            worked = list_tree(server, 1)[1]["worked"]
            origin = begun - worked[-1][0]
            inside = sum(start <= time - origin < end for time in taken for start, end in worked)
            self.assertEqual(inside, 1 + 2 + 3 + 4 + 5)
            self.assertEqual(ask(server, "flame", tree=1, kind="cpu")["total"], inside)
            self.assertEqual(ask(server, "flame", kind="cpu")["total"], len(taken))


if __name__ == "__main__":
    unittest.main()
