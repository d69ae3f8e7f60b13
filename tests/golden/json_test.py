#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds what `$GT_COMMAND json` draws against what Go's trace viewer gets to show.

A golden is a file QUERY.json.gz with Go's answer to the query, which is one of proc,
thread, goid-N, taskid-N and focustask-N:

- NAME.QUERY.json.gz in $GT_TESTDATA/json, of the trace NAME.trace in v1 or v2;
- NAME/QUERY.json.gz in $GT_CORPUS, where that is set, of NAME.trace there. Where Go could
  draw nothing there is QUERY.json.error, and ours must be JSON all the same, with what came
  before the error.

Both documents must mean the same: the same events, in any order, with the same stacks,
whatever ids these, arrows and asynchronous slices have. "args" with nothing in it is none.

Go orders events of equal times by accident, and moves each but the first to 1 ns after the
one before it. So the golden dump, which is beside the golden, says which times are of a
run of events 1 ns apart; in a run all times are taken for its first. Of a counter only the
last value in a run counts; of the heap, which several procs tell of, any values may be last.
"""

import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

SKIP = 77
TIMEOUT = 120
SHOWN = 3

TIME = re.compile(rb"^M=[^\n]*? Time=(-?\d+)", re.MULTILINE)
NAME = re.compile(r"(.*)\.((?:proc|thread|goid-\d+|taskid-\d+|focustask-\d+))\.json\.gz")
# What of a line is the same in no two documents, or is of a time; it stands before "args".
MOVING = re.compile(r',"(ts|dur|id|sf|esf)":([^,}]+)')
PAIRED = {"s", "t", "b", "e"}
STEP = 1


class Problem(Exception):
    """The command does not print what it should, or a golden is not as it should be."""


class Golden:
    """A trace, a query, and where Go's answers are."""

    def __init__(self, trace, query, answer, dump):
        self.trace, self.query, self.answer, self.dump = trace, query, answer, dump
        self.name = "%s %s" % (trace.stem, query)

    def options(self):
        kind, _, number = self.query.partition("-")
        return ["--%s=%s" % (kind, number)] if number else ["--view=" + kind]

    def go_fails(self):
        """Whether Go's reader fails on the trace, and with it our command."""
        name = self.dump.name
        return self.dump.with_name(name[:-len(".dump.gz" if "dump" in name else ".gz")] +
                                   ".error").exists()


def read(path):
    with gzip.open(path) as file:
        return file.read()


def read_runs(dump):
    """From times in runs, since the first event, to the first time of their run."""
    times = [int(time) for time in TIME.findall(read(dump))]
    runs, first = {}, 0
    for i, time in enumerate(times):
        if i == 0 or time > times[i - 1] + STEP:
            first = time
        else:
            runs[time - times[0]] = runs[first - times[0]] = first - times[0]
    return runs


class Meanings:
    """What two documents have in common: a number for each stack, and what lines mean."""

    def __init__(self):
        self.stacks, self.events = {}, {}

    def event(self, line):
        """Of a line without what moves: phase, name, and the same text for all equal ones."""
        if line not in self.events:
            event = json.loads(line)
            if event.get("args") == {}:
                del event["args"]
            self.events[line] = (event["ph"], event.get("name"), json.dumps(event, sort_keys=True))
        return self.events[line]


