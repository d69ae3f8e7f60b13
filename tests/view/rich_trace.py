# SPDX-License-Identifier: BSD-3-Clause
"""A trace that has much of everything that the viewer shows, with names as long as they can be."""

import os
import subprocess

NAMES = 3000
# Strings of a trace have at most 1024 bytes. A control character has six in JSON.
NAME_SIZE = 1000
STACKS = 256
FRAMES = 128
GOROUTINES = 6000
TURNS = 330
RUNNERS = 200
TASKS = 60
LOGS = 30000
REGIONS = 5000
STOPS = 4000
NOBODY = 2**64 - 1
# Well below the 64 KiB that a batch may have.
BATCH_EVENTS = 2500


class Text:
    """The text of a trace of Go 1.26 with one generation and one thread."""

    def __init__(self):
        self.lines = ["Trace Go1.26"]
        self.time = 1000
        self.count = 0
        self.batch(NOBODY)
        self.lines += ["Sync", "Frequency freq=1000000000",
                       "ClockSnapshot dt=1 mono=1 sec=1795230600 nsec=1"]

    def batch(self, thread):
        self.lines.append("EventBatch gen=1 m=%d time=%d size=0" % (thread, self.time))

    def event(self, line):
        """Adds an event a nanosecond after the one before."""
        if self.count % BATCH_EVENTS == 0:
            self.batch(1)
        self.count += 1
        self.time += 1
        kind, _, rest = line.partition(" ")
        self.lines.append("%s dt=1 %s" % (kind, rest))

    def table(self, kind, items, each):
        for i, item in enumerate(items):
            if i % each == 0:
                self.batch(NOBODY)
                self.lines.append(kind)
            self.lines += item

    def encode(self, path):
        self.batch(NOBODY)
        self.lines[-1:] = ["EndOfGeneration"]
        with open(path, "wb") as trace:
            subprocess.run([os.environ["GT_COMMAND"], "encode", "--set-sizes", "-"], check=True,
                           input="\n".join(self.lines + [""]).encode(), stdout=trace)


def name(i):
    """The number of a string that differs from its neighbours."""
    return 1 + i % NAMES


def add_tasks(text):
    for i in range(TASKS):
        text.event("UserTaskBegin task=%d parent_task=%d name_string=%d stack=1"
                   % (i + 1, 1 if i else 0, name(i)))
    for i in range(LOGS):
        text.event("UserLog task=%d key_string=%d value_string=%d stack=%d"
                   % (i % TASKS + 1, name(i), name(i + 1), i % STACKS + 1))
    for i in range(TASKS):
        text.event("UserTaskEnd task=%d stack=1" % (i + 1))


def add_ranges(text):
    for i in range(REGIONS):
        text.event("UserRegionBegin task=0 name_string=%d stack=%d" % (name(i), i % STACKS + 1))
        text.event("UserRegionEnd task=0 name_string=%d stack=1" % name(i))
    for i in range(STOPS):
        text.event("STWBegin kind_string=%d stack=1" % name(i))
        text.event("STWEnd")


def add_goroutines(text):
    """Goroutines that wait for ever, each for another reason, and some that run in turn."""
    for i in range(GOROUTINES):
        text.event("GoCreate new_g=%d new_stack=%d stack=%d"
                   % (10 + i, i % STACKS + 1, i % STACKS + 1))
    text.event("GoStop reason_string=1 stack=1")
    for i in range(GOROUTINES):
        text.event("GoStart g=%d g_seq=1" % (10 + i))
        if i >= RUNNERS:
            text.event("GoBlock reason_string=%d stack=%d" % (name(i), i % STACKS + 1))
        else:
            text.event("GoStop reason_string=1 stack=1")
    for turn in range(TURNS):
        for i in range(RUNNERS):
            text.event("GoStart g=%d g_seq=%d" % (10 + i, turn + 2))
            text.event("UserRegionBegin task=0 name_string=%d stack=1" % name(i))
            text.event("UserRegionEnd task=0 name_string=%d stack=1" % name(i))
            text.event("GoStop reason_string=1 stack=1")


def write(path):
    text = Text()
    text.event("ProcStatus p=0 pstatus=1")
    text.event("GoStatus g=1 m=1 gstatus=2")
    add_tasks(text)
    add_ranges(text)
    add_goroutines(text)
    text.table("Stacks", [
        ["Stack id=%d nframes=%d" % (i + 1, FRAMES)] +
        ["\tpc=%d func=%d file=%d line=%d" % (i * FRAMES + j, name(7 * i + j * (i + 1)),
                                              name(i + j), j)
         for j in range(FRAMES)] for i in range(STACKS)], 16)
    text.table("Strings", [
        ["String id=%d" % (i + 1),
         '\tdata="%d%s"' % (i, (r"\x01" if i % 2 else "x") * (NAME_SIZE - 4))]
        for i in range(NAMES)], 50)
    text.encode(path)
