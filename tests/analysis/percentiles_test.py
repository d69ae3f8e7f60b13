#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example `percentiles`, $GT_PERCENTILES, ends with those that $GT_COMMAND prints."""

import json
import os
import pathlib
import re
import subprocess
import unittest

LINE = re.compile(r"(?:so far|in all): (\d+) waits, p50 (\d+) ns, p99 (\d+) ns")
TESTDATA = pathlib.Path(os.environ["GT_TESTDATA"])


def run(*arguments, code=0, stdin=None):
    made = subprocess.run(arguments, stdin=stdin, stdout=subprocess.PIPE, check=False, timeout=60)
    assert made.returncode == code, arguments
    return made.stdout.decode()


def all_waits(trace):
    """The number of waits for a proc, the median, and the 99th percentile."""
    table = run(os.environ["GT_COMMAND"], "latency", "--json", trace)
    for row in map(json.loads, table.splitlines()):
        if row["kind"] == "sched" and row["group"] == "all":
            return [row["count"], row["p50_ns"], row["p99_ns"]]
    return None


def percentiles(path, code=0):
    with open(path, "rb") as trace:
        return run(os.environ["GT_PERCENTILES"], code=code, stdin=trace).splitlines()


class PercentilesTest(unittest.TestCase):
    def test_percentiles_run_to_those_of_the_whole_trace(self):
        for name in "v2/go1.23-gcgens", "v2/go1.24-gcgens", "v2/go1.27-mix":
            with self.subTest(name=name):
                trace = str(TESTDATA / (name + ".trace"))
                lines = percentiles(trace)
                found = [list(map(int, LINE.fullmatch(line).groups())) for line in lines]
                counts = [count for count, _, _ in found]
                self.assertEqual(counts, sorted(counts))
                self.assertEqual(found[-1], all_waits(trace))

    def test_a_damaged_stream_fails(self):
        percentiles(TESTDATA / "README.md", code=1)


if __name__ == "__main__":
    unittest.main()
