#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Opens what `gotrace downgrade` writes with the viewer of Go 1.21, whose pages must all be there.

Takes all traces of $GT_TESTDATA and $GT_CORPUS of Go 1.22 and later, one without stacks, and
damaged ones. Skips unless $GT_GO_1_21 names the `go` command of Go 1.21. That it reads the traces
is not enough: its pages make further demands.
"""

import pathlib
import sys
import tempfile

from written import DATA, run
from go_tool import MMU, PAGES, GoTool, go_of, traces_of, write_no_stacks

SKIP = 77


def damaged_of(folder):
    """Writes the beginnings of some traces, as programs leave them that are killed."""
    for name in ("go1.22-gcgens", "go1.26-gcgens", "go1.27-gens"):
        data = (DATA / "v2" / (name + ".trace")).read_bytes()
        path = pathlib.Path(folder) / (name + "-killed.trace")
        path.write_bytes(data[:len(data) * 3 // 5])
        yield path


def check(go, trace, path, *options):
    """What is wrong with the downgraded trace, which ends early, or has nothing, after a fault."""
    result = run("downgrade", *options, "--output", path, trace)
    if not path.exists():
        return [result.stderr.decode(errors="replace")] if result.returncode == 0 else []
    with GoTool(go, path) as tool:
        found = tool.faults(PAGES if result.returncode != 0 else (*PAGES, MMU))
    path.unlink()
    return found


def main():
    go = go_of("1.21")
    if not go:
        print("skipped: GT_GO_1_21 names no go command of Go 1.21")
        sys.exit(SKIP)
    traces = traces_of("v2", "go1.2[2-9]*.trace")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        traces.append(write_no_stacks(folder))
        for trace in traces:
            for fault in check(go, trace, pathlib.Path(folder) / "old.trace"):
                print("%s: %s" % (trace, fault), file=sys.stderr)
                failed += 1
        for trace in damaged_of(folder):
            for fault in check(go, trace, pathlib.Path(folder) / "old.trace", "--lenient"):
                print("%s: %s" % (trace, fault), file=sys.stderr)
                failed += 1
    print("%d traces, %d faults" % (len(traces), failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
