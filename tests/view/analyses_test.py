#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the analyses that `gotrace view` serves against the commands that say the same.

Reads traces of $GT_TESTDATA, and some of $GT_CORPUS, where that is set; those are also held
against what Go counts in them.
"""

import collections
import gzip
import json
import os
import pathlib
import re
import sys
import tempfile

from viewing import Viewer, lines, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "viewer"))
import perfetto  # noqa: E402

TRACES = ("v2/go1.27-mix", "v2/go1.27-tasks", "v2/go1.27-gens", "v2/go1.27-strings",
          "v2/go1.22-tasks", "v1/go1.21-tasks", "v1/go1.19-sync")
CORPUS = ("go1.26-http", "go1.26-tasks", "go1.26-gc", "go1.21-http", "go1.19-restarts")
TIMES = {"execution": "Exec", "sched_wait": "SchedWait", "syscall": "Syscall",
         "syscall_block": "SyscallBlock", "total": "Total"}
KINDS = {"io": "net", "block": "sync", "syscall": "syscall", "sched": "sched"}
FLAGS = ("stw|background|assist", "stw|background|assist|sweep|perproc")
ALL = 10000


def percentile(values, percent):
    """The smallest value that no less than so many percent do not exceed."""
    rank = (len(values) * percent + 99) // 100
    return sorted(values)[max(rank, 1) - 1]


def times_of(record):
    """The times of a goroutine or a region as the viewer has them, by Go's names."""
    stats = {TIMES[key]: value for key, value in record["time"].items() if key in TIMES}
    assert record["time"]["block"] == sum(record["blocks"].values())
    return {**stats, "Block": record["blocks"], "Range": record["ranges"]}


def is_addressable(name):
    """Whether the name can be asked for: no URL has bytes that are no text, or that many."""
    return "\0" not in name and "\N{REPLACEMENT CHARACTER}" not in name and len(name) < 1000


class Trace:
    """A trace, and what the commands say of it."""

    def __init__(self, path):
        self.path = path
        summary = lines("summary", path)
        self.goroutines = [line for line in summary if "created" in line]
        self.regions = [line for line in summary if "region" in line]
        self.tasks = [line for line in summary if "complete" in line]
        text = run("dump", path).decode("utf-8", "surrogateescape")
        found = re.findall(r"^M=\S+ P=\S+ G=\S+ \S+ Time=(-?\d+)", text, re.M)
        times = [int(time) for time in found]
        self.start, self.length = times[0], times[-1] - times[0]

    def since(self, time):
        return time - self.start if time != 0 else None


def list_of(viewer, path, name):
    """A whole list, which can also be asked for in parts."""
    answer = viewer.ask(path)
    whole = answer[name]
    assert answer["total"] == len(whole)
    for first, count in ((0, 1), (1, 2), (1, ALL), (len(whole), 1), (2**32 - 1, 2**32 - 1), (0, 0)):
        part = viewer.ask(path, first=first, count=count)
        assert part["total"] == len(whole)
        assert part[name] == whole[first:first + count], (first, count)
    return whole


def check_groups(viewer, trace):
    groups = list_of(viewer, "/api/groups", "groups")
    rows = lines("goroutines", "--json", trace.path)
    assert [group["name"] for group in groups] == [row["name"] for row in rows]
    for group, row in zip(groups, rows):
        assert group["count"] == row["count"]
        for key, value in group["time"].items():
            assert value == row[key + "_ns"], (group["name"], key)
        own = [line for line in trace.goroutines if line["name"] == group["name"]]
        assert len(own) == group["count"]
        assert sorted(group["percentiles"]) == ["block", "execution", "sched_wait", "total"]
        for key, found in group["percentiles"].items():
            values = [sum(line["stats"]["Block"].values()) if key == "block"
                      else line["stats"][TIMES[key]] for line in own]
            assert found == [percentile(values, percent) for percent in (50, 95, 99)], key
        check_group(viewer, trace, group, own)


