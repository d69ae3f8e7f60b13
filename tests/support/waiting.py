# SPDX-License-Identifier: BSD-3-Clause
"""Waiting for what another process or thread does, but not for ever."""

import os
import socket
import time

# How many seconds a test waits for what usually takes a fraction of one, also where a machine is
# slow or busy. GT_TIME_SCALE is a factor for machines that are slower still.
PATIENCE = 60 * float(os.environ.get("GT_TIME_SCALE") or 1)


def wait_for(condition, what, patience=PATIENCE):
    """Asks for a condition until it holds, and returns it. The longer that takes, the longer are
    the pauses, since asking may cost more than the fraction by which the wait becomes longer."""
    start = time.monotonic()
    while True:
        found = condition()
        if found:
            return found
        waited = time.monotonic() - start
        if waited > patience:
            raise AssertionError(f"waited {patience:g} s for {what}")
        time.sleep(min(max(waited / 4, 0.01), 0.1))


def listens(path):
    """Whether a program takes connections at the path of a socket. The path is there as soon as
    the socket has its name, which is before that."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
    return True
