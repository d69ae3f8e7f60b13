#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the JSON of libgotrace-viewer with the calls that led to it.

viewer_test.py DRAW [SEED]

DRAW is the program draw: this test makes its input at random, and reads its output with a JSON
parser. It computes the expected output itself, in the simplest way.
"""

import json
import math
import random
import re
import struct
import subprocess
import sys

FIRST_FAR = 1000 * 2 ** 43
SHORTEST = {ord(c): e for c, e in zip("\"\\\b\f\n\r\t", ["\\\"", "\\\\", "\\b", "\\f", "\\n",
                                                         "\\r", "\\t"])}
COLORS = ["thread_state_uninterruptible", "thread_state_iowait", "thread_state_running",
          "thread_state_runnable", "thread_state_unknown", "light_memory_dump",
          "background_memory_dump", "detailed_memory_dump", "good", "bad", "terrible", "olive",
          "rail_response", "rail_animation", "rail_idle", "rail_load",
          "heap_dump_child_node_arrow", "cq_build_running", "cq_build_passed", "cq_build_failed",
          "cq_build_abandoned", "cq_build_attempt_runnig", "cq_build_attempt_passed"]
STAND_INS = [(1000004, "GC", -6), (1000002, "Network", -5), (1000001, "Timers", -4),
             (1000003, "Syscalls", -3)]


class Problem(Exception):
    """The output is not the expected one."""


def check(condition, *what):
    if not condition:
        raise Problem(" ".join(str(part) for part in what))


def quote(text):
    return "=" + text.hex()


class Drawing:
    """Input for DRAW, and the events and frames that are expected for it."""

    def __init__(self):
        self.lines = ["go"]
        self.events = []
        self.frames = {}
        self.ids = {}
        self.stacks = [0]

    def call(self, *words):
        self.lines.append(" ".join(str(word) for word in words))

    def event(self, name, phase, time, **more):
        event = {"name": name, "ph": phase, "ts": time, "pid": 0, "tid": 0}
        event.update(more)
        self.events.append({key: value for key, value in event.items()
                            if key in ("ph", "ts", "pid", "tid") or value not in (0, "", b"")})

    def stack(self, frames):
        self.call("stack", *("%d %d %s" % (pc, line, quote(name)) for pc, line, name in frames))
        parent = 0
        for pc, line, name in reversed(frames):
            if (parent, pc) not in self.ids:
                self.ids[parent, pc] = len(self.ids) + 1
                self.frames[self.ids[parent, pc]] = (name + b":%d" % line, parent)
            parent = self.ids[parent, pc]
        self.stacks.append(parent)
        return len(self.stacks) - 1

    def slice(self, kind, row, time, duration, name, stack=0, end_stack=0):
        self.call(kind, row, time, duration, quote(name), stack, end_stack)
        self.event(name, "X", time, dur=duration, tid=row, pid=2 if kind == "task_slice" else 0,
                   sf=self.stacks[stack], esf=self.stacks[end_stack])

    def flush(self, name=b""):
        """The events of the flush if only the kind of resources is named."""
        for section, text, place in ((1, b"STATS", 0), (0, name, 2)):
            self.event(b"process_name", "M", 0, pid=section, args={b"name": text})
            self.event(b"process_sort_index", "M", 0, pid=section, args={b"sort_index": place})
        for row, text, place in STAND_INS:
            self.event(b"thread_name", "M", 0, tid=row, args={b"name": text.encode()})
            self.event(b"thread_sort_index", "M", 0, tid=row, args={b"sort_index": place})


def run(draw, lines, *options):
    result = subprocess.run([draw] + [str(option) for option in options],
                            input="\n".join(lines) + "\n", stdout=subprocess.PIPE, timeout=60,
                            encoding="utf-8", check=True)
    return result.stdout


def unique(pairs):
    check(len(dict(pairs)) == len(pairs), "a key comes twice:", pairs)
    return dict(pairs)


def parse(text):
    """Parses strictly; numbers that are not integers stay texts."""
    return json.loads(text, parse_float=str, object_pairs_hook=unique)


def read(text):
    """The text that JSON must have for any bytes: U+FFFD for each that is not UTF-8."""
    result = ""
    while text:
        for size in (1, 2, 3, 4):
            try:
                result += text[:size].decode()
                break
            except UnicodeDecodeError:
                continue
        else:
            result, size = result + "\ufffd", 1
        text = text[size:]
    return result


def microseconds(nanoseconds):
    """The shortest decimal for the double."""
    text = repr(float(nanoseconds) / 1000)
    check("e" not in text, text)
    return text[:-2] if text.endswith(".0") else text


def expected_value(value):
    if isinstance(value, bytes):
        return read(value)
    if isinstance(value, dict):
        return {read(key): expected_value(inner) for key, inner in value.items()}
    return value


def expected_event(event):
    result = {key: expected_value(value) for key, value in event.items()}
    for key in ("ts", "dur"):
        if key in result:
            number = microseconds(result[key])
            result[key] = number if "." in number else int(number)
    return result


def wanted_frames(drawing, events):
    wanted = {}
    for event in events:
        for id_ in (event.get("sf", 0), event.get("esf", 0)):
            while id_ != 0:
                name, parent = drawing.frames[id_]
                wanted[str(id_)] = {"name": read(name)}
                if parent != 0:
                    wanted[str(id_)]["parent"] = parent
                id_ = parent
    return wanted


def check_drawing(draw, drawing, first=0, last=2 ** 64 - 1):
    text = run(draw, drawing.lines, "--events", first, last)
    found = parse(text)
    check(list(found) == ["displayTimeUnit", "traceEvents", "stackFrames"], list(found))
    check(found["displayTimeUnit"] == "ns", found["displayTimeUnit"])
    events = [event for number, event in enumerate(drawing.events)
              if event["ph"] == "M" or first <= number <= last]
    check(len(found["traceEvents"]) == len(events), len(found["traceEvents"]), len(events))
    for event, expected in zip(found["traceEvents"], events):
        check(event == expected_event(expected), event, "is not", expected_event(expected))
    check(found["stackFrames"] == wanted_frames(drawing, events), "frames differ")
    check(list(found["stackFrames"]) == sorted(found["stackFrames"]), "frames are not in order")
    return text


def test_empty(draw, _random):
    drawing = Drawing()
    drawing.flush()
    check_drawing(draw, drawing)


def random_times(random_):
    for bits in range(64):
        for _ in range(40):
            yield random_.randrange(2 ** bits)
    for near in (FIRST_FAR, 2 * FIRST_FAR - FIRST_FAR // 2, 2 ** 53, 2 ** 62, 1000 * 2 ** 52):
        for _ in range(300):
            yield near + random_.randrange(-3000, 3000)
    # Doubles in the middle between two thousandths, and neighbours of powers of two.
    for power in range(43, 53):
        start = struct.unpack("<q", struct.pack("<d", 2.0 ** power))[0]
        for step in list(range(-5, 6)) + [16 * step for step in range(1, 40)]:
            time = struct.unpack("<d", struct.pack("<q", start + step))[0]
            yield min(int(time * 1000), 2 ** 63 - 1)
    yield from (0, 1, 10, 100, 999, 1000, 1001, 2 ** 63 - 1)


def test_times(draw, random_):
    """Each time, positive or negative, is the shortest decimal that reads back."""
    drawing = Drawing()
    for time in random_times(random_):
        drawing.slice("slice", 1, time, -time, b"")
        drawing.slice("slice", 1, -time, time, b"")
    drawing.slice("slice", 1, -2 ** 63, 1, b"")
    drawing.flush()
    check_drawing(draw, drawing)
    for event in drawing.events:
        value = float(microseconds(event["ts"]))
        check(value == float(event["ts"]) / 1000 and math.isfinite(value), event)


def random_name(random_):
    kind = random_.randrange(4)
    if kind == 0:
        return random_.choice([b"", b"main.main", b"a\"b\\c", b"<a href='x'>&amp;</a>", b"\x7f"])
    if kind == 1:
        return bytes(random_.randrange(256) for _ in range(random_.randrange(20)))
    if kind == 2:
        points = [random_.choice([0x2028, 0x2029, 0xfffd, 0xffff, 0x80, 0x10ffff, 0x1f600, 9])
                  for _ in range(random_.randrange(6))]
        return "".join(map(chr, points)).encode()
    pieces = [b"\xe2\x80", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xf0\x8f\xbf\xbf",
              b"\xe0\x9f\xbf", b"\xf5", b"\xe2\x80\xa8", b"x", b"\xf0\x9f\x98", b"\xff"]
    return b"".join(random_.choice(pieces) for _ in range(random_.randrange(6)))


def test_names(draw, random_):
    """The JSON is valid and has the name, whatever its bytes are."""
    drawing = Drawing()
    for byte in range(256):
        drawing.slice("slice", 1, 0, 0, bytes([byte]))
        drawing.slice("slice", 1, 0, 0, b"a" + bytes([byte]) + b"b")
    for _ in range(2000):
        drawing.slice("slice", 1, 0, 0, random_name(random_))
    for lead in range(0xc0, 0x100):
        for second in (0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0):
            for rest in (b"\x80\x80", b"\xbf\xbf", b"\x80", b"", b"\x80x", b"x\x80"):
                drawing.slice("slice", 1, 0, 0, bytes([lead, second]) + rest)
    for size in (15, 255, 256, 257, 16383, 16384, 16385, 50000):
        drawing.slice("slice", 1, 0, 0, b"y" * size)
        drawing.slice("slice", 1, 0, 0, b"\x01" * size)
        drawing.slice("slice", 1, 0, 0, "\u20ac".encode() * size)
    kind = random_name(random_)
    drawing.call("type", quote(kind))
    drawing.flush(kind)
    text = check_drawing(draw, drawing)
    for bad in "<>&\u2028\u2029":
        check(bad not in text, "not escaped:", repr(bad))
    for code, escape in SHORTEST.items():
        check(escape in text and (code > 31 or "\\u%04x" % code not in text), "not short:", escape)


def test_arguments(draw, random_):
    drawing = Drawing()
    for _ in range(500):
        words, arguments = [], {}
        for number in range(random_.randrange(5)):
            key = b"%d" % number + random_.choice([b"", b"<", b"\xff", b"\""])
            kind = random_.choice("ust")
            value = {"u": random_.randrange(2 ** 64), "s": random_.randrange(-2 ** 63, 2 ** 63),
                     "t": random_name(random_)}[kind]
            words += [quote(key), kind, quote(value) if kind == "t" else value]
            arguments[key] = value
        drawing.call("instant", 5, 7, quote(b"i"), quote(b"<c>"), 0, *words)
        drawing.event(b"i", "I", 7, s="t", tid=5, cat=b"<c>",
                      **({"args": arguments} if arguments else {}))
    drawing.flush()
    check_drawing(draw, drawing)


def random_real(random_):
    kind = random_.randrange(3)
    if kind == 0:
        return round(random_.random() * 10 ** random_.randrange(10), random_.randrange(8))
    if kind == 1:
        return random_.choice([-1, 1]) * 2.0 ** random_.randrange(-1074, 1024)
    bits = random_.getrandbits(64)
    value = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value if math.isfinite(value) else 0.1


def significant(text):
    return text.lstrip("-").partition("e")[0].replace(".", "").strip("0")


def test_reals(draw, random_):
    """Each is the shortest decimal that reads back, and written as Go writes it."""
    reals = [0.0, -0.0, 1.0, -2.5, 0.1, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308,
             1e21, 123456789012345680000.0, 1e-6, 1e-7, 99678519453599.125]
    reals += [random_real(random_) for _ in range(4000)]
    lines = ["counter 0 =61 = =6b d %r" % real for real in reals]
    text = run(draw, lines)
    found = re.findall(r'"args":{"k":([^}]*)}', text.partition('"process_name"')[0])
    check(len(found) == len(reals), len(found))
    for real, written in zip(reals, found):
        check(float(written) == real and math.copysign(1, float(written)) == math.copysign(1, real),
              repr(real), written)
        check(significant(written) == significant(repr(real)), repr(real), "is not", written)
        has_exponent = real != 0 and (abs(real) < 1e-6 or abs(real) >= 1e21)
        check(("e" in written) == has_exponent, repr(real), written)
    check(found[:4] == ["0", "-0", "1", "-2.5"] and found[8:12] ==
          ["1e+21", "123456789012345680000", "0.000001", "1e-7"], found[:12])


def random_drawing(random_, size):
    drawing = Drawing()
    for number in range(size):
        if random_.random() < 0.3:
            drawing.stack([(random_.randrange(5), random_.randrange(3000), b"f%d" % number)
                           for _ in range(random_.randrange(12))])
        drawing.slice(random_.choice(["slice", "slice", "task_slice"]), random_.randrange(8),
                      random_.randrange(10 ** random_.randrange(1, 13)), random_.randrange(10 ** 6),
                      b"n" * random_.randrange(30), random_.randrange(len(drawing.stacks)),
                      random_.randrange(len(drawing.stacks)))
        if drawing.events[-1]["pid"] == 2:
            drawing.events[-1]["cname"] = COLORS[drawing.events[-1]["tid"]].encode()
    return drawing


def test_stacks_and_ranges(draw, random_):
    """The frames of written events are there, and no others."""
    for size in (3, 30, 300):
        drawing = random_drawing(random_, size)
        drawing.flush()
        check_drawing(draw, drawing)
        for _ in range(10):
            first = random_.randrange(size)
            check_drawing(draw, drawing, first, first + random_.randrange(size))


def json_size(event):
    """Writes like Go's encoder, which ends with a newline."""
    text = json.dumps(expected_event(event), separators=(",", ":"), ensure_ascii=False)
    numbers = sum(2 for key in ("ts", "dur") if isinstance(expected_event(event).get(key), str))
    return len(text.encode()) - numbers + 1


