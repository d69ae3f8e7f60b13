#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The libraries but for libgotrace-web need little stack: no recursion, nothing of a size that is
not known, no path of calls that takes more than 4 KiB.

    stack.py BUILD [--table]

BUILD is a build by gcc with -Dc_args=-fcallgraph-info=su, which writes down for each file
what its functions take and call. What libc and the caller's functions take is not in it. A
call through a pointer is taken to reach every function of the same folder, or of one that it
is made for, which is called by no name and not exported, unless CALLBACKS says what it reaches.
--table prints the largest frames and the deepest path.
"""
import os
import re
import sys

sys.setrecursionlimit(10000)

FRAME_MAX = 1024
PATH_MAX = 4096
# Where else than into its own folder a call through a pointer goes.
REACHES = {"viewer": ["writer"], "merge": ["v1", "v2"], "base": []}
# What the pointers that these functions call can only point to. Repairs are made within rules, so
# without this the rules of both formats would seem to call each other by way of a repair.
CALLBACKS = {
    "gotrace_repair_report": ["ahead_report_repair"],
    "gotrace_repair_forgive": ["ahead_report_repair"],
    # The functions of the program that uses the library.
    "gotrace_json_out_flush": [],
    "gotrace_json_put_string": [],
    "gotrace_rewrite_bytes": [],
    "gotrace_rewrite_flush": [],
    "gotrace_rewrite_rename_text": [],
    "gotrace_downgrade_bytes": [],
    "gotrace_downgrade_flush": [],
    "gotrace_downgrade_frequency": [],
    "ahead_call_on_repair": [],
    "ahead_report_repair": [],
    "gotrace_recorder_clock_ask": [],
    "gotrace_recorder_clock_moment": [],
    "gotrace_recorder_frame_find": [],
    # Waiting for memory is what a section cannot call by name: it is made of sections.
    "gotrace_recorder_enter_slowly": ["gotrace_recorder_relieve"],
    "gotrace_recorder_stack_take": [],
    # The same, or the one for file descriptors.
    "gotrace_recorder_answer_request": ["gotrace_recorder_write_file"],
    "gotrace_recorder_output_flush": ["gotrace_recorder_write_file"],
    "gotrace_recorder_output_lead": ["gotrace_recorder_write_file"],
    "gotrace_recorder_output_to_stream": ["gotrace_recorder_write_file"],
    "flight_write_with": ["gotrace_recorder_write_file"],
    "output_stream": ["gotrace_recorder_write_file"],
    # How the bytes of a file are read, and what is done with each module that is loaded.
    "gotrace_elf_build_id_read": ["gotrace_system_file_read"],
    "gotrace_elf_function_name": ["gotrace_system_file_read"],
    "gotrace_elf_functions_read": ["gotrace_system_file_read"],
    "modules_visit": ["module_note"],
    "gotrace_worker_call": ["ahead_call_on_repair"],
    "gotrace_worker_next": ["ahead_call_on_repair"],
}

NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]+)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
SIZE = re.compile(r"(\d+) bytes \(([a-z,]+)\)")
INDIRECT = "__indirect_call"


class Function:
    def __init__(self, place, size, kind):
        self.folder = place.split("/lib/")[-1].split("/")[0] if "/lib/" in place else ""
        self.size, self.kind = size, kind
        self.calls = set()


def common_name(title):
    """The name of a function in libgotrace. The other libraries have copies of lib/base under names
    of their own, and what one of them calls by name may be called by none in another."""
    return re.sub(r"\bgotrace_(viewer|timeline|columns|recorder)_", "gotrace_", title)


def take_node(functions, title, label):
    parts = label.split("\\n")
    size = SIZE.search(label)
    if not size or len(parts) < 3:
        return
    function = Function("/" + parts[1], int(size.group(1)), size.group(2))
    known = functions.setdefault(title, function)
    known.size = max(known.size, function.size)
    if function.kind == "dynamic":
        known.kind = "dynamic"


def read(build):
    functions, edges = {}, []
    for folder, _, names in os.walk(os.path.join(build, "lib")):
        # The engine of the viewer answers requests, in threads of servers that have more stack.
        if re.search("libgotrace-web|/web/", folder):
            continue
        for name in names:
            if not name.endswith(".ci"):
                continue
            with open(os.path.join(folder, name)) as lines:
                for line in lines:
                    node, edge = NODE.match(line), EDGE.match(line)
                    if node:
                        take_node(functions, common_name(node.group(1)), node.group(2))
                    elif edge:
                        edges.append(tuple(map(common_name, edge.groups())))
    for source, target in edges:
        if source in functions:
            functions[source].calls.add(target)
    return functions


def exported():
    lib = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib")
    names = set()
    for name in os.listdir(lib):
        if name.endswith(".map"):
            with open(os.path.join(lib, name)) as text:
                names |= set(re.findall(r"^\s+(gt_\w+);", text.read(), re.M))
    return names


def base_name(title):
    """The name of a function; the title of a static one has its file before it."""
    return title.split(":")[-1]


def resolve(functions, indirectly):
    """Puts functions in the place of calls through pointers."""
    titles = {base_name(title): title for title in functions}
    missing = set(CALLBACKS).union(*CALLBACKS.values()) - set(titles)
    if missing:
        sys.exit(f"CALLBACKS names what is no function: {' '.join(sorted(missing))}")
    for title, function in functions.items():
        if INDIRECT not in function.calls:
            continue
        if base_name(title) in CALLBACKS:
            function.calls |= {titles[name] for name in CALLBACKS[base_name(title)]}
            continue
        folders = REACHES.get(function.folder, []) + [function.folder]
        function.calls |= {name for name in indirectly if functions[name].folder in folders}
    for function in functions.values():
        function.calls &= set(functions)


def knots(functions):
    """Functions that come to call each other, in lists; what they call is in lists before."""
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for called in sorted(functions[name].calls & set(functions)):
            if called not in index:
                visit(called)
            if called in stack:
                low[name] = min(low[name], low[called])
        if low[name] == index[name]:
            at = stack.index(name)
            found.append(stack[at:])
            del stack[at:]

    for name in sorted(functions):
        if name not in index:
            visit(name)
    return found


def find_recursion(functions):
    """A function that comes to call itself by name, or none."""
    for knot in knots(functions):
        if len(knot) > 1 or knot[0] in functions[knot[0]].calls:
            return knot[0]
    return None


def deepest(functions):
    """
    What a call takes at most, and by which functions. Those that only seem to call each
    other, as it is not known where pointers go, are all on the path.
    """
    known = {}
    for knot in knots(functions):
        behind = set().union(*(functions[name].calls for name in knot)) - set(knot)
        size, names = max((known[name] for name in behind), default=(0, []))
        size += sum(functions[name].size for name in knot)
        known.update({name: (size, knot + names) for name in knot})
    return max(known.values())


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    functions = read(sys.argv[1])
    if len(functions) < 500:
        sys.exit("this is not a build with -fcallgraph-info=su")
    faults = [f"{name} takes a size that is not known" for name, function in functions.items()
              if function.kind == "dynamic"]
    faults += [f"{name} takes {function.size} bytes" for name, function in functions.items()
               if function.size > FRAME_MAX]
    recursive = find_recursion(functions)
    if recursive:
        faults.append(f"{recursive} calls itself")
    called = set().union(*(function.calls for function in functions.values()))
    public = exported()
    resolve(functions, [name for name in functions if name not in called | public])
    size, path = deepest(functions)
    if size > PATH_MAX:
        faults.append(f"{size} bytes by {' '.join(path)}")
    largest = sorted(functions, key=lambda name: -functions[name].size)[:8]
    if "--table" in sys.argv:
        for name in largest:
            print(f"{functions[name].size:6} {name}")
        for name in path:
            print(f"{functions[name].size:6} on the deepest path: {name}")
    print(f"{len(functions)} functions, the largest frame has {functions[largest[0]].size} "
          f"bytes, the deepest path {size}")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
