# SPDX-License-Identifier: BSD-3-Clause
"""Reads Go execution traces through libgotrace. Needs only the standard library (ctypes).

    import gotrace

    with gotrace.open("my.trace") as trace:
        for event in trace:
            if event.kind == gotrace.EventKind.STATE_TRANSITION:
                change = event.details
                print(event.time, change.resource, change.to_state, change.reason)

`open` returns a Trace, which documents its options, lifetimes, and errors. Analyses of all
events are in gotrace.analysis, drawing for trace viewers is in gotrace.viewer.
docs/bindings.md is an introduction.

A Trace and everything made from it may be used by one thread at a time, except for Trace.cancel
and for copies of events.
"""

from . import details
from .analysis import Latency, Mmu, Profile, Summary, Validator
from .constants import (BACKGROUND_TASK, NO_GOROUTINE, NO_PROC, NO_TASK, NO_THREAD, CountedState,
                        CountedThread, Ending, EventKind, GoState, LatencyGroup, LatencyKind,
                        MmuFlag, ProcStandIn, ProcState, ProfileKind, ResourceKind, Rule, Section,
                        Status, View)
from .copies import EventCopy
from .errors import Error, ExpiredError, LimitError, TraceError
from .library import libgotrace, load
from .live import GoroutineInfo, ProcInfo, ThreadInfo
from .memory import Allocator
from .reader import Event, Trace, open_push
from .sources import Progress
from .stacks import Frame, Stack
from .tables import Columns as columns
from .text import format_duration, format_wall_clock, parse_duration, quote
from .viewer import Consumer, Emitter, JsonWriter, Selector, Splitter, Timeline, draw

open = Trace  # pylint: disable=redefined-builtin


def version():
    """The version of the library, such as "0.1.0"."""
    return libgotrace().gt_library_version_text().decode()


def kind_name(kind):
    """The name of a kind of event as Go prints it, such as "StateTransition"."""
    return libgotrace().gt_event_kind_name(kind).decode()


def state_name(resource, state):
    """The name of a state of a goroutine or a proc, such as "Running"."""
    if resource.kind == ResourceKind.GOROUTINE:
        return libgotrace().gt_go_state_name(state).decode()
    return libgotrace().gt_proc_state_name(state).decode()


def is_executing(resource, state) -> bool:
    """Whether a goroutine or a proc in this state is bound to a thread."""
    if resource.kind == ResourceKind.GOROUTINE:
        return bool(libgotrace().gt_goroutine_state_executing(state))
    return bool(libgotrace().gt_proc_state_executing(state))


def resource_name(kind):
    """The name of a kind of resource, such as "Goroutine"."""
    return libgotrace().gt_resource_kind_name(kind).decode()
