# SPDX-License-Identifier: BSD-3-Clause
"""The sources of traces, and the Python functions that a reader calls."""

import ctypes
import os
import stat
import threading
import typing

from . import structures as c
from .calls import guard
from .errors import make_error


class Progress(typing.NamedTuple):
    """How far the reading has come, in bytes. bytes_total is None if it is not known."""
    bytes_read: int
    bytes_decoded: int
    bytes_total: typing.Optional[int]


class Callbacks:
    """The callbacks of a reader, and the exception that one of them raised.

    Exceptions cannot propagate through the library, so the first one is kept and raised after
    the call. This object must not refer to the Trace, which could then never be freed.
    """

    def __init__(self, on_repair, symbolize, on_progress):
        self.pending = []
        self._keep = []
        self._on_repair = on_repair
        self._symbolize = symbolize
        self._on_progress = on_progress

    def set_options(self, options):
        if self._on_repair:
            options.on_repair = guard(c.repair_fn, self._repair, None, self.pending)
        if self._symbolize:
            options.symbolize = guard(c.symbolize_fn, self._find_symbols, -1, self.pending)
        # Only the main thread handles signals, and does so when it is told of progress.
        if self._on_progress or threading.current_thread() is threading.main_thread():
            options.on_progress = guard(c.progress_fn, self._progress, 1, self.pending)
        self._keep.append(options)

    def raise_pending(self):
        if self.pending:
            raise self.pending.pop(0)

    def _repair(self, _data, repair):
        self._on_repair(make_error(repair.contents))

    def _progress(self, _data, progress):
        if self._on_progress is None:
            return 0
        so_far = progress.contents
        go_on = self._on_progress(Progress(so_far.bytes_read, so_far.bytes_decoded,
                                           so_far.bytes_total or None))
        return 1 if go_on is False else 0

    def _find_symbols(self, _data, symbols, count):
        found = self._symbolize([symbols[i].address for i in range(count)])
        for i, (function, file, line) in enumerate(found):
            if i == count:
                raise ValueError("more symbols than addresses")
            texts = c.gt_string.of(function), c.gt_string.of(file)
            self._keep.extend(texts)
            symbols[i].function, symbols[i].file = texts
            symbols[i].line = line
        return 0

    def reading(self, file):
        """A gt_read_fn that reads from a Python file."""
        read = getattr(file, "read1", file.read)

        def fill(_data, buffer, capacity):
            data = read(capacity)
            if data is None or len(data) > capacity:
                raise OSError("read() gives nothing, or more than it was asked for")
            ctypes.memmove(buffer, bytes(data), len(data))
            return len(data)
        function = guard(c.read_fn, fill, -1, self.pending)
        self._keep.append(function)
        return function


# The source of a trace whose bytes are pushed.
PUSH = object()


class Source:
    """Opens readers on a path, on bytes, on a binary file object, or to be pushed to."""

    def __init__(self, source):
        self._owned = None
        self._source = source
        if isinstance(source, (str, os.PathLike)) and not is_regular(source):
            # A pipe: Python lets other threads run while reading it blocks.
            self._source = self._owned = open(source, "rb", buffering=0)

    @property
    def path(self):
        return self._source if isinstance(self._source, (str, os.PathLike)) else None

    def open(self, library, reader, callbacks, options, error):
        """Opens `reader`; returns the status, and what must live until it is closed."""
        tail = ctypes.byref(options), ctypes.byref(error)
        if self.path is not None:
            return library.gt_reader_open_file(reader, os.fsencode(self.path), *tail), None
        if self._source is PUSH:
            return library.gt_reader_open_push(reader, *tail), None
        if hasattr(self._source, "read"):
            function = callbacks.reading(self._source)
            return library.gt_reader_open_callback(reader, function, None, *tail), self._source
        # Anything but bytes could change, so it is copied.
        data = bytes(memoryview(self._source))
        place = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
        return library.gt_reader_open_memory(reader, place, len(data), *tail), data

    def close(self):
        if self._owned is not None:
            self._owned.close()


def is_regular(path):
    """Applies to missing files too: the library says why they cannot be opened."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True
