#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python module: what remains of events, and what is known while a trace is read.

The environment is that of python_test.py.
"""

import copy
import gc
import io
import os
import pathlib
import subprocess
import threading
import unittest

import dumping
import gotrace
from gotrace import EventKind, GoState, ProfileKind, ResourceKind

TESTDATA = pathlib.Path(os.environ["GT_TESTDATA"])
COMMAND = os.environ["GT_COMMAND"]

CUT = TESTDATA / "v2/go1.27-cut.trace"
GENERATIONS = TESTDATA / "v2/go1.27-gens.trace"
MIX = TESTDATA / "v2/go1.27-mix.trace"
TASKS = TESTDATA / "v2/go1.27-tasks.trace"
OLD = TESTDATA / "v1/go1.21-tasks.trace"


def dumped(path):
    return subprocess.run([COMMAND, "dump", path], stdout=subprocess.PIPE, check=True).stdout


def copies_of(path):
    with gotrace.open(path) as trace:
        return [event.copy() for event in trace]


class Copies(unittest.TestCase):
    def test_copies_say_what_the_events_said(self):
        for path in (GENERATIONS, TASKS, OLD, TESTDATA / "v2/go1.27-alloc.trace"):
            copies = copies_of(path)
            ours = "".join(dumping.dump_event(event) for event in copies)
            self.assertEqual(ours.encode("utf-8", "surrogateescape"), dumped(path))
            texts = "".join("%s\n" % event for event in copies)
            self.assertEqual(texts.encode("utf-8", "surrogateescape"), dumped(path))
            self.assertEqual([event.number for event in copies],
                             list(range(1, len(copies) + 1)))

    def test_threads_read_the_same_copies(self):
        copies, results = copies_of(GENERATIONS), []

        def read():
            results.append("".join(dumping.dump_event(event) for event in copies))
        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 3)
        self.assertEqual(set(results), {dumped(GENERATIONS).decode()})

    def test_a_stack_keeps_the_memory_of_its_copy(self):
        event = next(event for event in copies_of(TASKS) if event.stack)
        stack, frames = event.stack, event.stack.frames
        del event
        gc.collect()
        self.assertEqual(stack.frames, frames)
        self.assertRaises(gotrace.Error, lambda: stack.id)

    def test_copies_are_freed_without_the_collector(self):
        def resident():
            pages = pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")

        def copy_all():
            with gotrace.open(MIX) as trace:
                for event in trace:
                    self.assertIsNot(event.copy().stack, event)
        gc.disable()
        try:
            copy_all()
            before = resident()
            copy_all()
            # They take 25,698 times some hundred bytes.
            self.assertLess(resident() - before, 3 << 20)
        finally:
            gc.enable()

    def test_only_the_current_event_can_be_copied(self):
        with gotrace.open(TASKS) as trace:
            events = iter(trace)
            first = next(events)
            kept = first.copy()
            next(events)
            self.assertRaises(gotrace.ExpiredError, first.copy)
            self.assertRaises(gotrace.ExpiredError, str, first)
        self.assertRaises(gotrace.ExpiredError, first.copy)
        self.assertEqual(kept.details.number, 1)
        self.assertEqual(kept.wall_clock, kept.details.clock.wall_at(kept.time))

    def test_analyses_refuse_copies(self):
        event = copies_of(TASKS)[0]
        self.assertRaises(AttributeError, gotrace.Summary().add, event)


class Texts(unittest.TestCase):
    def test_str_is_what_the_command_prints(self):
        with gotrace.open(MIX) as trace:
            text = "".join("%s\n" % event for event in trace)
        self.assertEqual(text.encode("utf-8", "surrogateescape"), dumped(MIX))

    def test_dump_is_what_the_command_prints(self):
        for path in (MIX, OLD):
            file = io.BytesIO()
            with gotrace.open(path) as trace:
                trace.dump(file)
            self.assertEqual(file.getvalue(), dumped(path))
        with gotrace.open(CUT) as trace:
            self.assertRaises(gotrace.TraceError, trace.dump, file)
        with gotrace.open(TASKS) as trace:
            self.assertRaises(TypeError, trace.dump, io.StringIO())

    def test_durations_and_times(self):
        self.assertEqual(gotrace.format_duration(1500000), "1.5ms")
        self.assertEqual(gotrace.parse_duration("1.5ms"), 1500000)
        self.assertRaises(gotrace.Error, gotrace.parse_duration, "1.5 parsecs")
        self.assertEqual(gotrace.format_wall_clock(10**9 // 2), "1970-01-01T00:00:00.5Z")
        self.assertEqual(gotrace.format_wall_clock(-10**9, 3600), "1970-01-01T00:59:59+01:00")

    def test_resources_ranges_and_states(self):
        goroutine = gotrace.details.Resource(ResourceKind.GOROUTINE, 7)
        self.assertEqual(str(goroutine), "Goroutine(7)")
        self.assertTrue(gotrace.is_executing(goroutine, GoState.SYSCALL))
        self.assertFalse(gotrace.is_executing(goroutine, GoState.WAITING))
        with gotrace.open(MIX) as trace:
            names = {event.details.full_name for event in trace
                     if event.kind == EventKind.RANGE_BEGIN}
        self.assertTrue(any(name.startswith("stop-the-world (") for name in names), names)

    def test_transitions_of_one_kind(self):
        with gotrace.open(MIX) as trace:
            for event in trace:
                change, proc = event.goroutine_transition, event.proc_transition
                self.assertEqual(bool(change or proc), event.kind == EventKind.STATE_TRANSITION)
                if change:
                    self.assertIsInstance(change.to_state, GoState)
                    self.assertIsNone(proc)

    def test_the_end_of_the_trace_has_a_wall_clock(self):
        clock = wall = None
        with gotrace.open(TASKS) as trace:
            for event in trace:
                if event.kind == EventKind.SYNC:
                    clock = event.details.clock or clock
                if event.wall_clock is not None:
                    wall = event.wall_clock
                    self.assertEqual(clock.wall_at(event.time), wall)
        self.assertGreater(clock.wall_at(event.time), wall)


class Interning(unittest.TestCase):
    def test_equal_stacks_have_one_id(self):
        ids, handles = {}, set()
        with gotrace.open(GENERATIONS) as trace:
            for event in trace:
                if event.stack and event.stack.frames:
                    stack = event.stack
                    self.assertEqual(ids.setdefault(stack.frames, stack.id), stack.id)
                    handles.add(stack.handle)
            self.assertGreater(len(handles), len(ids))
            self.assertEqual(trace.interned_count, len(ids))
            for frames, number in ids.items():
                self.assertEqual(trace.interned(number), frames)
            self.assertRaises(gotrace.Error, trace.interned, 10000)


class Live(unittest.TestCase):
    def test_the_table_is_what_the_transitions_say(self):
        states, procs = {}, {}
        with gotrace.open(MIX, track=True) as trace:
            for number, event in enumerate(trace):
                if event.goroutine_transition:
                    change = event.goroutine_transition
                    states[change.resource.id] = change.to_state
                elif event.proc_transition:
                    change = event.proc_transition
                    procs[change.resource.id] = change.to_state
                if number % 2000 == 1999:
                    self.check(trace, states, procs)
            self.check(trace, states, procs)
            self.assertIsNone(trace.goroutine(-5))
            self.assertIsNone(trace.proc(-5))
            self.assertIsNone(trace.thread(-5))
        self.assertGreater(len(states), 5)

    def check(self, trace, states, procs):
        def existing(of):
            return {key: state for key, state in of.items() if state.name != "NOT_EXIST"}
        self.assertEqual(existing({of.id: of.state for of in trace.goroutines()}),
                         existing(states))
        self.assertEqual(existing({of.id: of.state for of in trace.procs()}), existing(procs))
        for goroutine in trace.goroutines():
            self.assertEqual(trace.goroutine(goroutine.id), goroutine)
            if goroutine.stack:
                self.assertTrue(goroutine.stack.frames)
                self.assertIsInstance(goroutine.name, str)
        for thread in trace.threads():
            self.assertEqual(trace.thread(thread.id), thread)
            if thread.proc is not None:
                self.assertEqual(trace.proc(thread.proc).thread, thread.id)

    def test_without_the_option_it_is_an_error(self):
        with gotrace.open(MIX) as trace:
            self.assertRaises(gotrace.Error, trace.goroutine, 1)
            self.assertRaises(gotrace.Error, list, trace.threads())


class Snapshots(unittest.TestCase):
    def test_a_snapshot_is_what_a_trace_that_ends_there_gives(self):
        """All generations but the last, taken as a trace of their own."""
        running = [gotrace.Latency(), gotrace.Summary(), gotrace.Profile(ProfileKind.SYNC)]
        with gotrace.open(MIX) as trace:
            for event in trace:
                for analysis in running:
                    analysis.add(event)
                if event.number == 9000:
                    break
            for analysis in running:
                analysis.snapshot()
            seen = self.results(running)
            ended = [gotrace.Latency(), gotrace.Summary(), gotrace.Profile(ProfileKind.SYNC)]
            with gotrace.open(MIX) as again:
                for event in again:
                    for analysis in ended:
                        analysis.add(event)
                    if event.number == 9000:
                        break
                for analysis in ended:
                    analysis.finish()
            self.assertEqual(seen, self.results(ended))
            trace.feed(*running)
        whole = [gotrace.Latency(), gotrace.Summary(), gotrace.Profile(ProfileKind.SYNC)]
        with gotrace.open(MIX) as trace:
            trace.feed(*whole)
        self.assertEqual(self.results(running), self.results(whole))
        self.assertNotEqual(seen, self.results(whole))

    def results(self, analyses):
        latency, summary, profile = analyses
        return copy.copy([latency.series(), latency.pairs(), summary.goroutines(),
                          profile.samples(ProfileKind.SYNC)])


class Numbers(unittest.TestCase):
    def test_events_of_pushed_bytes_are_numbered_without_gaps(self):
        numbers, data = [], GENERATIONS.read_bytes()
        with gotrace.open_push() as trace:
            for i in range(0, len(data), 500):
                trace.push(data[i:i + 500])
                numbers += [event.number for event in trace]
            trace.finish()
            numbers += [event.number for event in trace]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertGreater(len(numbers), 100)


if __name__ == "__main__":
    unittest.main()
