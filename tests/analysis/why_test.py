#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the command why: its formats, its sums and its options.

Reads traces of $GT_TESTDATA with $GT_COMMAND.
"""

import csv
import io
import json
import os
import subprocess
import sys

TIMEOUT = 60
TRACES = ("v2/go1.27-tasks.trace", "v2/go1.27-mix.trace", "v1/go1.21-tasks.trace")
MISUSES = (
    [],
    ["--task=a", "--region=b"],
    ["--task=", "--start=+1ms"],
    ["--goroutine=x"],
    ["--goroutine=1", "--percentile=99"],
    ["--goroutine=1", "--start=soon"],
    ["--task=", "--percentile=101"],
    ["--task=", "--percentile=-1"],
    ["--task=", "--top=few"],
    ["--task=", "--history=much"],
    ["--task=", "--json", "--csv"],
)


def run(*arguments, code=0):
    result = subprocess.run([os.environ["GT_COMMAND"], *arguments], timeout=TIMEOUT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert result.returncode == code, (arguments, result.returncode, result.stderr)
    return result.stdout


def rows(*arguments):
    """The rows of the JSON; CSV and text must have as many."""
    found = [json.loads(line) for line in run("why", *arguments, "--json").splitlines()]
    table = list(csv.DictReader(io.StringIO(run("why", *arguments, "--csv"))))
    assert [{key: str(value) for key, value in row.items()} for row in found] == table, arguments
    return found


def intervals_of(trace, begin, end, key):
    """The sum of all intervals, and that by type, of the events in the dump."""
    begun, total, count = {}, 0, 0
    for line in run("dump", trace).splitlines():
        words = line.split(" ", 5)
        if len(words) < 5 or words[3] not in (begin, end):
            continue
        time = int(words[4][len("Time="):])
        which = key(words)
        if words[3] == begin:
            begun.setdefault(which, []).append(time)
        elif begun.get(which):
            total += time - begun[which].pop()
            count += 1
    return total, count


def check_sums(trace):
    tasks, task_count = intervals_of(trace, "TaskBegin", "TaskEnd", lambda w: w[5].split(" ")[0])
    regions, region_count = intervals_of(trace, "RegionBegin", "RegionEnd", lambda w: w[2])
    for option, total, count, noun in (("--task=", tasks, task_count, "tasks"),
                                       ("--region=", regions, region_count, "regions")):
        for stacks in ([], ["--stacks"]):
            found = rows(option, "--top=0", *stacks, trace)
            assert sum(row["time_ns"] for row in found) == total, (trace, option)
            times = [row["time_ns"] for row in found]
            assert times == sorted(times, reverse=True)
        text = run("why", option, "--top=0", trace).splitlines()
        assert text[0].startswith("%d %s of " % (count, noun)), text[0]
        assert all(line == line.rstrip() for line in text)


def check_percentile(trace):
    found = rows("--region=", "--percentile=90", "--top=0", trace)
    assert found and all(row["slow_ns"] - row["middle_ns"] == row["difference_ns"]
                         for row in found)
    sizes = [abs(row["difference_ns"]) for row in found]
    assert sizes == sorted(sizes, reverse=True)


def check_goroutine(trace):
    parts = rows("--goroutine=1", trace)
    for before, after in zip(parts, parts[1:]):
        assert before["start_ns"] + before["time_ns"] == after["start_ns"]
    start = parts[0]["start_ns"]
    some = rows("--goroutine=1", "--start=+10us", "--end=+50us", trace)
    assert some[0]["start_ns"] == start + 10000
    assert sum(part["time_ns"] for part in some) == 40000
    same = rows("--goroutine=1", "--start=%d" % (start + 10000), "--end=+50us", trace)
    assert same == some
    assert len(rows("--goroutine=1", "--top=1", trace)) == 1
    assert rows("--goroutine=987654", trace) == []


def main():
    testdata = os.environ["GT_TESTDATA"]
    for name in TRACES:
        trace = os.path.join(testdata, name)
        check_sums(trace)
    trace = os.path.join(testdata, TRACES[0])
    check_percentile(trace)
    check_goroutine(trace)
    assert rows("--group=", trace) != rows("--group=main.tasks.func1", trace) != []
    assert rows("--task=no such type", trace) == []
    for misuse in MISUSES:
        run("why", *misuse, trace, code=2)


if __name__ == "__main__":
    sys.exit(main())
