#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""files.py [--root ROOT]: files that should not be in the tree: left-overs of editors and of
patch, and sources that no build file names and no other source includes. Also lines that are
too long in JavaScript and public headers, which clang-format does not see."""
import argparse
import collections
import fnmatch
import pathlib
import re
import sys
import tempfile

import sources

STRAY = re.compile(r"\.(orig|rej|bak|swp)$|~$|^\.?#")
SOURCES = (".c", ".h", ".js", ".css", ".py")
COLUMNS_MAX = 100
# What names sources: each pattern's group is a path, or its end.
QUOTED = re.compile(r"'([^'\n]+)'")
# 'fuzz_' + name + '.c' in a loop over a list of names.
COMPOSED = re.compile(r"(?:'([^'\n]*)' *\+ *)?\b[a-z_]+\b(?: *\+ *'([^'\n]*)')?")
INCLUDED = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)""", re.M)
IMPORTED = re.compile(r"""(?:\bfrom|\bimport|\bsrc=|\bhref=|@import|\bimport\()\s*["']([^"'\n]+)""")
PYTHON = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)"
                    r"|import[ \t]+([^\n]*))", re.M)
WORD = re.compile(r"[\w./+*-]+")

PLANTED = {
    "include/one.h": "/* " + "x" * COLUMNS_MAX + " */\n",
    "lib/meson.build": "foreach name : ['one']\n  sources += ['built.c', 'loop_' + name + '.c']\n",
    "lib/loop_one.c": "",
    "lib/built.c": '#include "built.h"\n',
    "lib/built.h": "",
    "lib/unbuilt.c": '#include "unbuilt.h"\n#include "one.h"\n',
    "lib/left.h": "",
    "lib/built.c.orig": "",
    "lib/notes.md~": "",
    "web/page.html": '<script src="page.js"></script>',
    "web/page.js": "import { other } from './other.js';\n",
    "web/other.js": "x" * COLUMNS_MAX + "\n\n" + "x" * (COLUMNS_MAX + 1) + "\n",
    "web/unbuilt.js": "",
    "web/unbuilt.css": "",
    "web/meson.build": "page = files('page.html')\n",
    "tests/run.sh": 'python3 tests/tool.py\ncc "$here"/many_*.c\n',
    "tests/many_one.c": "",
    "tests/all.sh": "lint *.c lib/*/*.c\ncase $1 in tests/*) ;; esac\n",
    "tests/deep/unbuilt_test.c": "",
    "tests/deep/meson.build": "foreach name : ['other']\n  executable(name + '_test.c')\n",
    "tests/deep/other_test.c": "",
    "tests/meson.build": "foreach name : ['unbuilt']\n  executable(name + '_test.c')\n",
    "tests/unbuilt_test.c": "",
    "tests/tool.py": "import helper\nfrom package import part\n",
    "tests/helper.py": "",
    "tests/package/__init__.py": "",
    "tests/package/part.py": "",
    "tests/unbuilt.py": "",
}
EXPECTED = [
    f"include/one.h:1: {COLUMNS_MAX + 6} columns, of which at most {COLUMNS_MAX} may be",
    "lib/built.c.orig: left over",
    "lib/left.h: nothing builds or includes it",
    "lib/notes.md~: left over",
    "lib/unbuilt.c: nothing builds or includes it",
    "tests/deep/unbuilt_test.c: nothing builds or includes it",
    "tests/unbuilt.py: nothing builds or includes it",
    f"web/other.js:3: {COLUMNS_MAX + 1} columns, of which at most {COLUMNS_MAX} may be",
    "web/unbuilt.css: nothing builds or includes it",
    "web/unbuilt.js: nothing builds or includes it",
]


def named_in(path, text):
    """What the file `path` may name as sources, as ends of paths."""
    name = path.rsplit("/", 1)[-1]
    if path.endswith((".c", ".h", ".cpp", ".hpp")):
        return INCLUDED.findall(text)
    if path.endswith((".js", ".html", ".css")):
        return IMPORTED.findall(text)
    if path.endswith(".py"):
        return [*python_modules(text), *(word for word in WORD.findall(text)
                                         if word.endswith(SOURCES))]
    if name == "meson.build":
        affixes = {("", ""), *COMPOSED.findall(text)}
        return [in_folder(path, before + quoted + after) for quoted in set(QUOTED.findall(text))
                for before, after in affixes]
    if path.endswith(".md"):
        # Tools that are started by hand.
        return [word for word in WORD.findall(text) if word.endswith(".py")]
    if name in ("CMakeLists.txt", "package.json") or path.endswith((".sh", ".mk", ".install")) \
            or text.startswith("#!"):
        return WORD.findall(re.sub(r"\$\{?\w+\}?/", "/", text))
    return []


def in_folder(path, word):
    """What the file `path` means by `word`, which is in its folder unless it names another."""
    folder = path.rpartition("/")[0]
    return word if "/" in word or not folder else f"{folder}/{word}"


def python_modules(text):
    for package, names, modules in PYTHON.findall(text):
        for module in re.findall(r"[.\w]+", package + "," + modules):
            yield module.lstrip(".").replace(".", "/") + ".py"
        for name in re.findall(r"\w+", names):
            yield f"{package.strip('.').replace('.', '/')}/{name}.py".lstrip("/")


def is_named(path, ends):
    """Whether one of the words that end in the file's name is the end of its path, or one with
    a pattern in its name is."""
    name = path.rsplit("/", 1)[-1]
    patterns = (end for end in ends if "*" in end and fnmatch.fnmatch(name, end))
    return any(names_path(word, path) for end in (name, *patterns) for word in ends[end])


def names_path(word, path):
    """Whether `word` is the end of a path, where a pattern is about one folder or file. "*.c"
    alone, or in any folder, names nothing, and neither does all that is in a folder."""
    word = re.sub(r"^(\.{0,2}/)+", "", word)
    if "*" in word and not re.search(r"(^|/)[^*/]+/[^/]*$|^[^*/]", word):
        return False
    parts = word.split("/")
    if parts[-1] == "*":
        return False
    ends = path.split("/")[-len(parts):]
    return len(ends) == len(parts) and all(map(fnmatch.fnmatchcase, ends, parts))


def unbuilt(root, paths):
    ends = collections.defaultdict(set)
    for path in paths:
        if path.endswith((".gz", ".trace", ".png")):
            continue
        text = (root / path).read_text(errors="replace")
        for word in named_in(path, text):
            if word.rsplit("/", 1)[-1] != path.rsplit("/", 1)[-1] or "/" in word:
                ends[word.rsplit("/", 1)[-1]].add(word)
    for path in paths:
        if path.endswith(SOURCES) and not path.endswith("__init__.py") \
                and not is_named(path, ends):
            yield f"{path}: nothing builds or includes it"


def long_lines(root, path):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        if len(line) > COLUMNS_MAX:
            yield f"{path}:{number}: {len(line)} columns, of which at most {COLUMNS_MAX} may be"


def faults(root):
    root = pathlib.Path(root)
    paths = sources.tracked_files(root)
    for path in paths:
        if STRAY.search(path.rsplit("/", 1)[-1]):
            yield f"{path}: left over"
        if path.endswith((".js", ".hpp")) or path.startswith("include/"):
            yield from long_lines(root, path)
    yield from unbuilt(root, paths)


def check_itself():
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            (pathlib.Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(root) / path).write_text(text)
        found = sorted(faults(root))
    if found != EXPECTED:
        sys.exit("files.py: does not find what was planted, but:\n" + "\n".join(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    check_itself()
    found = list(faults(options.root))
    print("\n".join(found) or "no faults")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
