#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""twins_test.py GOTRACE PROGRAMS TESTDATA: runs the programs of examples/twins, and compares their
traces with those of the same programs in Go: goroutines by name, how often each kind of them waits
and for which reason, regions, logs, and the tree of tasks.

The traces of Go are in testdata/twins. If $GT_GO names a Go toolchain (the program `go`), the
programs are built and recorded with that, too.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = ("pipeline", "convoy", "fan", "tree")
MAIN = "main.main"
# What each program does, so that two empty traces are not equal.
EXPECTED = {
    "pipeline": {("wait", "main.square", "chan receive"): 11,
                 ("wait", "main.producer", "sleep"): 11},
    "convoy": {("wait", "main.worker", "sync"): 4, ("end", "main.worker"): 4},
    "fan": {("region", "main.job", "work"): 12, ("wait", MAIN, "sync"): 1},
    "tree": {("task", "request", ("query", "query")): 3, ("region", "main.query", "database"): 6},
}

EVENT = re.compile(r"M=-?\d+ P=-?\d+ G=(-?\d+) (\w+) Time=\d+(.*)")
CHANGE = re.compile(r' GoID=(\d+) (\w+)->(\w+) Reason="([^"]*)"')
TASK = re.compile(r' ID=(\d+) Parent=(\d+) Type="([^"]*)"')
REGION = re.compile(r' Task=\d+ Type="([^"]*)"')
LOG = re.compile(r' Task=\d+ Category="([^"]*)" Message="([^"]*)"')


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                          timeout=300).stdout


def read_events(text):
    """The events: the goroutine, the kind, the rest of the line, and the roots of both stacks."""
    events = []
    stack = None
    for line in text.splitlines():
        found = EVENT.match(line)
        if found:
            events.append([found[1], found[2], found[3], {}])
        elif line in ("Stack=", "TransitionStack="):
            stack = line[:-1]
        elif line.startswith("\t") and not line.startswith("\t\t"):
            events[-1][3][stack] = line.split(" @ ")[0].strip()
    return events


def find_names(events):
    """The functions that goroutines run, by id."""
    names = {}
    for goroutine, _, rest, stacks in events:
        change = CHANGE.match(rest)
        if change and "TransitionStack" in stacks:
            names.setdefault(change[1], stacks["TransitionStack"])
        if "Stack" in stacks:
            names.setdefault(goroutine, stacks["Stack"])
    return names


def find_shape(text):
    """What does not depend on the scheduler, and how often it is there."""
    events = read_events(text)
    names = find_names(events)
    shape = collections.Counter()
    tasks = {}
    for goroutine, kind, rest, _ in events:
        change = CHANGE.match(rest)
        name = names.get(change[1] if change else goroutine, "")
        if not name.startswith("main."):
            continue
        if change and change[3] == "Waiting" and change[2] == "Running":
            shape["wait", name, change[4]] += 1
        elif change and change[3] == "NotExist" and name != MAIN:
            shape["end", name] += 1
        elif kind == "TaskBegin":
            found = TASK.match(rest)
            tasks[found[1]] = (found[3], found[2])
        elif kind == "RegionBegin":
            shape["region", name, REGION.match(rest)[1]] += 1
        elif kind == "Log":
            shape["log", name, *LOG.match(rest).groups()] += 1
    for task, (kind, parent) in tasks.items():
        if parent not in tasks:
            children = sorted(below for below, above in tasks.values() if above == task)
            shape["task", kind, tuple(children)] += 1
    return shape


def record(program, name, folder):
    trace = pathlib.Path(folder, "trace")
    run(program, name, str(trace))
    return trace


def main():
    gotrace, programs, testdata = sys.argv[1:4]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        live = None
        if "GT_GO" in os.environ:
            live = os.path.join(folder, "live")
            run(os.environ["GT_GO"], "build", "-o", live,
                os.path.join(testdata, "twins", "main.go"))
        for name in PROGRAMS:
            ours = find_shape(run(gotrace, "dump", str(record(programs, name, folder))))
            theirs = {"testdata": pathlib.Path(testdata, "twins", name + ".trace")}
            for what, count in EXPECTED[name].items():
                if ours[what] != count:
                    print(f"{name}: {what}: {ours[what]}, not {count}")
                    failed += 1
            if live:
                theirs["live"] = record(live, name, folder)
            for origin, trace in theirs.items():
                shape = find_shape(run(gotrace, "dump", str(trace)))
                for what in sorted(set(ours) | set(shape), key=str):
                    if ours[what] != shape[what]:
                        print(f"{name}, {origin}: {what}: {ours[what]}, in Go {shape[what]}")
                        failed += 1
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