def check_group(viewer, trace, group, expected):
    answer = viewer.ask("/api/group", name=group["name"], count=ALL)
    assert answer["total"] == group["count"] == len(answer["goroutines"])
    found = {line["id"]: line for line in answer["goroutines"]}
    for line in expected:
        own = found[line["g"]]
        # In a trace of version 1 the first event is at 0, which is a time as good as any.
        assert own["created"] == line["created"] - trace.start
        assert own["started"] == trace.since(line["start"])
        assert own["ended"] == trace.since(line["end"])
        assert times_of(own) == line["stats"], line["g"]
    totals = [line["time"]["total"] for line in answer["goroutines"]]
    assert totals == sorted(totals, reverse=True)
    rising = viewer.ask("/api/group", name=group["name"], sort="id", desc=0, first=1, count=2)
    assert [line["id"] for line in rising["goroutines"]] == sorted(found)[1:3]


def key_of_region(line):
    return json.dumps([line["g"], line["task"], line["region"], line["stats"]], sort_keys=True)


def line_of_region(region):
    return {"g": region["goroutine"], "task": region["task"], "region": region["type"],
            "stats": times_of(region)}


def check_regions(viewer, trace):
    types = list_of(viewer, "/api/regions", "types")
    expected = collections.Counter(line["region"] for line in trace.regions)
    counts = collections.Counter()
    for kind in types:
        counts[kind["type"]] += kind["count"]
    assert counts == expected
    listed = []
    for kind in types:
        if not is_addressable(kind["type"]):
            everything = viewer.ask("/api/region", pc=kind["pc"], count=ALL)["regions"]
            own = [region for region in everything if region["type"] == kind["type"]]
            listed += map(line_of_region, own)
            continue
        own = viewer.ask("/api/region", type=kind["type"], pc=kind["pc"], count=ALL)["regions"]
        assert len(own) == kind["count"]
        check_lengths(kind, [region["end"] - region["start"] for region in own])
        check_latencies(viewer, "/api/region", {"type": kind["type"], "pc": kind["pc"]}, kind)
        for region in own:
            assert 0 <= region["start"] <= region["end"] <= trace.length
            listed.append(line_of_region(region))
    assert sorted(map(key_of_region, listed)) == sorted(map(key_of_region, trace.regions))


def check_lengths(kind, values):
    """Percentiles and the histogram of a type."""
    assert sum(count for _, _, count in kind["histogram"]) == len(values)
    for low, high, count in kind["histogram"]:
        assert sum(low <= value <= high for value in values) == count
    for before, after in zip(kind["histogram"], kind["histogram"][1:]):
        assert before[1] + 1 == after[0]
    if values:
        for percent in (50, 95, 99):
            assert kind["p%d" % percent] == percentile(values, percent)
        assert kind["max"] == max(values)


def check_latencies(viewer, path, query, kind):
    """The list of what is in a bar of the histogram is as long as it says."""
    for low, high, count in kind["histogram"]:
        answer = viewer.ask(path, latmin=low, latmax="%dns" % high, count=0, **query)
        assert answer["total"] == count, (kind, low, high)


def check_tasks(viewer, trace):
    types = list_of(viewer, "/api/tasks", "types")
    listed = viewer.ask("/api/task", count=ALL)["tasks"]
    assert len(listed) == len(trace.tasks)
    counts = collections.Counter(task["name"] for task in listed)
    assert {kind["name"]: kind["count"] for kind in types} == counts
    found = {task["id"]: task for task in listed}
    for line in trace.tasks:
        check_task(found, line)
        check_region_texts(found[line["task"]], trace)
    durations = [task["duration"] for task in listed]
    assert durations == sorted(durations)
    for kind in types:
        if not is_addressable(kind["name"]):
            continue
        own = viewer.ask("/api/task", name=kind["name"], complete=1, count=ALL)["tasks"]
        assert kind["complete"] == len(own)
        check_lengths(kind, [task["end"] - task["start"] for task in own])
        check_latencies(viewer, "/api/task", {"name": kind["name"]}, kind)


