#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Python module: threads, signals, progress and cancelling.

The environment is that of python_test.py.
"""

import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import gotrace

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402

signals.start_with_defaults()

TESTDATA = pathlib.Path(os.environ["GT_TESTDATA"])
COMMAND = os.environ["GT_COMMAND"]

CUT = TESTDATA / "v2/go1.27-cut.trace"
GENERATIONS = TESTDATA / "v2/go1.27-gens.trace"
MIX = TESTDATA / "v2/go1.27-mix.trace"

HEAD = """\
Trace Go1.5
Batch p=0 seq=0 ticks=0
ProcStart seq=1 dt=1 m=5
GoCreate seq=1 dt=1 new_g=1 new_pc=33 stack=0
GoStart seq=1 dt=1 g=1
"""
TURN = """\
GoSched seq=1 dt=1 stack=0
GoStart seq=1 dt=1 g=1
"""
TAIL = """\
Frequency freq=1000000000 unused=0
TimerGoroutine g=0 unused=0
"""
ATTEMPTS = 10
SWITCH = 0.0005


def encode(turns):
    return subprocess.run([COMMAND, "encode", "-"], input=(HEAD + TURN * turns + TAIL).encode(),
                          stdout=subprocess.PIPE, check=True).stdout


def old_trace(turns):
    """A trace of Go 1.5 with many events, all of which the first read takes."""
    one, two = encode(1), encode(2)
    size = len(two) - len(one)
    place = next(i for i in range(len(one)) if one[i] != two[i])
    turn = two[place - size:place]
    made = one[:place] + turn * (turns - 1) + one[place:]
    assert turns > 1000 or made == encode(turns)
    return made


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        assert old_trace(20)
        cls.large = old_trace(4000000)

    def open_quietly(self):
        """Opens the trace in another thread, so that no progress is reported to Python."""
        made = []
        opener = threading.Thread(target=lambda: made.append(gotrace.open(self.large)))
        opener.start()
        opener.join()
        return made[0]

    def processor_times(self, trace, read):
        """The processor time that this thread gets while another one reads, and that of the other
        one. The busier the machine is, the less both get, but they share it."""
        started, took = threading.Event(), []

        def work():
            before = time.thread_time()
            started.set()
            read(trace)
            took.append(time.thread_time() - before)
        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        before = time.thread_time()
        while thread.is_alive():
            pass
        ours = time.thread_time() - before
        thread.join()
        return ours, took[0]

    def test_others_run_during_a_long_first_read(self):
        # A thread that waits for Python's lock runs for so long before it notices.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(SWITCH)
        times = []
        for _ in range(ATTEMPTS):
            with self.open_quietly() as trace:
                times.append(self.processor_times(trace, lambda of: next(iter(of))))
            ours, took = times[-1]
            if took > 8 * SWITCH and ours > took / 2:
                return
        self.fail("others stand still while a trace is read: %s" % times)

    def test_a_trace_that_another_thread_reads_is_out_of_reach(self):
        with self.open_quietly() as trace:
            events, refused, done = iter(trace), [], []
            thread = threading.Thread(target=lambda: done.append(next(events)))
            thread.start()
            while thread.is_alive():
                try:
                    self.assertEqual(trace.info.version, 5)
                except gotrace.Error as error:
                    refused.append(error.status)
            thread.join()
            self.assertIn(gotrace.Status.ERR_INVALID_ARGUMENT, refused)
            self.assertEqual(next(events).number, 2)

    def test_functions_of_a_trace_cannot_use_it(self):
        refused = []

        def interfere(trace):
            for use in (lambda: next(iter(trace)), trace.feed, trace.close,
                        lambda: list(trace.goroutines()), lambda: trace.info):
                try:
                    use()
                except (RuntimeError, gotrace.Error) as error:
                    refused.append(error)
            return True
        # The reader tells of its progress within its first read, in the thread that reads.
        other = []

        def on_progress(_progress):
            if not other:
                other.append(threading.Thread(target=interfere, args=(trace,)))
                other[0].start()
                other[0].join()
        with gotrace.open(self.large, on_progress=on_progress) as trace:
            self.assertEqual(next(iter(trace)).number, 1)
        self.assertEqual(len(refused), 5)

    def test_two_readers_in_two_threads_do_not_disturb_one_another(self):
        def read(path, results):
            with gotrace.open(path) as trace:
                results.append([str(event) for event in trace])
        expected, results = [], []
        for path in (GENERATIONS, MIX):
            read(path, expected)
        threads = [threading.Thread(target=read, args=(path, results))
                   for path in (GENERATIONS, MIX) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 4)
        for result in results:
            self.assertIn(result, expected)

    def test_mmu_computes_while_others_run(self):
        mmu = gotrace.Mmu()
        with gotrace.open(MIX) as trace:
            trace.feed(mmu)
        expected, results = mmu.minimum(10**6), []
        threads = [threading.Thread(target=lambda: results.append(mmu.range()))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(mmu.minimum(10**6), expected)
        self.assertEqual(len(set(results)), 1)


class Progress(unittest.TestCase):
    def test_it_is_told_and_may_cancel(self):
        data, told = old_trace(100000), []
        with gotrace.open(data, on_progress=told.append) as trace:
            self.assertEqual(sum(1 for _ in trace), 200004)
        self.assertGreater(len(told), 3)
        self.assertEqual(told[-1].bytes_total, len(data))
        self.assertEqual(sorted(so_far.bytes_read for so_far in told),
                         [so_far.bytes_read for so_far in told])
        with gotrace.open(data, on_progress=lambda so_far: False) as trace:
            with self.assertRaises(gotrace.Error) as caught:
                list(trace)
            self.assertEqual(caught.exception.status, gotrace.Status.CANCELLED)
        with gotrace.open(io.BytesIO(data), on_progress=told.append) as trace:
            trace.feed()
        self.assertIsNone(told[-1].bytes_total)

    def test_what_it_raises_comes_out_of_the_read(self):
        with gotrace.open(old_trace(100000), on_progress=lambda _: 1 // 0) as trace:
            self.assertRaises(ZeroDivisionError, list, trace)
            self.assertRaises(gotrace.Error, list, trace)
        self.assertRaises(gotrace.Error, lambda: trace.info)


class Cancelling(unittest.TestCase):
    def test_another_thread_cancels(self):
        with gotrace.open(MIX) as trace:
            events = iter(trace)
            next(events)
            thread = threading.Thread(target=trace.cancel)
            thread.start()
            thread.join()
            with self.assertRaises(gotrace.Error) as caught:
                list(events)
            self.assertEqual(caught.exception.status, gotrace.Status.CANCELLED)
        # It may come too late.
        trace.cancel()

    def test_a_cancelled_first_read_ends_at_once(self):
        data = old_trace(4000000)
        with gotrace.open(data) as trace:
            before = time.thread_time()
            whole = self.time_of_first(trace)
            worked = time.thread_time() - before
        self.assertIsNotNone(whole)
        for part in range(2, 2 + ATTEMPTS):
            with gotrace.open(data) as trace:
                timer = threading.Timer(whole / part, trace.cancel)
                timer.start()
                before = time.thread_time()
                is_whole = self.time_of_first(trace)
                cancelled = time.thread_time() - before
                timer.join()
            # On a busy machine even the shorter one of two times may be longer once.
            if not is_whole and cancelled < worked:
                return
        self.fail("the first read, of %g s, was never cancelled, or that took as long" % whole)

    @staticmethod
    def time_of_first(trace):
        """How long the first event takes; None if the read is cancelled."""
        before = time.perf_counter()
        try:
            next(iter(trace))
        except gotrace.Error as error:
            assert error.status == gotrace.Status.CANCELLED
            return None
        return time.perf_counter() - before


PROGRAM = """
import signal, sys, threading, time, gotrace
data = open(sys.argv[1], "rb").read()
class Slow:
    def read(self, size):
        time.sleep(0.001)
        part, self.data = self.data[:size], self.data[size:]
        return part
