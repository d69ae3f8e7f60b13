#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs what docs/bindings.md shows, and holds the two examples of it against each other.

samples_test.py --root DIR --waits FILE --include DIR... --library FILE... -- CXX [FLAG...]

- a ```python block is a program; one ```text block after it is what it prints;
- a ```cpp block that has a main is one as well, and is built with warnings as errors. If it takes
  the name of a trace, it names one that it cannot read, and says what is wrong with it;
- a ```console block that begins with "$ python3 " is a transcript of commands, each with the
  lines that it prints.

Commands run in the root of the sources. examples/python/waits.py and the example in C++ must
print the same of every trace in testdata.
"""

import argparse
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(python|cpp|console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WARNINGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

# Files that are no traces, and what an error must say besides the name of the file.
FAULTS = {
    "testdata/missing.trace": "cannot open the file: No such file or directory",
    "README.md": "not a Go execution trace (offset 0)",
    "testdata/v2/go1.27-cut.trace":
        "batch is cut off: 791 of 1459 bytes (offset 11182, generation 5)",
}

failures = []


def run(command, root):
    result = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=60, check=False)
    return result.returncode, result.stdout.decode("utf-8", "surrogateescape")


def expect(is_good, *what):
    if not is_good:
        failures.append("\n".join(what))


def run_cpp(options, text, work):
    source = os.path.join(work, "sample.cpp")
    pathlib.Path(source).write_text(text, encoding="utf-8")
    program = os.path.join(work, "sample")
    folder = os.path.dirname(options.library[0])
    command = [*options.compiler, *WARNINGS, *("-I" + path for path in options.include), source,
               "-o", program, *options.library, "-Wl,-rpath," + folder]
    code, output = run(command, options.root)
    if code != 0:
        return code, output
    packed = pathlib.Path(work, "packed.trace")
    trace = options.root / "testdata/v2/go1.27-mix.trace"
    packed.write_bytes(gzip.compress(trace.read_bytes()))
    faults = {**FAULTS, str(packed): "not a Go execution trace: looks like gzip; decompress it "
              "first, as by gzip -dc (offset 0)"}
    for path, message in faults.items() if "argv[1]" in text else ():
        _, output = run([program, path], options.root)
        expect("%s: %s\n" % (path, message) in output, text, "says of %s:" % path, output)
    return run([program], options.root)


def check_transcript(text, root):
    for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, wanted = step.split("\n", 1)
        _, output = run(["sh", "-c", command], root)
        expect(output == wanted, command, "prints", output)


def check_document(options, work):
    """How many programs there were."""
    count = 0
    document = (options.root / "docs/bindings.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(document)
    for (language, text), following in zip(blocks, blocks[1:] + [("", "")]):
        if language == "console" and text.startswith("$ python3 "):
            check_transcript(text, options.root)
        elif language == "python" or language == "cpp" and "int main" in text:
            code, output = (run([sys.executable, "-c", text], options.root)
                            if language == "python" else run_cpp(options, text, work))
            expect(code == 0, text, "exits with %d" % code, output)
            expect(following[0] != "text" or following[1] == output, text, "prints", output)
            count += 1
    return count


def check_examples(options):
    traces = sorted((options.root / "testdata").glob("v?/*.trace"))
    expect(len(traces) > 100, "there are few traces")
    # One in nine is of all versions and most shapes; all would take two processes each.
    for path in traces[::9]:
        outputs = [subprocess.run([*command, path, "1000"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False, timeout=60)
                   for command in ([sys.executable, "examples/python/waits.py"], [options.waits])]
        expect(outputs[0].stdout == outputs[1].stdout, "%s: the examples differ" % path)
        expect(outputs[0].returncode == outputs[1].returncode, "%s: exit codes differ" % path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--waits", type=os.path.abspath, required=True)
    parser.add_argument("--include", action="append", required=True)
    parser.add_argument("--library", type=os.path.abspath, action="append", required=True)
    parser.add_argument("compiler", nargs="+")
    options = parser.parse_args()
    os.chdir(options.root)
    with tempfile.TemporaryDirectory() as work:
        count = check_document(options, work)
    check_examples(options)
    print("%d programs, %d failures" % (count, len(failures)))
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures or count < 5 else 0)


if __name__ == "__main__":
    main()
