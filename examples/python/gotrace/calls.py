# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the library that let other threads run, and functions that it calls.

Most calls take less than a microsecond, so they hold Python's global interpreter lock, and other
threads run between them. To release it in each would cost a tenth of the speed, and three
quarters of it beside a busy thread. Calls that can take long release it.
"""

import ctypes
import functools
import sys
import threading

_swapping = threading.Lock()


def call_released(library, name, handle, *arguments):
    """Calls a function of an object with the lock released.

    The object is out of the way of other threads in the meantime: for them its handle is NULL,
    which the library refuses.
    """
    with _swapping:
        own = ctypes.c_void_p(handle.value)
        handle.value = None
    try:
        return library.released(name)(own, *arguments)
    finally:
        if own.value:
            handle.value = own.value


# Python 3.11 and later handle signals when a function begins, before its first `try`. What a
# handler raises there, such as KeyboardInterrupt, ctypes would print and forget. A generator
# goes on within its `try`, and between the library and the generator there is only C.
_HANDLES_SIGNALS_EARLY = sys.version_info >= (3, 11)


def _loop(function, failed, problems):
    result = None
    while True:
        try:
            while True:
                arguments = yield result
                result = failed
                result = function(*arguments)
        except GeneratorExit:
            return
        except BaseException as problem:  # pylint: disable=broad-except
            problems.append(problem)
            result = failed


def guard(prototype, function, failed, problems):
    """A callback that appends what `function` raises to `problems` and then returns `failed`."""
    if not _HANDLES_SIGNALS_EARLY:
        def call(*arguments):
            try:
                return function(*arguments)
            except BaseException as problem:  # pylint: disable=broad-except
                problems.append(problem)
                return failed
        return prototype(call)
    loop = _loop(function, failed, problems)
    next(loop)
    count = len(prototype._argtypes_)
    pack = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_char_p,
                             *[ctypes.py_object] * count)
    call_function = pack(("PyObject_CallFunction", ctypes.pythonapi))
    # All arguments in one tuple, which is the one argument of send.
    return prototype(functools.partial(call_function, loop.send, b"((%s))" % (b"O" * count)))
