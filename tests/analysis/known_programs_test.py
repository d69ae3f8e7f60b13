#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""known_programs_test.py [FOLDER]: what gotrace report says of twenty programs, ten of which have
a fault that is known, and ten have none.

Reads the traces NAME-goVERSION-pPROCS.trace of $GT_TESTDATA/known with $GT_COMMAND, and fails where
the report says something else than is expected here. With a folder, such as one that
testdata/known/record.sh has made, it reads those instead and prints a table for docs/testing.md.
"""

import json
import os
import pathlib
import subprocess
import sys

# Of each program with a fault: the findings that tell of it, and those that are effects of it.
FAULTY = {
    "cache-lock": (["blocked-on-lock", "lock-convoy"], []),
    "fan-out": (["goroutine-churn"], ["scheduler-latency", "cpu-saturated", "trace-health"]),
    "forgotten-answers": (["goroutine-growth", "goroutine-stuck"], []),
    "slow-consumer": (["blocked-on-channel"], []),
    "noisy-neighbours": (["cpu-saturated", "scheduler-latency"], ["long-run"]),
    "small-heap-target": (["gc-too-often", "gc-cpu", "gc-assist"],
                          ["gc-stop-the-world", "scheduler-latency", "trace-health",
                           "cpu-saturated", "long-run"]),
    "collections-by-hand": (["gc-too-often"],
                            ["gc-stop-the-world", "gc-cpu", "scheduler-latency"]),
    "broadcasts": (["wake-storm"], ["scheduler-latency", "blocked-on-lock"]),
    "blocking-reads": (["slow-syscall"], []),
    "one-slow-order": (["task-outlier"], []),
}
HEALTHY = ["line-server", "pipeline", "parallel-sum", "ticker-job", "subscriptions", "worker-pool",
           "deadlines", "read-mostly-map", "json-records", "paced-tasks"]
# What the report does not tell, by design; docs/testing.md says why.
NOT_TOLD = ["slow-consumer", "one-slow-order"]
# Programs whose traces are too large to be kept.
LARGE = ["fan-out", "small-heap-target"]


def findings_of(trace):
    output = subprocess.run([os.environ["GT_COMMAND"], "report", "--json", trace],
                            stdout=subprocess.PIPE, check=True, timeout=60).stdout
    return [each["name"] for each in json.loads(output)["findings"]
            if each["name"] != "trace-health" or each["excess"] >= 1]


def judge(name, findings):
    """Whether the fault is found, and what is told besides that is none."""
    causes, effects = FAULTY.get(name, ([], []))
    is_found = any(each in causes for each in findings)
    return is_found, [each for each in findings if each not in causes + effects]


def name_of(trace):
    return trace.stem.rsplit("-", 2)[0]


def traces_of(folder):
    """The traces of each program, those with a fault first."""
    traces = {name: [] for name in [*FAULTY, *HEALTHY]}
    for trace in sorted(folder.glob("*.trace")):
        traces[name_of(trace)].append(trace)
    return traces


def print_table(folder):
    print("| Program | Traces | Found | Missed | False |\n|---|---|---|---|---|")
    for name, traces in traces_of(folder).items():
        found, wrong = 0, []
        for trace in traces:
            is_found, others = judge(name, findings_of(trace))
            found += is_found
            wrong += ["%s (%s)" % (each, trace.stem[len(name) + 1:]) for each in others]
        counts = [found, len(traces) - found] if name in FAULTY else ["", ""]
        cells = [f"`{name}`", len(traces), *counts, ", ".join(wrong) or 0]
        print("| %s |" % " | ".join(map(str, cells)))


def check(trace):
    name = name_of(trace)
    findings = findings_of(trace)
    is_found, others = judge(name, findings)
    assert is_found == (name in FAULTY and name not in NOT_TOLD), (trace.name, findings)
    assert not others, (trace.name, findings)


def main():
    if sys.argv[1:]:
        print_table(pathlib.Path(sys.argv[1]))
        return
    for name, traces in traces_of(pathlib.Path(os.environ["GT_TESTDATA"]) / "known").items():
        assert traces or name in LARGE, "no trace of " + name
        for trace in traces:
            check(trace)


if __name__ == "__main__":
    main()
