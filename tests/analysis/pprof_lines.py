#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints profiles of pprof as sorted lines "COUNT NANOSECONDS FRAME;FRAME;...".

pprof_lines.py FILE                     prints one
pprof_lines.py --record DIR COMMAND...  makes goldens of some of the traces in DIR/v1 and
                                        DIR/v2, with `COMMAND -pprof=KIND TRACE`, where
                                        COMMAND is such as "go tool trace"

A frame is FUNCTION:LINE, the leaf comes first, and a label is in brackets before it.
"""

import gzip
import pathlib
import subprocess
import sys

KINDS = ("net", "sync", "syscall", "sched")
# The traces with goldens: each has samples of a kind.
RECORDED = (
    "v1/go1.19-cpu", "v1/go1.19-sync", "v1/go1.21-net", "v1/go1.21-syscall",
    "v2/go1.22-cut", "v2/go1.22-gcgens", "v2/go1.22-sync", "v2/go1.24-net", "v2/go1.26-gcgens",
    "v2/go1.27-cut", "v2/go1.27-flight", "v2/go1.27-gens", "v2/go1.27-procs", "v2/go1.27-syscall",
)


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def read_fields(data):
    """The numbers of fields with their values, which are integers or bytes."""
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        value, at = read_varint(data, at)
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        elif tag & 7 != 0:
            raise ValueError("wire type %d" % (tag & 7))
        yield tag >> 3, value


def read_numbers(value):
    """Packed numbers, or the number of a field that is repeated for each."""
    if isinstance(value, int):
        return [value]
    numbers, at = [], 0
    while at < len(value):
        number, at = read_varint(value, at)
        numbers.append(number)
    return numbers


def read_sample(data):
    sample = {1: [], 2: [], 3: []}
    for field, value in read_fields(data):
        if field == 3:
            sample[3].append(dict(read_fields(value)))
        else:
            sample[field] += read_numbers(value)
    return sample


def read_lines(data):
    """The lines of a profile, which may be compressed."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    samples, locations, functions, strings = [], {}, {}, []
    for field, value in read_fields(data):
        if field == 2:
            samples.append(read_sample(value))
        elif field == 4:
            location = dict(read_fields(value))
            locations[location[1]] = dict(read_fields(location[4]))
        elif field == 5:
            function = dict(read_fields(value))
            functions[function[1]] = function
        elif field == 6:
            strings.append(value.decode("utf-8", "surrogateescape"))

    def frame(location):
        line = locations[location]
        return "%s:%d" % (strings[functions[line[1]].get(2, 0)], line.get(2, 0))

    return sorted("%d %d %s" % (
        sample[2][0], sample[2][1],
        ";".join(["[%s]" % strings[label[2]] for label in sample[3]] +
                 [frame(location) for location in sample[1]])) for sample in samples)


def record(directory, command):
    for name in RECORDED:
        trace = pathlib.Path(directory) / (name + ".trace")
        for kind in KINDS:
            output = subprocess.run(command + ["-pprof=" + kind, str(trace)], check=True,
                                    stdout=subprocess.PIPE).stdout
            text = "".join(line + "\n" for line in read_lines(output))
            path = trace.with_name(trace.stem + ".pprof-%s.gz" % kind)
            path.write_bytes(gzip.compress(text.encode("utf-8", "surrogateescape"), mtime=0))


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "--record":
        record(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 2:
        for line in read_lines(pathlib.Path(sys.argv[1]).read_bytes()):
            print(line)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
