#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a reader tells of the program with the text of its events.

For each trace of $GT_TESTDATA, the tables that $GT_LIVE_TABLE prints after some of the events
must be those that follow from the lines of `$GT_COMMAND dump`.
"""

import os
import pathlib
import random
import re
import subprocess
import sys

TIMEOUT = 120
POSITIONS = 8
EVENT = re.compile(r"^M=(-?\d+) P=(-?\d+) G=(-?\d+) (\w+) Time=(-?\d+)(.*)$")
CHANGE = re.compile(r"^ (GoID|ProcID)=(-?\d+) (\w+)->(\w+) Reason=\"(.*)\"$")
EXECUTES = ("Running", "Syscall")


def events_of(path):
    """Yields the events of a dump: the fields, and the root of the stack of a transition."""
    dump = subprocess.run(
        [os.environ["GT_COMMAND"], "dump", path],
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    ).stdout.decode("utf-8", "surrogateescape")
    event, root, is_own = None, "", False
    for line in dump.split("\n"):
        match = EVENT.match(line)
        if match:
            if event:
                yield event, root
            event, root = match.groups(), ""
        elif line.startswith(("Stack=", "TransitionStack=")):
            is_own = line.startswith("TransitionStack=")
        elif is_own and re.match(r"^\t[^\t]", line):
            root = line[1:].rsplit(" @ 0x", 1)[0]
    if event:
        yield event, root


def first_state(state, time, created, creator):
    return {
        "state": state,
        "since": (time, 0),
        "before": "Undetermined",
        "before_since": (time, 0),
        "thread": -1,
        "name": "",
        "reason": "",
        "created": created,
        "creator": creator,
    }


class Table:
    """What lives, from the transitions alone."""

    def __init__(self):
        self.resources = {}
        self.sync = 0
        self.order = []

    def take(self, event, root):
        thread, _, goroutine, kind, time, rest = event
        time = int(time)
        for key in [key for key, value in self.resources.items() if value["state"] == "NotExist"]:
            del self.resources[key]
        if kind == "Sync":
            self.sync = time
        if kind != "StateTransition":
            return
        what, number, old, new, reason = CHANGE.match(rest).groups()
        key = (what, int(number))
        if old == "NotExist" and old != new:
            self.resources.pop(key, None)
        if key not in self.resources:
            made = old == "NotExist"
            entry = first_state(
                old, self.sync, time if made else self.sync, int(goroutine) if made else -1
            )
            self.resources[key] = entry
            entry["is_new"] = True
        self.change(self.resources[key], (old, new, reason, int(thread), time), root)

    def change(self, entry, change, root):
        old, new, reason, thread, time = change
        is_new = entry.pop("is_new", False)
        if old != new or is_new:
            entry["before"], entry["before_since"] = entry["state"], entry["since"]
            known = old not in ("Undetermined", new)
            since = self.sync if is_new and not known else time
            entry["state"], entry["since"] = new, (since, int(known))
            entry["reason"] = reason
        entry["thread"] = thread if new in EXECUTES else -1
        entry["name"] = entry["name"] or root

    def find(self, what, thread):
        """The id of what a thread has."""
        for (kind, number), entry in self.resources.items():
            if kind == what and entry["thread"] == thread != -1:
                return number
        return -1

    def goroutine_line(self, number, entry):
        return (
            f"goroutine {number} {entry['state']} since {entry['since'][0]} {entry['since'][1]}"
            f" after {entry['before']} since {entry['before_since'][0]} {entry['before_since'][1]}"
            f" thread {entry['thread']} proc {self.find('ProcID', entry['thread'])}"
            f" created {entry['created']} by {entry['creator']}"
            f' reason "{entry["reason"]}" name "{entry["name"]}"'
        )

    def proc_line(self, number, entry):
        return (
            f"proc {number} {entry['state']} since {entry['since'][0]} {entry['since'][1]}"
            f" after {entry['before']} since {entry['before_since'][0]} {entry['before_since'][1]}"
            f" thread {entry['thread']} goroutine {self.find('GoID', entry['thread'])}"
        )

    def lines(self):
        result = []
        for (what, number), entry in self.resources.items():
            if entry["state"] != "NotExist":
                line = self.goroutine_line if what == "GoID" else self.proc_line
                result.append(line(number, entry))
        for thread in {entry["thread"] for entry in self.resources.values()} - {-1}:
            proc, goroutine = self.find("ProcID", thread), self.find("GoID", thread)
            result.append(f"thread {thread} proc {proc} goroutine {goroutine}")
        return sorted(result)


def expected_tables(path):
    """The positions, and the table at each of them."""
    events = list(events_of(path))
    count = min(POSITIONS, len(events))
    positions = sorted(random.Random(path).sample(range(len(events) + 1), count))
    table, tables = Table(), {}
    for position, (event, root) in enumerate(events, 1):
        table.take(event, root)
        if position in positions:
            tables[position] = table.lines()
    return tables


def told_tables(path, positions):
    told = subprocess.run(
        [os.environ["GT_LIVE_TABLE"], path, *map(str, positions)],
        capture_output=True,
        timeout=TIMEOUT,
        check=True,
    ).stdout.decode("utf-8", "surrogateescape")
    tables = {}
    for line in told.splitlines():
        if line.startswith("position "):
            tables[int(line.split()[1])] = lines = []
        else:
            lines.append(re.sub(r"^(thread -?\d+) since -?\d+", r"\1", line))
    return {position: sorted(lines) for position, lines in tables.items()}


def main():
    failed = checked = 0
    for path in sorted(pathlib.Path(os.environ["GT_TESTDATA"]).glob("v[12]/*.trace")):
        expected = expected_tables(str(path))
        told = told_tables(str(path), expected)
        checked += len(expected)
        for position, lines in expected.items():
            if lines != told[position]:
                failed += 1
                different = set(lines) ^ set(told[position])
                print(f"{path}: after {position} events:", *sorted(different)[:6], sep="\n  ")
    print(f"{checked} tables")
    sys.exit(1 if failed or checked < 500 else 0)


main()
