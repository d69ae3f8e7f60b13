#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares profiles of recorded traces with those of Go's own tool.

For each golden `$GT_COMMAND pprof KIND --text` must print its lines, and what
`$GT_COMMAND pprof KIND` writes must have the same samples:

- $GT_TESTDATA/v1/NAME.trace and v2/NAME.trace, with NAME.pprof-KIND.gz and NAME.dump.gz, and
  NAME.error where the trace ends with an error;
- $GT_CORPUS/NAME.trace, with NAME/pprof-KIND.gz, NAME/parsed.gz, and NAME/parsed.error or
  NAME/pprof-KIND.error, where GT_CORPUS is set.

If $GT_PEER names a binary that does what `go tool trace` does, it profiles the traces of the
test data in the same run. If `go` is in the path, or in the directory of $GT_PEER,
`go tool pprof` must be able to read the profiles.

The order of events with equal times is not defined, and each but the first is moved to 1 ns
after the one before it. So if transitions have other times in Go's dump than in ours, the lines
may differ, in total by twice as much, because each transition ends one time and begins another.
Counts and stacks must be equal.
"""

import collections
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import pprof_lines

TIMEOUT = 120
EVENT = re.compile(r"(M=-?\d+ P=-?\d+ G=-?\d+ StateTransition) Time=(-?\d+)( GoID=.*)")
OUR_KINDS = pprof_lines.KINDS + ("cpu", "offcpu", "wall")


class Problem(Exception):
    """A profile is not the expected one."""


def run(command, *arguments):
    """The output of the command, and whether it succeeded."""
    result = subprocess.run([command, *arguments], timeout=TIMEOUT, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    return result.stdout, result.returncode == 0


def ours(*arguments):
    return run(os.environ["GT_COMMAND"], *arguments)


def decode(data):
    return data.decode("utf-8", "surrogateescape")


def read(path):
    return decode(gzip.decompress(path.read_bytes()))


def times_of(dump):
    """The times of equal transitions of goroutines."""
    times = collections.defaultdict(list)
    for line in dump.split("\n"):
        found = EVENT.fullmatch(line)
        if found:
            times[found.group(1) + found.group(3)].append(int(found.group(2)))
    return times


def shift_of(our_dump, their_dump):
    """The sum of the differences between times of transitions."""
    our_times, their_times = times_of(our_dump), times_of(their_dump)
    total = 0
    for text, times in our_times.items():
        # Go may give fewer of a damaged trace.
        total += sum(abs(a - b) for a, b in zip(times, their_times[text]))
    return total


def parse(lines):
    """Stacks with count and time, in an order that hardly depends on the times."""
    samples = []
    for line in lines:
        count, nanoseconds, stack = line.split(" ", 2)
        samples.append((stack, int(count), int(nanoseconds)))
    return sorted(samples)


def difference(our_lines, their_lines):
    """The sum of the differences between times."""
    left, right = parse(our_lines), parse(their_lines)
    if [sample[:2] for sample in left] != [sample[:2] for sample in right]:
        raise Problem("other stacks or counts:\n%s\nGo:\n%s" %
                      ("\n".join(our_lines), "\n".join(their_lines)))
    return sum(abs(a[2] - b[2]) for a, b in zip(left, right))


def check_binary(trace, kind, text):
    data, _ = ours("pprof", kind, str(trace))
    if text and pprof_lines.read_lines(data) != sorted(text):
        raise Problem("%s: the profile is not what --text shows" % kind)


def check(trace, kind, golden, dump, error):
    """Returns the sum of the differences between times."""
    output, good = ours("pprof", kind, "--text", str(trace))
    if good == error.exists():
        raise Problem("%s ends well" % kind if good else "%s does not end well" % kind)
    lines = decode(output).splitlines()
    if lines != sorted(lines):
        raise Problem("%s is not sorted" % kind)
    check_binary(trace, kind, lines)
    apart = difference(lines, read(golden).splitlines())
    if apart > 0:
        allowed = 2 * shift_of(decode(ours("dump", str(trace))[0]), read(dump))
        if apart > allowed:
            raise Problem("%s: %d ns apart, %d allowed" % (kind, apart, allowed))
    return apart


def find_testdata():
    root = pathlib.Path(os.environ["GT_TESTDATA"])
    for golden in sorted(root.glob("v[12]/*.pprof-*.gz")):
        base, kind = str(golden)[:-len(".gz")].rsplit(".pprof-", 1)
        yield (pathlib.Path(base + ".trace"), kind, golden, pathlib.Path(base + ".dump.gz"),
               pathlib.Path(base + ".error"))


def find_corpus():
    corpus = os.environ.get("GT_CORPUS")
    for golden in sorted(pathlib.Path(corpus).glob("*/pprof-*.gz")) if corpus else ():
        folder, kind = golden.parent, golden.stem[len("pprof-"):]
        error = folder / "parsed.error"
        if not error.exists():
            error = folder / ("pprof-%s.error" % kind)
        yield (folder.with_name(folder.name + ".trace"), kind, golden, folder / "parsed.gz", error)


def check_peer(trace, kind):
    """The same, compared with the present output of Go."""
    output, good = run(os.environ["GT_PEER"], "-pprof=" + kind, str(trace))
    text = decode(ours("pprof", kind, "--text", str(trace))[0]).splitlines()
    theirs = pprof_lines.read_lines(output) if good else []
    apart, waits = difference(text, theirs), sum(sample[1] for sample in parse(text))
    if apart > waits:
        raise Problem("%s: %d ns apart, for %d waits" % (kind, apart, waits))


def find_go():
    peer = os.environ.get("GT_PEER")
    if shutil.which("go") or not peer:
        return shutil.which("go")
    return max(map(str, pathlib.Path(peer).resolve().parent.glob("*/bin/go")), default=None)


def check_go(go, trace, kind):
    """`go tool pprof` can read it. The one of Go 1.19 drops samples without a stack."""
    text = decode(ours("pprof", kind, "--text", str(trace))[0]).splitlines()
    with tempfile.NamedTemporaryFile() as file:
        file.write(ours("pprof", kind, str(trace))[0])
        file.flush()
        result = subprocess.run([go, "tool", "pprof", "-raw", file.name], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=TIMEOUT, check=True,
                                env=dict(os.environ, HOME=tempfile.gettempdir()))
    found = re.findall(r"^ +(\d+) +(\d+): \d", result.stdout.decode(), re.MULTILINE)
    wanted = [(str(sample[1]), str(sample[2])) for sample in parse(text)
              if not re.fullmatch(r"(\[\w+\])?", sample[0])]
    if sorted(found) != sorted(wanted):
        raise Problem("%s: go tool pprof finds other values" % kind)


def checks():
    """Every check, with its trace."""
    for golden in list(find_testdata()) + list(find_corpus()):
        yield golden[0], lambda golden=golden: check(*golden)
    go = find_go()
    for name in pprof_lines.RECORDED:
        trace = pathlib.Path(os.environ["GT_TESTDATA"]) / (name + ".trace")
        for kind in OUR_KINDS:
            if os.environ.get("GT_PEER") and kind in pprof_lines.KINDS:
                yield trace, lambda trace=trace, kind=kind: check_peer(trace, kind)
            if go:
                yield trace, lambda trace=trace, kind=kind: check_go(go, trace, kind)


def main():
    if not list(find_testdata()):
        print("no goldens in the test data", file=sys.stderr)
        return 1
    count = failed = apart = 0
    for trace, check_one in checks():
        count += 1
        try:
            apart += (check_one() or 0) > 0
        except (Problem, subprocess.SubprocessError, OSError, ValueError) as problem:
            print("%s: %s" % (trace, problem), file=sys.stderr)
            failed += 1
    print("%d profiles, %d failed; %d differ as equal times allow" % (count, failed, apart))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
