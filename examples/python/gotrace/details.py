# SPDX-License-Identifier: BSD-3-Clause
"""The content of each kind of event, as plain tuples that remain valid without limit."""

import ctypes
import functools
import typing

from . import structures as c
from .constants import EventKind, GoState, ProcState, ResourceKind, ValueKind, name_of
from .errors import check
from .library import libgotrace
from .structures import decode
from .text import structure_text

if typing.TYPE_CHECKING:
    from .stacks import Stack

Value = typing.Union[int, str, None]


class Resource(typing.NamedTuple):
    """A goroutine, proc or thread; kind ResourceKind.NONE and id 0 for none.

    str() is what Go prints, such as "Goroutine(7)".
    """
    kind: int
    id: int

    def __str__(self):
        return structure_text(libgotrace().gt_resource_format, c.gt_resource(*self._as_c()), 64)

    def _as_c(self):
        return int(self.kind), 0, self.id


class Transition(typing.NamedTuple):
    """The states are GoState or ProcState, by resource.kind. stack is that of the resource."""
    resource: Resource
    from_state: int
    to_state: int
    reason: str
    stack: typing.Optional["Stack"]


class Metric(typing.NamedTuple):
    name: str
    value: Value


class Label(typing.NamedTuple):
    label: str
    resource: Resource


class Range(typing.NamedTuple):
    """cause is why the world was stopped, None for other ranges. Only ends have attributes."""
    name: str
    cause: typing.Optional[str]
    scope: Resource
    attributes: typing.Tuple[typing.Tuple[str, Value], ...]

    @property
    def full_name(self) -> str:
        """The name with the cause, such as "stop-the-world (GC mark termination)"."""
        return self.name if self.cause is None else "%s (%s)" % (self.name, self.cause)


class Task(typing.NamedTuple):
    """parent is NO_TASK if there is none."""
    id: int
    parent: int
    type: str


class Region(typing.NamedTuple):
    task: int
    type: str


class Log(typing.NamedTuple):
    task: int
    category: str
    message: str


class Clock(typing.NamedTuple):
    """One moment on three clocks, in nanoseconds; wall since 1970-01-01 UTC."""
    trace: int
    monotonic: int
    wall: int

    def wall_at(self, time: int) -> int:
        """The wall-clock time of a time of the trace. That of the last Sync is its end."""
        return self.wall + time - self.trace


class ExperimentalBatch(typing.NamedTuple):
    experiment: str
    experiment_id: int
    thread: int
    data: bytes


class Sync(typing.NamedTuple):
    """clock is None before Go 1.25."""
    number: int
    generation: int
    clock: typing.Optional[Clock]
    batches: typing.Tuple[ExperimentalBatch, ...]


class Experimental(typing.NamedTuple):
    name: str
    experiment: str
    arguments: typing.Tuple[typing.Tuple[str, Value], ...]


packing = functools.lru_cache(maxsize=None)(c.packing)


class Out:
    """A structure for a getter to fill, whose members are read all at once."""

    def __init__(self, structure):
        self.value = c.make(structure)
        self.pointer = ctypes.byref(self.value)
        self._view = memoryview(self.value).cast("B")
        self._packing = packing(structure)

    def members(self):
        return self._packing.unpack(self._view)


