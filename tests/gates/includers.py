#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""includers.py [--root ROOT] HEADER...: prints the C files that include one of the headers, which
need not exist any more. Those that name one come first, then those that include it through other
headers."""
import argparse
import collections
import pathlib

import sources

FOLDERS = ["lib", "examples", "include", "tests"]
# Where the compiler looks for headers.
PATHS = ["lib", "examples/gotrace", "include", "tests"]
Gone = collections.namedtuple("Gone", "path includes")


def includers(root, headers):
    files = sources.c_sources(root, FOLDERS)
    known = {source.path for source in files}
    gone = [Gone(path, list) for path in headers if path not in known]
    users = collections.defaultdict(set)
    for path, included in sources.include_graph([*files, *gone], PATHS).items():
        for header in included:
            users[header].add(path)
    near = set().union(*(users[header] for header in headers))
    far = set().union(*(sources.reachable(users, header) for header in headers))
    return [path for path in [*sorted(near), *sorted(far - near)] if path.endswith(".c")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("headers", nargs="+")
    options = parser.parse_args()
    for path in includers(options.root, options.headers):
        print(path)


if __name__ == "__main__":
    main()
