# SPDX-License-Identifier: BSD-3-Clause
"""Pseudo-terminals, which not every system has."""

import os
import pty
import unittest


def need():
    """Skips the test where there is no terminal, before it skips each of its parts."""
    for end in open_pair():
        os.close(end)


def open_pair():
    """The two ends of a terminal. Where there is none, as in a chroot without /dev/pts, the test
    is skipped."""
    try:
        return pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminal: {error.strerror or error}") from error