def simple_split(drawing, most):
    """SplittingTraceConsumer of Go, with its events and frames in plain lists."""
    required = [event for event in drawing.events if event["ph"] == "M"]
    events = [event for event in drawing.events if event["ph"] != "M"]
    common = len('{"traceEvents":[],"stackFrames":{},"displayTimeUnit":"ns"}\n')
    common += sum(json_size(event) for event in required) - 1
    parts, start, bytes_, seen = [], 0, 0, set()
    for number, event in enumerate(events):
        bytes_ += json_size(event) + 1
        for id_ in (event.get("sf", 0), event.get("esf", 0)):
            while id_ != 0 and id_ not in seen:
                name, parent = drawing.frames[id_]
                seen.add(id_)
                bytes_ += len('"%d":{"name":""},' % id_) + len(name)
                bytes_ += len(',"parent":%d' % parent) if parent else 0
                id_ = parent
        if common + bytes_ >= most:
            parts.append([start, number])
            start, bytes_, seen = number + 1, 0, set()
    if len(parts) <= 1:
        return []
    if start == len(events) - 1:
        parts[-1][1] = start
    elif start < len(events):
        parts.append([start, len(events) - 1])
    return [(first, last, events[first]["ts"], events[last]["ts"]) for first, last in parts]


def check_parts(draw, drawing, parts):
    """Each event is in one part."""
    counts = [0] * len(drawing.events)
    whole = parse(run(draw, drawing.lines))["traceEvents"]
    for first, last, _, _ in parts:
        part = parse(check_drawing(draw, drawing, first, last))["traceEvents"]
        check(part[:last - first + 1] == whole[first:last + 1], "a part has other events")
        for number in range(first, last + 1):
            counts[number] += 1
    check(all(count == (event["ph"] != "M") for count, event in zip(counts, drawing.events)),
          "parts overlap or leave something out")


