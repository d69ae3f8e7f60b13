# SPDX-License-Identifier: BSD-3-Clause
"""Traces and their events."""

import ctypes
import functools
import struct
import typing
import weakref

from . import live
from . import structures as c
from .analysis import Writing
from .calls import call_released
from .constants import (NO_GOROUTINE, NO_PROC, NO_THREAD, STACK_NONE, EventKind,
                        ReaderFlag, Status)
from .copies import Common, EventCopy, wall_clock_at
from .details import Getters
from .errors import ExpiredError, check, check_open, make_error
from .library import libgotrace
from .sources import PUSH, Callbacks, Source
from .stacks import Frame, Stack, copy_frames
from .text import event_text

KINDS = {int(kind): kind for kind in EventKind}
# The number of addresses of events that are cached; a reader uses about 30.
MOST_VIEWS = 1000
# The number of repairs that a Trace keeps.
MOST_REPAIRS = 1000


class Info(typing.NamedTuple):
    """gt_reader_info: the version in the header, and what was read so far."""
    version: int
    newer: int
    bytes: int
    events: int
    generations: int
    memory: int
    memory_peak: int
    repairs: int


class Event(Common):
    """An event of a trace.

    kind        an EventKind, or a plain int that is newer than this module
    time        nanoseconds, strictly increasing over a trace
    thread, proc, goroutine
                the context it happened in: ids, -1 for none
    number      the ordinal number of the event, from 1

    These remain valid. `details`, `stack` and `wall_clock` are read on access, which raises
    ExpiredError after the trace has advanced to the next event. What they return remains
    valid, except for the frames of stacks: see Stack. `copy()` makes an event that is valid
    without limit, and str() is what `gotrace dump` prints.
    """

    __slots__ = ("trace", "number", "kind", "time", "thread", "proc", "goroutine")

    def __init__(self, trace, number, kind, time, thread, proc, goroutine):
        self.trace = trace
        self.number = number
        self.kind = KINDS.get(kind, kind)
        self.time = time
        self.thread = thread
        self.proc = proc
        self.goroutine = goroutine

    @property
    def is_current(self) -> bool:
        """Whether this is still the current event of the trace."""
        return self.trace.number == self.number

    def copy(self) -> EventCopy:
        """A copy that remains valid when the trace goes on, and in other threads."""
        return EventCopy(self, *self.trace.address_of(self))

    @property
    def details(self):
        """The content of the event: see gotrace.details. None if there is none."""
        return self.trace.current(self).get(self.kind)

    @property
    def stack(self) -> typing.Optional[Stack]:
        """The Stack of the event's own context, or None."""
        return self.trace.stack_of(self)

    @property
    def wall_clock(self) -> typing.Optional[int]:
        """The time in nanoseconds since 1970-01-01 UTC; None before Go 1.25."""
        return self.trace.wall_clock_of(self)

    def __str__(self):
        return event_text(*self.trace.address_of(self))

    def __repr__(self):
        context = "".join(" %s=%d" % pair for pair in
                          (("M", self.thread), ("P", self.proc), ("G", self.goroutine))
                          if pair[1] not in (NO_THREAD, NO_PROC, NO_GOROUTINE))
        kind = self.kind.name if isinstance(self.kind, EventKind) else self.kind
        return "<Event %s time=%d%s>" % (kind, self.time, context)


class Views(dict):
    """The events in the library's memory, by address."""

    def __missing__(self, address):
        if len(self) >= MOST_VIEWS:
            self.clear()
        view = self[address] = memoryview(c.gt_event.from_address(address)).cast("B")
        return view


def close_reader(library, handle, source, *_kept):
    library.gt_reader_close(ctypes.byref(handle))
    if not handle.value:
        source.close()