class Getters:
    """Reads the details of the current event of a reader, to which `slot` points."""

    def __init__(self, library, slot, make_stack):
        self._library = library
        self._slot = slot
        self._make_stack = make_stack
        self._outs = {}
        self._functions = {}

    def get(self, kind):
        """The details of an event of this kind; None if it has none or is of a newer kind."""
        read = READERS.get(kind)
        return read(self) if read else None

    def _members(self, structure):
        out = self._outs.get(structure)
        if out is None:
            out = self._outs[structure] = Out(structure)
            name = structure.__name__.replace("gt_", "gt_event_")
            self._functions[structure] = self._library.without_checks(name)
        check(self._functions[structure](self._slot, out.pointer))
        return out.members()

    def _transition(self):
        (_, kind, _, number, before, after, reason, reason_size,
         stack) = self._members(c.gt_transition)
        if kind == ResourceKind.GOROUTINE:
            states = GO_STATES
        else:
            states = PROC_STATES
        resource = Resource(RESOURCES.get(kind, kind), number)
        return Transition(resource, states.get(before, before), states.get(after, after),
                          decode(reason, reason_size), self._make_stack(stack))

    def _metric(self):
        _, name, name_size, *value = self._members(c.gt_metric)
        return Metric(decode(name, name_size), make_value(*value))

    def _label(self):
        _, label, label_size, kind, _, number = self._members(c.gt_label)
        return Label(decode(label, label_size), make_resource(kind, number))

    def _range(self):
        (_, name, name_size, cause, cause_size, has_cause, count, kind, _,
         number) = self._members(c.gt_range)
        return Range(decode(name, name_size), decode(cause, cause_size) if has_cause else None,
                     make_resource(kind, number),
                     self._pairs(self._library.gt_event_range_attribute, count))

    def _task(self):
        _, number, parent, kind, kind_size = self._members(c.gt_task)
        return Task(number, parent, decode(kind, kind_size))

    def _region(self):
        _, task, kind, kind_size = self._members(c.gt_region)
        return Region(task, decode(kind, kind_size))

    def _log(self):
        _, task, category, category_size, message, message_size = self._members(c.gt_log)
        return Log(task, decode(category, category_size), decode(message, message_size))

    def _sync(self):
        (_, number, generation, has_clock, count, trace, monotonic, seconds, nanoseconds,
         _) = self._members(c.gt_sync)
        clock = Clock(trace, monotonic, seconds * 10**9 + nanoseconds) if has_clock else None
        return Sync(number, generation, clock, tuple(self._batch(i) for i in range(count)))

    def _batch(self, index):
        batch = c.make(c.gt_experimental_batch)
        check(self._library.gt_event_experimental_batch(self._slot, index, ctypes.byref(batch)))
        return ExperimentalBatch(batch.experiment.text(), batch.experiment_id, batch.thread,
                                 batch.data.data[:batch.data.size])

    def _experimental(self):
        _, name, name_size, of, of_size, count, _ = self._members(c.gt_experimental)
        return Experimental(decode(name, name_size), decode(of, of_size),
                            self._pairs(self._library.gt_event_experimental_argument, count))

    def _pairs(self, getter, count):
        result = []
        name, value = c.gt_string(), c.gt_value()
        for index in range(count):
            check(getter(self._slot, index, ctypes.byref(name), ctypes.byref(value)))
            result.append((name.text(), make_value(value.kind, 0, value.number,
                           ctypes.addressof(value.string.data.contents), value.string.size)))
        return tuple(result)


def make_value(kind, _reserved, number, text, text_size):
    if kind == ValueKind.UINT64:
        return number
    return decode(text, text_size) if kind == ValueKind.STRING else None


def make_resource(kind, number):
    return Resource(name_of(ResourceKind, kind), number)


GO_STATES, PROC_STATES, RESOURCES = (
    {int(member): member for member in names} for names in (GoState, ProcState, ResourceKind))

# pylint: disable=protected-access
READERS = {
    EventKind.STATE_TRANSITION: Getters._transition,
    EventKind.METRIC: Getters._metric,
    EventKind.LABEL: Getters._label,
    EventKind.RANGE_BEGIN: Getters._range,
    EventKind.RANGE_ACTIVE: Getters._range,
    EventKind.RANGE_END: Getters._range,
    EventKind.TASK_BEGIN: Getters._task,
    EventKind.TASK_END: Getters._task,
    EventKind.REGION_BEGIN: Getters._region,
    EventKind.REGION_END: Getters._region,
    EventKind.LOG: Getters._log,
    EventKind.SYNC: Getters._sync,
    EventKind.EXPERIMENTAL: Getters._experimental,
}
