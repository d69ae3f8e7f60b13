#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the orders in which `gotrace view` lists rows against those that are reckoned here."""

import json
import os
import pathlib
import sys

from view_server import Server

TRACES = ("v1/go1.19-many", "v2/go1.22-procs", "v2/go1.26-tasks", "v2/go1.27-mix")
VIEWS = ("proc", "thread", "goroutine", "task")
KEYS = {
    "start": lambda row: row["start"],
    "id": lambda row: row["id"],
    "name": lambda row: row["name"].encode(),
    "duration": lambda row: row["end"] - row["start"],
    "running": lambda row: row["time"].get("running", 0),
    "runnable": lambda row: row["time"].get("runnable", 0),
    "wait_sync": lambda row: row["time"].get("wait_sync", 0),
    "waiting": lambda row: sum(time for cls, time in row["time"].items()
                               if cls.startswith("wait_")),
}


def same(found, expected, *what):
    if found != expected:
        raise AssertionError("%s - %r not %r" % (" ".join(map(str, what)), found, expected))


def ids(rows):
    return [row["id"] for row in rows]


def list_rows(server, **parameters):
    answer = server.ask("rows", count=10000, **parameters)
    same(answer["total"], len(answer["rows"]), "total")
    return answer["rows"]


def sort_rows(rows, sort, descending):
    """Rows that are equal stay in the order of their ordinals, either way."""
    rows = sorted(rows, key=lambda row: row["ordinal"], reverse=descending)
    rows.sort(key=KEYS[sort])
    return rows[::-1] if descending else rows


def test_sorts(server, view, rows):
    for sort in KEYS:
        for descending in (False, True):
            found = list_rows(server, view=view, sort=sort, desc=int(descending))
            same(ids(found), ids(sort_rows(rows, sort, descending)), view, sort, descending)
    default = "id" if view in ("proc", "thread") else "start"
    same(ids(list_rows(server, view=view)), ids(sort_rows(rows, default, False)), "default")


def test_pages(server, view, rows):
    found = []
    for first in range(0, len(rows) + 7, 7):
        answer = server.ask("rows", view=view, sort="duration", first=first, count=7)
        same(answer["total"], len(rows), "total")
        found += answer["rows"]
    same(found, list_rows(server, view=view, sort="duration"), "pages")


def test_positions(server, view, rows):
    for parameters in ({"sort": "name", "desc": 1}, {"group": 1}, {"sort": "parent"}):
        listing = list_rows(server, view=view, **parameters)
        for position, row in enumerate(listing):
            if "header" in row:
                continue
            answer = server.ask("row", view=view, id=row["id"], **parameters)
            same(answer.pop("position"), position, "position")
            same(answer, row, "row")
    server.ask("row", expected=404, view=view, id=987654321)


def test_filters(server, view, rows):
    words = sorted({word for row in rows for word in row["title"].replace("(", ".").split(".")})
    for text in words[:20] + ["main", "MAIN", "*", "no such", "runtime."]:
        if not text or text.lstrip("gGpPmMtT").isdigit():
            continue
        expected = [row for row in rows if text.lower() in row["title"].lower() or
                    text.lower() in row["label"].lower()]
        found = list_rows(server, view=view, sort="id", filter=text)
        same(ids(found), ids(sort_rows(expected, "id", False)), "filter", text)
    letter = {"proc": "p", "thread": "m", "goroutine": "g", "task": "t"}[view]
    for row in rows[:5]:
        for text in (str(row["id"]), letter + str(row["id"]), letter.upper() + str(row["id"])):
            same(ids(list_rows(server, view=view, filter=text)), [row["id"]], "filter", text)
    hidden = server.ask("row", view=view, id=rows[0]["id"], filter="no such")
    same(hidden["position"], -1, "position")


def title_of(row):
    return row["name"] or "(unknown)"


def test_groups(server, view, rows):
    listing = list_rows(server, view=view, group=1, sort="running", desc=1)
    groups = {}
    for row in rows:
        groups.setdefault(title_of(row), []).append(row)
    headers = [row for row in listing if "header" in row]
    same(sorted(row["title"] for row in headers), sorted(groups), "groups")
    times = [row["time"].get("running", 0) for row in headers]
    same(times, sorted(times, reverse=True), "order of groups")
    at = 0
    for header in headers:
        members = sort_rows(groups[header["title"]], "running", True)
        same(listing[at], header, "header")
        same(header["members"], len(members), "members")
        same(header["time"], sum_times(members), "time of", header["title"])
        same(ids(listing[at + 1:at + 1 + len(members)]), ids(members), header["title"])
        at += 1 + len(members)


def sum_times(rows):
    sums = {}
    for row in rows:
        for cls, time in row["time"].items():
            sums[cls] = sums.get(cls, 0) + time
    return sums


def test_tree(server, view, rows):
    listing = list_rows(server, view=view, sort="parent")
    same(sorted(ids(listing)), sorted(ids(rows)), "tree")
    path = []
    for row in listing:
        same(row["depth"] <= len(path), True, "depth")
        del path[row["depth"]:]
        same(row["parent"] if row["parent"] in ids(rows) else None,
             path[-1] if path else None, "parent of", row["id"])
        path.append(row["id"])


def test_idle(server, view, rows):
    end = max(row["end"] for row in rows)
    for start, end in ((0, end), (end // 3, end // 2), (end // 2, end // 2 + 1)):
        found = set(ids(list_rows(server, view=view, hide_idle=1, start=start, end=end)))
        for row in rows:
            same(row["id"] in found, is_busy(server, row, start, end), view, row["id"], start, end)


def is_busy(server, row, start, end):
    """There is a span, and not just one wait from before until after."""
    index = 0
    while True:
        answer = server.get("/api/span?track=%d&index=%d" % (row["lanes"][0]["track"], index))
        if answer[0] == 404:
            return False
        span = json.loads(answer[2])
        if span["end"] > start:
            waits = span["class"].startswith("wait_")
            return span["start"] < end and not (waits and span["start"] <= start and
                                                span["end"] >= end)
        index += 1


TESTS = (test_sorts, test_pages, test_positions, test_filters, test_groups, test_tree, test_idle)


def main():
    root = pathlib.Path(os.environ["GT_TESTDATA"])
    failed = 0
    for name in TRACES:
        with Server(str(root / (name + ".trace"))) as server:
            for view in VIEWS:
                rows = list_rows(server, view=view)
                for test in TESTS if rows else ():
                    try:
                        test(server, view, rows)
                    except AssertionError as problem:
                        print("%s: %s: %s" % (name, test.__name__, problem), file=sys.stderr)
                        failed += 1
    print("%d failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
