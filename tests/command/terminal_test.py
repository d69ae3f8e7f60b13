# SPDX-License-Identifier: BSD-3-Clause
"""What the command writes to a terminal has no characters that control it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import skips  # noqa: E402
import terminals  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
TRACE = os.path.join(os.environ["GT_TESTDATA"], "hostile", "names.trace")
DAMAGED = os.path.join(os.environ["GT_TESTDATA"], "v2", "go1.27-cut.trace")

# A file name that sets the title, changes the direction of text, is not UTF-8, and has C1 as a
# character and as a byte.
EVIL = (b"\x1b]0;owned\x07 \xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f \xff "
        b"\xc2\x9b31m \x9b\x7f\r\nx")
SHOWN = (r"\x1b]0;owned\x07 \u202e\u2066\u061c\u200f \xff "
         r"\u009b31m \x9b\u007f\r\nx")

# The start of a string in text form, which is harmful in the trace.
LONG = "\u00e9" * 200 + r"x\u202e\x1b"

HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

PRINTING = [
    ["dump"], ["dump", "--lenient"], ["stat"], ["stat", "--json"], ["check"], ["wire"], ["text"],
    ["footprint"], ["mmu"], ["mmu", "--csv"], ["summary"], ["goroutines"], ["goroutines", "--csv"],
    ["goroutines", "--json"], ["latency"], ["latency", "--unblocks"],
    ["latency", "--unblocks", "--stacks"], ["latency", "--unblocks", "--stacks", "--csv"],
    ["latency", "--histogram"], ["json"], ["json", "--view=thread"],
] + [["pprof", kind, "--text"] for kind in ("sync", "sched", "net", "syscall", "offcpu", "wall")]
# What these print has no names.
WITHOUT_RAW = {"footprint"}


def open_terminal():
    """The two ends of a terminal that passes all bytes through."""
    ours, theirs = terminals.open_pair()
    mode = termios.tcgetattr(theirs)
    mode[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, mode)
    return ours, theirs


def read_all(terminal):
    """What was written until nobody has the other end any more."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            part = b""
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    return b"".join(parts)


