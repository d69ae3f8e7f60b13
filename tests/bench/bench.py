#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how fast traces are read, beside the floor and beside Go's own reader.

bench.py --reader PATH --synth PATH [--gotrace PATH] [--json FILE] reader|curves

reader  one trace in several ways: $GT_BENCH_TRACE, or one of 64 MB made by bench_synth
curves  the cost of an event as threads, procs, goroutines, generations and the trace grow;
        tests/bench/curves.gnuplot draws what --json FILE keeps of it

Where $GT_PEER names a binary with Go's own reader, that reads the same files in the
same run: `$GT_PEER gtpeer count FILE` prints "events=N bytes=N secs=S ..." and
`$GT_PEER gtpeer parsed FILE` prints all events as text; `rawcount` and `wire` do the
same with the records of traces of Go 1.22 and later, and `json` prints what Go's trace
viewer gets to show. `$GT_PEER -pprof=sched FILE` writes a profile, as `go tool trace` does.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

PEER = os.environ.get("GT_PEER")
ROUNDS = 5
CURVE_BYTES = 16000000
# Go holds all events and all JSON, some hundred times as much as the trace.
DRAWN_BYTES = 8000000
CURVES = {
    "threads": (1, 10, 100, 1000, 10000),
    "procs": (1, 10, 100, 1000),
    "goroutines": (10, 100, 1000, 10000, 100000),
    "generations": (1, 10, 100, 1000),
    "bytes": (1000000, 10000000, 100000000, 1000000000),
}


def fail(message):
    sys.exit("bench.py: " + message)


def run(command, **options):
    """Runs a command to its end; returns its output, seconds, and peak memory in bytes."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=options.get("stdout", subprocess.PIPE), text=True)
    output = child.stdout.read() if child.stdout else ""
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0 and not options.get("may_fail"):
        fail("%s: exit %d" % (" ".join(command), child.returncode))
    return output, seconds, usage.ru_maxrss * 1024


def synthesise(tools, path, **values):
    command = [tools.synth]
    for name, value in values.items():
        command += ["--" + name, str(value)]
    run(command + [path])


def measure_ours(tools, path, rounds=ROUNDS, mode=None):
    """The rows of bench_reader, by mode."""
    command = [tools.reader, "--json", "--rounds", str(rounds)]
    if mode:
        command += ["--mode", mode]
    rows = [json.loads(line) for line in run(command + [path])[0].splitlines()]
    return {row["mode"]: row for row in rows}


def measure_peer(path, rounds=ROUNDS, mode="count", name="go", may_fail=False):
    """
    Go's reader on the same file, with its own idea of the seconds, start-up left out. None
    where the peer may fail, and does.
    """
    seconds, peak, events = [], 0, 0
    for _ in range(rounds):
        output, _, resident = run([PEER, "gtpeer", mode, path], may_fail=may_fail)
        found = re.match(r"events=(\d+) bytes=\d+ secs=([0-9.]+)", output)
        if not found and may_fail:
            return None
        if not found:
            fail("the peer said: " + output.strip())
        events = int(found.group(1))
        seconds.append(float(found.group(2)))
        peak = max(peak, resident)
    seconds.sort()
    return {
        "mode": name,
        "bytes": os.path.getsize(path),
        "events": events,
        "min": seconds[0],
        "median": seconds[len(seconds) // 2],
        "memory_peak": 0,
        "resident_peak": peak,
    }


def measure_text(command, rounds):
    best, peak = None, 0
    with open(os.devnull, "w") as sink:
        for _ in range(rounds):
            _, seconds, resident = run(command, stdout=sink)
            best = seconds if best is None else min(best, seconds)
            peak = max(peak, resident)
    return {"min": best, "resident_peak": peak}


def check_events(ours, peer, path):
    if ours["events"] != peer["events"]:
        fail("%s: %d events, Go has %d" % (path, ours["events"], peer["events"]))


def print_rows(rows):
    print("%-8s %10s %10s %9s %9s %8s %10s %10s %9s" % (
        "mode", "min ms", "median ms", "ns/event", "Mevent/s", "MB/s", "memory MB", "peak RSS",
        "RSS/file"))
    for row in rows:
        print("%-8s %10.2f %10.2f %9.2f %9.1f %8.1f %10.2f %10.1f %9.2f" % (
            row["mode"], row["min"] * 1e3, row["median"] * 1e3,
            row["min"] * 1e9 / row["events"], row["events"] / row["min"] / 1e6,
            row["bytes"] / row["min"] / 1e6, row["memory_peak"] / 1e6,
            row["resident_peak"] / 1e6, row["resident_peak"] / row["bytes"]))


def print_ratio(what, slow, fast):
    print("%-44s %8.2f" % (what, slow / fast))


def has_records(path):
    """Whether Go's reader of records reads the trace: there is none for Go 1.21 and before."""
    with open(path, "rb") as file:
        return int(file.read(16).split()[1].split(b".")[1]) >= 22


