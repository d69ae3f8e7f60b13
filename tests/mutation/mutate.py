#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutate.py [--state DIRECTORY] [--seed SEED] [--count COUNT] [--files PATTERN...] [--resume]:
plants faults ("mutants") in a copy of the sources, one at a time, and reports for which of them
a test fails. docs/testing.md has more."""
import argparse
import collections
import fnmatch
import json
import pathlib
import sys
import time

import ledger
import mutants
import project
from mutants import sources

HERE = pathlib.Path(__file__).resolve().parent
# The percentages of killed mutants, of those that are not equivalent, that a run requires.
AREAS = {
    "viewer": (("lib/web/", "lib/store/"), 93),
    "lib": (("lib/",), 97),
    "command": (("examples/gotrace/",), 93),
}
# How much longer than without a mutant a test may take; the processor may be shared.
SLOWER = 10
MORE_CPU_SECONDS = 4
MORE_SECONDS = 60


class Trial:
    """Runs tests on mutants."""

    def __init__(self, tried, jobs, longest, times):
        self.project, self.jobs, self.longest = tried, jobs, longest
        self.times = times
        # The tests that passed without a mutant in this run, and the one that killed the last.
        self.passed, self.killer = set(), None
        for test in tried.tests:
            if test.name not in times:
                self.measure(test)

    def measure(self, test):
        """How long a test takes without a mutant, with which it must pass; -1 if it is skipped."""
        running = project.Running(test, self.project.most, 3600, 3600)
        while (result := running.poll()) is None:
            time.sleep(0.01)
        if result not in ("passed", "skipped"):
            raise project.Error(f"{test.name} {result} without a mutant")
        self.times[test.name] = running.seconds() if result == "passed" else -1
        self.passed.add(test.name)

    def confirm(self, test):
        """Whether a test that has killed a mutant passes without one. What was known of it may be
        of another state of the tree; if it fails anyway, it is left out from then on."""
        if test.name in self.passed:
            return True
        self.project.restore()
        self.project.make(test.targets)
        try:
            self.measure(test)
            return True
        except project.Error as error:
            print(f"mutate.py: {error}: it is left out", file=sys.stderr)
            self.times[test.name] = -1
            return False

    def judge(self, mutant, deadline):
        """"useless", "survived", or which test kills it and how."""
        while True:
            self.killer = None
            outcome = self.attempt(mutant, deadline)
            if self.killer is None or self.confirm(self.killer):
                return outcome

    def attempt(self, mutant, deadline):
        self.project.plant(mutant)
        if not self.project.compile(mutant.path):
            return "useless"
        for tests in self.project.tests_for(mutant.path):
            tests = sorted((test for test in tests if 0 <= self.times[test.name] <= self.longest),
                           key=lambda test: self.times[test.name])
            if not self.project.make([target for test in tests for target in test.targets]):
                return "useless"
            if killer := self.run(tests, time.monotonic() + deadline):
                return killer
        return "survived"

    def run(self, tests, deadline):
        """The first failure of `tests`, which run some at a time, or None."""
        waiting, running = list(reversed(tests)), []
        try:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    running.append(self.start(waiting.pop()))
                for test in list(running):
                    result = test.poll()
                    if result is not None:
                        running.remove(test)
                    if result not in (None, "passed"):
                        self.killer = test.test
                        return f"{test.test.name} {result}"
                if time.monotonic() > deadline:
                    return "the tests take too long"
                time.sleep(0.005)
        finally:
            for test in running:
                test.end()
        return None

    def start(self, test):
        seconds = self.times[test.name] * SLOWER
        return project.Running(test, self.project.most, int(seconds) + MORE_CPU_SECONDS,
                               seconds + MORE_SECONDS)


def collect(root):
    return [mutant for path in sources.tracked_files(root)
            if path.endswith(".c") and area_of(path) for mutant in mutants.mutants_of(root, path)]


def matches(mutant, patterns):
    return not patterns or any(fnmatch.fnmatch(name, pattern) for pattern in patterns
                               for name in (mutant.path, f"{mutant.path}:{mutant.line}"))


def area_of(path):
    return next((area for area, (folders, _) in AREAS.items() if path.startswith(folders)), None)


def known_results(path):
    """What earlier runs with the same state found out, by the key of the mutant."""
    if not path.exists():
        return {}
    results = map(json.loads, path.read_text().splitlines())
    return {tuple(result["key"]): result["outcome"] for result in results}


def full_key(mutant):
    return (*mutants.key_of(mutant), mutant.number)


def each_outcome(chosen, known, equivalents, judge):
    """Each mutant that counts, with its outcome: "killed ...", "survived" or "equivalent"."""
    for mutant in chosen:
        outcome = known.get(full_key(mutant))
        if outcome is None and not equivalents.find(mutant):
            outcome = judge(mutant)
        if outcome == "survived" and equivalents.find(mutant) or outcome is None:
            outcome = "equivalent"
        if outcome != "useless":
            yield mutant, outcome


def report(outcomes):
    """Prints the table; returns whether every area reaches its percentage."""
    folders, areas = collections.defaultdict(collections.Counter), {}
    for mutant, outcome in outcomes:
        word = outcome if outcome in ("survived", "equivalent") else "killed"
        folders[mutant.path.rsplit("/", 1)[0]][word] += 1
        areas.setdefault(area_of(mutant.path), collections.Counter())[word] += 1
    print(f"\n{'':26}  killed  survived  equivalent  killed of the others")
    for name, counts in sorted(folders.items()):
        print(row(name, counts))
    good = True
    for area, counts in sorted(areas.items()):
        least = AREAS[area][1]
        good &= percentage(counts) >= least
        print(f"{row(area, counts)}, at least {least} %")
    return good


def percentage(counts):
    judged = counts["killed"] + counts["survived"]
    return 100 * counts["killed"] / judged if judged else 100


def row(name, counts):
    return (f"{name:26}{counts['killed']:8}{counts['survived']:10}{counts['equivalent']:12}"
            f"{percentage(counts):10.1f} %")


def run(options):
    state = pathlib.Path(options.state)
    state.mkdir(parents=True, exist_ok=True)
    equivalents = ledger.Ledger(pathlib.Path(options.ledger))
    tried = project.Project(options.root, state, options.sanitize)
    tried.prepare()
    everything = collect(tried.tree)
    for entry in equivalents.stale(everything):
        print(f"{options.ledger}:{entry.line}: belongs to no mutant", file=sys.stderr)
    chosen = mutants.sample([mutant for mutant in everything
                             if matches(mutant, options.files)], options.seed)
    if options.check_ledger:
        chosen = [mutant for mutant in chosen if equivalents.find(mutant)]
        equivalents = ledger.Ledger(state / "none")
    results = state / "results.jsonl"
    goes_on = options.resume or options.again or options.check_ledger
    known = known_results(results) if goes_on and not options.check_ledger else {}
    if options.again:
        chosen = [mutant for mutant in chosen if known.get(full_key(mutant)) == "survived"]
        known = {}
    times = tried.build / "times.json"
    known_times = json.loads(times.read_text()) if times.exists() and goes_on else {}
    trial = Trial(tried, options.jobs, options.longest, known_times)
    times.write_text(json.dumps(trial.times))
    end = time.monotonic() + options.seconds
    with results.open("a" if goes_on else "w") as log:
        def judge(mutant):
            began = time.monotonic()
            outcome = trial.judge(mutant, options.limit)
            print(json.dumps({"key": full_key(mutant), "kind": mutant.kind, "line": mutant.line,
                              "outcome": outcome, "seconds": time.monotonic() - began}),
                  file=log, flush=True)
            return outcome

        outcomes = []
        for mutant, outcome in each_outcome(chosen, known, equivalents, judge):
            outcomes.append((mutant, outcome))
            if options.verbose:
                print(f"{mutant.path}:{mutant.line}: {mutant.kind}: {outcome}", flush=True)
            if len(outcomes) >= options.count or time.monotonic() > end:
                break
    tried.restore()
    return finish(options, outcomes)


def finish(options, outcomes):
    survivors = [mutant for mutant, outcome in outcomes if outcome == "survived"]
    for mutant in survivors:
        print(f"\n# {mutant.path}:{mutant.line}\n{ledger.written(mutant)}")
    good = report(outcomes)
    if options.check_ledger:
        wrong = [(mutant, outcome) for mutant, outcome in outcomes if outcome != "survived"]
        for mutant, outcome in wrong:
            print(f"{mutant.path}:{mutant.line}: in the ledger, but killed: {outcome}")
        return not wrong
    return good


def main():
    root = HERE.parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=root, help="the tree, by default the one of this file")
    parser.add_argument("--state", default=root / "build-mutation",
                        help="a directory that is kept: the copy, its build, and the results")
    parser.add_argument("--ledger", default=HERE / "equivalent.txt", help="the equivalent mutants")
    parser.add_argument("--seed", default="1", help="selects the sample of mutants")
    parser.add_argument("--count", type=int, default=300, help="how many mutants; default 300")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="end after this time, even with fewer mutants")
    parser.add_argument("--files", nargs="+", metavar="PATTERN",
                        help="such as 'lib/web/*' or lib/base/mem.c:12")
    parser.add_argument("--resume", action="store_true",
                        help="take over what earlier runs found out, of mutants that are the same")
    parser.add_argument("--again", action="store_true", help="try the earlier survivors again")
    parser.add_argument("--check-ledger", action="store_true",
                        help="try the mutants of the ledger, none of which a test may kill")
    parser.add_argument("--sanitize", action="store_true",
                        help="build with address and undefined-behaviour sanitizers; best with"
                        " --again, as it takes long")
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS",
                        help="for the tests of a folder, and again for the others; default 300")
    parser.add_argument("--longest", type=float, default=60, metavar="SECONDS",
                        help="leaves out longer tests; default 60")
    parser.add_argument("--jobs", type=int, default=1, help="how many tests run at a time")
    parser.add_argument("--verbose", action="store_true", help="print every mutant")
    try:
        return not run(parser.parse_args())
    except (project.Error, ledger.Error) as error:
        print(f"mutate.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
