# SPDX-License-Identifier: BSD-3-Clause
"""gotrace perfetto: each of a share of the recorded traces, or of all with $GT_ALL_TRACES, gives a
file without a fault, and what is in it is what other commands say of the trace.

protoc, where it is installed, must know every field. If GT_TRACE_PROCESSOR names Perfetto's trace
processor, that must find the same in the files. The traces of GT_CORPUS are drawn, too.
"""
import collections
import concurrent.futures
import csv
import functools
import gc
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import perfetto

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402
from share import share_of

# What is read of files is millions of small objects without cycles: to look for cycles among them
# takes a third of the time.
gc.disable()

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACES = share_of(sorted(DATA.glob("v[12]/*.trace")), 5)
MIX = DATA / "v2" / "go1.27-mix.trace"
TASKS = DATA / "v2" / "go1.27-tasks.trace"
GC = DATA / "v2" / "go1.27-gc.trace"
CPU = DATA / "v2" / "go1.27-cpu.trace"
ALLOC = DATA / "v2" / "go1.23-alloc.trace"
CUT = DATA / "v2" / "go1.27-cut.trace"
OLD = DATA / "v1" / "go1.21-chan.trace"
PROCESSOR = os.environ.get("GT_TRACE_PROCESSOR")
CORPUS = sorted(pathlib.Path(os.environ.get("GT_CORPUS", "none")).glob("*.trace"))
PROTO = pathlib.Path(__file__).with_name("trace.proto")
STATES = ("Running", "Runnable", "Waiting", "Syscall", "Syscall, blocked")
ERRORS = "select name from stats where severity in ('error', 'data_loss') and value != 0;"


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


@functools.lru_cache(maxsize=8)
def draw(*arguments):
    """A file, read. Many tests look at the same one, and none changes it."""
    result = run("perfetto", *arguments)
    return perfetto.Trace(result.stdout)


def is_old(path):
    """Whether a trace is of Go 1.21 or before, for which Go has no summary."""
    with open(path, "rb") as file:
        return int(re.match(rb"go 1\.(\d+) trace", file.read(16))[1]) < 22


@functools.lru_cache(maxsize=None)
def draw_all(path):
    return draw.__wrapped__("--procs", "--threads", path)


def query(path, sql):
    """The rows of the result of each of some statements."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(sql)
        file.flush()
        result = subprocess.run([PROCESSOR, "query", "-f", file.name, path], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    tables = result.stdout.decode().strip().split("\n\n")
    return [list(csv.reader(io.StringIO(table)))[1:] for table in tables]


def decode(data):
    """What protoc prints of a file. A field that it does not know is a number there."""
    result = subprocess.run(["protoc", f"--proto_path={PROTO.parent}", "--decode=trace.Trace",
                             PROTO.name], input=data, check=True, stdout=subprocess.PIPE)
    return result.stdout.decode()


def varint(value):
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(data + bytes([value]))


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def snapshot(monotonic, boot):
    """A packet with the clocks of the system, of a sequence that is no other's."""
    clocks = b"".join(message(1, b"\x08" + varint(clock) + b"\x10" + varint(time))
                      for clock, time in ((perfetto.MONOTONIC, monotonic),
                                          (perfetto.BOOTTIME, boot)))
    return message(1, b"\x50" + varint(99) + message(6, clocks))


