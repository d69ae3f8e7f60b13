#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""questions_test.py GOTRACE TESTDATA: the queries of docs/fleet.md, by DuckDB, answer what the
other commands say of the same traces. Each trace is the only one of its version."""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import engine

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "fleet.md")
# What gotrace latency says is off by so much at most.
BUCKET = 1 / 64


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


def lines_of(*command):
    """What a command prints, line by line; traces may be damaged."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace").splitlines()


def queries():
    """The statements of the document by their names, which are their first lines."""
    with open(DOCUMENT, encoding="utf-8") as file:
        blocks = re.findall("^```sql\n-- (.*?)\n(.*?)^```$", file.read(), re.M | re.S)
    return {name: [part.strip() for part in text.split(";\n") if part.strip()]
            for name, text in blocks}


class Traces:
    """The traces, and what the commands say of them, each asked once."""

    def __init__(self, gotrace, paths):
        self.gotrace = gotrace
        self.paths = {os.path.basename(path)[:-len(".trace")]: path for path in paths}
        self.answers = {}

    def ask(self, version, *arguments):
        key = version, arguments
        if key not in self.answers:
            self.answers[key] = lines_of(self.gotrace, *arguments, self.paths[version])
        return self.answers[key]

    def json(self, *arguments):
        """Yields the version of each trace with each line that a command prints of it."""
        for version in self.paths:
            for line in self.ask(version, *arguments):
                yield version, json.loads(line)

    def latency(self, kind, group):
        return {(version, line["name"]): line
                for version, line in self.json("latency", "--json", "--top", "0", "--lenient")
                if line["kind"] == kind and line["group"] == group and line["count"] > 0}

    def goroutines(self):
        return [(version, line) for version, line in self.json("summary", "--lenient")
                if "created" in line]


def is_near(found, expected):
    return abs(found - expected) <= expected * BUCKET + 1


def check_scheduling(rows, traces):
    expected = traces.latency("sched", "all")
    need({row[1] for row in rows} == {version for version, _ in expected}, "other versions")
    near = 0
    for _, version, waits, total, p50, p99, p999, longest in rows:
        row = expected[version, ""]
        need((int(waits), int(total)) == (row["count"], row["sum_ns"]), version, row)
        near += sum(is_near(int(found), row[name]) for name, found in
                    (("p50_ns", p50), ("p99_ns", p99), ("p99_9_ns", p999), ("max_ns", longest)))
    need(near == 4 * len(rows), "quantiles differ", near, len(rows))


def check_scheduling_from_latency(rows, traces):
    expected = traces.latency("sched", "all")
    need(len(rows) == len(expected), "other versions")
    for _, version, waits, *quantiles in rows:
        row = expected[version, ""]
        need(int(waits) == row["count"], version, waits, row)
        for name, found in zip(("p50_ns", "p99_ns", "p99_9_ns"), quantiles, strict=True):
            need(is_near(int(found), row[name]), version, name, found, row)


def check_blockers(rows, traces):
    expected = collections.defaultdict(lambda: [0, 0])
    for version, pair in traces.json("latency", "--unblocks", "--stacks", "--top", "0", "--json",
                                     "--lenient"):
        if pair["unblocker"] != "(no stack)":
            stack = ";".join(reversed(pair["unblocker"].split(";")))
            expected[version, stack][0] += pair["count"]
            expected[version, stack][1] += pair["time_ns"]
    # Without frames it counts as no stack.
    found = {(version, stack): [int(waits), int(time)]
             for version, stack, waits, time in rows if stack}
    need(found == expected, "blockers differ", [(key, found.get(key), expected.get(key))
         for key in {*found, *expected} if found.get(key) != expected.get(key)][:5])


# A switch between coroutines is a moment in the tables, and two nanoseconds for Go, of which one
# counts as running here and one as waiting, without a reason. So many nanoseconds are more switches
# than these traces have.
SWITCHES = 2000


def check_waiting(rows, traces):
    expected = collections.Counter()
    for version, line in traces.goroutines():
        for reason, time in line["stats"]["Block"].items():
            expected[version, line["name"], reason] += time
    found = {(version, function or "", reason or ""): int(time)
             for version, function, reason, time in rows}
    differences = {key: found.get(key, 0) - expected[key] for key in {*found, *expected}}
    need(all(time == 0 or (key[2] == "" and 0 < time <= SWITCHES)
             for key, time in differences.items()), "waits differ",
         [each for each in differences.items() if each[1] != 0][:5])


def check_stops(rows, traces):
    expected = {version: (stat["stop_the_world"], stat["stop_the_world_ns"])
                for version in traces.paths
                for stat in [json.loads("".join(traces.ask(version, "stat", "--json")))]
                if stat["stop_the_world"] > 0}
    found = {version: (int(stops), int(time)) for _, version, stops, time, _, _ in rows}
    need(found == expected, "stops of the world", found, expected)
    need(all(int(p99) <= int(most) for *_, p99, most in rows), "quantiles")


