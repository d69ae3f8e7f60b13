# SPDX-License-Identifier: BSD-3-Clause
"""Keeps tests short that run a program for each of many traces."""

import collections
import os
import pathlib


def kind_of(trace):
    """What a trace was made for: the program in the names of those of each version of Go, and the
    folder of others."""
    path = pathlib.Path(trace)
    version, _, program = path.stem.partition("-")
    if path.parent.name not in ("v1", "v2"):
        return path.parent.name
    return program if version.startswith("go1.") else f"{path.parent.name}/{version}"


def count_of(few, many):
    """How often what is chosen at random or at regular places is tried: `many` times if
    $GT_ALL_TRACES is set."""
    return many if os.environ.get("GT_ALL_TRACES") else few


def share_of(traces, parts):
    """
    One of each `parts` traces, or all of them if $GT_ALL_TRACES is set, as before a release. There
    is at least one of each kind, because each kind has something that no other has, and each kind
    begins with another version, so that all versions are there.
    """
    traces = list(traces)
    if os.environ.get("GT_ALL_TRACES"):
        return traces
    kinds = collections.defaultdict(list)
    for trace in traces:
        kinds[kind_of(trace)].append(trace)
    taken = set()
    for number, kind in enumerate(kinds.values()):
        taken.update(kind[number % parts::parts] or [kind[number % len(kind)]])
    return [trace for trace in traces if trace in taken]
