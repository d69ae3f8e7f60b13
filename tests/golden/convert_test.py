#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds dumps of traces of Go 1.5 to 1.11 against what Go's own parser of them sees.

For each NAME.v1 in $GT_CORPUS there is either

- NAME.v1.events.gz, the events as the parser of Go 1.21 gives them: a line
  "TIME NAME p=P g=G ARGUMENT=VALUE...", then a line for each frame of its stack. They
  are converted here to the events of Go 1.22 and later, which `$GT_COMMAND dump` must
  print; or
- NAME.v1.error, what that parser says of a trace that it refuses. The dump must then
  end with an error about the same.

Skips where GT_CORPUS is not set.

Nothing says in which order events of several procs come whose times are equal. Each but
the first is moved to 1 ns after the one before it, so among events whose times step by at
most 1 ns only those of one proc are held to their order.
"""

import collections
import gzip
import os
import pathlib
import re
import subprocess
import sys

SKIP = 77
TIMEOUT = 60

HEADER = re.compile(rb"go 1\.(\d+) trace\0+")
EVENT = re.compile(r"(\d+) (\w+) p=(-?\d+) g=(\d+)((?: \w+=.*)?)")
ARGUMENT = re.compile(r' (\w+)=("(?:[^"\\]|\\.)*"|[^" ]+)')
FRAME = re.compile(r"\t(.*) 0x([0-9a-f]+) (.*):(\d+)")

DUMP_EVENT = re.compile(r"M=-?\d+ P=(-?\d+) G=-?\d+ \w+ Time=(-?\d+)")
CREATION = re.compile(r"[^\n]* GoID=(\d+) NotExist->Runnable ")
START_FRAMES = re.compile(r"(?<=\nTransitionStack=\n)(?:\t.*\n)+")
DUMP_ERROR = re.compile(r"gotrace: [^\n]*: ([^\n]*) \(offset \d+\)\n")

NOWHERE = "M=-1 P=-1 G=-1"
NO_TASK = 2 ** 64 - 1
# From here on the number of a proc stands for something else.
STAND_INS = 1000000

# The old parser's errors, and what ours must say then.
ERRORS = {"time stamps out of order": re.compile(r" comes \d+ ticks before an event that ")}

STARTS = ("GoStart", "GoStartLabel")
STOPS = {
    "GoSched": "runtime.Gosched",
    "GoPreempt": "preempted",
}
BLOCKS = {
    "GoStop": "forever",
    "GoSleep": "sleep",
    "GoBlock": "",
    "GoBlockSend": "chan send",
    "GoBlockRecv": "chan receive",
    "GoBlockSelect": "select",
    "GoBlockSync": "sync",
    "GoBlockCond": "sync.(*Cond).Wait",
    "GoBlockNet": "network",
    "GoBlockGC": "GC mark assist wait for work",
}
LEAVES = {*STOPS, *BLOCKS, "GoEnd", "GoSysBlock"}

# Why the world stops, by number; 0 where there is none, before Go 1.10.
CAUSES = ("GC mark termination", "GC sweep termination")


class Problem(Exception):
    """The command does not print what it should, or the corpus is not as it should be."""


class Event:
    """One event of the old parser."""

    def __init__(self, line):
        found = EVENT.fullmatch(line)
        if not found:
            raise Problem("not an event: %r" % line)
        self.time, self.proc, self.goroutine = (int(found.group(i)) for i in (1, 3, 4))
        self.name = found.group(2)
        self.arguments = dict(ARGUMENT.findall(found.group(5)))
        self.frames = []

    def number(self, name):
        return int(self.arguments[name])

    def quoted(self, name):
        """A string argument in its quotes, which dumps have as well."""
        return self.arguments[name]


def frame_text(function, pc, file, line):
    return "\t%s @ 0x%x\n\t\t%s:%d\n" % (function, pc, file, line)


def read_frame(line):
    """A frame as dumps have it. Without symbols the old parser calls everything "?"."""
    found = FRAME.fullmatch(line)
    if not found:
        raise Problem("not a frame: %r" % line)
    function, file = (found.group(i) for i in (1, 3))
    if function == file == "?":
        function = file = ""
    return frame_text(function, int(found.group(2), 16), file, int(found.group(4)))


def read_events(text):
    events = []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("\t"):
            events[-1].frames.append(read_frame(line))
        else:
            events.append(Event(line))
    return events


def restore_goroutines(events):
    """Sets the goroutine of events about collections and stops of the world.

    The old parser says 0; it is the goroutine that runs on the proc. Where a collection
    begins there is no proc either. But the goroutine that begins it stops the world to
    do so, and records Gomaxprocs as it starts the world again.
    """
    running = {}
    begin = None
    for event in events:
        if event.name in STARTS:
            running[event.proc] = event.goroutine
        elif event.name in LEAVES:
            running[event.proc] = 0
        elif event.name in ("STWStart", "STWDone", "GCDone"):
            event.goroutine = running.get(event.proc, 0)
        elif event.name == "GCStart":
            begin = event
        elif event.name == "Gomaxprocs" and begin:
            begin.goroutine = event.goroutine
            begin = None
    if begin:
        raise Problem("nothing tells which goroutine began the collection at %d" % begin.time)


def find_blocking(events):
    """The system calls whose goroutine next says that they block."""
    blocking = set()
    following = {}
    for event in reversed(events):
        if event.name == "GoSysCall" and following.get(event.goroutine) == "GoSysBlock":
            blocking.add(event)
        following[event.goroutine] = event.name
    return blocking


def take_start_stacks(events, version):
    """Frames of the stacks that goroutines start with, by goroutine, where they are known.

    The creation has the stack's number, and the old parser puts the frames into the
    goroutine's first start, where dumps have none. Before Go 1.7 the number is where the
    function begins.
    """
    numbers = {}
    frames = {0: []}
    started = set()
    for event in events:
        if event.name == "GoCreate":
            numbers[event.number("g")] = event.number("stack")
        elif event.name in STARTS and event.goroutine not in started:
            started.add(event.goroutine)
            frames[numbers[event.goroutine]] = event.frames
            event.frames = []
    if version < 7:
        return {goroutine: [frame_text("", pc + 1, "", 0)] for goroutine, pc in numbers.items()}
    return {goroutine: frames[number] for goroutine, number in numbers.items()
            if number in frames}


def change(goroutine, states, reason=""):
    return 'GoID=%d %s Reason="%s"' % (goroutine, states, reason)


def own_scope(event):
    return "Goroutine(%d)" % (event.goroutine or -1)


class Conversion:
    """Makes the events of a dump from those of the old parser."""

    def __init__(self, events, version):
        self.blocking = find_blocking(events)
        self.start_stacks = take_start_stacks(events, version)
        self.dump = []
        self.last_time = -2
        # Until the first Gomaxprocs the trace tells of goroutines that were there before.
        self.in_prelude = True
        self.untold = []
        self.threads = {}
        self.seen_procs = set()
        self.tasks = {}
        self.stop_name = None
        self.add(NOWHERE, -1, "Sync", "N=1")
        for event in events:
            self.convert(event)
        self.add(NOWHERE, self.last_time + 1, "Sync", "N=2")

    def convert(self, event):
        if event.name in STOPS:
            self.add_own_change(event, "Running->Runnable", STOPS[event.name])
        elif event.name in BLOCKS:
            self.add_own_change(event, "Running->Waiting", BLOCKS[event.name])
        elif event.name in CONVERSIONS:
            CONVERSIONS[event.name](self, event)
        else:
            raise Problem("the event %s becomes nothing" % event.name)

    def context(self, event, thread=-1):
        """`thread` is that of a proc that has none."""
        return "M=%d P=%d G=%d" % (self.threads.get(event.proc, thread), event.proc,
                                   event.goroutine or -1)

    def add(self, context, time, kind, details, frames=(), transition_frames=None):
        """With `transition_frames` there is a stack of the transition, even if an empty one."""
        self.last_time = max(time, self.last_time + 1)
        text = "%s %s Time=%d" % (context, kind, self.last_time)
        if details:
            text += " " + details
        if transition_frames is not None:
            text += "\nTransitionStack=\n" + "".join(transition_frames)
        if frames:
            text += "\nStack=\n" + "".join(frames)
        self.dump.append(text + "\n")

    def add_of(self, event, kind, details, thread=-1):
        self.add(self.context(event, thread), event.time, kind, details, event.frames)

    def add_change(self, event, goroutine, states, thread=-1):
        self.add_of(event, "StateTransition", change(goroutine, states), thread)

    def add_own_change(self, event, states, reason="", thread=-1):
        """A change of the goroutine that records it: it has the same stack twice."""
        self.add(self.context(event, thread), event.time, "StateTransition",
                 change(event.goroutine, states, reason), event.frames, event.frames or None)

    def add_metric(self, event, name, value):
        self.add_of(event, "Metric", 'Name="%s" Value=Value{Uint64(%d)}' % (name, value))

    def add_begin(self, event, name, scope):
        self.add_of(event, "RangeBegin", 'Name="%s" Scope=%s' % (name, scope))

    def add_end(self, event, name, scope, attributes=""):
        self.add_of(event, "RangeEnd",
                    'Name="%s" Scope=%s Attributes=[%s]' % (name, scope, attributes))

    def gomaxprocs(self, event):
        if not self.in_prelude:
            self.add_metric(event, "/sched/gomaxprocs:threads", event.number("procs"))
            return
        self.in_prelude = False
        for goroutine in self.untold:
            self.add(NOWHERE, event.time, "StateTransition",
                     change(goroutine, "Undetermined->Runnable"))

    def heap_alloc(self, event):
        self.add_metric(event, "/memory/classes/heap/objects:bytes", event.number("mem"))

    def heap_goal(self, event):
        self.add_metric(event, "/gc/heap/goal:bytes", event.number("mem"))

    def add_proc_change(self, event, before, after):
        if event.proc not in self.seen_procs:
            before = "Undetermined"
        self.seen_procs.add(event.proc)
        self.add_of(event, "StateTransition",
                    'ProcID=%d %s->%s Reason=""' % (event.proc, before, after))

    def proc_start(self, event):
        self.threads[event.proc] = event.number("thread")
        self.add_proc_change(event, "Idle", "Running")

    def proc_stop(self, event):
        self.add_proc_change(event, "Running", "Idle")
        self.threads.pop(event.proc, None)

    def gc_start(self, event):
        self.add_begin(event, "GC concurrent mark phase", "None")

    def gc_done(self, event):
        self.add_end(event, "GC concurrent mark phase", "None")

    def stop_start(self, event):
        self.stop_name = "stop-the-world (%s)" % CAUSES[event.number("kindid")]
        self.add_begin(event, self.stop_name, own_scope(event))

    def stop_done(self, event):
        self.add_end(event, self.stop_name, own_scope(event))

    def sweep_start(self, event):
        self.add_begin(event, "GC incremental sweep", "Proc(%d)" % event.proc)

    def sweep_done(self, event):
        self.add_end(event, "GC incremental sweep", "Proc(%d)" % event.proc,
                     '"bytes swept"=Value{Uint64(%d)} "bytes reclaimed"=Value{Uint64(%d)}'
                     % (event.number("swept"), event.number("reclaimed")))

    def assist_start(self, event):
        self.add_begin(event, "GC mark assist", own_scope(event))

    def assist_done(self, event):
        self.add_end(event, "GC mark assist", own_scope(event))

    def go_create(self, event):
        goroutine = event.number("g")
        if self.in_prelude:
            self.untold.append(goroutine)
            return
        self.add(self.context(event), event.time, "StateTransition",
                 change(goroutine, "NotExist->Runnable"), event.frames,
                 self.start_stacks.get(goroutine, []))

    def add_told(self, event, states):
        if event.goroutine in self.untold:
            self.untold.remove(event.goroutine)
        self.add_change(event, event.goroutine, states)

    def go_start(self, event):
        if self.in_prelude:
            self.add_told(event, "Undetermined->Running")
        else:
            self.add_change(event, event.goroutine, "Runnable->Running")

    def go_start_label(self, event):
        self.add_change(event, event.goroutine, "Runnable->Running", thread=0)
        self.add_of(event, "Label", "Label=%s Resource=%s"
                    % (event.quoted("label"), own_scope(event)), thread=0)

    def go_waiting(self, event):
        self.add_told(event, "Undetermined->Waiting")

    def go_in_syscall(self, event):
        self.add_told(event, "Undetermined->Syscall")

    def go_end(self, event):
        self.add_change(event, event.goroutine, "Running->NotExist")

    def go_unblock(self, event):
        self.add_change(event, event.number("g"), "Waiting->Runnable")

    def go_syscall(self, event):
        if event in self.blocking:
            self.add_own_change(event, "Running->Syscall")
            return
        self.add_own_change(event, "Running->Syscall", thread=0)
        self.add(self.context(event, thread=0), event.time + 1, "StateTransition",
                 change(event.goroutine, "Syscall->Running"))

    def go_sysblock(self, _event):
        """Its system call has told of it."""

    def go_sysexit(self, event):
        self.add_change(event, event.goroutine, "Syscall->Runnable")

    def add_task(self, event, kind, parent, name):
        self.add_of(event, kind, "ID=%d Parent=%d Type=%s" % (event.number("taskid"), parent, name))

    def task_create(self, event):
        parent, name = event.number("pid"), event.quoted("name")
        self.tasks[event.number("taskid")] = parent, name
        self.add_task(event, "TaskBegin", parent or NO_TASK, name)

    def task_end(self, event):
        self.add_task(event, "TaskEnd", *self.tasks.pop(event.number("taskid"), (NO_TASK, '""')))

    def region(self, event):
        self.add_of(event, "RegionEnd" if event.number("mode") else "RegionBegin",
                    "Task=%d Type=%s" % (event.number("taskid"), event.quoted("name")))

    def log(self, event):
        self.add_of(event, "Log", "Task=%d Category=%s Message=%s"
                    % (event.number("id"), event.quoted("category"), event.quoted("message")))


CONVERSIONS = {
    "Gomaxprocs": Conversion.gomaxprocs,
    "HeapAlloc": Conversion.heap_alloc,
    "HeapGoal": Conversion.heap_goal,
    "ProcStart": Conversion.proc_start,
    "ProcStop": Conversion.proc_stop,
    "GCStart": Conversion.gc_start,
    "GCDone": Conversion.gc_done,
    "STWStart": Conversion.stop_start,
    "STWDone": Conversion.stop_done,
    "GCSweepStart": Conversion.sweep_start,
    "GCSweepDone": Conversion.sweep_done,
    "GCMarkAssistStart": Conversion.assist_start,
    "GCMarkAssistDone": Conversion.assist_done,
    "GoCreate": Conversion.go_create,
    "GoStart": Conversion.go_start,
    "GoStartLabel": Conversion.go_start_label,
    "GoWaiting": Conversion.go_waiting,
    "GoInSyscall": Conversion.go_in_syscall,
    "GoEnd": Conversion.go_end,
    "GoUnblock": Conversion.go_unblock,
    "GoSysCall": Conversion.go_syscall,
    "GoSysBlock": Conversion.go_sysblock,
    "GoSysExit": Conversion.go_sysexit,
    "UserTaskCreate": Conversion.task_create,
    "UserTaskEnd": Conversion.task_end,
    "UserRegion": Conversion.region,
    "UserLog": Conversion.log,
}


def convert(trace):
    """The dump that a trace must have, and the goroutines whose start stack is in it."""
    version = int(HEADER.match(trace.read_bytes()).group(1))
    text = gzip.decompress(pathlib.Path("%s.events.gz" % trace).read_bytes()).decode("latin-1")
    events = read_events(text)
    restore_goroutines(events)
    conversion = Conversion(events, version)
    return conversion.dump, conversion.start_stacks.keys()


def split_dump(text):
    return re.split(r"(?m)^(?=M=)", text)[1:]


def dump_time(event):
    return int(DUMP_EVENT.match(event).group(2))


def without_time(event):
    begin, end = DUMP_EVENT.match(event).span(2)
    return event[:begin] + event[end:]


def without_unknown_frames(event, known):
    """An event, without the start stack of a goroutine that is not one of `known`."""
    creation = CREATION.match(event)
    if creation and int(creation.group(1)) not in known:
        return START_FRAMES.sub("", event)
    return event


def split_runs(events):
    """Groups events whose times step by at most 1, each by proc, with its place."""
    runs = []
    last = None
    for place, event in enumerate(events):
        if last is None or dump_time(event) > last + 1:
            runs.append((place, collections.defaultdict(list)))
        last = dump_time(event)
        proc = int(DUMP_EVENT.match(event).group(1))
        runs[-1][1][proc].append(without_time(event))
    for _, run in runs:
        for proc, some in run.items():
            if proc >= STAND_INS:
                some.sort()
    return runs


def compare(ours, theirs):
    for place, (a, b) in enumerate(zip(ours, theirs)):
        if dump_time(a) != dump_time(b):
            raise Problem("event %d is\n%sand should be\n%s" % (place, a, b))
    for (place, a), (_, b) in zip(split_runs(ours), split_runs(theirs)):
        if a != b:
            end = place + sum(map(len, b.values()))
            raise Problem("events from %d on are\n%sand should be\n%s"
                          % (place, "".join(ours[place:end]), "".join(theirs[place:end])))
    if len(ours) != len(theirs):
        raise Problem("%d events that should be %d" % (len(ours), len(theirs)))


def run_dump(trace):
    result = subprocess.run([os.environ["GT_COMMAND"], "dump", str(trace)], timeout=TIMEOUT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="latin-1")
    return result.returncode, split_dump(result.stdout), result.stderr


def check_good(trace):
    status, ours, errors = run_dump(trace)
    if status != 0 or errors:
        raise Problem("exits with %d: %s" % (status, errors))
    theirs, known = convert(trace)
    compare([without_unknown_frames(event, known) for event in ours], theirs)


def check_bad(trace, why):
    if why not in ERRORS:
        raise Problem("nothing is known of the error: %s" % why)
    status, ours, errors = run_dump(trace)
    error = DUMP_ERROR.fullmatch(errors)
    if status != 1 or not error or not ERRORS[why].search(error.group(1)):
        raise Problem("exits with %d: %sbut should fail: %s" % (status, errors, why))
    times = [dump_time(event) for event in ours]
    if not times or times != sorted(set(times)):
        raise Problem("there is no event before the error, or times do not rise")


def check(trace):
    error = pathlib.Path("%s.error" % trace)
    if error.exists():
        check_bad(trace, error.read_text(encoding="utf-8").strip())
    else:
        check_good(trace)


def main():
    corpus = os.environ.get("GT_CORPUS")
    traces = sorted(pathlib.Path(corpus).glob("*.v1")) if corpus else []
    if not traces:
        print("no traces in $GT_CORPUS")
        sys.exit(SKIP)
    failed = 0
    for trace in traces:
        try:
            check(trace)
        except (Problem, OSError, subprocess.TimeoutExpired) as problem:
            print("%s: %s" % (trace, problem), file=sys.stderr)
            failed += 1
    print("%d traces, %d failed" % (len(traces), failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
