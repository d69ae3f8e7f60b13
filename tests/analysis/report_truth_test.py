#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What gotrace report says of programs of which others have told what is wrong with them, if
anything is; and that no share leaves 0 to 100, wherever a trace is cut.

Reads the traces of $GT_TESTDATA/report/truth with $GT_COMMAND.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of  # noqa: E402

TESTDATA = pathlib.Path(os.environ["GT_TESTDATA"])
FOLDER = TESTDATA / "report" / "truth"
# Of each trace: the faults in their order, and figures or shares of them. The machines on which
# some were recorded had fewer processors than the program believed, which is true as well.
FAULTS = {
    # Healthy: connections of a pool, workers and subscribers that have nothing to do.
    "idle-keepalive-pool": {},
    "idle-subscribers": {},
    "idle-workers": {},
    # Two goroutines hand a value to each other, as fast as they can.
    "ping-pong": {"trace-health": {}},
    # One goroutine keeps the lock for which twenty wait.
    "stuck-pool-true": {"goroutine-stuck": {"figure": 20}, "cpu-idle-with-work": {}},
    # Four times 300 goroutines wait for a channel that is closed.
    "storm": {"wake-storm": {"figure": 4}},
    # main.main.func1 has a loop that cannot be interrupted.
    "greedy-stw": {"gc-stop-the-world": {"figure": 1603195072}, "blocked-on-lock": {},
                   "long-run": {}},
    # The control group has a quota, beside other programs that are busy.
    "throttled-under-load": {"throttled": {"share": 69}, "long-run": {}},
    # The host is idle for most of the time, and a collection stops the world for 37 ms.
    "js-wasm": {"gc-stop-the-world": {}, "long-run": {}, "scheduler-latency": {}},
    # More goroutines compute than there are procs.
    "long-run": {"long-run": {"share": 71}, "cpu-saturated": {"share": 72}, "suspended": {},
                 "scheduler-latency": {}},
    "go1.21-saturated": {"cpu-saturated": {"share": 97}, "long-run": {"share": 40},
                         "scheduler-latency": {}},
    "go1.26-saturated": {"cpu-saturated": {"share": 94}, "long-run": {"share": 73},
                         "scheduler-latency": {}},
    "go1.21-collection": {},
    # A part of a trace that does not tell GOMAXPROCS before its end.
    "no-gomaxprocs": {"trace-health": {}, "gc-cpu": {"share": 46}},
    # The program ended when only the clock was written.
    "throw": {"trace-health": {"figure": 0}},
}
SETS = {"storm": "wake-storm.count=3", "no-gomaxprocs": "gc-cpu.time=0"}


def run(command, trace, *options):
    output = subprocess.run([os.environ["GT_COMMAND"], command, "--json", *options, trace],
                            stdout=subprocess.PIPE, check=True, timeout=60).stdout
    return json.loads(output)


def report(trace, *options):
    return run("report", trace, *options)["findings"]


def check_faults(name, expected):
    options = ["--set", SETS[name]] if name in SETS else []
    findings = report(FOLDER / (name + ".trace"), *options)
    found = [each for each in findings
             if each["name"] != "trace-health" or each["excess"] >= 1]
    assert [each["name"] for each in found] == list(expected), (
        name, [(each["name"], each["figure"]) for each in found])
    for each, values in zip(found, expected.values()):
        for key, value in values.items():
            assert round(each[key]) == value, (name, each["name"], key, each[key])
    return {each["name"]: each for each in found}


def check_count(trace):
    """stat counts as many goroutines, and as large a GOMAXPROCS."""
    whole, counted = run("report", trace), run("stat", trace)
    assert whole["goroutines"] == counted["goroutines"], trace
    assert whole["procs"] == (counted["gomaxprocs_max"] or 0), trace


def check_shares(trace):
    """Everything is told, so that each share is seen."""
    thresholds = subprocess.run([os.environ["GT_COMMAND"], "report", "--thresholds", "--json"],
                                stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    everything = ",".join(json.loads(line)["name"] + "=0" for line in thresholds.splitlines())
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder) / "cut"
        for start, end in ((0, 30), (20, 21), (50, 100), (90, 100)):
            length = run("stat", trace)["duration_ns"]
            subprocess.run([os.environ["GT_COMMAND"], "cut", "-o", cut,
                            "--start", "+%dns" % (length * start // 100),
                            "--end", "+%dns" % (length * end // 100), trace],
                           stderr=subprocess.DEVNULL, check=True)
            for each in report(cut, "--set", everything):
                # A clamp would hide what is counted twice: only what is tiny can be all.
                assert 0 <= each["share"] <= 100, (trace, start, each["name"], each["share"])
                assert each["name"] not in ("gc-cpu", "long-run") or each["share"] < 100, (
                    trace, start, each["name"], each["share"])


def main():
    assert set(FAULTS) == {path.stem for path in FOLDER.glob("*.trace")}
    for name, expected in FAULTS.items():
        found = check_faults(name, expected)
        check_count(FOLDER / (name + ".trace"))
        if name == "greedy-stw":
            greedy = found["gc-stop-the-world"]["subjects"][1]
            assert greedy["group"] == "main.main.func1", greedy
            assert greedy["detail"] == "ran on and would not stop", greedy
        if name == "throw":
            subject = found["trace-health"]["subjects"][0]
            assert "ended before anything was written" in subject["detail"], subject
    traces = [*sorted((TESTDATA / "report").glob("*-planted.trace")),
              *sorted((TESTDATA / "v2").glob("go1.2[2-7]-g*.trace"))]
    for trace in share_of(traces, 8):
        check_shares(trace)


if __name__ == "__main__":
    main()
