#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds what the Python module says of the binary interface against the headers.

abi_test.py INCLUDE_DIR CC [FLAG...]

Every enumeration, constant, structure, initialiser and function of include/gotrace must be in
the module, but for those of LEFT_OUT, with equal values, layouts and types. A program that
the compiler makes of the headers says what these are.
"""

import ctypes
import enum
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from gotrace import constants, prototypes, structures

# The module binds neither what writes traces, nor the records of the file format, nor critical
# paths, reports and comparisons, nor the engine of the viewer. Its tables are streams of Arrow.
LEFT_OUT = {"arrow.h", "columns.h", "compare.h", "downgrade.h", "focus.h", "parquet.h", "path.h",
            "raw.h", "recorder.h", "report.h", "viewer_perfetto.h", "web.h", "wire.h", "writer.h"}

# The prefix of an enumeration's values, and what has them in Python. An enumeration is a typedef
# of an integer, followed by an enum without a name.
ENUMS = {
    "gt_status": ("GT_", constants.Status),
    "gt_event_kind": ("GT_EVENT_", constants.EventKind),
    "gt_value_kind": ("GT_VALUE_", constants.ValueKind),
    "gt_resource_kind": ("GT_RESOURCE_", constants.ResourceKind),
    "gt_ending": ("GT_ENDING_", constants.Ending),
    "gt_go_state": ("GT_GO_", constants.GoState),
    "gt_proc_state": ("GT_PROC_", constants.ProcState),
    "gt_profile_kind": ("GT_PROFILE_", constants.ProfileKind),
    "gt_latency_kind": ("GT_LATENCY_", constants.LatencyKind),
    "gt_latency_group": ("GT_LATENCY_", constants.LatencyGroup),
    "gt_latency_side": ("GT_LATENCY_", constants.LatencySide),
    "gt_rule": ("GT_RULE_", constants.Rule),
    "gt_section": ("GT_SECTION_", constants.Section),
    "gt_viewer_kind": ("GT_VIEWER_", constants.ViewerKind),
    "gt_counted_state": ("GT_COUNTED_", constants.CountedState),
    "gt_counted_thread": ("GT_COUNTED_", constants.CountedThread),
    "gt_view": ("GT_VIEW_", constants.View),
    "gt_selection": ("GT_SELECT_", constants.Selection),
}

# Those whose values are macros, as they have 64 bits: flags, rows and procs.
MACROS = {
    "GT_STAND_IN_": constants.ProcStandIn,
    "GT_ROW_": constants.Row,
    "GT_READER_": constants.ReaderFlag,
    "GT_SUMMARY_": constants.SummaryFlag,
    "GT_PROFILE_": constants.ProfileFlag,
    "GT_MMU_": constants.MmuFlag,
    "GT_LATENCY_": constants.LatencyFlag,
    "GT_VALIDATOR_": constants.ValidatorFlag,
    "GT_EMITTER_": constants.EmitterFlag,
    "GT_TIMELINE_": constants.TimelineFlag,
}

# Macros that are no constants of the interface: releases, and what only C has.
NO_CONSTANTS = {"GT_API", "GT_NODISCARD", "GT_VERSION", "GT_VERSION_MAJOR", "GT_VERSION_MINOR",
                "GT_VERSION_PATCH", "GT_PROFILE_BIT"}

problems = []


def expect(is_good, text, *arguments):
    if not is_good:
        problems.append(text % arguments)


C_TYPES = {
    "void": None, "int": ctypes.c_int, "unsigned int": ctypes.c_uint, "size_t": ctypes.c_size_t,
    "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double, "gt_status": ctypes.c_int, "gt_stack": ctypes.c_uint64,
    "gt_ending": ctypes.c_uint32,
    "gt_string": structures.gt_string,
}


class Headers:
    """What the headers declare, by regular expressions that know how they are laid out."""

    def __init__(self, folder):
        self.enums, self.structs, self.functions = {}, {}, {}
        self.macros, self.numbers, self.initialisers = [], [], []
        for path in sorted(folder.glob("*.h")):
            if path.name not in LEFT_OUT:
                text = path.read_text(encoding="utf-8").replace("\\\n", "")
                # Only C++ sees this.
                text = re.sub(r"^#if defined\(__cplusplus.*?^#endif\n", "", text,
                              flags=re.DOTALL | re.MULTILINE)
                text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
                self.read(re.sub(r"\s*\bGT_NONNULL\(\([\d, ]+\)\)|(?<=^GT_API )GT_NODISCARD ", "",
                                 text, flags=re.MULTILINE))

    def read(self, text):
        for kind, name, body in re.findall(r"typedef (\w+) (\w+);\s*enum \{(.*?)\}", text,
                                           re.DOTALL):
            expect(kind == "int32_t" if name == "gt_status" else kind == "uint32_t",
                   "%s is a %s", name, kind)
            self.enums[name] = re.findall(r"^\s*(GT_\w+)", body, re.MULTILINE)
        for name, body in re.findall(r"typedef struct (\w+) \{(.*?)^\}", text, re.DOTALL | re.M):
            self.structs[name] = [split_member(member) for member in body.split(";")[:-1]]
        for name in re.findall(r"^#define (GT_\w+)\b(?!\()", text, re.MULTILINE):
            if name.endswith("_INIT"):
                self.initialisers.append((name, name[:-len("_INIT")].lower()))
            elif name not in NO_CONSTANTS:
                self.macros.append(name)
        self.numbers += re.findall(r"^#define (GT_\w+) (?:U?INT64_C|\(UINT64_C\(1\) <<)", text,
                                   re.MULTILINE)
        for result, name, arguments in re.findall(r"^GT_API ([^;(]*?)(\w+)\(([^;]*)\);", text,
                                                  re.MULTILINE):
            self.functions[name] = [result] + [argument.rsplit(" ", 1)[0] if "*" not in argument
                                               else argument for argument in split(arguments)]


def split(arguments):
    return [] if arguments == "void" else re.sub(r"\s+", " ", arguments).split(", ")


def split_member(text):
    """Name and type of a member; the type of an array is not needed."""
    text = text.strip()
    function = re.search(r"\(\*(\w+)\)", text)
    if function:
        return function.group(1), "*"
    found = re.search(r"^(.*?)(\w+)(\[\w+\])?$", text, re.DOTALL)
    return found.group(2), found.group(1).strip()


START = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>
static void text(const char *name, uintptr_t at) { printf("text %s %s\\n", name, (char *) at); }
static void number(const char *name, uintmax_t is) { printf("value %s %ju\\n", name, is); }
#define SHOW(name) _Generic((name), char *: text, default: number)(#name, (uintptr_t) (name))
#define SIZE(name) printf("size %s %zu\\n", #name, sizeof(name))
#define MEMBER(of, name) printf("member %s.%s %zu %zu\\n", #of, #name, offsetof(of, name), \\
                                sizeof(((of *) 0)->name))
static void bytes(const char *name, const void *at, size_t size)
{
    printf("init %s ", name);
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *) at)[i]);
    printf("\\n");
}
int main(void)
{
"""


