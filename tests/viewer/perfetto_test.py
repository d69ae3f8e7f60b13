# SPDX-License-Identifier: BSD-3-Clause
"""gotrace perfetto: every recorded trace gives a file without a fault, and what is in it is what
other commands say of the trace.

If GT_TRACE_PROCESSOR names Perfetto's trace processor, that must find the same in some files.
"""
import collections
import csv
import functools
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import perfetto

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACES = sorted(DATA.glob("v[12]/*.trace"))
MIX = DATA / "v2" / "go1.27-mix.trace"
TASKS = DATA / "v2" / "go1.27-tasks.trace"
CUT = DATA / "v2" / "go1.27-cut.trace"
OLD = DATA / "v1" / "go1.21-chan.trace"
PROCESSOR = os.environ.get("GT_TRACE_PROCESSOR")
STATES = ("Running", "Runnable", "Waiting", "Syscall", "Syscall, blocked")
ERRORS = "select name from stats where severity in ('error', 'data_loss') and value != 0;"


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def draw(*arguments):
    result = run("perfetto", *arguments)
    return perfetto.Trace(result.stdout)


@functools.lru_cache(maxsize=None)
def draw_all(path):
    return draw("--procs", "--threads", path)


def query(path, sql):
    """The rows of the result of each of some statements."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(sql)
        file.flush()
        result = subprocess.run([PROCESSOR, "query", "-f", file.name, path], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    tables = result.stdout.decode().strip().split("\n\n")
    return [list(csv.reader(io.StringIO(table)))[1:] for table in tables]


def state_times(trace):
    """By goroutine and state, the sum of the durations."""
    times = collections.defaultdict(collections.Counter)
    for slice in trace.slices:
        path = trace.path(slice.track)
        # For Go, a goroutine that waits forever has ended.
        forever = slice.arguments.get("reason") == "forever" and slice.name == "Waiting"
        if path[1:2] == ("Goroutines",) and len(path) == 4 and not forever:
            times[int(path[3][1:])][slice.name] += slice.end - slice.begin
    return times


class PerfettoTest(unittest.TestCase):
    def test_every_trace_gives_a_file_without_a_fault(self):
        for path in TRACES:
            with self.subTest(path=path.name):
                self.assertTrue(draw_all(path).slices or "cut" in path.name)

    def test_states_take_the_times_that_the_summary_has(self):
        for path in TRACES:
            if path.parent.name == "v1" or run("check", path).returncode != 0:
                continue
            lines = run("summary", path).stdout.decode().splitlines()
            known = [line for line in map(json.loads, lines) if "created" in line]
            start = min(line["created"] for line in known)
            # Go does not count a wait whose begin or end is not in the trace.
            whole = {line["g"]: line["stats"] for line in known
                     if line["created"] > start and line["end"] != 0}
            self.compare_times(path, whole, state_times(draw_all(path)))

    def compare_times(self, path, goroutines, times):
        for goroutine, stats in goroutines.items():
            found = times[goroutine]
            blocked = sum(stats["Block"].values())
            with self.subTest(path=path.name, goroutine=goroutine):
                self.assertEqual(
                    (found["Running"], found["Runnable"], found["Waiting"],
                     found["Syscall"] + found["Syscall, blocked"]),
                    (stats["Exec"], stats["SchedWait"], blocked,
                     stats["Syscall"] + stats["SyscallBlock"]))

    def test_states_have_no_gaps_and_their_stacks_a_weight_where_they_wait(self):
        trace = draw(MIX)
        ends = {}
        for slice in sorted(trace.slices, key=lambda slice: slice.begin):
            if slice.name not in STATES:
                continue
            self.assertEqual(ends.get(slice.track, slice.begin), slice.begin)
            ends[slice.track] = slice.end
            waits = slice.name in ("Waiting", "Syscall, blocked")
            weight = slice.end - slice.begin if slice.stack and waits else None
            self.assertEqual(slice.weight, weight)

    def test_regions_nest_below_their_goroutine_and_logs_have_their_category(self):
        trace = draw(TASKS)
        regions = [slice for slice in trace.slices if slice.categories == ["Region"]]
        self.assertTrue(regions)
        for slice in regions:
            self.assertEqual(trace.path(slice.track)[-1], "regions")
            self.assertIn("taskid", slice.arguments)
        logs = [instant for instant in trace.instants if "category" in instant.arguments]
        self.assertTrue(logs)
        for log in logs:
            self.assertEqual(log.categories, [log.arguments["category"]])
            self.assertFalse(log.name.startswith("["), log)

    def test_tasks_have_rows_and_flows_from_their_parents(self):
        trace = draw("--no-wakes", TASKS)
        tasks = [slice for slice in trace.slices if trace.path(slice.track)[1] == "Tasks"]
        lines = run("summary", TASKS).stdout.decode().splitlines()
        expected = [line for line in map(json.loads, lines)
                    if "complete" in line and line["task"] != 0]
        self.assertEqual(len(tasks), len(expected))
        self.assertEqual(len(trace.flows), sum(instant.name == "newTask"
                                               for instant in trace.instants) / 2)

    def test_flows_lead_from_whom_a_state_names(self):
        trace = draw(MIX)
        caused = sum("by" in slice.arguments and slice.name in STATES for slice in trace.slices)
        woken = sum(instant.name in ("wakes", "creates") for instant in trace.instants)
        self.assertLessEqual(woken, caused)
        self.assertGreater(woken, caused * 0.9)
        self.assertFalse(draw("--no-wakes", MIX).flows)

    def test_counters_have_the_values_of_the_json(self):
        events = json.loads(run("json", "--view", "goroutine", MIX).stdout)["traceEvents"]
        expected, last = collections.Counter(), {}
        for event in events:
            for key, value in event.get("args", {}).items() if event["ph"] == "C" else ():
                name = event["name"] + ": " + key
                expected[name] += last.get(name) != value
                last[name] = value
        trace = draw(MIX)
        found = {trace.path(track)[-1]: len(values) for track, values in trace.values.items()}
        self.assertTrue(set(expected) < set(found), set(found))
        self.assertEqual({name: found[name] for name in expected}, expected)

    def test_wall_clock_and_process_are_written_unless_they_are_not_wanted(self):
        trace = draw(MIX)
        self.assertTrue(trace.clocks)
        self.assertEqual(trace.tracks[1]["process"]["name"], MIX.name)
        self.assertFalse(draw("--no-clock", MIX).clocks)
        named = draw("--pid", 77, "--name", "server", MIX)
        self.assertEqual(named.tracks[1]["process"], {"pid": 77, "name": "server"})
        self.assertFalse(draw(OLD).clocks)

    def test_one_goroutine_is_drawn_if_only_that_is_wanted(self):
        whole, part = draw(MIX), draw("--goid", 1, MIX)
        self.assertLess(len(part.slices), len(whole.slices))
        self.assertIn("G1", {path[-1] for path in map(part.path, part.tracks)})

    def test_wrong_uses_are_refused(self):
        for arguments, message in ((("--pid", "x", MIX), b"not a number: 'x'"),
                                   (("--pid", 2 ** 31, MIX), b"no id of a process"),
                                   (("--goid", 1, "--taskid", 1, MIX), b"only one of"),
                                   (("--goid", 1, "--procs", MIX), b"show goroutines only"),
                                   ((), b"")):
            result = run("perfetto", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)

    def test_damaged_trace_gives_what_precedes_the_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            path, output = pathlib.Path(folder) / "cut.trace", pathlib.Path(folder) / "out"
            path.write_bytes(CUT.read_bytes())
            result = run("perfetto", "--output", output, path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"cut", result.stderr)
            self.assertTrue(perfetto.Trace(output.read_bytes()).slices)
            result = run("perfetto", "--output", path, path)
            self.assertIn(b"it is the input", result.stderr)

    @unittest.skipUnless(PROCESSOR, "no GT_TRACE_PROCESSOR")
    def test_trace_processor_finds_the_same_and_no_fault(self):
        for path in (MIX, TASKS, OLD):
            with self.subTest(path=path.name), tempfile.NamedTemporaryFile() as file:
                file.write(run("perfetto", "--procs", path).stdout)
                file.flush()
                counts = perfetto.Trace(pathlib.Path(file.name).read_bytes()).counts()
                self.assertEqual(query(file.name, ERRORS), [[]])
                found = [int(query(file.name, sql)[0][0][0]) for sql in (
                    "select count(*) from slice;", "select count(*) from flow;",
                    "select count(*) from counter;",
                    "select count(*) from stack_profile_frame;")]
                self.assertEqual(found, [counts["slices"] + counts["instants"], counts["flows"],
                                         counts["values"], counts["frames"]])

    @unittest.skipUnless(PROCESSOR, "no GT_TRACE_PROCESSOR")
    def test_queries_of_the_manual_have_results(self):
        text = (DATA.parent / "docs" / "perfetto.md").read_text(encoding="utf-8")
        queries = re.findall(r"^```sql\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(queries), 10)
        with tempfile.NamedTemporaryFile() as file:
            file.write(run("perfetto", TASKS).stdout)
            file.flush()
            results = query(file.name, "\n".join(queries))
            self.assertEqual(len(results), len(queries))
            for sql, rows in zip(queries, results):
                self.assertTrue(rows, sql)
            times = state_times(draw(TASKS))
            expected = sum(times.values(), collections.Counter())
            self.assertEqual({row[0]: int(row[2]) for row in results[0]}, dict(expected))


if __name__ == "__main__":
    unittest.main()
