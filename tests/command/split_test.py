# SPDX-License-Identifier: BSD-3-Clause
"""gotrace split and merge: each piece is a trace, and together they are the input."""

import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

from written import (COMMAND, CUT, DATA, OLD, PATIENCE, batches_of, events_of, run, times_of,
                     varint)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402
from share import count_of, share_of

# Traces of several generations, with and without ends of generations and clocks.
TRACES = [DATA / "v2" / name for name in
          ("go1.22-gens.trace", "go1.25-flight.trace", "go1.27-gens.trace")]
TRACE = TRACES[2]
END_OF_GENERATION = 52


def renumbered(data, number):
    out = data[:16]
    for begin, end, numbers in batches_of(data):
        if numbers:
            body = data[end - numbers[3]:end]
            out += b"\x01" + b"".join(map(varint, (number, *numbers[1:]))) + body
        else:
            out += data[begin:end]
    return out


def kind_of(event):
    """
    The thread and the kind of an event. The first ones of a generation may have been recorded
    before the last ones of the generation before, and have another place and time where both are
    read; a generation also lacks what another one has told.
    """
    return re.match(r"(?:M=)?(\S+) P=\S+ G=\S+ (\w+)", event).groups()


def head_of(event):
    """What a cut leaves of each event: the end of a task lacks what the beginning has told."""
    return re.split(" Parent=|\n", event)[0]


def timeless(event):
    return re.sub(r" Time=\d+", "", event)


def generations_of(path):
    wire = run("wire", path).stdout.decode()
    return sorted(set(map(int, re.findall(r"Batch gen=(\d+)", wire))))


def number_of(piece):
    return int(piece.suffix[1:])


class SplitTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.name = self.folder / "piece"

    def split(self, *arguments, code=0, message=b""):
        for old in self.folder.glob("piece.*"):
            old.unlink()
        result = run("split", "-o", self.name, *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count(b"\n"), bool(message), result.stderr)
        pieces = sorted(self.folder.glob("piece.*"), key=number_of)
        self.assertEqual([piece.name for piece in pieces],
                         ["piece.%03d" % number_of(piece) for piece in pieces])
        if "--every" not in arguments:
            self.assertEqual([number_of(piece) for piece in pieces], list(range(len(pieces))))
        return pieces

    def merge(self, *pieces):
        path = self.folder / "merged"
        result = run("merge", "-o", path, *pieces)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return path

    def expect_refusal(self, *arguments, message):
        """Nothing is written, and what was there is kept."""
        path = self.folder / "kept"
        path.write_bytes(b"before")
        result = run("merge", "--output", path, *arguments)
        self.assertEqual(result.returncode, 1)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stderr.count(b"\n"), 1)
        self.assertEqual(path.read_bytes(), b"before")

    def test_each_piece_is_a_trace_with_the_events_of_its_generations(self):
        for trace in TRACES:
            pieces = self.split("--generations", 1, trace)
            self.assertEqual(len(pieces), len(generations_of(trace)))
            self.assertGreater(len(pieces), 1)
            events = []
            for piece in pieces:
                self.assertEqual(run("check", piece).returncode, 0)
                events += map(kind_of, events_of(piece))
            self.assertEqual(sorted(events), sorted(map(kind_of, events_of(trace))))

    def test_go_reads_each_piece(self):
        peer = os.environ.get("GT_PEER")
        if not peer:
            self.skipTest("GT_PEER is not set")
        for trace in TRACES:
            for piece in self.split("--generations", 1, trace):
                subprocess.run([peer, "-d=parsed", piece], check=True, stdout=subprocess.DEVNULL)

    def test_split_and_merged_again_it_is_the_same(self):
        for trace in TRACES:
            for count in (1, 2):
                pieces = self.split("--generations", count, trace)
                merged = self.merge(*pieces) if len(pieces) > 1 else pieces[0]
                self.assertEqual(merged.read_bytes(), trace.read_bytes())

    def test_size_limits_pieces_of_more_than_one_generation(self):
        size = TRACE.stat().st_size
        pieces = self.split("--size", size // 2 + 4000, TRACE)
        self.assertGreater(len(pieces), 1)
        for piece in pieces:
            self.assertLessEqual(piece.stat().st_size, size // 2 + 4000)
        self.assertEqual(self.merge(*pieces).read_bytes(), TRACE.read_bytes())

    def test_generation_that_is_too_large_is_a_piece_and_reported(self):
        trace = DATA / "v2" / "go1.27-gc.trace"
        self.assertEqual(len(self.split("--size", "1K", trace, message=b"is one generation")), 1)
        self.assertEqual(len(self.split("--size", "1G", trace)), 1)

    def test_pieces_of_a_duration_have_the_events_of_that_time(self):
        trace = DATA / "v2" / "go1.27-gc.trace"
        events = events_of(trace)
        every = (times_of(events)[-1] - times_of(events)[0]) // 5 + 1000
        pieces = self.split("--every", "%dns" % every, trace)
        self.assertIn(len(pieces), (5, 6))
        found = []
        for piece in pieces:
            number = number_of(piece)
            self.assertEqual(run("check", piece).returncode, 0)
            own = events_of(piece)
            # What names the states before the piece is older than its time.
            begin = times_of(events)[0] + number * every - 1000000
            self.assertTrue(all(begin <= time < begin + every + 1000000 for time in times_of(own)))
            found += [event for event in own if event in events]
            if os.environ.get("GT_PEER"):
                subprocess.run([os.environ["GT_PEER"], "-d=parsed", piece], check=True,
                               stdout=subprocess.DEVNULL)
        missing = [kind_of(event) for event in events if event not in found]
        # An active range is named once, and a task's end has its type only with its beginning.
        self.assertFalse([kind for kind in missing if kind[1] not in ("RangeActive", "TaskEnd")])
        self.assertEqual(len(found) + len(missing), len(events))

    def test_no_more_files_than_are_allowed(self):
        count = len(generations_of(TRACE))
        message = b"piece: there would be more than %d files; --files allows more"
        self.assertEqual(self.split("--generations", 1, "--files", count - 1, TRACE, code=1,
                                    message=message % (count - 1)), [])
        self.assertEqual(len(self.split("--generations", 1, "--files", count, TRACE)), count)
        # How many stretches of time have events is only known when the trace has been read.
        pieces = self.split("--every", "100us", "--files", 7, TRACE, code=1, message=message % 7)
        self.assertEqual(len(pieces), 7)
        all_pieces = self.split("--every", "100us", "--files", 100000, TRACE)
        self.assertEqual([piece.name for piece in pieces],
                         [piece.name for piece in all_pieces[:7]])
        self.assertGreater(len(all_pieces), 20)
        for word in ("0", "-1", "1K", "x", ""):
            result = run("split", "--generations", 1, "--files", word, TRACE)
            self.assertEqual(result.returncode, 2, result.stderr)

    def test_stretches_without_events_have_no_piece(self):
        events = events_of(TRACE)
        pieces = self.split("--every", "1us", TRACE)
        self.assertLess(len(pieces), len(events))
        self.assertLess(len(pieces), number_of(pieces[-1]))
        # The number tells the time, before which only the states have theirs.
        begin = int(re.search(rb" Sync Time=(\d+)", run("dump", TRACE).stdout).group(1))
        for piece in pieces[1::20]:
            time = begin + number_of(piece) * 1000
            self.assertTrue(time <= times_of(events_of(piece))[-1] < time + 1000)
        # The first one has the Sync at which the trace begins.
        self.assertTrue(all(len(events_of(piece)) > 0 for piece in pieces[1:]))

    def test_damaged_trace_gives_the_times_before_the_fault(self):
        pieces = self.split("--every", "1ms", CUT, code=1, message=b"names stack 1")
        self.assertGreater(len(pieces), 0)
        found = sum((times_of(events_of(piece)) for piece in pieces), [])
        dump = run("dump", CUT).stdout.decode()
        self.assertEqual(found[-1], max(map(int, re.findall(r"^M=.* Time=(\d+)", dump, re.M))))

    def test_traces_of_go_1_21_can_be_split_by_durations(self):
        self.split("--every", "1ms", DATA / "v1" / "go1.21-gc.trace",
                   message=b"moved: 3 events to a thread or goroutine that can have them")
        self.assertEqual(len(self.split("--every", "1s", OLD)), 1)
        self.assertEqual(os.listdir(self.folder), ["piece.000"])
        self.assertEqual(run("check", self.folder / "piece.000").returncode, 0)

    def test_name_of_the_input_is_the_default(self):
        trace = self.folder / "piece"
        trace.write_bytes(TRACE.read_bytes())
        self.assertEqual(run("split", "--generations", "1000", trace).returncode, 0)
        self.assertEqual((self.folder / "piece.000").read_bytes(), TRACE.read_bytes())

    def test_batch_that_explains_others_is_in_each_piece(self):
        data = TRACE.read_bytes()
        _, end, numbers = next(batches_of(data))
        info = b"\x31\x01" + b"".join(map(varint, (*numbers[:3], 4))) + b"\x01abc"
        trace = self.folder / "trace"
        trace.write_bytes(data[:end] + info + data[end:])
        pieces = self.split("--generations", 1, trace)
        for piece in pieces:
            self.assertIn(b"\x04\x01abc", piece.read_bytes())
            self.assertEqual(run("check", piece).returncode, 0)
        self.assertEqual(self.merge(*pieces).read_bytes(), trace.read_bytes())

    def test_damaged_trace_gives_the_generations_before_the_fault(self):
        pieces = self.split("--generations", 1, CUT, code=1, message=b"ends within a batch")
        self.assertGreater(len(pieces), 0)
        for piece in pieces:
            self.assertEqual(run("check", piece).returncode, 0)
        data = bytearray(TRACE.read_bytes())
        broken = self.folder / "broken"
        broken.write_bytes(data[:-1])
        found = self.split("--generations", 1, broken, code=1, message=b"within a generation")
        self.assertEqual(len(found), len(generations_of(TRACE)) - 1)
        data[16] = 0x55
        broken.write_bytes(data)
        self.assertEqual(
            self.split("--generations", 1, broken, code=1, message=b"not a batch"), [])

    def test_what_is_no_trace_of_generations_is_refused(self):
        self.split("--generations", 1, OLD, code=1, message=b"have no generations")
        self.split("--generations", 1, "/nonexistent", code=1, message=b"No such file")
        self.split("--generations", 1, __file__, code=1, message=b"not a Go execution trace")
        self.expect_refusal(OLD, OLD, message=b"have no generations")

    def test_numbers_that_leap_back_are_made_anew(self):
        pieces = self.split("--generations", 1, TRACE)
        other = self.folder / "other"
        other.write_bytes(renumbered(pieces[2].read_bytes(), 1))
        self.assertEqual(run("check", other).returncode, 0)
        merged = self.merge(*pieces[:2], other, *pieces[3:])
        self.assertEqual(events_of(merged), events_of(TRACE))

    def test_what_does_not_follow_is_refused(self):
        pieces = self.split("--generations", 1, TRACE)
        self.expect_refusal(pieces[1], pieces[0], message=b"it begins before the end of")
        self.expect_refusal(pieces[0], TRACES[0], message=b"another version of the format")
        self.expect_refusal(pieces[0], pieces[0], message=b"it is not what follows")
        self.expect_refusal(CUT, CUT, message=b"ends within a batch")
        later = self.folder / "later"
        result = run("cut", "--start", "-1ms", "--output", later, DATA / "v2" / "go1.27-gc.trace")
        self.assertEqual(result.returncode, 0)
        self.expect_refusal(pieces[0], later, message=b"it is not what follows")

    def test_parts_that_do_not_continue_a_generation_are_refused(self):
        trace = DATA / "v2" / "go1.27-gc.trace"
        pieces = self.split("--every", "1ms", trace)
        self.assertGreater(len(pieces), 3)
        self.expect_refusal(pieces[0], pieces[2], message=b"it is not what follows")
        self.expect_refusal(*pieces[1::-1], message=b"it is not what follows")
        again = self.folder / "again"
        again.write_bytes(pieces[1].read_bytes())
        self.expect_refusal(*pieces[:2], again, message=b"it is not what follows")
        again.write_bytes(pieces[2].read_bytes()[:-3])
        self.expect_refusal(*pieces[:2], again, message=b"again: ")

    def expect_good(self, pieces):
        for piece in pieces:
            self.assertEqual(run("dump", piece).returncode, 0)
            if os.environ.get("GT_PEER"):
                subprocess.run([os.environ["GT_PEER"], "-d=parsed", piece], check=True,
                               stdout=subprocess.DEVNULL)

    def test_repaired_trace_is_split_into_what_can_be(self):
        for name in ("v2/go1.23-cut.trace", "v2/go1.27-cut.trace", "v1/go1.21-cut.trace"):
            result = run("split", "--lenient", "--every", "5ms", "--output", self.name,
                         DATA / name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b": repaired: ", result.stderr)
            pieces = sorted(self.folder.glob("piece.*"), key=number_of)
            self.expect_good(pieces)
            whole = run("dump", "--lenient", DATA / name).stdout.decode()
            self.assertIn("Time=%d " % times_of(events_of(pieces[-1]))[-1] if name[1] == "2"
                          else "Time=", whole)
            for piece in pieces:
                piece.unlink()

    def test_pieces_have_what_waits_for_what_is_lost(self):
        damaged = self.folder / "damaged"
        for name, part in (("go1.23-gcgens", 0.5), ("go1.26-gcgens", 0.6)):
            data = (DATA / "v2" / (name + ".trace")).read_bytes()
            damaged.write_bytes(data[:int(len(data) * part)])
            result = run("split", "--lenient", "--every", "5ms", "--output", self.name, damaged)
            self.assertEqual(result.returncode, 0)
            self.assertNotIn(b"left out: the rest of", result.stderr)
            pieces = sorted(self.folder.glob("piece.*"), key=number_of)
            self.expect_good(pieces)
            whole = self.folder / "whole"
            run("convert", "--lenient", "--output", whole, damaged)
            self.assertLess(abs(times_of(events_of(pieces[-1]))[-1] -
                                times_of(events_of(whole))[-1]), 1000)
            for piece in pieces:
                piece.unlink()

    def expect_whole(self, merged, trace):
        """Nothing is missing but what is true of a range that a piece has told once."""
        expected, found = Counter(events_of(trace)), Counter(events_of(merged))
        self.assertFalse([event for event in expected - found if kind_of(event)[1] not in
                          ("RangeActive",)])
        self.assertFalse(found - expected)
        if os.environ.get("GT_PEER"):
            subprocess.run([os.environ["GT_PEER"], "-d=parsed", merged], check=True,
                           stdout=subprocess.DEVNULL)

    def test_pieces_of_a_duration_are_merged_to_the_trace(self):
        whole = self.folder / "whole"
        for trace in share_of(sorted(DATA.glob("v?/*.trace")), 5):
            self.assertIn(run("convert", "--output", whole, trace).returncode, (0, 1))
            times = times_of(events_of(whole))
            for count in (3, count_of(12, 40)):
                for old in self.folder.glob("piece.*"):
                    old.unlink()
                run("split", "--every", "%dns" % ((times[-1] - times[0]) // count + 1),
                    "--output", self.name, trace)
                pieces = sorted(self.folder.glob("piece.*"), key=number_of)
                if len(pieces) > 1:
                    self.expect_whole(self.merge(*pieces), whole)

    def cut(self, name, *arguments):
        path = self.folder / name
        self.assertEqual(run("cut", *arguments, "--output", path).returncode, 0)
        return path

    def test_parts_that_meet_in_the_names_after_a_sync_are_merged(self):
        """
        The names that the second part begins with are delayed behind the first part, and may then
        be later than the first events of the third one. All that is told, and counted.
        """
        path = self.folder / "merged"
        for trace in TRACES:
            events = run("dump", trace).stdout.decode().strip().split("\nM=")
            times = times_of(events)
            syncs = [i for i, event in enumerate(events) if " Sync Time=" in event][1:-1]
            ways = list(itertools.product(syncs[:2], (0, 1, 2), (1, 2, 4)))
            for sync, before, count in ways[::count_of(4, 1)]:
                first = sync - before
                parts = (self.cut("a", "--end", times[first - 1], trace),
                         self.cut("b", "--start", times[first], "--end",
                                  times[first + count], trace),
                         self.cut("c", "--start", times[first + count + 1], trace))
                result = run("merge", "-o", path, *parts)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(run("check", path).returncode, 0)
                self.expect_good([path])
                found = events_of(path)
                self.assertFalse(Counter(map(timeless, events_of(trace))) -
                                 Counter(map(timeless, found)))
                in_time = set().union(*(map(head_of, events_of(part)) for part in parts))
                delayed = re.findall(rb"/[bc]: delayed: (\d+) events, behind the last ones of",
                                     result.stderr)
                self.assertEqual(result.stderr.count(b"\n"), len(delayed))
                # A name that is delayed can look like one of the other part.
                least = sum(head_of(event) not in in_time for event in found)
                self.assertIn(sum(map(int, delayed)) - least, range(4))
                self.assertTrue(delayed or before != 0)

    def test_inputs_are_not_overwritten(self):
        pieces = self.split("--generations", 1, TRACE)
        before = [piece.read_bytes() for piece in pieces]
        for piece in pieces:
            result = run("merge", "--output", piece, *pieces)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"it is the input", result.stderr)
        self.assertEqual([piece.read_bytes() for piece in pieces], before)
        trace = self.folder / "piece.000"
        result = run("split", "--generations", 1, "--output", self.name, trace)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"it is the input", result.stderr)

    def test_pipes_and_standard_output_will_do(self):
        result = run("split", "--generations", 1, "--output", self.name, "-",
                     data=TRACE.read_bytes())
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        pieces = sorted(self.folder.glob("piece.*"), key=number_of)
        merged = run("merge", *pieces)
        self.assertEqual(merged.stdout, TRACE.read_bytes())

    def test_file_that_may_not_become_so_large_is_not_written(self):
        """The limit is reported once, and nothing is left; merged are whole generations, or not."""
        pieces = self.split("--generations", 1, TRACE)
        parts = (self.cut("a", "--end", "+1ms", TRACE),
                 self.cut("b", "--start", "+1000001ns", TRACE))
        for arguments in (("split", "--generations", 2, TRACE), ("split", "--size", "1K", TRACE),
                          ("split", "--every", "5ms", TRACE), ("merge", *pieces),
                          ("merge", *parts)):
            before = sorted(os.listdir(self.folder))
            result = run(*arguments, "-o", self.folder / "large", most=1000)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr,
                             rb"\A(.*is larger.*\n)*gotrace: .*/large(.000)?: File too large\n\Z")
            self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_merged_input_is_no_standard_output(self):
        pieces = self.split("--generations", 1, TRACE)
        before = pieces[-1].read_bytes()
        with open(pieces[-1], "ab") as output:
            result = subprocess.run([COMMAND, "merge", *pieces], stdout=output, check=False,
                                    stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"standard output: it is the input", result.stderr)
        self.assertEqual(pieces[-1].read_bytes(), before)

    def expect_nothing_if_interrupted(self, *arguments):
        theirs, ours = os.pipe()
        with subprocess.Popen([COMMAND, "split", *arguments, "--output", str(self.name), "-"],
                              stdin=theirs, stderr=subprocess.PIPE) as process:
            os.close(theirs)
            os.write(ours, TRACE.read_bytes()[:5000])
            process.send_signal(signal.SIGINT)
            os.close(ours)
            process.communicate(timeout=PATIENCE)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_interrupted_run_leaves_nothing(self):
        self.expect_nothing_if_interrupted("--generations", "1")
        self.expect_nothing_if_interrupted("--every", "1s")

    def test_wrong_use_is_refused(self):
        for arguments in (("split", TRACE), ("split", "--generations", "0", TRACE),
                          ("split", "--generations", "1", "--size", "1", TRACE),
                          ("split", "--every", "1s", "--size", "1", TRACE),
                          ("split", "--lenient", "--size", "1", TRACE),
                          ("split", "--every", "x", TRACE), ("split", "--every", "0s", TRACE),
                          ("split", "--every", "-1s", TRACE),
                          ("split", "--size", "1X", TRACE), ("split", "--size", "", TRACE),
                          ("split", "--size", "99999999999999999999", TRACE),
                          ("split", "--size", "99999999999999G", TRACE),
                          ("split", "--generations", "1", "-"), ("merge", TRACE), ("merge",)):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertEqual(result.stdout, b"")


if __name__ == "__main__":
    skips.main()
