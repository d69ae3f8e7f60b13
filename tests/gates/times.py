#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""times.py BUILD: finds where the libraries and the command do arithmetic on signed 64-bit
numbers. BUILD has a compile_commands.json; needs clang.

A trace may contain any times, so that a plain sum of times can overflow, which is undefined.
Times are added and subtracted by the functions of lib/base/time.h. All other places need an
entry in ALLOWED that says why their numbers are small.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("lib/", "examples/gotrace/")

# How many places a file has, and why they cannot overflow.
ALLOWED = {
    "examples/gotrace/csvfile.c": (2, "seconds and a rest of a number of microseconds"),
    "lib/arrow/array.c": (1, "counts columns"),
    "lib/arrow/schema.c": (1, "counts columns"),
    "lib/parquet/dictionary.c": (1, "numbers that lie within the places of a table"),
    "lib/columns/cycle.c": (1, "counts cycles"),
    "lib/columns/wait.c": (1, "counts waits"),
    "lib/agent/control.c": (1, "seconds and parts of seconds of the system's clock"),
    "lib/agent/output.c": (1, "the size of a file"),
    "lib/recorder/cfi.h": (2, "bit fields of a rule of 32 bits"),
    "lib/recorder/cfi_program.c": (1, "the bound is a constant"),
    "lib/recorder/system.c": (1, "the length of a constant"),
    "examples/gotrace/exchange.c": (1, "the system's clock"),
    "examples/gotrace/findingtext.c": (1, "limited to 2^62"),
    "examples/gotrace/follow.c": (2, "the system's clock; the size of a file"),
    "examples/gotrace/http/client.c": (10, "the system's clock, and durations in milliseconds"),
    "examples/gotrace/http/clock.c": (1, "the system's clock"),
    "examples/gotrace/http/connection.c": (9, "the system's clock and settings of some minutes"),
    "examples/gotrace/intake.c": (1, "a negative error number plus 1"),
    "examples/gotrace/keeper.c": (
        5, "times that are not negative; --keep is at most a quarter of the range; the system's "
           "clock"),
    "examples/gotrace/latency.c": (3, "checked before; and counts"),
    "examples/gotrace/mmu.c": (5, "indexes; times of one function, which are not negative"),
    "examples/gotrace/moment.c": (5, "checked before; nanoseconds of a moment are not negative"),
    "examples/gotrace/pairs.c": (1, "counts"),
    "examples/gotrace/pftrace.c": (5, "checked before; times that are not negative"),
    "examples/gotrace/progress.c": (4, "the system's clock"),
    "examples/gotrace/recording.c": (1, "a negative error number plus 1"),
    "examples/gotrace/remote.c": (3, "seconds, which have a limit"),
    "examples/gotrace/series.c": (4, "seconds and parts of seconds of the system's clock"),
    "examples/gotrace/view.c": (2, "milliseconds, which are a millionth of the range; an index"),
    "examples/gotrace/walltime.c": (2, "dates of four digits, and offsets below a day"),
    "lib/analysis/durations.c": (3, "bounds of buckets are below 2^63 except for the last"),
    "lib/analysis/mmu/mmu.c": (18, "times that are not negative; windows within the function"),
    "lib/analysis/mmu/quantiles.c": (4, "counts; times that are not negative"),
    "lib/analysis/mmu/record.c": (2, "counts"),
    "lib/analysis/mmu/worst.c": (6, "times that are not negative; checked before"),
    "lib/analysis/report/goroutines.c": (4, "counts of goroutines"),
    "lib/analysis/profile/pprof.c": (1, "checked before"),
    "lib/base/decimal.h": (1, "a negative number plus 1"),
    "lib/columns/columns.c": (1, "a quotient"),
    "lib/columns/plain.c": (1, "checked before"),
    "lib/columns/proc.c": (1, "counts procs"),
    "lib/columns/region.c": (1, "a count"),
    "lib/columns/stack.c": (1, "a hash"),
    "lib/columns/state.h": (1, "checked before"),
    "lib/columns/summary.c": (1, "a count"),
    "lib/merge/frontier.c": (1, "there is a lane before this one"),
    "lib/reader/ask.c": (5, "seconds and parts of seconds; checked before"),
    "lib/reader/crew.c": (2, "the system's clock"),
    "lib/reader/duration.c": (3, "at most 18 digits; checked before"),
    "lib/reader/wall_clock.c": (10, "days and years of seconds in an int64_t"),
    "lib/rewrite/batch.c": (2, "powers of two up to 1024, and remainders"),
    "lib/rewrite/bridge.c": (2, "checked before; counts procs"),
    "lib/rewrite/goroutine.c": (4, "checked before"),
    "lib/rewrite/debt.c": (8, "checked before; counts of tasks"),
    "lib/rewrite/task.c": (1, "checked before"),
    "lib/rewrite/v1context.c": (5, "checked before; a count"),
    "lib/rewrite/cut.c": (4, "counts of goroutines and procs, which are subtracted from a time"),
    "lib/rewrite/downgrade.c": (1, "checked before"),
    "lib/rewrite/downgrade.h": (1, "a constant"),
    "lib/rewrite/downgrade_start.c": (6, "counts of goroutines, subtracted from a constant"),
    "lib/source/file.c": (2, "checked before"),
    "lib/source/source.c": (1, "a negative number plus 1"),
    "lib/store/counter_read.c": (1, "checked before"),
    "lib/store/track_bars.c": (2, "checked before; the remainder of a division"),
    "lib/store/track_find.c": (1, "less than the end of the track"),
    "lib/timeline/proc.c": (2, "numbers of procs, which are limited"),
    "lib/timeline/tasks.c": (1, "a count"),
    "lib/timeline/timeline.h": (1, "a constant"),
    "lib/v1/fill.c": (1, "times of v1 are at most 2^62 and the number of events"),
    "lib/v1/order.h": (1, "times of v1 are at most 2^62 and the number of events"),
    "lib/v2/tables.c": (2, "seconds and parts of seconds"),
    "lib/viewer/counters.c": (3, "counts; checked before"),
    "lib/viewer/slice.c": (1, "checked before"),
    "lib/web/analysis.c": (3, "the system's clock"),
    "lib/web/areaperfetto.c": (1, "checked before"),
    "lib/web/embed.c": (1, "a count"),
    "lib/web/histogram.c": (3, "bounds of buckets are below 2^63"),
    "lib/web/listing.c": (1, "at most 18 digits"),
    "lib/web/listings.c": (1, "the system's clock"),
    "lib/web/load.c": (1, "checked before"),
    "lib/web/minimap.c": (3, "bins of a trace; the system's clock"),
    "lib/web/mmu.c": (1, "an index"),
    "lib/web/query.c": (2, "limited to 2^61; checked before"),
    "lib/web/query.h": (1, "a constant"),
    "lib/web/request.c": (1, "a positive number minus 1"),
    "lib/web/scan.c": (1, "the system's clock"),
    "lib/web/scope_sums.c": (1, "a number of reasons"),
    "lib/web/search_query.c": (2, "a duration that is below 2^63 - 1"),
    "lib/web/tiles.c": (4, "limited to 2^62"),
    "lib/web/trace.c": (1, "seconds of which there are at most 10^9"),
    "lib/web/trace_info.c": (3, "parts of seconds"),
    "lib/writer/number.c": (6, "parts of a time in units of its digits"),
}

