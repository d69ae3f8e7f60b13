# SPDX-License-Identifier: BSD-3-Clause
"""Events, strings and durations as text, as Go prints them."""

import ctypes

from . import structures as c
from .constants import DURATION_TEXT_SIZE, WALL_CLOCK_TEXT_SIZE
from .errors import check
from .library import libgotrace


def event_text(reader, slot):
    """The text of the event to which a slot points."""
    room, size = 1024, ctypes.c_size_t()
    while True:
        text = ctypes.create_string_buffer(room)
        check(libgotrace().gt_event_format(reader, slot, text, room, ctypes.byref(size)))
        if size.value < room:
            return c.decode(ctypes.addressof(text), size.value)
        room = size.value + 1


def structure_text(function, structure, room):
    """The text that a function of the library formats of a structure."""
    text = ctypes.create_string_buffer(room)
    size = function(ctypes.byref(structure), text, room)
    return c.decode(ctypes.addressof(text), min(size, room - 1))


def quote(text: str) -> str:
    """Quotes text as Go's %q does, without the surrounding quotes."""
    data = c.gt_string.of(text)
    room = ctypes.create_string_buffer(4096)
    result = b""
    while data.size > 0:
        size = libgotrace().gt_string_quote(ctypes.byref(data), room, len(room))
        result += room.raw[:size]
    return result.decode("utf-8", "surrogateescape")


def format_duration(nanoseconds: int) -> str:
    """A duration as Go prints it, such as "1.5ms"."""
    text = ctypes.create_string_buffer(DURATION_TEXT_SIZE)
    libgotrace().gt_duration_format(nanoseconds, text, len(text))
    return text.value.decode()


def parse_duration(text: str) -> int:
    """The nanoseconds of a duration in Go's notation, such as "1.5ms"."""
    nanoseconds = ctypes.c_int64()
    check(libgotrace().gt_duration_parse(c.encode(text), ctypes.byref(nanoseconds)))
    return nanoseconds.value


def format_wall_clock(nanoseconds: int, ahead: int = 0) -> str:
    """Nanoseconds since 1970 in RFC 3339, `ahead` being the zone in seconds east of UTC."""
    text = ctypes.create_string_buffer(WALL_CLOCK_TEXT_SIZE)
    seconds, rest = divmod(nanoseconds, 10**9)
    libgotrace().gt_wall_clock_format(seconds, rest, ahead, text, len(text))
    return text.value.decode()
