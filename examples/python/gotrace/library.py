# SPDX-License-Identifier: BSD-3-Clause
"""Finding and loading the shared libraries.

libgotrace is searched for in this order: the argument of load(), the environment variable
GOTRACE_LIBRARY, and the system's search path. The other two libraries are searched for next
to it first, and then in the system's search path.
"""

import ctypes
import ctypes.util
import functools
import os

from . import prototypes
from . import structures as c
from .constants import ABI_VERSION, Status

_chosen = []


class Library:
    """A shared library whose functions are its attributes, with their prototypes.

    Calls hold Python's global interpreter lock, so that no two Python threads are in an object
    at the same time; see gotrace.calls for those that release it.
    """

    def __init__(self, path, functions):
        self.path = path
        self._functions = functions
        self._dll = ctypes.PyDLL(path)
        self._releasing = ctypes.CDLL(path)

    def __getattr__(self, name):
        if name not in self._functions:
            raise AttributeError(name)
        function = self._dll[name]
        function.restype, *function.argtypes = self._functions[name]
        setattr(self, name, function)
        return function

    @functools.lru_cache(maxsize=None)
    def released(self, name):
        """A function that releases the lock while it runs."""
        function = self._releasing[name]
        function.restype, *function.argtypes = self._functions[name]
        return function

    def without_checks(self, name):
        """A function that takes only ctypes objects and does not check them, which is faster."""
        return self._dll[name]


def load(path):
    """Selects the libgotrace to load. Must be called before anything else."""
    if _chosen:
        raise RuntimeError("a library was loaded before: %s" % _chosen[0].path)
    _chosen.append(_open(os.fspath(path)))


def _find(name):
    return ctypes.util.find_library(name) or "lib%s.so.%d" % (name, ABI_VERSION)


def _beside(name):
    """The path of lib`name`: next to libgotrace, or where the system finds it."""
    folder, file = os.path.split(libgotrace().path)
    path = os.path.join(folder, file.replace("libgotrace", "lib" + name, 1))
    return path if folder and os.path.exists(path) else _find(name)


def _check(library):
    """Checks two structures against the library, by their sizes and what it does with them."""
    reader, options, error = ctypes.c_void_p(), c.make(c.gt_reader_options), c.make(c.gt_error)
    arguments = (ctypes.byref(reader), None, 0, ctypes.byref(options), ctypes.byref(error))
    if (library.gt_reader_open_memory(*arguments) != Status.ERR_NOT_A_TRACE
            or error.status != Status.ERR_NOT_A_TRACE or error.message == b""):
        raise OSError("%s is no libgotrace of this binary interface" % library.path)
    options.size -= 1
    if library.gt_reader_open_memory(*arguments) != Status.ERR_INVALID_ARGUMENT:
        raise OSError("%s takes structures of a wrong size" % library.path)


def _open(path):
    library = Library(path, prototypes.GOTRACE)
    try:
        _check(library)
    except AttributeError as problem:
        raise OSError("%s is no libgotrace: %s" % (path, problem)) from problem
    return library


def libgotrace():
    """The library, which is loaded on first use."""
    if not _chosen:
        _chosen.append(_open(os.environ.get("GOTRACE_LIBRARY") or _find("gotrace")))
    return _chosen[0]


@functools.lru_cache(maxsize=None)
def libgotrace_viewer():
    return Library(_beside("gotrace-viewer"), prototypes.VIEWER)


@functools.lru_cache(maxsize=None)
def libgotrace_timeline():
    return Library(_beside("gotrace-timeline"), prototypes.TIMELINE)
