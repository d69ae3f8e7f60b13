# SPDX-License-Identifier: BSD-3-Clause
"""No answer of the viewer has more than 4 MB, whatever the trace and the parameters, except
downloads. What does not fit is said to be missing, or is asked for again."""

import json
import os
import pathlib
import re
import struct
import tempfile
import unittest
import urllib.parse

import rich_trace
from view_server import Server

MOST = 4000000

# All parameters as large as they may be. TRACKS is replaced by numbers of tracks.
ROUTES = {
    "/": [""], "/trace": [""], "/static/": ["app.js"], "/favicon.ico": [""],
    "/gc": [""], "/goroutine": [""], "/goroutines": [""], "/mmu": [""], "/userregion": [""],
    "/userregions": [""], "/usertask": [""], "/usertasks": [""], "/search": [""],
    "/contention": [""], "/report": [""],
    "/io": [""], "/block": [""], "/syscall": [""], "/sched": [""],
    "/regionio": [""], "/regionblock": [""], "/regionsyscall": [""], "/regionsched": [""],
    "/api/activity": ["?view=%s&bins=1024&headers=%s" % (view, ",".join(map(str, range(32))))
                      for view in ("goroutine", "task")],
    "/api/area": ["", "?view=proc", "?tracks=TRACKS1000", "?tree=1"],
    "/api/arrows": ["?max=20000&tracks=TRACKS256"],
    "/api/contention": ["", "?count=10000"],
    "/api/counters": ["?bins=4096"],
    "/api/counters/at": ["?t=5"],
    "/api/flame": ["?kind=" + kind for kind in ("waiting", "wall", "offcpu", "running")] +
                  ["?kind=wall&tree=1"],
    "/api/gc": ["?bins=4096"],
    "/api/gc/cycles": ["?count=10000"],
    "/api/gc/stops": ["?count=10000"],
    "/api/gc/summary": [""],
    "/api/group": ["?name=NAME&count=10000"],
    "/api/groups": [""],
    "/api/losses": ["?bins=4096", "?bins=4096&view=thread"],
    "/api/mark": ["?index=0"],
    "/api/marks": ["?bins=4096", "?bins=4096&tracks=TRACKS256", "?bins=4096&view=proc"],
    "/api/minimap": ["?bins=4096"],
    "/api/mmu": ["?flags=stw|background|assist|sweep|perproc"],
    "/api/mmu/worst": ["?window=1000&flags=stw"],
    "/api/notes": [""],
    "/api/profile": ["?kind=block", "?kind=sched", "?kind=regionblock"],
    "/api/region": ["?type=NAME&count=10000"],
    "/api/regions": [""],
    "/api/report": [""],
    "/api/row": ["?view=goroutine&id=10", "?view=goroutine&id=10&tree=1"],
    "/api/rows": ["?view=%s&count=10000%s" % (view, more)
                  for view in ("goroutine", "task", "proc") for more in ("", "&group=1")] +
                 ["?view=task&tree=1&count=10000"],
    "/api/search": ["?q=1&max=10000", "?q=1&max=10000&tree=1", "?q=kind:log%201&max=10000"],
    "/api/search/table": ["?q=1&count=10000", "?q=kind:state&sort=name&count=10000&first=90000"],
    "/api/span": ["?track=TRACKS1&index=0", "?track=TRACKS1&index=1"],
    "/api/task": ["?count=10000"],
    "/api/tasks": [""],
    "/api/tiles": ["?level=9&index=0&tracks=TRACKS256", "?level=0&index=0&tracks=TRACKS256"],
    "/api/trace": [""],
    "/api/why": ["?count=10000&nodes=1", "?goroutine=10&count=10000", "?task=1&count=10000",
                 "?tracks=TRACKS1000&count=10000&sort=time&desc=1"],
}
DOWNLOADS = {"/api/area.csv", "/api/area.pftrace", "/api/area.trace", "/api/flame.pprof",
             "/api/search.csv", "/jsontrace"}
# These only take requests that change something, whose answers are short.
CHANGES = {"/api/live"}
# This is only there if the host compares traces; tests/browser has a host that does.
HOSTED = {"/compare"}
# These have more to tell of the trace than fits.
TOO_LONG = {"/api/area", "/api/flame", "/api/gc/stops", "/api/gc/summary", "/api/regions",
            "/api/rows", "/api/search", "/api/search/table", "/api/span", "/api/task",
            "/api/why"}


