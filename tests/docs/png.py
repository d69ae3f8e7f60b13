# SPDX-License-Identifier: BSD-3-Clause
"""Packs a screenshot as small as zlib can: browsers pack theirs quickly instead.

Pictures of a user interface have long runs of equal pixels, for which rows as they are do
better than differences. With few enough colours a palette is better still.
"""

import struct
import zlib

# Squares of what the eye can tell apart in small areas.
DIFFERENT = 300
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_chunks(data):
    position = len(SIGNATURE)
    while position < len(data):
        size, kind = struct.unpack(">I4s", data[position:position + 8])
        yield kind, data[position + 8:position + 8 + size]
        position += size + 12


def paeth(left, up, corner):
    estimate = left + up - corner
    distances = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    return (left, up, corner)[distances.index(min(distances))]


def unfilter(raw, height, stride, step):
    """The rows of a picture, as bytes."""
    above, rows = bytes(stride), []
    for y in range(height):
        start = y * (stride + 1)
        how, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        if how == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, above))
        elif how != 0:
            for x in range(stride):
                left = row[x - step] if x >= step else 0
                corner = above[x - step] if x >= step else 0
                guess = (left if how == 1 else (left + above[x]) // 2 if how == 3
                         else paeth(left, above[x], corner))
                row[x] = (row[x] + guess) & 255
        above = bytes(row)
        rows.append(above)
    return rows


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def distance(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other))


def choose_palette(pixels):
    """
    256 colours, and for each the number of the one that stands for it: the most common ones
    that differ from each other, so that rare colours are among them, then what is common else.
    """
    counts = {}
    for pixel in pixels:
        counts[pixel] = counts.get(pixel, 0) + 1
    colors = sorted(counts, key=lambda color: (-counts[color], color))
    palette = []
    for apart in (DIFFERENT, 0):
        for color in colors:
            if len(palette) < 256 and all(distance(color, each) > apart for each in palette):
                palette.append(color)
    return palette, {color: min(range(len(palette)), key=lambda i: distance(palette[i], color))
                     for color in colors}


def shrink(data):
    """The same picture in fewer bytes, of the 256 colours that are most common in it."""
    chunks = list(read_chunks(data))
    width, height, depth, kind, _method, _filter, interlaced = struct.unpack(
        ">IIBBBBB", chunks[0][1])
    step = {2: 3, 6: 4}.get(kind)
    if depth != 8 or interlaced or not step:
        raise ValueError("a picture of another kind")
    raw = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    rows = unfilter(raw, height, width * step, step)
    lines = [[tuple(row[x:x + 3]) for x in range(0, len(row), step)] for row in rows]
    palette, numbers = choose_palette(pixel for line in lines for pixel in line)
    packed = b"".join(b"\0" + bytes(numbers[pixel] for pixel in line) for line in lines)
    return (SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", b"".join(bytes(color) for color in palette)) +
            chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))
