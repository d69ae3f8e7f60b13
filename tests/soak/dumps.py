# SPDX-License-Identifier: BSD-3-Clause
"""Compares dumps of one trace: the events in the form of `go tool trace -d=parsed`."""

import collections
import re

TIME = re.compile(r" Time=(-?\d+)")

# An event: its time, and all of its text without that.
Event = collections.namedtuple("Event", "time text")


class Reading:
    """What a reader prints about a trace."""

    def __init__(self, output, errors, code):
        self.code = code
        self.error = errors.decode("utf-8", "backslashreplace").strip()
        self.events = parse(output.decode("utf-8", "surrogateescape"))

    def is_good(self):
        return self.code == 0


def parse(text):
    """The events of a dump. One begins with "M=", and its stacks follow."""
    events, lines = [], []
    for line in text.split("\n"):
        if line.startswith("M=") and lines:
            events.append(event_of("\n".join(lines)))
            lines = []
        lines.append(line)
    if text:
        events.append(event_of("\n".join(lines)))
    return events


def event_of(text):
    found = TIME.search(text)
    time = int(found.group(1)) if found else 0
    return Event(time, TIME.sub("", text, count=1).rstrip("\n"))


def runs(events):
    """Splits events into runs whose times step by at most 1.

    Readers order events with equal times as they like, and move each but the first to 1 ns after
    the one before it.
    """
    run = []
    for event in events:
        if run and event.time > run[-1].time + 1:
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def texts(run):
    return collections.Counter(event.text for event in run)


def difference(ours, theirs):
    """None if both readings agree, else a description of the first difference."""
    if ours.code not in (0, 1) or theirs.code not in (0, 1):
        return "exit codes %s, %s: %s" % (ours.code, theirs.code, theirs.error[:100])
    if ours.is_good() != theirs.is_good():
        return ("we fail with %s" % ours.error) if theirs.is_good() else (
            "Go fails with %s" % theirs.error[:200])
    return difference_of_events(ours.events, theirs.events, not ours.is_good())


def difference_of_events(ours, theirs, may_have_more):
    """The same for events. With `may_have_more`, ours may go on after theirs."""
    left, right = list(runs(ours)), list(runs(theirs))
    for i, run in enumerate(right):
        if i >= len(left):
            return "we end before Time=%d %s" % (run[0].time, run[0].text)
        is_last = may_have_more and i == len(right) - 1
        missing, more = texts(run) - texts(left[i]), texts(left[i]) - texts(run)
        if left[i][0].time != run[0].time and not is_last or missing or (more and not is_last):
            return "at Time=%d, Go's %d: only ours %.300s; only Go's %.300s" % (
                left[i][0].time, run[0].time, list(more)[:1], list(missing)[:1])
    if len(left) > len(right) and not may_have_more:
        return "Go ends before Time=%d %s" % (left[len(right)][0].time, left[len(right)][0].text)
    return None
