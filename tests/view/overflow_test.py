#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Traces whose times add up to more than 2^63 ns: every sum that the commands and the viewer
print must be INT64_MAX then, and no time may be negative."""

import os
import pathlib
import sys

from viewing import Viewer, lines

MOST = 2 ** 63 - 1
COMMANDS = (("goroutines", "--json"), ("latency", "--json", "--lenient"),
            ("latency", "--json", "--lenient", "--unblocks"))
# The sums in which a trace reaches the limit, by the command that prints it.
LARGEST = {
    "latency-sum": ("latency", "sum_ns"),
    "sum-overflow": ("goroutines", "block_ns"),
    "ub-ext-1": ("goroutines", "gc_ns"),
    "ub-ext-167": ("goroutines", "sched_wait_ns"),
    "ub-ext-7": ("goroutines", "execution_ns"),
    "view-61": ("goroutines", "execution_ns"),
    "view-63": ("goroutines", "total_ns"),
}
VIEWS = ("proc", "thread", "goroutine", "task")
SORTS = ("duration", "waiting", "running", "runnable")
# Numbers that are ids, of which -1 means none.
IDS = {"id", "goroutine", "thread", "proc", "parent", "by", "track", "from", "to"}


def check_times(value, where):
    """No number in a JSON value may be negative, unless it is an id."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in IDS:
                check_times(inner, where + "." + key)
    elif isinstance(value, list):
        for inner in value:
            check_times(inner, where)
    elif isinstance(value, (int, float)):
        assert 0 <= value <= MOST, (where, value)


def check_commands(trace):
    found = set()
    for command in COMMANDS:
        code = 1 if trace.stem == "latency-sum" and "--lenient" not in command else 0
        for row in lines(*command, trace, code=code):
            check_times(row, " ".join(command))
            found |= {(command[0], key) for key, value in row.items() if value == MOST}
    expected = LARGEST.get(trace.stem)
    assert expected is None or expected in found, (trace, expected, found)


def check_viewer(trace):
    with Viewer(trace) as viewer:
        for view in VIEWS:
            for sort in SORTS:
                for group in (0, 1):
                    answer = viewer.ask("/api/rows", view=view, sort=sort, group=group)
                    check_times(answer, "rows")
        for path in ("/api/minimap", "/api/groups", "/api/tasks", "/api/regions", "/api/area",
                     "/api/gc", "/api/mmu"):
            check_times(viewer.ask(path), path)
        start = viewer.ask("/api/trace")["start"]
        # This trace begins in the last year that seconds in an int64_t can express.
        assert trace.stem != "ub-ext-84" or start.startswith("292277026596-12-04"), start
        # The range from the earliest time of a request to the end of the trace is too long for
        # an int64_t.
        for path in ("/api/gc", "/api/marks", "/api/area", "/api/flame", "/api/counters"):
            viewer.ask(path, start=-(2 ** 61 - 1), bins=1)


def main():
    for trace in sorted(pathlib.Path(os.environ["GT_TESTDATA"]).glob("hostile/*.trace")):
        check_commands(trace)
        if trace.stem != "latency-sum":
            check_viewer(trace)
    return 0


if __name__ == "__main__":
    sys.exit(main())
