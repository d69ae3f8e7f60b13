#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the command report: its formats, its thresholds and its options, and that the manual and
the manual page list all thresholds and kinds of findings.

report_test.py            runs the tests with $GT_COMMAND and $GT_TESTDATA
report_test.py --tables   prints the rows of thresholds for the manual and the manual page
"""

import json
import os
import pathlib
import re
import subprocess
import sys

TESTDATA = pathlib.Path(os.environ["GT_TESTDATA"])
DOCS = TESTDATA.parent / "docs"
TRACES = ("v2/go1.27-mix.trace", "v2/go1.27-gc.trace", "v2/go1.24-net.trace",
          "v2/go1.22-gens.trace", "v1/go1.21-sync.trace", "v1/go1.19-gc.trace")
# Findings whose figure is not the sum of those of the subjects.
NO_SUMS = ("cpu-saturated", "scheduler-latency", "lock-convoy", "slow-syscall", "long-run",
           "network-wakeup", "task-outlier", "region-outlier", "cpu-idle-with-work", "throttled")
MISUSES = (
    [],
    ["--set"],
    ["--set=nothing=1", "FILE"],
    ["--set=gc-cpu.share", "FILE"],
    ["--set=gc-cpu.share=", "FILE"],
    ["--set=gc-cpu.share=-1", "FILE"],
    ["--set=gc-cpu.share=1ms", "FILE"],
    ["--set=lock-convoy.time=1%", "FILE"],
    ["--set=lock-convoy.time=1ms,gc-cpu.share=nan", "FILE"],
    ["--set=gc-cpu.share=1e19", "FILE"],
    ["FILE", "FILE"],
)


def run(*arguments, code=0):
    result = subprocess.run([os.environ["GT_COMMAND"], "report", *map(str, arguments)], timeout=60,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert result.returncode == code, (arguments, result.returncode, result.stderr)
    return result.stdout


def thresholds(*options):
    return [json.loads(line) for line in run("--thresholds", "--json", *options).splitlines()]


def usual_text(threshold):
    """The usual value as --set takes it."""
    value, unit = threshold["usual"], threshold["unit"]
    if unit == "ns":
        for size, name in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
            if value >= size:
                return "%g%s" % (value / size, name)
    if unit == "bytes":
        return "%d" % value
    return "%g" % value + {"%": " %", "/s": " /s"}.get(unit, "")


def manual_row(threshold):
    return "| `%s` | %s | %s |" % (threshold["name"], usual_text(threshold), threshold["reason"])


def page_row(threshold):
    return ".It Cm %s No \\(eq %s\n%s." % (threshold["name"], usual_text(threshold),
                                           threshold["reason"].capitalize())


def check_tables():
    manual = (DOCS / "manual.md").read_text(encoding="utf-8")
    page = (DOCS / "man" / "gotrace-report.1").read_text(encoding="utf-8")
    for threshold in thresholds():
        assert manual_row(threshold) in manual, "not in the manual: " + manual_row(threshold)
        assert page_row(threshold) in page, "not in the page: " + page_row(threshold)
    known = {threshold["name"] for threshold in thresholds()}
    for name in re.findall(r"^\| `([a-z-]+\.[a-z0-9]+)` \|", manual, re.M):
        assert name.split(".")[0] not in {each.split(".")[0] for each in known} or name in known, (
            "the manual has a threshold that is none: " + name)
    kinds = json.loads(run("--json", TESTDATA / TRACES[0]))["looked_for"]
    for kind in kinds:
        assert re.search(r"^\| .*`%s`.* \| " % kind, manual, re.M), "not in the manual: " + kind


def check_formats(trace):
    whole = json.loads(run("--json", trace))
    text = run(trace).splitlines()
    faults = [each for each in whole["findings"] if each["name"] != "trace-health"
              or each["excess"] >= 1]
    count = len(faults)
    assert any(re.match(r"(\d+\. )?trace-health: ", line) for line in text)
    assert text[0].startswith("%d finding%s in %d events of " % (
        count, "" if count == 1 else "s", whole["events"])), text[0]
    headings = [line for line in text if re.match(r"\d+\. ", line)]
    assert headings == ["%d. %s: %s" % (i + 1, finding["name"], finding["sentence"])
                        for i, finding in enumerate(faults)]
    assert all(line == line.rstrip() and len(line) < 300 for line in text)
    assert ("Looked for:" in "\n".join(text)) == (count == 0)
    for finding in whole["findings"]:
        assert finding["name"] in whole["looked_for"]
        figures = [subject["figure"] for subject in finding["subjects"]]
        assert figures == sorted(figures, reverse=True)
        assert sum(figures) <= finding["figure"] * 1.0001 or finding["unit"] != "ns" or (
            finding["name"] in NO_SUMS)


def check_threads(trace):
    """The findings do not depend on how the trace is read, also if everything is a fault."""
    everything = "--set=" + ",".join(each["name"] + "=0" for each in thresholds())
    for options in ([], [everything]):
        expected = run("--json", "--one-thread", *options, trace)
        for how in ("--threads=2", "--threads=4"):
            assert run("--json", how, *options, trace) == expected, (trace, how)


def counted(trace, *options):
    """What a report counts that depends on GOMAXPROCS or on which goroutines are the runtime's."""
    names = ("cpu-saturated", "gc-cpu", "gc-assist", "long-run")
    everything = "--set=" + ",".join(each["name"] + "=0" for each in thresholds())
    whole = json.loads(run("--json", everything, *options, trace))
    found = {each["name"]: each for each in whole["findings"]}
    assert found["trace-health"]["share"] > 0, trace
    return whole["procs"], {name: (round(found[name]["share"]), found[name]["figure"])
                            for name in names if name in found}


