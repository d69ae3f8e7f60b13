#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many events a second the Python module reads.

    python_speed.py FILE [ROUNDS]

Prints the fastest of ROUNDS (5) readings of each kind. GOTRACE_LIBRARY and PYTHONPATH say what is
measured, as for any program.
"""

import sys
import threading
import time

import gotrace


def feed(trace):
    trace.feed()


def feed_latency(trace):
    trace.feed(gotrace.Latency())


def iterate(trace):
    for _ in trace:
        pass


def copy(trace):
    for event in trace:
        event.copy()


def text(trace):
    for event in trace:
        str(event)


def details(trace):
    for event in trace:
        event.details  # pylint: disable=pointless-statement


def frames(trace):
    for event in trace:
        event.details  # pylint: disable=pointless-statement
        if event.stack:
            event.stack.frames  # pylint: disable=pointless-statement


def iterate_beside_a_busy_thread(trace):
    is_over = threading.Event()
    thread = threading.Thread(target=spin, args=(is_over,))
    thread.start()
    try:
        iterate(trace)
    finally:
        is_over.set()
        thread.join()


def spin(is_over):
    while not is_over.is_set():
        pass


KINDS = (feed, feed_latency, iterate, details, frames, text, copy)


def rate(path, kind, clock):
    with gotrace.open(path) as trace:
        before = clock()
        kind(trace)
        return trace.info.events / (clock() - before)


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    # The time of this thread alone, except where others take part.
    clocks = {kind: time.thread_time for kind in KINDS}
    clocks[iterate_beside_a_busy_thread] = time.perf_counter
    for kind, clock in clocks.items():
        best = max(rate(sys.argv[1], kind, clock) for _ in range(rounds))
        print("%-30s %12s events a second" % (kind.__name__, format(int(best), ",")))


if __name__ == "__main__":
    main()
