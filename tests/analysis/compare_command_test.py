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
    _, error = run("--fail-if", "task:checkout p99 > +10%", PLAIN[0], slow)
    assert "too little data" in error, error
    found = compared("--fail-if", "region:price p99 > 1% ;" + condition, PLAIN[0], slow, code=3)
    assert [c["holds"] for c in found["conditions"]] == [None, True], found["conditions"]
    text, _ = run("--all", PLAIN[0], slow)
    assert "  task:checkout p50\n" in text, text


# Figures that no trace has, and what is said of each.
UNKNOWN = {
    "task:nosuch p50 > +10%": "no trace has such a task; there are 'checkout'",
    "task:check p50 > +10%": "no trace has such a task; there are 'checkout'",
    "region:checkout p50 > +10%": "no trace has such a region; there are 'price' and 'reserve'",
    "goroutine:main.nobody running > 1%": "no trace has such a goroutine; there are '",
    "task:checkout p95 > +10%": "'task:checkout' has no such figure; there are 'assist mean', '",
    "task:checkout > +10%": "'task:checkout' has no such figure; there are '",
    "goroutine:main.main blocked snyc > 1%": "'goroutine:main.main' has no such figure; there are",
    "goroutine:main.main.func1 blocked snyc > 1%": " more\n",
    "trace stop lunch > 1%": "'trace' has no such figure; there are '",
}
# Conditions that are none, and the one of several that is shown.
NO_CONDITIONS = {
    "": "has no condition",
    "task:checkout p50 > +10%;;": "''",
    "task:checkout p50 > +10%; taks:checkout p50 > 1%": "' taks:checkout p50 > 1%'",
    "task:checkout p50 > 10": "'task:checkout p50 > 10'",
    "stack:main.main running > 1%": "without --stacks",
}
# Figures that a program need not have.
NOTHING = ("trace stop all goroutines stack trace p99 > 1%", "goroutine:main.main syscall > 1%",
           "goroutine:main.main blocked network p99 > 1%", "trace gc rate > 2000%")


def check_unknown():
    """What no trace has is a wrong use, and so is what is no condition."""
    slow = "compare/slow.trace"
    for condition, said in UNKNOWN.items():
        text, error = run("--fail-if", condition, PLAIN[0], slow, code=2)
        assert condition in error and said in error and error.count("\n") == 1, error
        assert "region:price p50" in text, text
    for conditions, said in NO_CONDITIONS.items():
        text, error = run("--fail-if", conditions, PLAIN[0], slow, code=2)
        assert said in error and not text, (text, error)
    for condition in NOTHING:
        run("--fail-if", condition, PLAIN[0], slow)
    # Such a condition comes before one that holds, but not before a trace that cannot be read.
    both = "task:checkout p50 > +10%; task:nosuch p50 > +10%"
    found = compared("--fail-if", both, PLAIN[0], slow, code=2)["conditions"]
    assert [c["holds"] for c in found] == [True, None] and found[1]["why"] == "unknown", found
    run("--fail-if", both, PLAIN[0], "compare/missing", code=1)
    _, error = run("--fail-if", "task:x p50 > 1%", "v2/go1.27-gc.trace", "v2/go1.27-gc.trace",
                   code=2)
    assert "there are none" in error, error


def check_one_side():
    """What is gone cannot be watched any more; what is new has nothing to be compared with."""
    old, new, slow = PLAIN[0], "v2/go1.27-mix.trace", "compare/slow.trace"
    for condition in ("task:checkout p50 > +10%", "task:checkout rate > +10%",
                      "goroutine:main.main.func1 running > +1000%"):
        _, error = run("--fail-if", condition, old, new, code=3)
        assert "only the traces before have" in error, error
        found = compared("--fail-if", condition, old, new, code=3)["conditions"]
        assert found == [{"condition": condition, "holds": None, "why": "removed"}], found
        _, error = run("--fail-if", condition, new, old)
        assert "only the traces after have" in error, error
        found = compared("--fail-if", condition, new, old)["conditions"]
        assert found == [{"condition": condition, "holds": None, "why": "added"}], found
    found = compared("--fail-if", "task:checkout p99 > 1%", old, slow)["conditions"]
    assert found[0]["why"] == "too few", found


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
    check_unknown()
    check_one_side()
    with tempfile.TemporaryDirectory() as directory:
        check_damaged(directory)
    check_others()


main()
