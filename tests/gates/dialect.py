#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dialect.py [--root ROOT]: what no formatter and no compiler holds of the style of C:

- a condition tests a pointer as `p` or `!p`, not against NULL;
- what is true or false is a bool, not an int;
- a loop declares its variable: for (size_t i = 0; ...).
"""
import argparse
import pathlib
import re
import sys
import tempfile

import sources

FOLDERS = ["lib", "examples", "tests"]
# How many places of each kind are left.
LIMITS = {"NULL": 0, "int": 7, "loop": 25}

COMPARISON = re.compile(r"[!=]= NULL\b(?P<choice>\s*\?)?")
CONDITION = re.compile(r"(else\s+)?(if|while|for)\s*\(")
FLAG = re.compile(r"\bint \**(?:is|has|was|can|should|needs)_\w+")
LOOP = re.compile(r"^[ \t]+(?:size_t|int|unsigned int|u?int\d+_t) [ijk]\b[^=;()]*;", re.M)

PLANTED = {
    "lib/planted.c": """
/* if (p == NULL) int is_comment */
static int is_planted(char *p, char *q)
{
    size_t i;
    if (q &&
        p == NULL)
        return p != NULL;
    char *both = q != NULL ? p : q;
    while ((p = next(p)) != NULL)
        for (size_t j = 0; j < 2; j++)
            print("p == NULL ? int is_text");
    return p != NULL && both;
}
""",
}
EXPECTED = [
    "lib/planted.c:3: int: is_planted",
    "lib/planted.c:5: loop: size_t i;",
    "lib/planted.c:7: NULL: == NULL",
    "lib/planted.c:9: NULL: != NULL",
]


def statement_before(code, position):
    """The code between the statement before and `position`."""
    start = max(code.rfind(mark, 0, position) for mark in ";{}")
    return code[start + 1:position].strip()


def is_condition(code, match):
    before = statement_before(code, match.start())
    # An assignment in a condition is compared, so that nobody takes it for a mistake.
    if re.search(r"[^=!<>]= ", before) and not match["choice"]:
        return False
    is_open = before.count("(") > before.count(")")
    return bool(match["choice"] or (CONDITION.match(before) and is_open))


def faults(source):
    code = source.code
    for match in COMPARISON.finditer(code):
        if is_condition(code, match):
            yield source.line_of(match.start()), "NULL", match[0].rstrip("? \n")
    for match in FLAG.finditer(code):
        yield source.line_of(match.start()), "int", match[0].split()[-1].lstrip("*")
    for match in LOOP.finditer(code):
        yield source.line_of(match.start()), "loop", match[0].strip()


def all_faults(root):
    for source in sources.c_sources(root, FOLDERS):
        for line, kind, text in sorted(faults(source)):
            yield kind, f"{source.path}:{line}: {kind}: {text}"


def check_itself():
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            (pathlib.Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(root) / path).write_text(text)
        found = [text for _, text in all_faults(root)]
    if found != EXPECTED:
        sys.exit("dialect.py: does not find what was planted, but:\n" + "\n".join(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    check_itself()
    found = list(all_faults(options.root))
    failed = False
    for _, text in found:
        print(text)
    for kind, limit in LIMITS.items():
        count = sum(1 for other, _ in found if other == kind)
        print(f"{kind}: {count} places, of which at most {limit} may be")
        failed |= count > limit
    return failed


if __name__ == "__main__":
    sys.exit(main())
