#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""structure.py [--root ROOT] [--table]: how long and how deeply nested the functions of the
libraries and the command are, and which files include each other in a circle. --table prints
the figures of the whole tree instead."""
import argparse
import pathlib
import statistics
import sys
import tempfile

import names
import sources

FOLDERS = ["lib", "examples/gotrace"]
LINES_MAX = 56
NESTING_MAX = 3
# Files in a circle, where a .c and a .h of one name count as one.
CYCLE_MAX = 6
RING = CYCLE_MAX + 1


def long_function(lines):
    return "int planted_long(int x)\n{\n" + "    x++;\n" * (lines - 4) + "    return x;\n}\n"


PLANTED = {
    "lib/long.c": long_function(LINES_MAX + 1),
    "lib/short.c": long_function(LINES_MAX),
    "lib/deep.c": """
int planted_deep(int x)
{
    if (x > 1)
        for (;;)
            while (x) {
                if (x)
                    return (struct a){x}.b;
            }
    return 0;
}
""",
    "lib/chain.c": """
int planted_chain(int x)
{
    if (x == 1)
        return 1;
    else if (x == 2)
        return 2;
    else if (x == 3)
        return 3;
    else if (x == 4)
        return 4;
    switch (x) {
    case 1:
        do
            x--;
        while (x);
    }
    return 0;
}
""",
    **{f"lib/ring{i}.c": f'#include "ring{i}.h"\n#include "ring{(i + 1) % RING}.h"\n'
       for i in range(RING)},
    **{f"lib/ring{i}.h": "" for i in range(RING)},
    "lib/a.h": '#include "b.h"\n',
    "lib/b.h": '#include "a.h"\n',
}
EXPECTED = [
    "lib/a.h, lib/b.h include each other",
    "lib/deep.c:2: planted_deep nests 4 statements, of which at most 3 may be",
    "lib/long.c:1: planted_long has 57 lines, of which at most 56 may be",
    f"{', '.join(f'lib/ring{i}' for i in range(RING))} are a circle of {RING} files, of which at"
    f" most {CYCLE_MAX} may be",
]


def faults(files):
    for source in files:
        for function in source.functions:
            place = f"{function.path}:{function.line}: {function.name}"
            if function.lines > LINES_MAX:
                yield f"{place} has {function.lines} lines, of which at most {LINES_MAX} may be"
            if function.nesting > NESTING_MAX:
                yield (f"{place} nests {function.nesting} statements, of which at most"
                       f" {NESTING_MAX} may be")
    graph = sources.include_graph(files)
    for group in sources.cycles(graph):
        yield f"{', '.join(sorted(group))} include each other"
    for group in sources.cycles(sources.pairs(graph)):
        if len(group) > CYCLE_MAX:
            yield (f"{', '.join(sorted(group))} are a circle of {len(group)} files, of which at"
                   f" most {CYCLE_MAX} may be")


def check_itself():
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            (pathlib.Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(root) / path).write_text(text)
        found = sorted(faults(sources.c_sources(root, FOLDERS)))
    if found != EXPECTED:
        sys.exit("structure.py: does not find what was planted, but:\n" + "\n".join(found))


def figures(root):
    files = sources.c_sources(root, FOLDERS)
    functions = [function for source in files for function in source.functions]
    sizes = [function.lines for function in functions]
    graph = sources.include_graph(files)
    circles = sources.cycles(sources.pairs(graph))
    count, shared = names.shared_names(root)
    comments = sum(source.comment_lines() for source in files)
    code = sum(source.code_lines() for source in files)
    yield "files (.c and .h)", len(files)
    yield "functions", len(functions)
    yield "median function, lines", statistics.median(sizes)
    yield "largest function, lines", max(sizes)
    yield "deepest nesting", max(function.nesting for function in functions)
    yield "static functions", count
    yield "static functions with a shared name", f"{names.share(count, shared):.1f} %"
    yield "comment lines, of all but blank ones", f"{100 * comments / (comments + code):.1f} %"
    yield "include cycles of files", len(sources.cycles(graph))
    yield "cycles of .c/.h pairs", len(circles)
    yield "largest cycle of .c/.h pairs", len(circles[0]) if circles else 0
    yield "lines of code, without comments and blanks", code
    for folder in FOLDERS:
        yield (f"of these in {folder}",
               sum(source.code_lines() for source in files if source.path.startswith(folder)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    check_itself()
    if options.table:
        for label, value in figures(options.root):
            print(f"{label:44}{value:>10}")
        return 0
    found = list(faults(sources.c_sources(options.root, FOLDERS)))
    print("\n".join(found) or "no faults")
    return len(found) > 0


if __name__ == "__main__":
    sys.exit(main())