def make_program(headers):
    """A C program that prints what the headers say, a fact in each line."""
    lines = ["SHOW(%s);" % name for name in sum(headers.enums.values(), headers.macros)]
    lines += ["SIZE(%s);" % name for name in [*headers.structs, *headers.enums]]
    for name, members in headers.structs.items():
        lines += ["MEMBER(%s, %s);" % (name, member) for member, _ in members]
    for macro, name in headers.initialisers:
        lines.append("{ %s value, made = %s; memset(&value, 0, sizeof(value));" % (name, macro))
        # By members, as padding may be anything. The address of a text is of no interest.
        for member, kind in headers.structs[name]:
            if kind == "gt_string":
                lines.append("made.%s.data = NULL;" % member)
            lines.append("memcpy(&value.{0}, &made.{0}, sizeof(value.{0}));".format(member))
        lines.append('bytes("%s", &value, sizeof(value)); }' % name)
    return START + "\n".join(lines) + "\nreturn 0;\n}\n"


def ask_compiler(headers, folder, compiler):
    """The facts that the program prints, by kind and name."""
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "facts.c")
        pathlib.Path(source).write_text(make_program(headers), encoding="utf-8")
        subprocess.run([*compiler, "-std=c11", "-I", str(folder.parent), source, "-o",
                        os.path.join(work, "facts")], check=True)
        output = subprocess.run([os.path.join(work, "facts")], check=True,
                                stdout=subprocess.PIPE, encoding="utf-8").stdout
    return {tuple(line.split(" ", 2)[:2]): line.split(" ", 2)[2] for line in output.splitlines()}


