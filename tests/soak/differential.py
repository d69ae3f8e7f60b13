#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads mutants of the test data with gotrace and with Go's own reader, and compares the events.

differential.py [--seed SEED] [--from FIRST] [--keep DIRECTORY] [--jobs JOBS] COUNT

Each mutant is a trace of $GT_TESTDATA with a few changes, in its bytes or in the text of its
records, and depends only on SEED and its number. `$GT_COMMAND dump` and `$GT_PEER gtpeer parsed`,
which prints the events of Go's reader as text, must agree on whether it can be read to the end and
on all events. If it can, `dump --lenient` must print the same as without repairs. Differences that
section 7 of docs/formats.md describes are recognized one by one in known_differences.py and
counted. Any other one is printed with the number of its mutant, and the mutant is written to
DIRECTORY. Without $GT_PEER nothing is done.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import dumps
import known_differences
import mutants

TIMEOUT = 120


def run(*command):
    """What a command prints, its error, and its exit code; code None after the time limit."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=TIMEOUT, env=dict(os.environ, TZ="UTC"))
    except subprocess.TimeoutExpired:
        return dumps.Reading(b"", b"time limit", None)
    return dumps.Reading(result.stdout, result.stderr, result.returncode)


def read_ours(path, *options):
    return run(os.environ["GT_COMMAND"], "dump", "--one-thread", *options, path)


def read_theirs(path):
    return run(os.environ["GT_PEER"], "gtpeer", "parsed", path)


def judge(data, path):
    """The name of a known difference, "same", or a description of an unknown one."""
    pathlib.Path(path).write_bytes(data)
    ours, theirs = read_ours(path), read_theirs(path)
    if ours.is_good():
        lenient = read_ours(path, "--lenient")
        if (lenient.code, lenient.error, lenient.events) != (0, "", ours.events):
            return "unknown", "a lenient reader differs: %s" % lenient.error
    difference = dumps.difference(ours, theirs)
    if difference is None:
        return "good" if ours.code == 0 else "bad", None
    name = known_differences.name_of(data, ours, theirs, lambda: read_theirs(path))
    return (name, None) if name else ("unknown", difference)


def examine(number, seed, originals, keep):
    mutant = mutants.make(seed, number, originals)
    if mutant is None:
        return number, "not encodable", None, None
    with tempfile.TemporaryDirectory() as folder:
        name, difference = judge(mutant.data, folder + "/mutant.trace")
    if name == "unknown" and keep:
        (pathlib.Path(keep) / ("%d-%d.trace" % (seed, number))).write_bytes(mutant.data)
    return number, name, difference, mutant.origin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if not os.environ.get("GT_PEER"):
        print("skipped: GT_PEER names no program with Go's reader")
        return 0
    originals = mutants.originals(os.environ["GT_TESTDATA"], os.environ["GT_COMMAND"])
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for number, name, difference, origin in pool.map(
                lambda number: examine(number, arguments.seed, originals, arguments.keep),
                range(arguments.first, arguments.first + arguments.count)):
            counts[name] += 1
            if name == "unknown":
                print("mutant %d of %s: %s" % (number, origin, difference), flush=True)
    for name, count in counts.most_common():
        print("%8d %s" % (count, name))
    return 1 if counts["unknown"] else 0


if __name__ == "__main__":
    sys.exit(main())
