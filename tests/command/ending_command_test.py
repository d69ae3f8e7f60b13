# SPDX-License-Identifier: BSD-3-Clause
"""What commands say about how a recording has ended: a program that ends while it is recorded
leaves the beginning of a generation behind the end of the last one, since Go 1.26."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from written import DATA, OLD, TRACE, run

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "view"))
from view_server import Server  # noqa: E402

# A trace of several generations.
GENERATIONS = DATA / "v2" / "go1.27-gens.trace"
ENDED = "the program ended, or was ended, while it was recorded"
UNKNOWN = "it cannot be told whether the recording was stopped or the program ended"
# The frequency and a clock snapshot.
CONTENT = bytes.fromhex("3208a8d6b907333ee9c788f28550a189aed806828ca1aa01")


def begun(trace, generation):
    """
    A batch of a generation with its clock, as the runtime writes it right behind the generation
    before: of no thread, with a size that is padded to ten bytes. Its time is the trace's last one.
    """
    last = re.findall(rb"\x01.\xff{9}\x01([\x80-\xff]+[\0-\x7f])", trace, re.DOTALL)[-1]
    size = bytes([len(CONTENT) | 0x80] + [0x80] * 8 + [0])
    return bytes([1, generation]) + bytes([0xff] * 9) + bytes([1]) + last + size + CONTENT


class Ending(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = pathlib.Path(folder.name) / "ended.trace"

    def stat(self, trace):
        ran = run("stat", "--json", trace)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout), run("stat", trace).stdout.decode()

    def test_trace_that_was_stopped_is_complete(self):
        facts, text = self.stat(TRACE)
        self.assertEqual((facts["complete"], facts["ending"]), (True, "stopped"))
        self.assertIn("ending                the recording was stopped\n", text)
        for command in ("check", "report"):
            output = run(command, TRACE).stdout.decode()
            self.assertNotIn(ENDED, output)
            self.assertNotIn(UNKNOWN, output)
        self.assertEqual(self.report(TRACE)["ending"], "stopped")

    def report(self, trace):
        return json.loads(run("report", "--json", trace).stdout)

    def expect_ended(self):
        facts, text = self.stat(self.trace)
        self.assertEqual((facts["complete"], facts["ending"]), (False, "running"))
        self.assertIn(f"complete              no, {ENDED}\n", text)
        self.assertIn(ENDED + "\n", run("check", self.trace).stdout.decode())
        self.assertNotIn(ENDED, run("check", "--quiet", self.trace).stdout.decode())

    def test_program_that_ended_leaves_the_next_generation(self):
        self.trace.write_bytes(TRACE.read_bytes() + begun(TRACE.read_bytes(), 2))
        self.expect_ended()
        self.assertIn("\n" + ENDED + "\n", run("report", self.trace).stdout.decode())
        self.assertEqual(self.report(self.trace)["ending"], "running")

    def test_program_that_ended_at_once_leaves_no_generation(self):
        self.trace.write_bytes(TRACE.read_bytes()[:16] + begun(TRACE.read_bytes(), 2))
        self.expect_ended()

    def expect_written(self, ending, *arguments):
        """Writes the trace, of which Go's reader reads what was written."""
        path = self.trace.with_name("out.trace")
        result = run(*arguments, "--output", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.stat(path)[0]["ending"], ending, arguments)
        if os.environ.get("GT_PEER"):
            subprocess.run([os.environ["GT_PEER"], "-d=parsed", path], check=True,
                           stdout=subprocess.DEVNULL)

    def test_what_is_written_up_to_the_end_has_ended_so(self):
        self.trace.write_bytes(TRACE.read_bytes() + begun(TRACE.read_bytes(), 2))
        for command in ("cut", "convert", "anonymize"):
            self.expect_written("running", command, self.trace)
        self.expect_written("running", "cut", "--start", "+1ms", self.trace)
        self.expect_written("stopped", "cut", "--end", "+1ms", self.trace)
        self.expect_written("stopped", "cut", TRACE)
        self.expect_written(None, "convert", "--go", "1.25", self.trace)

    def test_last_piece_has_ended_so(self):
        """The input has several generations, and pieces are copied, cut at times, and joined."""
        self.trace.write_bytes(GENERATIONS.read_bytes() + begun(GENERATIONS.read_bytes(), 0x7f))
        self.assertEqual(self.stat(self.trace)[0]["ending"], "running")
        for option in (("--generations", "2"), ("--every", "5ms")):
            name = self.trace.with_name("piece" + option[0])
            result = run("split", *option, "--output", name, self.trace)
            self.assertEqual((result.returncode, result.stderr), (0, b""))
            pieces = sorted(name.parent.glob(name.name + ".*"))
            self.assertEqual([self.stat(piece)[0]["ending"] for piece in pieces],
                             ["stopped"] * (len(pieces) - 1) + ["running"])
            self.assertGreater(len(pieces), 1)
            self.expect_written("running", "merge", *pieces)
            self.expect_written("stopped", "merge", *pieces[:-1])

    def test_generations_that_are_copied_begin_a_later_cut(self):
        """A cut of the last part of a long trace reads only the last generations."""
        self.trace.write_bytes(GENERATIONS.read_bytes() + begun(GENERATIONS.read_bytes(), 0x7f))
        self.expect_written("running", "cut", "--start", "-1ms", self.trace)

    def test_trace_without_generations_has_no_pieces(self):
        self.trace.write_bytes(TRACE.read_bytes()[:16] + begun(TRACE.read_bytes(), 2))
        result = run("split", "--generations", "1", self.trace)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"ended.trace: it has no generations", result.stderr)

    def test_viewer_is_told(self):
        self.trace.write_bytes(TRACE.read_bytes() + begun(TRACE.read_bytes(), 2))
        for path, ending in ((TRACE, "stopped"), (self.trace, "running"), (OLD, None)):
            with Server(path) as server:
                facts = server.ask("trace")
            self.assertEqual((facts["ending"], facts["error"]), (ending, None))

    def test_older_traces_do_not_tell(self):
        for name in ("v2/go1.25-chan.trace", "v1/go1.21-chan.trace"):
            facts, text = self.stat(DATA / name)
            self.assertEqual((facts["complete"], facts["ending"]), (True, None))
            self.assertIn(f"ending                {UNKNOWN}\n", text)
            for command in ("check", "report"):
                self.assertEqual(run(command, DATA / name).stdout.decode().count(UNKNOWN + "\n"), 1)
            self.assertEqual(run("check", "--quiet", DATA / name).stdout, b"")
            self.assertIsNone(self.report(DATA / name)["ending"])

    def test_end_of_a_trace_that_is_not_reached_is_not_told(self):
        self.trace.write_bytes((DATA / "v2/go1.25-chan.trace").read_bytes()[:-20])
        for command in (("check", "--strict"), ("report",)):
            ran = run(*command, self.trace)
            self.assertEqual(ran.returncode, 1)
            self.assertNotIn(UNKNOWN, ran.stdout.decode())
        self.assertIsNone(self.report(self.trace)["ending"])


if __name__ == "__main__":
    unittest.main()
