# SPDX-License-Identifier: BSD-3-Clause
"""The line that says how far the reading has come, and what Ctrl-C does while a trace is read."""

import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from terminal_test import COMMAND, EVIL, SHOWN, open_terminal, read_all

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

TRACE = pathlib.Path(os.environ["GT_TESTDATA"], "v2", "go1.27-mix.trace")

signals.start_with_defaults()


def varint(number):
    parts = bytearray()
    while number >= 0x80:
        parts.append(number & 0x7f | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def heap_trace(batches, events=30000):
    """A trace of Go 1.21 with batches of 8 bytes for each of the events, which are of the heap."""
    event = b"\x61\x01" + varint(1 << 40)
    parts = [b"\x41\x00" + varint((1 << 20) + i * events) + event * events for i in range(batches)]
    return b"go 1.21 trace\0\0\0" + b"".join(parts) + b"\x02" + varint(10 ** 9)


LARGE = heap_trace(8)


def show(written):
    """The lines that are left on a terminal to which this was written."""
    lines, line, column = [], [], 0
    for character in written.decode():
        if character == "\r":
            column = 0
        elif character == "\n":
            lines.append("".join(line).rstrip())
            line, column = [], 0
        else:
            line[column:column + 1] = [character]
            column += 1
    return lines + (["".join(line).rstrip()] if "".join(line).strip() else [])


class Reading:
    """The command, which reads from a pipe, with its standard error and maybe its output on a
    terminal."""

    def __init__(self, *arguments, on_terminal=False):
        self.ours, theirs = open_terminal()
        self.process = subprocess.Popen([COMMAND, *arguments], stdin=subprocess.PIPE, stderr=theirs,
                                        stdout=theirs if on_terminal else subprocess.PIPE)
        os.close(theirs)

    def feed(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self):
        """What was written to the terminal, and to standard output if that is another."""
        self.process.stdin.close()
        output = self.process.stdout.read() if self.process.stdout else b""
        written = read_all(self.ours)
        if self.process.stdout:
            self.process.stdout.close()
        self.process.wait()
        return written, output


def read_slowly(*arguments, **options):
    """Reads a trace whose second part comes after most of a second."""
    reading = Reading(*arguments, **options)
    half = len(LARGE) // 2
    reading.feed(LARGE[:half])
    time.sleep(0.7)
    reading.feed(LARGE[half:])
    return reading.end()


def read_file(*arguments, name="large.trace"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        pathlib.Path(os.fsdecode(path)).write_bytes(LARGE)
        return subprocess.run([COMMAND, *arguments, path], check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def read_quickly(*arguments):
    return subprocess.run([COMMAND, *arguments], check=True, input=LARGE,
                          stdout=subprocess.PIPE).stdout


class ProgressTest(unittest.TestCase):
    def test_slow_reading_shows_a_line_and_erases_it(self):
        for command in ("stat", "footprint"):
            written, output = read_slowly(command, "-")
            self.assertRegex(written, rb"\rgotrace: \d+ MB, \d+ MB/s: -")
            self.assertEqual(show(written), [])
            self.assertEqual(output, read_quickly(command, "-"))

    def test_output_on_the_same_terminal_is_left_alone(self):
        written, _ = read_slowly("stat", "-", on_terminal=True)
        self.assertIn(b"MB/s", written)
        self.assertEqual(show(written), read_quickly("stat", "-").decode().splitlines())

    def test_quick_reading_shows_nothing(self):
        ours, theirs = open_terminal()
        subprocess.run([COMMAND, "stat", TRACE], check=True, stdout=subprocess.DEVNULL,
                       stderr=theirs)
        os.close(theirs)
        self.assertEqual(read_all(ours), b"")

    def test_line_can_be_turned_off(self):
        written, _ = read_slowly("stat", "--no-progress", "-")
        self.assertEqual(written, b"")

    def test_nothing_is_shown_where_there_is_no_terminal(self):
        process = subprocess.Popen([COMMAND, "stat", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with process:
            process.stdin.write(LARGE[:len(LARGE) // 2])
            process.stdin.flush()
            time.sleep(0.7)
            process.stdin.write(LARGE[len(LARGE) // 2:])
            process.stdin.close()
            self.assertEqual(process.stderr.read(), b"")

    def test_line_can_be_forced(self):
        """It has the share, since the size of a file is known, and never goes back."""
        written = read_file("stat", "--progress").stderr
        self.assertRegex(written, rb"^\rgotrace: \d+%, \d of 2 MB, \d+ MB/s, \d+ s left: "
                                  rb"large\.trace")
        self.assertEqual(show(written), [])

    def test_name_of_the_file_is_escaped_and_cut(self):
        written = read_file("stat", "--progress", name=EVIL).stderr
        line = written.split(b"\r")[1].decode()
        self.assertIn(": " + SHOWN[:12], line)
        self.assertLess(len(line), 80)
        self.assertNotRegex(line, "[\x00-\x1f\x7f-\x9f\u202e\u2066]")

    def test_line_is_drawn_ten_times_a_second(self):
        start = time.monotonic()
        reading = Reading("stat", "-")
        pieces = heap_trace(40)
        for i in range(0, len(pieces), len(pieces) // 30 + 1):
            reading.feed(pieces[i:i + len(pieces) // 30 + 1])
            time.sleep(0.05)
        written, _ = reading.end()
        drawn = written.count(b"\rgotrace")
        self.assertGreater(drawn, 3)
        self.assertLessEqual(drawn, 10 * (time.monotonic() - start - 0.4))

    def test_messages_are_not_mixed_with_the_line(self):
        reading = Reading("stat", "-")
        reading.feed(LARGE[:-10])
        time.sleep(0.7)
        reading.feed(LARGE[-10:-6])
        written, _ = reading.end()
        self.assertIn(b"MB/s", written)
        self.assertRegex("\n".join(show(written)), "\\Agotrace: -: repaired: [^\r\n]*\\Z")


def bytes_left(pipe):
    """How many bytes of a pipe nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


class InterruptTest(unittest.TestCase):
    """The trace does not end: the command waits for the rest until it is interrupted."""

    def interrupt(self, *arguments):
        # A file takes all output while the rest of the trace is still being written.
        with tempfile.TemporaryFile() as output:
            with subprocess.Popen([COMMAND, *arguments], stdin=subprocess.PIPE, stdout=output,
                                  stderr=subprocess.PIPE) as process:
                process.stdin.write(TRACE.read_bytes())
                process.stdin.flush()
                wait_for(lambda: bytes_left(process.stdin) == 0, "the command to read")
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(PATIENCE), -signal.SIGINT)
                errors = process.stderr.read()
            output.seek(0)
            written = output.read()
        return written, errors

    def test_what_is_known_is_printed(self):
        whole = subprocess.run([COMMAND, "stat", TRACE], check=True, stdout=subprocess.PIPE).stdout
        output, errors = self.interrupt("stat", "-")
        self.assertEqual(errors, b"gotrace: -: interrupted\n")
        self.assertIn(b"complete              no, ended by an error: interrupted\n", output)
        lines = [line for line in whole.splitlines() if line.startswith((b"  Metric", b"start"))]
        for line in lines:
            self.assertIn(line, output.splitlines())

    def test_all_commands_end(self):
        for command in ("dump", "check", "text", "footprint", "summary", "goroutines", "latency",
                        "mmu", "json", "wire"):
            _, errors = self.interrupt(command, "-")
            self.assertEqual(errors, b"gotrace: -: interrupted\n", command)

    def test_ignored_signal_stays_ignored(self):
        data = TRACE.read_bytes()
        with subprocess.Popen(["sh", "-c", 'trap "" INT; exec "$0" stat -', COMMAND],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(data[:1000])
            process.stdin.flush()
            wait_for(lambda: bytes_left(process.stdin) == 0, "the command to read")
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(data[1000:], timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"complete              yes", output)


if __name__ == "__main__":
    unittest.main()
