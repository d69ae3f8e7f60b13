#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of events in docs/formats.md are those that the library reads by.

formats_test.py --root DIR --records PROGRAM

PROGRAM is made of records.c. Of each version and type the name and the number of arguments
must be the same in both, and neither may have one that the other has not.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROW = re.compile(r"^\| (\d+) \| ([A-Z]\w+) \|([^|]*)\|", re.MULTILINE)
ROW_SINCE = re.compile(r"^\| (\d+) \| ([A-Z]\w+) \| (\d+) \|([^|]*)\|", re.MULTILINE)
OLD = (5, 7, 8, 9, 10, 11, 19, 21)
# Which types a header's version adds, as section 1.1 has it.
ADDED = re.compile(r"^\| (2\d) \| Go [^|]* \| (.*) \|$", re.MULTILINE)
# Happens at a time, but is part of a table: section 1.4.
TABLES = ("ClockSnapshot",)


def section(text, number):
    found = re.search(r"^### %s .*?(?=^##)" % re.escape(number), text, re.MULTILINE | re.DOTALL)
    return found.group(0)


def count(arguments):
    return len([each for each in arguments.split(",") if each.strip()])


def types_since(text):
    """From types to the first version that has them: 1.1 speaks of ranges."""
    since = {}
    for version, added in ADDED.findall(section(text, "1.1")):
        for first, last in re.findall(r"\b(\d+) to (\d+)", added):
            since.update((number, int(version)) for number in range(int(first), int(last) + 1))
    return since


def new_events(text):
    since = types_since(text)
    for number, name, arguments in ROW.findall(section(text, "1.5")):
        for version in (22, 23, 25, 26):
            if version >= since[int(number)]:
                yield version, int(number), name, count(arguments)


def count_old(arguments, version):
    """Arguments of one version: "from 7" is of later ones, "N = 5:" of that one alone."""
    now, _, then = arguments.partition(";")
    if then.strip().startswith("N = 5:") and version == 5:
        return count(then.partition(":")[2])
    parts = [each for each in now.split(",") if each.strip()]
    since = [int((re.search(r"\(from (\d+)\)", each) or [0, 0])[1]) for each in parts]
    # "swept, reclaimed (from 9)" is about both.
    if "swept" in now:
        since = [9, 9]
    return sum(1 for each in since if version >= each)


def old_events(text):
    for number, name, since, arguments in ROW_SINCE.findall(section(text, "8.5")):
        for version in OLD:
            if version >= int(since):
                yield version, int(number), name, count_old(arguments, version)


def known(program):
    output = subprocess.run([program], stdout=subprocess.PIPE, encoding="ascii", check=True,
                            timeout=60).stdout
    for line in output.splitlines():
        version, number, name, arguments = line.split()
        if name not in TABLES:
            yield int(version), int(number), name, int(arguments)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--records", required=True)
    options = parser.parse_args()
    text = (options.root / "docs" / "formats.md").read_text(encoding="utf-8")
    told = set(new_events(text)) | set(old_events(text))
    read = set(known(options.records))
    for what, some in (("docs/formats.md alone has", told - read),
                       ("docs/formats.md does not have", read - told)):
        for event in sorted(some):
            print("%s N = %d, type %d: %s with %d arguments" % ((what,) + event))
    print("%d events of all versions" % len(read))
    sys.exit(0 if told == read and read else 1)


if __name__ == "__main__":
    main()
