#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tests.py BUILD ARGUMENT...: runs tests of a build that is up to date, with arguments of `meson
test`, and shows the end of what those printed that failed.

Where tests only took too long, it adds the command that runs them again to the file that GT_AGAIN
names, and ends as if nothing had failed. GT_TIME_SCALE is a factor for the limits of time.

tests.py --judge BUILD: the same for tests that have run.
tests.py --programs BUILD ARGUMENT...: prints which files of the build, one a line, the tests need
that have these names, or are in one of the suites after --suite and in none after --no-suite.
tests.py --left-out BUILD SUITE...: prints the tests, one a line, that the last run skipped or did
not have, because a tool was missing, but for those of these suites.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

GOOD = {"OK", "SKIP", "EXPECTEDFAIL"}
# So many lines of all failed tests together still are to be seen at the end of a gate's output.
LINES = 30


def results_of(build, logbase="testlog"):
    log = pathlib.Path(build) / "meson-logs" / f"{logbase}.json"
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text().split("\n") if line]


def name_of(test):
    """A test as `meson test` takes it: without project and suites."""
    return test["name"].split(" / ")[-1].split(":")[-1]


def suites_of(test):
    """Naming a suite is how `meson test` takes tests that it leaves out otherwise."""
    return test["name"].split(" / ")[0].split(":")[-1].split("+")


def tell(test, lines):
    print(f"FAILED: {test['name']}: {test['result']} after {test['duration']:.1f} s")
    text = test.get("stdout", "") + "\n" + test.get("stderr", "")
    for line in [line for line in text.split("\n") if line.strip()][-lines:]:
        print("  " + line)


def judge(build, code, logbase="testlog"):
    """The exit code, as one that only took too long counts when it has run again."""
    if code == 0:
        return 0
    bad = [test for test in results_of(build, logbase) if test["result"] not in GOOD]
    for test in bad:
        tell(test, max(4, LINES // len(bad)))
    again = os.environ.get("GT_AGAIN")
    if not bad or not again or any(test["result"] != "TIMEOUT" for test in bad):
        return code
    suites = sorted({f"--suite={suite}" for test in bad for suite in suites_of(test)})
    with open(again, "a") as file:
        file.write(shlex.join([*command_of(build), *suites, "--num-processes", "1", "--logbase",
                               "again", *map(name_of, bad)]) + "\n")
    return 0


def command_of(build):
    return ["meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs",
            "--timeout-multiplier", os.environ.get("GT_TIME_SCALE", "1")]


def run(build, arguments):
    logbase = "testlog"
    if "--logbase" in arguments:
        logbase = arguments[arguments.index("--logbase") + 1]
    code = subprocess.run([*command_of(build), *arguments]).returncode
    return judge(build, code, logbase)


def left_out(build, suites):
    told = subprocess.run(["meson", "test", "-C", build, "--list"], capture_output=True,
                          text=True, check=True).stdout.split("\n")
    tests = [{"name": line.strip()} for line in told if " / " in line]
    names = {name_of(test) for test in tests if not set(suites_of(test)) & set(suites)}
    return sorted(names - {name_of(test) for test in results_of(build)
                           if test["result"] != "SKIP"})


def introspect(build, what):
    told = subprocess.run(["meson", "introspect", build, what], capture_output=True, text=True,
                          check=True).stdout
    return json.loads(told)


def is_chosen(test, chosen):
    suites = {suite.split(":")[-1] for suite in test["suite"]}
    return (test["name"] in chosen.names or suites & set(chosen.suite)) and not (
        suites & set(chosen.no_suite))


def programs(build, arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--no-suite", action="append", default=[])
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args(arguments)
    needed = {target for test in introspect(build, "--tests") if is_chosen(test, chosen)
              for target in test["depends"]}
    found = {os.path.relpath(path, os.path.realpath(build))
             for target in introspect(build, "--targets") if target["id"] in needed
             for path in target["filename"]}
    return sorted(found)


def main(words):
    if words[:1] == ["--judge"]:
        return judge(words[1], 1)
    if words[:1] == ["--left-out"]:
        print(*left_out(words[1], words[2:]), sep="\n")
        return 0
    if words[:1] == ["--programs"]:
        print(*programs(words[1], words[2:]), sep="\n")
        return 0
    return run(words[0], words[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