NODE = re.compile(r"^[ |`-]*(\w+) 0x\w+ (?:(?:parent|prev) 0x\w+ )*<([^>]*)>")
ARITHMETIC = re.compile(
    r"BinaryOperator .*'long(?: long)?' '[-+*]'$"
    r"|CompoundAssignOperator .*'(?:int64_t|long(?: long)?)'(?::'\w+(?: \w+)?')? '[-+*]='"
    r"|UnaryOperator .*'(?:int64_t|long(?: long)?)'(?::'\w+(?: \w+)?')? (?:pre|post)fix "
    r"'(?:\+\+|--|-)'")
# The difference of pointers has the same type as that of numbers.
POINTER = re.compile(r"^[ |`-]*\w+ 0x\w+ <[^>]*> '[^']*\*'")
PLANTED = """
#include <stdint.h>
int64_t planted(int64_t a, int64_t *b, const char *c, const char *d, uint64_t e);
int64_t planted(int64_t a, int64_t *b, const char *c, const char *d, uint64_t e)
{
    *b += a;
    e += (uint64_t) (c - d);
    return e > 5 ? a -
        *b : a / 2;
}
"""
EXPECTED = [6, 8]


def sites(path, arguments, folder):
    """The files and lines in which a source, with the headers that it includes, does so."""
    result = subprocess.run(
        ["clang", "-fsyntax-only", "-w", "-fno-color-diagnostics", "-Xclang", "-ast-dump",
         *arguments, path], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"times.py: {path}:\n{result.stderr}")
    found, name, line = set(), path, 0
    lines = result.stdout.splitlines()
    for text, operand in zip(lines, [*lines[1:], ""]):
        node = NODE.match(text)
        if not node:
            continue
        # Each location names only what differs from the one before it.
        begin = (name, line) if node[2].startswith("col:") else None
        for file, number in re.findall(r"(?:([^\s,:<]+\.[ch])|line):(\d+):\d+", node[2]):
            name, line = file or name, int(number)
            begin = begin or (name, line)
        if begin and ARITHMETIC.search(text) and not POINTER.match(operand):
            found.add(begin)
    return found


def commands(build):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = os.path.relpath(build / entry["file"], ROOT)
        if path.startswith(FOLDERS):
            arguments = [word for word in shlex.split(entry["command"])
                         if re.match(r"-[ID]|-std=", word)]
            yield path, entry["file"], arguments


def all_sites(build):
    sources = {path: (file, arguments) for path, file, arguments in commands(build)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda source: sites(*source, build), sources.values())
        found = {(os.path.relpath(build / file, ROOT), line)
                 for result in results for file, line in result}
    return sorted(site for site in found if site[0].startswith(FOLDERS))


def check_itself():
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "planted.c").write_text(PLANTED)
        found = sorted(line for _, line in sites("planted.c", [], folder))
    if found != EXPECTED:
        sys.exit(f"times.py: finds not lines {EXPECTED} of what was planted, but {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    check_itself()
    found = all_sites(build)
    counts = collections.Counter(path for path, _ in found)
    failed = False
    for path in sorted(counts.keys() | ALLOWED.keys()):
        allowed, _ = ALLOWED.get(path, (0, ""))
        if counts[path] == allowed:
            continue
        failed = True
        print(f"{path}: {counts[path]} places, where {allowed} are known:")
        for line in (line for other, line in found if other == path):
            print(f"    {line}: {(ROOT / path).read_text().splitlines()[line - 1].strip()}")
    print(f"{sum(counts.values())} places with arithmetic on int64_t in {len(counts)} files")
    return failed


if __name__ == "__main__":
    sys.exit(main())