source = data
if sys.argv[2] == "file":
    source = Slow()
    source.data = data
with gotrace.open(source) as trace:
    main = threading.main_thread().ident
    timer = threading.Timer(float(sys.argv[3]), signal.pthread_kill, (main, signal.SIGINT))
    before = time.perf_counter()
    try:
        timer.start()
        for event in trace:
            pass
        print("read")
    except KeyboardInterrupt:
        print("interrupted", trace.info.events, time.perf_counter() - before)
"""


class Interrupts(unittest.TestCase):
    """Each in a process of its own, which a signal interrupts."""

    def interrupt(self, path, source, after):
        process = subprocess.run([sys.executable, "-c", PROGRAM, str(path), source, str(after)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 check=False, timeout=60)
        self.assertEqual(process.stderr, "")
        return process.stdout.split()

    def test_an_interrupt_ends_the_read_wherever_it_comes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "long.trace")
            path.write_bytes(old_trace(1000000))
            for source in ("bytes", "file"):
                for after in (0.001, 0.01, 0.02, 0.04, 0.2):
                    with self.subTest(source=source, after=after):
                        what, *rest = self.interrupt(path, source, after)
                        self.assertEqual(what, "interrupted")
                        self.assertLess(float(rest[1]), after + 20)

    def test_the_handler_of_the_program_decides(self):
        told = []
        before = signal.signal(signal.SIGUSR1, lambda number, frame: told.append(number))
        try:
            with gotrace.open(old_trace(100000),
                              on_progress=lambda _: os.kill(os.getpid(), signal.SIGUSR1)) as trace:
                trace.feed()
            self.assertGreater(len(told), 1)
        finally:
            signal.signal(signal.SIGUSR1, before)


if __name__ == "__main__":
    unittest.main()
