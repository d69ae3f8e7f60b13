#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what goroutines waited for longest: time, number of waits, reason, function.

    waits.py FILE [COUNT]

The function is the innermost one on the stack that is not the runtime's own. Waits that have
not ended when the trace ends do not count.
"""

import collections
import sys

import gotrace


def function_of(stack):
    if stack is None or not stack.frames:
        return "-"
    for frame in stack:
        if not frame.function.startswith("runtime."):
            return frame.function
    return stack[0].function


def add_up(trace, waits):
    """Adds nanoseconds and numbers of waits to `waits`, by reason and function."""
    waiting = {}
    for event in trace:
        if event.kind != gotrace.EventKind.STATE_TRANSITION:
            continue
        change = event.details
        if change.resource.kind != gotrace.ResourceKind.GOROUTINE:
            continue
        since = waiting.pop(change.resource.id, None)
        if since is not None:
            start, what = since
            waits[what][0] += event.time - start
            waits[what][1] += 1
        if change.to_state == gotrace.GoState.WAITING:
            what = change.reason or "-", function_of(change.stack)
            waiting[change.resource.id] = event.time, what


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: waits.py FILE [COUNT]")
    count = int(sys.argv[2]) if len(sys.argv) == 3 else 10
    waits = collections.defaultdict(lambda: [0, 0])
    problem = None
    try:
        with gotrace.open(sys.argv[1]) as trace:
            add_up(trace, waits)
    except (gotrace.Error, OSError) as error:
        problem = "waits.py: %s: %s" % (sys.argv[1], error)
    # What came before the fault is good.
    ordered = sorted(waits.items(), key=lambda item: (-item[1][0], item[0]))
    for (reason, function), (time, number) in ordered[:count]:
        print("%12.3f ms %7d  %-26s %s" % (time / 1e6, number, reason, function))
    sys.exit(problem)


if __name__ == "__main__":
    main()
