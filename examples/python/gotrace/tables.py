# SPDX-License-Identifier: BSD-3-Clause
"""Tables of a trace, as streams of Apache Arrow."""

import ctypes
import functools
import os
from ctypes import c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

from . import structures as c
from .constants import ReaderFlag, Status
from .errors import Error, make_error
from .library import Library, _beside, libgotrace

CAPSULE = b"arrow_array_stream"


class _Description(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("meaning", c_char_p), ("level", c_uint32),
                ("column_count", c_uint32), ("columns", c_void_p)]


class _Stream(ctypes.Structure):
    _fields_ = [("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p),
                ("release", ctypes.CFUNCTYPE(None, c_void_p)), ("private_data", c_void_p)]


class _Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("flags", c_uint64), ("rows", c_uint64),
                ("memory_limit", c_uint64), ("allocator", c_void_p)]


PROTOTYPES = {
    "gt_table_describe": (c_int, c_uint32, c_void_p),
    "gt_arrow_stream": (c_int, c_void_p, c_void_p, c_uint32, c_void_p, c_void_p, c_void_p),
}


@functools.lru_cache(maxsize=None)
def libgotrace_columns():
    return Library(_beside("gotrace-columns"), PROTOTYPES)


def _python(name, result, *arguments):
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = result, arguments
    return function


_allocate = _python("PyMem_RawCalloc", c_void_p, c_size_t, c_size_t)
_free = _python("PyMem_RawFree", None, c_void_p)
_pointer = _python("PyCapsule_GetPointer", c_void_p, c_void_p, c_char_p)


# What a host did not take is released with its capsule, which is no object any more by then.
@ctypes.PYFUNCTYPE(None, c_void_p)
def _destroy(capsule):
    place = _pointer(capsule, CAPSULE)
    release = _Stream.from_address(place).release
    if release:
        release(place)
    _free(place)


_capsule = _python("PyCapsule_New", ctypes.py_object, c_void_p, c_char_p, c_void_p)


@functools.lru_cache(maxsize=None)
def table_names():
    """The names of all tables, such as "goroutine_states"."""
    names, about = [], _Description(ctypes.sizeof(_Description))
    while (libgotrace_columns().gt_table_describe(len(names), ctypes.byref(about)) == Status.OK):
        names.append(about.name.decode())
    return tuple(names)


class Columns:
    """A table of a trace, which hosts such as pyarrow and polars take by __arrow_c_stream__.

    Each call of it reads the trace anew. docs/columns.md describes the tables.
    """

    def __init__(self, file, table, *, lenient=False, rows=0):
        if table not in table_names():
            raise ValueError("there is no table %r; there are %s" % (table, table_names()))
        self.file = file
        self.table = table
        self._flags = ReaderFlag.LENIENT if lenient else 0
        self._rows = rows

    def __arrow_c_stream__(self, requested_schema=None):
        """A capsule with an ArrowArrayStream, of which requested_schema changes nothing."""
        place = _allocate(1, ctypes.sizeof(_Stream))
        if not place:
            raise MemoryError
        try:
            self._fill(place)
        except BaseException:
            _free(place)
            raise
        return _capsule(place, CAPSULE, ctypes.cast(_destroy, c_void_p))

    def _fill(self, place):
        path = os.fsencode(self.file)
        reader, error = c_void_p(), c.make(c.gt_error)
        options = c.make(c.gt_reader_options)
        options.flags = self._flags
        library = libgotrace()
        status = library.gt_reader_open_file(ctypes.byref(reader), path, ctypes.byref(options),
                                             ctypes.byref(error))
        if status != Status.OK:
            raise make_error(error, self.file)
        stream = _Options(ctypes.sizeof(_Options), 0, self._rows, 0, None)
        status = libgotrace_columns().gt_arrow_stream(
            place, ctypes.byref(reader), table_names().index(self.table), None,
            ctypes.byref(stream), None)
        if status != Status.OK:
            library.gt_reader_close(ctypes.byref(reader))
            raise Error(status)