def run_on_terminal(*arguments, expected=None, **options):
    """What the command writes to a terminal that is both its standard output and error."""
    ours, theirs = open_terminal()
    with subprocess.Popen([COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=theirs, **options) as process:
        os.close(theirs)
        written = read_all(ours)
    if expected is not None and process.returncode != expected:
        raise RuntimeError("%r exits with %d: %r" % (arguments, process.returncode, written))
    return written


def run_to_pipe(*arguments):
    return subprocess.run([COMMAND, *arguments], stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


class TerminalTest(unittest.TestCase):
    def check_harmless(self, written, what):
        text = written.decode()
        found = HARMFUL.search(text)
        self.assertIsNone(found, "%r: %r" % (what, text[max(0, (found or re.match("", "")).start()
                                                            - 40):][:80]))
        return text

    def test_no_command_controls_a_terminal_by_names_in_a_trace(self):
        terminals.need()
        differing = 0
        for arguments in PRINTING:
            with self.subTest(arguments=arguments):
                written = run_on_terminal(*arguments, TRACE, expected=0)
                self.check_harmless(written, arguments)
                differing += written != run_to_pipe(*arguments, TRACE)
        self.assertGreater(differing, 5)

    def test_raw_writes_to_a_terminal_what_a_pipe_gets(self):
        terminals.need()
        for arguments in PRINTING:
            if arguments[0] in WITHOUT_RAW:
                continue
            with self.subTest(arguments=arguments):
                self.assertEqual(run_on_terminal(*arguments, "--raw", TRACE, expected=0),
                                 run_to_pipe(*arguments, TRACE))

    def test_dump_shows_what_it_escapes(self):
        text = run_on_terminal("dump", TRACE, expected=0).decode()
        self.assertIn(r"\x1b]0;pwn\x07\x1b[31mred#51:142", text)
        self.assertIn("\t\t\\u2028ls\\u2029#47:282\n", text)
        self.assertIn("\ta\\nb\\r\\nc#54 @ 0x679ab2\n", text)
        self.assertIn("\\xff\\xfe bad#57:59\n", text)
        self.assertIn("\t\\x00nul#56 @ ", text)
        # Harmless characters beyond ASCII are shown.
        self.assertIn("\ufeffbom#48", text)

    def test_a_dump_of_many_buffers_is_escaped_everywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.trace")
            text = run_to_pipe("text", TRACE).decode()
            # Two bytes a character at every offset: some are cut by the end of a buffer.
            longer = re.sub('(data=")(?=[^"])', lambda match: match[1] + LONG, text)
            encoded = subprocess.run([COMMAND, "encode", "--set-sizes", "-"], check=True,
                                     input=longer.encode(), stdout=subprocess.PIPE).stdout
            pathlib.Path(path).write_bytes(encoded)
            written = run_on_terminal("dump", path, expected=0)
            self.assertGreater(len(written), 1 << 18)
            text = self.check_harmless(written, "dump")
            self.assertEqual(text.count("\u00e9"),
                             run_to_pipe("dump", path).count("\u00e9".encode()))
            self.assertNotIn("\\xc3", text)

    def test_names_of_files_in_errors_are_escaped(self):
        terminals.need()
        with tempfile.TemporaryDirectory() as folder:
            evil = os.path.join(folder.encode(), EVIL)
            missing = evil + b"-missing"
            shutil.copy(DAMAGED, evil)
            for arguments in ([b"dump", missing], [b"dump", evil], [b"dump", b"--lenient", evil],
                              [b"stat", evil], [b"check", evil], [b"wire", missing],
                              [b"wire", evil], [b"text", evil], [b"summary", evil],
                              [b"goroutines", evil], [b"latency", evil], [b"mmu", evil],
                              [b"json", missing], [b"footprint", missing],
                              [b"encode", missing], [b"pprof", b"sync", b"--text", evil],
                              [b"json", b"--goid=77777777", TRACE.encode(), b"--binary", missing],
                              [b"view", b"--no-open", missing],
                              [b"view", b"--no-open", b"--binary", missing, evil]):
                with self.subTest(arguments=arguments):
                    text = self.check_harmless(run_on_terminal(*arguments), arguments)
                    lines = [line for line in text.split("\n") if line.startswith("gotrace: ")]
                    self.assertTrue(lines)
                    self.assertIn(SHOWN, lines[-1])

    def test_arguments_in_errors_are_escaped(self):
        terminals.need()
        for arguments in ([EVIL], [b"-" + EVIL], [b"-d", EVIL], [b"help", EVIL],
                          [b"dump", b"--" + EVIL, TRACE], [b"dump", TRACE, EVIL],
                          [b"pprof", EVIL, TRACE], [b"mmu", b"--flags", EVIL, TRACE],
                          [b"goroutines", b"--sort", EVIL, TRACE],
                          [b"json", b"--goid", EVIL, TRACE],
                          [b"view", b"--no-open", b"--http", EVIL + b":1", TRACE],
                          [b"pprof", b"sync", b"--text", b"--goroutine", EVIL, TRACE]):
            with self.subTest(arguments=arguments):
                text = self.check_harmless(run_on_terminal(*arguments), arguments)
                self.assertEqual(text.count("\n"), 1, text)
                self.assertIn(SHOWN[:20], text)

    def test_only_the_terminal_gets_escapes(self):
        ours, theirs = open_terminal()
        with subprocess.Popen([COMMAND, "dump", EVIL], stdin=subprocess.DEVNULL,
                              stdout=theirs, stderr=subprocess.PIPE) as process:
            os.close(theirs)
            errors = process.stderr.read()
        read_all(ours)
        self.assertIn(b"gotrace: " + EVIL + b": ", errors)

    def test_a_long_name_is_cut_but_escaped(self):
        name = EVIL * 400
        text = self.check_harmless(run_on_terminal("dump", "--", name), "long name")
        self.assertIn(SHOWN * 100, text)
        self.assertIn(EVIL * 400, run_to_pipe("dump", "--", name))

    def test_cells_of_csv_are_no_formulas(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "formula.trace")
            text = run_to_pipe("text", TRACE).decode("latin-1")
            for start in ("=", "+", "-", "@", r"\t", r"\r"):
                changed = re.sub(r'(data=")(?=[^"])', lambda match: match[1] + start, text)
                encoded = subprocess.run([COMMAND, "encode", "--set-sizes", "-"], check=True,
                                         input=changed.encode("latin-1"),
                                         stdout=subprocess.PIPE).stdout
                pathlib.Path(path).write_bytes(encoded)
                with self.subTest(start=start):
                    written = run_to_pipe("goroutines", "--csv", path)
                    self.assertRegex(written, rb""","'[=+@\t\r-]""")
                    self.assertNotRegex(written, rb""",\"?[=+@\t\r-]""")

    def test_negative_numbers_of_csv_stay_numbers(self):
        written = run_to_pipe("mmu", "--csv", TRACE)
        self.assertNotIn(b"'", written)


if __name__ == "__main__":
    skips.main()