class Document:
    """What a document means: how many there are of each event."""

    def __init__(self, text, runs, meanings):
        self.runs, self.meanings = runs, meanings
        self.events = collections.Counter()
        self.counters = {}
        self.halves = collections.defaultdict(list)
        lines = text.decode("utf-8").rstrip("\n").split("\n")
        if len(lines) < 4 or lines[-1] != "}" or lines[0] != '{"displayTimeUnit":"ns"':
            raise Problem("not laid out as Go does")
        self.frames = json.loads(lines[-2][len('], "stackFrames":'):])
        self.numbers = {}
        lines[1] = lines[1][len(',"traceEvents": '):]
        for line in lines[1:-2]:
            self.take(line[1:])
        for key, event in self.counters.items():
            self.events[key + event] += 1
        for pair in self.halves.values():
            self.events[tuple(sorted(pair))] += 1

    def stack(self, leaf):
        """A number that is the same for the same frames in all documents."""
        if leaf not in self.numbers:
            names, at = [], int(leaf)
            while at:
                frame = self.frames[str(at)]
                names.append(frame["name"])
                at = frame.get("parent", 0)
            stacks = self.meanings.stacks
            self.numbers[leaf] = stacks.setdefault(tuple(names), len(stacks))
        return self.numbers[leaf]

    def take(self, line):
        head, args, tail = line.partition(',"args":')
        moving = dict(MOVING.findall(head))
        phase, name, meaning = self.meanings.event(MOVING.sub("", head) + args + tail)
        start = round(float(moving["ts"]) * 1000)
        end = start + round(float(moving.get("dur", 0)) * 1000)
        first = self.runs.get(start, start)
        stacks = self.stack(moving.get("sf", 0)), self.stack(moving.get("esf", 0))
        key = (first, self.runs.get(end, end), stacks)
        if phase == "C":
            others = self.counters.get(key + (name,), ()) if name == "Heap" else ()
            self.counters[key + (name,)] = tuple(sorted(others + (meaning,)))
        elif phase in PAIRED:
            self.halves[phase in "be", moving.get("id", "0")].append(key + (meaning,))
        else:
            self.events[key + (meaning,)] += 1


def show(events, stacks):
    names = {number: frames for frames, number in stacks.items()}

    def text(part):
        if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], int):
            return str([list(names.get(number, ())) for number in part])
        return str(part) if not isinstance(part, tuple) else "\n    ".join(map(text, part))

    return "".join("\n  %d times %s" % (count, text(event))
                   for event, count in list(events.items())[:SHOWN])


def compare(ours, golden):
    runs, meanings = read_runs(golden.dump), Meanings()
    theirs = Document(read(golden.answer), runs, meanings).events
    ours = Document(ours, runs, meanings).events
    missing, extra = theirs - ours, ours - theirs
    if missing or extra:
        raise Problem("%d of %d events are missing:%s\n %d are too many:%s" % (
            sum(missing.values()), sum(theirs.values()), show(missing, meanings.stacks),
            sum(extra.values()), show(extra, meanings.stacks)))


def check(golden):
    result = subprocess.run([os.environ["GT_COMMAND"], "json", *golden.options(),
                             str(golden.trace)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            timeout=TIMEOUT)
    if result.returncode != golden.go_fails():
        raise Problem("exit code %d: %r" % (result.returncode, result.stderr))
    if bool(result.stderr) != golden.go_fails():
        raise Problem("standard error has %r" % result.stderr)
    if golden.answer.with_name(golden.query + ".json.error").exists():
        json.loads(result.stdout.decode("utf-8"))
    else:
        compare(result.stdout, golden)


def find_testdata(root):
    for answer in sorted((root / "json").glob("*.json.gz")):
        found = NAME.fullmatch(answer.name)
        if not found:
            raise Problem("%s: what is asked there?" % answer)
        name, query = found.groups()
        traces = [path for path in (root / form / (name + ".trace") for form in ("v1", "v2"))
                  if path.exists()]
        if not traces:
            raise Problem("%s: there is no such trace" % answer)
        yield Golden(traces[0], query, answer, traces[0].with_suffix(".dump.gz"))


def find_corpus(root):
    for answer in sorted(pathlib.Path(root).glob("go1.*/*.json.gz")) if root else ():
        found = NAME.fullmatch("." + answer.name)
        trace = answer.parent.with_name(answer.parent.name + ".trace")
        if found and trace.exists():
            yield Golden(trace, found.group(2), answer, answer.with_name("parsed.gz"))


def main():
    goldens = [*find_testdata(pathlib.Path(os.environ["GT_TESTDATA"])),
               *find_corpus(os.environ.get("GT_CORPUS"))]
    failed = 0
    for golden in goldens:
        try:
            check(golden)
        except (Problem, ValueError, KeyError, subprocess.TimeoutExpired) as problem:
            print("%s: %s" % (golden.name, problem), file=sys.stderr)
            failed += 1
    print("%d documents, %d differ" % (len(goldens), failed))
    if not goldens:
        return SKIP
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
