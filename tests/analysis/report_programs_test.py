#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""report_programs_test.py [NAME...]: what gotrace report finds in programs with a planted fault.

Each fault must be found in the trace of its program, at the right stack, with the figure that the
program has measured by itself, and must not be found in the trace of the mended twin. A healthy
server has no fault. Reads the traces of $GT_TESTDATA with $GT_COMMAND.
"""

import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(os.environ["GT_TESTDATA"]) / "report"
MOST_BYTES = 60000
TOLERANCE = 0.05

# Of each program: the group of goroutines that its finding names first, and functions in the stack
# and in that which ended the wait.
PROGRAMS = {
    "blocked-on-lock": ("main.blockedOnLock.func2", "main.waitForLock", "main.holdLock"),
    "lock-convoy": ("main.lockConvoy.func1", "main.inTurn", "main.inTurn"),
    "goroutine-stuck": ("main.sendResult", "main.sendResult", None),
    "goroutine-growth": ("main.startRequest.func1", "main.startRequest", None),
    "scheduler-latency": ("main.latency.func1", None, None),
    "cpu-saturated": ("main.saturated.gowrap1", None, None),
    "gc-cpu": ("", None, None),
    "gc-assist": ("main.assisted.func1", None, None),
    "gc-stop-the-world": ("main.main", "main.stops", None),
    "gc-too-often": (None, None, None),
    "slow-syscall": ("main.slowCalls.func3", "main.readPipe", None),
    "long-run": ("main.main", "main.search", None),
    "goroutine-churn": ("main.churn.func1", "main.startJob", None),
    "wake-storm": ("main.main", "main.wakeAll", None),
    "blocked-on-channel": ("main.channels.func2", "main.waitForAnswer", "main.giveAnswer"),
    "network-wakeup": ("main.bursts.func1", "main.readMessage", None),
    "task-outlier": ("main.main", "main.order", None),
    "region-outlier": ("main.main", "main.step", None),
    "cpu-idle-with-work": ("main.pinned.func1", "main.pinned.func1", None),
    "throttled": (None, None, None),
    "suspended": (None, None, None),
    "trace-health": ("", None, None),
}


def is_fault(finding):
    """Whether something is wrong: trace-health is told of any trace."""
    return finding["name"] != "trace-health" or finding["excess"] >= 1


def report(name, *options):
    """The faults by name, and all that the report says."""
    trace = FOLDER / ("%s.trace" % name)
    assert trace.stat().st_size <= MOST_BYTES, "%s is too large" % trace
    output = subprocess.run([os.environ["GT_COMMAND"], "report", "--json", *options, trace],
                            stdout=subprocess.PIPE, check=True, timeout=60).stdout
    whole = json.loads(output)
    assert [each["name"] for each in whole["findings"]].count("trace-health") == 1
    return {each["name"]: each for each in whole["findings"] if is_fault(each)}, whole


def measured(name):
    lines = (FOLDER / ("%s.measured" % name)).read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines}


def has_function(stack, function):
    return any(frame["function"] == function for frame in stack)


def check_example(finding, whole):
    example = finding.get("example")
    if example:
        assert whole["start"] <= example["start"] <= example["end"] <= whole["end"], example


def check_planted(name):
    findings, whole = report(name + "-planted")
    assert name in findings, "%s is not found, but %s" % (name, list(findings))
    finding, figure = findings[name], measured(name + "-planted")[name]
    assert abs(finding["figure"] - figure) <= TOLERANCE * figure, (
        "%s: the figure is %g, the program says %g" % (name, finding["figure"], figure))
    group, function, other = PROGRAMS[name]
    assert group is None or finding["subjects"][0]["group"] == group, finding["subjects"][0]
    for stack, expected in (("stack", function), ("ended_by", other)):
        assert expected is None or has_function(finding["subjects"][0][stack], expected), (
            name, finding["subjects"][0][stack])
    excesses = [found["excess"] for found in whole["findings"]]
    assert min(found["excess"] for found in findings.values()) >= 1, excesses
    for each in whole["findings"]:
        check_example(each, whole)
        assert len(each["subjects"]) <= 5


def check_mended(name):
    findings, _ = report(name + "-mended")
    assert not findings, "the mended %s has %s" % (name, list(findings))


def main():
    names = sys.argv[1:] or [*PROGRAMS, "healthy"]
    for name in names:
        if name != "healthy":
            check_planted(name)
        check_mended(name)
    if not sys.argv[1:]:
        known = set(report("healthy-mended")[1]["looked_for"])
        assert known == set(PROGRAMS), "without a program: %s" % (known ^ set(PROGRAMS))


if __name__ == "__main__":
    main()
