#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""explorer_test.py ROOT NAMES ARCHIVE COMPILER...: runs small programs on the recorder in all
orders of their atomic operations with at most two preemptions, and with delayed stores. No order
may make a trace that is refused. Then plants faults in copies of the sources, each of which must
be found.

NAMES is the header with the private names of the library, ARCHIVE libgotrace.a.
$GT_EXPLORER_PREEMPTIONS is the number of preemptions without planted faults, instead of two.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BASE = ("arena", "decimal", "error", "hash", "index", "mem", "object", "sized", "sort", "text",
        "texts", "thread", "version")

# What is planted: the scene that finds it, a file of the recorder, what is replaced there, and by
# what.
PLANTED = {
    "an old section changes words of a later generation": (
        "block and unblock",
        "section.h", "if (gt_word_generation(word) > t->generation)", "if (false)"),
    "the end of a call asks for the state of the proc, not for its owner": (
        "steal in a call",
        "call.c", "if (call_state(word) == GT_SYSCALL_STOLEN)",
        "if (gt_word_state(gt_atomic_get(&gt_recorder_own_proc(t)->resource.word)) != "
        "GT_P_SYSCALL)"),
    "a call has no number": (
        "steal in one of two calls",
        "call.c", "call_number(gt_atomic_peek(&t->call)) + 1", "call_number(0)"),
    "a thief does not care for the generation of a call": (
        "steal at the end of a generation",
        "call.c", "if (call_generation(word) <= t->generation && gt", "if (gt"),
    "a thread does not care for the generation of the theft": (
        "steal and advance",
        "call.c", "if (call_generation(word) <= t->generation) {", "if (true) {"),
    "words are copied after the next generation began": (
        "block and unblock",
        "generation.c",
        "    gt_recorder_begin_generation(recorder, stops ? GT_MODE_OFF : GT_MODE_ON);\n"
        "    generation_collect",
        "    gt_recorder_begin_generation(recorder, stops ? GT_MODE_OFF : GT_MODE_ON);\n"
        "    copy = generation_copy(recorder);\n    generation_collect"),
    "nobody waits for old sections at the start": (
        "start",
        "stream.c", "gt_recorder_begin_generation(recorder, GT_MODE_ON);",
        "gt_atomic_set_full(&recorder->generation,"
        " (gt_recorder_number(recorder) + 1) << GT_MODE_BITS | GT_MODE_ON);"),
    "nobody waits for old sections at the end of a generation": (
        "block and unblock",
        "generation.c",
        "    while ((seen & 1) != 0 && gt_atomic_get(counter) == seen)\n        gt_system_yield();",
        ""),
    "there is no barrier in all threads": (
        "block and unblock",
        "generation.c", "        gt_system_barrier();", "        ;"),
    "a thread that was detached is freed at once": (
        "detach",
        "generation.c", "thread->is_leaving = gt_atomic_get(&thread->is_detached);\n    }\n",
        "thread->is_leaving = gt_atomic_get(&thread->is_detached);\n    }\n"
        "    sweep_list(recorder, &recorder->threads, sweep_is_thread_done,"
        " sizeof(gt_rec_thread));\n"),
    "a goroutine is listed after its section": (
        "start",
        "goroutine.c",
        "    gt_recorder_list_add(&t->recorder->gos, &go->resource.link);\n"
        "    gt_recorder_leave(t);",
        "    gt_recorder_leave(t);\n"
        "    gt_recorder_list_add(&t->recorder->gos, &go->resource.link);"),
    "the text of a log is written outside of its section": (
        "annotate and advance",
        "annotation.c",
        "    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))\n"
        "        return GT_ERR_STATE;\n"
        "    if (gt_recorder_is_on(t)) {\n"
        "        uint64_t value = gt_recorder_put_text(t, (gt_string){text, size});\n",
        "    uint64_t value = gt_recorder_put_text(t, (gt_string){text, size});\n"
        "    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))\n"
        "        return GT_ERR_STATE;\n"
        "    if (gt_recorder_is_on(t)) {\n"),
    "the first event of the collector waits for others of its thread": (
        "collect and unblock",
        "collector.c", "if (part->lead_number > 0) {", "if (true) {"),
    "a trace does not tell that a cycle of the collector has begun before": (
        "collect and start",
        "generation.c", "if (!gc->is_open || gc->generation", "if (true || gc->generation"),
    "what the collector did in the next generation counts for the one that is over": (
        "collect and start",
        "collector.c", "part = gc->parts[(generation + 1) & 1];", ";"),
    "a stop ends in a trace that does not have its begin": (
        "collect and start",
        "range.c", "if (is_open && gt_recorder_is_on(t) && stop_is_known(t))",
        "if (is_open && gt_recorder_is_on(t))"),
    "a window begins within a stop of the world": (
        "window of one generation",
        "generation.c", "if (ended != 0)", "if (false)"),
    "a window does not tell that a cycle of the collector has begun before": (
        "window of one generation",
        "flight.c", "if (kept->number != flight->first_number || !kept->gc.is_open)", "if (true)"),
    "ranges are not told of with the status of a silent goroutine": (
        "collect and start",
        "generation.c", "    if (gt_word_has_range(go->copied_word))", "    if (false)"),
    "ranges are not told of with a status": (
        "collect and start",
        "section.h", "    if (GT_UNLIKELY(has_range))\n"
        "        gt_recorder_put(t, time, GT_WIRE_GC_MARK_ASSIST_ACTIVE, go->resource.id);", ""),
    "a recording starts without a strict generation": (
        "rivals from before the start",
        "stream.c", "    gt_recorder_begin_strict(recorder);\n", ""),
    "two threads take one goroutine for theirs": (
        "rivals from before the start",
        "section.c",
        "if (!gt_atomic_swap(&gt_recorder_own_go(t)->resource.word, &claim, next)) {",
        "gt_atomic_set(&gt_recorder_own_go(t)->resource.word, next); if (false) {"),
    "a proc stays in a call without a goroutine": (
        "rivals in calls",
        "generation.c", "    gt_recorder_call_part(recorder);\n", ""),
    "a goroutine is freed that a thread still has": (
        "a rival ends",
        "generation.c", "    sweep_spare(recorder);\n", ""),
    "a goroutine is switched from that another thread has": (
        "a rival switches",
        "goroutine.c", "while (gt_recorder_enter_go(t, time)) {",
        "while (gt_recorder_enter_own(t, time), true) {"),
    "a goroutine is started by a store while something is recorded": (
        "two start",
        "section.h", "if (rivals == GT_RECORDER_ALONE && t->mode == GT_MODE_OFF) {",
        "if (rivals == GT_RECORDER_ALONE) {"),
    "a sample is written again": (
        "sample",
        "sample.c", "    gt_atomic_set(&samples->read, at);\n", ""),
    "samples of the next generation are lost": (
        "sample",
        "sample.c", "        if (taken > generation)\n            break;",
        "        if (taken > generation) {\n            at = end;\n            break;\n        }"),
    "a stack is in the table of another generation": (
        "stacks and advance",
        "stack.c", "struct gt_recorder_stacks *stacks = &t->stacks[t->generation & 1];",
        "struct gt_recorder_stacks *stacks ="
        " &t->stacks[(gt_atomic_get(&t->recorder->generation) >> 1) & 1];"),
    "the own goroutine of a thread is listed after its section": (
        "threads from before the start",
        "home.c",
        "    gt_recorder_list_add(&t->recorder->gos, &go->resource.link);\n"
        "    gt_recorder_leave(t);",
        "    gt_recorder_leave(t);\n"
        "    gt_recorder_list_add(&t->recorder->gos, &go->resource.link);"),
    "the own proc of a thread is given back before it is stopped": (
        "threads come and go",
        "thread.c",
        "    if (gt_recorder_own_proc(t))\n        thread_stop_proc(t);\n"
        "    if (t->home_proc)\n        gt_recorder_home_give(t);\n",
        "    if (t->home_proc)\n        gt_recorder_home_give(t);\n"
        "    if (gt_recorder_own_proc(t))\n        thread_stop_proc(t);\n"),
    "the own proc of a thread starts without its status": (
        "threads wake each other",
        "home.c", "if (gt_word_generation(before) != t->generation)", "if (false)"),
    "a thread that leaves a call without a proc does not tell the status before": (
        "threads in calls",
        "home.c", "if (!gt_recorder_enter_go(t, &time))",
        "if (gt_recorder_enter(t), time = gt_recorder_time(t), false)"),
    "a thread whose proc was taken is still to be found there": (
        "steal after detach",
        "call.c",
        "    gt_atomic_pointer_swap(&gt_recorder_own_proc(t)->resource.thread, &self, NULL);", ""),
}


