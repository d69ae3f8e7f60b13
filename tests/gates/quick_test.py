#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""quick_test.py: plants a fault for each gate of `quick` in a small tree with the settings of this
one, and expects that it names each; that it finds nothing in the same tree without the faults;
and that it says what it left out."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ["git", "gcc", "clang", "clang-format", "clang-tidy", "flake8"]
JAVASCRIPT = "tests/gates/javascript"
SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */\n\n"

# The source has the header only through another one.
CLEAN = {
    "lib/planted_size.h": SPDX + "int size_get(void);\n",
    "lib/planted_middle.h": SPDX + '#include "planted_size.h"\n',
    "lib/user.c": SPDX + """#include "planted_middle.h"

int size_get(void)
{
    return 1;
}

static int user_double(int x)
{
    return 2 * x;
}

int user_size(void);
int user_size(void)
{
    int size = size_get();

    return user_double(size);
}
""",
    "lib/names.c": SPDX + "extern int names_count;\n",
    "lib/tool.py": "print(1)\n",
    "lib/web/page/page.js": "export const one = 1;\n",
}
# What is changed without a fault: a header and a source.
GOOD = {
    "lib/planted_size.h": SPDX + "#include <stdbool.h>\n\nint size_get(void);\n",
    "lib/names.c": SPDX + "extern int names_number;\n",
}


def function(name, body, argument="int x"):
    return f"int {name}({argument});\n\nint {name}({argument})\n{{\n{body}}}\n"


# A file, what it has, and which gate has to say what about which file. What is planted for the
# analyzers is what analyzers.sh plants.
FAULTS = [
    ("lib/layout.c", SPDX + function("layout", "  return x;\n"),
     "clang-format", "lib/layout.c:.*clang-format-violations"),
    ("lib/tool.py", "print(1)" + " " * 100 + "# far\n", "flake8 of lib/tool.py", "E501"),
    ("lib/dialect.c", SPDX + "#include <stddef.h>\n\n" + function(
        "dialect", "    if (x == NULL)\n        return 1;\n    return 0;\n", "const int *x"),
     "tests/gates/dialect.py", "lib/dialect.c:9: NULL"),
    ("lib/names.c", SPDX + "static inline int user_double(int x)\n{\n    return x;\n}\n",
     "tests/gates/names.py", "user_double: lib/names.c lib/user.c"),
    ("lib/user.c.orig", "", "tests/gates/files.py", "lib/user.c.orig: left over"),
    ("lib/nested.c", SPDX + function(
        "nested", "    while (x)\n        while (x)\n            while (x)\n"
        "                while (x)\n                    x--;\n    return x;\n"),
     "tests/gates/structure.py", "nested nests 4 statements"),
    # A warning that gcc does not have, and one that clang does not have.
    ("lib/clang.c", SPDX + function("clang", "    x = x;\n    return x;\n"),
     "warnings of clang of lib/clang.c", "self-assign"),
    ("lib/gcc.c", SPDX + function(
        "gcc", "    static int numbers[4];\n\n    for (int i = 0; i <= 4; i++)\n"
        "        numbers[i] = x + i;\n    return numbers[x & 3];\n"),
     "warnings of gcc of lib/gcc.c", "aggressive-loop-optimizations"),
    ("lib/static.c", (ROOT / "tests/gates/planted_static.c").read_text(),
     "clang-tidy of lib/static.c", "bugprone-too-small-loop-variable"),
    ("lib/static.c", (ROOT / "tests/gates/planted_static.c").read_text(),
     "gcc -fanalyzer of lib/static.c", "double-free"),
    ("lib/static.c", (ROOT / "tests/gates/planted_static.c").read_text(),
     "clang --analyze of lib/static.c", "core.NullDereference"),
    # A fault in a file that has not changed itself.
    ("lib/planted_size.h", SPDX + "long size_get(void);\n",
     "warnings of gcc of lib/user.c", "conflicting types"),
]
SCRIPT = """/** @param {number} count */
export const planted = (count) => count.trim( );
const unused = 1;
"""
SCRIPT_FAULTS = [
    ("lib/web/page/page.js", SCRIPT, "prettier of lib/web/page/page.js", "page.js"),
    ("lib/web/page/page.js", SCRIPT, "ESLint of lib/web/page/page.js", "no-unused-vars"),
    ("lib/web/page/page.js", SCRIPT, "TypeScript of tests/gates/javascript", "TS2339"),
]


