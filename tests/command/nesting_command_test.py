# SPDX-License-Identifier: BSD-3-Clause
"""Regions that do not nest: a strict reading ends there as Go's does, a lenient one pairs the ends
with the begins of the same task and type, in every command."""

import csv
import json
import pathlib
import sys
import tempfile
import unittest

from written import run

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / name)
                for name in ("columns", "view", "viewer")]
import parquet_read  # noqa: E402
import perfetto  # noqa: E402
from view_server import Server  # noqa: E402

# As a dispatcher does: a region for each request of a batch, ended in the order of the requests.
# All have one type, so only their tasks tell them apart. The last one has another type.
TRACE = """Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=1000 size=0
Sync
Frequency freq=1000000000
ClockSnapshot dt=0 mono=1000 sec=1 nsec=0
EventBatch gen=1 m=5 time=1000 size=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=5 gstatus=2
UserTaskBegin dt=1 task=1 parent_task=0 name_string=1 stack=0
UserTaskBegin dt=1 task=2 parent_task=0 name_string=1 stack=0
UserRegionBegin dt=96 task=1 name_string=2 stack=0
UserRegionBegin dt=1000 task=2 name_string=2 stack=0
UserRegionBegin dt=2000 task=2 name_string=3 stack=0
UserRegionEnd dt=4000 task=1 name_string=2 stack=0
UserRegionEnd dt=8000 task=2 name_string=2 stack=0
UserRegionEnd dt=16000 task=2 name_string=3 stack=0
UserTaskEnd dt=1 task=1 stack=0
UserTaskEnd dt=1 task=2 stack=0
EventBatch gen=1 m=18446744073709551615 time=1001 size=0
Strings
String id=1
\tdata="request"
String id=2
\tdata="send"
String id=3
\tdata="wait"
EndOfGeneration
"""

# Regions of a type that begin at two places and overlap. The goroutine waits for a proc for 500 ns
# in both, and for 300 ns in the second one.
PLACES = """Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=1000 size=0
Sync
Frequency freq=1000000000
ClockSnapshot dt=0 mono=1000 sec=1 nsec=0
EventBatch gen=1 m=5 time=1000 size=0
ProcStatus dt=1 p=0 pstatus=1
GoStatusStack dt=1 g=1 m=5 gstatus=2 stack=1
UserRegionBegin dt=1 task=0 name_string=1 stack=1
UserRegionBegin dt=1 task=1 name_string=1 stack=2
GoStop dt=1 reason_string=2 stack=1
GoStart dt=500 g=1 g_seq=1
UserRegionEnd dt=1 task=0 name_string=1 stack=1
GoStop dt=1 reason_string=2 stack=1
GoStart dt=300 g=1 g_seq=2
UserRegionEnd dt=1 task=1 name_string=1 stack=2
EventBatch gen=1 m=18446744073709551615 time=1001 size=0
Stacks
Stack id=1 nframes=1
\tpc=16 func=3 file=4 line=7
Stack id=2 nframes=1
\tpc=32 func=3 file=4 line=8
EventBatch gen=1 m=18446744073709551615 time=1001 size=0
Strings
String id=1
\tdata="send"
String id=2
\tdata="preempted"
String id=3
\tdata="main.main"
String id=4
\tdata="main.go"
EndOfGeneration
"""

FAULT = 'region "send" of task 1 ends on goroutine 1, whose innermost is "wait" of task 2'
PAIRED = "; regions that do not nest were paired by name"
# By task and type: when a region begins, and how long it takes.
REGIONS = {(1, "send"): (100, 7000), (2, "send"): (1100, 14000), (2, "wait"): (3100, 28000)}