def check_task(found, line):
    task = found[line["task"]]
    assert (task["complete"], task["regions"]) == (line["complete"], line["regions"])
    # A task that ends twice has no name in a summary, as in Go's; here it keeps its own.
    assert line["name"] in (task["name"], "")
    assert (task["parent"] if task["parent"] is not None else 2**64 - 1) == line["parent"]
    if task["id"] != 0:
        assert len(task["goroutines"]) == line["goroutines"]
    if task["parent"] is not None:
        assert task["id"] in found[task["parent"]]["children"]
    assert task["events_total"] >= len(task["events"])
    times = [event["time"] for event in task["events"]]
    assert times == sorted(times)
    if task["events_total"] == len(times):
        texts = [event["text"] for event in task["events"]]
        assert sum(text.startswith("log ") for text in texts) == line["logs"]
        assert (task["has_start"], task["has_end"]) == (
            any(re.match(r'task ".*begin$', text, re.S) for text in texts), "task end" in texts)


def check_region_texts(task, trace):
    """Regions are called by their types. Quotes and what cannot be printed are escaped."""
    own = {line["region"] for line in trace.regions if line["task"] == task["id"]}
    for event in task["events"]:
        said = re.fullmatch(r'region "([^"\\]*)" (?:begin|end)', event["text"])
        assert not said or said.group(1) in own, (task["id"], event)


def check_log_text(viewer, trace):
    """A text that a task's logs or regions have finds the task, and one that none has finds none.
    One of each is looked for."""
    seen = set()
    listed = viewer.ask("/api/task", count=ALL)["tasks"]
    assert viewer.ask("/api/task", logtext="in no trace at all")["total"] == 0
    for task in listed:
        for event in task["events"]:
            said = re.match(r'(?:log (?:\(category: .*\): )?|region )"([^"]+)"', event["text"])
            kind = event["text"].split(" ")[0]
            if said and kind not in seen and is_addressable(said.group(1)):
                seen.add(kind)
                ids = [other["id"] for other in viewer.ask(
                    "/api/task", logtext=said.group(1)[:100], count=ALL)["tasks"]]
                assert task["id"] in ids, said.group(1)
    assert seen or not trace.regions or all(line["task"] == 0 for line in trace.regions)


def check_profile(viewer, trace, page, options, **query):
    """The raw profile is that of the command, and the tree has the same time."""
    kind = KINDS[page.replace("region", "")]
    expected = run("pprof", kind, *options, trace)
    assert viewer.bytes("/" + page, raw=1, **query) == expected, (page, query)
    text = run("pprof", kind, "--text", *options, trace).decode("utf-8", "replace")
    times = collections.Counter()
    for line in text.splitlines():
        count, time, stack = line.split(" ", 2)
        leaf = re.sub(r":\d+$", "", stack.split(";")[0]) or "(unknown)"
        times[leaf if stack else "(no stack)"] += int(time)
    tree = viewer.ask("/api/profile", kind=page, **query)
    nodes = tree["nodes"]
    assert tree["unit"] == "ns" and tree["total"] == nodes[0][3] == sum(times.values())
    sums = [node[2] for node in nodes]
    found = collections.Counter()
    for index in range(len(nodes) - 1, 0, -1):
        parent, function, own, total = nodes[index]
        assert parent < index and sums[index] == total
        sums[parent] += total
        found[function] += own
    assert +found == +times
    return tree["total"]


def check_profiles(viewer, trace):
    total = 0
    for page in KINDS:
        total += check_profile(viewer, trace.path, page, [])
        check_profile(viewer, trace.path, page, ["--all"], waits="all")
        for name in sorted({line["name"] for line in trace.goroutines} - {""})[:4]:
            check_profile(viewer, trace.path, page, ["--goroutine", name], name=name)
    kinds = sorted(filter(is_addressable, {line["region"] for line in trace.regions}))[:3]
    for page in KINDS:
        check_profile(viewer, trace.path, "region" + page, ["--latency-min", "0"])
        check_profile(viewer, trace.path, "region" + page, ["--latency-min", "0", "--all"],
                      waits="all")
        for kind in kinds:
            check_profile(viewer, trace.path, "region" + page, ["--region", kind], type=kind)
            check_profile(viewer, trace.path, "region" + page,
                          ["--region", kind, "--latency-min", "1us", "--latency-max", "20ms"],
                          type=kind, latmin="1us", latmax="20ms")
    return total


