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


# What a trace does not have, and what is said of it.
MISSING = (
    (["--task=nosuch"], "no task of type 'nosuch' begins and ends in the trace; there are "
     "'client 0', 'client 1', 'client 2', 'client 3', 'client 4' and 'client 5'"),
    (["--region=serv"], "no region of type 'serv' begins and ends in the trace; there are 'serve'"),
    (["--region=serv", "--percentile=90"], "there are 'serve'"),
    (["--group=main.nobody"], "no goroutine that starts with 'main.nobody' was created in the "
     "trace; there are 'main.mix.func2', 'main.mix.func1', '"),
    (["--goroutine=999"], "the trace has no goroutine 999"),
)


def check_missing(testdata):
    """What is not there is told, with what there is instead, in whatever format."""
    trace = os.path.join(testdata, "v2/go1.27-mix.trace")
    without = os.path.join(testdata, "v2/go1.27-gc.trace")
    cases = [(options, trace, said) for options, said in MISSING]
    cases += [(["--task=a"], without, "no task of type 'a' begins and ends in the trace\n"),
              (["--region="], without, "no region begins and ends in the trace\n")]
    for options, path, said in cases:
        for formats in ([], ["--json"], ["--csv"]):
            result = subprocess.run([os.environ["GT_COMMAND"], "why", *options, *formats, path],
                                    timeout=TIMEOUT, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, encoding="utf-8")
            assert (result.returncode, result.stdout) == (1, ""), (options, result)
            assert said in result.stderr and result.stderr.count("\n") == 1, result.stderr


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


def main():
    testdata = os.environ["GT_TESTDATA"]
    for name in TRACES:
        trace = os.path.join(testdata, name)
        check_sums(trace)
    trace = os.path.join(testdata, TRACES[0])
    check_percentile(trace)
    check_goroutine(trace)
    assert rows("--group=", trace) != rows("--group=main.tasks.func1", trace) != []
    check_missing(testdata)
    for misuse in MISUSES:
        run("why", *misuse, trace, code=2)


if __name__ == "__main__":
    sys.exit(main())