def test_split(draw, random_):
    for size in (1, 2, 50, 400):
        drawing = random_drawing(random_, size)
        drawing.flush()
        for most in (1, 1500, 2000, 3000, 10000, 30000, 200000):
            lines = run(draw, drawing.lines, "--split", most).splitlines()
            parts = [tuple(int(word) for word in line.split()) for line in lines]
            check(parts == simple_split(drawing, most), parts, simple_split(drawing, most))
            if size == 50 and parts:
                check_parts(draw, drawing, parts)


def draw_row(drawing, random_, row, start, end, depth):
    """Slices are nested."""
    while end - start > 10 and random_.random() < 0.9:
        first = random_.randrange(start, end - 5)
        length = random_.randrange(1, end - first + 1)
        drawing.call("slice", row, first, length, quote(b"s"), 0, 0)
        if depth < 4:
            draw_row(drawing, random_, row, first, first + length, depth + 1)
        start = first + length


def nanoseconds(number):
    whole, _, part = str(number).partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


def check_nesting(events):
    rows = {}
    for event in events:
        if event["ph"] == "X":
            begin = nanoseconds(event["ts"])
            rows.setdefault((event["pid"], event["tid"]), []).append(
                (begin, -(begin + nanoseconds(event.get("dur", 0)))))
    for row in rows.values():
        open_ = []
        for begin, end in sorted(row):
            while open_ and open_[-1] <= begin:
                open_.pop()
            check(not open_ or -end <= open_[-1], "slices overlap at", begin)
            open_.append(-end)
    return len(rows)


