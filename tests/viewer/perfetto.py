# SPDX-License-Identifier: BSD-3-Clause
"""Reads files of Perfetto's format, strictly: every byte must belong to a field that libgotrace
writes, and the file must make sense to a Trace Processor."""
import collections
import struct

# For each message, its fields: the name and the type. A type is "uint", "int", "double", "fixed",
# "text" or the name of a message; "*" in front of it means that the field may be repeated.
MESSAGES = {
    "Trace": {1: ("packet", "*Packet")},
    "Packet": {
        6: ("clock_snapshot", "ClockSnapshot"), 8: ("timestamp", "uint"),
        10: ("sequence", "uint"), 11: ("event", "Event"), 12: ("interned", "Interned"),
        13: ("flags", "uint"), 59: ("defaults", "Defaults"), 60: ("track", "Track"),
        135: ("sample", "Sample"),
    },
    "Defaults": {11: ("event", "EventDefaults"), 58: ("clock", "uint"),
                 100: ("sample", "SampleDefaults")},
    "EventDefaults": {11: ("track", "uint"), 31: ("extra_tracks", "*uint")},
    "SampleDefaults": {1: ("source", "text"), 2: ("counter", "SampleCounter")},
    "SampleCounter": {2: ("name", "text"), 3: ("unit", "uint")},
    "Sample": {1: ("task", "Task"), 6: ("stack", "uint"), 11: ("weight", "uint")},
    "Task": {2: ("pid", "uint"), 3: ("tid", "uint"), 4: ("context", "uint")},
    "Context": {1: ("iid", "uint"), 2: ("text", "text"), 3: ("kind", "text")},
    "ClockSnapshot": {1: ("clocks", "*Clock")},
    "Clock": {1: ("id", "uint"), 2: ("time", "uint")},
    "Event": {
        3: ("category_iids", "*uint"), 4: ("annotations", "*Annotation"), 9: ("type", "uint"),
        10: ("name_iid", "uint"), 11: ("track", "uint"), 12: ("extra_values", "*int"),
        22: ("categories", "*text"), 23: ("name", "text"), 30: ("value", "int"),
        31: ("extra_tracks", "*uint"), 44: ("double_value", "double"),
        45: ("extra_double_tracks", "*uint"), 46: ("extra_double_values", "*double"),
        47: ("flows", "*fixed"), 48: ("ended_flows", "*fixed"), 52: ("correlation", "uint"),
        56: ("stack", "uint"), 57: ("weight", "double"),
    },
    "Annotation": {
        1: ("name_iid", "uint"), 3: ("uint", "uint"), 4: ("int", "int"),
        5: ("double", "double"), 6: ("text", "text"), 10: ("name", "text"),
        17: ("text_iid", "uint"),
    },
    "Interned": {
        1: ("categories", "*Text"), 2: ("names", "*Text"), 3: ("keys", "*Text"),
        5: ("functions", "*Text"), 6: ("frames", "*Frame"), 7: ("stacks", "*Stack"),
        18: ("paths", "*Text"), 29: ("values", "*Text"), 51: ("contexts", "*Context"),
    },
    "Text": {1: ("iid", "uint"), 2: ("text", "text")},
    "Frame": {1: ("iid", "uint"), 2: ("function", "uint"), 5: ("path", "uint"),
              6: ("line", "uint")},
    "Stack": {1: ("iid", "uint"), 2: ("frames", "*uint")},
    "Track": {
        1: ("uuid", "uint"), 2: ("name", "text"), 3: ("process", "Process"),
        4: ("thread", "Thread"), 5: ("parent", "uint"), 8: ("counter", "Counter"),
        11: ("ordering", "uint"), 12: ("rank", "int"), 15: ("merge", "uint"),
        16: ("merge_key", "text"),
    },
    "Process": {1: ("pid", "uint"), 6: ("name", "text")},
    "Thread": {1: ("pid", "uint"), 2: ("tid", "uint"), 5: ("name", "text")},
    "Counter": {3: ("unit", "uint"), 7: ("share_key", "text")},
}
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
CLEARED, NEEDS_STATE = 1, 2
# The clocks of a snapshot.
REALTIME, MONOTONIC, BOOTTIME, SEQUENCE = 1, 3, 6, 64


