# SPDX-License-Identifier: BSD-3-Clause
"""Copies of events, which remain valid without limit."""

import ctypes
import typing

from . import structures as c
from .constants import STACK_NONE, ResourceKind, Status
from .details import Getters, Transition
from .errors import Error, check
from .library import libgotrace
from .stacks import Frame, Stack, copy_frames
from .text import event_text


class Common:
    """What events and their copies have in common."""

    __slots__ = ()

    @property
    def goroutine_transition(self) -> typing.Optional[Transition]:
        """The details, if a goroutine changes its state; otherwise None."""
        return self._transition(ResourceKind.GOROUTINE)

    @property
    def proc_transition(self) -> typing.Optional[Transition]:
        """The details, if a proc changes its state; otherwise None."""
        return self._transition(ResourceKind.PROC)

    def _transition(self, kind):
        details = self.details
        is_one = isinstance(details, Transition) and details.resource.kind == kind
        return details if is_one else None


class CopiedMemory:
    """What gt_event_copy has made. It never changes, so any thread may read it."""

    __slots__ = ("slot",)

    def __init__(self, reader, event):
        self.slot = ctypes.c_void_p()
        check(libgotrace().gt_event_copy(reader, event, None, ctypes.byref(self.slot)))

    def __del__(self):
        libgotrace().gt_event_free(ctypes.byref(self.slot))

    def stack(self, handle):
        return Stack(self, handle) if handle != STACK_NONE else None

    def frames(self, handle) -> typing.Tuple[Frame, ...]:
        frames, count = ctypes.POINTER(c.gt_frame)(), ctypes.c_size_t()
        check(libgotrace().gt_event_frames(None, self.slot, handle, ctypes.byref(frames),
                                           ctypes.byref(count)))
        return copy_frames(frames, count.value)

    def intern(self, _handle):
        raise Error(Status.ERR_INVALID_ARGUMENT, "the stack of a copied event has no id")


class EventCopy(Common):
    """A copy of an event, with everything that it refers to: see Event for its attributes.

    It remains valid when the trace goes on or is closed, and any thread may use it.
    """

    __slots__ = ("number", "kind", "time", "thread", "proc", "goroutine", "_memory")

    def __init__(self, event, reader, slot):
        self._memory = CopiedMemory(reader, slot)
        for name in EventCopy.__slots__[:-1]:
            setattr(self, name, getattr(event, name))

    def copy(self) -> "EventCopy":
        """The copy itself, as it never changes."""
        return self

    @property
    def details(self):
        """The content of the event: see gotrace.details. None if there is none."""
        memory = self._memory
        return Getters(libgotrace(), memory.slot, memory.stack).get(self.kind)

    @property
    def stack(self) -> typing.Optional[Stack]:
        """The Stack of the event's own context, or None."""
        return self._memory.stack(libgotrace().gt_event_stack(self._memory.slot))

    @property
    def wall_clock(self) -> typing.Optional[int]:
        """Nanoseconds since 1970-01-01 UTC, or None before Go 1.25."""
        return wall_clock_at(self._memory.slot)

    def __str__(self):
        return event_text(None, self._memory.slot)

    def __repr__(self):
        return "<EventCopy %d time=%d>" % (self.number, self.time)


def wall_clock_at(slot):
    """The wall clock of the event to which a slot points."""
    seconds, nanoseconds = ctypes.c_int64(), ctypes.c_uint32()
    status = libgotrace().gt_event_wall_clock(slot, ctypes.byref(seconds),
                                              ctypes.byref(nanoseconds))
    if status == Status.ERR_NOT_AVAILABLE:
        return None
    check(status)
    return seconds.value * 10**9 + nanoseconds.value
