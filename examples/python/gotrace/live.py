# SPDX-License-Identifier: BSD-3-Clause
"""What exists in the traced program at the position of a Trace."""

import ctypes
import typing

from . import structures as c
from .constants import (NO_GOROUTINE, NO_PROC, NO_THREAD, STACK_NONE, GoState, ProcState, Status,
                        name_of)
from .errors import check
from .stacks import Stack


class GoroutineInfo(typing.NamedTuple):
    """gt_goroutine_info: what a goroutine does. thread, proc and creator are None for none.

    since_known and previous_known tell whether the trace contains the begin of the state.
    """
    number: int
    id: int
    state: int
    since_known: bool
    since: int
    previous_since: int
    previous_state: int
    previous_known: bool
    reason: str
    name: str
    thread: typing.Optional[int]
    proc: typing.Optional[int]
    stack: typing.Optional[Stack]
    start_stack: typing.Optional[Stack]
    created: int
    creator: typing.Optional[int]
    creator_stack: typing.Optional[Stack]


class ProcInfo(typing.NamedTuple):
    """gt_proc_info: what a proc does. thread and goroutine are None for none."""
    number: int
    id: int
    state: int
    since_known: bool
    since: int
    previous_since: int
    previous_state: int
    previous_known: bool
    thread: typing.Optional[int]
    goroutine: typing.Optional[int]


class ThreadInfo(typing.NamedTuple):
    """gt_thread_info: what a thread does. proc and goroutine are None for none."""
    number: int
    id: int
    since: int
    proc: typing.Optional[int]
    goroutine: typing.Optional[int]


def id_or_none(none):
    return lambda number, _trace: None if number == none else number


def stack_of(handle, trace):
    return Stack(trace, handle) if handle != STACK_NONE else None


def text_of(string, _trace):
    return string.text()


def state_of(states):
    return lambda state, _trace: name_of(states, state)


CONVERSIONS = {
    "since_known": lambda is_known, _trace: bool(is_known),
    "previous_known": lambda is_known, _trace: bool(is_known),
    "reason": text_of, "name": text_of,
    "thread": id_or_none(NO_THREAD), "proc": id_or_none(NO_PROC),
    "goroutine": id_or_none(NO_GOROUTINE), "creator": id_or_none(NO_GOROUTINE),
    "stack": stack_of, "start_stack": stack_of, "creator_stack": stack_of,
}


class Table:
    """The goroutines, procs or threads of a Trace."""

    def __init__(self, name, structure, result, states=None):
        self._find = "gt_reader_" + name
        self._next = "gt_reader_next_" + name
        self._structure = structure
        self._result = result
        self._conversions = dict(CONVERSIONS)
        if states:
            self._conversions["state"] = self._conversions["previous_state"] = state_of(states)

    def _convert(self, info, trace):
        as_it_is = (lambda number, _trace: number)
        return self._result(*(self._conversions.get(name, as_it_is)(getattr(info, name), trace)
                              for name in self._result._fields))

    def find(self, trace, library, number):
        """What there is with an id, or None."""
        info = c.make(self._structure)
        status = getattr(library, self._find)(trace.handle, number, ctypes.byref(info))
        if status == Status.ERR_NOT_AVAILABLE:
            return None
        check(status)
        return self._convert(info, trace)

    def all(self, trace, library):
        """All that exist, in the order in which they came."""
        info, function = c.make(self._structure), getattr(library, self._next)
        while True:
            status = function(trace.handle, ctypes.byref(info))
            check(status)
            if status == Status.END:
                return
            yield self._convert(info, trace)


GOROUTINES = Table("goroutine", c.gt_goroutine_info, GoroutineInfo, GoState)
PROCS = Table("proc", c.gt_proc_info, ProcInfo, ProcState)
THREADS = Table("thread", c.gt_thread_info, ThreadInfo)
