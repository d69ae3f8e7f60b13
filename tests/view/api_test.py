#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds what `gotrace view` answers against what `gotrace dump` prints of the same trace."""

import bisect
import collections
import json
import os
import pathlib
import re
import sys
import urllib.parse

from trace_facts import Facts
from view_server import Server

TRACES = ("v1/go1.19-chan", "v1/go1.21-net", "v2/go1.22-syscall", "v2/go1.22-sync",
          "v2/go1.26-chan", "v2/go1.26-gcgens", "v2/go1.26-tasks", "v2/go1.26-strings",
          "v2/go1.27-coro", "v2/go1.27-cpu", "v2/go1.27-mix", "v2/go1.27-net", "v2/go1.27-procs")
# The collector's goroutines run in a class of their own.
CLASSES = {
    "Running": ("running", "running_gc"),
    "Runnable": ("runnable",),
    "Syscall": ("syscall", "syscall_blocked"),
    "Waiting": ("wait_chan", "wait_sync", "wait_net", "wait_sleep", "wait_gc", "wait_other"),
}
HEAP, GOAL = "/memory/classes/heap/objects:bytes", "/gc/heap/goal:bytes"


class Problem(Exception):
    """An answer is not what it must be."""


def check(condition, *what):
    if not condition:
        raise Problem(" ".join(str(part) for part in what))


def same(found, expected, *what):
    check(found == expected, *what, "-", found, "not", expected)


class Case:
    """One trace: what it says, and the server that shows it."""

    def __init__(self, server, facts):
        self.server = server
        self.facts = facts
        self.trace = server.ask("trace")
        self.rows = {view: server.ask("rows", view=view, count=10000)["rows"]
                     for view in ("proc", "thread", "goroutine", "task")}
        self.goroutines = {row["id"]: row for row in self.rows["goroutine"]}

    def track(self, goroutine):
        return self.goroutines[goroutine]["lanes"][0]["track"]

    def spans(self, track):
        """All spans of a track, by following the links."""
        answer = self.server.ask("span", track=track, index=0)
        while True:
            yield answer
            if answer["next"] is None:
                return
            answer = self.server.ask("span", **answer["next"])


def class_time(row, name):
    return sum(row["time"].get(cls, 0) for cls in CLASSES[name])


def test_trace(case):
    trace, facts = case.trace, case.facts
    counts = trace["counts"]
    same(trace["duration"], facts.end, "duration")
    same(counts["events"], len(facts.events), "events")
    same(counts["goroutines"], len(facts.states), "goroutines")
    same(counts["tasks"], len({event.text.split()[0] for event in facts.of_kind("TaskBegin")}),
         "tasks")
    same(counts["logs"], len(facts.of_kind("Log")), "logs")
    same(counts["samples"], len(facts.of_kind("StackSample")), "samples")
    for view, rows in case.rows.items():
        same(counts[view + "s"], len(rows), view)
    gomaxprocs = facts.metrics["/sched/gomaxprocs:threads"]
    if gomaxprocs:
        same(trace["gomaxprocs"], gomaxprocs[-1][1], "gomaxprocs")
    same(trace["error"], None, "error")
    same(len(trace["classes"]), 16, "classes")


def test_rows(case):
    for goroutine in case.facts.states:
        row = case.goroutines[goroutine]
        same(row["name"], case.facts.names.get(goroutine, ""), "name of", goroutine)
        same(row["title"], ("G%d %s" % (goroutine, row["name"])).strip(), "title of", goroutine)
        for name in CLASSES:
            same(class_time(row, name), case.facts.time_in(goroutine, name), name, "of", goroutine)
        creator = case.facts.creators.get(goroutine)
        if creator in case.goroutines:
            same(row["parent"], creator, "parent of", goroutine)


def test_procs(case):
    """Who runs is on some proc or thread, unless the trace does not say on which."""
    running = sum(case.facts.time_in(goroutine, "Running") for goroutine in case.facts.states)
    for view in ("proc", "thread"):
        found = sum(class_time(row, "Running") for row in case.rows[view])
        same(found, running, "time on all", view)


