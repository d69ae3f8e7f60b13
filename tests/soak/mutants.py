# SPDX-License-Identifier: BSD-3-Clause
"""Makes mutants of traces, in bytes or in the text of records (docs/formats.md, section 15)."""

import collections
import pathlib
import random
import re
import subprocess

HEADER = 16
LARGEST = 40000
NUMBER = re.compile(r"=(\d+)")
INTERESTING = (0, 1, 2, 3, 4, 7, 8, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**32, 2**53, 2**62,
               2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)

Original = collections.namedtuple("Original", "name data lines command")
Mutant = collections.namedtuple("Mutant", "origin data")


def originals(testdata, command):
    """The traces of the test data that Go's newest reader may read, up to a size."""
    traces = []
    for path in sorted(pathlib.Path(testdata).glob("v[12]/*.trace")):
        data = path.read_bytes()
        if len(data) <= LARGEST:
            text = subprocess.run([command, "text", str(path)], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL).stdout
            lines = text.decode("latin-1").splitlines(keepends=True)
            traces.append(Original(path.name, data, records(lines), command))
    return traces


def records(lines):
    """Joins the lines of a record, which begin with a tab but for the first one."""
    joined = []
    for line in lines:
        if joined and line.startswith("\t"):
            joined[-1] += line
        else:
            joined.append(line)
    return joined


def pick_place(chance, data):
    return chance.randrange(HEADER, len(data))


def flip_bit(chance, data):
    data[pick_place(chance, data)] ^= 1 << chance.randrange(8)


def set_byte(chance, data):
    data[pick_place(chance, data)] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))


def lose_piece(chance, data):
    place = pick_place(chance, data)
    del data[place:place + chance.choice((1, 2, 8, 64))]


def repeat_piece(chance, data):
    place = pick_place(chance, data)
    data[place:place] = data[place:place + chance.choice((1, 2, 8, 64))]


def cut(chance, data):
    del data[pick_place(chance, data):]


def change_number(chance, lines):
    """Replaces an argument of a record by a special number, a near one, or another one's."""
    place = chance.randrange(1, len(lines))
    found = list(NUMBER.finditer(lines[place]))
    if not found:
        return
    number = chance.choice(found)
    old = int(number.group(1))
    other = NUMBER.findall(lines[chance.randrange(1, len(lines))]) or ["0"]
    new = chance.choice((old + 1, old - 1, chance.choice(INTERESTING), chance.randrange(32),
                         int(chance.choice(other))))
    lines[place] = "%s=%d%s" % (lines[place][:number.start()], new % 2**64,
                                lines[place][number.end():])


def lose_record(chance, lines):
    del lines[chance.randrange(1, len(lines))]


def repeat_record(chance, lines):
    place = chance.randrange(1, len(lines))
    lines.insert(place, lines[place])


def move_record(chance, lines):
    line = lines.pop(chance.randrange(1, len(lines)))
    lines.insert(chance.randrange(1, len(lines) + 1), line)


def swap_records(chance, lines):
    place = chance.randrange(1, len(lines) - 1)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]


BYTES = (flip_bit, set_byte, lose_piece, repeat_piece, cut)
RECORDS = (change_number, change_number, change_number, lose_record, repeat_record, move_record,
           swap_records)


def make(seed, number, traces):
    """Mutant `number` of the seed; None if its text cannot be encoded."""
    chance = random.Random("%d %d" % (seed, number))
    original = chance.choice(traces)
    changes = chance.choice((1, 1, 1, 2, 3))
    if chance.random() < 0.25:
        data = bytearray(original.data)
        for _ in range(changes):
            if len(data) > HEADER + 1:
                chance.choice(BYTES)(chance, data)
        return Mutant(original.name, bytes(data))
    lines = list(original.lines)
    for _ in range(changes):
        chance.choice(RECORDS)(chance, lines)
    return encode(original, lines)


def encode(original, lines):
    result = subprocess.run([original.command, "encode", "-"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, input="".join(lines).encode("latin-1"))
    return Mutant(original.name, result.stdout) if result.returncode == 0 else None
