# SPDX-License-Identifier: BSD-3-Clause
"""Events of the Python module as `gotrace dump` prints them with TZ=UTC."""

import datetime

import gotrace
from gotrace import EventKind, ResourceKind, details

EPOCH = datetime.datetime(1970, 1, 1)


def quote(text):
    return '"%s"' % gotrace.quote(text)


def dump_value(value):
    if isinstance(value, int):
        return "Value{Uint64(%d)}" % value
    return "Value{Bad}" if value is None else value


def dump_resource(resource):
    name = gotrace.resource_name(resource.kind)
    return name if resource.kind == ResourceKind.NONE else "%s(%d)" % (name, resource.id)


def dump_stack(title, stack):
    if stack is None:
        return ""
    return "\n%s=\n" % title + "".join(
        "\t%s @ 0x%x\n\t\t%s:%d\n" % (frame.function, frame.pc, frame.file, frame.line)
        for frame in stack)


def dump_wall(wall):
    seconds, nanoseconds = divmod(wall, 10**9)
    text = (EPOCH + datetime.timedelta(seconds=seconds)).isoformat()
    return text + ("." + "%09d" % nanoseconds).rstrip("0").rstrip(".") + "Z"


def dump_transition(change):
    resource = change.resource
    return " %s=%d %s->%s Reason=%s%s" % (
        "GoID" if resource.kind == ResourceKind.GOROUTINE else "ProcID", resource.id,
        gotrace.state_name(resource, change.from_state),
        gotrace.state_name(resource, change.to_state), quote(change.reason),
        dump_stack("TransitionStack", change.stack))


def dump_range(event, what):
    name = what.name if what.cause is None else "%s (%s)" % (what.name, what.cause)
    text = " Name=%s Scope=%s" % (quote(name), dump_resource(what.scope))
    if event.kind == EventKind.RANGE_END:
        text += " Attributes=[%s]" % " ".join(
            "%s=%s" % (quote(key), dump_value(value)) for key, value in what.attributes)
    return text


def dump_sync(sync):
    text = " N=%d" % sync.number
    if sync.clock:
        text += " Trace=%d Mono=%d Wall=%s" % (sync.clock.trace, sync.clock.monotonic,
                                               dump_wall(sync.clock.wall))
    return text


def dump_details(event):
    what = event.details
    if isinstance(what, details.Transition):
        return dump_transition(what)
    if isinstance(what, details.Metric):
        return " Name=%s Value=%s" % (quote(what.name), dump_value(what.value))
    if isinstance(what, details.Label):
        return " Label=%s Resource=%s" % (quote(what.label), dump_resource(what.resource))
    if isinstance(what, details.Range):
        return dump_range(event, what)
    if isinstance(what, details.Task):
        return " ID=%d Parent=%d Type=%s" % (what.id, what.parent, quote(what.type))
    if isinstance(what, details.Region):
        return " Task=%d Type=%s" % (what.task, quote(what.type))
    if isinstance(what, details.Log):
        return " Task=%d Category=%s Message=%s" % (what.task, quote(what.category),
                                                    quote(what.message))
    if isinstance(what, details.Experimental):
        return " Name=%s Args=[%s]" % (what.name, ", ".join(
            "%s=%s" % (key, dump_value(value)) for key, value in what.arguments))
    return dump_sync(what) if isinstance(what, details.Sync) else ""


def dump_event(event):
    return "M=%d P=%d G=%d %s Time=%d%s%s\n" % (
        event.thread, event.proc, event.goroutine, gotrace.kind_name(event.kind), event.time,
        dump_details(event), dump_stack("Stack", event.stack))


def dump(trace):
    """All events as text, and what was raised after them, or None."""
    lines = []
    try:
        for event in trace:
            lines.append(dump_event(event))
    except gotrace.Error as error:
        return "".join(lines), error
    return "".join(lines), None