def check_collector(rows, traces):
    running, workers = collections.Counter(), collections.Counter()
    for version, line in traces.goroutines():
        running[version] += line["stats"]["Exec"]
        if line["name"] == "runtime.gcBgMarkWorker":
            workers[version] += line["stats"]["Exec"]
    found = {version: (int(time), int(worker)) for version, time, worker, _, _ in rows}
    need(found == {version: (running[version], workers[version]) for version in running},
         "the collector", found)
    need(any(int(worker) > 0 for _, _, worker, _, _ in rows), "no collector at all")
    need(any(int(assist) > 0 for *_, assist, _ in rows), "no assists at all")
    need(all(0 <= float(share) <= 1 for *_, share in rows), "shares", rows)


def check_regions(rows, traces):
    expected = collections.defaultdict(lambda: [0, 0, 0, 0])
    for version, line in traces.json("summary", "--lenient"):
        if line.get("region") and line["hasStart"] and line["hasEnd"]:
            stats = line["stats"]
            for i, value in enumerate((1, stats["Exec"], stats["SchedWait"],
                                       sum(stats["Block"].values()))):
                expected[version, line["region"]][i] += value
    found = {(row[1], row[0]): [int(row[2]), *map(int, row[5:])] for row in rows if row[0]}
    need(found == expected, "regions differ", found, expected)
    durations = traces.latency("region", "region")
    need(durations, "no regions at all")
    for type, version, count, p50, p99, *_ in rows:
        # A region that ends with its goroutine has no duration there.
        row = durations.get((version, type), {"count": None})
        if int(count) == row["count"]:
            need(is_near(int(p50), row["p50_ns"]) and is_near(int(p99), row["p99_ns"]), type, row)


def check_leaks(rows, traces):
    expected = collections.Counter()
    for version, line in traces.goroutines():
        first = min(other["created"] for v, other in traces.goroutines() if v == version)
        if line["end"] == 0 and line["created"] > first:
            expected[version] += 1
    found = collections.Counter()
    for version, _, _, _, count in rows:
        found[version] += int(count)
    need(all(found[version] <= expected[version] for version in found), found, expected)
    need(sum(found.values()) > 0, "nothing leaks")


def check_syscalls(rows, traces):
    expected = collections.defaultdict(lambda: [0, 0])
    for version in traces.paths:
        for line in traces.ask(version, "pprof", "syscall", "--all", "--text", "--lenient"):
            count, time, _ = line.split(" ", 2)
            expected[version][0] += int(count)
            expected[version][1] += int(time)
    found = collections.defaultdict(lambda: [0, 0])
    for version, _, count, time, lost in rows:
        found[version][0] += int(count)
        found[version][1] += int(time)
        need(int(lost) <= int(time), version, lost, time)
    need(found == expected, "calls differ", [(key, found.get(key), expected.get(key))
         for key in {*found, *expected} if found.get(key) != expected.get(key)][:5])


def check_utilisation(rows, traces):
    expected = collections.Counter()
    for version, line in traces.goroutines():
        expected[version] += line["stats"]["Exec"]
    found = {version: int(time) for _, version, _, time, _ in rows}
    need(set(found) == set(+expected) and all(
        0 <= time - expected[version] <= SWITCHES for version, time in found.items()),
         "running times differ", found, expected)
    for host, version, _, time, busy in rows:
        stat = json.loads("".join(traces.ask(version, "stat", "--json")))
        # The last GOMAXPROCS counts, which is the only one in most traces.
        share = int(time) / (stat["duration_ns"] * stat["gomaxprocs_max"])
        need(host == "host-" + version and float(busy) > share - 1e-9, version, busy, share)


CHECKS = {
    "scheduling": check_scheduling,
    "scheduling, from latency": check_scheduling_from_latency,
    "blockers": check_blockers,
    "waiting": check_waiting,
    "stops": check_stops,
    "collector": check_collector,
    "regions": check_regions,
    "leaks": check_leaks,
    "syscalls": check_syscalls,
    "utilisation": check_utilisation,
}


def make_tables(traces, folder):
    for version, path in traces.paths.items():
        subprocess.run([traces.gotrace, "columns", path, "-o", folder, "--service", "shop",
                        "--version", version, "--host", "host-" + version], check=True)


def main():
    gotrace, testdata = sys.argv[1:]
    engine.need("duckdb")
    traces = Traces(gotrace, [path for path in sorted(
        glob.glob(os.path.join(testdata, "v2", "go1.27-*.trace"))) if "-cut." not in path])
    shown = queries()
    need(set(CHECKS) < set(shown), "a query is not in the document", set(CHECKS) - set(shown))
    with tempfile.TemporaryDirectory() as folder:
        make_tables(traces, os.path.join(folder, "tables"))
        statements = [*shown["views"], *(shown[name][0] for name in CHECKS), *shown["compact"],
                      "SELECT sum(count)::BIGINT FROM read_parquet('waits/**/*.parquet')",
                      "SELECT sum(count)::BIGINT FROM waits",
                      "SELECT DISTINCT value::VARCHAR FROM "
                      "parquet_kv_metadata('tables/waits/**/*.parquet')"]
        answers = engine.ask("duckdb", statements, folder)[len(shown["views"]):]
    for (name, check), rows in zip(CHECKS.items(), answers):
        try:
            need(rows, "no answer")
            check(rows, traces)
        except AssertionError:
            print(f"{name}:", file=sys.stderr)
            raise
    need(answers[-2] == answers[-3], "compacting changes the sums", answers[-3:])
    need(answers[-1] == [["1"]], "another schema", answers[-1])


if __name__ == "__main__":
    main()
