#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time grows as the input does: counts the instructions of each way on each hostile kind.

    growth.py COUNT [--long] [--table]

COUNT is the program limits_count, which runs under callgrind. Of four sizes, each twice the
one before, none may take more than 2.3 times the instructions of the one before. A bound
that is reached at a small size, such as that of a hash table's longest row, looks like more
for once; so what grows faster is measured again at 8 and at 64 times the size, and counts if
it does so there as well. No kind may take more than 25 times the instructions of a byte of a
recorded trace. First a way is measured that takes the square of its input, which must be found.

--long takes all ways and 8 times the size; --table prints what was measured. GT_TESTDATA
names the test data.
"""
import os
import shutil
import subprocess
import sys
import tempfile

GROWTH = 2.3
WORST = 25
SCALE = 64
TRIGGER = "desc: Trigger: Client Request: "


class Curve:
    """What a way takes for a kind, by size."""

    def __init__(self, kind, way, mode):
        self.kind, self.way, self.mode = kind, way, mode
        self.things, self.sizes, self.counts = [], [], []

    def add(self, things, size, count):
        self.things.append(things)
        self.sizes.append(size)
        self.counts.append(count)

    def ratios(self):
        return [b / a for a, b in zip(self.counts, self.counts[1:])]

    def is_linear(self):
        return max(self.ratios()) <= GROWTH

    def per_byte(self):
        return self.counts[-1] / self.sizes[-1]

    def __str__(self):
        ratios = " ".join(f"{ratio:.2f}" for ratio in self.ratios())
        return (f"{self.kind:28} {self.way:20} {self.mode:8} {self.things[-1]:7} "
                f"{self.sizes[-1]:8} {self.per_byte():7.1f}  {ratios}")


def curves_of(path):
    """Reads callgrind's dumps, each of which says what it is about."""
    curves, subject = {}, None
    with open(path, errors="replace") as dumps:
        for line in dumps:
            if line.startswith(TRIGGER):
                subject = line[len(TRIGGER):].rstrip("\n").split("\t")
            elif line.startswith("totals: ") and subject:
                kind, way, mode, things, size = subject
                curve = curves.setdefault((kind, way, mode), Curve(kind, way, mode))
                curve.add(int(things), int(size), int(line.split()[1]))
                subject = None
    return curves


def count(program, scale, *what):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        subprocess.run(
            ["valgrind", "-q", "--tool=callgrind", "--collect-atstart=no", "--combine-dumps=yes",
             f"--callgrind-out-file={out}", program, str(scale), "1", *what],
            check=True, stdout=subprocess.DEVNULL,
            # An allocator that fills what it gives adds its own jumps where a table doubles.
            env=dict(os.environ, MALLOC_PERTURB_="0"))
        return curves_of(out)


def check_planted(program):
    """A measurement that finds nothing in what is quadratic says nothing of the rest."""
    curves = count(program, SCALE, "events/heap", "squared")
    if len(curves) != 1 or any(curve.is_linear() for curve in curves.values()):
        sys.exit("what takes the square of its input was not found")
    if not all(curve.is_linear() for curve in count(program, SCALE, "events/heap",
                                                    "events").values()):
        sys.exit("what is in proportion to its input was taken for more")


def count_least(program, scale, *what):
    """
    The least of three measurements: where ids are chosen to collide the hash gets a secret,
    and by chance that can be a bad one, for which the table is made anew once more.
    """
    least = count(program, scale, *what)
    for _ in range(2):
        for key, curve in count(program, scale, *what).items():
            least[key].counts = [min(pair) for pair in zip(least[key].counts, curve.counts)]
    return least


def growing(program, scale, curves):
    """The curves that grow too fast at larger sizes as well."""
    suspects = [curve for curve in curves.values() if curve.ratios() and not curve.is_linear()]
    for larger in (scale // 8, scale // 64):
        found = []
        for kind, way in sorted({(curve.kind, curve.way) for curve in suspects}):
            again = count_least(program, max(larger, 1), kind, way)
            found += [curve for curve in again.values() if not curve.is_linear()]
        suspects = found
    return suspects


def expensive(curves):
    """Where a byte takes too much, and the worst of all."""
    typical = {(curve.kind == "typical/v1", curve.way): curve.per_byte()
               for curve in curves.values() if curve.kind.startswith("typical/")}
    costs = [(curve.per_byte() / typical[curve.kind.startswith("v1/"), curve.way], curve)
             for curve in curves.values() if not curve.kind.startswith("typical/")]
    costs.sort(key=lambda cost: -cost[0])
    return [curve for cost, curve in costs if cost > WORST], costs[0]


def main():
    arguments = sys.argv[1:]
    long, table = "--long" in arguments, "--table" in arguments
    programs = [argument for argument in arguments if not argument.startswith("--")]
    if len(programs) != 1:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("there is no valgrind")
        sys.exit(77)
    program, scale = programs[0], SCALE // 8 if long else SCALE
    check_planted(program)
    curves = count(program, scale, "all" if long else "main")
    if table:
        for curve in curves.values():
            print(curve)
    fast = growing(program, scale, curves)
    costly, worst = expensive(curves)
    print(f"{len(curves)} curves; the worst byte takes {worst[0]:.1f} times as much as usual:")
    print(worst[1])
    for curve in fast:
        print("grows too fast:", curve)
    for curve in costly:
        print("takes too much:", curve)
    sys.exit(1 if fast or costly or len(curves) < 100 else 0)


main()
