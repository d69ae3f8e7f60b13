# SPDX-License-Identifier: BSD-3-Clause
"""Statuses of the library as exceptions."""

import ctypes
import os

from . import constants
from . import structures as c
from .constants import Status
from .library import libgotrace


class Error(Exception):
    """A call of the library failed.

    status       a Status, or a plain int if a newer library added it
    offset       the position in the input, in bytes, or None
    generation   the generation of the trace, or 0
    message      a description, one line; str() adds the position to it
    """

    def __init__(self, status, message=None, offset=None, generation=0):
        self.status = constants.name_of(Status, status)
        self.message = message or libgotrace().gt_status_text(status).decode()
        self.offset = offset
        self.generation = generation
        place = [] if offset is None else ["offset %d" % offset]
        place += ["generation %d" % generation] if generation else []
        super().__init__(self.message + (" (%s)" % ", ".join(place) if place else ""))


class TraceError(Error):
    """The input is not a trace, or a damaged one. Its good part was delivered before."""


class LimitError(Error):
    """The memory limit would have been exceeded."""


class ExpiredError(Error):
    """The object has expired: the trace has advanced or was closed."""

    def __init__(self, message):
        super().__init__(Status.ERR_EXPIRED, message)


CLASSES = {Status.ERR_LIMIT: LimitError}


def make_error(error, path=None):
    """The exception for a gt_error. Errors of system calls are OSErrors, as usual in Python."""
    if error.status == Status.ERR_NO_MEMORY:
        return MemoryError()
    if error.system_error != 0:
        return OSError(error.system_error, os.strerror(error.system_error), path)
    offset = None if error.offset == constants.NO_OFFSET else error.offset
    kind = CLASSES.get(error.status, Error)
    if error.status <= Status.ERR_NOT_A_TRACE:
        kind = TraceError
    message = error.message.decode("utf-8", "replace")
    return kind(error.status, message, offset, error.generation)


def check_open(function, *arguments):
    """Calls an open function, and raises the exception that says what is wrong, if anything is."""
    error = c.make(c.gt_error)
    if function(*arguments, ctypes.byref(error)) != Status.OK:
        raise make_error(error)


def check(status):
    """Raises the exception for a negative status."""
    if status >= 0:
        return
    if status == Status.ERR_NO_MEMORY:
        raise MemoryError
    if status == Status.ERR_EXPIRED:
        raise ExpiredError("the stack is of a generation that is over")
    raise CLASSES.get(status, Error)(status)
