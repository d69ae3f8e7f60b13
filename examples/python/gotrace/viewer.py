# SPDX-License-Identifier: BSD-3-Clause
"""Drawing for trace viewers: libgotrace-viewer, which needs no trace, and libgotrace-timeline.

An object keeps everything alive with which it was created.
"""

import ctypes
import os
import typing
import weakref

from . import structures as c
from .analysis import Analysis, Writing, close
from .constants import (EmitterFlag, Section, Selection, Status, TimelineFlag, View, ViewerKind,
                        name_of)
from .errors import TraceError, check, check_open, make_error
from .library import libgotrace_timeline, libgotrace_viewer
from .reader import Trace


class ViewerEvent(typing.NamedTuple):
    """An event as Chrome's Trace Event Format defines it: gt_viewer_event."""
    phase: str
    section: int
    resource: int
    time: int
    duration: int
    name: str
    category: str
    scope: str
    color: str
    id: int
    stack: int
    end_stack: int
    arguments: typing.Optional[typing.Dict[str, typing.Union[int, float, str]]]


class ViewerFrame(typing.NamedTuple):
    """A frame in the tree of all stacks; parent is the caller's id, 0 for the outermost."""
    id: int
    parent: int
    pc: int
    function: str
    line: int
    file: str


class Consumer:
    """Receives the events of an emitter. Derive your own class from it.

    An exception of a method stops the emitter and propagates from the emitter's method.
    """

    def time_unit(self, unit):
        """Called once, before all others, with "ns"."""

    def event(self, event, required):
        """Called with each ViewerEvent; required ones name and position rows."""

    def frame(self, frame):
        """Called with each ViewerFrame, before the first event that refers to it."""

    def flush(self):
        """Called once after the last event."""


class Calls:
    """A gt_consumer that calls a Consumer."""

    def __init__(self, consumer):
        self._consumer = consumer
        self._problem = None
        self.structure = c.make(
            c.gt_consumer,
            time_unit=c.time_unit_fn(lambda _, unit: self._try(consumer.time_unit, unit.decode())),
            event=c.event_fn(self._event),
            frame=c.frame_fn(lambda _, frame: self._try(consumer.frame,
                                                        copy_frame(frame.contents))),
            flush=c.flush_fn(lambda _: self._try(consumer.flush)))

    def _event(self, _data, event, required):
        return self._try(self._consumer.event, copy_event(event.contents), bool(required))

    def _try(self, function, *arguments):
        try:
            function(*arguments)
            return 0
        except BaseException as problem:  # pylint: disable=broad-except
            self._problem = self._problem or problem
            return -1

    def check(self):
        """Raises the error that stopped the emitter."""
        if self._problem:
            raise self._problem


def copy_event(event):
    arguments = None
    if event.arguments:
        arguments = dict(copy_argument(event.arguments[i]) for i in range(event.argument_count))
    return ViewerEvent(chr(event.phase), name_of(Section, event.section), event.resource,
                       event.time, event.duration, event.name.text(), event.category.text(),
                       event.scope.text(), event.color.text(), event.id, event.stack,
                       event.end_stack, arguments)


def copy_argument(argument):
    if argument.kind == ViewerKind.STRING:
        return argument.key.text(), argument.string.text()
    if argument.kind == ViewerKind.DOUBLE:
        return argument.key.text(), argument.real
    number = argument.number
    if argument.kind == ViewerKind.SIGNED:
        number = ctypes.c_int64(number).value
    return argument.key.text(), number


def copy_frame(frame):
    return ViewerFrame(frame.id, frame.parent, frame.pc, frame.function.text(), frame.line,
                       frame.file.text())


