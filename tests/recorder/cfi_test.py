#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cfi_test.py CFI_ROWS FILE...: the rules that libgotrace-recorder finds in .eh_frame of programs
and libraries are those that readelf prints. FILE may also be the beginning of the name of a library
of the system. CFI_ROWS prints those of the library."""
import bisect
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SECTION = re.compile(r"^\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)", re.M)
SEGMENT = re.compile(r"^  LOAD +0x\w+ 0x(\w+) 0x\w+ 0x\w+ 0x(\w+) (...)", re.M)
RANGE = re.compile(r"FDE .* pc=([0-9a-f]+)\.\.([0-9a-f]+)")
OFFSET = re.compile(r"(rsp|rbp|c)([+-]\d+)$")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def code_of(file):
    """From where to where a file has code."""
    parts = [(int(begin, 16), int(begin, 16) + int(size, 16))
             for begin, size, flags in SEGMENT.findall(output_of("readelf", "-lW", file))
             if "E" in flags]
    return min(part[0] for part in parts), max(part[1] for part in parts)


def fits(text, bits):
    """The register and the offset, if that has room."""
    match = OFFSET.match(text)
    offset = int(match.group(2)) if match else 1
    return bool(match) and offset % 8 == 0 and abs(offset) < 8 << (bits - 1)


def frame_of(cells):
    """The words of a CFA that are right."""
    if cells.get("ra") != "c-8":
        return {"end", "signal"}
    if cells["CFA"] == "exp":
        return {"end", "plt", "word", "signal"}
    return {cells["CFA"]} if fits(cells["CFA"], 17) else {"end"}


def pointer_of(cells):
    text = cells.get("rbp", "u")
    if text == "u" or text == "s":
        return {"same", "lost"} if text == "u" else {"same"}
    if text == "exp":
        return {"rbp", "lost"}
    return {text} if fits(text, 10) and text[0] == "c" else {"lost"}


def expected_of(file, code):
    """The rules that readelf finds, and the addresses at which functions begin and end."""
    rules, begins, ends, columns, inside = {}, set(), set(), None, False
    # It complains of debug information that is elsewhere.
    text = subprocess.run(("readelf", "-wF", file), capture_output=True, text=True).stdout
    for line in text.splitlines():
        if match := RANGE.search(line):
            begin, end = (int(number, 16) for number in match.groups())
            inside = code[0] <= begin < end <= code[1]
            begins.add(begin)
            ends.add(end)
        elif " CIE " in line:
            inside = False
        elif line.lstrip().startswith("LOC"):
            columns = line.split()
        elif inside and re.match(r"[0-9a-f]{16} ", line):
            # Another register in which one is: r10 (r10).
            cells = dict(zip(columns, re.sub(r" \(\w+\)", "", line).split()))
            rules[int(cells["LOC"], 16)] = (frame_of(cells), pointer_of(cells), line)
    return rules, begins, ends


def check(program, file):
    sections = {name: (address, size) for name, address, size
                in SECTION.findall(output_of("readelf", "-SW", file))}
    code = code_of(file)
    with tempfile.TemporaryDirectory() as folder:
        content = pathlib.Path(folder) / "content"
        output_of("objcopy", "-O", "binary", "--only-section=.eh_frame", file, str(content))
        text = output_of(program, str(content), "0x" + sections[".eh_frame"][0], hex(code[0]),
                         hex(code[1]))
    rows = [line.split() for line in text.splitlines()]
    starts = [int(row[0], 16) for row in rows]
    expected, begins, ends = expected_of(file, code)
    for address, (frame, pointer, line) in expected.items():
        row = rows[bisect.bisect_right(starts, address) - 1]
        is_right = row[1] in frame and (row[1] in ("end", "signal") or
                                        any(row[2].startswith(text) for text in pointer))
        if not is_right:
            sys.exit(f"{file}: {row} instead of {line}")
    for address, row in zip(starts, rows):
        # A function whose rule does not change has no line.
        if row[1] != "none" and address not in expected and address not in begins:
            sys.exit(f"{file}: nothing begins at {row}")
        if row[1] == "none" and address != code[0] and address not in ends:
            sys.exit(f"{file}: nothing ends at {row}")
    known = sum(row[1] not in ("none", "end") for row in rows)
    if len(expected) > 100 and known < 0.9 * len(rows) / 2:
        sys.exit(f"{file}: only {known} of {len(rows)} rules are known")
    return len(expected)


def main():
    if not shutil.which("readelf") or not shutil.which("objcopy"):
        print("skipped: no readelf")
        return 77
    files = []
    for name in sys.argv[2:]:
        files += [name] if "/" in name else sorted(
            str(path) for path in pathlib.Path("/usr/lib/x86_64-linux-gnu").glob(name + "*"))[:1]
    for file in files:
        print(f"{file}: {check(sys.argv[1], file)} rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