def check_contention(viewer, trace):
    """By reason, the pairs have the waits and the time of `gotrace latency`."""
    expected = {}
    for line in run("latency", "--json", "--top", "0", trace.path).decode().splitlines():
        series = json.loads(line)
        if (series["kind"], series["group"]) == ("block", "reason"):
            expected[series["name"]] = [series["count"], series["sum_ns"]]
    answer = viewer.ask("/api/contention", count=ALL)
    found = {each["reason"]: [each["count"], each["total"]] for each in answer["reasons"]}
    assert found == expected, (found, expected)
    pairs = answer["pairs"]
    assert len(pairs) == answer["total"] and answer["unpaired"] == 0
    assert [sum(pair[key] for pair in pairs) for key in ("count", "total")] == \
        [answer["waits"], answer["time"]]
    totals = [pair["total"] for pair in pairs]
    assert totals == sorted(totals, reverse=True)
    for pair in pairs:
        longest = pair["longest"]
        assert sum(bar[2] for bar in pair["histogram"]) == pair["count"]
        assert pair["p50"] <= pair["p95"] <= pair["p99"] <= pair["max"] <= pair["total"]
        assert longest["end"] - longest["start"] == pair["max"]
    for reason in expected:
        of_reason = viewer.ask("/api/contention", reason=reason, sort="max", count=ALL)["pairs"]
        assert sorted(pair["max"] for pair in of_reason) == \
            sorted(pair["max"] for pair in pairs if pair["reason"] == reason)
    classes = [viewer.ask("/api/contention", **{"class": name, "count": 0})["total"]
               for name in ("sync", "chan", "net", "sleep", "gc", "other", "between", "all")]
    assert sum(classes[:6]) == classes[7] == len(pairs) and sum(classes[:2]) == classes[6]
    return len(pairs)


def times_of_curve(finding, answer):
    """The sum of the values of a finding's curve, each as often as its bin has nanoseconds."""
    width, left = answer["bins"]["width"], answer["duration"]
    total = 0
    for value in finding["curve"]["values"]:
        total += value * min(width, left)
        left -= width
    return total


def check_curves(viewer, answer):
    """The curves have the times, cycles and events that other analyses count."""
    groups = viewer.ask("/api/groups")["groups"]
    cycles = viewer.ask("/api/gc/cycles", count=ALL)["cycles"]
    # A cycle may have begun before the trace, or end after it.
    marking = sum((answer["duration"] if cycle["mark_end"] is None else cycle["mark_end"]) -
                  (cycle["mark"] or 0) for cycle in cycles)
    checked = 0
    for finding in answer["findings"]:
        if finding["curve"] is None:
            continue
        found = times_of_curve(finding, answer)
        name, names = finding["name"], {each["group"] for each in finding["subjects"]}
        assert len(finding["curve"]["values"]) == answer["bins"]["count"] <= 120
        if name in ("goroutine-growth", "goroutine-churn"):
            expected = sum(group["time"]["total"] for group in groups if group["name"] in names)
        elif name == "scheduler-latency":
            expected = sum(group["time"]["sched_wait"] for group in groups
                           if group["name"] in names)
        elif name in ("throttled", "trace-health"):
            expected = answer["events"] * 1e9
        elif name in ("gc-cpu", "gc-assist", "gc-too-often"):
            expected = marking * 100
        else:
            assert found > 0 or name == "network-wakeup", finding
            continue
        assert abs(found - expected) <= 1e-6 * expected + 1000, (name, found, expected)
        checked += 1
    return checked