def check_first_procs():
    """Before Go 1.22, no event tells GOMAXPROCS at first, and workers of the collector may have no
    stacks. Both are known all the same, so that as much is counted as with them."""
    traces = sorted((TESTDATA / "v1").glob("go1.*.trace"))
    traces = [trace for trace in traces if "cut" not in trace.name]
    traces += (TESTDATA / "report/truth").glob("go1.21-*.trace")
    assert len(traces) > 20
    for trace in traces:
        assert counted(trace) == counted(trace, "--as-recorded"), trace


def check_set():
    changed = {each["name"]: each["value"] for each in thresholds(
        "--set=lock-convoy.time=1.5ms,gc-cpu.share=12.5%,goroutine-stuck.count=3")}
    assert changed["lock-convoy.time"] == 1.5e6
    assert changed["gc-cpu.share"] == 12.5
    assert changed["goroutine-stuck.count"] == 3
    trace = TESTDATA / "report/blocked-on-lock-planted.trace"
    for value, there in ((1, True), (99, False)):
        found = json.loads(run("--json", "--set=blocked-on-lock.share=%d" % value, trace))
        assert ("blocked-on-lock" in {each["name"] for each in found["findings"]}) == there


def check_damage():
    """What was found before the damage is told."""
    text = run(TESTDATA / "v2/go1.27-cut.trace", code=1)
    assert " in " in text.splitlines()[0]
    whole = json.loads(run("--json", "--lenient", TESTDATA / "v2/go1.27-cut.trace"))
    health = [each for each in whole["findings"] if each["name"] == "trace-health"]
    assert len(health) == 1 and health[0]["excess"] >= 1
    repairs = {each["detail"]: each["count"] for each in health[0]["subjects"]}["repairs"]
    assert repairs == 4, repairs


def main():
    if sys.argv[1:] == ["--tables"]:
        for threshold in thresholds():
            print(manual_row(threshold))
        for threshold in thresholds():
            print(page_row(threshold))
        return
    for misuse in MISUSES:
        run(*[TESTDATA / TRACES[0] if each == "FILE" else each for each in misuse], code=2)
    check_tables()
    check_set()
    check_first_procs()
    check_damage()
    for trace in TRACES:
        check_formats(TESTDATA / trace)
        check_threads(TESTDATA / trace)


if __name__ == "__main__":
    main()
