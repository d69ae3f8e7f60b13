#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tables_test.py GOTRACE TESTDATA: the tables of a share of the traces of testdata, or of all with
$GT_ALL_TRACES, say what the other commands say of them: summary, latency, stat and dump."""
import collections
import glob
import itertools
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

TABLES = ["traces", "generations", "goroutines", "goroutine_states", "proc_states", "ranges",
          "gc_cycles", "regions", "tasks", "logs", "metrics", "samples", "waits", "latency",
          "stacks", "frames", "events"]
# What stands for a name that is not known or empty.
UNKNOWN = dict.fromkeys(("(no stack was seen)", "(unknown)", "(no name)"), "")
TIMES = ["execution_ns", "sched_wait_ns", "syscall_ns", "syscall_block_ns", "block_ns"]
NO_ID = (-1, 2**64 - 1)
MOST = 2**63 - 1
BEGIN, END = 1, 2
DUMPED = re.compile(r"^M=(-?\d+) P=(-?\d+) G=(-?\d+) (\w+) Time=(-?\d+)(.*)$")
STATES = re.compile(r" (?:GoID|ProcID)=(-?\d+) (\w+)->(\w+) Reason=\"(.*)\"$")
METRIC = re.compile(r' Name="(.*)" Value=Value\{Uint64\((\d+)\)\}')


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


def run(*command):
    """What a command prints. It may fail, as traces may be damaged."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def lines_of(*command):
    return [json.loads(line) for line in run(*command).splitlines()]


def read_tables(gotrace, trace, folder):
    """The rows of each table, or None if the command reads nothing."""
    made = subprocess.run([gotrace, "columns", trace, "-o", folder, "--tables", ",".join(TABLES)],
                          stderr=subprocess.DEVNULL)
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


def switch_count(gotrace, trace):
    """The number of switches between coroutines."""
    rows = [line.split() for line in run(gotrace, "footprint", trace).decode().splitlines()]
    return sum(int(row[3]) for row in rows if row and row[0].startswith("GoSwitch"))


def check_states(tables, switches):
    """The states of a goroutine add up to its times, and follow each other without gaps."""
    times = []
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
        expected = {name: row[name] for name in TIMES}
        if switches:
            # For Go a coroutine that is switched to is runnable for 2 ns, in the first of which the
            # other one still runs.
            entered = expected["sched_wait_ns"] - sums[id]["sched_wait_ns"]
            left = expected["execution_ns"] + entered - sums[id]["execution_ns"]
            waits = sums[id]["block_ns"] - expected["block_ns"]
            need(entered >= 0 and left >= 0 and waits in (left, left - 1), row, sums[id])
            times += entered, left
            expected = {**expected, **{name: sums[id][name] for name in TIMES[:2] + TIMES[-1:]}}
        # Of a call that has not ended, or began before, a summary counts the proc otherwise.
        if id not in shared and id not in is_cut:
            need(sums[id] == expected, "sums differ", row, sums[id])
    need(sum(times) == 3 * switches or shared, "switches differ", sum(times), switches)


def check_latency(tables, lines):
    waits = [row["duration_ns"] for row in tables["goroutine_states"].rows()
             if row["state"] == "Runnable" and row["cut"] == 0]
    for line in lines:
        if line["kind"] == "sched" and line["group"] == "all":
            need((len(waits), min(sum(waits), MOST)) == (line["count"], line["sum_ns"])
                 or shared_ids(tables), "latency differs")
            return
    need(not waits, "waits that nobody else knows")


def check_latency_table(tables, lines):
    """The ranges of durations have what the series of `gotrace latency` count."""
    found = collections.defaultdict(list)
    for row in tables["latency"].rows():
        found[row["kind"], row["grouped_by"], row["name"]].append(row)
    series = {(line["kind"], line["group"], UNKNOWN.get(line["name"], line["name"])): line
              for line in lines}
    need(set(found) == set(series), "other series", set(found) ^ set(series))
    for key, rows in found.items():
        need(sum(row["count"] for row in rows) == series[key]["count"], key)
        rows.sort(key=lambda row: row["from_ns"])
        need(all(row["count"] > 0 and row["from_ns"] < row["to_ns"] for row in rows), key)
        need(all(a["to_ns"] <= b["from_ns"] for a, b in zip(rows, rows[1:], strict=False)), key)
        middle = next(row for row, below in zip(rows, itertools.accumulate(
            row["count"] for row in rows), strict=True) if 2 * below >= series[key]["count"])
        need(middle["from_ns"] <= series[key]["p50_ns"] <= middle["to_ns"], key)
        need(rows[-1]["from_ns"] <= series[key]["max_ns"] <= rows[-1]["to_ns"], key)