class _Own:
    """A consumer of the library, a JsonWriter or a Splitter."""

    NAME = ""

    def __init__(self, *arguments, kept=None):
        self._library = library = libgotrace_viewer()
        self._handle = ctypes.c_void_p()
        check_open(self._function("open"), ctypes.byref(self._handle), *arguments)
        weakref.finalize(self, close, getattr(library, self.NAME + "_close"), self._handle, kept)
        self.structure = c.make(c.gt_consumer)
        check(self._function("consumer")(self._handle, ctypes.byref(self.structure)))

    def _function(self, name):
        return getattr(self._library, "%s_%s" % (self.NAME, name))

    def check(self):
        check(self._function("status")(self._handle))


class JsonWriter(_Own):
    """Writes the events of an emitter to a binary file, as one object of Chrome's JSON format.

    first, last   the numbers of the first and the last event to write, for a part
    """

    NAME = "gt_json_writer"

    def __init__(self, file, *, first=0, last=2**64 - 1, limit=0, allocator=None):
        options = c.make(c.gt_json_options, first=first, last=last, memory_limit=limit)
        if allocator is not None:
            options.allocator = allocator.pointer
        self._writing = writing = Writing(file)
        super().__init__(writing.function, None, ctypes.byref(options), kept=(writing, allocator))

    def check(self):
        self._writing.check(Status.OK)
        super().check()


class Part(typing.NamedTuple):
    """For a JsonWriter: the first and the last event, and the times at which they begin."""
    first: int
    last: int
    start_time: int
    end_time: int


class Splitter(_Own):
    """Splits a trace into parts of a given size of JSON; 0 for what Chrome's viewer can hold."""

    NAME = "gt_splitter"

    def __init__(self, part_bytes=0):
        super().__init__(part_bytes, None)

    def parts(self):
        """The Parts, after Emitter.flush; none if the trace need not be split."""
        count = ctypes.c_size_t()
        parts = self._function("parts")(self._handle, ctypes.byref(count))
        return [Part(*(getattr(parts[i], name) for name in Part._fields))
                for i in range(count.value)]