class Problem(Exception):
    """The file is not what it should be."""


def check(condition, *what):
    if not condition:
        raise Problem(" ".join(str(part) for part in what))


WIRES = {"uint": 0, "int": 0, "double": 1, "fixed": 1}


def fields_by_tag(fields):
    """The name and the type of each field of a message, and whether it may be repeated, by the tag
    that stands before it: there are millions of fields, and so nothing is looked up twice."""
    result = {}
    for number, (name, kind) in fields.items():
        single = kind.lstrip("*")
        result[number << 3 | WIRES.get(single, 2)] = (name, single, kind[0] == "*")
    return result


TAGS = {message: fields_by_tag(fields) for message, fields in MESSAGES.items()}


def read_varint(data, at):
    value, first, size = 0, at, len(data)
    while at < size and at < first + 10:
        byte = data[at]
        value |= (byte & 0x7f) << 7 * (at - first)
        at += 1
        if byte < 0x80:
            check(value < 1 << 64, "a number has more than 64 bits")
            return value, at
    raise Problem("a number is cut off or too long")


def read_value(data, at, end, kind):
    """The value of a field, and its end."""
    if kind in ("double", "fixed"):
        check(at + 8 <= end, "a fixed number is cut off")
        return struct.unpack_from("<d" if kind == "double" else "<Q", data, at)[0], at + 8
    # Most numbers and sizes have one byte.
    value = data[at] if at < end else 0x80
    if value < 0x80:
        at += 1
    else:
        value, at = read_varint(data, at)
    if kind == "uint":
        return value, at
    if kind == "int":
        return (value - (1 << 64) if value >> 63 else value), at
    past = at + value
    check(past <= end, kind, "is cut off")
    return (data[at:past].decode() if kind == "text" else read(kind, data, at, past)), past


def read(message, data, at, end):
    """The fields of a message, by their names."""
    fields, result = TAGS[message], {}
    while at < end:
        tag = data[at]
        if tag < 0x80:
            at += 1
        else:
            tag, at = read_varint(data, at)
        if tag not in fields:
            raise Problem(f"{message} has no field {tag >> 3} of wire type {tag & 7}")
        name, kind, is_repeated = fields[tag]
        value, at = read_value(data, at, end, kind)
        if is_repeated:
            result.setdefault(name, []).append(value)
        elif name in result:
            raise Problem(f"{message} has two of {name}")
        else:
            result[name] = value
    check(at == end, message, "is cut off")
    return result


def places(data):
    """Begin and end of each packet of a file."""
    at = 0
    while at < len(data):
        check(data[at] == 0x0a, "no packet at", at)
        size, at = read_varint(data, at + 1)
        check(at + size <= len(data), "the last packet is cut off")
        yield at, at + size
        at += size


def packets(data):
    """Each packet of a file."""
    for begin, end in places(data):
        yield read("Packet", data, begin, end)


Slice = collections.namedtuple("Slice", "track begin end name categories arguments depth "
                                        "stack end_stack weight")
Sample = collections.namedtuple("Sample", "time tid context stack weight")
Instant = collections.namedtuple("Instant", "track time name categories arguments stack")


class Open:
    """A slice that has begun."""

    def __init__(self, time, event):
        self.time = time
        self.event = event
        self.ended = None


class Sequence:
    """What the packets of one sequence have defined."""

    def __init__(self):
        self.texts = {name: {} for name in ("categories", "names", "keys", "values", "functions",
                                            "paths")}
        self.frames = {}
        self.stacks = {}
        self.contexts = {}
        self.zero = None
        self.defaults = {}

    def define(self, interned):
        for name, known in self.texts.items():
            for entry in interned.get(name, []):
                check(entry["iid"] not in known, name, "has two of", entry["iid"])
                known[entry["iid"]] = entry["text"]
        for context in interned.get("contexts", []):
            check(context["iid"] not in self.contexts, "two contexts", context["iid"])
            self.contexts[context["iid"]] = context["text"]
        for frame in interned.get("frames", []):
            check(frame["iid"] not in self.frames, "two frames", frame["iid"])
            self.frames[frame["iid"]] = (self.texts["functions"][frame["function"]],
                                         self.texts["paths"].get(frame.get("path"), ""),
                                         frame.get("line", 0))
            check("path" not in frame or frame["path"] in self.texts["paths"], "no path", frame)
        for stack in interned.get("stacks", []):
            check(stack["iid"] not in self.stacks, "two stacks", stack["iid"])
            self.stacks[stack["iid"]] = [self.frames[frame] for frame in stack["frames"]]

    def stack(self, event):
        check("stack" not in event or event["stack"] in self.stacks, "no stack", event)
        return self.stacks.get(event.get("stack"))