def check_waits(tables):
    """The sums of waits are those of the states that are not cut."""
    regions = {row["region_id"]: row["type"] for row in tables["regions"].rows()}
    sums = collections.defaultdict(list)
    for row in tables["goroutine_states"].rows():
        if row["cut"] == 0:
            # Regions of the runtime's own goroutines that never end are in no table.
            region = regions.get(row["region_id"])
            sums[row["function"], row["state"], row["reason"], region, row["stack_id"],
                 row["unblocker_stack"]].append(row["duration_ns"])
    found = collections.defaultdict(lambda: [0, 0, MOST, 0])
    keys = set()
    for row in tables["waits"].rows():
        region = row["region_type"] if row["region_type"] in regions.values() else None
        key = (row["function"], row["state"], row["reason"], region, row["stack_id"],
               row["unblocker_stack"])
        keys.add((*key, row["region_type"], row["task_type"]))
        sum_of = found[key]
        sum_of[0] += row["count"]
        sum_of[1] = min(sum_of[1] + row["sum_ns"], MOST)
        sum_of[2] = min(sum_of[2], row["min_ns"])
        sum_of[3] = max(sum_of[3], row["max_ns"])
    need(len(keys) == len(tables["waits"].rows()), "a group is there twice")
    need(dict(found) == {key: [len(list_), min(sum(list_), MOST), min(list_), max(list_)]
                         for key, list_ in sums.items()}, "waits differ")


def check_tasks(tables, lines):
    """Tasks are those of `gotrace summary`; what is named after its end has another row."""
    found = collections.defaultdict(list)
    for row in tables["tasks"].rows():
        found[row["task_id"]].append(row)
    tasks = {min(line["task"], MOST): line for line in lines if "complete" in line and line["task"]}
    need(set(found) == set(tasks), "other tasks", set(found) ^ set(tasks))
    for id, rows in found.items():
        task = tasks[id]
        for name in "regions", "logs":
            need(sum(row[name] for row in rows) == task[name], name, task, rows)
        if len(rows) == 1:
            need(rows[0]["goroutines"] == task["goroutines"], task, rows)
            need((rows[0]["cut"] == 0) == task["complete"], task, rows)
            need(rows[0]["type"] == task["name"], task, rows)
            need(rows[0]["parent_task"] == identity(task["parent"]), task, rows)
        need(sum(row["goroutines"] for row in rows) >= task["goroutines"], task, rows)


def begins_and_ends(rows):
    return (sorted(row["start_ns"] for row in rows if not row["cut"] & BEGIN),
            sorted(row["start_ns"] + row["duration_ns"] for row in rows if not row["cut"] & END))