class Emitter:
    """Produces events for a trace viewer, which go to a Consumer, a JsonWriter or a Splitter.

    Times are nanoseconds since the beginning of what is shown. A resource is a row, identified
    by its number. `arguments` is a dict of further data of an event: texts and integers.
    """

    def __init__(self, consumer, *, start=None, end=None, enclosing=False, filter=None, limit=0,
                 selector=None, allocator=None):
        """start, end: emit only what is in this range; filter: selects the resources."""
        options = c.make(c.gt_emitter_options, memory_limit=limit,
                         flags=int(EmitterFlag.ENCLOSING) if enclosing else 0)
        options.range_start = options.range_start if start is None else start
        options.range_end = options.range_end if end is None else end
        if filter is not None:
            options.filter = c.filter_fn(lambda _, resource: bool(filter(resource)))
        if selector is not None:
            selector.apply(options)
        if allocator is not None:
            options.allocator = allocator.pointer
        self._library = library = libgotrace_viewer()
        self.handle = ctypes.c_void_p()
        self._consumer = consumer if isinstance(consumer, _Own) else Calls(consumer)
        error = c.make(c.gt_error)
        if library.gt_emitter_open(ctypes.byref(self.handle),
                                   ctypes.byref(self._consumer.structure),
                                   ctypes.byref(options), ctypes.byref(error)) != Status.OK:
            self._consumer.check()
            raise make_error(error)
        weakref.finalize(self, close, library.gt_emitter_close, self.handle, self._consumer,
                         options, selector, allocator)

    def check(self, status):
        """Raises the exception for a negative status, or that of the consumer."""
        if status == Status.ERR_CALLBACK:
            self._consumer.check()
        check(status)

    def _emit(self, function, structure, arguments, **members):
        what = c.make(structure, **members)
        if arguments:
            what.arguments = make_arguments(arguments)
            what.argument_count = len(arguments)
        self.check(getattr(self._library, function)(self.handle, ctypes.byref(what)))

    def stack(self, frames):
        """The id of a stack, which is a sequence of reader.Frame, leaf first."""
        texts = [(c.gt_string.of(frame.function), c.gt_string.of(frame.file)) for frame in frames]
        array = (c.gt_emitter_frame * len(texts))(
            *((frame.pc, frame.line, *names) for frame, names in zip(frames, texts)))
        number = ctypes.c_uint32()
        self.check(self._library.gt_emitter_stack(self.handle, array, len(texts),
                                                  ctypes.byref(number)))
        return number.value

    def slice(self, resource, time, duration, name, *, stack=0, end_stack=0, category="",
              arguments=None):
        """Emits an interval of time. Slices of one row nest."""
        self._emit("gt_emitter_slice", c.gt_slice, arguments, resource=resource, time=time,
                   duration=duration, name=c.gt_string.of(name), stack=stack,
                   end_stack=end_stack, category=c.gt_string.of(category))

    def task_slice(self, task, time, duration, name, *, arguments=None):
        """Emits a slice in the row of a task, in its colour."""
        self._emit("gt_emitter_task_slice", c.gt_slice, arguments, resource=task, time=time,
                   duration=duration, name=c.gt_string.of(name))

    def async_slice(self, resource, time, duration, name, *, scope="", category="", task=0,
                    arguments=None):
        """Emits a slice that need not nest with others."""
        self._emit("gt_emitter_async_slice", c.gt_slice, arguments, resource=resource, time=time,
                   duration=duration, name=c.gt_string.of(name), scope=c.gt_string.of(scope),
                   category=c.gt_string.of(category), task=task)

    def instant(self, resource, time, name, *, stack=0, category="", arguments=None):
        """Emits a point in time."""
        self._emit("gt_emitter_instant", c.gt_instant, arguments, resource=resource, time=time,
                   name=c.gt_string.of(name), stack=stack, category=c.gt_string.of(category))

    def _arrow(self, function, ends, times, name, stack):
        members = {"from": ends[0], "to": ends[1], "from_time": times[0], "to_time": times[1]}
        self._emit(function, c.gt_arrow, None, name=c.gt_string.of(name), from_stack=stack,
                   **members)

    def arrow(self, ends, times, name, *, stack=0):
        """Emits an arrow between two resources, each with a time."""
        self._arrow("gt_emitter_arrow", ends, times, name, stack)

    def task_arrow(self, ends, times, name, *, stack=0):
        self._arrow("gt_emitter_task_arrow", ends, times, name, stack)

    def count_goroutine(self, time, before, after):
        """Records that a goroutine changes from one CountedState to another."""
        self.check(self._library.gt_emitter_count_goroutine(self.handle, time, before, after))

    def count_threads(self, time, state, change):
        """Records that `change` more threads are in a CountedThread."""
        self.check(self._library.gt_emitter_count_threads(self.handle, time, state, change))

    def heap(self, time, size):
        self.check(self._library.gt_emitter_heap(self.handle, time, size))

    def heap_goal(self, time, size):
        self.check(self._library.gt_emitter_heap_goal(self.handle, time, size))

    def counter(self, time, name, values, unit=""):
        """Emits the values of a counter: a dictionary of numbers by the names of its series."""
        array = make_arguments(values)
        self.check(self._library.gt_emitter_counter(self.handle, ctypes.byref(c.make(
            c.gt_counter, time=time, name=c.gt_string.of(name), unit=c.gt_string.of(unit),
            values=array, value_count=len(array)))))

    def name_section(self, section, name):
        """Sets the name of a Section, such as "WORKERS"."""
        self.check(self._library.gt_emitter_name_section(self.handle, section,
                                                         c.gt_string.of(name)))

    def follow_go(self):
        """Draws what Go's viewer always has: its own rows, and negative durations."""
        self.check(self._library.gt_emitter_follow_go(self.handle))

    def name_resource(self, resource, name):
        self.check(self._library.gt_emitter_name_resource(self.handle, resource,
                                                          c.gt_string.of(name)))

    def focus(self, resource):
        """Sets the resource whose row comes first; 0 for none."""
        self.check(self._library.gt_emitter_focus(self.handle, resource))

    def name_task(self, task, name, place):
        self.check(self._library.gt_emitter_name_task(self.handle, task, c.gt_string.of(name),
                                                      place))

    def flush(self):
        """Emits the names and positions of all rows and ends the emitter."""
        self.check(self._library.gt_emitter_flush(self.handle))

    @property
    def is_consistent(self):
        """Whether all counts are plausible."""
        return bool(self._library.gt_emitter_is_consistent(self.handle))