def check_report(viewer, trace):
    """Findings, figures, subjects, stacks and examples are those of `gotrace report`."""
    expected = json.loads(run("report", "--json", trace.path))
    answer = viewer.ask("/api/report")
    start = expected["start"]
    assert [answer[key] for key in ("events", "goroutines", "procs", "looked_for")] == \
        [expected[key] for key in ("events", "goroutines", "procs", "looked_for")]
    assert answer["duration"] == expected["end"] - start
    assert answer["total"] == len(expected["findings"])
    for found, wanted in zip(answer["findings"], expected["findings"]):
        example = wanted.pop("example", None)
        if example:
            goroutine = example["goroutine"]
            example = {"goroutine": None if goroutine < 0 else goroutine,
                       "start": example["start"] - start, "end": example["end"] - start}
        assert found["example"] == example, (found, example)
        for subject in found["subjects"]:
            for frame in subject["stack"] + subject["ended_by"]:
                assert re.fullmatch("0x[0-9a-f]+", frame.pop("pc"))
        assert {key: found[key] for key in wanted} == wanted
    wrong = [finding["name"] for finding in answer["findings"] if finding["wrong"]]
    text = run("report", trace.path).decode("utf-8", "replace")
    assert int(text.split()[0]) == len(wrong) == answer["wrong"], (text, wrong)
    part = viewer.ask("/api/report", first=1, count=1)
    assert part["findings"] == viewer.ask("/api/report")["findings"][1:2]
    assert part["total"] == answer["total"]
    return check_curves(viewer, answer)


def check_reports(directory):
    """Of programs with a fault that is planted, and of their twins."""
    checked = 0
    for path in sorted(directory.glob("*.trace")):
        with Viewer(path) as viewer:
            checked += check_report(viewer, collections.namedtuple("Path", "path")(path))
    assert checked > 40, checked


def check_mmu(viewer, trace):
    for flags in FLAGS:
        answer = viewer.ask("/api/mmu", flags=flags)
        rows = run("mmu", "--csv", "--quantiles", "--windows=100",
                   "--flags=" + flags.replace("|", ","), trace.path).decode().splitlines()[1:]
        # Where nothing is known all windows are of one length, which makes no curve.
        if len({row.split(",")[1] for row in rows}) == 1:
            assert answer["curve"] == []
            rows = []
        assert len(rows) == len(answer["curve"])
        for row, point in zip(rows, answer["curve"]):
            fields = row.split(",")[1:]
            assert point[0] == int(fields[0])
            assert all(abs(a - float(b)) < 1e-8 for a, b in zip(point[1:], fields[1:])), row
        worst = viewer.ask("/api/mmu/worst", flags=flags, window=100000)["windows"]
        rows = run("mmu", "--csv", "--worst=100us", "--flags=" + flags.replace("|", ","),
                   trace.path).decode().splitlines()[1:]
        assert [window["time"] + trace.start for window in worst] == \
            [int(row.split(",")[2]) for row in rows]
        assert all(abs(window["utilization"] - float(row.split(",")[3])) < 1e-8
                   for window, row in zip(worst, rows))
    system = viewer.ask("/api/mmu", flags="system|mut|stw")
    assert system["flags"] == ["stw"]


def check_json(viewer, trace):
    queries = [{}, {"view": "thread"}, {"view": "goroutine"}, {"start": 5, "end": 50}]
    queries += [{"goid": line["g"]} for line in trace.goroutines[:2] if line["name"] != ""]
    queries += [{name: line["task"]} for line in trace.tasks[-2:] if line["task"] != 0
                for name in ("taskid", "focustask")]
    for query in queries:
        options = ["--%s=%s" % pair for pair in query.items()]
        assert viewer.bytes("/jsontrace", **query) == run("json", *options, trace.path), query


def check_area_as_trace(viewer, trace):
    """What happened in a range is the trace that the command cuts, and fails where that does."""
    end = viewer.ask("/api/trace")["duration"]
    queries = [{}, {"start": 20000, "end": 600000}, {"start": 1000}, {"start": end + 1}]
    # Nothing happens there, so that the states are written.
    queries += [{"start": 1, "end": 1}] if trace.path.parent.name == "v2" else []
    for query in queries:
        times = {"start": 0, "end": max(end, query.get("start", 0)), **query}
        options = ["--%s=+%dns" % pair for pair in times.items()]
        status, body = viewer.fetch("/api/area.trace", **query)
        is_good = status == 200
        assert is_good == (times["start"] <= end), (query, status)
        assert is_good or status == 404 and json.loads(body)["error"], (query, status, body)
        cut = run("cut", *options, trace.path, code=0 if is_good else 1)
        assert not is_good or body == cut, query


