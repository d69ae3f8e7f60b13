#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""versions_test.py INCLUDE CXX...: two libraries of one process that were compiled with different
versions of the C++ headers, or with and without exceptions, do not call each other's functions; and
a library exports none of the headers' functions but those of classes."""

import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = """
#include <gotrace/error.hpp>

extern "C" unsigned long NAME()
{
    gt_error error = GT_ERROR_INIT;
    error.generation = 3;
    return gotrace::fault(error).generation();
}
"""
# The other version of the headers gives another number, to tell the functions apart.
OURS = "return error_.generation;"
OTHER = "return 1;"
# Each of these headers' functions of no class that no template takes as an argument.
FUNCTIONS = """
#include <gotrace/gotrace.hpp>
#include <gotrace/viewer.hpp>

void functions(gt_reader *from, gotrace::reader &reader, gotrace::summary &summary)
{
    namespace detail = gotrace::detail;
    const gt_string text = {"", 0};
    const gt_resource resource = {GT_RESOURCE_NONE, 0, 0};
    const gt_sync sync = GT_SYNC_INIT;
    gotrace::as_gt_string(gotrace::text(text));
    gotrace::to_string(resource);
    gotrace::wall_clock(sync, 0);
    gotrace::argument("key", std::uint64_t(1));
    gotrace::argument("key", "text");
    gotrace::argument("key", 1.5);
    (void) detail::find_live<gt_proc_info, gt_reader_proc>(from, 1).why();
    gotrace::try_feed(reader, summary);
    gotrace::feed(reader, summary);
    detail::check(GT_OK);
}
"""
# The mangled name of a function of the namespace, up to what follows its name, and of a template.
FUNCTION = re.compile(r"_ZN7gotrace[0-9]+v[0-9_]+?(?:6detail)?[1-9][0-9]?([a-z_]+)([EI])")
TEMPLATES = {"argument", "feed", "find_live", "formatted", "try_feed"}
# Templates of classes have these as arguments, which have to be as visible.
ARGUMENTS = {"mmu_event", "no_finish", "timeline_event"}
VERSION = "#define GT_VERSION_PATCH "
SKIPPED = 77
PROGRAM = """
#include <cstdio>
extern "C" unsigned long one();
extern "C" unsigned long two();
int main()
{
    std::printf("%lu %lu\\n", one(), two());
}
"""


def other_headers(include, folder, version):
    """A copy of the headers in which a function does something else."""
    shutil.copytree(include, folder)
    header = folder / "gotrace/error.hpp"
    text = header.read_text()
    if text.count(OURS) != 1:
        sys.exit("error.hpp has changed: versions_test.py looks for a line that it does not have")
    header.write_text(text.replace(OURS, OTHER))
    header = folder / "gotrace/version.h"
    lines = header.read_text().splitlines(keepends=True)
    header.write_text("".join(f"{VERSION}{version}\n" if line.startswith(VERSION) and version
                              else line for line in lines))
    return folder


class Build:
    def __init__(self, compiler, folder):
        self.compiler = compiler
        self.folder = folder

    def run(self, *arguments):
        # Nothing is inlined, as where a function is large, so that the libraries may share it.
        subprocess.run([*self.compiler, "-std=c++17", "-O0", "-fPIC", *map(str, arguments)],
                       check=True, cwd=self.folder)

    def library(self, name, include, *options, text=SOURCE):
        source = self.folder / f"{name}.cpp"
        source.write_text(text.replace("NAME", name))
        path = self.folder / f"lib{name}.so"
        self.run("-shared", "-I", include, *options, "-o", path, source)
        return path

    def linked(self, *libraries):
        """What the functions of two libraries return in a program that is linked with both."""
        source = self.folder / "program.cpp"
        source.write_text(PROGRAM)
        self.run("-o", "program", source, *libraries, f"-Wl,-rpath,{self.folder}")
        done = subprocess.run([self.folder / "program"], check=True, capture_output=True, text=True)
        return done.stdout.split()


def exported(library):
    """The functions of the headers that a library exports, but those of classes."""
    names = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                           capture_output=True, text=True).stdout.split()
    found = {match.groups() for match in map(FUNCTION.match, names) if match}
    return {name for name, end in found if end == "E" or name in TEMPLATES} - ARGUMENTS


def loaded(*libraries):
    """The same where they are loaded later, by names that are global."""
    handles = [ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL) for path in libraries]
    return [str(handle[path.stem.removeprefix("lib")]()) for handle, path in
            zip(handles, libraries)]


def main():
    include, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build = Build(compiler, folder)
        one = build.library("one", include)
        same = other_headers(include, folder / "same", "")
        # With one version the first library's function is that of both: the test would see it.
        if build.linked(one, build.library("two", same)) != ["3", "3"]:
            print("skipped: libraries do not share functions here")
            sys.exit(SKIPPED)
        functions = exported(build.library("functions", include, text=FUNCTIONS))
        if functions:
            sys.exit(f"versions_test.py: a library exports {functions}")
        newer = other_headers(include, folder / "newer", "99")
        two = build.library("two", newer)
        plain = build.library("plain", same, "-fno-exceptions")
        for found in (build.linked(one, two), loaded(one, two), loaded(one, plain)):
            if found != ["3", "1"]:
                sys.exit(f"versions_test.py: the libraries share a function: {found}")


if __name__ == "__main__":
    main()
