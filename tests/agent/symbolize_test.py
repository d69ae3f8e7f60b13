#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace symbolize: stacks of a recorded program get files, lines and inlined functions, as far as
the files of the program are those that were recorded. $GT_LINES is the program, whose source is
beside this file.
"""

import os
import pathlib
import re
import shutil
import sys
import unittest

from recording import COMMAND, Folder, check, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402

LINES = pathlib.Path(os.environ["GT_LINES"])
SOURCE = pathlib.Path(__file__).with_name("lines.cpp")
TOOLS = [tool for tool in ("addr2line", "llvm-symbolizer") if shutil.which(tool)]
# The frames of the wait: the last but one function is inlined.
STACK = [("service::Cache::find(int)", "in find"), ("service::Cache::serve(int)", "in serve"),
         ("service::worker(void*)", "in worker")]
MODULE = "gotrace.module"


def line_of(comment):
    lines = SOURCE.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith("// " + comment))


def frames_of_wait(text):
    """The function, address, file and line of each frame of the thread's wait for the mutex."""
    at = text.index('GoID=2 Running->Waiting Reason="sync"')
    stack = text[text.index("TransitionStack=\n", at):].split("\n\n")[0].splitlines()[1:]
    found = []
    for function, place in zip(stack[::2], stack[1::2]):
        if not function.startswith("\t") or not place.startswith("\t\t"):
            break
        name, address = function.strip().rsplit(" @ ", 1)
        found.append((name, int(address, 16), *place.strip().rsplit(":", 1)))
    return found


@unittest.skipUnless(TOOLS, "neither addr2line nor llvm-symbolizer is installed")
class SymbolizeTest(Folder):
    def setUp(self):
        super().setUp()
        self.program = self.path / "lines"
        shutil.copy(LINES, self.program)
        self.output = self.path / "lines.trace"

    def symbolize(self, *options, trace=None, output=None):
        return run(COMMAND, "symbolize", "-o", output or self.output, *options,
                   trace or self.trace)

    def symbolized(self, *options, trace=None, output=None):
        done = self.symbolize(*options, trace=trace, output=output)
        self.assertEqual(done.returncode, 0, done.stderr)
        check(output or self.output)
        return done.stderr.decode()

    def expect_lines(self, trace):
        frames = frames_of_wait(self.events(trace))
        self.assertEqual(frames[0][0], "pthread_mutex_lock")
        at = next(i for i, frame in enumerate(frames) if "::" in frame[0])
        for (name, comment), frame in zip(STACK, frames[at:]):
            self.assertEqual((frame[0], frame[3]), (name, str(line_of(comment))), frames)
            self.assertEqual(pathlib.Path(frame[2]).name, SOURCE.name)
        # Frames with the same address are one place to Go's tools.
        addresses = [frame[1] for frame in frames]
        self.assertEqual(len(addresses), len(set(addresses)), frames)
        # The goroutine has the name of its function.
        self.assertEqual(frames[-1][0], "service::worker(void*)")
        return frames

    def test_lines_and_inlined_functions(self):
        self.record(self.program)
        before = frames_of_wait(self.events())
        self.assertNotIn(STACK[0][0], [frame[0] for frame in before])
        for tool in TOOLS:
            with self.subTest(tool):
                said = self.symbolized("--tool", tool)
                self.assertRegex(said, r": [1-9]\d* of \d+ addresses have a file and a line\n$")
                frames = self.expect_lines(self.output)
                self.assertEqual(len(frames), len(before) + 1)

    def test_nothing_else_changes(self):
        self.record(self.program)
        self.symbolized()
        without = re.compile(r"(?m)^\t.*\n")
        self.assertEqual(without.sub("", self.events(self.output)),
                         without.sub("", self.events()))

    def test_again_gives_the_same(self):
        self.record(self.program)
        self.symbolized()
        again = self.path / "again.trace"
        self.symbolized(trace=self.output, output=again)
        self.assertEqual(self.events(again), self.events(self.output))

    def test_other_build_is_left_out(self):
        self.record(self.program)
        shutil.copy(COMMAND, self.program)
        said = self.symbolized()
        self.assertIn(f"{self.program}: it is not the build that was recorded\n", said)
        self.assertNotIn(STACK[0][0], self.events(self.output))

    def test_files_of_another_machine(self):
        self.record(self.program)
        root = self.path / "root"
        moved = root / self.program.relative_to("/")
        moved.parent.mkdir(parents=True)
        self.program.rename(moved)
        self.assertIn(f"{self.program}: No such file", self.symbolized())
        text = self.events(self.output)
        self.assertNotIn(STACK[0][0], text)
        # Names of C++ need no file.
        self.assertIn(STACK[1][0], text)
        self.assertNotIn(f"{moved}: ", self.symbolized("--root", root))
        self.expect_lines(self.output)

    def test_pipe_and_compressed_file(self):
        self.record(self.program)
        run("gzip", "-k", self.trace)
        self.symbolized(trace=f"{self.trace}.gz")
        self.expect_lines(self.output)
        with open(self.trace, "rb") as trace:
            done = run(COMMAND, "symbolize", "-", stdin=trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.output.read_bytes())

    def test_cut_trace_keeps_what_is_there(self):
        self.record(self.program)
        whole = self.trace.read_bytes()
        self.trace.write_bytes(whole[:-3])
        done = self.symbolize()
        self.assertEqual(done.returncode, 1)
        self.assertIn(str(self.trace).encode(), done.stderr)
        self.assertIn(STACK[0][0], run(COMMAND, "wire", self.output).stdout.decode())