def make_arguments(arguments):
    array = (c.gt_viewer_argument * len(arguments))()
    for place, (key, value) in zip(array, arguments.items()):
        place.key = c.gt_string.of(key)
        if isinstance(value, int):
            place.kind = int(ViewerKind.SIGNED if value < 0 else ViewerKind.UNSIGNED)
            place.number = value
        elif isinstance(value, float):
            place.kind = int(ViewerKind.DOUBLE)
            place.real = value
        else:
            place.kind = int(ViewerKind.STRING)
            place.string = c.gt_string.of(value)
    return array


class Selector(Analysis):
    """Selects what is shown of a trace: a goroutine or a task by its id."""

    LIBRARY = staticmethod(libgotrace_timeline)
    NAME = "gt_selector"
    TAKES_READER = False

    def __init__(self, selection, number, *, limit=0, allocator=None):
        super().__init__(c.make(c.gt_selector_options, memory_limit=limit), allocator,
                         (int(selection), number))

    def apply(self, options):
        """Sets the range and the filter of a gt_emitter_options."""
        check(self._call("apply", ctypes.byref(options)))

    @property
    def handle(self):
        return self._handle


class Timeline(Analysis):
    """Draws the trace whose events it is fed on an emitter."""

    LIBRARY = staticmethod(libgotrace_timeline)
    NAME = "gt_timeline"
    TAKES_READER = False

    def __init__(self, trace, emitter, *, view=View.PROC, selector=None, exact=False,
                 states=False, limit=0, allocator=None):
        flags = (TimelineFlag.EXACT if exact else 0) | (TimelineFlag.STATES if states else 0)
        options = c.make(c.gt_timeline_options, flags=int(flags), view=int(view),
                         memory_limit=limit)
        if selector is not None:
            options.selector = selector.handle
        self._trace = trace
        self._emitter = emitter
        super().__init__(options, allocator, (trace.handle, emitter.handle),
                         (trace, emitter, selector))

    def finish(self):
        if not self._trace.handle.value:
            raise ValueError("the trace is closed")
        super().finish()

    def check(self, status):
        self._emitter.check(status)


def draw(source, file, *, view=View.PROC, goroutine=None, task=None, focus_task=None, exact=False,
         **options):
    """Writes the JSON that `go tool trace` makes for its viewer to a binary file.

    view        rows of procs, threads or goroutines
    goroutine, task, focus_task
                an id: show only what belongs to it; the source is then read twice
    exact       also draw what `go tool trace` omits or draws wrongly
    options     the options of Trace

    A bad trace is drawn as far as it is good, and then raises TraceError.
    """
    selector = None
    for selection, number in ((Selection.GOROUTINE, goroutine), (Selection.TASK, task),
                              (Selection.FOCUS_TASK, focus_task)):
        if number is not None:
            selector = Selector(selection, number)
            select(source, selector, options)
    with Trace(source, **options) as trace:
        writer = JsonWriter(file)
        emitter = Emitter(writer, selector=selector, enclosing=exact)
        timeline = Timeline(trace, emitter, view=view, selector=selector, exact=exact)
        try:
            trace.feed(timeline)
        except TraceError:
            emitter.flush()
            raise
        emitter.flush()


def select(source, selector, options):
    """Shows a trace to a selector; whether it is bad is found out again when it is drawn."""
    if not isinstance(source, (str, bytes, os.PathLike)):
        raise TypeError("what is selected from is read twice: it must be a path, or bytes")
    try:
        with Trace(source, **options) as trace:
            trace.feed(selector)
    except TraceError:
        pass
