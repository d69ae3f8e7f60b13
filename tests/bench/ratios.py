#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails if reading has become slower, compared with the floor in the same run.

ratios.py --reader PATH --synth PATH --gotrace PATH [--store] FILE

FILE has the ratio of each figure's processor time to that of the floor, which only walks over the
numbers of the same trace. A figure may exceed its ratio by 3 %. The runs of both alternate, and the
least time of each counts; a figure that exceeds its ratio is measured again several times before it
counts as slower. `--store` writes the ratios of this run to FILE: they hold for one kind of
processor, and should be written on an idle machine.

$GT_BENCH_V1 names a trace of Go 1.21 or earlier, which bench_synth cannot make. $GT_BENCH_FIGURES
limits the run to figures whose names contain it.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request

import bench

MARGIN = 1.03
TRIES = 3
ROUNDS = 7
BYTES = 8000000
TRACES = {
    "1 thread": {"threads": 1, "goroutines": 1000},
    "10 threads": {"threads": 10, "goroutines": 1000},
    "100 procs": {"procs": 100, "threads": 200, "goroutines": 1000},
    "1000 procs": {"procs": 1000, "threads": 2000, "goroutines": 2000},
    "8 generations": {"threads": 10, "goroutines": 1000, "generations": 8},
}
MODES = ("events", "batch", "getters")
# Of the trace with several generations, each worker reads another one.
WORKERS = ("worker1", "worker2")
FLOOR = "floor"
PROFILE = "pprof sched"
VIEWER = "viewer"
POLL = 0.02


def children_seconds():
    """The processor time of all processes that were started and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_profile(tools, path):
    with open(os.devnull, "w") as sink:
        bench.run([tools.gotrace, "pprof", "sched", path], stdout=sink)


def run_viewer(tools, path):
    """Starts a viewer, and ends it when it has read the trace."""
    command = [tools.gotrace, "view", "--no-open", "--no-notes", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as viewer:
        try:
            address = re.search(r"http://[^\s/]+", viewer.stdout.readline()).group(0)
            done = False
            while not done:
                time.sleep(POLL)
                with urllib.request.urlopen(address + "/api/trace") as answer:
                    done = json.load(answer)["progress"]["done"]
        finally:
            viewer.terminate()


COMMANDS = {PROFILE: run_profile, VIEWER: run_viewer}


class Figure:
    """The time of one way to read a trace, as a multiple of the floor."""

    def __init__(self, tools, trace, path, mode):
        self.tools, self.path, self.mode = tools, path, mode
        self.name = "%s, %s" % (trace, mode)
        self.floor = self.time = float("inf")

    def measure(self):
        measured = bench.measure_ours(self.tools, self.path, ROUNDS, FLOOR)[FLOOR]
        self.floor = min(self.floor, measured["processor"])
        if self.mode in COMMANDS:
            before = children_seconds()
            COMMANDS[self.mode](self.tools, self.path)
            seconds = children_seconds() - before
        else:
            row = bench.measure_ours(self.tools, self.path, ROUNDS, self.mode)[self.mode]
            seconds = row["processor"]
        self.time = min(self.time, seconds)
        return self.time / self.floor


def make_figures(tools, directory):
    figures = []
    for trace, values in TRACES.items():
        path = os.path.join(directory, trace)
        bench.synthesise(tools, path, bytes=BYTES, **values)
        modes = WORKERS if "generations" in values else MODES
        figures += [Figure(tools, trace, path, mode) for mode in modes]
    path = os.path.join(directory, "10 threads")
    figures += [Figure(tools, "10 threads", path, mode) for mode in COMMANDS]
    old = os.environ.get("GT_BENCH_V1")
    if old:
        figures += [Figure(tools, "v1", old, mode) for mode in MODES]
    wanted = os.environ.get("GT_BENCH_FIGURES", "")
    return [figure for figure in figures if wanted in figure.name]


def settle(figure, limit):
    """Measures until the ratio is within the limit, or often enough to say that it is not."""
    ratio = figure.measure()
    for _ in range(TRIES - 1):
        if limit is not None and ratio <= limit:
            break
        ratio = figure.measure()
    return ratio


def check(figures, stored):
    slower = []
    print("%-24s %8s %8s %8s" % ("", "ratio", "stored", ""))
    for figure in figures:
        known = stored.get(figure.name)
        ratio = settle(figure, known * MARGIN if known else None)
        print("%-24s %8.3f %8s %+7.1f %%" % (
            figure.name, ratio, "%.3f" % known if known else "-",
            (ratio / known - 1) * 100 if known else 0), flush=True)
        if known and ratio > known * MARGIN:
            slower.append(figure.name)
    return slower


def store(figures, path, stored):
    for figure in figures:
        stored[figure.name] = round(settle(figure, None), 3)
        print("%-24s %8.3f" % (figure.name, stored[figure.name]), flush=True)
        with open(path, "w") as file:
            json.dump(stored, file, indent=1)
            file.write("\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reader", required=True)
    parser.add_argument("--synth", required=True)
    parser.add_argument("--gotrace", required=True)
    parser.add_argument("--store", action="store_true")
    parser.add_argument("file")
    tools = parser.parse_args()
    stored = {}
    if os.path.exists(tools.file):
        with open(tools.file) as file:
            stored = json.load(file)
    with tempfile.TemporaryDirectory() as directory:
        figures = make_figures(tools, directory)
        if tools.store:
            store(figures, tools.file, stored)
            return
        slower = check(figures, stored)
    if slower:
        sys.exit("slower than its ratio by more than 3 %%: %s" % "; ".join(slower))


if __name__ == "__main__":
    main()
