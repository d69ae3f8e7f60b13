# SPDX-License-Identifier: BSD-3-Clause
"""Keeps tests short that run a program for each of many traces."""

import os


def share_of(traces, parts):
    """
    One of each `parts` traces, or all of them if $GT_ALL_TRACES is set, as tests/soak does. Names
    sort by version and then by program, so 5 parts take traces of each version and each program.
    """
    return list(traces) if os.environ.get("GT_ALL_TRACES") else list(traces)[::parts]
