#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What /api/area, /api/flame and /api/search of `gotrace view` answer, against what
`gotrace dump` prints of the same trace."""

import collections
import csv
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "analysis"))

from pprof_lines import read_fields, read_sample
from trace_facts import Facts
from view_server import Server

TRACES = ("v1/go1.21-net", "v2/go1.22-sync", "v2/go1.26-chan", "v2/go1.26-gcgens",
          "v2/go1.26-tasks", "v2/go1.27-cpu", "v2/go1.27-mix", "v2/go1.27-net")
WAITS = ("wait_chan", "wait_sync", "wait_net", "wait_sleep", "wait_gc", "wait_other")
CLASSES = {
    "Running": ("running", "running_gc"),
    "Runnable": ("runnable",),
    "Syscall": ("syscall", "syscall_blocked"),
    "Waiting": WAITS,
}
# What a flame graph of each kind is of.
FLAMES = {
    "running": CLASSES["Running"],
    "runnable": CLASSES["Runnable"],
    "syscall": CLASSES["Syscall"],
    "waiting": WAITS,
    "offcpu": WAITS + ("syscall_blocked",),
    "wall": sum(CLASSES.values(), ()),
}
BAD = (
    "area?start=5&end=1", "area?start=x", "area?tracks=1,x", "area?view=nothing",
    "flame?kind=nothing", "flame?end=1e999", "flame.pprof?kind=", "area.csv?start=-",
    "search", "search?q=", "search?q=%20", "search?q=%22open", "search?q=dur>", "search?q=dur>x",
    "search?q=g99999999999999999999", "search?q=state:nothing", "search?q=kind:nothing",
    "search?q=a&max=0", "search?q=a&max=99999999999", "search?q=" + "a" * 2000,
    "search?q=" + "%20x" * 20,
)
# The frames of the runtime, and of what Go's library waits with.
RUNTIME = re.compile(r"(runtime|internal/runtime/[^.]*|runtime/internal/[^.]*)\.")
WAITING = re.compile(r"(sync|internal/sync|internal/poll|time|runtime/[^.]*)\.")


class Problem(Exception):
    """An answer is not what it must be."""


def check(condition, *what):
    if not condition:
        raise Problem(" ".join(str(part) for part in what))


def same(found, expected, *what):
    check(found == expected, *what, "-", found, "not", expected)


def percentile(values, percent):
    values = sorted(values)
    return values[max(0, (len(values) * percent + 99) // 100 - 1)]


class Case:
    """One trace: what it says, and the server that shows it."""

    def __init__(self, server, facts):
        self.server = server
        self.facts = facts
        rows = server.ask("rows", view="goroutine", count=10000)["rows"]
        self.tracks = {row["id"]: row["lanes"][0]["track"] for row in rows}

    def states(self, start, end, goroutines=None):
        """The states in an area, each with its goroutine and how much of it is there."""
        for goroutine, states in self.facts.states.items():
            if goroutines is not None and goroutine not in goroutines:
                continue
            for state in states:
                if state.start < end and state.end > start:
                    yield goroutine, state, min(state.end, end) - max(state.start, start)


def areas(case):
    """Everything, parts of it, and parts of some rows."""
    chance = random.Random(1)
    end = case.facts.end
    everything = case.server.ask("trace")["duration"]
    yield {"start": 0, "end": everything}, None
    for _ in range(4):
        first, last = sorted(chance.randrange(end + 1) for _ in "ab")
        yield {"start": first, "end": last}, None
        some = chance.sample(sorted(case.tracks), min(3, len(case.tracks)))
        # One that is named twice counts once.
        tracks = ",".join(str(case.tracks[goroutine]) for goroutine in some + some[:1])
        yield {"start": first, "end": last, "tracks": tracks}, some


def check_figures(figures, values, what):
    same(figures["count"], len(values), what, "count")
    same(figures["time"], sum(values), what, "time")
    same((figures["min"], figures["max"]), (min(values), max(values)), what, "ends")
    check(abs(figures["mean"] - sum(values) / len(values)) < 1e-3 * max(values) + 1, what, "mean")
    for percent in (50, 95, 99):
        same(figures["p%d" % percent], percentile(values, percent), what, "p%d" % percent)


def test_area(case):
    for area, goroutines in areas(case):
        answer = case.server.ask("area", **area)
        times, reasons = collections.Counter(), collections.defaultdict(list)
        functions, members = collections.Counter(), collections.defaultdict(set)
        for goroutine, state, time in case.states(area["start"], area["end"], goroutines):
            name = case.facts.names.get(goroutine, "")
            times[state.name] += time
            functions[name] += time
            members[name].add(goroutine)
            if state.name == "Waiting":
                reasons[state.reason].append(time)
        found = {figures["class"]: figures for figures in answer["classes"]}
        for name, classes in CLASSES.items():
            same(sum(found[cls]["time"] for cls in classes if cls in found), times[name], name)
        same({row["name"]: row["goroutines"] for row in answer["functions"]},
             {name: len(ids) for name, ids in members.items()}, "goroutines of functions")
        for row in answer["functions"]:
            same(sum(row["time"].values()), functions[row["name"]], "time of", row["name"])
        same({row["reason"] for row in answer["reasons"]}, set(reasons), "reasons")
        for row in answer["reasons"]:
            check_figures(row, reasons[row["reason"]], row["reason"])
        check(not answer["approximate"], "is not exact")


def test_csv(case):
    """The table says what the answer in JSON does."""
    for area, _ in areas(case):
        answer = case.server.ask("area", **area)
        status, kind, body = case.server.get("/api/area.csv?" + urllib.parse.urlencode(area))
        same((status, kind), (200, "text/csv; charset=utf-8"), "table")
        lines = list(csv.DictReader(io.StringIO(body.decode(), newline="")))
        check(all(None not in line and None not in line.values() for line in lines), "fields")
        for key, name in (("classes", "class"), ("reasons", "reason")):
            same([(line["name"], int(line["time_ns"]), int(line["count"]), int(line["p95_ns"]))
                  for line in lines if line["kind"] == name],
                 [(row[name], row["time"], row["count"], row["p95"]) for row in answer[key]], key)
        times = collections.defaultdict(dict)
        for line in lines:
            if line["kind"] == "function":
                times[line["name"]][line["class"]] = int(line["time_ns"])
        same(dict(times), {row["name"]: row["time"] for row in answer["functions"]
                           if row["time"]}, "functions")


def test_collector(case):
    stops = case.facts.ranges("stop-the-world")
    answer = case.server.ask("area")
    same(answer["stw"]["count"], len(stops), "stops")
    same(answer["stw"]["time"], sum(end - start for start, end in stops), "time of stops")
    collections_ = case.facts.ranges("GC concurrent mark phase")
    same(answer["gc"]["time"], sum(end - start for start, end in collections_), "time of GC")


def own_times(nodes):
    """The time of each function itself."""
    own = collections.Counter()
    for _, name, self_time, _ in nodes:
        own[name] += self_time
    return +own


def profile_times(data):
    """The same of a profile."""
    samples, lines, functions, strings = [], {}, {}, []
    for field, value in read_fields(data):
        if field == 2:
            samples.append(read_sample(value))
        elif field == 4:
            location = dict(read_fields(value))
            lines[location[1]] = dict(read_fields(location[4]))[1]
        elif field == 5:
            function = dict(read_fields(value))
            functions[function[1]] = function.get(2, 0)
        elif field == 6:
            strings.append(value.decode())
    own = collections.Counter()
    for sample in samples:
        leaf = strings[functions[lines[sample[1][0]]]] if sample[1] else "(no stack)"
        own[leaf or "(unknown)"] += sample[2][0]
    return own


def test_flames(case):
    for area, _ in areas(case):
        times = {row["class"]: row["time"]
                 for row in case.server.ask("area", **area)["classes"]}
        for kind, classes in FLAMES.items():
            answer = case.server.ask("flame", kind=kind, **area)
            nodes = answer["nodes"]
            same((answer["unit"], nodes[0][3]), ("ns", answer["total"]), kind, "total")
            same(answer["total"], sum(times.get(cls, 0) for cls in classes), kind, area)
            totals = [node[2] for node in nodes]
            for i in range(len(nodes) - 1, 0, -1):
                check(nodes[i][0] < i, "parent of", i)
                same(totals[i], nodes[i][3], kind, "total of", nodes[i])
                totals[nodes[i][0]] += nodes[i][3]
            path = "/api/flame.pprof?" + urllib.parse.urlencode(dict(area, kind=kind))
            status, _, body = case.server.get(path)
            same(status, 200, path)
            same(profile_times(body), own_times(nodes), kind, "as a profile")


def lines_of(answer):
    """The lines of the frames of a flame graph, by the functions on the way to them."""
    lines = collections.defaultdict(set)
    paths = [()]
    for (parent, function, _, _), (_, line) in zip(answer["nodes"][1:], answer["places"][1:]):
        paths.append(paths[parent] + (function,))
        lines[paths[-1]].add(line)
    return lines


def test_lines_of_frames(case):
    """A frame has a line if all of its calls are at that line."""
    for kind in ("wall", "waiting"):
        apart = lines_of(case.server.ask("flame", kind=kind, lines=1))
        for path, lines in lines_of(case.server.ask("flame", kind=kind)).items():
            found = apart[path]
            same(lines, found if len(found) == 1 else {0}, kind, "lines of", path)


def test_samples(case):
    """CPU samples by the leaves of their stacks."""
    samples = case.facts.of_kind("StackSample")
    expected = collections.Counter(
        event.stack[0] if event.stack else "(no stack)" for event in samples)
    answer = case.server.ask("flame", kind="cpu")
    same(answer["unit"], "samples", "unit")
    same(answer["total"], len(samples), "samples")
    same(own_times(answer["nodes"]), expected, "leaves")


def find(case, query):
    answer = case.server.ask("search", q=query, max=10000)
    check(not answer["approximate"], "is not exact")
    same(min(answer["total"], 10000), len(answer["results"]), "total of", query)
    same(answer["total"], sum(answer["kinds"].values()), "kinds of", query)
    return answer["results"]


def test_search_states(case):
    waits = [state for states in case.facts.states.values() for state in states
             if state.name == "Waiting"]
    for reason in sorted({state.reason for state in waits if state.reason}):
        results = find(case, 'kind:reason state:waiting "%s"' % reason)
        expected = [state.start for state in waits if reason in state.reason]
        same([result["start"] for result in results], sorted(expected), reason)
        for result in results[:20]:
            span = case.server.ask("span", track=result["track"], index=result["index"])
            same((span["start"], span["end"], span["row"]["id"]),
                 (result["start"], result["end"], result["row_id"]), "span of", result)
    lengths = sorted(state.end - state.start for state in waits)
    middle = lengths[len(lengths) // 2]
    results = find(case, "state:waiting dur>=%dns" % middle)
    same(len(results), sum(length >= middle for length in lengths), "waits of", middle)


def test_search_table(case):
    """The table has what the search finds, in each order and within limits."""
    for query in ("kind:state", "state:waiting dur>1us", "main"):
        results = find(case, query)
        # A page has no more, so these are not all.
        if len(results) == 10000:
            continue
        timed = [result for result in results if result["kind"] not in ("function", "log")]
        lengths = sorted(result["end"] - result["start"] for result in timed)
        for sort, key in (("start", lambda result: result["start"]),
                          ("duration", lambda result: result["end"] - result["start"])):
            for descending in (0, 1):
                answer = case.server.ask("search/table", q=query, sort=sort, desc=descending,
                                         count=10000)
                keys = [key(result) for result in answer["results"]]
                same(keys, sorted(map(key, results), reverse=descending == 1), query, sort)
        same((answer["total"], answer["listed"]), (len(results), len(results)), "total")
        same(sum(count for _, _, count in answer["histogram"]), len(timed), "histogram of", query)
        if not timed:
            continue
        for percent in (50, 95, 99):
            same(answer["p%d" % percent], percentile(lengths, percent), query, percent)
        middle = lengths[len(lengths) // 2]
        limited = case.server.ask("search/table", q=query, latmin="%dns" % max(middle, 1))
        kept = [length for length in lengths if length >= max(middle, 1)]
        same(limited["total"], len(kept), "results of", middle)
        same(sum(kind["time"] for kind in limited["kinds"].values()), sum(kept), "time of", query)
        page = case.server.ask("search/table", q=query, sort="duration", first=2, count=3)
        same(page["results"], answer["results"][2:5], "page of", query)


def test_search_csv(case):
    results = case.server.ask("search/table", q="main", sort="start", desc=0, count=10000)
    status, kind, body = case.server.get("/api/search.csv?q=main&sort=start&desc=0")
    same((status, kind), (200, "text/csv; charset=utf-8"), "CSV")
    lines = list(csv.DictReader(io.StringIO(body.decode(), newline="")))
    same([(line["kind"], line["name"], line["where"]) for line in lines],
         [(result["kind"], result["title"], result["detail"]) for result in results["results"]],
         "lines")


def test_search_goroutines(case):
    names = case.facts.names
    for name in sorted({name for name in names.values() if name}):
        found = {result["row_id"] for result in find(case, 'kind:goroutine "%s"' % name.upper())}
        same(found, {goroutine for goroutine in case.tracks
                     if name.upper() in names.get(goroutine, "").upper()}, name)
    for goroutine in sorted(case.tracks)[:5]:
        same([(result["kind"], result["row_id"]) for result in find(case, "g%d" % goroutine)],
             [("goroutine", goroutine)], "goroutine", goroutine)
    same(find(case, "no\xfcthing \"of the kind\""), [], "nothing")


def test_search_stacks(case):
    """States that end or begin in some function, by the stacks of /api/span."""
    functions = collections.Counter(
        frame for event in case.facts.events for frame in event.stack)
    for function, _ in functions.most_common(3):
        for result in find(case, 'stack:"%s"' % function)[:20]:
            span = case.server.ask("span", track=result["track"], index=result["index"])
            check(any(function.lower() in frame["function"].lower()
                      for frame in span["stack"] + span["end_stack"]), function, result)


def title_of(stack):
    """The frames by which a stack is called: its leaf, the first one outside of the runtime, and a
    caller of that which does more than wait. Also the index of the second of these."""
    outside = [i for i, frame in enumerate(stack) if not RUNTIME.match(frame["function"])]
    callers = [i for i in outside[1:] if not WAITING.match(stack[i]["function"])]
    kept = sorted({*range(min(1, len(stack))), *outside[:1], *callers[:1]})
    return [stack[i] for i in kept], kept.index(outside[0]) if outside else 0


def test_search_titles(case):
    """Results have the titles of the stacks of /api/span, and files those outside the runtime."""
    order = {"q": "dur>1us", "sort": "start", "desc": 0}
    results = case.server.ask("search/table", count=60, **order)["results"]
    check(any(result["stack"] for result in results), "no titles")
    _, _, body = case.server.get("/api/search.csv?" + urllib.parse.urlencode(order))
    lines = csv.DictReader(io.StringIO(body.decode(), newline=""))
    for result, line in zip(results, lines):
        if result["track"] is None or result["kind"] in ("goroutine", "task", "log"):
            continue
        span = case.server.ask("span", track=result["track"], index=result["index"])
        title, at = title_of(span["stack"])
        same(result["stack"], title, "title of", result)
        place = title[at] if title else {"function": "", "file": "", "line": ""}
        same((line["function"], line["file"], line["line"]),
             (place["function"], place["file"], str(place["line"])), "line of", result)


def test_refusals(case):
    for path in BAD:
        status, kind, body = case.server.get("/api/" + path)
        same((status, kind), (400, "application/json"), path)
        check(b"error" in body, path, body)


TESTS = (test_area, test_csv, test_collector, test_flames, test_lines_of_frames, test_samples,
         test_search_states, test_search_table, test_search_csv, test_search_goroutines,
         test_search_stacks, test_search_titles, test_refusals)


def run(path):
    failed = 0
    with Server(path) as server:
        case = Case(server, Facts(path))
        for test in TESTS:
            try:
                test(case)
            except Problem as problem:
                print("%s: %s: %s" % (path, test.__name__, problem))
                failed += 1
    return failed


def test_formulas(path):
    """Returns 1 if a cell of the table could be a formula, where all names begin like one."""
    command = os.environ["GT_COMMAND"]
    text = subprocess.run([command, "text", path], check=True, capture_output=True).stdout
    cells, numbers = 0, 0
    for start in (b"=", b"+", b"-", b"@", rb"\t", rb"\r"):
        changed = re.sub(rb'(data=")(?=[^"])', lambda match: match[1] + start, text)
        with tempfile.NamedTemporaryFile() as trace:
            subprocess.run([command, "encode", "--set-sizes", "-"], check=True, input=changed,
                           stdout=trace)
            with Server(trace.name) as server:
                _, _, body = server.get("/api/area.csv")
        for line in csv.reader(io.StringIO(body.decode(), newline="")):
            cells += line[1].startswith("'" + start.decode("unicode_escape"))
            numbers += line[3].isdigit()
            if any(re.match("[=+@\t\r-]", cell) for cell in line):
                print("%s: test_formulas: %s" % (path, line))
                return 1
    return int(cells == 0 or numbers == 0)


def main():
    root = pathlib.Path(os.environ["GT_TESTDATA"])
    failed = sum(run(str(root / (name + ".trace"))) for name in sys.argv[1:] or TRACES)
    failed += test_formulas(str(root / "v2/go1.27-tasks.trace"))
    print("%d failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
