#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Traces that are compressed by gzip or zstd: all commands read them by running these programs."""

import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
TRACE = os.path.join(os.environ["GT_TESTDATA"], "v2", "go1.27-mix.trace")
COMMANDS = (("check",), ("dump",), ("stat",), ("json",), ("json", "--goid", "1"), ("wire",),
            ("text",), ("encode",), ("footprint",), ("mmu",), ("pprof", "sched"), ("summary",),
            ("goroutines",), ("latency",))
KILLED = "#!/bin/sh\nkill -9 $$\n"
# Prints the first part of the trace, and fails as a full disk or a bad checksum would make it.
LATE = "#!/bin/sh\nhead -c %d '%s'\necho 'it is: bad' >&2\nexit 1\n"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compress(program, data):
    if program == "gzip":
        return gzip.compress(data)
    return subprocess.run([program, "-q", "-c"], input=data, check=True,
                          stdout=subprocess.PIPE).stdout


def run(*arguments, **options):
    """Exit code, standard output and standard error."""
    done = subprocess.run([COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, timeout=60, **options)
    return done.returncode, done.stdout, done.stderr.decode()


def run_text(*arguments, **options):
    """Exit code and output, without what the reader's memory takes."""
    code, output, _ = run(*arguments, **options)
    return code, [line for line in output.splitlines() if not line.startswith(b"reader memory")]


class CompressedTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, data=None):
        path = os.path.join(self.folder.name, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def fake(self, name, script):
        """An environment in which a program of that name is this script."""
        os.chmod(self.path(name, script.encode()), 0o755)
        return dict(os.environ, PATH=self.folder.name + ":" + os.environ["PATH"])

    def programs(self):
        for program in "gzip", "zstd":
            if shutil.which(program):
                yield program

    def test_every_command_reads_compressed_files(self):
        for program in self.programs():
            path = self.path("trace", compress(program, read(TRACE)))
            for command in COMMANDS:
                with self.subTest(program=program, command=command):
                    self.assertEqual(run_text(*command, path), run_text(*command, TRACE))

    def test_compressed_standard_input_may_be_a_file_or_a_pipe(self):
        for program in self.programs():
            data = compress(program, read(TRACE))
            path = self.path("trace", data)
            for command in COMMANDS[1:6]:
                with self.subTest(program=program, command=command):
                    expected = run_text(*command, TRACE)
                    self.assertEqual(run_text(*command, "-", input=data), expected)
                    with open(path, "rb") as file:
                        self.assertEqual(run_text(*command, "-", stdin=file), expected)

    def test_named_pipe_is_opened_once(self):
        path = self.path("pipe")
        for data in gzip.compress(read(TRACE)), read(TRACE):
            os.mkfifo(path)
            with subprocess.Popen([COMMAND, "dump", path], stdout=subprocess.PIPE) as process:
                with open(path, "wb") as pipe:
                    pipe.write(data)
                self.assertEqual(process.communicate(timeout=60)[0], run("dump", TRACE)[1])
            os.remove(path)

    def test_file_of_several_members_is_read_whole(self):
        data = read(TRACE)
        path = self.path("trace", gzip.compress(data[:1000]) + gzip.compress(data[1000:]))
        self.assertEqual(run("dump", path), run("dump", TRACE))

    def test_cut_file_is_an_error_after_what_is_good(self):
        whole = run("wire", TRACE)[1]
        for program in self.programs():
            with self.subTest(program=program):
                data = compress(program, read(TRACE) + os.urandom(300000))
                path = self.path("trace", data[:-1000])
                code, output, errors = run("wire", path)
                self.assertEqual(code, 1)
                self.assertGreater(len(output), len(whole) // 2)
                self.assertRegex(errors, "^gotrace: %s: .*\n$" % path)

    def test_all_is_read_that_a_cut_file_holds(self):
        """A program that does not close its gzip.Writer leaves out the last eight bytes."""
        path = self.path("trace", gzip.compress(read(TRACE))[:-8])
        error = (f"gotrace: {path}: cannot decompress it: gzip: stdin: unexpected end of file; "
                 "what came before is read\n")
        for command in COMMANDS:
            with self.subTest(command=command):
                code, output, errors = run(*command, path)
                self.assertEqual((code, errors), (1, error))
                if command[0] != "stat":
                    self.assertEqual(output, run(*command, TRACE)[1])
        packed = compress("gzip", read(TRACE) + read(TRACE)[16:])
        for cut in 100, len(packed) // 2:
            with self.subTest(cut=cut):
                code, output, errors = run("dump", "--lenient", self.path("trace", packed[:-cut]))
                self.assertEqual(code, 1)
                self.assertGreater(output.count(b"\n"), 100)
                self.assertIn("unexpected end of file; what came before is read", errors)

    def test_corrupt_file_says_what_its_program_says(self):
        data = bytearray(gzip.compress(read(TRACE)))
        data[-6] ^= 1
        path = self.path("trace", data)
        for command in ("dump",), ("json", "--goid", "1"), ("wire",), ("summary",):
            with self.subTest(command=command):
                code, _, errors = run(*command, path)
                self.assertEqual(code, 1)
                self.assertIn("trace: cannot decompress it: ", errors)
                self.assertIn("gzip", errors)

    def test_child_that_fails_late_or_is_killed_is_an_error(self):
        path = self.path("trace", gzip.compress(read(TRACE)))
        environment = self.fake("gzip", LATE % (os.path.getsize(TRACE), TRACE))
        for name, data in ((path, None), ("-", read(path))):
            with self.subTest(name=name):
                code, output, errors = run("dump", name, env=environment, input=data)
                self.assertEqual((code, errors),
                                 (1, "gotrace: %s: cannot decompress it: it is: bad; what came "
                                  "before is read\n" % name))
                self.assertGreater(output.count(b"\n"), 10)
        environment = self.fake("gzip", KILLED)
        self.assertEqual(run("dump", path, env=environment),
                         (1, b"", "gotrace: %s: cannot decompress it: gzip is ended by signal 9 "
                          "(offset 0)\n" % path))

    def test_missing_program_is_named(self):
        for program in self.programs():
            path = self.path("trace", compress(program, read(TRACE)))
            for command in ("view", "--no-open"), ("dump",), ("json", "--goid", "1"), ("wire",):
                with self.subTest(program=program, command=command):
                    self.assertEqual(
                        run(*command, path, env=dict(os.environ, PATH=self.folder.name)),
                        (1, b"", "gotrace: %s: cannot run %s to decompress it: No such file or "
                         "directory; install %s, or decompress it before\n"
                         % (path, program, program)))

    def test_name_of_a_file_is_never_an_option_or_a_command(self):
        for name in "-n.gz", "$(touch planted).gz", "a;b.gz":
            with self.subTest(name=name):
                self.path(name, gzip.compress(read(TRACE)))
                self.assertEqual(run("dump", "--", name, cwd=self.folder.name)[:2],
                                 run("dump", TRACE)[:2])
                self.assertFalse(os.path.exists(self.path("planted")))

    def test_child_does_not_outlive_the_command(self):
        path = self.path("trace", gzip.compress(b"no trace at all" + os.urandom(1000000)))
        script = "#!/bin/sh\necho $$ > '%s'\nexec cat /dev/zero\n" % self.path("pid")
        self.assertEqual(run("dump", path, env=self.fake("gzip", script))[0], 1)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(read(self.path("pid"))), 0)

    def test_trace_compressed_twice_is_refused(self):
        path = self.path("trace", gzip.compress(gzip.compress(read(TRACE))))
        code, _, errors = run("dump", path)
        self.assertEqual(code, 1)
        self.assertIn("looks like gzip; decompress it first, as by gzip -dc", errors)

    @unittest.skipIf(os.environ["GT_SANITIZE"] != "none", "sanitizers need more address space")
    def test_bomb_takes_no_memory(self):
        path = self.path("bomb", gzip.compress(read(TRACE) + bytes(100 << 20), 1))
        done = subprocess.run(["sh", "-c", "ulimit -v 300000; exec \"$0\" dump \"$1\"", COMMAND,
                               path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertNotIn(b"memory", done.stderr)


if __name__ == "__main__":
    skips.main()
