#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""skipped.py [BUILD]: says in one line which tests the last run of `meson test` in BUILD skipped,
wholly or in part, and for want of what. Without BUILD it only tests itself, and looks for programs
of unittest that would not say why."""
import collections
import json
import pathlib
import re
import sys

# A test that leaves out a part says so in such a line; cmocka says which test it skips.
LEFT_OUT = re.compile(r"^(?:left out|skipped): (.+)$", re.M)
SKIPPED = re.compile(r"^\[  SKIPPED \] (?!\d+ test)(.+)$", re.M)
# What unittest skips is only counted, unless the program ends with main() of support/skips.py.
SKIPPING = re.compile(r"unittest\.skip|SkipTest\(|self\.skipTest")
SILENT = "unittest.main("
PLANTED = [
    {"name": "gotrace:golden / convert", "result": "SKIP", "stdout": "1..0\nno traces there\n"},
    {"name": "gotrace:golden / json", "result": "SKIP", "stderr": "skipped: no traces there"},
    {"name": "gotrace:abi / none", "result": "SKIP"},
    {"name": "gotrace:install / install", "result": "OK", "stdout": "left out: no cmake\ndone\n"},
    {"name": "gotrace:reader / sealed", "result": "OK",
     "stdout": "[ RUN      ] one\n[  SKIPPED ] one\n[  SKIPPED ] 1 test(s), listed below:\n"
               "[  SKIPPED ] one\n"},
    {"name": "gotrace:unit / pool", "result": "OK", "stdout": "[       OK ] skipped: none\n"},
]
EXPECTED = ("Skipped: no traces there (golden/convert, golden/json); no reason given (abi/none);"
            " no cmake (install/install); one (reader/sealed)")


def reasons_of(test):
    """What a test skipped, or why it was skipped itself."""
    text = test.get("stdout", "") + "\n" + test.get("stderr", "")
    said = LEFT_OUT.findall(text)
    if test["result"] == "SKIP":
        lines = [line for line in text.split("\n") if line.strip()]
        return said[-1:] or lines[-1:] or ["no reason given"]
    return list(dict.fromkeys(said + SKIPPED.findall(text)))


def summary(tests):
    skipped = collections.defaultdict(list)
    for test in tests:
        for reason in reasons_of(test):
            skipped[reason.strip()].append(test["name"].split(":")[-1].replace(" / ", "/"))
    parts = [f"{reason} ({', '.join(names)})" for reason, names in skipped.items()]
    return "Skipped: " + ("; ".join(parts) if parts else "nothing")


def is_silent(text):
    return SILENT in text and SKIPPING.search(text)


def silent(folder):
    return sorted(str(path) for path in folder.rglob("*_test.py")
                  if is_silent(path.read_text(encoding="utf-8")))


def main():
    if not is_silent("self.skipTest(1); unittest.main()") or is_silent("unittest.main()"):
        sys.exit("skipped.py: does not find a program that is silent")
    if found := silent(pathlib.Path(__file__).parent):
        sys.exit(f"These do not say what they skip; support/skips.py does: {', '.join(found)}")
    if summary(PLANTED) != EXPECTED or summary([]) != "Skipped: nothing":
        sys.exit(f"skipped.py: {summary(PLANTED)}")
    for build in sys.argv[1:]:
        log = pathlib.Path(build) / "meson-logs" / "testlog.json"
        lines = log.read_text().split("\n") if log.exists() else sys.exit(f"skipped.py: no {log}")
        print(summary(json.loads(line) for line in lines if line))


if __name__ == "__main__":
    main()
