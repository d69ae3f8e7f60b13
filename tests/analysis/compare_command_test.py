#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the command compare: planted changes, conditions, damaged traces and hostile names.

Reads traces of $GT_TESTDATA with $GT_COMMAND.
"""

import json
import os
import subprocess
import tempfile

TIMEOUT = 60
PLAIN = ["compare/plain-%d.trace" % i for i in (1, 2, 3)]
FIRST = {
    "slow": lambda d: d["name"] in ("price", "checkout") and d["measure"] == "duration",
    "lock": lambda d: d["name"] == "reserve" or d["detail"] == "sync",
    "memory": lambda d: d["measure"] in ("allocated", "gc", "stop", "assist"),
}
MISUSES = (
    [],
    [PLAIN[0]],
    PLAIN,
    [PLAIN[0], "--"],
    ["--", PLAIN[0]],
    ["--save", "kept.trace", PLAIN[0], PLAIN[1]],
    ["--fail-if", "x", PLAIN[0], PLAIN[1]],
    ["--fail-if", "> +10%", PLAIN[0], PLAIN[1]],
    ["--fail-if", "task:a p50 > 10", PLAIN[0], PLAIN[1]],
    ["--fail-if", "task:a p50 > nan%", PLAIN[0], PLAIN[1]],
    ["--fail-if", "task:a p50 > " + "1" * 99 + "%", PLAIN[0], PLAIN[1]],
    ["--fail-if", "task:a p50 > 1%;", ";", PLAIN[0], PLAIN[1]],
)


def run(*arguments, code=0):
    """The output and the error of the command."""
    result = subprocess.run([os.environ["GT_COMMAND"], "compare", *arguments], timeout=TIMEOUT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                            cwd=os.environ["GT_TESTDATA"])
    assert result.returncode == code, (arguments, result.returncode, result.stderr)
    return result.stdout, result.stderr


def compared(*arguments, code=0):
    return json.loads(run("--json", *arguments, code=code)[0])


def check_planted():
    for name, is_planted in FIRST.items():
        differences = compared(PLAIN[0], "compare/%s.trace" % name)["differences"]
        worse = [d for d in differences if d["verdict"] == "worse"]
        assert worse and differences[0] == worse[0] and is_planted(worse[0]), (name, worse)
        swapped = compared("compare/%s.trace" % name, PLAIN[0])["differences"]
        assert any(d["verdict"] == "better" and is_planted(d) for d in swapped), name


def check_equal():
    for before in PLAIN:
        for after in PLAIN:
            assert not compared(before, after)["differences"], (before, after)
    text, _ = run(PLAIN[0], PLAIN[1])
    assert "none is beyond the noise" in text and "verdict" not in text, text
    every = compared("--all", PLAIN[0], PLAIN[0])["differences"]
    assert len(every) > 20
    for difference in every:
        assert difference["before"] == difference["after"], difference
        if "low" in difference:
            assert difference["low"] < 0 < difference["high"], difference


def check_sides():
    both = compared(*PLAIN[:2], "--", "compare/slow.trace")
    assert both["before"]["traces"] == 2 and both["after"]["traces"] == 1
    one = compared(PLAIN[0], "compare/slow.trace", "--one-thread")
    assert one == compared(PLAIN[0], "compare/slow.trace", "--threads=4")


def check_conditions():
    condition = "task:checkout p50 > +10%"
    slow = "compare/slow.trace"
    _, error = run("--fail-if", condition, PLAIN[0], slow, code=3)
    assert "holds" in error, error
    run("--fail-if", condition, PLAIN[0], PLAIN[1])
    run("--fail-if", "task:checkout p50 > +1000%", PLAIN[0], slow)
    run("--fail-if", "task:checkout p50 < -10%", PLAIN[0], slow)
    run("--fail-if", "task:checkout p50 < -10%", slow, PLAIN[0], code=3)
    _, error = run("--fail-if", "task:nobody p50 > +10%", PLAIN[0], slow)
    assert "too little data" in error, error
    found = compared("--fail-if", "region:price p99 > 1% ;" + condition, PLAIN[0], slow, code=3)
    assert [c["holds"] for c in found["conditions"]] == [None, True], found["conditions"]
    text, _ = run("--all", PLAIN[0], slow)
    assert "  task:checkout p50\n" in text, text


def check_damaged(directory):
    whole = os.path.join(os.environ["GT_TESTDATA"], PLAIN[0])
    cut = os.path.join(directory, "cut.trace")
    with open(whole, "rb") as source, open(cut, "wb") as target:
        target.write(source.read()[:20000])
    _, error = run(PLAIN[0], cut, code=1)
    assert "cut.trace" in error and "offset" in error, error
    empty = os.path.join(directory, "empty.trace")
    with open(empty, "wb"):
        pass
    text, error = run(empty, PLAIN[0], code=1)
    assert "empty.trace" in error and "0 traces" in text, (text, error)
    run(os.path.join(directory, "missing"), PLAIN[0], code=1)


def check_others():
    run("v2/go1.27-gc.trace", "v1/go1.21-gc.trace")
    for name in sorted(os.listdir(os.path.join(os.environ["GT_TESTDATA"], "hostile"))):
        text, _ = run("--all", "--lenient", "hostile/" + name, "hostile/" + name)
        assert all(c.isprintable() or c == "\n" for c in text), name
        compared("--all", "--lenient", "hostile/" + name, PLAIN[0])


def main():
    for arguments in MISUSES:
        run(*arguments, code=2)
    check_planted()
    check_equal()
    check_sides()
    check_conditions()
    with tempfile.TemporaryDirectory() as directory:
        check_damaged(directory)
    check_others()


main()