def test_states(case):
    for goroutine, states in case.facts.states.items():
        spans = list(case.spans(case.track(goroutine)))
        same((spans[0]["start"], spans[-1]["end"]), (states[0].start, states[-1].end), "life of",
             goroutine)
        for before, after in zip(spans, spans[1:]):
            same(before["end"], after["start"], "a gap in", goroutine)
            same(after["previous"], {"track": before["track"], "index": before["index"]}, "links")
        starts = [state.start for state in states]
        for span in spans:
            state = states[bisect.bisect_right(starts, span["start"]) - 1]
            check(span["class"] in CLASSES[state.name], goroutine, span["start"], span["class"],
                  "not", state.name)
            same(span["goroutine"]["id"], goroutine, "goroutine")
            if span["start"] == state.start and state.name == "Waiting" and state.reason:
                same(span["name"], state.reason, "reason")
            check_stack(span, state)
            found = case.server.ask("span", track=span["track"],
                                    at=(span["start"] + span["end"]) // 2)
            same(found["index"], span["index"], "span at a time")


def check_stack(span, state):
    if span["start"] == state.start and span["start"] > 0 and state.stack:
        same([frame["function"] for frame in span["stack"]], state.stack, "stack at",
             span["start"])


def test_links(case):
    """Who woke whom, from both ends."""
    found = set()
    wakers = {key: by for key, by in case.facts.wakers.items() if by in case.goroutines}
    for goroutine in case.facts.states:
        made_runnable = None
        for span in case.spans(case.track(goroutine)):
            same(span["wakes_total"], len(span["wakes"]), "wakes")
            found |= {(goroutine, wake["goroutine"]["id"], wake["time"])
                      for wake in span["wakes"]}
            if span["class"] == "runnable" or (goroutine, span["start"]) in wakers:
                made_runnable = wakers.get((goroutine, span["start"]))
            check_wakers(goroutine, span, made_runnable, wakers.get((goroutine, span["end"])))
            check_creator(case, goroutine, span)
    same(found, {wake for wake in case.facts.wakes if wake[0] in case.goroutines}, "wakes")


def id_of(link):
    return link["goroutine"]["id"] if link else None


def check_wakers(goroutine, span, before, after):
    """`before` made the goroutine runnable last, `after` at the span's end."""
    same(id_of(span["unblocked_by"]), after, goroutine, "was unblocked at", span["end"])
    if span["class"].startswith("wait_"):
        same(span["by"], span["unblocked_by"], "who ended the wait")
    else:
        same(id_of(span["by"]), before, goroutine, "was unblocked before", span["start"])
    if span["class"] == "runnable" and span["by"]:
        same(span["by"]["time"], span["start"], "when")
        same(span["by"]["stack"], span["stack"], "from where")


def check_creator(case, goroutine, span):
    creator = case.facts.creators.get(goroutine)
    if creator is None:
        return
    same(span["creator"]["goroutine"]["id"], creator, "creator of", goroutine)
    same(span["creator"]["time"], case.facts.states[goroutine][0].start, "creation")
    place = span["creator"]["span"]
    at = case.server.ask("span", **place)
    check(at["goroutine"]["id"] == creator and
          at["start"] <= span["creator"]["time"] <= at["end"], "what the creator did", place)


def test_arrows(case):
    """Between all goroutines: an arrow for each wake of one that ran afterwards, and so for none
    that was created as a coroutine."""
    tracks = [case.track(goroutine) for goroutine in case.facts.states][:256]
    arrows = case.server.ask("arrows", max=20000, tracks=",".join(map(str, tracks)))
    found = sorted((arrow["from"]["track"], arrow["to"]["track"], arrow["from"]["time"],
                    arrow["kind"]) for arrow in arrows["arrows"])
    if len(tracks) == len(case.facts.states):
        expected = sorted((case.track(by), case.track(woken), time,
                           "create" if case.facts.states[woken][0].start == time else "unblock")
                          for by, woken, time in case.facts.wakes if by in case.goroutines
                          and case.facts.states[woken][0][:2] != ("Waiting", time))
        same(found, expected, "arrows")
        same(arrows["total"], len(expected), "total")
    few = case.server.ask("arrows", max=1, tracks=",".join(map(str, tracks)))
    same(len(few["arrows"]), min(1, len(found)), "arrows at most")
    for view in ("proc", "thread"):
        check_run_arrows(case, view)


def check_run_arrows(case, view):
    tracks = [row["lanes"][0]["track"] for row in case.rows[view]]
    for arrow in case.server.ask("arrows", tracks=",".join(map(str, tracks)))["arrows"]:
        run = case.server.ask("span", track=arrow["to"]["track"], at=arrow["to"]["time"])
        same(run["start"], arrow["to"]["time"], "an arrow ends where a run begins")
        if arrow["kind"] == "syscall":
            continue
        wake = (case.server.ask("span", track=arrow["from"]["track"],
                                at=arrow["from"]["time"])["goroutine"]["id"],
                run["goroutine"]["id"], arrow["from"]["time"])
        check(wake in case.facts.wakes, "no such wake", wake)


def test_tiles(case):
    """Time is the same at all levels, and ends at the edges of bars."""
    duration = case.facts.end
    tracks = [case.track(goroutine) for goroutine in case.facts.states][:256]
    whole = max(0, (duration // 1024).bit_length())
    for level in range(max(0, whole - 6), whole + 2):
        time, spans = dict.fromkeys(tracks, 0), dict.fromkeys(tracks, 0)
        for index in range(duration // (1024 << level) + 1):
            tiles = case.server.tiles(level, index, tracks)
            same((tiles.final, tiles.order), (1, tracks), "tile")
            for track in tracks:
                check_bars(tiles.bars[track], level, index)
                time[track] += bar_time(tiles.bars[track], level, index)
                spans[track] += sum(bar.count for bar in tiles.bars[track])
        for goroutine, states in case.facts.states.items():
            if case.track(goroutine) in time:
                same(time[case.track(goroutine)], states[-1].end - states[0].start,
                     "time at level", level, "of", goroutine)
                check(spans[case.track(goroutine)] > 0, "nothing of", goroutine)


def bar_time(bars, level, index):
    """What lies in the tile: states have no gaps."""
    start, end = (index * 1024) << level, ((index + 1) * 1024) << level
    return sum(max(0, min(bar.end, end) - max(bar.start, start)) for bar in bars)


def check_bars(bars, level, index):
    start, end = (index * 1024) << level, ((index + 1) * 1024) << level
    for bar in bars:
        check(bar.start <= bar.end and bar.start < end and bar.end >= start, "a bar outside")
        check(bar.count > 0, "an empty bar")
        if bar.count > 1:
            check(bar.end - bar.start <= 1 << level, "a merged bar of more than a bin")
            check(254 <= sum(bar.shares) <= 256 + 16 or bar.start == bar.end, "shares of",
                  sum(bar.shares))
    for before, after in zip(bars, bars[1:]):
        check(before.end <= after.start, "bars overlap")


def test_labels(case):
    tracks = [row["lanes"][0]["track"] for view in ("proc", "goroutine")
              for row in case.rows[view]][:256]
    level = max(0, (case.facts.end // 1024).bit_length())
    tiles = case.server.tiles(level, 0, tracks)
    wide = {(track, bar.index) for track in tracks for bar in tiles.bars[track]
            if bar.count == 1 and (bar.end - bar.start) // 24 >= 1 << level}
    same(set(tiles.labels), wide, "labels")
    for (track, index), label in tiles.labels.items():
        same(label, case.server.ask("span", track=track, index=index)["name"], "label")


def value_at(samples, time):
    return next((value for at, value in reversed(samples) if at <= time), 0)


def test_counters(case):
    for name, key in ((HEAP, "heap"), (GOAL, "goal")):
        samples = case.facts.metrics[name]
        for (time, value), (following, _) in zip(samples, samples[1:] + [(case.facts.end, 0)]):
            # A goal below what the heap has is not told of.
            is_told = key == "heap" or value > value_at(case.facts.metrics[HEAP], time)
            if following > time and is_told:
                found = case.server.ask("counters/at", t=time)[key]
                same(found, value if value <= 2 ** 50 else 0, key, "at", time)
        bins = case.server.ask("counters", bins=3)[key]
        same([len(bins[member]) for member in ("t", "min", "max", "mean")], [3] * 4, "bins")
        values = [value for _, value in samples if value <= 2 ** 50]
        if values:
            same(max(bins["max"]), max(values), "most of", key)
        for low, mean, high in zip(bins["min"], bins["mean"], bins["max"]):
            check(low * 0.999999 <= mean <= high * 1.000001, "mean of", key)


def test_gomaxprocs(case):
    samples = case.facts.metrics["/sched/gomaxprocs:threads"]
    for (time, value), (following, _) in zip(samples, samples[1:] + [(case.facts.end + 1, 0)]):
        if following > time:
            same(case.server.ask("counters/at", t=time)["gomaxprocs"], value, "gomaxprocs at", time)
    bins = case.server.ask("counters", bins=5)["gomaxprocs"]
    # Before Go 1.22, no event tells it at first.
    is_known = samples or case.server.ask("trace")["gomaxprocs"]
    same(len(bins["t"]), 5 if is_known else 0, "bins of gomaxprocs")
    if samples:
        same(max(bins["max"]), max(value for _, value in samples), "the most procs")


def bins_of_states(states, name, answer):
    """The time in states of a name, by bin of an answer."""
    start, width, count = answer["start"], answer["width"], answer["bins"]
    times = [0] * count
    for state in states:
        first = max(0, (state.start - start) // width)
        if state.name != name or state.end <= start or state.start >= answer["end"]:
            continue
        for i in range(first, min(count, (state.end - start) // width + 1)):
            end = min(start + (i + 1) * width, answer["end"])
            times[i] += max(0, min(state.end, end) - max(state.start, start + i * width))
    return times


def test_activity(case):
    """The members of each group, counted from the states of their goroutines."""
    listing = case.server.ask("rows", view="goroutine", group=1, count=10000)["rows"]
    headers = [at for at, row in enumerate(listing) if "header" in row][:32]
    first, end = case.facts.end // 3, case.facts.end // 3 + max(1, case.facts.end // 7)
    for start, end, bins in ((0, case.facts.end, 1), (0, case.facts.end, 30), (first, end, 7),
                             (first, first + 100, 50)):
        answer = case.server.ask("activity", view="goroutine", **{"from": start}, to=end, bins=bins,
                                 headers=",".join(map(str, headers)))
        same([group["at"] for group in answer["headers"]], headers, "headers")
        same((answer["start"], answer["end"]), (start, end), "range")
        check(0 < answer["bins"] <= bins, "bins", answer["bins"])
        for group in answer["headers"]:
            check_activity(case, listing, group, answer)


def check_activity(case, listing, group, answer):
    header = listing[group["at"]]
    same((group["title"], group["members"]), (header["title"], header["members"]), "a group")
    same(group["complete"], True, "complete")
    members = listing[group["at"] + 1:group["at"] + 1 + header["members"]]
    for name, classes in CLASSES.items():
        times = [bins_of_states(case.facts.states[row["id"]], name, answer) for row in members]
        for i in range(answer["bins"]):
            start = answer["start"] + i * answer["width"]
            mean = sum(time[i] for time in times) / (min(start + answer["width"], answer["end"])
                                                     - start)
            found = sum(group["classes"][cls][i] for cls in classes if cls in group["classes"])
            check(abs(found - mean) < 0.0005 * len(classes) + 1e-9, group["title"], name, "in bin",
                  i, "-", found, "not", mean)


def test_gc(case):
    for key, prefix in (("gc", "GC concurrent mark"), ("stw", "stop-the-world")):
        ranges = case.facts.ranges(prefix)
        for bins in (1, 7, 4096):
            found = case.server.ask("gc", bins=bins)[key]
            time = sum((slice_[1] - slice_[0]) * slice_[2] for slice_ in found)
            expected = sum(end - start for start, end in ranges)
            check(abs(time - expected) <= expected / 100 + 1, key, time, "not", expected)
            same(sorted(found), found, "order")
        check(all(part[3].startswith(prefix) for part in found if key == "stw"), "names", found)


def ask_analysis(case, path, **query):
    """The answer of an analysis, once it is there."""
    status, _, body = case.server.answer("/api/%s?%s" % (path, urllib.parse.urlencode(query)))
    same(status, 200, path)
    return json.loads(body)


def test_gc_cycles(case):
    answer = ask_analysis(case, "gc/cycles", count=10000)
    same(answer["total"], len(answer["cycles"]), "cycles")
    marks = sorted(case.facts.ranges("GC concurrent mark"))
    found = sorted(((cycle["mark"] or 0), (cycle["mark_end"] or case.facts.end))
                   for cycle in answer["cycles"])
    same(found, marks, "marking")
    stops = {kind: sorted(case.facts.ranges("stop-the-world (GC %s termination" % kind))
             for kind in ("sweep", "mark")}
    for cycle in answer["cycles"]:
        if cycle["start_end"] is not None:
            check((cycle["start"], cycle["start_end"]) in stops["sweep"], "the first stop", cycle)
        if cycle["termination_end"] is not None:
            check((cycle["termination"], cycle["termination_end"]) in stops["mark"],
                  "the last stop")
            check(cycle["termination"] <= cycle["mark_end"] <= cycle["termination_end"], "order")
        check_heap(case, cycle)


def check_heap(case, cycle):
    for when, at in (("before", cycle["mark"]), ("after", cycle["termination_end"])):
        for key, name in (("heap", HEAP), ("goal", GOAL)):
            samples = [value for time, value in case.facts.metrics[name] if time < (at or 0)]
            if at is not None:
                same(cycle[when][key], samples[-1] if samples else None, key, when)


def test_gc_stops(case):
    answer = ask_analysis(case, "gc/stops", count=10000, sort="start")
    found = sorted(((stop["start"] or 0), (stop["end"] or case.facts.end))
                   for stop in answer["stops"])
    same(found, sorted(case.facts.ranges("stop-the-world")), "stops")
    by_length = ask_analysis(case, "gc/stops", count=10000)["stops"]
    lengths = [stop["end"] - stop["start"] for stop in by_length
               if stop["start"] is not None and stop["end"] is not None]
    same(lengths, sorted(lengths, reverse=True), "order by length")
    for cause in ask_analysis(case, "gc/summary")["causes"]:
        some = ask_analysis(case, "gc/stops", count=10000, cause=cause["cause"])["stops"]
        same(len(some), cause["count"], cause["cause"])
        ranges = case.facts.ranges("stop-the-world (%s)" % cause["cause"])
        same(len(some), len(ranges), cause["cause"])
        if all(stop["start"] is not None and stop["end"] is not None for stop in some):
            same(cause["time"], sum(end - start for start, end in ranges), cause["cause"])
            same(cause["longest"], max(end - start for start, end in ranges), cause["cause"])


def times_of_workers(facts):
    """How long workers ran by mode: from the label that they get until they stop running."""
    times, seen = collections.Counter(), set()
    for event in facts.of_kind("Label"):
        label = re.match(r'Label="GC \((\w+)\)" Resource=Goroutine\((\d+)\)', event.text)
        if not label:
            continue
        at, goroutine = event.time - facts.start, int(label.group(2))
        for state in facts.states[goroutine]:
            if state.name == "Running" and state.start <= at < state.end and \
                    (goroutine, state.start) not in seen:
                seen.add((goroutine, state.start))
                times[label.group(1)] += state.end - at
    return times


def test_gc_summary(case):
    summary = ask_analysis(case, "gc/summary")
    times = times_of_workers(case.facts)
    for mode, time in summary["work"].items():
        same(time, times[mode], mode, "workers")
    same(summary["has_workers"], bool(times), "has workers")
    for key, name in (("sweep", "GC incremental sweep"), ("assist", "GC mark assist")):
        same(summary[key], sum(end - start for start, end in case.facts.ranges(name)), key)
    groups = {group["name"]: group["time"] for group in summary["assists"]}
    same(sum(groups.values()), summary["assist"], "assists of all groups")
    for key, name in (("has_heap", HEAP), ("has_goal", GOAL)):
        same(summary[key], bool(case.facts.metrics[name]), key)


def test_minimap(case):
    answer = case.server.ask("minimap", bins=50)
    same((answer["bins"], answer["end"]), (50, case.facts.end), "minimap")
    width = case.facts.end / 50
    procs = len(case.rows["proc"])
    for cls in ("running", "running_gc", "syscall"):
        found = sum(answer["classes"].get(cls, ())) * width * procs
        expected = sum(row["time"].get(cls, 0) for row in case.rows["proc"])
        check(abs(found - expected) <= case.facts.end / 100, cls, found, "not", expected)
    found = sum(answer["stw"]) * width
    expected = sum(end - start for start, end in case.facts.ranges("stop-the-world"))
    check(abs(found - expected) <= case.facts.end / 100, "stw", found, "not", expected)


def test_marks(case):
    wanted = len(case.facts.of_kind("Log")) + len(case.facts.of_kind("StackSample"))
    # An end is not part of a range.
    end = case.facts.end + 1
    for bins in (1, 4096):
        marks = case.server.ask("marks", bins=bins, end=end)
        same(sum(mark["count"] for mark in marks["marks"]), wanted, "marks")
        same(marks["more"], False, "more")
    tracks = [case.track(goroutine) for goroutine in case.facts.states]
    logs = {(case.track(event.goroutine), event.time - case.facts.start)
            for event in case.facts.of_kind("Log")}
    check_marks_of_rows(case, end, check_marks_of_spans(case))
    found = set()
    for first in range(0, len(tracks), 256):
        part = case.server.ask("marks", bins=4096, end=end,
                               tracks=",".join(map(str, tracks[first:first + 256])))["marks"]
        found |= {(mark["track"], mark["time"]) for mark in part if mark["kind"] == "log"}
    check(found <= logs, "logs that are none")
    check({track for track, _ in found} == {track for track, _ in logs}, "goroutines with logs")
    check_marks_are_on_states(case, end)
    check_single_marks(case, end)


def check_marks_are_on_states(case, end):
    """The lanes of regions and ranges have no marks, and take none from the states."""
    rows = case.rows["goroutine"][:60]
    lanes = [lane["track"] for row in rows for lane in row["lanes"]][:256]
    states = [row["lanes"][0]["track"] for row in rows if row["lanes"][0]["track"] in lanes]
    asked = [",".join(map(str, tracks)) for tracks in (lanes, lanes[::-1], states)]
    answers = [case.server.ask("marks", bins=4096, end=end, tracks=tracks) for tracks in asked]
    for answer in answers:
        answer["marks"].sort(key=lambda mark: (mark["time"], mark["track"]))
    same(answers[0], answers[2], "marks of all lanes")
    same(answers[1], answers[2], "marks of all lanes, backwards")


def check_single_marks(case, end):
    """A log has its category, message and task, as the events have them."""
    marks = case.server.ask("marks", bins=4096, end=end)["marks"]
    logs = {}
    for event in case.facts.of_kind("Log"):
        logs.setdefault(event.time - case.facts.start, []).append(event.text)
    for mark in [mark for mark in marks if mark["kind"] == "log"][:200]:
        found = case.server.ask("mark", index=mark["index"])
        same((found["time"], found["kind"]), (mark["time"], mark["kind"]), "mark")
        text = f"[{found['category']}] " if found["category"] else ""
        check((text + found["message"]).startswith(mark["text"]), "text of", mark)
        is_plain = re.fullmatch(r"[ !#-\[\]-~]*", text + found["message"])
        if not is_plain or len(mark["text"]) >= 200:
            continue
        task = found["task"]["id"] if found["task"] else 0
        said = (f'Task={task} Category="{found["category"]}" Message="{found["message"]}"')
        check(any(said in text for text in logs[mark["time"]]), said, "is not in", logs)


def check_marks_of_spans(case):
    """Returns how many marks there are while something runs on each proc and thread."""
    counts = {"proc": collections.Counter(), "thread": collections.Counter()}
    texts, messages = set(), {text_of_log(event) for event in case.facts.of_kind("Log")}
    for goroutine, states in case.facts.states.items():
        found = []
        for span in case.spans(case.track(goroutine)):
            check(len(span["marks"]) == min(100, span["marks_total"]), "marks")
            check(all(span["start"] <= mark["time"] < span["end"] for mark in span["marks"]),
                  "marks outside")
            found += [mark["time"] for mark in span["marks"]]
            texts |= {mark["text"] for mark in span["marks"] if mark["kind"] == "log"}
            for view, count in counts.items():
                count[span[view]] += span["marks_total"]
        marks = [event.time - case.facts.start for event in case.facts.events
                 if event.kind in ("Log", "StackSample") and event.goroutine == goroutine]
        same(found, [time for time in marks if time < states[-1].end], "marks of", goroutine)
    # The dump quotes some characters.
    plain = {text for text in messages if "\\" not in text}
    check(plain <= texts or not plain, "logs without their texts", plain - texts)
    return counts


def text_of_log(event):
    found = re.search(r'Category="(.*)" Message="(.*)"', event.text)
    return f"[{found[1]}] {found[2]}" if found[1] else found[2]


def check_marks_of_rows(case, end, expected):
    """A proc or a thread has the marks of the goroutines that ran on it then."""
    for view, counts in expected.items():
        tracks = {row["lanes"][0]["track"]: row["id"] for row in case.rows[view] if row["lanes"]}
        found = collections.Counter()
        marks = case.server.ask("marks", bins=4096, end=end, tracks=",".join(map(str, tracks)))
        for mark in marks["marks"]:
            found[tracks[mark["track"]]] += mark["count"]
        same(found, +collections.Counter({row: counts[row] for row in tracks.values()}),
             "marks by", view)


def test_tasks(case):
    """A task belongs to the goroutine that began it."""
    tracks = {row["id"]: row["lanes"][0]["track"] for row in case.rows["task"]}
    for event in case.facts.of_kind("TaskBegin")[:100]:
        task = int(re.search(r"\bID=(\d+)", event.text)[1])
        span = case.server.ask("span", track=tracks[task], index=0)
        check(span["goroutine"], "no goroutine of task", task)
        same(span["goroutine"]["id"], event.goroutine, "goroutine of task", task)


def test_search(case):
    """As many results as are asked for, whatever their kinds."""
    words = {word for row in case.rows["goroutine"] for word in re.findall(r"\w+", row["title"])}
    for text in ("start", *sorted(words)[:12]):
        total = case.server.ask("search", q=text, max=1)["total"]
        for most in (2, 3, 4, 21):
            found = case.server.ask("search", q=text, max=most)
            same(len(found["results"]), min(most, total), "results of", text)


def test_search_of_a_range(case):
    """As many states as the area of that time has, and the rest of the trace has the others."""
    end = case.facts.end
    for start, last in ((0, end // 3), (end // 3, end // 2), (end // 2, end)):
        area = case.server.ask("area", start=start, end=last, view="goroutine")
        for row in area["classes"]:
            if row["class"] in ("runnable", "wait_chan", "wait_sync", "syscall_blocked"):
                found = case.server.ask("search", q="state:" + row["class"], start=start,
                                        end=last, max=10000)
                same(found["total"], row["count"], row["class"], start, last)
                check(all(each["start"] < last and each["end"] > start
                          for each in found["results"]), "results outside")
    logs = [event.time - case.facts.start for event in case.facts.of_kind("Log")]
    found = case.server.ask("search", q="kind:log", start=end // 3, end=end // 2, max=1)["total"]
    same(found, sum(end // 3 <= time < end // 2 for time in logs), "logs")


def test_regions(case):
    """Regions and ranges are in the lanes of their goroutines."""
    regions = 0
    for row in case.rows["goroutine"]:
        for lane in row["lanes"][1:]:
            for span in case.spans(lane["track"]):
                regions += lane["kind"] == "region"
                same(span["goroutine"]["id"], row["id"], "goroutine")
                check(span["row"]["id"] == row["id"], "row")
                state = case.server.ask("span", track=row["lanes"][0]["track"], at=span["start"])
                check(lane["track"] in [inside["span"]["track"] for inside in state["inside"]] or
                      span["end"] == span["start"] or len(state["inside"]) == 100,
                      "not inside", span["name"])
    same(regions, case.trace["counts"]["regions"], "regions")


TESTS = (test_trace, test_rows, test_procs, test_states, test_links, test_arrows, test_tiles,
         test_labels, test_counters, test_gomaxprocs, test_activity, test_gc, test_gc_cycles,
         test_gc_stops, test_gc_summary, test_minimap,
         test_marks, test_regions, test_tasks, test_search, test_search_of_a_range)


def run(path):
    failed = 0
    facts = Facts(path)
    with Server(path) as server:
        case = Case(server, facts)
        for test in TESTS:
            try:
                test(case)
            except Problem as problem:
                print("%s: %s: %s" % (path, test.__name__, problem), file=sys.stderr)
                failed += 1
    return failed


def main():
    root = pathlib.Path(os.environ["GT_TESTDATA"])
    failed = sum(run(str(root / (name + ".trace"))) for name in sys.argv[1:] or TRACES)
    print("%d failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
