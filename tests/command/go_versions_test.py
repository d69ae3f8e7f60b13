#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Opens what the command writes for a version of Go with that version's own viewer.

For each version whose `go` command the environment names, as $GT_GO_1_22 does for Go 1.22:

- `gotrace convert --go VERSION` of all traces of $GT_TESTDATA, those of $GT_CORPUS, and one without
  stacks;
- of those that this version of Go has recorded, without an option that names a version, `gotrace
  convert`, `gotrace cut` of the later part, `gotrace anonymize`, and the last part of
  `gotrace split --every`.

All pages of the viewer must be there. Skips unless at least one is named.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from go_tool import MMU, PAGES, GoTool, go_of, traces_of, write_no_stacks

SKIP = 77
VERSIONS = ("1.22", "1.23", "1.24", "1.25", "1.26", "1.27")


def write(*arguments):
    """Runs the command, which may find a fault in the trace. Returns whether it did."""
    result = subprocess.run([os.environ["GT_COMMAND"], *map(str, arguments)], check=False,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return result.returncode != 0


def check(go, path, *arguments):
    """What is wrong with a trace that is written so, if anything; the last one of several."""
    has_fault = write(*arguments, "--output", path)
    for part in sorted(path.parent.glob(path.name + ".*")):
        part.replace(path)
    if not path.exists():
        return [] if has_fault else ["nothing is written"]
    with GoTool(go, path) as tool:
        found = tool.faults(PAGES if has_fault else (*PAGES, MMU))
    path.unlink()
    return found


def middle_of(trace):
    """How many seconds after its beginning the middle of a trace is."""
    stat = subprocess.run([os.environ["GT_COMMAND"], "stat", trace], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    found = re.search(r"^duration +([0-9.]+) (ns|us|µs|ms|s)\b", stat.stdout, re.MULTILINE)
    units = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}
    return float(found.group(1)) * units[found.group(2)] / 2 if found else 0


def check_version(version, go, traces, path):
    """How many faults there are, each of which is printed."""
    failed = 0
    for trace in traces:
        faults = check(go, path, "convert", "--go", version, trace)
        if trace.name.startswith("go" + version + "-"):
            middle = "%.9fs" % middle_of(trace)
            faults += check(go, path, "cut", "--start", "+" + middle, trace)
            faults += check(go, path, "convert", trace)
            faults += check(go, path, "anonymize", trace)
            faults += check(go, path, "split", "--every", middle, trace)
        for fault in faults:
            print("Go %s: %s: %s" % (version, trace, fault), file=sys.stderr, flush=True)
        failed += len(faults)
    return failed


def main():
    known = [(version, go_of(version)) for version in VERSIONS if go_of(version)]
    if not known:
        print("skipped: none of GT_GO_1_22 to GT_GO_1_27 names a go command")
        sys.exit(SKIP)
    traces = traces_of("v2", "go1.*.trace") + traces_of("v1", "none")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        traces.append(write_no_stacks(folder))
        for version, go in known:
            found = check_version(version, go, traces, pathlib.Path(folder) / "out.trace")
            print("Go %s: %d traces, %d faults" % (version, len(traces), found), flush=True)
            failed += found
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