def table_of_routes():
    """The paths in the table of the library."""
    source = pathlib.Path(__file__).parents[2] / "lib/web/endpoints.c"
    return set(re.findall(r'^ +\{"([^"]+)", gt_web_', source.read_text(encoding="utf-8"), re.M))


class BoundsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "rich.trace")
        rich_trace.write(path)
        cls.server = Server(path).__enter__()
        rows = cls.server.ask("rows", view="goroutine", count=200)["rows"]
        cls.name = rows[-1]["name"]
        tracks = [lane["track"] for row in rows for lane in row["lanes"]]
        cls.tracks = (tracks * 1000)[:1000]
        cls.some_tracks = list(dict.fromkeys(tracks))

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None)
        cls.folder.cleanup()

    def get(self, path, query):
        query = re.sub(r"TRACKS(\d+)",
                       lambda match: ",".join(map(str, self.tracks[:int(match[1])])), query)
        query = query.replace("NAME", urllib.parse.quote(self.name)).replace("|", "%7C")
        return self.server.answer(path + query)

    def test_table_is_that_of_the_library(self):
        self.assertEqual(table_of_routes(), set(ROUTES) | DOWNLOADS | CHANGES | HOSTED)

    def test_answers_have_at_most_4_megabytes(self):
        cut = set()
        for path, queries in ROUTES.items():
            for query in queries:
                with self.subTest(path=path, query=query):
                    status, kind, body = self.get(path, query)
                    self.assertEqual(status, 404 if path == "/favicon.ico" and not body else 200,
                                     body[:200])
                    self.assertLessEqual(len(body), MOST)
                    self.assertIn("; frame-ancestors 'none'",
                                  self.server.headers["Content-Security-Policy"])
                    if kind.startswith("application/json"):
                        answer = json.loads(body)
                        if "truncated" in answer:
                            self.assertIs(answer["truncated"], True)
                            self.assertGreater(len(body), MOST / 2)
                            cut.add(path)
        self.assertEqual(cut, TOO_LONG)

    def test_rows_that_do_not_fit_can_be_asked_for(self):
        ids, total = [], 1
        while len(ids) < total:
            answer = self.server.ask("rows", view="goroutine", sort="id", first=len(ids),
                                     count=10000)
            self.assertTrue(answer["rows"])
            total = answer["total"]
            ids += [row["id"] for row in answer["rows"]]
            self.assertEqual("truncated" in answer, len(ids) < total)
        self.assertEqual(ids, [1] + list(range(10, 10 + rich_trace.GOROUTINES)))

    def test_types_of_regions_that_do_not_fit_can_be_asked_for(self):
        types, total, answers = [], 1, 0
        while len(types) < total:
            _, _, body = self.get("/api/regions", "?first=%d" % len(types))
            answer = json.loads(body)
            self.assertTrue(answer["types"])
            total = answer["total"]
            types += [(kind["type"], kind["pc"]) for kind in answer["types"]]
            self.assertEqual("truncated" in answer, len(types) < total)
            answers += 1
        self.assertGreater(answers, 1)
        self.assertEqual(len(set(types)), total)

    def test_tracks_that_do_not_fit_into_a_tile_can_be_asked_for(self):
        tracks, answers = self.some_tracks[:256], 0
        self.assertGreater(len(tracks), 100)
        while tracks:
            _, _, body = self.server.get("/api/tiles?level=9&index=0&tracks="
                                         + ",".join(map(str, tracks)))
            self.assertLessEqual(len(body), MOST)
            count, at = struct.unpack_from("<I", body, 8)[0], 12
            self.assertGreater(count, 0)
            for track in tracks[:count]:
                found, bars = struct.unpack_from("<II", body, at)
                self.assertEqual(found, track)
                at += 8 + 40 * bars
            tracks, answers = tracks[count:], answers + 1
        self.assertGreater(answers, 1)

    def test_marks_have_fewer_bins_rather_than_no_end(self):
        answer = self.server.ask("marks", bins=4096,
                                 tracks=",".join(map(str, self.some_tracks[:256])))
        self.assertLessEqual(answer["bins"], 4096)
        whole = self.server.ask("marks", bins=4096)
        self.assertEqual(sum(mark["count"] for mark in whole["marks"]), rich_trace.LOGS)
        self.assertLessEqual(max(len(mark["text"]) for mark in whole["marks"]), 200)

    def test_downloads_are_complete(self):
        for path in DOWNLOADS:
            with self.subTest(path=path):
                status, _, body = self.get(path, "?kind=waiting&q=kind:state")
                self.assertEqual(status, 200)
                self.assertGreater(len(body), 1 << 20)


if __name__ == "__main__":
    unittest.main()
