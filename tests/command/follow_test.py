#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""--follow: files that grow, and how following them ends."""

import gzip
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import beside  # noqa: E402
import signals  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACE = DATA / "v2" / "go1.27-gens.trace"
BYTES = TRACE.read_bytes()

signals.start_with_defaults()


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=False, timeout=PATIENCE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


DUMP = run("dump", TRACE).stdout


class FollowTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "growing.trace"
        self.output = pathlib.Path(folder.name) / "output"
        self.path.write_bytes(BYTES[:1000])

    def start(self, *arguments):
        with self.output.open("wb") as output:
            process = subprocess.Popen([COMMAND, *map(str, arguments)], stdout=output,
                                       stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        return process

    def finish(self, process):
        """The exit code, the output and the errors."""
        errors = process.communicate(timeout=PATIENCE)[1]
        return process.returncode, self.output.read_bytes(), errors.decode()

    def append(self, data):
        with self.path.open("ab") as file:
            file.write(data)

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        return self.finish(process)

    def is_followed(self, process):
        """Whether the command has come to the end of the file, and so waits there."""
        about = self.path.stat()
        for fd in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
            try:
                is_it = os.path.samestat(fd.stat(), about)
                position = (fd.parents[1] / "fdinfo" / fd.name).read_text()
            except FileNotFoundError:
                continue
            if is_it and int(position.split()[1]) == about.st_size:
                return True
        return False

    def shows_all(self):
        """Whether every event was printed but the last Sync, which only the end of the trace
        brings."""
        return self.output.read_bytes() == DUMP[:DUMP.rindex(b"\nM=", 0, -1) + 1]

    def wait_for_end(self, process):
        wait_for(lambda: self.is_followed(process), "the command to come to the end of the file")
        time.sleep(0.05)


class EndTest(FollowTest):
    def test_generations_appear_when_they_are_complete(self):
        process = self.start("dump", "--follow", self.path)
        seen = 0
        for start in range(1000, len(BYTES), 1000):
            self.append(BYTES[start:start + 1000])
            self.wait_for_end(process)
            shown = self.output.read_bytes()
            self.assertTrue(DUMP.startswith(shown))
            seen += 0 < len(shown) < len(DUMP)
        self.assertGreater(seen, 2)
        wait_for(self.shows_all, "all events")
        self.assertIsNone(process.poll())
        self.assertEqual(self.interrupt(process), (0, DUMP, ""))

    def test_what_is_incomplete_at_the_end_is_repaired(self):
        self.path.write_bytes(BYTES[:len(BYTES) * 3 // 4])
        process = self.start("dump", "--follow", self.path)
        self.wait_for_end(process)
        code, output, errors = self.interrupt(process)
        expected = run("dump", "--lenient", self.path)
        self.assertEqual((code, output), (0, expected.stdout))
        self.assertEqual(errors, expected.stderr.decode())
        self.assertRegex(errors, "repaired: ")

    def test_empty_file_may_become_a_trace(self):
        self.path.write_bytes(b"")
        process = self.start("dump", "--follow", self.path)
        time.sleep(0.15)
        self.append(BYTES)
        wait_for(self.shows_all, "all events")
        self.assertEqual(self.interrupt(process)[0], 0)

    def test_end_of_a_process_ends_it(self):
        waits = [sys.executable, "-c", "import sys; sys.stdin.read()"]
        with subprocess.Popen(waits, stdin=subprocess.PIPE) as other:
            process = self.start("dump", "--follow", "--pid", other.pid, self.path)
            self.wait_for_end(process)
            time.sleep(0.2)
            self.assertIsNone(process.poll())
            self.append(BYTES[1000:])
            other.stdin.close()
            other.wait()
            self.assertEqual(self.finish(process), (0, DUMP, ""))

    def test_silence_ends_it(self):
        process = self.start("dump", "--follow", "--idle", "3s", self.path)
        self.wait_for_end(process)
        for start in range(1000, 9000, 1000):
            time.sleep(0.4)
            self.append(BYTES[start:start + 1000])
        self.append(BYTES[9000:])
        begin = time.monotonic()
        self.assertEqual(self.finish(process), (0, DUMP, ""))
        self.assertGreater(time.monotonic() - begin, 2.5)

    def test_stat_and_check_follow(self):
        for command in "stat", "check":
            self.path.write_bytes(BYTES[:1000])
            process = self.start(command, "--follow", self.path)
            self.wait_for_end(process)
            self.append(BYTES[1000:])
            self.wait_for_end(process)
            code, output, errors = self.interrupt(process)
            hide = re.compile(rb"reader memory.*")
            expected = run(command, "--lenient", TRACE).stdout
            self.assertEqual(hide.sub(b"", output), hide.sub(b"", expected))
            self.assertEqual((code, errors), (0, ""))


class FaultTest(FollowTest):
    def expect(self, message):
        process = self.start("dump", "--follow", self.path)
        self.wait_for_end(process)
        yield process
        code, _, errors = self.finish(process)
        self.assertEqual(code, 1)
        self.assertRegex(errors, message)

    def test_file_that_becomes_shorter_ends_it(self):
        for _ in self.expect("has become shorter while it was followed"):
            os.truncate(self.path, 500)

    def test_file_that_is_replaced_or_removed_ends_it(self):
        for _ in self.expect("was replaced while it was followed"):
            other = self.path.with_suffix(".new")
            other.write_bytes(BYTES)
            other.rename(self.path)
        for _ in self.expect("was removed while it was followed"):
            self.path.unlink()

    def test_compressed_file_is_refused(self):
        self.path.write_bytes(gzip.compress(BYTES))
        result = run("dump", "--follow", self.path)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, b"compressed trace cannot be followed")

    def test_wrong_options_are_misused(self):
        for arguments in (["--pid", "1"], ["--idle", "1s"], ["--follow", "--pid", "0"],
                          ["--follow", "--pid", "x"], ["--follow", "--idle", "0s"],
                          ["--follow", "--idle", "soon"]):
            self.assertEqual(run("dump", *arguments, self.path).returncode, 2)


class PipeTest(FollowTest):
    def start_with_pipe(self, *arguments):
        theirs, ours = os.pipe()
        with self.output.open("wb") as output:
            process = subprocess.Popen([COMMAND, *arguments], stdin=theirs, stdout=output,
                                       stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        os.close(theirs)
        return process, ours

    def test_pipe_ends_when_it_is_closed(self):
        process, ours = self.start_with_pipe("dump", "--follow", "-")
        for start in range(0, len(BYTES), 3000):
            os.write(ours, BYTES[start:start + 3000])
        os.close(ours)
        self.assertEqual(self.finish(process), (0, DUMP, ""))

    def test_signal_or_silence_ends_a_pipe_that_stays_open(self):
        for arguments in ["--idle", "2s"], []:
            process, ours = self.start_with_pipe("dump", "--follow", *arguments, "-")
            for start in range(0, len(BYTES), 3000):
                os.write(ours, BYTES[start:start + 3000])
            wait_for(self.shows_all, "all events")
            if not arguments:
                process.send_signal(signal.SIGINT)
            self.assertEqual(self.finish(process), (0, DUMP, ""))
            os.close(ours)


if __name__ == "__main__":
    beside.main()