class Build:
    def __init__(self, root, names, archive, compiler, folder):
        self.root = root
        self.folder = folder
        tests = root / "tests/recorder"
        # With _FORTIFY_SOURCE, longjmp takes a jump to another stack for a fault.
        self.compiler = [*compiler, "-std=c11", "-w", "-U_FORTIFY_SOURCE",
                         "-D_POSIX_C_SOURCE=200809L", "-DGT_NONNULL(which)=", "-DGT_STATIC"]
        self.names = ["-include", str(names)]
        self.includes = ["-I", str(tests / "explorer"), "-I", str(root / "include")]
        self.archive = archive
        sources = [root / "lib/base" / (name + ".c") for name in BASE]
        self.common = [self.compile(source, root / "lib") for source in sources]
        self.common += [self.compile(source, root / "lib")
                        for source in sorted(tests.glob("explorer/*.c"))]
        self.sources = sorted(path for path in (root / "lib/recorder").glob("*.c")
                              if not path.name.startswith("system"))
        self.includers = collections.defaultdict(list)
        for path in (root / "lib/recorder").iterdir():
            for name in re.findall(r'#include "recorder/(.*)"', path.read_text()):
                self.includers[name].append(path.name)
        self.good = {path.name: self.compile(path, root / "lib") for path in self.sources}

    def compile(self, source, lib, tag="", optimization="-O1"):
        result = self.folder / f"{tag}{source.parent.name}-{source.stem}.o"
        subprocess.run([*self.compiler, optimization, *self.includes, "-I", str(lib), *self.names,
                        "-c", "-o", str(result), str(source)], check=True)
        return str(result)

    def link(self, name, objects):
        program = self.folder / name
        subprocess.run([*self.compiler, "-o", str(program), *objects, *self.common,
                        str(self.archive), "-pthread"], check=True)
        return str(program)

    def files_with(self, file):
        """A file of the recorder, and those that include it, also through others."""
        found, waiting = set(), [file]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.includers.get(name, [])
        return found

    def plant(self, number, file, old, new):
        """A program whose sources have the fault."""
        lib = self.folder / f"planted{number}"
        (lib / "recorder").mkdir(parents=True)
        (lib / "base").symlink_to(self.root / "lib/base")
        for path in (self.root / "lib/recorder").iterdir():
            text = path.read_text()
            if path.name == file:
                if text.count(old) != 1:
                    sys.exit(f"nothing can be planted in {file} for: {old}")
                text = text.replace(old, new)
            (lib / "recorder" / path.name).write_text(text)
        objects = dict(self.good)
        changed = self.files_with(file)
        for path in self.sources:
            if path.name in changed:
                # It runs for less time than it is compiled.
                objects[path.name] = self.compile(lib / "recorder" / path.name, lib,
                                                  f"planted{number}-", "-O0")
        return self.link(f"planted{number}.exe", objects.values())


def run(program, *arguments):
    """Whether the program found nothing wrong, and what it printed."""
    ended = subprocess.run([program, *arguments], capture_output=True, text=True)
    return ended.returncode == 0, ended.stdout, ended.stderr


def try_planted(build, number, fault):
    """Whether the scene of the fault finds it, and a line that says how."""
    scene, *planted = PLANTED[fault]
    passed, _, errors = run(build.plant(number, *planted), "2", scene)
    return not passed, f"{fault}: {'NOT FOUND' if passed else (errors.splitlines() or ['?'])[0]}"


def main():
    root, names, archive = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        # Most of what is compiled has a fault, and is not compiled again.
        compiler = [word for word in sys.argv[4:] if not word.endswith("ccache")]
        build = Build(root, names, archive, compiler, pathlib.Path(folder))
        program = build.link("good.exe", build.good.values())
        good = workers.submit(run, program, os.environ.get("GT_EXPLORER_PREEMPTIONS", "2"))
        found = list(workers.map(lambda each: try_planted(build, *each), enumerate(PLANTED)))
        passed, output, errors = good.result()
        print(output + errors, *(line for _, line in found), sep="\n")
    return not passed or not all(is_found for is_found, _ in found)


if __name__ == "__main__":
    sys.exit(main())
