#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages say what there is.

man_test.py --root DIR --gotrace FILE [--mandoc PROGRAM]

- Those that are made from the headers are not stale, and each exported function is on
  exactly one page.
- There is a page for each command of `gotrace help`, with the options that `gotrace help
  COMMAND` has, each in the synopsis and explained, and no others.
- Each page is installed, says what it is called, and leads only to pages that there are.
- mandoc, where it is given, has nothing against them.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import man_pages

OWN = re.compile(r"(?:lib)?gotrace|gt_")


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            encoding="utf-8", timeout=60, check=False)
    return result.stdout


def check_made(root):
    for name in man_pages.stale_files(root):
        yield "%s is not what the headers make: run tests/docs/man_pages.py" % name


def check_functions(root):
    """The names on pages against those that the libraries export."""
    exported = []
    for path in (root / "lib").glob("*.map"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        exported += re.findall(r"\b(gt_\w+);", text)
    pages = [path.read_text(encoding="utf-8") for path in (root / "docs/man").glob("*.3")]
    named = [name for page in pages for name in re.findall(r"^\.Nm (gt_\w+)", page, re.MULTILINE)]
    explained = [name for page in pages
                 for name in re.findall(r"^\.It Fn (gt_\w+)", page, re.MULTILINE)]
    for what, names in (("named", named), ("explained", explained)):
        for name in sorted(set(exported) | set(names)):
            times = names.count(name) if name in exported else -1
            if times != 1:
                yield "%s is %s" % (name, "not exported" if times < 0 else
                                    "%s %d times" % (what, times))


def options_of_help(text):
    """The names of options, and their letters."""
    lines = re.findall(r"^  (?:-([a-z]), )?--([a-z-]+)", text, re.MULTILINE)
    return {word for words in lines for word in words} - {""}


def check_commands(root, gotrace):
    overview = run([gotrace, "help"])
    commands = re.findall(r"^  ([a-z]+) ", overview, re.MULTILINE)
    main = (root / "docs/man/gotrace.1").read_text(encoding="utf-8")
    pages = {path.name[len("gotrace-"):-len(".1")] for path in (root / "docs/man").glob("*-*.1")}
    for command in sorted(pages - set(commands)):
        yield "gotrace-%s.1: there is no such command" % command
    for command in commands:
        path = root / "docs" / "man" / ("gotrace-%s.1" % command)
        if command not in pages:
            if ".It Nm Cm %s" % command not in main:
                yield "%s is on no page" % command
            continue
        yield from check_options(path, run([gotrace, "help", command]))
        if "gotrace-%s 1" % command not in main:
            yield "gotrace.1 does not lead to %s" % path.name


def check_options(path, text):
    page = path.read_text(encoding="utf-8")
    synopsis, rest = page.split(".Sh DESCRIPTION", 1)
    wanted = options_of_help(text)
    shown = set(re.findall(r"Fl -?([a-z][a-z-]*)", synopsis))
    items = re.findall(r"^\.It (Fl .*)", rest, re.MULTILINE)
    explained = {word for item in items for word in re.findall(r"Fl -?([a-z][a-z-]*)", item)}
    for what, found in (("in the synopsis", shown), ("explained", explained)):
        for option in sorted(wanted - found):
            yield "%s: option %s is not %s" % (path.name, option, what)
        for option in sorted(found - wanted):
            yield "%s: option %s is %s, but there is no such option" % (path.name, option, what)


def check_pages(root):
    """Titles, what is installed, and where pages lead."""
    directory = root / "docs" / "man"
    build = (directory / "meson.build").read_text(encoding="utf-8")
    listed = re.findall(r"^ +'([^']*\.[1-9])',$", build, re.MULTILINE)
    paths = sorted(directory.glob("*.[1-9]"))
    for name in sorted(set(listed) ^ {path.name for path in paths}):
        yield "%s: docs/man/meson.build and the folder disagree" % name
    for path in paths:
        text = path.read_text(encoding="utf-8")
        title = ".Dt %s %s\n" % (path.stem.upper(), path.suffix[1:])
        if title not in text or ".Nm %s" % path.stem not in text:
            yield "%s: its title is another" % path.name
        for name, section in re.findall(r"Xr (\S+) ([1-9])", text):
            if OWN.match(name) and not (directory / ("%s.%s" % (name, section))).exists():
                yield "%s: there is no %s(%s)" % (path.name, name, section)


def check_style(root, mandoc):
    paths = sorted(str(path) for path in (root / "docs/man").glob("*.[1-9]"))
    return run([mandoc, "-T", "lint", "-W", "warning"] + paths).splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--gotrace", required=True)
    parser.add_argument("--mandoc")
    options = parser.parse_args()
    problems = list(check_made(options.root))
    problems += check_functions(options.root)
    problems += check_commands(options.root, options.gotrace)
    problems += check_pages(options.root)
    if options.mandoc:
        problems += check_style(options.root, options.mandoc)
    for problem in problems:
        print(problem)
    print("%s, %d problems" % ("with mandoc" if options.mandoc else "without mandoc",
                               len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