class RefusalTest(Folder):
    """Traces that were made to do harm, or are not of a recorder."""

    def text(self, *modules):
        pc = 0x5000
        lines = ["Trace Go1.26", "EventBatch gen=1 m=18446744073709551615 time=1 size=1", "Sync",
                 "Frequency freq=15625000", "ClockSnapshot dt=0 mono=0 sec=0 nsec=0",
                 "EventBatch gen=1 m=18446744073709551615 time=1 size=1", "Stacks",
                 "Stack id=1 nframes=1", f"\tpc={pc} func=1 file=1 line=1",
                 "EventBatch gen=1 m=18446744073709551615 time=1 size=1", "Strings"]
        for number, module in enumerate(("f",) + modules, 1):
            lines += [f"String id={number}", f'\tdata="{module}"']
        lines += ["EndOfGeneration", ""]
        (self.path / "t.txt").write_text("\n".join(lines))
        done = run(COMMAND, "encode", "--set-sizes", self.path / "t.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.trace.write_bytes(done.stdout)

    def symbolize(self):
        done = run(COMMAND, "symbolize", self.trace)
        return done.returncode, done.stderr.decode(), done.stdout

    def test_trace_of_go_is_refused(self):
        self.text()
        code, said, output = self.symbolize()
        self.assertEqual((code, output), (1, b""))
        self.assertIn("it does not tell where a program was loaded", said)
        self.assertEqual(len(said.splitlines()), 1)

    def test_files_that_are_no_programs(self):
        fifo, text = self.path / "fifo", self.path / "text"
        os.mkfifo(fifo)
        text.write_text("hello")
        for path, why in ((fifo, "it is no program or library"),
                          (text, "it is no program or library"),
                          ("/dev/zero", "it is no program or library"),
                          (self.path, "it is no program or library"),
                          (self.path / "none", "No such file or directory"),
                          (COMMAND, "it is not the build that was recorded")):
            with self.subTest(path):
                self.text(f"{MODULE} 0x4000 0x4000 0x6000 0123 {path}")
                code, said, output = self.symbolize()
                self.assertEqual(code, 0, said)
                self.assertIn(f"{path}: {why}\n", said)
                self.assertIn("0 of 1 addresses", said)
                self.assertEqual(output, self.trace.read_bytes())

    def test_malformed_modules_are_ignored(self):
        good = f"{MODULE} 0x4000 0x4000 0x6000 - relative"
        for bad in (MODULE, f"{MODULE} ", f"{MODULE} 4000 0x4000 0x6000 - /a",
                    f"{MODULE} 0x4000 0x4000 0x4000 - /a", f"{MODULE} 0x5000 0x4000 0x6000 - /a",
                    f"{MODULE} 0x4000 0x4000 0x6000 -", f"{MODULE} 0x4000 0x4000",
                    f"{MODULE}s 0x4000 0x4000 0x6000 - /a",
                    f"{MODULE} 0x4000 0x4000 0x6000\\x00- /a"):
            with self.subTest(bad):
                self.text(bad)
                self.assertIn("does not tell where", self.symbolize()[1])
                self.text(bad, good)
                self.assertEqual(self.symbolize()[0], 0)

    def test_last_of_modules_at_one_place_counts(self):
        self.text(f"{MODULE} 0x4000 0x4000 0x6000 01 /first",
                  f"{MODULE} 0x4800 0x4800 0x5800 01 /last",
                  f"{MODULE} 0x8000 0x8000 0x9000 01 /other")
        said = self.symbolize()[1]
        self.assertIn("/last: No such file", said)
        self.assertNotIn("/first", said)
        self.assertNotIn("/other", said)

    def test_strings_that_are_no_names_remain(self):
        names = ("_Z", "_Z1", "_Zhello world", "_Z1f", "_Z\\x00", "_Zf\\n")
        self.text(f"{MODULE} 0x4000 0x4000 0x6000 01 relative", *names)
        text = run(COMMAND, "wire", "-", input=self.symbolize()[2]).stdout.decode()
        self.assertEqual(re.findall('data="(.*)"', text)[2:],
                         ["_Z", "_Z1", "_Zhello world", "f", "_Z\\x00", "_Zf\\n"])

    def test_long_names_are_cut(self):
        name = "_Z1f3abc" + "S_" * 400
        self.text(f"{MODULE} 0x4000 0x4000 0x6000 01 relative", *[name] * 200)
        output = self.symbolize()[2]
        text = run(COMMAND, "wire", "-", input=output).stdout.decode()
        self.assertEqual(text.count('data="f('), 200)
        self.assertEqual(max(map(len, re.findall('data="(.*)"', text))), 1024)
        sizes = re.findall(r"EventBatch .* size=(\d+)", text)
        self.assertLessEqual(max(map(int, sizes)), 65536)
        self.assertGreaterEqual(len(sizes), 3 + 200 * 1024 // 65536)

    def test_batches_that_grow_are_split(self):
        long = "_Z1f3abc" + "S_" * 400
        plain = "p" * 700
        self.text(f"{MODULE} 0x4000 0x4000 0x6000 01 relative", *[long] * 60, *[plain] * 20)
        text = run(COMMAND, "wire", "-", input=self.symbolize()[2]).stdout.decode()
        self.assertEqual((text.count('data="f('), text.count('data="pp')), (60, 20))
        sizes = re.findall(r"EventBatch .* size=(\d+)", text)
        self.assertLessEqual(max(map(int, sizes)), 65536)

    def test_unknown_tool_is_misuse(self):
        self.text()
        done = run(COMMAND, "symbolize", "--tool", "sh", self.trace)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"no tool: 'sh'", done.stderr)

    def test_missing_tools_are_an_error(self):
        self.record(LINES)
        done = run(COMMAND, "symbolize", self.trace, env={"PATH": str(self.path)})
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"cannot run addr2line or llvm-symbolizer: install binutils\n", done.stderr)


if __name__ == "__main__":
    skips.main()