def bench_text(tools, path, result, command, mode):
    if not (PEER and tools.gotrace):
        return
    ours = measure_text([tools.gotrace, command, path], 3)
    peer = measure_text([PEER, "gtpeer", mode, path], 1)
    result[command], result["go_" + mode] = ours, peer
    for name, row in ((command, ours), ("go " + mode, peer)):
        print("%-9s %9.2f %51.1f" % (name, row["min"] * 1e3, row["resident_peak"] / 1e6))
    print_ratio(command + " to /dev/null: Go's time / ours", peer["min"], ours["min"])


def bench_wire_tool(path, result):
    """The tool itself, which does not buffer what it prints."""
    if "wire" not in result:
        return
    row = measure_text([PEER, "-d=wire", path], 1)
    result["tool_wire"] = row
    print_ratio("wire to /dev/null: go tool trace's time / ours", row["min"],
                result["wire"]["min"])


def bench_drawing(tools, path, result):
    """The JSON of the trace, or of a smaller one where Go would take too much memory."""
    with tempfile.TemporaryDirectory() as directory:
        if os.path.getsize(path) > 2 * DRAWN_BYTES:
            path = os.path.join(directory, "drawn.trace")
            synthesise(tools, path, bytes=DRAWN_BYTES)
        bench_text(tools, path, result, "json", "json")
    if "go_json" in result:
        print_ratio("json: Go's peak RSS / ours", result["go_json"]["resident_peak"],
                    result["json"]["resident_peak"])


def bench_profile(tools, path, result):
    """A profile of the trace, or of a smaller one where Go would take too much memory."""
    if not (PEER and tools.gotrace):
        return
    with tempfile.TemporaryDirectory() as directory:
        if os.path.getsize(path) > 2 * DRAWN_BYTES:
            path = os.path.join(directory, "profiled.trace")
            synthesise(tools, path, bytes=DRAWN_BYTES)
        ours = measure_text([tools.gotrace, "pprof", "sched", path], 3)
        peer = measure_text([PEER, "-pprof=sched", path], 1)
    result["pprof"], result["go_pprof"] = ours, peer
    for name, row in (("pprof", ours), ("go pprof", peer)):
        print("%-9s %9.2f %51.1f" % (name, row["min"] * 1e3, row["resident_peak"] / 1e6))
    print_ratio("pprof sched: Go's time / ours", peer["min"], ours["min"])
    print_ratio("pprof sched: Go's peak RSS / ours", peer["resident_peak"], ours["resident_peak"])


