#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The headers document all that they declare.

api_test.py --root DIR [--doxygen PROGRAM]

Reads the headers with tests/docs/headers.py, which looks for each function, parameter,
structure, member, enumeration and macro, and with Doxygen, where it is given, by the
configuration that makes the reference. To show that both look, they must also find fault
with copies of the headers in which something is not documented.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import headers

# What is put before the last function of version.h, what reads the headers says of it, and
# what Doxygen does, if anything.
PLANTED = [
    ("GT_API int gt_planted(void);\n", "gt_planted has no comment", "gt_planted"),
    ("/** Of `one`. @since 0.1.0 */\nGT_API int gt_planted(int one, int two);\n",
     "gt_planted does not say what `two` is", None),
    ("/** Planted. */\nGT_API int gt_planted(void);\n",
     "gt_planted does not say since when", None),
    ("/**\n * Planted.\n * @param one is not there.\n * @since 0.1.0\n */\n"
     "GT_API int gt_planted(void);\n", None, "argument 'one'"),
    ("/** Planted. @since 0.1.0 */\ntypedef struct gt_planted {\n    /** One. */\n"
     "    int one;\n    int two;\n} gt_planted;\n", "gt_planted: two has no comment", "two"),
    ("/** Planted. @since 0.1.0 */\ntypedef enum gt_planted {\n    /** One. */\n"
     "    GT_ONE = 1,\n    GT_TWO = 2\n} gt_planted;\n", "gt_planted: GT_TWO has no comment", None),
    ("#define GT_PLANTED 1\n", "GT_PLANTED has no comment", "GT_PLANTED"),
]
ANCHOR = "/**\n * Returns the same version as text"


def read(root):
    """What is missing according to our own reading."""
    return headers.check_headers(headers.read_headers(root))


def run_doxygen(doxygen, root, work):
    """Doxygen's warnings, each a line; one that says that it failed where it does not say why."""
    settings = (root / "docs" / "Doxyfile.in").read_text(encoding="utf-8")
    inputs = "%s/include/gotrace %s/docs/api.dox" % (root, root)
    for name, value in {"VERSION": "0", "INPUT": inputs,
                        "STRIP": root / "include", "OUTPUT": work}.items():
        settings = settings.replace("@%s@" % name, str(value))
    settings += "GENERATE_HTML = NO\nGENERATE_XML = YES\n"
    result = subprocess.run([doxygen, "-"], input=settings, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, encoding="utf-8", timeout=60, check=False)
    lines = [line for line in result.stdout.splitlines() if ": warning: " in line or
             ": error: " in line]
    return lines or (["doxygen: exit code %d\n%s" % (result.returncode, result.stdout)]
                     if result.returncode else [])


def copy_tree(root, work, text):
    """A copy of what is read, with something planted."""
    shutil.copytree(root / "include", work / "include")
    (work / "docs").mkdir()
    for name in ("Doxyfile.in", "api.dox"):
        shutil.copy(root / "docs" / name, work / "docs" / name)
    path = work / "include" / "gotrace" / "version.h"
    header = path.read_text(encoding="utf-8")
    assert header.count(ANCHOR) == 1
    path.write_text(header.replace(ANCHOR, text + "\n" + ANCHOR), encoding="utf-8")


def check_planted(root, doxygen):
    for text, ours, doxygens in PLANTED:
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            copy_tree(root, work, text)
            if ours and not any(ours in line for line in read(work)):
                yield "not found by the reading: %s" % text
            if doxygen and doxygens:
                if not any(doxygens in line for line in run_doxygen(doxygen, work, work)):
                    yield "not found by Doxygen: %s" % text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--doxygen")
    options = parser.parse_args()
    problems = read(options.root)
    if options.doxygen:
        with tempfile.TemporaryDirectory() as work:
            problems += run_doxygen(options.doxygen, options.root, work)
    problems += check_planted(options.root, options.doxygen)
    for problem in problems:
        print(problem)
    print("%s, %d problems" % ("with Doxygen" if options.doxygen else "without Doxygen",
                               len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
