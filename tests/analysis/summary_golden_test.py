#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares summaries of recorded traces with those of Go's own summarizer.

For each trace with a golden `$GT_COMMAND summary` must print its lines:

- $GT_TESTDATA/v1/NAME.trace and v2/NAME.trace, with NAME.summary.gz and NAME.dump.gz, and
  NAME.error where the trace ends with an error;
- $GT_CORPUS/NAME.trace, with NAME/summary.gz, NAME/parsed.gz and NAME/parsed.error, where
  GT_CORPUS is set.

The order of events with equal times is not defined, and each but the first is moved to 1 ns
after the one before it. So if an event has another time in Go's dump than in ours, the times of
the goroutines that it is about may differ by as much, and no more.
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
TIMEOUT = 60

EVENT = re.compile(r"(M=-?\d+ P=-?\d+ G=(-?\d+) (\w+)) Time=(-?\d+)(.*)")
GOROUTINE = re.compile(r"(?:GoID=|Goroutine\()(-?\d+)")


class Problem(Exception):
    """A summary is not the expected one."""


def run(command, trace):
    """The output of the command, and whether it succeeded."""
    result = subprocess.run([os.environ["GT_COMMAND"], command, str(trace)], timeout=TIMEOUT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return result.stdout.decode("utf-8", "surrogateescape"), result.returncode == 0


def read(path):
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def times_of(dump):
    """The times of equal events, and of the last event."""
    times = collections.defaultdict(list)
    last = 0
    for line in dump.split("\n"):
        found = EVENT.fullmatch(line)
        if found:
            last = int(found.group(4))
            times[found.group(1) + found.group(5)].append(last)
    return times, last


def shifts_of(ours, theirs):
    """The differences of the events of each goroutine; at None of those that concern all."""
    our_times, our_last = times_of(ours)
    their_times, their_last = times_of(theirs)
    shifts = collections.Counter({None: abs(our_last - their_last)})
    for text, times in our_times.items():
        others = their_times[text]
        if len(others) != len(times):
            raise Problem("the dumps do not have the same events: %s" % text)
        shift = sum(abs(a - b) for a, b in zip(times, others))
        found = EVENT.fullmatch(re.sub(r"( G=-?\d+ \w+)", r"\1 Time=0", text, count=1))
        about = {int(found.group(2)), *(int(id) for id in GOROUTINE.findall(found.group(5)))}
        # A proc that stops is lost by the goroutine that is in a system call on it.
        if found.group(3) == "Sync" or " ProcID=" in found.group(5):
            about = {None}
        for goroutine in about:
            shifts[goroutine] += shift
    return shifts


def compare(ours, theirs, allowed):
    """Whether the values are equal, except for numbers that may differ by this."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(
            compare(ours[key], theirs[key], allowed if key != "pc" else 0) for key in ours)
    if isinstance(ours, bool) or not isinstance(ours, int):
        return ours == theirs
    return isinstance(theirs, int) and abs(ours - theirs) <= allowed


def check_lines(ours, theirs, shifts):
    ours, theirs = ours.splitlines(), theirs.splitlines()
    if len(ours) != len(theirs):
        raise Problem("%d lines, Go has %d" % (len(ours), len(theirs)))
    forgiven = 0
    for our_line, their_line in zip(ours, theirs):
        if our_line == their_line:
            continue
        goroutine = json.loads(their_line).get("g")
        allowed = shifts[goroutine] + shifts[None] if goroutine is not None else 0
        if not compare(json.loads(our_line), json.loads(their_line), allowed):
            raise Problem("%d ns allowed\n%s\nGo:\n%s" % (allowed, our_line, their_line))
        forgiven += 1
    return forgiven


def check(trace, summary, dump, error):
    """Returns the number of lines that differ within the limits."""
    ours, good = run("summary", trace)
    if good == error.exists():
        raise Problem("ends well" if good else "does not end well")
    theirs = read(summary)
    # Go prints nothing for a trace of Go 1.21 or older that it cannot order.
    if ours == theirs or (error.exists() and theirs == ""):
        return 0
    return check_lines(ours, theirs, shifts_of(run("dump", trace)[0], read(dump)))


def find_testdata():
    root = pathlib.Path(os.environ["GT_TESTDATA"])
    for summary in sorted(root.glob("v[12]/*.summary.gz")):
        base = str(summary)[:-len(".summary.gz")]
        yield tuple(pathlib.Path(base + end)
                    for end in (".trace", ".summary.gz", ".dump.gz", ".error"))


def find_corpus():
    corpus = os.environ.get("GT_CORPUS")
    for summary in sorted(pathlib.Path(corpus).glob("*/summary.gz")) if corpus else ():
        folder = summary.parent
        yield (folder.with_name(folder.name + ".trace"), summary, folder / "parsed.gz",
               folder / "parsed.error")


def main():
    committed = list(find_testdata())
    if not committed:
        print("no goldens in the test data", file=sys.stderr)
        return 1
    failed = forgiven = 0
    traces = committed + list(find_corpus())
    for files in traces:
        try:
            forgiven += check(*files)
        except (Problem, subprocess.TimeoutExpired, OSError, ValueError) as problem:
            print("%s: %s" % (files[0], problem), file=sys.stderr)
            failed += 1
    print("%d traces, %d failed; %d lines differ as equal times allow" %
          (len(traces), failed, forgiven))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