def bench_reader(tools, path):
    ours = measure_ours(tools, path)
    rows = list(ours.values())
    result = {"trace": os.path.basename(path), "rows": rows}
    print("%s: %.1f MB, %d events, best of %d" % (
        os.path.basename(path), os.path.getsize(path) / 1e6, ours["events"]["events"], ROUNDS))
    if PEER:
        rows.append(measure_peer(path))
        check_events(ours["events"], rows[-1], path)
        peer = rows[-1]
        getters = measure_peer(path, 3, "getters", "go get", may_fail=True)
        rows += [getters] if getters else []
    if PEER and has_records(path):
        rows.append(measure_peer(path, 3, "rawcount", "go raw"))
        check_events(ours["raw"], rows[-1], path)
    print_rows(rows)
    print_ratio("events / floor", ours["events"]["min"], ours["floor"]["min"])
    if PEER:
        for mode in ("events", "events2", "pipe"):
            print_ratio("Go's time / " + mode, peer["min"], ours[mode]["min"])
        for mode in ("getters", "getters2") if getters else ():
            print_ratio("Go's time with getters / " + mode, getters["min"], ours[mode]["min"])
        print_ratio("Go's peak RSS / events", peer["resident_peak"],
                    ours["events"]["resident_peak"])
        print_ratio("Go's peak RSS / pipe", peer["resident_peak"],
                    ours["pipe"]["resident_peak"])
    bench_text(tools, path, result, "dump", "parsed")
    bench_drawing(tools, path, result)
    bench_profile(tools, path, result)
    if PEER and has_records(path):
        print_ratio("Go's time / raw", rows[-1]["min"], ours["raw"]["min"])
        bench_text(tools, path, result, "wire", "wire")
        bench_wire_tool(path, result)
    return result


def curve_point(tools, path, name, value):
    values = {"bytes": CURVE_BYTES, "threads": 16, "goroutines": 1000}
    if name == "bytes":
        # As the runtime does, a generation for each second or so.
        values["generations"] = max(1, value // 20000000)
    values[name] = value
    if name == "procs":
        values["threads"] = 2 * value
        values["goroutines"] = max(1000, 2 * value)
    synthesise(tools, path, **values)
    ours = {mode: measure_ours(tools, path, 3, mode)[mode]
            for mode in ("floor", "events", "events2", "getters")}
    events = ours["events"]["events"]
    point = {
        "name": name,
        "value": value,
        "events": events,
        "floor": ours["floor"]["min"] * 1e9 / events,
        "ours": ours["events"]["min"] * 1e9 / events,
        "events2": ours["events2"]["min"] * 1e9 / events,
        "getters": ours["getters"]["min"] * 1e9 / events,
        "memory": ours["events"]["memory_peak"],
    }
    if PEER:
        peer = measure_peer(path, 2)
        check_events(ours["events"], peer, path)
        point["go"] = peer["min"] * 1e9 / events
    return point


def bench_curves(tools, path):
    print("ns an event, traces of about %.0f MB" % (CURVE_BYTES / 1e6))
    print("%-12s %10s %10s %8s %8s %8s %8s %10s%s" % (
        "", "", "events", "floor", "events", "events2", "getters", "memory MB",
        "       Go" if PEER else ""))
    points = []
    for name, steps in CURVES.items():
        for value in steps:
            point = curve_point(tools, path, name, value)
            points.append(point)
            print("%-12s %10d %10d %8.2f %8.2f %8.2f %8.2f %10.2f%s" % (
                name, value, point["events"], point["floor"], point["ours"], point["events2"],
                point["getters"], point["memory"] / 1e6,
                " %8.1f" % point["go"] if PEER else ""), flush=True)
    return {"curves": points}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reader", required=True)
    parser.add_argument("--synth", required=True)
    parser.add_argument("--gotrace")
    parser.add_argument("--json")
    parser.add_argument("what", choices=("reader", "curves"))
    tools = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "synthetic.trace")
        if tools.what == "curves":
            result = bench_curves(tools, path)
        elif os.environ.get("GT_BENCH_TRACE"):
            result = bench_reader(tools, os.environ["GT_BENCH_TRACE"])
        else:
            synthesise(tools, path, bytes=64000000)
            result = bench_reader(tools, path)
    if tools.json:
        with open(tools.json, "w") as file:
            json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()
