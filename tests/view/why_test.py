#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the critical paths that `gotrace view` serves against those of `gotrace why`.

Reads a share of the traces of $GT_TESTDATA, or all with $GT_ALL_TRACES.
"""

import collections
import json
import os
import pathlib
import random
import sys

from viewing import Viewer, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of

ALL = 10000
WHOLE = 4
RANDOM = 4
TIMES = 2**40
HOSTILE = (
    ({"goroutine": "one"}, 400),
    ({"goroutine": "9223372036854775808"}, 400),
    ({"goroutine": "1", "start": "x"}, 400),
    ({"goroutine": "1", "start": "2", "end": "1"}, 400),
    ({"goroutine": "1", "task": "1"}, 400),
    ({"goroutine": "1", "track": "1", "index": "0"}, 400),
    ({"task": "1", "track": "1", "index": "0"}, 400),
    ({"task": "-1"}, 400),
    ({"task": ""}, 400),
    ({"track": "1"}, 400),
    ({"track": "1", "index": "x"}, 400),
    ({"tracks": "x"}, 400),
    ({"view": "heap"}, 400),
    ({"start": "2", "end": "1"}, 400),
    ({"goroutine": "1", "sort": "length"}, 400),
    ({"goroutine": "1", "desc": "2"}, 400),
    ({"goroutine": "1", "stacks": "yes"}, 400),
    ({"goroutine": "1", "from": "x"}, 400),
    ({"goroutine": "1", "to": ""}, 400),
    ({"goroutine": "1", "nodes": "2"}, 400),
    ({"prepare": "2"}, 400),
    ({"goroutine": "1", "count": "10001"}, 400),
    ({"goroutine": "1", "first": "-1"}, 400),
    ({"goroutine": "-1"}, 404),
    ({"goroutine": "12345678"}, 404),
    ({"task": "12345678"}, 404),
    ({"track": "4294967295", "index": "0"}, 404),
    ({"track": "0", "index": "4294967295"}, 404),
    ({"tracks": "4294967295"}, 404),
    ({"start": "5", "end": "5"}, 404),
)


def lines_of(path, *arguments, code=0):
    """What `gotrace why` prints."""
    output = run("why", "--json", "--lenient", *arguments, path, code=code)
    return [json.loads(line) for line in output.splitlines()]


def parts_of(viewer, **query):
    """All parts, which come in answers of bounded length."""
    parts, total = [], 1
    while len(parts) < total:
        answer = viewer.ask("/api/why", first=len(parts), count=ALL, stacks=0, **query)
        total = answer["total"]
        assert answer["parts"] or total == 0
        parts += answer["parts"]
    return answer, parts


def check_invariant(answer, parts):
    """The parts of each interval are disjoint and add up to it exactly."""
    assert sum(part["end"] - part["start"] for part in parts) == answer["time"]
    for number, interval in enumerate(answer["intervals"]):
        at = interval["start"]
        for part in parts:
            if part["interval"] == number:
                assert part["start"] == at < part["end"], (interval, part)
                at = part["end"]
        assert at == interval["end"], interval
    assert sorted(part["number"] for part in parts) == list(range(len(parts)))


def check_sums(answer, parts):
    """The sums are those of the parts, the longest first."""
    sums, counts = collections.Counter(), collections.Counter()
    longest = collections.defaultdict(int)
    for part in parts:
        key = tuple(part[name] for name in ("group", "where", "reason", "state", "class"))
        sums[key] += part["end"] - part["start"]
        counts[key] += 1
        longest[key] = max(longest[key], part["end"] - part["start"])
    found = {tuple(row[name] for name in ("group", "where", "reason", "state", "class")): row
             for row in answer["sums"]}
    assert answer["sums_total"] == len(answer["sums"]) == len(found) == len(sums)
    for key, row in found.items():
        span = row["longest"]["end"] - row["longest"]["start"]
        assert (row["time"], row["count"], span) == (sums[key], counts[key], longest[key]), row
    times = [row["time"] for row in answer["sums"]]
    assert times == sorted(times, reverse=True)


def check_goroutine(viewer, path, origin, goroutine, interval=None):
    """The parts are those of `gotrace why`, one by one. Returns their number."""
    arguments, query = ["--goroutine=%d" % goroutine], {"goroutine": goroutine}
    if interval:
        query["start"], query["end"] = interval
        arguments += ["--start=%d" % (origin + interval[0]), "--end=%d" % (origin + interval[1])]
    expected = lines_of(path, *arguments)
    answer, parts = parts_of(viewer, **query)
    assert [(part["start"] + origin, part["end"] - part["start"], part["goroutine"], part["group"],
             part["where"], part["reason"], part["state"]) for part in parts] == \
        [(line["start_ns"], line["time_ns"], line["goroutine"], line["group"], line["where"],
          line["reason"], line["state"]) for line in expected], (path, query)
    check_invariant(answer, parts)
    check_sums(answer, parts)
    if interval:
        assert answer["time"] == interval[1] - interval[0]
    return len(parts)


def check_ranking(viewer, goroutine):
    """The longest parts come first where this is asked for, and pages of them follow another."""
    _, parts = parts_of(viewer, goroutine=goroutine)
    length = [part["end"] - part["start"] for part in parts]
    order = sorted(range(len(parts)), key=lambda i: (-length[i], i))
    answer = viewer.ask("/api/why", goroutine=goroutine, sort="time", desc=1, first=1, count=3)
    assert [part["number"] for part in answer["parts"]] == order[1:4]
    for part in answer["parts"]:
        functions = [frame["function"] for frame in part["stack"]]
        assert part["where"] in functions or (not functions and part["where"] == "")


def check_range(viewer, goroutine):
    """Of the parts those that are asked for, with the sums of all."""
    answer, parts = parts_of(viewer, goroutine=goroutine)
    middle = parts[len(parts) // 2]
    found = viewer.ask("/api/why", goroutine=goroutine, stacks=0, count=ALL,
                       **{"from": middle["start"], "to": middle["end"]})
    assert found["parts"] == [middle] and found["total"] == 1
    assert [found["sums"], found["time"]] == [answer["sums"], answer["time"]]


def check_tree(viewer, goroutine):
    """The tree of the stacks has the time of all parts of which something is known."""
    answer, parts = parts_of(viewer, goroutine=goroutine)
    known = sum(part["end"] - part["start"] for part in parts if part["class"] != "")
    for lines in (0, 1):
        tree = viewer.ask("/api/why", goroutine=goroutine, nodes=1, lines=lines)
        assert tree["tree_total"] == known == tree["nodes"][0][3]
        assert sum(node[2] for node in tree["nodes"]) == known
        assert len(tree["places"]) == len(tree["nodes"])
        assert [tree["sums"], tree["total"]] == [answer["sums"], answer["total"]]


def by_state(rows):
    """
    The time by state and reason. The command tells the function of a task's end, and the start
    functions that were known by then; the viewer tells what follows in the trace as well.
    """
    sums = collections.Counter()
    for row in rows:
        sums[row["reason"], row["state"]] += row["time_ns"] if "time_ns" in row else row["time"]
    return +sums


def check_tasks(viewer, path):
    """The paths of all tasks of a name, which are asked for one by one."""
    checked = 0
    types = [kind["name"] for kind in viewer.ask("/api/tasks")["types"]]
    for name in types:
        if "\N{REPLACEMENT CHARACTER}" in name or "\0" in name or name == "":
            continue
        tasks = [task for task in viewer.ask("/api/task", name=name, count=ALL)["tasks"]
                 if task["complete"]]
        if len(tasks) > 200:
            continue
        sums = collections.Counter()
        for task in tasks:
            answer = viewer.ask("/api/why", task=task["id"], stacks=0)
            # A program may end a task twice, and the path is that to the first end.
            assert answer["time"] <= task["duration"], (path, task)
            sums += by_state(answer["sums"])
            checked += 1
        lines = lines_of(path, "--task=" + name, "--top=0", code=0 if tasks else 1)
        assert sums == by_state(lines), (path, name)
    return checked


def check_spans(viewer):
    """A span stands for the interval of its goroutine, or for its task."""
    for row in viewer.ask("/api/rows", view="goroutine", count=20)["rows"]:
        for lane in row["lanes"]:
            status, body = viewer.fetch("/api/span", track=lane["track"], index=0)
            if status != 200:
                continue
            span = json.loads(body)
            found = viewer.ask("/api/why", track=lane["track"], index=0)
            wanted = viewer.ask("/api/why", goroutine=row["id"], start=span["start"],
                                end=span["end"])
            assert found == wanted, (row["id"], span)
    for row in viewer.ask("/api/rows", view="task", count=20)["rows"]:
        status, found = viewer.fetch("/api/why", track=row["lanes"][0]["track"], index=0)
        assert (status, found) == viewer.fetch("/api/why", task=row["id"])
        assert status in (200, 404)
    for row in viewer.ask("/api/rows", view="proc", count=2)["rows"]:
        status, body = viewer.fetch("/api/span", track=row["lanes"][0]["track"], index=0)
        if status == 200 and json.loads(body)["goroutine"]:
            span = json.loads(body)
            assert viewer.ask("/api/why", track=row["lanes"][0]["track"], index=0) == viewer.ask(
                "/api/why", goroutine=span["goroutine"]["id"], start=span["start"],
                end=span["end"])


def check_area(viewer, path, rows, origin, length):
    """An area is what its goroutines did in it, while they existed."""
    start, end = length // 4, length * 3 // 4
    tracks = ",".join(str(row["lanes"][0]["track"]) for row in rows[:3])
    status, body = viewer.fetch("/api/why", tracks=tracks, start=start, end=end)
    if status == 404:
        assert json.loads(body) == {"error": "there is no goroutine in this area"}
        return
    answer, parts = parts_of(viewer, tracks=tracks, start=start, end=end)
    check_invariant(answer, parts)
    check_sums(answer, parts)
    assert answer["left_out"] == 0
    for number, interval in enumerate(answer["intervals"]):
        assert start <= interval["start"] < interval["end"] <= end
        own = [(part["start"], part["end"], part["state"], part["where"]) for part in parts
               if part["interval"] == number]
        expected = lines_of(path, "--goroutine=%d" % interval["goroutine"],
                            "--start=%d" % (origin + interval["start"]),
                            "--end=%d" % (origin + interval["end"]))
        assert own == [(line["start_ns"] - origin, line["start_ns"] + line["time_ns"] - origin,
                        line["state"], line["where"]) for line in expected]


def check_trace(path, chance):
    """Returns how many parts and tasks were compared."""
    with Viewer(path) as viewer:
        trace = viewer.trace()
        rows = [row for row in viewer.ask("/api/rows", view="goroutine", sort="id",
                                          count=ALL)["rows"] if row["id"] >= 0]
        length = trace["duration"]
        if not rows or length == 0:
            return 0, 0
        first = lines_of(path, "--goroutine=%d" % rows[0]["id"])
        if not first:
            return 0, 0
        origin = first[0]["start_ns"]
        ids = [row["id"] for row in rows]
        parts = sum(check_goroutine(viewer, path, origin, goroutine)
                    for goroutine in chance.sample(ids, min(WHOLE, len(ids))))
        for _ in range(RANDOM):
            start, end = sorted(chance.randint(0, length) for _ in range(2))
            parts += check_goroutine(viewer, path, origin, chance.choice(ids), (start, end))
        check_ranking(viewer, ids[0])
        check_range(viewer, ids[0])
        check_tree(viewer, ids[0])
        check_spans(viewer)
        check_area(viewer, path, rows, origin, length)
        return parts, check_tasks(viewer, path)


def check_hostile(path):
    with Viewer(path) as viewer:
        viewer.ask("/api/why", goroutine=1)
        for query, expected in HOSTILE:
            status, body = viewer.fetch("/api/why", **query)
            assert status == expected, (query, status, body[:200])
            assert set(json.loads(body)) == {"error"}, (query, body)


def main():
    testdata = pathlib.Path(os.environ["GT_TESTDATA"])
    chance = random.Random(24)
    parts = tasks = traces = 0
    paths = share_of((path for path in sorted(testdata.rglob("*.trace"))
                      if "hostile" not in path.parts), 5)
    for path in paths:
        more = check_trace(path, chance)
        parts, tasks, traces = parts + more[0], tasks + more[1], traces + (more[0] > 0)
    print("%d traces, %d parts, %d tasks" % (traces, parts, tasks))
    assert traces > len(paths) * 3 / 4 and parts > 250 * traces, (traces, parts, tasks)
    assert tasks > traces / 3, (traces, tasks)
    check_hostile(testdata / "v2/go1.27-tasks.trace")


if __name__ == "__main__":
    sys.exit(main())
