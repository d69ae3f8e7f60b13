#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares WebAssembly in Node with the machine's own code, which does the same work.

wasm.py --native PATH --module PATH --run PATH --package FOLDER [--rounds N] [--only WORK] TRACE

NATIVE and MODULE are bench_wasm, built for the machine and for WebAssembly. RUN is wasm_run.mjs,
which starts MODULE in Node, and FOLDER is the package for JavaScript. What is printed is processor
time: `new` is a whole process that does the work once, with the start of Node and the compiling of
the module, and `more` is what each further round in the same process takes. The least of N runs in
turns counts. `mapped` compares with the native reader of a mapped file, which WebAssembly cannot
have.
"""

import argparse
import os
import resource
import subprocess

MORE = 2
# Works, and how many rounds are timed; `page` takes so long that a single round says enough.
WORKS = {"events": (1, 1 + MORE), "summary": (1, 1 + MORE), "page": (1,)}
# Both loops read what makes them useful, the time of each event.
PACKAGE = {
    "for": "for (const event of trace.events()) { last = event.time; count++; }",
    "readBatches": "for (const { time, count: n } of trace.readBatches())"
                   " { for (let i = 0; i < n; i++) last = time[i]; count += n; }",
}
SCRIPT = """import { open } from %s;
const trace = await open(process.argv[1]);
let last, count = 0;
%s
console.log(count);
"""


def seconds_of(command):
    """The processor time of a command, and the number that it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(output)


class Least:
    """The least time of commands that run in turns."""

    def __init__(self):
        self.times = {}
        self.found = {}

    def run(self, name, command):
        seconds, self.found[name] = seconds_of(command)
        self.times[name] = min(seconds, self.times.get(name, seconds))


def run_works(least, arguments, works):
    runs = [("native", [arguments.native]),
            ("wasm", ["node", arguments.run, arguments.package, arguments.module])]
    for work in works:
        for name, command in runs:
            for rounds in WORKS[work]:
                least.run((name, work, rounds), command + [work, str(rounds), arguments.trace])
        native, wasm = (least.found[name, work, 1] for name, _ in runs)
        assert native == wasm, (work, native, wasm)
    for rounds in WORKS["events"] if "events" in works else ():
        least.run(("native", "mapped", rounds),
                  [arguments.native, "mapped", str(rounds), arguments.trace])


def run_package(least, arguments):
    module = "'file://%s'" % os.path.join(os.path.abspath(arguments.package), "gotrace.js")
    for name, loop in PACKAGE.items():
        script = SCRIPT % (module, loop)
        least.run(name, ["node", "--input-type=module", "-e", script, arguments.trace])


def more(times, name, work):
    return (times[name, work, 1 + MORE] - times[name, work, 1]) / MORE


def report(times, works):
    print(f"{'':16}{'native':>8}{'wasm':>8}{'ratio':>8}   seconds of processor time")
    for work in works + (["mapped"] if "events" in works else []):
        other = "events" if work == "mapped" else work
        pairs = {"new": (times["native", work, 1], times["wasm", other, 1])}
        if len(WORKS[other]) > 1:
            pairs["more"] = (more(times, "native", work), more(times, "wasm", other))
        for name, (native, wasm) in pairs.items():
            print(f"{work + ', ' + name:16}{native:8.3f}{wasm:8.3f}{wasm / native:8.2f}")


def report_package(least):
    for name in PACKAGE:
        rate = least.found[name] / least.times[name] / 1e6
        print(f"{name:24}{least.times[name]:8.3f}           {rate:.1f} million events a second")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("native", "module", "run", "package"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=WORKS)
    parser.add_argument("trace", nargs="?", default=os.environ.get("GT_BENCH_TRACE"))
    arguments = parser.parse_args()
    if not arguments.trace:
        parser.error("a trace is needed, also as GT_BENCH_TRACE")
    works = [arguments.only] if arguments.only else list(WORKS)
    least = Least()
    for _ in range(arguments.rounds):
        run_works(least, arguments, works)
        if "events" in works:
            run_package(least, arguments)
    report(least.times, works)
    if "events" in works:
        report_package(least)


if __name__ == "__main__":
    main()