def check_pairs(events, begin, end):
    """Both ends of each are there, in order, with ids from 1."""
    ids = []
    for event in events:
        if event["ph"] == begin:
            ids.append(event["id"])
        elif event["ph"] == end:
            check(event["id"] == ids[-1], "an end without its begin")
    check(ids == list(range(1, len(ids) + 1)), "ids are", ids)
    check(sum(event["ph"] == end for event in events) == len(ids), "an end is missing")
    return len(ids)


def check_metadata(events, rows):
    """They come after all others; each row is named once and has its place."""
    phases = "".join(event["ph"] for event in events)
    check(phases.rstrip("M").count("M") == 0, "metadata is not last")
    named = {}
    for event in events:
        if event["ph"] == "M":
            named.setdefault(event["name"], []).append((event["pid"], event["tid"]))
    check(sorted(named["process_name"]) == [(0, 0), (1, 0), (2, 0)], named["process_name"])
    for kind in ("process", "thread"):
        check(named[kind + "_name"] == named[kind + "_sort_index"], "places differ from names")
        check(len(set(named[kind + "_name"])) == len(named[kind + "_name"]), "named twice")
    check(rows <= {row for pid, row in named["thread_name"] if pid == 0}, "rows without a name")


def test_format(draw, random_):
    """The rules of Chrome's format."""
    drawing = Drawing()
    for row in range(5):
        draw_row(drawing, random_, row, 0, 10 ** 7, 0)
        drawing.call("name", row, quote(b"Proc %d" % row))
    for _ in range(100):
        drawing.call(random_.choice(["arrow", "task_arrow"]), random_.randrange(5),
                     random_.randrange(5), random_.randrange(9), random_.randrange(9), "=61", 0)
        drawing.call("async_slice", random_.randrange(5), random_.randrange(9), 5, "=61", 0, 0,
                     "=62", "=63", random_.randrange(3))
    drawing.call("task", 3, "=61", 1)
    drawing.call("heap", 5, 100)
    events = parse(run(draw, drawing.lines))["traceEvents"]
    check(check_nesting(events) == 5, "rows are missing")
    check(check_pairs(events, "s", "t") == 100 and check_pairs(events, "b", "e") == 100, "pairs")
    check_metadata(events, set(range(5)))
    for event in events:
        check({"ph", "ts", "pid", "tid"} <= set(event), event)
        check(event["ph"] != "C" or all(isinstance(value, int) for value in event["args"].values()),
              event)
        check(event["ph"] != "I" or event["s"] == "t", event)


