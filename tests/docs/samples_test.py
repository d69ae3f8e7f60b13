#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds what the documents show against the library that was built.

samples_test.py --root DIR --library FILE... --gotrace FILE CC [FLAG...]

In docs/*.md, README.md and the manual pages, whose .Bd blocks are such blocks,

- a ```c block that begins with the line "/* file: NAME.c */" is a program. It must
  compile without a warning, run with what "/* run: ARGUMENTS */" on its second line
  says, and exit with 0. One that takes no arguments needs no such line. With
  "/* file: NAME.h */" it is a header of programs;
- a program that takes the name of a file must name the file and say what is wrong with it, if
  it does not exist, is compressed, is no trace, or is cut off;
- a ```console block that begins with "$ gotrace " or "$ ./" is a transcript. Each of
  its commands must print the lines that follow it; a line "..." stands for any.

Commands run where the source tree's files and all programs are, with TZ=UTC.
"""

import argparse
import gzip
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
TIMEOUT = 60
FENCE = re.compile(r"^```(c|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DISPLAY = re.compile(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"/\* file: (\w+)\.c \*/\n")
HEADER = re.compile(r"/\* file: (\w+\.h) \*/\n")
RUN = re.compile(r"/\* run: (.*) \*/\n")


# Files that cannot be read to their end, and what an error must say besides the name of the file.
FAULTS = {
    "missing.trace": "No such file or directory",
    "packed.trace": "not a Go execution trace: looks like gzip; decompress it first",
    "README.md": "not a Go execution trace",
    "testdata/v2/go1.27-cut.trace": r"is cut off.*\(offset \d+, generation 5\)",
}
# Programs that do not end with the error of a trace that is cut off, because they read only the
# first events, repair the trace, or show what an error consists of.
READS_CUT_TRACES = {"counts", "first_event", "lenient", "partial", "salvage", "texts"}


class Problem(Exception):
    """What a document says is not so."""


def run(command, directory):
    result = subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                            errors="replace", timeout=TIMEOUT)
    return result.returncode, result.stdout


def from_mdoc(text):
    """What a reader of a manual page sees of its source."""
    return re.sub(r"^\\&", "", text, flags=re.MULTILINE).replace("\\e", "\\")


def read_document(path):
    """The blocks of a document: where each begins, its language and text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        for found in FENCE.finditer(text):
            yield found.start(), found.group(1), found.group(2)
    else:
        for found in DISPLAY.finditer(text):
            shown = from_mdoc(found.group(1))
            yield found.start(), "console" if shown.startswith("$ ") else "c", shown


def read_blocks(root):
    """The blocks of all documents: where each is, its language and text."""
    for path in (sorted(root.glob("docs/*.md")) + sorted(root.glob("docs/man/*.[1-9]")) +
                 sorted(root.glob("README.md"))):
        text = path.read_text(encoding="utf-8")
        for start, language, shown in read_document(path):
            line = text.count("\n", 0, start) + 1
            yield "%s:%d" % (path.relative_to(root), line), language, shown


def make_directory(root, gotrace, directory):
    """Lays out what documents take for granted: the tree, and the command in the path."""
    for entry in root.iterdir():
        (directory / entry.name).symlink_to(entry)
    (directory / ".bin").mkdir()
    (directory / ".bin" / "gotrace").symlink_to(gotrace)
    trace = root / "testdata/v2/go1.27-mix.trace"
    (directory / "packed.trace").write_bytes(gzip.compress(trace.read_bytes()))
    os.environ["PATH"] = "%s:%s" % (directory / ".bin", os.environ["PATH"])
    os.environ["TZ"] = "UTC"


def compile_program(tools, directory, name, text):
    source = directory / (name + ".c")
    if source.exists():
        raise Problem("there is another %s.c" % name)
    source.write_text(text, encoding="utf-8")
    code, output = run(tools.compiler + WARNINGS + ["-I", str(tools.root / "include"), source.name,
                       "-o", name] + [str(library) for library in tools.library]
                       + ["-lm"], directory)
    if code != 0:
        raise Problem("%s.c does not compile\n%s" % (name, output))


def check_faults(directory, name, arguments):
    """Holds what a program says of files that it cannot read; `arguments` follow their name."""
    for path, expected in FAULTS.items():
        if "-cut." in path and name in READS_CUT_TRACES:
            continue
        result = subprocess.run(["./" + name, path] + arguments, cwd=directory, timeout=TIMEOUT,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, encoding="utf-8", check=False)
        if result.returncode != 1:
            raise Problem("%s exits with %d for %s" % (name, result.returncode, path))
        if not re.search("^%s: .*%s" % (re.escape(path), expected), result.stderr, re.MULTILINE):
            raise Problem("%s says of %s:\n%s" % (name, path, result.stderr))


def check_program(tools, directory, text):
    found = FILE.match(text)
    if not found:
        raise Problem("a program without a name")
    name = found.group(1)
    compile_program(tools, directory, name, text)
    arguments = RUN.match(text, found.end())
    words = shlex.split(arguments.group(1)) if arguments else []
    if not arguments and "int main(void)" not in text:
        raise Problem("%s.c does not say with what it is run" % name)
    code, output = run(["./" + name] + words, directory)
    if code != 0:
        raise Problem("%s exits with %d\n%s" % (name, code, output))
    if "argv[1]" in text:
        check_faults(directory, name, words[1:])


def split_transcript(text):
    """Commands with the lines that each must print."""
    steps = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append((line[2:-1], []))
        else:
            steps[-1][1].append(line)
    return steps


def check_transcript(_tools, directory, text):
    status = 0
    for command, lines in split_transcript(text):
        # The shell starts with the last command's exit code, so that it can be shown.
        script = "(exit %d)\n%s" % (status, command)
        status, output = run(["sh", "-c", script], directory)
        pattern = "".join("(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in lines)
        if not re.fullmatch(pattern, output):
            raise Problem("%s\nprints\n%s" % (command, output))


def check_all(tools, directory):
    """Programs first, as transcripts use them. Whether all is well, and there was any."""
    blocks = list(read_blocks(tools.root))
    for header, text in ((HEADER.match(text), text) for _, _, text in blocks):
        if header:
            (directory / header.group(1)).write_text(text, encoding="utf-8")
    programs = [(place, text) for place, language, text in blocks
                if language == "c" and (FILE.match(text) or "int main(" in text)]
    transcripts = [(place, text) for place, language, text in blocks
                   if language == "console" and text.startswith(("$ gotrace ", "$ ./"))]
    failed = 0
    for check, some in ((check_program, programs), (check_transcript, transcripts)):
        for place, text in some:
            try:
                check(tools, directory, text)
            except (Problem, subprocess.TimeoutExpired) as problem:
                print("%s: %s" % (place, problem), file=sys.stderr)
                failed += 1
    print("%d programs and %d transcripts, %d failed" % (len(programs), len(transcripts), failed))
    return failed == 0 and programs and transcripts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=lambda path: pathlib.Path(path).resolve(),
                        action="append", required=True)
    parser.add_argument("--gotrace", type=pathlib.Path, required=True)
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    tools = parser.parse_args()
    for name in ("root", "gotrace"):
        setattr(tools, name, getattr(tools, name).resolve())
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        make_directory(tools.root, tools.gotrace, directory)
        sys.exit(0 if check_all(tools, directory) else 1)


if __name__ == "__main__":
    main()