def scheduled(thread, begin, end):
    """A packet in which the kernel runs a thread on CPU 0, from and to a time of BOOTTIME."""
    def switch(time, comes, goes):
        names = message(1, b"other") + b"\x10" + varint(goes) + b"\x20" + varint(1) + \
            message(5, b"other") + b"\x30" + varint(comes)
        return message(2, b"\x08" + varint(time) + b"\x10" + varint(goes) + message(4, names))
    bundle = b"\x08" + varint(0) + switch(begin, thread, 0) + switch(end, 0, thread)
    return message(1, b"\x50" + varint(99) + message(1, bundle))


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
        for path in TRACES + CORPUS:
            with self.subTest(path=path.name):
                self.assertTrue(draw_all(path).slices or "cut" in path.name)

    def test_states_take_the_times_that_the_summary_has(self):
        for path in TRACES + CORPUS:
            # Goroutines that C calls use ids again: they share a row, and the summary has the last.
            is_shared = path in CORPUS and "cgo" in path.name
            if is_old(path) or is_shared or run("check", path).returncode != 0:
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
            stats = dict(stats)
            # For Go a coroutine that is switched to is runnable for 2 ns, in the first of which the
            # other one still runs.
            entered = stats["SchedWait"] - found["Runnable"]
            if "coro" in path.name and entered > 0:
                left = stats["Exec"] + entered - found["Running"]
                self.assertIn(found["Waiting"] - blocked, (left, left - 1))
                stats["SchedWait"], stats["Exec"] = found["Runnable"], found["Running"]
                blocked = found["Waiting"]
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

    def test_label_is_an_argument_of_the_state_in_which_it_was_set(self):
        trace = draw(GC)
        labels = [instant for instant in trace.instants if instant.categories == ["label"]]
        self.assertTrue(labels)
        expected = collections.Counter()
        for label in labels:
            state, = [slice for slice in trace.slices if slice.track == label.track
                      and slice.name in STATES and slice.begin <= label.time < slice.end]
            self.assertEqual(state.arguments["label"], label.arguments["label"])
            expected[state.track, state.begin] = 1
        found = collections.Counter((slice.track, slice.begin) for slice in trace.slices
                                    if "label" in slice.arguments)
        self.assertEqual(found, expected)

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

    def test_gomaxprocs_is_a_counter_from_the_beginning(self):
        for path in (OLD, MIX):
            trace = draw(path)
            values = [value for track, values in trace.values.items()
                      if trace.path(track)[-1] == "GOMAXPROCS" for _, value in values]
            known = json.loads(run("stat", "--json", path).stdout)["gomaxprocs_max"]
            self.assertEqual(values, [known])

    def test_wall_clock_and_process_are_written_unless_they_are_not_wanted(self):
        trace = draw(MIX)
        self.assertTrue(trace.clocks)
        self.assertEqual(trace.tracks[1]["process"]["name"], MIX.name)
        without = draw("--no-clock", MIX)
        self.assertFalse(without.clocks)
        self.assertEqual([one._replace(track=0) for one in without.slices],
                         [one._replace(track=0) for one in trace.slices])
        named = draw("--pid", 77, "--name", "server", TASKS)
        self.assertEqual(named.tracks[1]["process"], {"pid": 77, "name": "server"})
        self.assertFalse(draw(OLD).clocks)

    def test_samples_are_instants_or_stack_samples(self):
        instant, stack, both = (draw("--samples", how, CPU) for how in ("instant", "stack", "both"))

        def drawn(trace):
            return sorted((one.time, one.stack) for one in trace.instants
                          if one.name == "CPU profile sample")
        samples = sorted((sample.time, sample.stack) for sample in stack.samples)
        self.assertTrue(samples)
        self.assertEqual((drawn(instant), instant.samples), (samples, []))
        self.assertEqual(drawn(stack), [])
        self.assertEqual(drawn(both), samples)
        self.assertEqual(both.samples, stack.samples)
        for sample in stack.samples:
            self.assertRegex(sample.context, "^G[0-9]+$")
            self.assertEqual(sample.weight, 10000000)
        threads = {track["thread"]["tid"] for track in stack.tracks.values() if "thread" in track}
        self.assertEqual(threads, {sample.tid for sample in stack.samples})

    def test_range_has_what_overlaps_it(self):
        whole = draw(MIX)
        first = min(one.begin for one in whole.slices)
        last = max(one.end for one in whole.slices)
        middle = (first + last) // 2

        def states(trace):
            return sum(one.name in STATES for one in trace.slices)
        for options, start, end in (
                (("--start", f"+{middle - first}ns"), middle, last),
                (("--end", f"+{middle - first}ns"), first, middle),
                (("--start", f"-{(last - first) // 4}ns"), last - (last - first) // 4, last),
                (("--start", "+1ms", "--end", "+2ms"), first + 1000000, first + 2000000),
                (("--start", middle, "--end", middle), middle, middle)):
            with self.subTest(options=options):
                part = draw(*options, MIX)
                expected = sum(one.name in STATES and one.begin <= end and one.end >= start
                               for one in whole.slices)
                self.assertEqual(states(part), expected)
        self.assertEqual(states(draw("--end", 0, MIX)), 0)
        self.assertEqual(states(draw("--end", "1999-01-01T00:00:00Z", MIX)), 0)
        self.assertEqual(states(draw("--start", "1999-01-01T00:00:00Z", MIX)), states(whole))
        result = run("perfetto", "--start", "1999-01-01T00:00:00Z", OLD)
        self.assertEqual((result.returncode, b"wall clock" in result.stderr), (1, True))

    def test_several_traces_are_processes_of_one_file(self):
        alone = [draw(path) for path in (MIX, TASKS, OLD)]
        trace = draw(MIX, TASKS, OLD)
        self.assertEqual(sorted(trace.sequences), [1, 2, 3])
        processes = {track["process"]["name"]: track["process"]["pid"]
                     for track in trace.tracks.values() if "process" in track}
        self.assertEqual(list(processes), [MIX.name, TASKS.name, OLD.name])
        self.assertEqual(len(set(processes.values())), 3)
        counts = [one.counts() for one in alone]
        self.assertEqual(trace.counts(), {key: sum(one[key] for one in counts)
                                          for key in counts[0]})
        twice = draw(TASKS, TASKS)
        pids = [track["process"]["pid"] for track in twice.tracks.values() if "process" in track]
        self.assertEqual(pids[1], pids[0] + 2 * (1 << 22))

    def test_traces_of_one_clock_keep_their_times(self):
        alone = draw(MIX), draw(TASKS)
        apart = [[wall - monotonic for monotonic, wall in trace.clocks[:1]] for trace in alone]
        both = draw(MIX, TASKS)
        self.assertEqual(both.clocks, alone[0].clocks)
        begins = [min(one.begin for one in trace.slices) for trace in alone]
        # Where the wall clocks say that the machine was another one, or started again between.
        shift = apart[1][0] - apart[0][0]
        begins[1] += shift if abs(shift) > 10 ** 9 else 0
        self.assertEqual(min(one.begin for one in both.slices), min(begins))
        # A trace without a clock begins with the first one.
        old = draw(TASKS, OLD)
        self.assertEqual(min(one.begin for one in old.slices),
                         min(one.begin for one in alone[1].slices))

    def test_repairs_and_faults_are_drawn(self):
        trace = draw("--lenient", CUT)
        faults = [one for one in trace.instants if one.categories == ["repair"]]
        self.assertTrue(faults)
        for fault in faults:
            self.assertEqual(trace.path(fault.track)[1:], ("Runtime", "Faults"))
        fault, = [one for one in draw(CUT).instants if one.categories == ["fault"]]
        self.assertIn(fault.name.encode(), run("perfetto", CUT).stderr)

    def test_repairs_are_drawn_once_also_if_the_trace_is_read_twice(self):
        def faults(*options):
            return [(one.time, one.name) for one in draw("--lenient", *options, CUT).instants
                    if one.categories == ["repair"]]

        expected = faults()
        self.assertTrue(expected)
        for options in (["--end=-0s"], ["--goid", 1], ["--goid", 1, "--end=-0s"]):
            with self.subTest(options=options):
                self.assertEqual(faults(*options), expected)

    def test_experimental_events_are_counted(self):
        result = run("perfetto", ALLOC)
        self.assertRegex(result.stderr, b"not shown: [0-9]+ experimental events")

    def test_regions_are_correlated_with_their_tasks(self):
        data = run("perfetto", TASKS).stdout
        events = [packet["event"] for packet in perfetto.packets(data) if "event" in packet]
        self.assertTrue(any("correlation" in event for event in events))

    def test_one_goroutine_is_drawn_if_only_that_is_wanted(self):
        whole, part = draw(MIX), draw("--goid", 1, MIX)
        self.assertLess(len(part.slices), len(whole.slices))
        self.assertIn("G1", {path[-1] for path in map(part.path, part.tracks)})

    def test_wrong_uses_are_refused(self):
        for arguments, message in ((("--pid", "x", MIX), b"not a number: 'x'"),
                                   (("--pid", 2 ** 31, MIX), b"no id of a process"),
                                   (("--goid", 1, "--taskid", 1, MIX), b"only one of"),
                                   (("--goid", 1, "--procs", MIX), b"show goroutines only"),
                                   (("--samples", "all", MIX), b"not a way to write samples"),
                                   (("--end", "2026-13-01T00:00:00Z", MIX), b"not a time"),
                                   (("--start", "soon", MIX), b"not a time"),
                                   (("--end", "1s", MIX), b"not a time"),
                                   (("--pid", 1, MIX, OLD), b"for a single FILE"),
                                   ((), b"")):
            result = run("perfetto", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)

    def test_traces_that_are_cut_off_give_files_without_a_fault(self):
        chance = random.Random(25)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cut.trace"
            for trace in (MIX, TASKS, GC, CPU, OLD):
                data = trace.read_bytes()
                for _ in range(3):
                    size = chance.randrange(16, len(data))
                    path.write_bytes(data[:size])
                    views = chance.choice(((), ("--procs",), ("--threads",), ("--no-wakes",)))
                    with self.subTest(trace=trace.name, size=size, views=views):
                        strict, lenient = (draw(*options, *views, path)
                                           for options in ((), ("--lenient",)))
                        self.assertLessEqual(len(strict.slices), len(lenient.slices))

    def test_damaged_trace_gives_what_precedes_the_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            path, output = pathlib.Path(folder) / "cut.trace", pathlib.Path(folder) / "out"
            path.write_bytes(CUT.read_bytes())
            result = run("perfetto", "-o", output, path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"cut", result.stderr)
            self.assertTrue(perfetto.Trace(output.read_bytes()).slices)
            for inputs in ((path,), (MIX, path)):
                result = run("perfetto", "--output", path, *inputs)
                self.assertIn(b"it is the input", result.stderr)
            before = output.read_bytes()
            result = run("perfetto", "--output", output, MIX, folder + "/none")
            self.assertEqual(result.returncode, 1)
            self.assertEqual(output.read_bytes(), before)

    @unittest.skipUnless(shutil.which("protoc"), "no protoc")
    def test_protoc_knows_every_field(self):
        unknown = re.compile(r"^ *[0-9]+( \{|:)", re.MULTILINE)
        for arguments in (*(("--procs", "--threads", path) for path in TRACES),
                          ("--samples", "both", CPU), (MIX, TASKS, OLD)):
            with self.subTest(arguments=arguments):
                data = run("perfetto", *arguments).stdout
                text = decode(data)
                self.assertIsNone(unknown.search(text))
                self.assertEqual(text.count("\npacket {") + text.startswith("packet {"),
                                 sum(1 for _ in perfetto.places(data)))
        # A field that there is not, and one of another type.
        for packet in (message(11, message(99, b"")), message(60, b"\x09" + bytes(8))):
            self.assertIsNotNone(unknown.search(decode(message(1, packet))))

    @unittest.skipUnless(PROCESSOR, "no GT_TRACE_PROCESSOR")
    def test_trace_processor_finds_the_same_and_no_fault(self):
        tables = ("slice", "flow", "counter", "stack_profile_frame",
                  "__intrinsic_track_event_callstacks", "stack_sample")
        sql = ERRORS + "".join(f"select count(*) from {table};" for table in tables)
        uses = [*((path,) for path in TRACES + CORPUS), ("--samples", "both", CPU),
                (MIX, TASKS, OLD)]

        def compare(arguments):
            self.compare_counts(b"", run("perfetto", "--procs", *arguments).stdout, sql)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for arguments, done in [(arguments, pool.submit(compare, arguments))
                                    for arguments in uses]:
                with self.subTest(arguments=arguments):
                    done.result()
        with self.subTest("appended"):
            data = run("perfetto", "--no-clock", "--threads", MIX).stdout
            # The clocks of a trace of the system, which was suspended for a second.
            self.compare_counts(snapshot(2 ** 60, 2 ** 60 + 10 ** 9), data, sql)

    @unittest.skipUnless(PROCESSOR, "no GT_TRACE_PROCESSOR")
    def test_threads_are_beside_what_the_kernel_says_of_them(self):
        suspended = 10 ** 9
        data = run("perfetto", "--no-clock", "--threads", MIX).stdout
        trace = perfetto.Trace(data)
        ran = min((one for one in trace.slices if "thread" in trace.tracks[one.track]),
                  key=lambda one: one.begin)
        thread = trace.tracks[ran.track]["thread"]["tid"]
        system = snapshot(2 ** 40, 2 ** 40 + suspended) + \
            scheduled(thread, ran.begin + suspended, ran.end + suspended)
        sql = ERRORS + f"""
            select sched.ts, sched.dur from sched join thread using (utid) where tid = {thread};
            select slice.ts, slice.dur from slice join thread_track on track_id = thread_track.id
                join thread using (utid) where tid = {thread} and slice.dur > 0
                order by slice.ts limit 1;"""
        with tempfile.NamedTemporaryFile() as file:
            file.write(system + data)
            file.flush()
            faults, kernel, ours = query(file.name, sql)
            self.assertEqual(faults, [])
            self.assertEqual(ours, [[str(ran.begin + suspended), str(ran.end - ran.begin)]])
            self.assertEqual(kernel, ours)

    def compare_counts(self, before, data, sql):
        with tempfile.NamedTemporaryFile() as file:
            file.write(before + data)
            file.flush()
            counts = perfetto.Trace(data).counts()
            faults, *found = query(file.name, sql)
            self.assertEqual(faults, [])
            self.assertEqual(
                [int(rows[0][0]) for rows in found],
                [counts["slices"] + counts["instants"], counts["flows"],
                 counts["values"] + counts["samples"], counts["frames"],
                 counts["stacks"] - counts["samples"], counts["samples"]])

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
    skips.main()
