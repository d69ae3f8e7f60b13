#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares critical paths with those of a model that is slow and simple.

The model reads what `$GT_COMMAND dump` prints. It has a list of the states of each goroutine, and
finds the path of an interval forwards and by recursion: the path of a wait that another goroutine
ended is that of the other goroutine in the same time. Compared are the intervals of all regions and
tasks and random ones, of a share of the complete traces in $GT_TESTDATA/v1 and v2, or of all with
$GT_ALL_TRACES, and, where it is set, in $GT_CORPUS.

path_model_test.py LINES, where LINES is the program path_lines.
"""

import bisect
import collections
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of

TIMEOUT = 120
RANDOM_INTERVALS = 60
MOST_INTERVALS = 400
# Larger traces take the model too long.
MOST_BYTES = 1 << 21

EVENT = re.compile(r"M=-?\d+ P=-?\d+ G=(-?\d+) (\w+) Time=(-?\d+) ?(.*)")
GO = re.compile(r'GoID=(-?\d+) (\w+)->(\w+) Reason="(.*)"')
PROC = re.compile(r"ProcID=(-?\d+) (\w+)->(\w+) ")
PROCS = re.compile(r'Name="/sched/gomaxprocs:threads" Value=Value\{Uint64\((\d+)\)\}')
REGION = re.compile(r'Task=(\d+) Type="(.*)"')
TASK = re.compile(r"ID=(\d+) ")

State = collections.namedtuple("State", "begin name reason cause")


class Trace:
    def __init__(self, lines, first_procs=0):
        self.first_procs = first_procs
        self.states = collections.defaultdict(list)
        self.intervals = []
        self.start = self.end = None
        self.procs, self.held, self.busy = 0, set(), []
        self.regions, self.tasks = collections.defaultdict(list), {}
        self.last = collections.deque([None, None, None], 3)
        for line in lines:
            found = EVENT.fullmatch(line)
            if found:
                self.take(int(found[1]), found[2], int(found[3]), found[4])

    def take(self, goroutine, kind, time, rest):
        self.start = time if self.start is None else self.start
        self.end = time
        if kind == "StateTransition" and rest.startswith("GoID"):
            if self.procs == 0 and "->Running " in rest:
                self.procs = self.first_procs
            self.transition(goroutine, time, *GO.match(rest).groups())
        elif kind == "StateTransition":
            proc, _, state = PROC.match(rest).groups()
            (self.held.add if state == "Running" else self.held.discard)(proc)
        elif kind == "Metric" and PROCS.search(rest):
            self.procs = int(PROCS.search(rest)[1])
        elif kind == "RegionBegin":
            self.regions[goroutine].append(time)
        elif kind == "RegionEnd" and self.regions[goroutine]:
            self.intervals.append((goroutine, self.regions[goroutine].pop(), time))
        elif kind == "TaskBegin":
            self.tasks[TASK.search(rest)[1]] = time
        elif kind == "TaskEnd" and TASK.search(rest)[1] in self.tasks:
            self.intervals.append((goroutine, self.tasks.pop(TASK.search(rest)[1]), time))
        self.busy.append((time, 0 < self.procs <= len(self.held)))

    def transition(self, goroutine, time, which, before, after, reason):
        which = int(which)
        if before == after:
            return
        states = self.states[which]
        cause = None
        if self.ends_switch(goroutine, time, which, before, after):
            # A coroutine runs from the moment on at which another one has switched to it.
            states[-1] = states[-1]._replace(name="Running")
            return
        if goroutine not in (which, -1) and (
                before == "NotExist" or (states and states[-1].name == "Waiting")):
            cause = goroutine
        begin = self.start if before == "Undetermined" and not states else time
        states.append(State(begin, after, reason if after == "Waiting" else "", cause))

    def ends_switch(self, goroutine, time, which, before, after):
        """Whether this is the last of the three transitions of a switch between coroutines."""
        self.last.append((goroutine, time, which, before, after))
        woken, stopped, started = self.last
        return (woken is not None and stopped is not None and started[0] == -1
                and woken[1] + 2 == stopped[1] + 1 == time
                and woken[0] == stopped[0] == stopped[2]
                and woken[2:] == (which, "Waiting", "Runnable")
                and stopped[3:] in (("Running", "Waiting"), ("Running", "NotExist"))
                and (before, after) == ("Runnable", "Running"))

    def busy_time(self, start, end):
        """How long no proc was idle."""
        first = max(0, bisect.bisect_right(self.busy, (start, True)) - 1)
        total = 0
        for i in range(first, len(self.busy)):
            time, busy = self.busy[i]
            if time >= end:
                break
            until = self.busy[i + 1][0] if i + 1 < len(self.busy) else end
            total += busy and max(0, min(until, end) - max(time, start))
        return total

    def name_of(self, state, end):
        names = {"Running": "running", "Syscall": "syscall", "Waiting": "waiting",
                 "NotExist": "unknown", "Undetermined": "unknown"}
        if state.name in names:
            return names[state.name]
        busy = end is not None and 2 * self.busy_time(state.begin, end) >= end - state.begin
        return "scheduler, procs busy" if busy else "scheduler, proc idle"

    def path(self, goroutine, start, end):
        """The parts (begin, end, goroutine, state, reason) from `start` to `end`."""
        states = self.states[goroutine]
        parts = []
        if not states or start >= end:
            return [(start, end, None, "unknown", "")] if start < end else []
        born = min(states[0].begin, end)
        if start < born:
            cause = states[0].cause
            parts += (self.path(cause, start, born) if cause is not None
                      else [(start, born, None, "unknown", "")])
        for i, state in enumerate(states):
            after = states[i + 1] if i + 1 < len(states) else None
            last = after.begin if after else max(end, state.begin)
            begin, until = max(state.begin, start), min(last, end)
            if begin >= until:
                continue
            if state.name == "Waiting" and after and after.cause is not None:
                parts += [(a, min(b, until), *rest)
                          for a, b, *rest in self.path(after.cause, begin, last) if a < until]
                continue
            name = self.name_of(state, after.begin if after else None)
            who = None if name == "unknown" else goroutine
            parts.append((begin, until, who, name, state.reason))
        return parts


def merged(parts):
    """Neighbours of the same kind become one. The goroutine of unknown time does not matter."""
    result = []
    for start, end, *rest in parts:
        if result and result[-1][2:] == tuple(rest):
            start = result.pop()[0]
        result.append((start, end, *rest))
    return result


def model_path(trace, goroutine, start, end):
    inner = min(end, max(trace.end, start))
    parts = trace.path(goroutine, start, inner)
    return merged(parts + ([(inner, end, None, "unknown", "")] if inner < end else []))


def library_paths(lines, path, intervals):
    text = "".join("%d %d %d\n" % interval for interval in intervals)
    result = subprocess.run([lines, str(path)], input=text, timeout=TIMEOUT,
                            stdout=subprocess.PIPE, encoding="utf-8", check=True)
    for block in result.stdout.split("\n\n")[:len(intervals)]:
        parts = []
        for line in block.strip("\n").split("\n"):
            if line:
                start, end, goroutine, state, reason = line.split("\t")
                who = None if state == "unknown" else int(goroutine)
                parts.append((int(start), int(end), who, state, reason))
        yield merged(parts)


def choose(trace, seed):
    chance = random.Random(seed)
    intervals = trace.intervals
    if len(intervals) > MOST_INTERVALS:
        intervals = chance.sample(intervals, MOST_INTERVALS)
    goroutines = sorted(trace.states)
    for _ in range(RANDOM_INTERVALS if goroutines else 0):
        times = [chance.randint(trace.start - 9, trace.end + 9) for _ in range(2)]
        intervals.append((chance.choice(goroutines), min(times), max(times)))
    return intervals


def dump(path, *options):
    return subprocess.run([os.environ["GT_COMMAND"], "dump", *options, str(path)], timeout=TIMEOUT,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def first_procs_of(path):
    """The GOMAXPROCS at first, which only traces before Go 1.22 leave out of their events."""
    found = path.parent.name == "v1" and PROCS.search(dump(path, "--as-recorded").stdout.decode(
        "utf-8", "replace"))
    return int(found[1]) if found else 0


def check(lines, path):
    events = dump(path)
    if events.returncode != 0:
        return 0
    trace = Trace(events.stdout.decode("utf-8", "replace").splitlines(), first_procs_of(path))
    intervals = choose(trace, path.name)
    for interval, found in zip(intervals, library_paths(lines, path, intervals)):
        expected = model_path(trace, *interval)
        assert found == expected, "%s: %s\nlibrary: %s\nmodel:   %s" % (
            path.name, interval, found, expected)
        assert sum(part[1] - part[0] for part in found) == interval[2] - interval[1]
    return len(intervals)


def main():
    sys.setrecursionlimit(1 << 20)
    testdata = pathlib.Path(os.environ["GT_TESTDATA"])
    paths = share_of(sorted(testdata.glob("v[12]/*.trace")), 3)
    if os.environ.get("GT_CORPUS"):
        paths += sorted(pathlib.Path(os.environ["GT_CORPUS"]).glob("*.trace"))
    paths = [path for path in paths if path.stat().st_size < MOST_BYTES]
    count = sum(check(sys.argv[1], path) for path in paths)
    assert count > 1000, count
    print("%d intervals of %d traces" % (count, len(paths)))


if __name__ == "__main__":
    main()
