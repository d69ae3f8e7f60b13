#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tables_test.py GOTRACE TESTDATA: the tables of a share of the traces of testdata, or of all with
$GT_ALL_TRACES, say what the other commands say of them: summary, latency, stat and dump."""
import collections
import glob
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import parquet_read

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of

TABLES = ["traces", "generations", "goroutines", "goroutine_states", "proc_states", "regions",
          "logs", "metrics", "samples", "stacks", "frames"]
TIMES = ["execution_ns", "sched_wait_ns", "syscall_ns", "syscall_block_ns", "block_ns"]
NO_ID = (-1, 2**64 - 1)
MOST = 2**63 - 1
BEGIN, END = 1, 2
DUMPED = re.compile(r"^M=(-?\d+) P=(-?\d+) G=(-?\d+) (Log|Metric|StackSample) Time=(\d+)(.*)$")
METRIC = re.compile(r' Name="(.*)" Value=Value\{Uint64\((\d+)\)\}')


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


def run(*command):
    """What a command prints. It may fail, as traces may be damaged."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def read_tables(gotrace, trace, folder):
    """The rows of each table, or None if the command reads nothing."""
    made = subprocess.run([gotrace, "columns", trace, "-o", folder], stderr=subprocess.DEVNULL)
    tables = {}
    for name in TABLES:
        files = glob.glob(os.path.join(folder, name, "service=unknown", "version=unknown",
                                       "date=*", "*.parquet"))
        if not files:
            need(made.returncode == 1, "there are no files, and no error")
            return None
        need(len(files) == 1, files)
        tables[name] = parquet_read.read(files[0])
    return tables


def times_of(stats):
    return (stats["Exec"], stats["SchedWait"], stats["Syscall"], stats["SyscallBlock"],
            sum(stats["Block"].values()))


def check_summary(tables, lines):
    """Goroutines and regions are those of `gotrace summary`."""
    goroutines, regions = {}, collections.Counter()
    for line in lines:
        if "created" in line:
            goroutines[line["g"]] = (line["name"], line["created"], line["start"], line["end"],
                                     times_of(line["stats"]), line["stats"]["Total"])
        elif line.get("region"):
            regions[line["g"], line["region"], line["hasStart"], line["hasEnd"],
                    times_of(line["stats"])] += 1
    found = collections.defaultdict(list)
    for row in tables["goroutines"].rows():
        found[row["goroutine"]].append((
            row["function"] or "", row["created_ns"], row["started_ns"] or 0, row["ended_ns"] or 0,
            tuple(row[name] for name in TIMES), row["total_ns"]))
    need(set(found) == set(goroutines), "there are other goroutines")
    for id, goroutine in goroutines.items():
        # Of several with the same id, as C makes them, a summary has one.
        need(goroutine in found[id], "goroutines differ", goroutine, found[id])
    found = collections.Counter(
        (row["goroutine"], row["type"], not row["cut"] & BEGIN, not row["cut"] & END,
         tuple(row[name] for name in TIMES))
        for row in tables["regions"].rows() if row["type"])
    need(found == regions, "regions differ", found - regions, regions - found)


def shared_ids(tables):
    """The ids that several goroutines have had."""
    ids = collections.Counter(tables["goroutines"].values["goroutine"])
    return {id for id, count in ids.items() if count > 1}


def check_states(tables):
    """The states of a goroutine add up to its times, and follow each other without gaps."""
    sums = collections.defaultdict(lambda: dict.fromkeys(TIMES, 0))
    last, is_cut, shared = {}, set(), shared_ids(tables)
    for row in sorted(tables["goroutine_states"].rows(), key=lambda row: row["start_ns"]):
        id, end = row["goroutine"], row["start_ns"] + row["duration_ns"]
        need(row["duration_ns"] >= 0, "a negative duration")
        need(id in shared or last.get(id, row["start_ns"]) == row["start_ns"], "a gap", row)
        last[id] = end
        lost = row["lost_proc_ns"] or 0
        need((row["lost_proc_ns"] is not None) == (row["state"] == "Syscall"), row)
        need(lost <= row["duration_ns"], "a proc was lost for longer than the call", row)
        column = {"Running": "execution_ns", "Runnable": "sched_wait_ns", "Waiting": "block_ns",
                  "Syscall": "syscall_ns"}[row["state"]]
        sums[id][column] += row["duration_ns"] - lost
        sums[id]["syscall_block_ns"] += lost
        if row["state"] == "Syscall" and row["cut"]:
            is_cut.add(id)
    for row in tables["goroutines"].rows():
        id = row["goroutine"]
        # Of a call that has not ended, or began before, a summary counts the proc otherwise.
        if id not in shared and id not in is_cut:
            need(sums[id] == {name: row[name] for name in TIMES}, "sums differ", row, sums[id])


def check_latency(tables, lines):
    waits = [row["duration_ns"] for row in tables["goroutine_states"].rows()
             if row["state"] == "Runnable" and row["cut"] == 0]
    for line in lines:
        if line["kind"] == "sched" and line["group"] == "all":
            need((len(waits), min(sum(waits), MOST)) == (line["count"], line["sum_ns"])
                 or shared_ids(tables), "latency differs")
            return
    need(not waits, "waits that nobody else knows")


