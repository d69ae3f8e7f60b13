#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the commands goroutines and latency: their formats and their sums.

Reads traces of $GT_TESTDATA with $GT_COMMAND.
"""

import csv
import io
import json
import os
import subprocess
import sys

TIMEOUT = 60
TRACES = ("v2/go1.27-mix.trace", "v2/go1.27-tasks.trace", "v1/go1.21-sync.trace",
          "v2/go1.27-cut.trace")
TIMES = {"execution": "Exec", "sched_wait": "SchedWait", "syscall": "Syscall",
         "syscall_block": "SyscallBlock", "total": "Total"}
MISUSES = (
    ["goroutines", "--sort=nothing"],
    ["goroutines", "--percentiles=execution,name"],
    ["goroutines", "--json", "--csv"],
    ["latency", "--json", "--csv"],
    ["latency", "--histogram", "--unblocks"],
    ["latency", "--stacks"],
    ["latency", "--top=few"],
)


def run(*arguments, code=0):
    result = subprocess.run([os.environ["GT_COMMAND"], *arguments], timeout=TIMEOUT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert result.returncode == code, (arguments, result.returncode, result.stderr)
    return result.stdout


def rows(*arguments, code=0):
    """The rows of the JSON; the CSV must have the same rows, and columns in each."""
    found = [json.loads(line) for line in run(*arguments, "--json", code=code).splitlines()]
    table = list(csv.DictReader(io.StringIO(run(*arguments, "--csv", code=code))))
    assert [{key: str(value) for key, value in row.items()} for row in found] == table, arguments
    lines = run(*arguments, code=code).splitlines()
    assert len(lines) == len(found) + 1, arguments
    assert all(line == line.rstrip() for line in lines), arguments
    return found


def check_goroutines(trace, code):
    summary = [json.loads(line) for line in run("summary", trace, code=code).splitlines()]
    goroutines = [line for line in summary if "created" in line]
    groups = rows("goroutines", trace, "--percentiles=total,sched-wait", code=code)
    assert len({row["name"] for row in groups}) == len(groups)
    assert sum(row["count"] for row in groups) == len(goroutines)
    for key, go_key in TIMES.items():
        assert sum(row[key + "_ns"] for row in groups) == sum(
            line["stats"][go_key] for line in goroutines), key
    for row in groups:
        own = sorted(line["stats"]["Total"] for line in goroutines if line["name"] == row["name"])
        for percent in (50, 90, 99):
            rank = -(-len(own) * percent // 100)
            assert row["total_p%d_ns" % percent] == own[rank - 1], row
        assert row["total_max_ns"] == own[-1]
    for column in ("count", "execution", "gc", "total"):
        key = column if column == "count" else column + "_ns"
        values = [row[key] for row in rows("goroutines", trace, "--sort", column, code=code)]
        assert values == sorted(values, reverse=True), column
    names = [row["name"] for row in rows("goroutines", trace, "--sort=name", code=code)]
    assert names == sorted(names)


def check_names():
    """A name that is not there is told, and what is no wait for a proc is none."""
    testdata = os.environ["GT_TESTDATA"]
    found = rows("latency", "--top=0", os.path.join(testdata, "v2/go1.27-coro.trace"))
    names = {(row["kind"], row["group"], row["name"]): row["count"] for row in found}
    assert names["sched", "all", ""] == names["sched", "reason", "created"] == 2, names
    assert names["block", "all", ""] == names["block", "reason", "coroutine"] == 26, names
    assert names["block", "goroutine", "(no stack was seen)"] == 10, names
    assert all(row["name"] for row in found if row["group"] != "all"), names
    strings = os.path.join(testdata, "v2/go1.27-strings.trace")
    found = [json.loads(line) for line in run("latency", "--json", strings).splitlines()]
    assert any(row["group"] == "task" and row["name"] == "(no name)" for row in found), found
    # The reasons of waits that began before the trace, and what Go 1.21 has no reason for.
    for name, kind in (("v2/go1.27-mix.trace", "sched"), ("v1/go1.21-gc.trace", "block")):
        trace = os.path.join(testdata, name)
        found = rows("latency", "--top=0", trace)
        assert all(row["name"] for row in found if row["group"] != "all"), trace
        assert any((row["kind"], row["name"]) == (kind, "(unknown)") for row in found), trace
        histogram = rows("latency", "--top=0", "--histogram", trace)
        assert all(row["name"] for row in histogram if row["group"] != "all"), trace


def check_latency(trace, code):
    series = rows("latency", trace, "--top=0", code=code)
    histogram = rows("latency", trace, "--top=0", "--histogram", code=code)
    for row in series:
        assert row["p50_ns"] <= row["p90_ns"] <= row["p99_ns"] <= row["p99_9_ns"]
        assert row["p99_9_ns"] <= row["p99_99_ns"] <= row["max_ns"] <= row["sum_ns"]
        own = [part for part in histogram if all(
            part[key] == row[key] for key in ("kind", "group", "name"))]
        assert sum(part["count"] for part in own) == row["count"]
        assert all(part["from_ns"] < part["to_ns"] for part in own)
        assert own[-1]["from_ns"] <= row["max_ns"] < own[-1]["to_ns"]
        assert all(before["to_ns"] <= after["from_ns"] for before, after in zip(own, own[1:]))
    for kind in ("sched", "block"):
        total = sum(row["count"] for row in series if (row["kind"], row["group"]) == (kind, "all"))
        for group in ("goroutine", "reason"):
            assert total == sum(row["count"] for row in series
                                if (row["kind"], row["group"]) == (kind, group))
        assert total > 0
    assert len(rows("latency", trace, "--top=1", code=code)) == len(
        {(row["kind"], row["group"]) for row in series})
    pairs = rows("latency", trace, "--top=0", "--unblocks", code=code)
    stacks = rows("latency", trace, "--top=0", "--unblocks", "--stacks", code=code)
    assert pairs and len(stacks) >= len(pairs)
    for key in ("count", "time_ns"):
        assert sum(row[key] for row in pairs) == sum(row[key] for row in stacks)
    counts = [row["count"] for row in pairs]
    assert counts == sorted(counts, reverse=True)


def main():
    for name in TRACES:
        trace = os.path.join(os.environ["GT_TESTDATA"], name)
        code = 1 if "cut" in name else 0
        check_goroutines(trace, code)
        check_latency(trace, code)
    check_names()
    for misuse in MISUSES:
        assert run(*misuse, trace, code=2) == ""
    return 0


if __name__ == "__main__":
    sys.exit(main())
