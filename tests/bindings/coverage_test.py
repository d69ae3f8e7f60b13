#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says of every public function what the bindings do with it.

coverage_test.py --root DIR

A function of include/gotrace is called by the headers for C++ and by the Python module, or a list
here says why it is not. A list that names a function that is called is an error too.
"""

import argparse
import pathlib
import re
import sys

RAW = "the records of the file are for tools that are written in C"
MADE = "made events are for unit tests of analyzers that are written in C"
WRITER = "traces are written by programs in C, and by the command"
RECORDER = "schedulers are written in C"
RARE = "recorder::get() is for what is rare"
PATHS = "critical paths are found by programs in C, and by the command"
COMPARISONS = "traces are compared by programs in C, and by the command"
REPORTS = "reports are made by programs in C, and by the command"
WEB = "the viewer is embedded in a server that is written in C"
TABLES = "tables are made by programs in C, and by the command"
PLAIN = "C++ calls it as it is: it takes and returns numbers or static texts"
ENUMERATION = "the names of Python's enumeration say it"
SIZES = "emitter::check() takes the result of a call with emitter::get()"
SELECTION = "a selector is for the command; C++ passes its object to gt_timeline_options"
PERFETTO = "files of Perfetto are written by programs in C, and by the command"
PARTS = "to split drawings is for the command"
VIEW = "gt_stack_view gives all frames at once"
COPY = "a copy has memory of its own"
COUNTED = "the binding counts events itself, and knows an event of the past by that"
ONE = "iterators give one event, whose number and live tables are those of that moment"
STRING = "the quoting is for those who print events by themselves"

# By a pattern, why no function that it matches is called.
NOT_IN_CPP = {
    r"gt_raw_\w+|gt_wire_\w+|gt_event_wire": RAW,
    r"gt_(writer|downgrader|focus)_\w+": WRITER,
    r"gt_rec_(?!go_(block|resume)|log|region_|syscall_|task_|thread_)\w+": RECORDER,
    r"gt_recorder_(?!open|close|start|stop|text$|window_(start|write_fd)$)\w+": RARE,
    r"gt_path_\w+": PATHS,
    r"gt_compare_\w+": COMPARISONS,
    r"gt_report_\w+": REPORTS,
    r"gt_perfetto_\w+": PERFETTO,
    r"gt_web_\w+": WEB,
    r"gt_(columns|parquet|table)_\w+|gt_arrow_stream": TABLES,
    r"gt_(event|stack|goroutine_transition|proc_transition)_make": MADE,
    r"gt_library_version(_text)?|gt_\w+_name|gt_rule_text|gt_\w+_state_executing": PLAIN,
    r"gt_mmu_flag_find|gt_summary_time_sum|gt_duration_\w+|gt_wall_clock_format": PLAIN,
    r"gt_emitter_(task_slice|async_slice|task_arrow|count_\w+|heap\w*|focus|name_task)": SIZES,
    r"gt_emitter_(event|follow_go|error|is_consistent|get_info)": SIZES,
    r"gt_selector_\w+": SELECTION,
    r"gt_splitter_\w+": PARTS,
    r"gt_stack_frames": VIEW,
    r"gt_event_copy_into": COPY,
    r"gt_reader_(has_event|event_number)": COUNTED,
    r"gt_(reader_next|profile)_events": ONE,
    r"gt_string_\w+|gt_value_format|gt_range_format_name|gt_formatter_write": STRING,
    r"gt_(summary|profile|latency|timeline)_get_info": "the object's get() is for what is rare",
    r"gt_mmu_(range|series|quantiles|worst)": "the object's get() is for what is rare",
}

NOT_IN_PYTHON = {
    r"gt_raw_\w+|gt_wire_\w+|gt_event_wire": RAW,
    r"gt_(writer|downgrader|focus)_\w+": WRITER,
    r"gt_rec(order)?_\w+": RECORDER,
    r"gt_path_\w+": PATHS,
    r"gt_compare_\w+": COMPARISONS,
    r"gt_report_\w+": REPORTS,
    r"gt_perfetto_\w+": PERFETTO,
    r"gt_web_\w+": WEB,
    r"gt_(columns|parquet)_\w+": TABLES,
    r"gt_(event|stack|goroutine_transition|proc_transition)_make": MADE,
    r"gt_library_version": "a program asks for the text",
    r"gt_profile_kind_name|gt_mmu_flag_\w+|gt_latency_(kind|group)_name|gt_rule_text": ENUMERATION,
    r"gt_summary_time_sum|gt_sync_wall_clock": "numbers of Python have no bounds",
    r"gt_stack_(frames|format)": "frames are objects of Python, from gt_stack_view",
    r"gt_event_copy_into": COPY,
    r"gt_reader_has_event": COUNTED,
    r"gt_(reader_next|profile)_events": ONE,
    r"gt_event_(goroutine|proc)_transition": "made of the details, which gt_event_transition gives",
    r"gt_value_format|gt_range_format_name": "made of the details, which are objects of Python",
    r"gt_string_escape_json": "Python has a module for JSON",
    r"gt_error_format": "made of the members of the error",
    r"gt_formatter_event": "Trace.dump writes with gt_formatter_write",
    r"gt_emitter_(error|get_info)": "for tests of the library",
    r"gt_emitter_event": "an emitter draws slices and instants; a whole event is for filters in C",
    r"gt_latency_(next_pair_bucket|pair_quantile)": "a Pair has the number and the sum of waits",
    r"gt_reader_open_fd": "a descriptor is a file object in Python",
}

COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def public_functions(folder):
    names = set()
    for path in folder.glob("*.h"):
        text = COMMENTS.sub("", path.read_text(encoding="utf-8"))
        names |= set(re.findall(r"^GT_API [^;(]*?(gt_\w+)\(", text, re.MULTILINE))
    return names


def words_of(paths):
    """What a binding names in its code."""
    return set(re.findall(r"gt_\w+", "\n".join(
        COMMENTS.sub("", path.read_text(encoding="utf-8")) for path in paths)))


def python_words(folder):
    """Analyses make the names of functions from NAME and the second half, which is a text."""
    paths = [path for path in folder.glob("*.py")
             if path.name not in ("prototypes.py", "structures.py")]
    words = words_of(paths)
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    halves = set(re.findall(r"_call(?:_released)?\(\s*\"(\w+)\"", code))
    halves |= set(re.findall(r"_list\(\"(\w+)\"", code)) | set(re.findall(r"\"_(\w+)\"", code))
    halves |= {"get_info"} if "_info(c." in code else set()
    for name in re.findall(r"NAME = \"(gt_\w+)\"", code):
        words |= {"%s_%s" % (name, half) for half in halves}
    for name in re.findall(r"\"(gt_(?:json_writer|splitter))", code):
        words |= {"%s_%s" % (name, half) for half in halves | {"consumer", "parts", "status"}}
    for name in re.findall(r"Table\(\"(\w+)\"", code):
        words |= {"gt_reader_" + name, "gt_reader_next_" + name}
    for name in re.findall(r"c\.gt_(\w+)\)", code):
        words.add("gt_event_" + name)
    return words


def check(binding, functions, called, left_out):
    """The problems of a binding."""
    problems = ["%s: nothing matches %s" % (binding, pattern) for pattern in left_out
                if not any(re.fullmatch(pattern, name) for name in functions)]
    for name in sorted(functions):
        reason = next((why for of, why in left_out.items() if re.fullmatch(of, name)), None)
        if name in called and reason and not re.search("raw|wire|web", name):
            problems.append("%s calls %s, which is not to be: %s" % (binding, name, reason))
        elif name not in called and not reason:
            problems.append("%s: %s is not called, and nothing says why" % (binding, name))
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    root = parser.parse_args().root
    include = root / "include" / "gotrace"
    functions = public_functions(include)
    problems = check("C++", functions, words_of(include.glob("*.hpp")), NOT_IN_CPP)
    problems += check("Python", functions, python_words(root / "examples/python/gotrace"),
                      NOT_IN_PYTHON)
    # A function that nobody knows must be noticed.
    if len(check("C++", {"gt_planted"}, set(), {})) != 1:
        problems.append("the planted function was not noticed")
    print("%d functions, %d problems" % (len(functions), len(problems)))
    print("\n".join(problems), file=sys.stderr)
    sys.exit(1 if problems or len(functions) < 150 else 0)


if __name__ == "__main__":
    main()