def write(tree, files):
    for path, text in files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)


def make(tree, environment):
    """A repository with the settings and the gates of this one."""
    for name in ("meson.build", ".clang-format", ".clang-tidy"):
        shutil.copy(ROOT / name, tree)
    shutil.copytree(ROOT / "tests/gates", tree / "tests/gates",
                    ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    write(tree, CLEAN)
    names = sorted({path.removeprefix("lib/") for path, *_ in FAULTS + SCRIPT_FAULTS})
    write(tree, {"lib/meson.build": f"sources = files({', '.join(map(repr, names))})\n"})
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *words], cwd=tree, env=environment, check=True)
    if has_javascript():
        (tree / JAVASCRIPT / "node_modules").symlink_to(ROOT / JAVASCRIPT / "node_modules")


def has_javascript():
    return (ROOT / JAVASCRIPT / "node_modules/.bin/tsc").exists() and shutil.which("node")


def quick(tree, environment, *words):
    subprocess.run(["git", "add", "-N", "lib"], cwd=tree, env=environment, check=True)
    result = subprocess.run([tree / "tests/gates/quick", *words], cwd=tree, env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


def expect(said, code, *patterns):
    missing = [pattern for pattern in patterns if not re.search(pattern, said[1], re.M)]
    if said[0] != code or missing:
        sys.exit(f"quick ended with {said[0]} instead of {code} and without {missing}:\n{said[1]}")


def hide(folder, program):
    """A PATH with all programs but one."""
    for place in reversed(os.environ["PATH"].split(":")):
        for path in pathlib.Path(place).glob("*"):
            (folder / path.name).unlink(missing_ok=True)
            (folder / path.name).symlink_to(path)
    (folder / program).unlink()
    return str(folder)


def sections(text):
    """What quick prints for each gate that failed."""
    parts = re.split(r"^(?:== (.*)|left out: .*)\n", text, flags=re.M)
    return [(title, found) for title, found in zip(parts[1::2], parts[2::2]) if title]


def main():
    missing = [tool for tool in NEEDED if not shutil.which(tool)]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        return 77
    # A hook that runs the tests has variables of git for another repository.
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GIT_")}
    environment.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                       GIT_AUTHOR_NAME="Test", GIT_AUTHOR_EMAIL="test@example.org",
                       GIT_COMMITTER_NAME="Test", GIT_COMMITTER_EMAIL="test@example.org")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as tools:
        check(pathlib.Path(folder), environment, pathlib.Path(tools))
    return 0


def check(tree, environment, tools):
    make(tree, environment)
    write(tree, GOOD)
    said = quick(tree, environment, "HEAD", "500")
    expect(said, 0, "C files: 1, others with their headers: 1,.*: good$", "^left out: cppcheck")
    if sections(said[1]):
        sys.exit(f"quick finds something where nothing was planted:\n{said[1]}")
    expect(quick(tree, {**environment, "PATH": hide(tools, "clang-tidy")}, "HEAD", "500"), 0,
           r"^left out: clang-tidy, which is not installed \(files: 2\)$")
    expect(quick(tree, environment, "HEAD", "0"), 3,
           r"^left out: clang-tidy, for want of time \(files: 2\)$", ": not finished$")
    expect(quick(tree, environment, "no-such-commit"), 2, "no commit no-such-commit")

    faults = FAULTS + (SCRIPT_FAULTS if has_javascript() else [])
    write(tree, {path: text for path, text, _, _ in faults})
    said = quick(tree, environment, "HEAD", "500")
    expect(said, 1, ": FAILED$")
    for _, _, title, pattern in faults:
        if not any(re.fullmatch(title, gate) and re.search(pattern, found)
                   for gate, found in sections(said[1])):
            sys.exit(f"quick does not find what '{title}' has to:\n{said[1]}")
    if not has_javascript():
        print("left out: prettier, ESLint and TypeScript, which tests/gates/javascript.sh installs")


if __name__ == "__main__":
    sys.exit(main())