class Nesting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.trace = self.folder / "regions.trace"
        self.write(TRACE)

    def write(self, trace):
        text = self.folder / "regions.txt"
        text.write_text(trace)
        self.trace.write_bytes(run("encode", "--set-sizes", text).stdout)

    def lenient(self, command, *arguments):
        """Runs a command that has to report the regions once. Returns what it prints."""
        ran = run(command, *arguments, "--lenient", self.trace)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stderr.decode().count(FAULT + PAIRED), 1, ran.stderr)
        return ran.stdout.decode()

    def test_strict_reading_ends_as_that_of_go_and_says_what_does_not_nest(self):
        for command in (("check", "--strict"), ("latency",), ("summary",), ("report",)):
            ran = run(*command, self.trace)
            self.assertEqual(ran.returncode, 1, command)
            self.assertIn(FAULT, ran.stderr.decode())
            self.assertNotIn(PAIRED, ran.stderr.decode())

    def test_stat_counts_all_regions_and_check_finds_nothing(self):
        stat = json.loads(self.lenient("stat", "--json"))
        self.assertEqual(stat["events_by_kind"]["region_begin"], 3)
        self.assertEqual(stat["events_by_kind"]["region_end"], 3)
        self.assertEqual(stat["repairs"], 2)
        self.assertIn("no findings", self.lenient("check"))

    def test_summary_has_the_length_of_each(self):
        lines = [json.loads(line) for line in self.lenient("summary").splitlines()]
        found = {(line["task"], line["region"]): line["stats"]["Total"]
                 for line in lines if "region" in line}
        self.assertEqual(found, {key: length for key, (_, length) in REGIONS.items()})

    def test_latency_and_why_have_the_length_of_each(self):
        rows = csv.reader(self.lenient("latency", "--csv").splitlines())
        sums = {row[-1]: int(row[3]) for row in rows if row[:2] == ["region", "region"]}
        self.assertEqual(sums, {"send": 21000, "wait": 28000})
        self.assertIn("2 regions of 7µs to 14µs", self.lenient("why", "--region=send"))
        self.assertIn("1 regions of 28µs to 28µs", self.lenient("why", "--region=wait"))

    def test_profile_counts_the_time_within_each_once(self):
        # 100 to 15100, and 3100 to 31100, while the goroutine runs
        for region, expected in (("send", 15000), ("wait", 28000)):
            text = self.lenient("pprof", "wall", "--text", "--region", region)
            self.assertEqual(text.split()[1:], [str(expected), "[Running]"])

    def test_report_takes_the_longest_of_a_type_for_the_example(self):
        limits = "count=2", "time=1us", "times=1.5"
        report = json.loads(self.lenient("report", "--json", "--set",
                                         ",".join(f"region-outlier.{one}" for one in limits)))
        found, = (one for one in report["findings"] if one["name"] == "region-outlier")
        self.assertEqual([one["detail"] for one in found["subjects"]], ["send"])
        begin, length = REGIONS[2, "send"]
        example = found["example"]
        self.assertEqual((example["start"] - report["start"], example["end"] - example["start"]),
                         (begin, length))

    def compare(self):
        """The figures of the trace, which is compared with itself, by their labels."""
        ran = run("compare", "--all", "--json", "--lenient", self.trace, "--", self.trace)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stderr.decode().count(PAIRED), 2)
        return {one["label"]: one["before"] for one in json.loads(ran.stdout)["differences"]}

    def test_compare_has_the_length_of_each(self):
        found = self.compare()
        self.assertEqual(found["region:send mean"], 10500)
        self.assertEqual(found["region:wait mean"], 28000)

    def test_compare_counts_the_time_within_regions_of_a_task_once(self):
        # Goroutine 1 begins the tasks, and goroutine 2, which it creates, has the regions.
        self.write(TRACE.replace("UserRegionBegin dt=96", """\
GoCreate dt=10 new_g=2 new_stack=0 stack=0
GoStop dt=10 reason_string=3 stack=0
GoStart dt=10 g=2 g_seq=1
UserRegionBegin dt=66"""))
        # Of task 2 from 1100 to 31100, of task 1 from 100 to 7100.
        self.assertEqual(self.compare()["task:request running mean"], (30000 + 7000) / 2)

    def test_columns_say_in_which_region_each_began(self):
        ran = run("columns", "--tables", "regions", "-o", self.folder / "tables", self.trace)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        file, = self.folder.glob("tables/regions/*/*/*/*.parquet")
        rows = parquet_read.read(file).rows()
        members = "region_id", "task_id", "type", "parent_region", "depth", "duration_ns", "cut"
        found = sorted(tuple(row[name] for name in members) for row in rows)
        self.assertEqual(found, [(1, 1, "send", None, 0, 7000, 0), (2, 2, "send", 1, 1, 14000, 0),
                                 (3, 2, "wait", 2, 2, 28000, 0)])

    def test_perfetto_has_a_track_for_what_overlaps(self):
        output = self.folder / "regions.pftrace"
        self.lenient("perfetto", "-o", output)
        trace = perfetto.Trace(output.read_bytes())
        found = sorted((one.begin, one.end - one.begin) for one in trace.slices
                       if one.categories == ["Region"])
        first = found[0][0] - 100
        self.assertEqual([(begin - first, length) for begin, length in found],
                         sorted(REGIONS.values()))

    def test_viewer_has_the_time_within_the_regions_of_a_place(self):
        self.write(PLACES)
        with Server(self.trace) as server:
            def waited(place):
                status, _, body = server.answer(
                    f"/api/profile?kind=regionsched&type=send&pc={place:x}&waits=all")
                self.assertEqual(status, 200, body)
                return json.loads(body)["total"]

            self.assertEqual([waited(place) for place in (16, 32)], [500, 800])

    def test_viewer_counts_the_repairs_as_stat_does(self):
        with Server(self.trace) as server:
            facts = server.ask("trace")
        self.assertEqual((facts["repairs_total"], len(facts["repairs"])), (2, 1))
        self.assertEqual([one["count"] for one in facts["repair_kinds"]], [1])

    def test_writers_leave_out_the_ends_that_no_trace_can_have(self):
        for command in ("convert", "anonymize", "downgrade"):
            output = self.folder / command
            self.lenient(command, "-o", output)
            stat = run("stat", "--strict", "--json", output)
            self.assertEqual(stat.returncode, 0, command)
            kinds = json.loads(stat.stdout)["events_by_kind"]
            self.assertEqual((kinds["region_begin"], kinds["region_end"]), (3, 1), command)


if __name__ == "__main__":
    unittest.main()
