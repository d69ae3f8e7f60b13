# SPDX-License-Identifier: BSD-3-Clause
"""Reads equivalent.txt: the mutants that no test can tell from the original, with the reasons.
An entry names the file and the function, not the line, so that it holds when lines move:

    lib/base/pool.c gt_pool_init
    - pool->next = 0;
    + (void) 0;
    The only caller clears the pool first.

Entries have an empty line between them; lines that begin with "#" are comments. "#2" behind
the function means the second of the mutants that look alike there, and "+ any KIND" all
mutants of the line of this kind."""
import collections
import re

import mutants

Entry = collections.namedtuple("Entry", "path function number before after reason line")


class Error(Exception):
    pass


class Ledger:
    def __init__(self, path):
        self.entries = list(read(path)) if path.exists() else []
        self.by_place = collections.defaultdict(list)
        for entry in self.entries:
            self.by_place[entry.path, entry.function, entry.before].append(entry)

    def find(self, mutant):
        """The entry that says that `mutant` is equivalent, or None."""
        for entry in self.by_place[mutant.path, mutant.function, mutant.before]:
            if entry.after == f"any {mutant.kind}" or (
                    entry.after == mutant.after and entry.number == mutant.number):
                return entry
        return None

    def stale(self, all_mutants):
        """The entries that belong to no mutant, because the source has changed."""
        used = {entry for mutant in all_mutants if (entry := self.find(mutant))}
        return [entry for entry in self.entries if entry not in used]


def read(path):
    block = []
    for number, line in enumerate([*path.read_text().split("\n"), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append((number, line))
        elif block:
            yield parse(path, block)
            block = []


def parse(path, block):
    number = block[0][0]
    lines = [line for _, line in block]
    head = re.fullmatch(r"(\S+) (\S+)(?: #(\d+))?", lines[0])
    if not head or len(lines) < 4 or lines[1][:2] != "- " or lines[2][:2] != "+ ":
        raise Error(f"{path}:{number}: not a file and function, '- ' line, '+ ' line and reason")
    return Entry(head[1], head[2], int(head[3] or 1), mutants.squeezed(lines[1][2:]),
                 mutants.squeezed(lines[2][2:]), " ".join(lines[3:]), number)


def written(mutant):
    """The beginning of an entry for `mutant`; what is missing is the reason."""
    number = f" #{mutant.number}" if mutant.number > 1 else ""
    return f"{mutant.path} {mutant.function}{number}\n- {mutant.before}\n+ {mutant.after}"
