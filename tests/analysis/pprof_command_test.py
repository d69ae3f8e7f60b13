#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs `$GT_COMMAND pprof` with all of its options on traces of $GT_TESTDATA."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import pprof_lines

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import terminals  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
TRACES = pathlib.Path(os.environ["GT_TESTDATA"]) / "v2"
TASKS = str(TRACES / "go1.27-tasks.trace")
SYSCALL = str(TRACES / "go1.27-syscall.trace")
CUT = str(TRACES / "go1.27-cut.trace")
failures = 0


def expect(condition, what):
    global failures
    if not condition:
        print("not so: " + what, file=sys.stderr)
        failures += 1


def run(*arguments, **options):
    result = subprocess.run([COMMAND, *arguments], timeout=60, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **options)
    return result.returncode, result.stdout, result.stderr.decode()


def text(*arguments):
    code, output, errors = run("pprof", *arguments)
    expect(code == 0 and errors == "", "pprof %s is good: %s" % (" ".join(arguments), errors))
    return output.decode().splitlines()


def times(lines):
    return sum(int(line.split(" ")[1]) for line in lines)


def check_kinds():
    for kind in ("net", "sync", "syscall", "sched", "cpu", "offcpu", "wall"):
        lines = text(kind, "--text", SYSCALL)
        code, profile, _ = run("pprof", kind, SYSCALL)
        expect(code == 0 and pprof_lines.read_lines(profile) == lines, kind + " is its --text")
        expect(lines or kind in ("net", "cpu"), kind + " has samples")


def check_drop_in():
    for kind in pprof_lines.KINDS:
        wanted = run("pprof", kind, SYSCALL)
        expect(run("-pprof=" + kind, SYSCALL) == wanted, "-pprof=" + kind)
        expect(run("--pprof", kind, SYSCALL) == wanted, "--pprof " + kind)
    wrong = (("-pprof",), ("-pprof=", SYSCALL), ("-pprof", "-x"), ("-pprof=other", SYSCALL))
    for arguments in wrong:
        code, output, errors = run(*arguments)
        expect(code == 2 and output == b"" and errors.count("\n") == 1, " ".join(arguments))


def check_groups():
    everything = text("wall", "--text", TASKS)
    group = text("wall", "--text", "--goroutine", "main.main", TASKS)
    expect(0 < times(group) < times(everything), "a group is a part of all")
    code, output, errors = run("pprof", "sched", "--text", "--goroutine=main.nobody", TASKS)
    expect((code, output) == (1, b"") and "no goroutine began in 'main.nobody'" in errors,
           "a group without goroutines is an error")


def check_regions():
    group = times(text("wall", "--text", "--region", "outer", TASKS))
    short = times(text("wall", "--text", "--region", "outer", "--latency-max", "1ns", TASKS))
    some = times(text("wall", "--text", "--latency-min=1us", TASKS))
    none = text("wall", "--text", "--region", "no such region", TASKS)
    expect(group > 0 and short == 0 and some > 0 and none == [], "regions are told apart")


def check_all():
    """With --all, the time for which goroutines were runnable is that of `gotrace summary`, and of
    the profile of all time."""
    for trace in sorted(TRACES.glob("go*.trace")):
        if "cut" in trace.name:
            continue
        lines = text("sched", "--all", "--text", str(trace))
        summary = [json.loads(line) for line in run("summary", str(trace))[1].splitlines()]
        runnable = sum(line["stats"]["SchedWait"] for line in summary if "created" in line)
        expect(times(lines) == runnable, "%s: sched --all is the summary's" % trace.name)
        wall = [line for line in text("wall", "--text", str(trace)) if " [Runnable]" in line]
        expect(times(lines) == times(wall), "%s: sched --all is runnable time" % trace.name)
        expect(times(text("sched", "--text", str(trace))) <= runnable,
               "%s: Go counts no more" % trace.name)
    code, profile, _ = run("pprof", "sched", "--all", SYSCALL)
    expect(code == 0 and pprof_lines.read_lines(profile) == text("sched", "--all", "--text",
                                                                 SYSCALL), "sched --all")
    region = ("--region", "outer", "--text", TASKS)
    expect(times(text("sync", *region)) <= times(text("sync", "--all", *region)),
           "--all in regions")


def check_errors():
    wrong = (
        ("pprof",), ("pprof", "sched"), ("pprof", "other", SYSCALL), ("pprof", "--text", SYSCALL),
        ("pprof", "sched", "--text", SYSCALL, SYSCALL),
        ("pprof", "wall", "--latency-min", "x", SYSCALL),
        ("pprof", "wall", "--latency-max", "1 ms", SYSCALL),
        ("pprof", "wall", "--goroutine", "main.main", "--region", "r", SYSCALL),
    )
    for arguments in wrong:
        code, output, errors = run(*arguments)
        expect(code == 2 and output == b"" and errors.count("\n") == 1, " ".join(arguments))
    code, output, errors = run("pprof", "wall", "--text", CUT)
    expect(code == 1 and output and "batch is cut off" in errors, "what is good of a cut trace")
    code, output, errors = run("pprof", "wall", "missing.trace")
    expect(code == 1 and output == b"" and "missing.trace" in errors, "a missing trace")
    with open(os.devnull, "rb") as nothing:
        code, output, errors = run("pprof", "net", "-", stdin=nothing)
    expect(code == 1 and output == b"" and errors, "no trace at all")


def check_help():
    code, output, _ = run("pprof", "--help")
    expect(code == 0 and b"usage: gotrace pprof KIND" in output, "pprof --help")


def check_terminal():
    """A binary profile is not written to a terminal, but text is."""
    try:
        leader, follower = terminals.open_pair()
    except unittest.SkipTest as reason:
        print(f"left out: {reason}")
        return
    for arguments, code in ((("sched", SYSCALL), 2), (("sched", "--text", SYSCALL), 0)):
        result = subprocess.run([COMMAND, "pprof", *arguments], stdout=follower,
                                stderr=subprocess.PIPE, timeout=60)
        expect(result.returncode == code, "exit code on a terminal")
        expect((b"--text" in result.stderr) == (code == 2), "a hint on a terminal")
    os.close(leader)
    os.close(follower)


def main():
    for check in (check_kinds, check_drop_in, check_groups, check_regions, check_all,
                  check_errors, check_help, check_terminal):
        check()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
