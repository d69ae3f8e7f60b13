#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The parts of critical paths follow one another and add up to their interval.

path_sums_test.py SUMS, where SUMS is the program path_sums: checks all regions and tasks and 200
random intervals of a share of the traces of $GT_TESTDATA and, where it is set, $GT_CORPUS. With
$GT_ALL_TRACES it is 10,000 of all traces.
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of

COUNT = 10000 if os.environ.get("GT_ALL_TRACES") else 200
PARTS = 5


def main():
    paths = [path for path in sorted(pathlib.Path(os.environ["GT_TESTDATA"]).rglob("*.trace"))
             if "hostile" not in path.parts]
    if os.environ.get("GT_CORPUS"):
        paths += sorted(pathlib.Path(os.environ["GT_CORPUS"]).glob("*.trace"))
    paths = share_of(paths, PARTS)
    result = subprocess.run([sys.argv[1], str(COUNT), *map(str, paths)], stdout=subprocess.PIPE,
                            encoding="utf-8")
    print(result.stdout, end="")
    assert result.returncode == 0
    lines = [line.split(" ", 4) for line in result.stdout.splitlines()]
    regions, tasks, intervals, parts = (sum(int(line[i]) for line in lines) for i in range(4))
    print("%d traces: %d regions, %d tasks, %d random intervals, %d parts"
          % (len(lines), regions, tasks, intervals, parts))
    assert len(lines) == len(paths)
    assert regions > 100 and tasks > 50 and intervals > COUNT * len(paths) * 3 / 4


if __name__ == "__main__":
    sys.exit(main())