def test_colors(draw, _random):
    """The colours of tasks, in Go's order, again and again."""
    lines = ["task_slice %d 0 1 = 0 0" % task for task in range(50)]
    events = parse(run(draw, lines))["traceEvents"]
    colors = [event["cname"] for event in events if event["ph"] == "X"]
    check(colors == [COLORS[task % len(COLORS)] for task in range(50)], colors)


def test_options(draw, _random):
    lines = ["slice %d %d 10 = 0 0" % (row, 100 * row) for row in range(1, 7)]
    lines.append("slice 2 0 10000 = 0 0")

    def rows(*options):
        return [event["tid"] for event in parse(run(draw, lines, *options))["traceEvents"]
                if event["ph"] == "X"]
    check(rows() == [1, 2, 3, 4, 5, 6, 2], rows())
    check(rows("--even") == [2, 4, 6, 2], rows("--even"))
    check(rows("--range", 200, 410) == [2, 3, 4], rows("--range", 200, 410))
    check(rows("--range", 211, 400, "--enclosing", "--even") == [4, 2], "enclosing")


def main():
    draw = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 27
    failed = 0
    for test in (test_colors, test_empty, test_times, test_names, test_arguments,
                 test_reals,
                 test_stacks_and_ranges, test_split, test_format, test_options):
        try:
            test(draw, random.Random(seed))
        except (Problem, subprocess.SubprocessError, json.JSONDecodeError) as problem:
            print("%s: %s" % (test.__name__, str(problem)[:2000]), file=sys.stderr)
            failed += 1
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