class Trace:
    """One reading of a trace: a context manager, and an iterable of its Events (once only).

        with gotrace.open("my.trace") as trace:
            for event in trace:
                ...

    source          a path, bytes, or a file object that gives bytes
    lenient         repair what can be repaired; `repairs` then lists the repairs
    keep            frames of stacks remain valid until the trace is closed
    known_versions  refuse a trace that is newer than the library
    as_recorded     also deliver what Go's own reader loses in old traces
    ahead           read ahead in a second thread
    track           keep a table of what exists: see goroutine() and the methods after it
    unforced        with lenient: leave out threads that wait for what is lost
    limit           the most bytes of memory that the reader may hold, 0 for no limit
    on_repair       called with each repair, an Error, instead of filling `repairs`
    symbolize       for Go 1.5 and 1.6: called with a list of addresses; returns for each
                    a tuple of function, file and line
    on_progress     told by a Progress how far the reading has come, every 256 KiB or so; cancels
                    it by returning False
    allocator       a memory.Allocator

    A damaged trace yields all its good events and then raises TraceError, and does so again at
    each further attempt. Exceptions of these functions or a source end the iteration and
    propagate; so does KeyboardInterrupt, which also ends the first read of a long old trace.

    One thread at a time may use a trace; cancel() is for any. Other threads run while a file
    object or a pipe is read, during the first read of an iteration, which for a trace of Go 1.21
    or earlier is most of the work, and between any two events.
    """

    def __init__(self, source, *, lenient=False, keep=False, known_versions=False,
                 as_recorded=False, ahead=False, track=False, limit=0, on_repair=None,
                 symbolize=None, on_progress=None, allocator=None, unforced=False):
        self.repairs = []
        self.number = 0
        self.again = False
        self._library = library = libgotrace()
        if lenient and on_repair is None:
            on_repair = functools.partial(append_up_to, self.repairs)
        flags = ((ReaderFlag.LENIENT if lenient else 0) | (ReaderFlag.KEEP if keep else 0)
                 | (ReaderFlag.KNOWN_VERSIONS if known_versions else 0)
                 | (ReaderFlag.AS_RECORDED if as_recorded else 0)
                 | (ReaderFlag.AHEAD if ahead else 0) | (ReaderFlag.TRACK if track else 0)
                 | (ReaderFlag.UNFORCED if unforced else 0))
        options = c.make(c.gt_reader_options, flags=int(flags), memory_limit=limit)
        if allocator is not None:
            options.allocator = allocator.pointer
        self._callbacks = Callbacks(on_repair, symbolize, on_progress)
        self._callbacks.set_options(options)
        self.handle = ctypes.c_void_p()
        self._slot = ctypes.c_void_p()
        self._open(Source(source), options, allocator)
        # The reader as cancel() knows it, also while a call has taken the handle.
        self._cancelled = ctypes.c_void_p(self.handle.value)
        self._views = Views()
        self._unpack = struct.Struct("=IIqqqq").unpack
        self._getters = Getters(library, self._slot, self._make_stack_function())
        self._event_stack = library.gt_event_stack
        self._frames = {}
        self._keep = keep

    def _open(self, source, options, allocator):
        error = c.make(c.gt_error)
        status, kept = source.open(self._library, ctypes.byref(self.handle), self._callbacks,
                                   options, error)
        if status != Status.OK:
            source.close()
            self._callbacks.raise_pending()
            raise make_error(error, source.path)
        self._finalizer = weakref.finalize(self, close_reader, self._library, self.handle, source,
                                           kept, self._callbacks, allocator)

    def _make_stack_function(self):
        """Creates Stacks. Uses a weak reference, because a cycle would keep the Trace alive."""
        this = weakref.ref(self)
        return lambda handle: Stack(this(), handle) if handle != STACK_NONE else None

    def close(self):
        """Frees the reader. Called by `with`, and when nothing refers to the Trace any more."""
        if self._is_in_use:
            raise RuntimeError("a trace cannot be closed while it is read")
        self.number += 1
        address, self._cancelled.value = self._cancelled.value, None
        self._library.gt_reader_close(ctypes.byref(self.handle))
        if self.handle.value:
            self._cancelled.value = address
            raise RuntimeError("a trace cannot be closed by a function that it calls")
        self._slot.value = None
        self._frames.clear()
        self._finalizer()

    @property
    def _is_in_use(self):
        """Whether a call has taken the handle: see call_released."""
        return bool(self._cancelled.value) and not self.handle.value

    def cancel(self):
        """Ends the iteration with a TraceError; for any thread, and for signal handlers."""
        self._library.gt_reader_cancel(self._cancelled)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        """The remaining events of the trace."""
        next_event = self._library.without_checks("gt_reader_next_event")
        handle, slot, pointer = self.handle, self._slot, ctypes.byref(self._slot)
        views, unpack, pending = self._views, self._unpack, self._callbacks.pending
        sync = int(EventKind.SYNC)
        status, number = self._read_first()
        while not status and not pending:
            kind, _, time, thread, proc, goroutine = unpack(views[slot.value])
            if kind == sync:
                self._forget_frames()
            yield Event(self, number, kind, time, thread, proc, goroutine)
            # Incremented before the call, so that no event is current while the reader works.
            self.number = number = self.number + 1
            status = next_event(handle, pointer)
        self._raise(status)

    def _read_first(self):
        """Reads an event as call_released does; returns the status and the event's number.

        The first event of an old trace takes most of the time, and so does the first one after
        the last bytes of it have been pushed.
        """
        if self._is_in_use:
            raise RuntimeError("the trace is in use by another thread, or calls this function")
        self.number += 1
        status = call_released(self._library, "gt_reader_next_event", self.handle,
                               ctypes.byref(self._slot))
        if status == Status.OK:
            self.number = self._library.gt_reader_event_number(self.handle)
        return status, self.number

    def feed(self, *analyses):
        """Passes all remaining events to analyses, many times faster than one by one.

        Finishes the analyses even if the trace is damaged, and then raises the error.
        """
        next_event = self._library.without_checks("gt_reader_next_event")
        handle, pointer, pending = self.handle, ctypes.byref(self._slot), self._callbacks.pending
        status, _ = self._read_first()
        feeds = [(analysis.feeding(handle, self._slot), analysis) for analysis in analyses]
        while not status and not pending:
            for give, analysis in feeds:
                status = give()
                if status:
                    analysis.check(status)
            status = next_event(handle, pointer)
        if status != Status.AGAIN:
            for analysis in analyses:
                analysis.finish()
        self._raise(status)

    def dump(self, file):
        """Writes the text of all remaining events to a binary file, as `gotrace dump` does.

        Faster than str() of each event. Wall-clock times are in UTC.
        """
        library, formatter = self._library, ctypes.c_void_p()
        check_open(library.gt_formatter_open, ctypes.byref(formatter), self.handle, None)
        try:
            writing = Writing(file)
            for _ in self:
                status = library.gt_formatter_write(formatter, self._slot, writing.function, None)
                writing.check(status)
                file.write(b"\n")
        finally:
            library.gt_formatter_close(ctypes.byref(formatter))

    def goroutine(self, number: int) -> typing.Optional[live.GoroutineInfo]:
        """What the goroutine with this id does after the last event; None if there is none.

        This and the next methods need track=True.
        """
        return live.GOROUTINES.find(self, self._library, number)

    def proc(self, number: int) -> typing.Optional[live.ProcInfo]:
        """What the proc with this id does."""
        return live.PROCS.find(self, self._library, number)

    def thread(self, number: int) -> typing.Optional[live.ThreadInfo]:
        """What the thread with this id does."""
        return live.THREADS.find(self, self._library, number)

    def goroutines(self) -> typing.Iterator[live.GoroutineInfo]:
        """All goroutines that exist, in the order in which they came.

        Events may be read in between.
        """
        return live.GOROUTINES.all(self, self._library)

    def procs(self) -> typing.Iterator[live.ProcInfo]:
        """All procs that exist."""
        return live.PROCS.all(self, self._library)

    def threads(self) -> typing.Iterator[live.ThreadInfo]:
        """All threads that hold a proc or have a goroutine."""
        return live.THREADS.all(self, self._library)

    def push(self, data):
        """Appends bytes to the input of a trace that open_push has opened.

        An iteration, or feed, ends when it has used them; `again` is then true, and becomes false
        at the end of the trace.
        """
        data = bytes(data)
        check(self._library.gt_reader_feed(self.handle, data, len(data)))

    def finish(self):
        """Ends the input of a trace that open_push has opened."""
        check(self._library.gt_reader_finish(self.handle))

    def _raise(self, status):
        """Raises the error that ended the events; does nothing at the end of the trace."""
        self._forget_frames()
        self._callbacks.raise_pending()
        self.again = status == Status.AGAIN
        if status in (Status.END, Status.AGAIN):
            return
        if not self.handle.value:
            raise ValueError("the trace is closed")
        error = c.make(c.gt_error)
        check(self._library.gt_reader_error(self.handle, ctypes.byref(error)))
        if error.status != Status.OK:
            raise make_error(error)
        check(status)

    @property
    def ending(self):
        """How the recording has ended, which is known at the end: a number of Ending."""
        return self._library.gt_reader_get_ending(self.handle)

    @property
    def first_procs(self):
        """The GOMAXPROCS with which a trace of Go 1.21 or earlier begins, if no event tells it."""
        return self._library.gt_reader_get_first_procs(self.handle)

    @property
    def info(self):
        """Information about the trace and the reading so far: an Info."""
        info = c.make(c.gt_reader_info)
        check(self._library.gt_reader_get_info(self.handle, ctypes.byref(info)))
        return Info(*(getattr(info, name) for name in Info._fields))

    def current(self, event):
        """The getters of an event, which must be the current one of the trace."""
        if self.number != event.number:
            raise ExpiredError("the trace has gone on since this event")
        return self._getters

    def address_of(self, event):
        """The reader and the address of the event, for functions that take both."""
        self.current(event)
        return self.handle, self._slot

    def stack_of(self, event):
        self.current(event)
        handle = self._event_stack(self._slot)
        return Stack(self, handle) if handle != STACK_NONE else None

    def wall_clock_of(self, event):
        self.current(event)
        return wall_clock_at(self._slot)

    def frames(self, handle):
        """The frames of a stack by its handle; those that are still valid are cached."""
        frames = self._frames.get(handle)
        if frames is None:
            frames = self._frames[handle] = self._decode(handle)
        return frames

    def intern(self, handle):
        """The id of a stack by its handle: see Stack.id."""
        number = ctypes.c_uint32()
        check(self._library.gt_stack_intern(self.handle, handle, ctypes.byref(number)))
        return number.value

    def interned(self, number: int) -> typing.Tuple[Frame, ...]:
        """The frames of the stacks with an id that Stack.id has returned."""
        frames, count = ctypes.POINTER(c.gt_frame)(), ctypes.c_size_t()
        check(self._library.gt_stack_interned(self.handle, number, ctypes.byref(frames),
                                              ctypes.byref(count)))
        return copy_frames(frames, count.value)

    @property
    def interned_count(self) -> int:
        """The highest id that Stack.id has returned."""
        return self._library.gt_stack_interned_count(self.handle)

    def _forget_frames(self):
        if not self._keep:
            self._frames.clear()

    def _decode(self, handle):
        if not self.handle.value:
            raise ExpiredError("the trace is closed")
        frames, count = ctypes.POINTER(c.gt_frame)(), ctypes.c_size_t()
        check(self._library.gt_stack_view(self.handle, handle, ctypes.byref(frames),
                                          ctypes.byref(count)))
        return copy_frames(frames, count.value)


def open_push(**options):
    """A Trace whose bytes come by Trace.push, and end by Trace.finish."""
    return Trace(PUSH, **options)


def append_up_to(repairs, repair):
    if len(repairs) < MOST_REPAIRS:
        repairs.append(repair)