class Trace:
    """A file: its tracks, and what is on them."""

    def __init__(self, data):
        self.size = len(data)
        self.sequences = collections.defaultdict(Sequence)
        self.tracks = {}
        self.values = collections.defaultdict(list)
        self.clocks = []
        self.slices = []
        self.instants = []
        self.samples = []
        self.flows = {}
        self.ended_flows = {}
        self.packets = 0
        self.events = []
        for packet in packets(data):
            self.packets += 1
            self.take(packet)
        self.pair()
        self.check_tracks()

    def take(self, packet):
        new = packet["sequence"] not in self.sequences
        sequence = self.sequences[packet["sequence"]]
        check(packet.get("flags") == (CLEARED | NEEDS_STATE if new else None), "flags", packet)
        check(("defaults" in packet) == new, "defaults", packet)
        if new:
            self.take_defaults(sequence, packet["defaults"])
        if "interned" in packet:
            sequence.define(packet["interned"])
        if "clock_snapshot" in packet:
            self.take_clocks(sequence, packet["clock_snapshot"]["clocks"])
        elif "track" in packet:
            self.take_track(packet["track"])
        elif "event" in packet:
            self.take_event(sequence, packet)
        elif "sample" in packet:
            sample, task = packet["sample"], packet["sample"]["task"]
            self.samples.append(Sample(
                packet["timestamp"] + sequence.zero, task.get("tid"),
                sequence.contexts[task["context"]] if "context" in task else None,
                sequence.stack(sample), sample["weight"]))

    @staticmethod
    def take_defaults(sequence, defaults):
        clock = defaults.get("clock", SEQUENCE)
        check(clock in (MONOTONIC, SEQUENCE), "clock", defaults)
        if clock == MONOTONIC:
            sequence.zero = 0
        sequence.defaults.update(defaults.get("event", {}))

    def take_clocks(self, sequence, clocks):
        clocks = {clock["id"]: clock["time"] for clock in clocks}
        check(clocks[MONOTONIC] == clocks[BOOTTIME], "clocks", clocks)
        if SEQUENCE in clocks:
            check(sequence.zero is None and clocks[SEQUENCE] == 0, "two clocks of a sequence")
            sequence.zero = clocks[MONOTONIC]
        if REALTIME in clocks:
            self.clocks.append((clocks[MONOTONIC], clocks[REALTIME]))

    def take_track(self, track):
        check(track["uuid"] not in self.tracks, "two tracks", track["uuid"])
        self.tracks[track["uuid"]] = track

    def take_event(self, sequence, packet):
        event = packet["event"]
        time = packet["timestamp"] + sequence.zero
        if event["type"] == COUNTER:
            self.take_values(sequence, event, time)
        else:
            self.events.append((time, sequence, event))

    def take_values(self, sequence, event, time):
        extra = event.get("extra_values", [])
        event = {**sequence.defaults, **event}
        # There may be more tracks by default than values.
        tracks = [event["track"]] + event.get("extra_tracks", [])[:len(extra)]
        values = [event["value"]] if "value" in event else [event["double_value"]]
        values += extra
        double_tracks = event.get("extra_double_tracks", [])
        doubles = event.get("extra_double_values", [])
        check(len(tracks) == len(values) and len(double_tracks) == len(doubles), event)
        for track, value in zip(tracks + double_tracks, values + doubles):
            if track not in self.values:
                check("counter" in self.tracks.get(track, {}), "a value before its track", event)
            self.values[track].append((time, value))

    def pair(self):
        """Puts the events in the order of a Trace Processor, and slices together."""
        opened = collections.defaultdict(list)
        for time, sequence, event in sorted(self.events, key=lambda event: event[0]):
            self.take_flows(time, event)
            stack = opened[event["track"]]
            if event["type"] == BEGIN:
                check(len(stack) < 512, "slices nest too deep")
                self.check_ended(stack, time)
                stack.append(Open(time, event))
            elif event["type"] == END:
                self.end_slice(stack, time, sequence, event)
            else:
                check(event["type"] == INSTANT, "type", event)
                self.instants.append(Instant(
                    event["track"], time, self.name(sequence, event),
                    self.categories(sequence, event), self.arguments(sequence, event),
                    sequence.stack(event)))
        for track, left in opened.items():
            check(not left, "slices of track", track, "do not end")

    def end_slice(self, opened, time, sequence, event):
        """Ends the innermost slice, or the innermost one of the name. Those inside it must then
        end at the same time."""
        self.check_ended(opened, time)
        place = len(opened) - 1
        name = self.name(sequence, event)
        while place >= 0 and (opened[place].ended or
                              name not in ("", self.name(sequence, opened[place].event))):
            place -= 1
        check(place >= 0, "nothing ends at", time, event)
        first = opened[place].event
        begin = opened[place].time
        opened[place].ended = time
        while opened and opened[-1].ended:
            opened.pop()
        arguments = self.arguments(sequence, first)
        arguments.update(self.arguments(sequence, event))
        self.slices.append(Slice(
            event["track"], begin, time, self.name(sequence, first),
            self.categories(sequence, first), arguments, place, sequence.stack(first),
            sequence.stack(event), first.get("weight")))

    @staticmethod
    def check_ended(opened, time):
        for outer in opened:
            check(not outer.ended or outer.ended == time, "a slice is left at", time, outer.event)

    def take_flows(self, time, event):
        for flow in event.get("flows", []):
            check(flow not in self.flows, "two flows", flow)
            self.flows[flow] = time
        for flow in event.get("ended_flows", []):
            check(flow in self.flows and flow not in self.ended_flows, "no flow", flow)
            self.ended_flows[flow] = time

    @staticmethod
    def interned(sequence, kind, iid):
        check(iid in sequence.texts[kind], kind, "have no", iid)
        return sequence.texts[kind][iid]

    def name(self, sequence, event):
        if "name_iid" in event:
            return self.interned(sequence, "names", event["name_iid"])
        return event.get("name", "")

    def categories(self, sequence, event):
        return [self.interned(sequence, "categories", iid)
                for iid in event.get("category_iids", [])] + event.get("categories", [])

    def arguments(self, sequence, event):
        result = {}
        for annotation in event.get("annotations", []):
            key = (self.interned(sequence, "keys", annotation["name_iid"])
                   if "name_iid" in annotation else annotation.get("name", ""))
            value = next((annotation[kind] for kind in ("uint", "int", "double", "text")
                          if kind in annotation), "")
            if "text_iid" in annotation:
                value = self.interned(sequence, "values", annotation["text_iid"])
            result[key] = value
        return result

    def check_tracks(self):
        used = {slice.track for slice in self.slices} | set(self.values)
        used |= {instant.track for instant in self.instants}
        for uuid in used:
            check(uuid in self.tracks, "no track", uuid)
        for track in self.tracks.values():
            check("parent" not in track or track["parent"] in self.tracks, "no parent", track)
        check(set(self.flows) == set(self.ended_flows), "flows without an end")

    def counts(self):
        """What a Trace Processor counts."""
        frames = sum(len(sequence.frames) for sequence in self.sequences.values())
        stacks = sum(slice.stack is not None for slice in self.slices)
        stacks += sum(slice.end_stack is not None for slice in self.slices)
        stacks += sum(instant.stack is not None for instant in self.instants + self.samples)
        return {"slices": len(self.slices), "instants": len(self.instants),
                "flows": len(self.flows), "values": sum(map(len, self.values.values())),
                "stacks": stacks, "frames": frames, "samples": len(self.samples)}

    def path(self, uuid):
        """The names of a track and what it is in, outermost first."""
        names = []
        while uuid:
            track = self.tracks[uuid]
            inner = track.get("process") or track.get("thread") or {}
            names.append(track.get("name", inner.get("name", "")))
            uuid = track.get("parent")
        return tuple(reversed(names))