def check_perfetto(viewer, trace):
    """The file is the one that the command writes, of the whole trace and of a range."""
    end = viewer.ask("/api/trace")["duration"]
    for query, options in (({}, []),
                           ({"view": "proc"}, ["--procs"]),
                           ({"view": "thread", "start": 1000}, ["--threads", "--start=+1000ns"]),
                           ({"start": 20000, "end": 600000}, ["--start=+20us", "--end=+600us"]),
                           ({"start": end + 1}, [f"--start=+{end + 1}ns"])):
        body = viewer.bytes("/api/area.pftrace", **query)
        assert body == run("perfetto", *options, trace.path), query
    rows = viewer.ask("/api/rows", view="goroutine", count=ALL)["rows"][:2]
    tracks = ",".join(str(row["lanes"][0]["track"]) for row in rows)
    part = perfetto.Trace(viewer.bytes("/api/area.pftrace", tracks=tracks))
    paths = [part.path(track) for track in part.tracks]
    assert {path[3] for path in paths if path[1:2] == ("Goroutines",) and len(path) > 3} == \
        {f"G{row['id']}" for row in rows}, paths


def named_rows(events):
    return {event["tid"] for event in events
            if event["pid"] == 0 and event.get("name") == "thread_name"}


def check_json_part(viewer, trace):
    """A part names only rows with events, and keeps to the rows that were chosen."""
    lanes = {row["id"]: row["lanes"][0]["track"]
             for row in viewer.ask("/api/rows", view="goroutine", count=ALL)["rows"]}
    chosen = sorted(lanes)[:2]
    for view in ("proc", "thread", "goroutine"):
        whole = json.loads(viewer.bytes("/jsontrace", view=view))["traceEvents"]
        part = {"view": view, "from": 20000, "to": 600000}
        events = json.loads(viewer.bytes("/jsontrace", **part))["traceEvents"]
        used = {event["tid"] for event in events if event["pid"] == 0 and event["ph"] != "M"}
        assert named_rows(events) == used & named_rows(whole), view
    tracks = ",".join(str(lanes[goroutine]) for goroutine in chosen)
    some = json.loads(viewer.bytes("/jsontrace", tracks=tracks, **part))["traceEvents"]
    slices = [[event["name"], event["tid"], event["ts"]] for event in events
              if event["pid"] == 0 and event["ph"] == "X" and event["tid"] in chosen]
    assert [[event["name"], event["tid"], event["ts"]] for event in some
            if event["pid"] == 0 and event["ph"] == "X"] == slices
    assert named_rows(some) <= set(chosen)