def check_constants(headers, facts):
    expect(set(headers.enums) == set(ENUMS), "enumerations: %s", set(headers.enums) ^ set(ENUMS))
    for name, values in headers.enums.items():
        prefix, ours = ENUMS.get(name, ("GT_", enum.IntEnum("none", [])))
        theirs = {value[len(prefix):]: int(facts["value", value]) for value in values}
        mine = {member.name: member.value % 2**64 for member in ours}
        expect(mine == theirs, "%s: %s is not %s", name, mine, theirs)
        expect(facts["size", name] == "4", "%s has %s bytes", name, facts["size", name])
    for macro in headers.macros:
        group = next(filter(macro.startswith, MACROS), None) if macro in headers.numbers else None
        if group:
            mine = MACROS[group].__members__.get(macro[len(group):])
            expect(mine == int(facts["value", macro]), "%s is %s", macro, mine)
            continue
        mine = getattr(constants, macro[len("GT_"):], None)
        theirs = facts.get(("text", macro)) or int(facts["value", macro])
        expect(mine == theirs or isinstance(mine, int) and mine % 2**64 == theirs,
               "%s: %s is not %s", macro, mine, theirs)
    for group, ours in MACROS.items():
        for member in ours.__members__:
            expect(group + member in headers.numbers, "%s%s does not exist", group, member)


def structures_of(module):
    return {name: value for name, value in vars(module).items()
            if name.startswith("gt_") and issubclass(value, ctypes.Structure)}


def check_structures(headers, facts):
    mine = structures_of(structures)
    expect(set(mine) == set(headers.structs), "structures: %s", set(mine) ^ set(headers.structs))
    for name in set(mine) & set(headers.structs):
        ours = mine[name]
        expect(str(ctypes.sizeof(ours)) == facts["size", name], "%s has another size", name)
        expect([member for member, _ in ours._fields_]
               == [member for member, _ in headers.structs[name]], "%s has other members", name)
        for member, _ in ours._fields_:
            place, path = getattr(ours, member), "%s.%s" % (name, member)
            expect("%d %d" % (place.offset, place.size) == facts.get(("member", path)),
                   "%s is elsewhere", path)
    for _, name in headers.initialisers:
        made = structures.make(mine[name])
        expect(bytes(made).hex() == facts["init", name], "%s begins otherwise", name)


def type_of(kind):
    """A ctypes type, all pointers alike."""
    some = type(ctypes.POINTER(ctypes.c_int)), type(structures.read_fn)
    is_pointer = kind in (ctypes.c_void_p, ctypes.c_char_p) or isinstance(kind, some)
    return "pointer" if is_pointer else kind


def c_type_of(text):
    text = text.strip()
    if "*" in text or text.endswith("_fn"):
        return "pointer"
    return C_TYPES[text]


def check_functions(headers):
    mine = {**prototypes.GOTRACE, **prototypes.VIEWER, **prototypes.TIMELINE}
    expect(set(mine) == set(headers.functions), "functions: %s",
           set(mine) ^ set(headers.functions))
    for name in set(mine) & set(headers.functions):
        theirs = [c_type_of(text) for text in headers.functions[name]]
        expect([type_of(kind) for kind in mine[name]] == theirs, "%s: %s is not %s", name,
               mine[name], headers.functions[name])


def main():
    folder = pathlib.Path(sys.argv[1]) / "gotrace"
    headers = Headers(folder)
    facts = ask_compiler(headers, folder, sys.argv[2:])
    check_constants(headers, facts)
    check_structures(headers, facts)
    check_functions(headers)
    for problem in problems:
        print(problem, file=sys.stderr)
    print("%d enumerations, %d structures, %d functions, %d facts, %d problems"
          % (len(headers.enums), len(headers.structs), len(headers.functions), len(facts),
             len(problems)))
    sys.exit(1 if problems or len(facts) < 500 else 0)


if __name__ == "__main__":
    main()
