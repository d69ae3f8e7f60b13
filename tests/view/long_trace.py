# SPDX-License-Identifier: BSD-3-Clause
"""A trace with many generations, as of a program that was recorded for a long time."""

import os
import subprocess

SECOND = 10**9
NOBODY = 2**64 - 1
WORKERS = 50
TURNS = 200
# So many turns that their batch is not too large.
TURNS_OF_BATCH = 2000


class Long:
    """
    `parts` has the bytes of the header and then of each generation, which lasts a second. Each has
    a goroutine of its own; WORKERS others take turns all the time.
    """

    def __init__(self, generations, turns=TURNS, version=26):
        self.lines = []
        self.turns = turns
        self.version = version
        self.parts = []
        before = 0
        for number in range(1, generations + 1):
            self.add(number)
        data = self.encode()
        for end in self.ends(data):
            self.parts.append(data[before:end])
            before = end

    def line(self, text):
        self.lines.append(text)

    def batch(self, number, thread, time):
        self.line("EventBatch gen=%d m=%d time=%d size=0" % (number, thread, time))

    def add(self, number):
        time = number * SECOND
        self.batch(number, NOBODY, time)
        if self.version >= 25:
            self.line("Sync")
        self.line("Frequency freq=1000000000")
        if self.version >= 25:
            self.line("ClockSnapshot dt=1 mono=%d sec=%d nsec=0" % (time, 1795230600 + number))
        self.batch(number, NOBODY, time)
        self.line("Strings")
        for i, text in enumerate(("main.main", "main.go", "main.worker")):
            self.line('String id=%d\n\tdata="%s"' % (i + 1, text))
        self.batch(number, NOBODY, time)
        self.line("Stacks")
        for i, name in enumerate((1, 3)):
            self.line("Stack id=%d nframes=1\n\tpc=%d func=%d file=2 line=%d"
                      % (i + 1, 16 + i, name, 7 + i))
        self.add_events(number, time)
        if self.version >= 26:
            self.line("EndOfGeneration")

    def add_events(self, number, time):
        self.batch(number, 1, time + 10)
        self.line("ProcStatus dt=1 p=0 pstatus=1")
        self.line("GoStatus dt=1 g=1 m=1 gstatus=2")
        if number == 1:
            for i in range(WORKERS):
                self.line("GoCreate dt=1 new_g=%d new_stack=2 stack=1" % (i + 2))
        else:
            for i in range(WORKERS):
                self.line("GoStatus dt=1 g=%d m=%d gstatus=1" % (i + 2, NOBODY))
        self.line("GoCreate dt=1 new_g=%d new_stack=2 stack=1" % (1000 + number))
        self.line('GoStop dt=1 reason_string=1 stack=1')
        step = (SECOND - 100000) // (2 * self.turns)
        seen = [1] * WORKERS
        for turn in range(self.turns):
            if turn % TURNS_OF_BATCH == TURNS_OF_BATCH - 1:
                self.batch(number, 1, time + 20 + 2 * step * turn)
            each = turn % WORKERS
            self.line("GoStart dt=%d g=%d g_seq=%d" % (step, each + 2, seen[each]))
            self.line("GoStop dt=%d reason_string=1 stack=2" % step)
            seen[each] += 1
        self.line("GoStart dt=1 g=%d g_seq=1" % (1000 + number))
        self.line("GoDestroy dt=1")
        self.line("GoStart dt=1 g=1 g_seq=1")

    def encode(self):
        text = "\n".join(["Trace Go1.%d" % self.version, *self.lines, ""])
        return subprocess.run([os.environ["GT_COMMAND"], "encode", "--set-sizes", "-"], check=True,
                              input=text.encode(), stdout=subprocess.PIPE).stdout

    def ends(self, data):
        """Where the header and each generation end."""
        def varint(at):
            value = shift = 0
            while True:
                value |= (data[at] & 127) << shift
                at, shift = at + 1, shift + 7
                if data[at - 1] < 128:
                    return value, at
        at, number, ends = 16, 1, [16]
        while at < len(data):
            begin = at
            if data[at] == 52:
                at += 1
                continue
            gen, at = varint(at + 1)
            _, at = varint(at)
            _, at = varint(at)
            size, at = varint(at)
            if gen != number:
                ends.append(begin)
                number = gen
            at += size
        return ends + [at]
