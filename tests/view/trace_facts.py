# SPDX-License-Identifier: BSD-3-Clause
"""What `gotrace dump` and `gotrace summary` say of a trace, as the viewer must show it."""

import collections
import json
import os
import re
import subprocess

EVENT = re.compile(r"M=(-?\d+) P=(-?\d+) G=(-?\d+) (\w+) Time=(-?\d+) ?(.*)")
CHANGE = re.compile(r'GoID=(-?\d+) (\w+)->(\w+) Reason="(.*)"')
METRIC = re.compile(r'Name="(.*)" Value=Value{Uint64\((\d+)\)}')
FRAME = re.compile(r"\t(\S.*) @ (0x[0-9a-f]+)$")

State = collections.namedtuple("State", "name start end reason by stack")
Event = collections.namedtuple("Event", "goroutine kind time text stack")


def run(*arguments):
    """The output, also of a trace that ends in an error."""
    return subprocess.run([os.environ["GT_COMMAND"], *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=120,
                          check=False).stdout.decode(errors="replace")


def parse_events(text):
    """Events with the functions of their stacks, leaf first."""
    events, is_own = [], False
    for line in text.split("\n"):
        found = EVENT.match(line)
        if found:
            _, _, goroutine, kind, time, rest = found.groups()
            events.append(Event(int(goroutine), kind, int(time), rest, []))
            is_own = False
        elif line == "Stack=":
            is_own = True
        elif line.endswith("Stack="):
            is_own = False
        elif is_own and FRAME.match(line):
            events[-1].stack.append(FRAME.match(line).group(1))
    return events


class Facts:
    """Times are nanoseconds since the first event."""

    def __init__(self, path):
        self.events = parse_events(run("dump", path))
        self.start = self.events[0].time
        self.end = self.events[-1].time - self.start
        self.states = collections.defaultdict(list)
        self.creators = {}
        # (waker, woken, time), where one goroutine made another runnable, or switched to it in the
        # next nanosecond; and who did so, by the woken one and the begin of its state.
        self.wakes = []
        self.wakers = {}
        self.metrics = collections.defaultdict(list)
        self.last = collections.deque([(None,) * 5] * 3, 3)
        self._go_through()
        lines = [json.loads(line) for line in run("summary", path).splitlines()]
        self.names = {line["g"]: line["name"] for line in lines if "name" in line and "g" in line}

    def of_kind(self, kind):
        return [event for event in self.events if event.kind == kind]

    def _go_through(self):
        """`now` has what each goroutine does, but for when that ends."""
        now = {}
        for event in self.events:
            time = event.time - self.start
            change = CHANGE.match(event.text) if event.kind == "StateTransition" else None
            metric = METRIC.match(event.text) if event.kind == "Metric" else None
            if metric:
                self.metrics[metric.group(1)].append((time, int(metric.group(2))))
            if change:
                self._change(now, event, time, *change.groups())
        for goroutine, state in now.items():
            self.states[goroutine].append(state._replace(end=self.end))

    def _change(self, now, event, time, goroutine, before, after, reason):
        goroutine = int(goroutine)
        if before == after:
            return
        self.last.append((event.goroutine, time, goroutine, before, after))
        if self._is_switch():
            self._switch(now, goroutine, event)
            return
        by = event.goroutine if event.goroutine not in (-1, goroutine) else None
        if goroutine in now:
            self.states[goroutine].append(now.pop(goroutine)._replace(end=time))
        if before == "NotExist" and by is not None:
            self.creators[goroutine] = by
        if by is not None and (before == "NotExist" or
                               (after == "Runnable" and before != "Undetermined")):
            self.wakes.append((by, goroutine, time))
            if after == "Runnable":
                self.wakers[goroutine, time] = by
        if after != "NotExist":
            begin = 0 if before == "Undetermined" else time
            now[goroutine] = State(after, begin, None, reason, by, event.stack)

    def _is_switch(self):
        """Whether the last three changes are those of a switch between coroutines."""
        woken, stopped, started = self.last
        return (woken[3:] == ("Waiting", "Runnable") and started[3:] == ("Runnable", "Running")
                and stopped[3:] in (("Running", "Waiting"), ("Running", "NotExist"))
                and woken[0] == stopped[0] == stopped[2] and woken[2] == started[2]
                and started[0] == -1 and woken[1] + 2 == stopped[1] + 1 == started[1])

    def _switch(self, now, goroutine, event):
        """One stops and the other one runs when the wait of the other one ends."""
        by, time, *_ = self.last[0]
        self.states[by][-1] = self.states[by][-1]._replace(end=time)
        if by in now:
            now[by] = now[by]._replace(start=time)
        now[goroutine] = State("Running", time, None, "", by, event.stack)
        self.wakes[-1] = (by, goroutine, time - 1)
        self.wakers[goroutine, time] = by

    def time_in(self, goroutine, name):
        return sum(state.end - state.start for state in self.states[goroutine]
                   if state.name == name)

    def ranges(self, prefix):
        """Begin and end of ranges of that name, by scope."""
        begun, found = {}, []
        for event in self.events:
            if not event.kind.startswith("Range"):
                continue
            name, scope = re.match(r'Name="(.*)" Scope=(\S+)', event.text).groups()
            if not name.startswith(prefix):
                continue
            if event.kind == "RangeBegin":
                begun[name, scope] = event.time - self.start
            elif event.kind == "RangeActive":
                begun.setdefault((name, scope), 0)
            elif (name, scope) in begun:
                found.append((begun.pop((name, scope)), event.time - self.start))
        return found + [(begin, self.end) for begin in begun.values()]
