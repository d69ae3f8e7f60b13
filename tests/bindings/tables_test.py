#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace.columns as hosts take it: by a capsule with a stream of Arrow."""

import ctypes
import glob
import os
import subprocess
import tempfile
import unittest
from ctypes import CFUNCTYPE, c_char_p, c_int, c_int64, c_void_p

import gotrace
from gotrace import tables

TRACE = os.path.join(os.environ["GT_TESTDATA"], "v2", "go1.27-gens.trace")


class Schema(ctypes.Structure):
    """An ArrowSchema of the specification."""


class Array(ctypes.Structure):
    """An ArrowArray of the specification."""


Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p),
                   ("flags", c_int64), ("n_children", c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", c_void_p),
                   ("release", CFUNCTYPE(None, c_void_p)), ("private_data", c_void_p)]
Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64),
                  ("n_buffers", c_int64), ("n_children", c_int64), ("buffers", c_void_p),
                  ("children", c_void_p), ("dictionary", c_void_p),
                  ("release", CFUNCTYPE(None, c_void_p)), ("private_data", c_void_p)]
CALL = CFUNCTYPE(c_int, c_void_p, c_void_p)


def place_of(capsule):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(
        ctypes.cast(pointer, c_void_p).value)
    return get(capsule, b"arrow_array_stream")


def take(capsule):
    """The names of the columns, and the rows of each array."""
    place, schema, array, rows = place_of(capsule), Schema(), Array(), []
    stream = tables._Stream.from_address(place)
    if CALL(stream.get_schema)(place, ctypes.addressof(schema)) != 0:
        raise MemoryError
    names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
    schema.release(ctypes.addressof(schema))
    while CALL(stream.get_next)(place, ctypes.addressof(array)) == 0 and array.release:
        rows.append(array.length)
        array.release(ctypes.addressof(array))
    return names, rows


def rows_of_command(table):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.environ["GT_COMMAND"], "columns", TRACE, "-o", folder, "--tables", table,
                        "--format=csv"], check=True)
        path, = glob.glob(os.path.join(folder, table, "*", "*", "*", "*.csv"))
        with open(path, encoding="utf-8") as file:
            names, *lines = file.read().splitlines()
        return names.split(","), len(lines)


class TablesTest(unittest.TestCase):
    def test_a_stream_has_the_rows_of_the_command(self):
        for table in "goroutine_states", "samples", "metrics":
            names, rows = take(gotrace.columns(TRACE, table).__arrow_c_stream__())
            self.assertEqual((names, sum(rows)), rows_of_command(table))

    def test_each_call_reads_anew(self):
        table = gotrace.columns(TRACE, "metrics", rows=10)
        first, second = take(table.__arrow_c_stream__()), take(table.__arrow_c_stream__(None))
        self.assertEqual(first, second)
        self.assertEqual(max(first[1]), 10)

    def test_a_capsule_that_nobody_takes_is_released(self):
        for _ in range(100):
            gotrace.columns(TRACE, "traces").__arrow_c_stream__()

    def test_what_cannot_be_is_told(self):
        with self.assertRaises(ValueError):
            gotrace.columns(TRACE, "none")
        with self.assertRaises(FileNotFoundError):
            gotrace.columns(TRACE + ".none", "traces").__arrow_c_stream__()
        with self.assertRaises(gotrace.TraceError):
            gotrace.columns(__file__, "traces").__arrow_c_stream__()


if __name__ == "__main__":
    unittest.main()
