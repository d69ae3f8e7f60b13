# SPDX-License-Identifier: BSD-3-Clause
"""What every command does that writes a trace: where to, and that nothing incomplete is left."""

import gzip
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading

from http_server import HEAD, Server

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACE = DATA / "v2" / "go1.27-gc.trace"
CUT = DATA / "v2" / "go1.23-cut.trace"
GENERATIONS = DATA / "v2" / "go1.22-gens.trace"
OLD = DATA / "v1" / "go1.21-chan.trace"

signals.start_with_defaults()


def run(*arguments, data=None, most=None):
    """Runs the command, whose files may have at most `most` bytes."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run([COMMAND, *map(str, arguments)], input=data, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=None if most is None else limit)


def events_of(path):
    """The events of a trace, each with its stacks, without Syncs."""
    events = run("dump", path).stdout.decode().split("\nM=")
    return [event.strip() for event in events if " Sync Time=" not in event]


def times_of(events):
    return [int(re.search(r" Time=(\d+)", event).group(1)) for event in events]


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def batches_of(data):
    """Where each batch begins and ends, and its generation, thread, time and size."""
    at = 16
    while at < len(data):
        begin = at
        numbers = []
        while data[begin] == 1 and len(numbers) < 4:
            at += 1
            value = shift = 0
            while data[at] >= 0x80:
                value |= (data[at] & 0x7f) << shift
                shift += 7
                at += 1
            numbers.append(value | data[at] << shift)
        at += 1 + (numbers[3] if numbers else 0)
        yield begin, at, numbers


class Written:
    """The tests of a command whose output has the events of the input; see `expect_events`."""

    command = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "out.trace"

    def expect_events(self, found, trace):
        self.assertEqual(found, events_of(trace))

    def write(self, *arguments, trace=TRACE, message=b""):
        """Runs the command, and returns the events of the result."""
        result = run(self.command, *arguments, "--output", self.path, trace)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count(b"\n"), bool(message), result.stderr)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(os.listdir(self.folder), ["out.trace"])
        self.assertEqual(run("check", self.path).returncode, 0)
        return events_of(self.path)

    def test_standard_input_and_output_will_do_and_compressed_traces(self):
        packed = gzip.compress(TRACE.read_bytes())
        result = run(self.command, "-", data=packed)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.path.write_bytes(result.stdout)
        self.expect_events(events_of(self.path), TRACE)

    def test_dash_is_standard_output(self):
        for option in (["-o", "-"], ["--output=-"]):
            result = subprocess.run([COMMAND, self.command, *option, str(TRACE)], check=True,
                                    cwd=self.folder, stdout=subprocess.PIPE)
            self.assertEqual(os.listdir(self.folder), [])
            self.path.write_bytes(result.stdout)
            self.expect_events(events_of(self.path), TRACE)
            self.path.unlink()

    def test_damaged_trace_gives_what_precedes_the_fault(self):
        result = run(self.command, "--output", self.path, CUT)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"go1.23-cut.trace: ProcsChange names stack 1", result.stderr)
        self.assertEqual(run("dump", self.path).returncode, 0)
        self.expect_events(events_of(self.path), CUT)

    def repair(self, data):
        """Repairs a trace. Returns the last message, and the events, which Go's reader reads."""
        damaged = self.folder.parent / (self.folder.name + ".damaged")
        damaged.write_bytes(data)
        self.addCleanup(damaged.unlink, missing_ok=True)
        result = run(self.command, "--lenient", "--output", self.path, damaged)
        self.assertEqual(result.returncode, 0, result.stderr)
        piped = run(self.command, "--lenient", "-", data=data)
        self.assertEqual(len(piped.stdout), self.path.stat().st_size)
        if os.environ.get("GT_PEER"):
            subprocess.run([os.environ["GT_PEER"], "-d=parsed", self.path], check=True,
                           stdout=subprocess.DEVNULL)
        messages = [line for line in result.stderr.splitlines() if b"left out: " in line]
        return messages[0] if messages else b"", events_of(self.path)

    def test_thread_that_waits_for_what_is_lost_is_not_left_out(self):
        """What a program leaves behind that is killed while it records: events are made up."""
        for name in ("go1.22-gcgens.trace", "go1.26-gcgens.trace"):
            data = (DATA / "v2" / name).read_bytes()
            data = data[:int(len(data) * 0.6)]
            message, events = self.repair(data)
            self.assertNotIn(b"thread", message)
            strict = run(self.command, "-", data=data)
            self.assertEqual(strict.returncode, 1)
            self.path.write_bytes(strict.stdout)
            self.assertGreater(len(events), len(events_of(self.path)))

    def test_what_follows_is_written(self):
        """What the third generation begins with contradicts the second, which lacks a batch."""
        data = GENERATIONS.read_bytes()
        begin, end, numbers = list(batches_of(data))[10]
        self.assertEqual(numbers[0], 2)
        message, events = self.repair(data[:begin] + data[end:])
        begins = [int(time) for time in
                  re.findall(rb" Sync Time=(\d+)", run("dump", GENERATIONS).stdout)]
        expected = sum(begins[0] <= time < begins[1] for time in times_of(events_of(GENERATIONS)))
        self.assertGreater(len(events), expected)
        length = times_of(events)[-1] - times_of(events)[0]
        self.assertNotIn(b"generation", message)
        self.assertGreater(length, begins[-2] - begins[0])

    def expect_failure(self, *arguments, message, most=None):
        """What was under the name of the output is still there, and nothing else."""
        self.path.write_bytes(b"before")
        result = run(self.command, "--output", self.path, *arguments, most=most)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count(b"\n"), 1)
        self.assertIn(message, result.stderr)
        self.assertEqual(self.path.read_bytes(), b"before")
        self.assertEqual(os.listdir(self.folder), ["out.trace"])

    def test_letter_of_the_output_means_the_same(self):
        for option in (["-o", self.path], [f"-o={self.path}"], [f"-o{self.path}"],
                       ["-output", self.path]):
            for arguments in ([*option, TRACE], [TRACE, *option]):
                self.assertEqual(run(self.command, *arguments).returncode, 0)
                self.expect_events(events_of(self.path), TRACE)
                self.path.unlink()

    def test_letter_has_one_dash(self):
        for option in (["--o", self.path], [f"--o={self.path}"], [f"--o{self.path}"]):
            result = run(self.command, *option, TRACE)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"unknown option", result.stderr)
        result = run(self.command, TRACE, "-o")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"a value must follow", result.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_cannot_be_read_leaves_what_was_there(self):
        self.expect_failure("/nonexistent", message=b"No such file")
        self.expect_failure(__file__, message=b"not a Go execution trace")

    def test_fault_in_the_first_generation_leaves_what_was_there(self):
        damaged = self.folder.parent / (self.folder.name + ".damaged")
        self.addCleanup(damaged.unlink)
        for size in (40, 100):
            damaged.write_bytes(TRACE.read_bytes()[:size])
            self.expect_failure(damaged, message=b"cut off")
            result = run(self.command, damaged)
            self.assertEqual((result.returncode, result.stdout), (1, b""))

    def test_file_that_may_not_become_so_large_is_not_written(self):
        for most in (0, 1000):
            self.expect_failure(TRACE, message=b"out.trace: File too large", most=most)

    def test_input_by_other_names_is_not_overwritten(self):
        self.path.write_bytes(TRACE.read_bytes())
        link = self.folder / "link"
        link.symlink_to(self.path)
        for arguments in ((self.path, link), (link, self.path)):
            result = run(self.command, "--output", *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, b"it is the input|not a plain file")
        with open(self.path, "ab") as output, open(self.path, "rb") as data:
            for name in (self.path, "-"):
                result = subprocess.run([COMMAND, self.command, name], stdin=data, check=False,
                                        stdout=output, stderr=subprocess.PIPE)
                self.assertEqual(result.returncode, 1)
                self.assertIn(b"standard output: it is the input", result.stderr)
        self.assertEqual(self.path.read_bytes(), TRACE.read_bytes())

    def test_input_is_not_overwritten(self):
        self.path.write_bytes(TRACE.read_bytes())
        other = self.folder / "other.trace"
        os.link(self.path, other)
        for output in (self.path, other):
            result = run(self.command, "--output", output, self.path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"it is the input", result.stderr)
        self.assertEqual(self.path.read_bytes(), TRACE.read_bytes())

    def test_what_is_no_plain_file_is_not_replaced(self):
        link = self.folder / "link"
        link.symlink_to("nowhere")
        for output in (link, self.folder, "/dev/null"):
            result = run(self.command, "--output", output, TRACE)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"not a plain file", result.stderr)
        result = run(self.command, "--output", self.folder / "none" / "out", TRACE)
        self.assertIn(b"No such file", result.stderr)
        self.assertEqual(result.returncode, 1)

    def test_file_that_is_replaced_keeps_its_permissions(self):
        self.path.write_bytes(b"before")
        self.path.chmod(0o600)
        self.write()
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o600)

    def wait_for_output(self):
        wait_for(lambda: os.listdir(self.folder), "the command to begin its output")

    def end_by(self, number):
        """Sends a signal to the command once it writes, and returns its exit code and errors."""
        theirs, ours = os.pipe()
        with subprocess.Popen([COMMAND, self.command, "--output", str(self.path), "-"],
                              stdin=theirs, stderr=subprocess.PIPE) as process:
            os.close(theirs)
            os.write(ours, TRACE.read_bytes()[:5000])
            self.wait_for_output()
            process.send_signal(number)
            errors = process.communicate(timeout=PATIENCE)[1]
            os.close(ours)
        return process.returncode, errors

    def test_interrupted_run_leaves_nothing(self):
        code, errors = self.end_by(signal.SIGINT)
        self.assertIn(b"interrupted", errors)
        self.assertNotEqual(code, 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_signals_that_end_a_run_leave_nothing(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.assertEqual(self.end_by(number), (-number, b""))
            self.assertEqual(os.listdir(self.folder), [])

    def test_second_signal_leaves_nothing_either(self):
        def script(connection):
            """Sends a part of a trace, and goes on when the client has had enough."""
            connection.sendall(HEAD + b"\r\n" + TRACE.read_bytes()[:5000])
            connection.recv(1)
            stopped.set()
            is_over.wait(PATIENCE)

        stopped, is_over = threading.Event(), threading.Event()
        server = Server(script)
        self.addCleanup(server.close)
        self.addCleanup(is_over.set)
        with subprocess.Popen([COMMAND, self.command, "--output", str(self.path), server.url],
                              stderr=subprocess.PIPE) as process:
            self.wait_for_output()
            process.send_signal(signal.SIGTERM)
            self.assertTrue(stopped.wait(PATIENCE))
            self.assertEqual(len(os.listdir(self.folder)), 1)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual(os.listdir(self.folder), [])

    def test_full_disk_is_reported(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([COMMAND, self.command, TRACE], stdout=full, check=False,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count(b"\n"), 1)
        self.assertIn(b"No space left", result.stderr)

    def expect_misuse(self, *arguments):
        result = run(self.command, *arguments)
        self.assertEqual(result.returncode, 2, arguments)
        self.assertEqual(result.stdout, b"")