def check_stat(tables, stat):
    trace, = tables["traces"].rows()
    kinds = stat["events_by_kind"]
    need(trace["events"] == stat["events"] and trace["bytes"] == stat["bytes"], trace)
    need(trace["duration_ns"] == stat["duration_ns"], trace)
    need(trace["generations"] == stat["generations"], trace)
    need(trace["repairs"] == stat["repairs"], trace)
    need((trace["error"] is None) == (stat["error"] is None), trace)
    need(f"1.{trace['go_version']}" == stat["go_version"], trace)
    need((trace["started_at"] is None) == (stat["start"] is None), trace)
    need(trace["gomaxprocs"] is None or trace["gomaxprocs"] <= stat["gomaxprocs_max"], trace)
    need(len(tables["logs"].rows()) == kinds["log"], "logs")
    need(len(tables["samples"].rows()) == kinds["stack_sample"], "samples")
    need(len({row["proc"] for row in tables["proc_states"].rows()}) <= stat["procs"], "procs")
    need(len(tables["generations"].rows()) == stat["generations"], "generations")


def identity(text):
    return None if int(text) in NO_ID else int(text)


def check_dump(tables, dump):
    """Log messages, metrics and samples are those of `gotrace dump`."""
    logs, metrics, samples = [], [], []
    for line in dump.split("\n"):
        found = DUMPED.match(line)
        if not found:
            continue
        thread, proc, goroutine = map(identity, found.groups()[:3])
        time = int(found[5])
        if found[4] == "Log":
            logs.append((time, goroutine))
        elif found[4] == "Metric":
            metric = METRIC.fullmatch(found[6])
            metrics.append((time, metric[1], min(int(metric[2]), MOST)))
        else:
            samples.append((time, thread, proc, goroutine))
    need([(row["time_ns"], row["goroutine"]) for row in tables["logs"].rows()] == logs, "logs")
    need([(row["time_ns"], row["name"], row["value"]) for row in tables["metrics"].rows()]
         == metrics, "metrics")
    need([(row["time_ns"], row["thread"], row["proc"], row["goroutine"])
          for row in tables["samples"].rows()] == samples, "samples")


def check_stacks(tables):
    """Every stack that is named is there, with its frames."""
    stacks = {row["stack_id"]: row for row in tables["stacks"].rows()}
    frames = collections.defaultdict(list)
    for row in tables["frames"].rows():
        need(row["position"] == len(frames[row["stack_id"]]), "frames are not in order")
        frames[row["stack_id"]].append(row)
    need(len(stacks) == len(tables["stacks"].rows()), "a stack is there twice")
    need(set(frames) == set(stacks), "stacks without frames")
    for id, row in stacks.items():
        names = [frame["function"] for frame in frames[id]]
        need(row["frames"] == len(names) and row["leaf"] == names[0] and row["root"] == names[-1]
             and row["folded"] == ";".join(reversed(names)), row)
        need(row["own"] is None or row["own"] in names, row)
    for name, columns in {"goroutine_states": ["stack_id", "unblocker_stack"],
                          "goroutines": ["creation_stack"], "regions": ["stack_id"],
                          "logs": ["stack_id"], "samples": ["stack_id"]}.items():
        for column in columns:
            used = set(tables[name].values[column]) - {None}
            need(used <= set(stacks), f"{name}.{column} names a stack that is not there")


def check_ids(tables):
    trace, = tables["traces"].rows()
    need(re.fullmatch("[0-9a-f]{32}", trace["trace_id"]), trace)
    for name in TABLES:
        need(set(tables[name].values["trace_id"]) <= {trace["trace_id"]}, name)
        need(tables[name].pairs == {"gotrace.schema": "1"}, name)


def check(gotrace, trace, folder):
    """Returns whether the trace has rows."""
    tables = read_tables(gotrace, trace, folder)
    if tables is None:
        return False
    summary = run(gotrace, "summary", "--lenient", trace).splitlines()
    latency = run(gotrace, "latency", "--json", "--lenient", trace).splitlines()
    check_ids(tables)
    check_summary(tables, map(json.loads, summary))
    check_states(tables)
    check_latency(tables, map(json.loads, latency))
    check_stat(tables, json.loads(run(gotrace, "stat", "--json", trace)))
    check_dump(tables, run(gotrace, "dump", "--lenient", trace).decode("utf-8", "replace"))
    check_stacks(tables)
    return True


def main():
    gotrace, testdata = sys.argv[1:]
    traces = share_of(sorted(glob.glob(os.path.join(testdata, "*", "*.trace"))), 5)
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for i, trace in enumerate(traces):
            try:
                count += check(gotrace, trace, os.path.join(folder, str(i)))
            except Exception:
                print(trace, file=sys.stderr)
                raise
    need(count > len(traces) / 3, f"only {count} of {len(traces)} traces were checked")


if __name__ == "__main__":
    main()