HOSTILE = (
    ("/api/group", {}, 400),
    ("/api/group", {"name": "no.such.function"}, 404),
    ("/api/group", {"name": "main.main", "sort": "nothing"}, 400),
    ("/api/group", {"name": "main.main", "sort": "block:no such reason"}, 400),
    ("/api/group", {"name": "main.main", "first": "-1"}, 400),
    ("/api/group", {"name": "main.main", "count": "99999999999999999999"}, 400),
    ("/api/gc/cycles", {"sort": "cause"}, 400),
    ("/api/gc/cycles", {"first": "-1"}, 400),
    ("/api/gc/cycles", {"count": "10001"}, 400),
    ("/api/gc/stops", {"sort": "mark"}, 400),
    ("/api/gc/stops", {"desc": "2"}, 400),
    ("/api/region", {"type": "no such type"}, 404),
    ("/api/region", {"pc": "0xyz"}, 400),
    ("/api/region", {"pc": " 1"}, 400),
    ("/api/region", {"pc": "123456789abcdef01"}, 400),
    ("/api/region", {"latmin": "long"}, 400),
    ("/api/region", {"latmax": "-1ms"}, 400),
    ("/api/task", {"name": "no such task"}, 404),
    ("/api/task", {"complete": "2"}, 400),
    ("/api/task", {"latmin": "999999999999999999h"}, 400),
    ("/api/mmu", {"flags": "stw|everything"}, 400),
    ("/api/contention", {"class": "locks"}, 400),
    ("/api/contention", {"sort": "reason"}, 400),
    ("/api/report", {"count": "-1"}, 400),
    ("/api/report", {"first": "x"}, 400),
    ("/api/mmu/worst", {"flags": "stw"}, 400),
    ("/api/mmu/worst", {"flags": "stw", "window": "0"}, 400),
    ("/api/mmu/worst", {"flags": "stw", "window": "9223372036854775807"}, 400),
    ("/api/profile", {}, 400),
    ("/api/profile", {"kind": "heap"}, 400),
    ("/api/profile", {"kind": "io", "name": "no.such.function"}, 404),
    ("/api/profile", {"kind": "regionio", "pc": "1"}, 400),
    ("/api/profile", {"kind": "regionio", "type": "", "pc": "1"}, 400),
    ("/io", {"raw": "1", "name": "no.such.function"}, 404),
    ("/io", {"raw": "2"}, 400),
    ("/api/profile", {"kind": "io", "waits": "some"}, 400),
    ("/regionio", {"raw": "1", "latmin": "1 ms"}, 400),
    ("/api/area.pftrace", {"view": "task"}, 400),
    ("/api/area.pftrace", {"start": "2", "end": "1"}, 400),
    ("/api/area.pftrace", {"tracks": "x"}, 400),
    ("/jsontrace", {"view": "heap"}, 400),
    ("/jsontrace", {"goid": "one"}, 400),
    ("/jsontrace", {"goid": "18446744073709551616"}, 400),
    ("/jsontrace", {"goid": "12345678"}, 404),
    ("/jsontrace", {"taskid": "12345678"}, 404),
    ("/jsontrace", {"start": "0", "end": "-1"}, 400),
    ("/jsontrace", {"from": "0", "to": "1e9"}, 400),
    ("/jsontrace", {"from": "0", "to": "9", "tracks": "x"}, 400),
)


def check_hostile(viewer):
    viewer.ask("/api/groups")
    for path, query, expected in HOSTILE:
        status, body = viewer.answer(path, **query)
        assert status == expected, (path, query, status, body[:200])
        assert set(json.loads(body)) == {"error"}, (path, query, body)
    # As many as are asked for, of which only the last ones are kept, nor does one who gave up
    # on many keep others waiting.
    for length in range(40):
        viewer.ask("/api/profile", kind="regionblock", latmin=length)
    for length in range(40, 140):
        assert viewer.fetch("/api/profile", kind="regionblock", latmin=length)[0] in (200, 202)
    viewer.ask("/api/profile", kind="regionblock", latmin=40)


def merge_types(path, from_type, to_type, directory):
    """The same trace where regions of one type have the name of another."""
    text = run("text", path)
    names = [b'\n\tdata="%s"\n' % name.encode() for name in (from_type, to_type)]
    assert all(name in text for name in names)
    source = pathlib.Path(directory) / "merged.text"
    source.write_bytes(text.replace(*names))
    merged = pathlib.Path(directory) / "merged.trace"
    merged.write_bytes(run("encode", "--set-sizes", source))
    return merged


def check_places(path, one, other):
    """Of two types that have one name the place tells which is meant."""
    with tempfile.TemporaryDirectory() as directory, Viewer(path) as apart:
        types = {kind["type"]: kind for kind in apart.ask("/api/regions")["types"]}
        assert types[one]["pc"] != types[other]["pc"]
        with Viewer(merge_types(path, one, other, directory)) as merged:
            assert one not in {kind["type"] for kind in merged.ask("/api/regions")["types"]}
            told_apart = 0
            for page in KINDS:
                profiles = set()
                for name in (one, other):
                    expected = apart.bytes("/region" + page, raw=1, type=name)
                    profiles.add(expected)
                    assert expected == merged.bytes("/region" + page, raw=1, type=other,
                                                    pc=types[name]["pc"]), (page, name)
                    total = apart.ask("/api/region", type=name)["total"]
                    assert total == merged.ask("/api/region", type=other,
                                               pc=types[name]["pc"])["total"]
                both = merged.bytes("/region" + page, raw=1, type=other)
                told_apart += len(profiles) > 1 and both not in profiles
            assert told_apart > 0


