#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""names.py [--root ROOT] [--limit PERCENT]: how many static functions of the libraries and
the command share their name with one in another file. Backtraces, profiles and "break" of a
debugger cannot tell those apart, so a static function keeps the noun of its module:
heap_sift, not sift."""
import argparse
import collections
import pathlib
import sys
import tempfile

import sources

FOLDERS = ["lib", "examples/gotrace"]
LIMIT = 3
PLANTED = {
    "lib/heap.c": "static int sift(int x)\n{\n    return x;\n}\n",
    "lib/sort.h": "static inline int *sift(int *x)\n{\n    return x;\n}\n",
    "lib/own.c": "static void own_do(void)\n{\n}\n/* static int sift(int x)\n{\n} */\n",
    "examples/gotrace/user.c": "int user_do(int sift)\n{\n    return sift;\n}\n",
}


def shared_names(root):
    """The number of static functions, and for each shared name the files that define it."""
    places = collections.defaultdict(list)
    for source in sources.c_sources(root, FOLDERS):
        for function in source.functions:
            if function.static:
                places[function.name].append(source.path)
    shared = {name: paths for name, paths in places.items() if len(set(paths)) > 1}
    return sum(map(len, places.values())), shared


def share(count, shared):
    return 100 * sum(map(len, shared.values())) / max(1, count)


def check_itself():
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            (pathlib.Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(root) / path).write_text(text)
        count, shared = shared_names(root)
    if (count, shared) != (3, {"sift": ["lib/heap.c", "lib/sort.h"]}):
        sys.exit(f"names.py: does not find the planted name: {count} {shared}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--limit", type=float, default=LIMIT)
    options = parser.parse_args()
    check_itself()
    count, shared = shared_names(options.root)
    if count == 0:
        sys.exit("names.py: no static functions: the gate is wrong")
    for name, paths in sorted(shared.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{len(paths):3} {name}: {' '.join(sorted(paths))}")
    percent = share(count, shared)
    print(f"{percent:.1f} % of {count} static functions share a name; at most"
          f" {options.limit:g} % may")
    return percent > options.limit


if __name__ == "__main__":
    sys.exit(main())