def check_ranges(tables, stat):
    """Ranges begin and end when their events do; the collector's cycles are made of them."""
    ranges = collections.defaultdict(list)
    for row in tables["ranges"].rows():
        ranges[row["name"], row["scope"], row["scope_id"]].append(row)
        need(row["duration_ns"] >= 0, "a negative duration", row)
        need((row["cause"] is not None) == (row["name"] == "stop-the-world"), row)
    events = collections.defaultdict(lambda: ([], []))
    for row in tables["events"].rows():
        if row["kind"] in ("RangeBegin", "RangeEnd"):
            scope = next((rows[0]["scope"] for key, rows in ranges.items()
                          if key[0] == row["name"]), None)
            events[row["name"], scope, row["id"]][row["kind"] == "RangeEnd"].append(row["time_ns"])
    for key, rows in ranges.items():
        need(begins_and_ends(rows) == events[key], key, rows, events[key])
    need(set(events) <= set(ranges), "ranges are missing")
    stops = [row for key, rows in ranges.items() for row in rows
             if key[0] == "stop-the-world" and not row["cut"]]
    need(len(stops) <= stat["stop_the_world"], "stops")
    if not any(row["cut"] for row in ranges.get(("stop-the-world",), [])):
        need(sum(row["duration_ns"] for row in stops) <= stat["stop_the_world_ns"], "stops' time")
    cycles = tables["gc_cycles"].rows()
    marks = [row for key, rows in ranges.items() for row in rows
             if key[0] == "GC concurrent mark phase"]
    need(sorted((row["start_ns"], row["duration_ns"], row["cut"]) for row in marks)
         == [(row["start_ns"], row["duration_ns"], row["cut"]) for row in cycles], "cycles")
    need([row["cycle"] for row in cycles] == list(range(1, len(cycles) + 1)), "numbers of cycles")
    for column, causes in (("sweep_termination_ns", "GC sweep termination"),
                           ("mark_termination_ns", "GC mark termination")):
        after = [row["duration_ns"] for row in stops if row["cause"] == causes and cycles
                 and row["start_ns"] + row["duration_ns"] > cycles[0]["start_ns"]]
        need(sum(row[column] or 0 for row in cycles) == sum(after), column)
    assists = [row["duration_ns"] for key, rows in ranges.items() for row in rows
               if key[0] == "GC mark assist" and cycles
               and row["start_ns"] + row["duration_ns"] > cycles[0]["start_ns"]]
    need(sum(row["assist_ns"] for row in cycles) == sum(assists), "assists")


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
    logs, metrics, samples, events, states = [], [], [], [], []
    for line in dump.split("\n"):
        found = DUMPED.match(line)
        if not found:
            continue
        thread, proc, goroutine = map(identity, found.groups()[:3])
        time = int(found[5])
        events.append((time, found[4], thread, proc, goroutine))
        if found[4] == "StateTransition":
            id, *change = STATES.match(found[6]).groups()
            states.append((time, int(id), *change))
        elif found[4] == "Log":
            logs.append((time, goroutine))
        elif found[4] == "Metric":
            metric = METRIC.fullmatch(found[6])
            metrics.append((time, metric[1], min(int(metric[2]), MOST)))
        elif found[4] == "StackSample":
            samples.append((time, thread, proc, goroutine))
    need([(row["time_ns"], row["goroutine"]) for row in tables["logs"].rows()] == logs, "logs")
    need([(row["time_ns"], row["name"], row["value"]) for row in tables["metrics"].rows()]
         == metrics, "metrics")
    need([(row["time_ns"], row["thread"], row["proc"], row["goroutine"])
          for row in tables["samples"].rows()] == samples, "samples")
    rows = tables["events"].rows()
    found = [(row["time_ns"], row["kind"], row["thread"], row["proc"], row["goroutine"])
             for row in rows]
    need(found == events, "events", [pair for pair in zip(found, events, strict=False)
                                     if pair[0] != pair[1]][:3], len(found), len(events))
    changes = [row for row in rows if row["kind"] == "StateTransition"]
    need([(row["time_ns"], row["id"], row["from_state"], row["to_state"]) for row in changes]
         == [state[:-1] for state in states], "transitions")
    # A name with a backslash is quoted.
    need(all((row["name"] or "") == state[-1] or "\\" in state[-1]
             for row, state in zip(changes, states, strict=True)), "reasons")


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
                          "logs": ["stack_id"], "samples": ["stack_id"], "events": ["stack_id"],
                          "waits": ["stack_id", "unblocker_stack"]}.items():
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
    summary = lines_of(gotrace, "summary", "--lenient", trace)
    latency = lines_of(gotrace, "latency", "--json", "--lenient", "--top=0", trace)
    stat = json.loads(run(gotrace, "stat", "--json", trace))
    check_ids(tables)
    check_summary(tables, summary)
    check_states(tables, switch_count(gotrace, trace))
    check_latency(tables, latency)
    check_latency_table(tables, latency)
    check_waits(tables)
    check_tasks(tables, summary)
    check_ranges(tables, stat)
    check_stat(tables, stat)
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