def check_range(path):
    """Of a range of time there is what lies in it, if only in part."""
    with Viewer(path) as viewer:
        every = json.loads(viewer.bytes("/jsontrace", view="goroutine"))["traceEvents"]
        times = sorted(event["ts"] for event in every if event["ph"] == "X")
        first, last = times[len(times) // 3], times[len(times) // 2]
        part = json.loads(viewer.bytes("/jsontrace", view="goroutine", **{
            "from": round(first * 1000), "to": round(last * 1000)}))["traceEvents"]
        slices = [event for event in part if event["ph"] == "X"]
        assert slices == [event for event in every if event["ph"] == "X"
                          and event["ts"] <= last and event["ts"] + event["dur"] >= first] != []
        assert len(slices) < len(times)


def check_damaged(path):
    """Of a trace that is cut off there is what is good."""
    with Viewer(path) as viewer:
        groups = viewer.ask("/api/groups")["groups"]
        rows = lines("goroutines", "--json", "--lenient", path)
        assert [(group["name"], group["time"]["total"]) for group in groups] == \
            [(row["name"], row["total_ns"]) for row in rows] != []
        assert viewer.bytes("/jsontrace") == run("json", "--lenient", path)
        assert viewer.bytes("/api/area.pftrace") == run("perfetto", "--lenient", path)
        assert viewer.bytes("/sched", raw=1) == run("pprof", "sched", "--lenient", path)


def check_golden(viewer, corpus, name):
    """What Go itself counts, which no time has a part in."""
    with gzip.open(corpus / name / "summary.gz", "rt", encoding="utf-8",
                   errors="surrogateescape") as file:
        golden = [json.loads(line) for line in file]
    groups = viewer.ask("/api/groups")["groups"]
    assert {group["name"]: group["count"] for group in groups} == collections.Counter(
        line["name"] for line in golden if "created" in line)
    types = collections.Counter()
    for kind in viewer.ask("/api/regions")["types"]:
        types[kind["type"]] += kind["count"]
    assert types == collections.Counter(line["region"] for line in golden if "region" in line)
    tasks = {task["id"]: task for task in viewer.ask("/api/task", count=ALL)["tasks"]}
    for line in golden:
        if "complete" in line:
            check_task(tasks, line)


def check(path, checks):
    trace = Trace(path)
    with Viewer(path) as viewer:
        for one in checks:
            one(viewer, trace)


def find_corpus():
    corpus = os.environ.get("GT_CORPUS")
    return pathlib.Path(corpus) if corpus else None


def main():
    testdata = pathlib.Path(os.environ["GT_TESTDATA"])
    checks = (check_groups, check_regions, check_tasks, check_log_text, check_profiles,
              check_contention, check_report, check_mmu, check_json,
              check_json_part, check_area_as_trace,
              check_perfetto)
    for name in TRACES:
        print(name)
        check(testdata / (name + ".trace"), checks)
    with Viewer(testdata / "v2/go1.27-mix.trace") as viewer:
        check_hostile(viewer)
    check_reports(testdata / "report")
    check_damaged(testdata / "v2/go1.27-cut.trace")
    check_range(testdata / "v2/go1.27-mix.trace")
    check_places(testdata / "v2/go1.27-gens.trace", "in a system call", "long region")
    corpus = find_corpus()
    for name in CORPUS if corpus else ():
        path = corpus / (name + ".trace")
        if path.exists():
            print(name)
            check(path, checks)
            with Viewer(path) as viewer:
                check_golden(viewer, corpus, name)


if __name__ == "__main__":
    sys.exit(main())
