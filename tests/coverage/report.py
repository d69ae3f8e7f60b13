#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which branches of lib/ were taken: report.py BUILD_DIR PERCENT [LIST].

Reads what the tests left in a build with -Db_coverage=true, prints a line for
each file, and writes the branches that were not taken to LIST. Fails below
PERCENT, over all of lib/. A file that is in several libraries, or a function of
a header that is in many files, counts once: a branch is taken if any copy took it.
lib/agent, lib/store and lib/web do not count, because their tests do not run here.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

# What lib/private.py puts in the place of gt_, by library.
LIBRARY = re.compile(r"^gotrace_(?:columns_|recorder_|timeline_|viewer_|web_)?")
ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = tuple(ROOT / "lib" / folder for folder in ("agent", "store", "web"))


def gcov(build):
    """What gcov says of each object of the libraries, one after the other."""
    notes = sorted(str(path.relative_to(build)) for path in build.glob("lib/**/*.gcno"))
    if not notes:
        sys.exit(f"{build} has no lib built with -Db_coverage=true")
    tool = os.environ.get("GCOV", "gcov")
    # Where no test ran an object, there is no data and gcov says so; all its branches count.
    run = subprocess.run(
        [tool, "--json-format", "--branch-probabilities", "--stdout", *notes],
        cwd=build, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in run.stdout.splitlines() if line]


def branches(objects, build):
    """How often each was taken: by file, then (line, number in the line)."""
    taken = collections.defaultdict(dict)
    for source in (source for data in objects for source in data["files"]):
        path = (build / source["file"]).resolve()
        if not path.is_relative_to(ROOT / "lib") or any(map(path.is_relative_to, LEFT_OUT)):
            continue
        counts = taken[str(path.relative_to(ROOT))]
        for line in source["lines"]:
            for number, branch in enumerate(line["branches"]):
                function = LIBRARY.sub("gt_", line.get("function_name", ""))
                key = (line["line_number"], function, number)
                counts[key] = max(counts.get(key, 0), branch["count"])
    return taken


def share(counts):
    """How many were taken, how many there are, and in percent."""
    hit = sum(1 for count in counts.values() if count)
    return hit, len(counts), 100 * hit / len(counts) if counts else 100.0


def missing(name, counts):
    """The lines with branches not taken, as PATH:LINE: which of how many: the code."""
    lines = (ROOT / name).read_text().splitlines()
    rows = collections.defaultdict(list)
    for (line, function, number), count in sorted(counts.items()):
        rows[line, function].append((number, count))
    for (line, _), found in rows.items():
        never = [str(number) for number, count in found if not count]
        if never:
            which = ",".join(never)
            yield f"{name}:{line}: {which} of {len(found)}: {lines[line - 1].strip()}"


def main():
    build, least = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2])
    taken = branches(gcov(build), build)
    for name, counts in sorted(taken.items(), key=lambda item: share(item[1])[2]):
        if counts:
            hit, there, percent = share(counts)
            print(f"{percent:6.1f} % {there - hit:4d} of {there:4d} not taken  {name}")
    if len(sys.argv) > 3:
        rows = [row for name in sorted(taken) for row in missing(name, taken[name])]
        pathlib.Path(sys.argv[3]).write_text("".join(row + "\n" for row in rows))
    hit, there, percent = share({(n, k): c for n, f in taken.items() for k, c in f.items()})
    print(f"lib: {percent:.2f} % of {there} branches taken, {least:g} % asked for")
    if percent < least:
        sys.exit(f"{there - hit} branches of lib are not taken")


main()
