#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python module of examples/python, against the command and the traces of testdata.

The environment has GOTRACE_LIBRARY, GT_TESTDATA, GT_COMMAND and perhaps GT_CORPUS, whose
traces of up to MOST_BYTES are dumped too.
"""

import gc
import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref

import dumping
import gotrace
from gotrace import EventKind, GoState, ProfileKind, Status

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402

TESTDATA = pathlib.Path(os.environ["GT_TESTDATA"])
COMMAND = os.environ["GT_COMMAND"]
LIBRARY = os.environ["GOTRACE_LIBRARY"]
CORPUS = os.environ.get("GT_CORPUS")
MOST_BYTES = 40000

TASKS = TESTDATA / "v2/go1.27-tasks.trace"
CUT = TESTDATA / "v2/go1.27-cut.trace"
GENERATIONS = TESTDATA / "v2/go1.27-gens.trace"
MIX = TESTDATA / "v2/go1.27-mix.trace"
OLD = TESTDATA / "v1/go1.21-tasks.trace"


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60)


class Dumps(unittest.TestCase):
    def check(self, paths, least):
        self.assertGreaterEqual(len(paths), least)
        for path in paths:
            with self.subTest(trace=path.name), gotrace.open(path) as trace:
                ours, error = dumping.dump(trace)
                theirs = run("dump", path)
                self.assertEqual(ours.encode("utf-8", "surrogateescape"), theirs.stdout)
                message = error.message if error else ""
                self.assertIn(message, theirs.stderr.decode())
                self.assertEqual(error is None, theirs.returncode == 0)

    def test_testdata(self):
        # The hostile traces are left out: Python's calendar ends before some of their times.
        self.check(sorted(TESTDATA.glob("v?/*.trace")), 100)

    @unittest.skipUnless(CORPUS, "no corpus")
    def test_corpus(self):
        self.check([path for path in sorted(pathlib.Path(CORPUS).glob("*.trace"))
                    if path.stat().st_size <= MOST_BYTES], 1)


class Sources(unittest.TestCase):
    def setUp(self):
        self.bytes = TASKS.read_bytes()
        with gotrace.open(TASKS) as trace:
            self.expected = dumping.dump(trace)

    def check(self, source):
        with gotrace.open(source) as trace:
            self.assertEqual(dumping.dump(trace), self.expected)

    def test_all(self):
        self.check(str(TASKS))
        self.check(self.bytes)
        self.check(bytearray(self.bytes))
        self.check(io.BytesIO(self.bytes))
        with open(TASKS, "rb") as file:
            self.check(file)
        with open(TASKS, "rb", buffering=0) as file:
            self.check(file)

    def test_bytes_may_change(self):
        changing = bytearray(self.bytes)
        with gotrace.open(changing) as trace:
            changing[:] = bytes(len(changing))
            self.assertEqual(dumping.dump(trace), self.expected)

    def test_fifo_written_by_another_thread(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fifo")
            os.mkfifo(path)
            writer = threading.Thread(target=pathlib.Path(path).write_bytes, args=(self.bytes,))
            writer.start()
            self.check(path)
            writer.join()

    def test_what_a_file_raises(self):
        class Broken(io.RawIOBase):
            def read(self, size=-1):
                raise ZeroDivisionError

        class Late(io.BytesIO):
            def read1(self, size=-1):
                return super().read1(100) if self.tell() < 1000 else 1 // 0

        class Greedy(io.RawIOBase):
            def read(self, size=-1):
                return b"x" * (size + 1)
        self.assertRaises(ZeroDivisionError, gotrace.open, Broken())
        self.assertRaises(OSError, gotrace.open, Greedy())
        self.assertRaises(TypeError, gotrace.open, io.StringIO("text"))
        with gotrace.open(Late(self.bytes)) as trace:
            self.assertRaises(ZeroDivisionError, list, trace)

    def test_bad_arguments(self):
        self.assertRaises(FileNotFoundError, gotrace.open, "/no/such/file")
        self.assertRaises(IsADirectoryError, gotrace.open, str(TESTDATA))
        self.assertRaises(TypeError, gotrace.open, 5)
        self.assertRaises(TypeError, gotrace.open, None)

    def test_wrong_options_are_named(self):
        for text, wrong in (
                ("options.kinds is 0, which asks for no profile", gotrace.Profile),
                ("options.kinds has unknown bits 0x8000000000000000", lambda: gotrace.Profile(63)),
                ("options.goroutine cannot be combined with GT_PROFILE_REGIONS",
                 lambda: gotrace.Profile(ProfileKind.NET, goroutine="main", regions=True)),
                ("options.flags has unknown bits 0x100000", lambda: gotrace.Mmu(1 << 20)),
                ("memory limit reached", lambda: gotrace.Summary(limit=1)),
                ("selection is not a gt_selection", lambda: gotrace.Selector(9, 1)),
                ("memory limit reached", lambda: gotrace.Emitter(gotrace.Consumer(), limit=1))):
            with self.assertRaises(gotrace.Error, msg=text) as caught:
                wrong()
            self.assertEqual(str(caught.exception), text)


class Pushing(unittest.TestCase):
    def test_pushed_bytes_give_the_same_events(self):
        path = TESTDATA / "v2" / "go1.27-mix.trace"
        with gotrace.open(path) as trace:
            expected = [(event.kind, event.time, event.details) for event in trace
                        if event.kind != EventKind.STATE_TRANSITION]
        data, waits, events = path.read_bytes(), 0, []
        with gotrace.open_push() as trace:
            for i in range(0, len(data) + 1, 1000):
                trace.push(data[i:i + 1000])
                if i + 1000 > len(data):
                    trace.finish()
                events += [(event.kind, event.time, event.details) for event in trace
                           if event.kind != EventKind.STATE_TRANSITION]
                waits += trace.again
            self.assertFalse(trace.again)
            with self.assertRaises(gotrace.Error):
                trace.push(b"x")
        self.assertEqual(events, expected)
        self.assertEqual(waits, len(data) // 1000)

    def test_analyses_are_finished_at_the_end_of_pushed_bytes(self):
        path = TESTDATA / "v2" / "go1.27-mix.trace"
        whole, pushed = gotrace.Latency(), gotrace.Latency()
        with gotrace.open(path) as trace:
            trace.feed(whole)
        data = path.read_bytes()
        with gotrace.open_push() as trace:
            for i in range(0, len(data), 5000):
                trace.push(data[i:i + 5000])
                trace.feed(pushed)
            trace.finish()
            trace.feed(pushed)
        self.assertEqual([s[:] for s in pushed.series()], [s[:] for s in whole.series()])

    def test_only_a_trace_to_push_to_takes_bytes(self):
        with gotrace.open(TESTDATA / "v2" / "go1.27-mix.trace") as trace:
            self.assertRaises(gotrace.Error, trace.push, b"x")
            self.assertRaises(gotrace.Error, trace.finish)


class Loading(unittest.TestCase):
    """Each in a process of its own: a library is loaded once."""

    def load(self, code, path):
        environment = dict(os.environ, GOTRACE_LIBRARY=path)
        return subprocess.run([sys.executable, "-c", "import gotrace\n" + code], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def test_wrong_library(self):
        folder, file = os.path.split(LIBRARY)
        other = os.path.join(folder, file.replace("libgotrace", "libgotrace-viewer"))
        for path in ("/no/such/library.so", str(TASKS), other):
            found = self.load("gotrace.version()", path)
            self.assertIn(b"OSError", found.stderr)
            # What did not load does not stand in the way of what does.
            found = self.load("try: gotrace.version()\nexcept OSError: pass\n"
                              "gotrace.load(%r)\nprint(gotrace.version())"
                              % LIBRARY, path)
            self.assertEqual(found.stdout, gotrace.version().encode() + b"\n")
            self.assertEqual(found.stderr, b"")

    def test_twice(self):
        found = self.load("gotrace.version()\ngotrace.load('other')", LIBRARY)
        self.assertIn(b"RuntimeError", found.stderr)


class Errors(unittest.TestCase):
    def test_cut(self):
        with gotrace.open(CUT) as trace:
            events = []
            for _ in range(2):
                with self.assertRaises(gotrace.TraceError) as caught:
                    events.extend(trace)
                error = caught.exception
                self.assertEqual(error.status, Status.ERR_TRUNCATED)
                self.assertEqual((error.offset, error.generation), (11182, 5))
                self.assertEqual(error.message, "batch is cut off: 791 of 1459 bytes")
            self.assertEqual(len(events), trace.info.events)
            self.assertGreater(len(events), 100)

    def test_ending(self):
        for path, ending in ((TASKS, gotrace.Ending.STOPPED), (OLD, gotrace.Ending.UNKNOWN)):
            with gotrace.open(path) as trace:
                self.assertEqual(trace.ending, gotrace.Ending.UNKNOWN)
                self.assertGreater(len(list(trace)), 0)
                self.assertEqual(trace.ending, ending)

    def test_first_procs(self):
        for path, procs in ((OLD, 2), (TASKS, 0)):
            with gotrace.open(path) as trace:
                self.assertGreater(len(list(trace)), 0)
                self.assertEqual(trace.first_procs, procs)

    def test_no_trace(self):
        for data, status in ((b"", Status.ERR_NOT_A_TRACE), (b"go 1.2", Status.ERR_NOT_A_TRACE),
                             (b"go 1.99 trace\0\0\0", None), (b"go 1.04 trace\0\0\0", None)):
            try:
                gotrace.open(data, known_versions=True).close()
                self.fail("%r was opened" % data)
            except gotrace.TraceError as error:
                if status is not None:
                    self.assertEqual(error.status, status)

    def test_newer(self):
        data = CUT.read_bytes().replace(b"go 1.26 trace", b"go 1.29 trace", 1)
        with gotrace.open(data) as trace:
            self.assertEqual((trace.info.version, trace.info.newer), (29, 1))
        with self.assertRaises(gotrace.TraceError) as caught:
            gotrace.open(data, known_versions=True)
        self.assertEqual(caught.exception.status, Status.ERR_VERSION)

    def test_limit(self):
        with self.assertRaises(gotrace.LimitError):
            gotrace.open(TASKS, limit=1000)
        with gotrace.open(MIX, limit=25000) as trace:
            self.assertRaises(gotrace.LimitError, list, trace)
            self.assertLessEqual(trace.info.memory_peak, 25000)
        with gotrace.open(MIX) as trace:
            self.assertRaises(gotrace.LimitError, trace.feed, gotrace.Summary(limit=100000))

    def test_repairs(self):
        with gotrace.open(CUT, lenient=True) as trace:
            lenient = sum(1 for _ in trace)
            self.assertEqual(len(trace.repairs), trace.info.repairs)
            self.assertEqual(trace.repairs[0].status, Status.ERR_TRUNCATED)
            self.assertEqual(trace.repairs[0].offset, 11182)
        with gotrace.open(CUT) as trace:
            self.assertRaises(gotrace.TraceError, trace.feed)
            self.assertLess(trace.info.events, lenient)
        told = []
        with gotrace.open(CUT, lenient=True, on_repair=told.append) as trace:
            trace.feed()
            self.assertEqual(len(told), trace.info.repairs)
            self.assertEqual(trace.repairs, [])

    def test_unforced(self):
        waiting = TESTDATA / "v2/go1.23-cut.trace"
        with gotrace.open(waiting, lenient=True) as forced:
            with gotrace.open(waiting, lenient=True, unforced=True) as trace:
                self.assertLess(sum(1 for _ in trace), sum(1 for _ in forced))

    def test_what_on_repair_raises(self):
        def refuse(_repair):
            raise ZeroDivisionError
        for how in (list, gotrace.Trace.feed):
            with gotrace.open(CUT, lenient=True, on_repair=refuse) as trace:
                self.assertRaises(ZeroDivisionError, how, trace)


class Lifetimes(unittest.TestCase):
    def test_event_of_the_past(self):
        with gotrace.open(TASKS) as trace:
            events = iter(trace)
            first = next(events)
            details = first.details
            self.assertTrue(first.is_current)
            second = next(events)
            self.assertFalse(first.is_current)
            for name in ("details", "stack", "wall_clock"):
                self.assertRaises(gotrace.ExpiredError, getattr, first, name)
                getattr(second, name)
            self.assertRaises(gotrace.ExpiredError, gotrace.Summary().add, first)
            # What every event has, and details once taken, stay.
            self.assertEqual((first.kind, details.number), (EventKind.SYNC, 1))
            for last in events:
                pass
            self.assertRaises(gotrace.ExpiredError, lambda: last.details)

    def test_closed(self):
        trace = gotrace.open(TASKS)
        events = iter(trace)
        event = next(event for event in events if event.stack)
        stack = event.stack
        frames = stack.frames
        trace.close()
        trace.close()
        self.assertRaises(gotrace.ExpiredError, lambda: event.details)
        self.assertRaises(gotrace.ExpiredError, lambda: stack.frames)
        self.assertRaises(ValueError, next, events)
        self.assertRaises(ValueError, list, trace)
        self.assertRaises(gotrace.Error, lambda: trace.info)
        self.assertTrue(frames[0].function)

    def test_stacks(self):
        for keep in (False, True):
            with gotrace.open(GENERATIONS, keep=keep) as trace:
                stacks, syncs = [], 0
                for event in trace:
                    syncs += event.kind == EventKind.SYNC
                    if event.stack and syncs == 1:
                        stacks.append((event.stack, event.stack.frames))
                    # They are good until the call after the one that has returned the Sync.
                    if syncs == 2 and event.kind == EventKind.SYNC:
                        stack, frames = stacks.pop()
                        self.assertEqual(stack.frames, frames)
                    elif syncs == 2:
                        break
                self.assertGreater(len(stacks), 5)
                for stack, frames in stacks:
                    if keep:
                        self.assertEqual(stack.frames, frames)
                        self.assertEqual(stack[0], frames[0])
                    else:
                        self.assertRaises(gotrace.ExpiredError, lambda of=stack: of.frames)

    def test_given_up(self):
        """No cycle holds a trace, and an event keeps its trace."""
        gc.disable()
        try:
            allocator = gotrace.Allocator()
            trace = gotrace.open(CUT, lenient=True, allocator=allocator)
            event = next(iter(trace))
            self.assertGreater(len(allocator.blocks), 0)
            gone = weakref.ref(trace)
            del trace
            self.assertEqual(event.details.number, 1)
            del event
            self.assertIsNone(gone())
            self.assertEqual((allocator.blocks, allocator.problems), ({}, []))
        finally:
            gc.enable()

    def test_closed_by_a_callback(self):
        problems = []

        def close(_repair):
            try:
                trace.close()
            except RuntimeError as problem:
                problems.append(problem)
        trace = gotrace.open(CUT, lenient=True, on_repair=close)
        trace.feed()
        self.assertGreater(len(problems), 0)
        trace.close()

    def test_iterated_twice(self):
        with gotrace.open(TASKS) as trace:
            first, second = iter(trace), iter(trace)
            numbers = [next(of).number for of in (first, second, first, second)]
            self.assertEqual(numbers, [1, 2, 3, 4])
            self.assertEqual(list(trace)[0].number, 5)
            self.assertEqual(list(trace), [])


class Memory(unittest.TestCase):
    def use(self, allocator):
        with gotrace.open(GENERATIONS, allocator=allocator) as trace:
            analyses = [gotrace.Summary(allocator=allocator), gotrace.Mmu(allocator=allocator),
                        gotrace.Profile(ProfileKind.SYNC, allocator=allocator),
                        gotrace.Latency(allocator=allocator),
                        gotrace.Validator(allocator=allocator)]
            emitter = gotrace.Emitter(gotrace.JsonWriter(io.BytesIO(), allocator=allocator),
                                      allocator=allocator)
            analyses.append(gotrace.Timeline(trace, emitter, allocator=allocator))
            trace.feed(*analyses)
            emitter.flush()

    def test_all_is_freed(self):
        allocator = gotrace.Allocator()
        self.use(allocator)
        self.assertGreater(allocator.calls, 50)
        self.assertEqual((allocator.blocks, allocator.problems), ({}, []))

    def test_none_left(self):
        """Wherever memory runs out, it is MemoryError, and all is freed."""
        whole = gotrace.Allocator()
        self.use(whole)
        for fail_at in range(1, whole.calls, max(1, whole.calls // 50)):
            allocator = gotrace.Allocator(fail_at)
            with self.subTest(fail_at=fail_at):
                self.assertRaises((MemoryError, gotrace.Error), self.use, allocator)
                self.assertEqual((allocator.blocks, allocator.problems), ({}, []))


OF_GO_1_5 = """\
Trace Go1.5
Batch p=0 seq=0 ticks=0
ProcStart seq=1 dt=1 m=5
GoCreate seq=1 dt=1 new_g=1 new_pc=33 stack=0
GoStart seq=1 dt=1 g=1
GoSched seq=1 dt=1 stack=7
Stack id=7 nframes=2
\tpc=17
\tpc=34
Frequency freq=1000000000 unused=0
TimerGoroutine g=0 unused=0
"""


class Symbols(unittest.TestCase):
    """Traces of Go 1.5 and 1.6, which have addresses alone."""

    def setUp(self):
        self.bytes = subprocess.run([COMMAND, "encode", "-"], input=OF_GO_1_5.encode(),
                                    stdout=subprocess.PIPE, check=True).stdout
        self.asked = []

    def symbolize(self, addresses):
        self.asked += addresses
        return [("at%d" % address, "file.go", address) for address in addresses]

    def test_names(self):
        with gotrace.open(self.bytes, symbolize=self.symbolize) as trace:
            frames = [frame for event in trace if event.stack for frame in event.stack]
        self.assertIn(gotrace.Frame(17, 16, "at16", "file.go"), frames)
        self.assertEqual(len(self.asked), len(set(self.asked)))

    def test_what_it_raises(self):
        with gotrace.open(self.bytes, symbolize=lambda _: 1 // 0) as trace:
            self.assertRaises(ZeroDivisionError, list, trace)
        with gotrace.open(self.bytes, symbolize=lambda of: [("", "", 0)] * (len(of) + 1)) as trace:
            self.assertRaises(ValueError, list, trace)
        with gotrace.open(self.bytes) as trace:
            self.assertEqual({frame.function for event in trace if event.stack
                              for frame in event.stack}, {""})


class Analyses(unittest.TestCase):
    def feed(self, path, *analyses):
        with gotrace.open(path) as trace:
            trace.feed(*analyses)

    def test_summary(self):
        summary = gotrace.Summary()
        self.feed(TASKS, summary)
        with gzip.open(TESTDATA / "v2/go1.27-tasks.summary.gz") as lines:
            wanted = [json.loads(line) for line in lines]
        goroutines = summary.goroutines()
        self.assertEqual(len(goroutines), 15)
        self.assertGreater(len(wanted), len(goroutines))
        for goroutine in goroutines:
            times = goroutine.times
            self.assertEqual(times.total, sum(times[:6]))
            self.assertEqual(times.block, sum(times.blocks.values()))
            self.assertEqual(summary.goroutine(goroutine.id), goroutine)
        printed = json.loads(run("stat", "--json", TASKS).stdout)
        tasks = {task.id: task for task in summary.tasks()}
        self.assertEqual(len([task for task in tasks.values() if task.begin]), printed["tasks"])
        self.assertEqual(sum(len(task.logs) for task in tasks.values()), printed["logs"])
        self.assertEqual(tasks[4].logs[0].message, "i=2")
        self.assertEqual(summary.task(4), tasks[4])
        self.assertIsNone(summary.task(12345))
        self.assertIsNone(summary.goroutine(12345))
        self.assertEqual(summary.info["events"], 124)

    def test_adding_by_hand(self):
        summary, other = gotrace.Summary(), gotrace.Summary()
        self.feed(MIX, other)
        with gotrace.open(MIX) as trace:
            for event in trace:
                summary.add(event)
        summary.finish()
        self.assertEqual(summary.goroutines(), other.goroutines())
        self.assertEqual(summary.tasks(), other.tasks())

    def test_bad_trace(self):
        summary = gotrace.Summary()
        self.assertRaises(gotrace.TraceError, self.feed, CUT, summary)
        self.assertGreater(len(summary.goroutines()), 0)

    def test_profile(self):
        profile = gotrace.Profile(ProfileKind.SYNC, ProfileKind.WALL)
        self.feed(MIX, profile)
        samples = profile.samples(ProfileKind.SYNC)
        self.assertGreater(len(samples), 3)
        self.assertEqual(samples, sorted(samples, key=lambda s: -s.nanoseconds))
        self.assertIn(GoState.RUNNING, {s.state for s in profile.samples(ProfileKind.WALL)})
        self.assertEqual(profile.samples(ProfileKind.NET), [])
        file = io.BytesIO()
        profile.write_pprof(ProfileKind.SYNC, file)
        written = run("pprof", "sync", MIX).stdout
        if written[:2] == b"\x1f\x8b":
            written = gzip.decompress(written)
        self.assertEqual(file.getvalue(), written)
        self.assertRaises(gotrace.Error, profile.write_pprof, ProfileKind.NET, file)
        self.assertRaises(TypeError, profile.write_pprof, ProfileKind.SYNC, io.StringIO())
        self.assertRaises(gotrace.Error, gotrace.Profile)

    def test_profile_of_regions(self):
        every = gotrace.Profile(ProfileKind.WALL, regions=True)
        one = gotrace.Profile(ProfileKind.WALL, regions="no such region")
        self.feed(TASKS, every, one)
        self.assertGreater(every.info["selected"], 0)
        self.assertEqual(one.info["selected"], 0)

    def test_mmu(self):
        mmu = gotrace.Mmu()
        self.feed(MIX, mmu)
        start, end = mmu.range()
        self.assertLess(start, end)
        minimum = mmu.minimum(10**6)
        self.assertEqual(mmu.worst(10**6, 1)[0].value, minimum)
        self.assertLess(minimum, mmu.quantiles(10**6, [0.5])[0])
        self.assertEqual(mmu.series(0)[0].time, start)
        self.assertIsNone(mmu.series(1))
        self.assertRaises(gotrace.Error, mmu.quantiles, 10**6, [0.5, 0.1])

    def test_latency(self):
        latency = gotrace.Latency()
        self.feed(MIX, latency)
        for series in latency.series():
            buckets = latency.buckets(series)
            self.assertEqual(sum(bucket.count for bucket in buckets), series.count)
            self.assertLessEqual(buckets[0].start, series.minimum)
            self.assertEqual(latency.quantile(series, 1), series.maximum)
        pairs = latency.pairs()
        self.assertGreater(len(pairs), 0)
        self.assertTrue(pairs[0].waiter[0].function)
        self.assertEqual(latency.info["unpaired"], 0)

    def test_validator(self):
        validator = gotrace.Validator()
        self.feed(TASKS, validator)
        self.assertEqual((validator.count, validator.findings()), (0, []))
        # Events of two traces are none of one.
        validator = gotrace.Validator(keep=3)
        self.feed(TASKS, validator)
        self.feed(TASKS, validator)
        self.assertGreater(validator.count, 3)
        findings = validator.findings()
        self.assertEqual(len(findings), 3)
        self.assertEqual((findings[0].rule, findings[0].number), (gotrace.Rule.TIME, 125))
        self.assertTrue(findings[0].message)


class Recorder(gotrace.Consumer):
    """Keeps what it is told."""

    def __init__(self):
        self.events = []
        self.frames = []
        self.told = []

    def time_unit(self, unit):
        self.told.append(unit)

    def event(self, event, required):
        self.events.append((event, required))

    def frame(self, frame):
        self.frames.append(frame)

    def flush(self):
        self.told.append("flush")


class Viewer(unittest.TestCase):
    def draw(self, path, *arguments, **options):
        file = io.BytesIO()
        gotrace.draw(path, file, **options)
        self.assertEqual(file.getvalue(), run("json", *arguments, path).stdout)

    def test_drawing(self):
        self.draw(TASKS)
        self.draw(OLD)
        self.draw(MIX, "--view", "thread", view=gotrace.View.THREAD)
        self.draw(TASKS, "--exact", "--view", "goroutine", exact=True, view=gotrace.View.GOROUTINE)
        self.draw(TASKS, "--goid", 1, goroutine=1)
        self.draw(TASKS, "--taskid", 5, task=5)
        self.draw(TASKS, "--focustask", 5, focus_task=5)
        file = io.BytesIO()
        self.assertRaises(gotrace.TraceError, gotrace.draw, CUT, file)
        self.assertEqual(file.getvalue(), run("json", CUT).stdout)
        self.assertRaises(gotrace.Error, gotrace.draw, TASKS, file, goroutine=12345)
        self.assertRaises(TypeError, gotrace.draw, TASKS, io.StringIO())
        self.assertRaises(TypeError, gotrace.draw, io.BytesIO(), file, goroutine=1)

    def test_emitter(self):
        recorder = Recorder()
        emitter = gotrace.Emitter(recorder, filter=lambda resource: resource != 9)
        stack = emitter.stack([gotrace.Frame(1, 2, "main.leaf", "a.go"),
                               gotrace.Frame(3, 4, "main.main", "a.go")])
        emitter.slice(0, 10, 20, "work", stack=stack, category="c", arguments={"n": -7, "s": "x"})
        emitter.slice(9, 10, 20, "filtered")
        emitter.instant(1, 15, "now", arguments={"n": 2**63})
        emitter.arrow((0, 1), (12, 14), "go")
        emitter.async_slice(0, 10, 20, "long", scope="s", category="c")
        emitter.task_slice(5, 10, 20, "task")
        emitter.task_arrow((5, 6), (12, 14), "child")
        emitter.heap(10, 1000)
        emitter.heap_goal(10, 2000)
        emitter.count_goroutine(10, gotrace.CountedState.DEAD, gotrace.CountedState.RUNNABLE)
        emitter.count_threads(10, gotrace.CountedThread.THREAD_RUNNING, 1)
        emitter.follow_go()
        emitter.name_section(gotrace.Section.RESOURCES, "ROWS")
        emitter.name_resource(0, "zero")
        emitter.name_task(5, "five", 1)
        emitter.focus(1)
        emitter.flush()
        self.assertTrue(emitter.is_consistent)
        self.assertEqual(recorder.told, ["ns", "flush"])
        self.assertEqual([frame.function for frame in recorder.frames],
                         ["main.main", "main.leaf"])
        work = recorder.events[0][0]
        self.assertEqual((work.phase, work.time, work.duration, work.name, work.category),
                         ("X", 10, 20, "work", "c"))
        self.assertEqual((work.arguments, work.stack), ({"n": -7, "s": "x"}, stack))
        names = [event.name for event, _ in recorder.events]
        for name in ("now", "go", "long", "task", "child"):
            self.assertIn(name, names)
        self.assertNotIn("filtered", names)
        self.assertTrue(any(required for _, required in recorder.events))
        instant = next(event for event, _ in recorder.events if event.name == "now")
        self.assertEqual(instant.arguments, {"n": 2**63})
        self.assertRaises(gotrace.Error, emitter.heap, 20, 5)

    def test_what_a_consumer_raises(self):
        class Full(gotrace.Consumer):
            def event(self, event, required):
                raise ZeroDivisionError
        self.assertRaises(ZeroDivisionError, gotrace.Emitter(Full()).instant, 0, 0, "x")
        with gotrace.open(TASKS) as trace:
            timeline = gotrace.Timeline(trace, gotrace.Emitter(Full()))
            self.assertRaises(ZeroDivisionError, trace.feed, timeline)

    def test_parts(self):
        splitter = gotrace.Splitter(2000)
        with gotrace.open(TASKS) as trace:
            emitter = gotrace.Emitter(splitter)
            trace.feed(gotrace.Timeline(trace, emitter))
            emitter.flush()
        printed = run("json", "--parts", "--part-size", 2000, TASKS).stdout.decode().splitlines()
        self.assertGreater(len(printed), 1)
        self.assertEqual(["--start %d --end %d" % part[:2] for part in splitter.parts()],
                         [line.split(" #")[0] for line in printed])


if __name__ == "__main__":
    skips.main()
