#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how long the viewer's server takes to answer what its page asks for.

bench_tiles.py --gotrace PATH [--requests N] [--seed N] [--json FILE] [--downloads] TRACE

Starts `gotrace view --no-open`, waits until the trace has been read, and asks for tiles of
40 to 64 rows of each view, anywhere in the listing and the trace, at any zoom, and over the
whole trace; then for rows, spans, the minimap and so on, and at last for everything else that the
pages show. Prints times in milliseconds: half of the requests took no longer than p50, and so on.
What a request costs here, in Python and in the kernel, is in them; `floor` is a request that is
answered at once. An analysis includes its pass over the trace. Prints the peak memory of the
process (VmHWM: mapped pages of the trace count) when the trace has been read, after the timeline,
after the analyses, and after downloads of the whole trace.
"""

import argparse
import http.client
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402

signals.start_with_defaults()

VIEWS = ("proc", "thread", "goroutine", "task")
TRACKS_MAX = 256
TILE_BINS = 1024
TRACKS_AT_ONCE = 128
FLAMES = ("cpu", "running", "wall", "offcpu", "waiting", "runnable", "syscall")
SEARCHES = ("http", "g12", "state:waiting", "reason:chan", "func:main", "stack:main", "kind:log",
            "dur>1ms", "nothing-is-named-so")
MMU_FLAGS = ("stw", "stw|background|assist", "stw|background|assist|sweep",
             "system|stw|background", "stw|background|assist|perproc")
PROFILES = ("io", "block", "syscall", "sched")


class Server:
    """gotrace view, and one connection to it."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if "http://" not in line:
            sys.exit("bench_tiles.py: the server said: " + line.strip())
        host = line.split("http://")[1].split("/")[0].strip()
        self.connection = http.client.HTTPConnection(host)

    def get(self, path):
        """The body, and how many seconds it took."""
        start = time.perf_counter()
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - start
        if answer.status != 200:
            sys.exit("bench_tiles.py: %s: %d %s" % (path, answer.status, body[:200]))
        return body, seconds

    def get_done(self, path):
        """The body of an answer that may take a pass over the trace, and all the seconds."""
        start = time.perf_counter()
        while True:
            self.connection.request("GET", path)
            answer = self.connection.getresponse()
            body = answer.read() if answer.status != 200 else read_whole(answer)
            if answer.status != 202:
                break
            time.sleep(0.01)
        if answer.status != 200:
            sys.exit("bench_tiles.py: %s: %d %s" % (path, answer.status, body[:200]))
        return body, time.perf_counter() - start

    def print_peak(self, when):
        with open("/proc/%d/status" % self.process.pid) as status:
            peak = int(re.search(r"VmHWM:\s*(\d+) kB", status.read()).group(1)) * 1024
        print("peak memory of the process %s: %.0f MB" % (when, peak / 1e6), flush=True)

    def ask(self, path):
        return json.loads(self.get(path)[0])

    def stop(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()


def read_whole(answer):
    """The body, of which only the first 4 MB are kept: a download can have gigabytes."""
    kept = b""
    while part := answer.read(1 << 20):
        if len(kept) < 4 << 20:
            kept += part
    return kept


class Table:
    """Times by name, printed as they come."""

    def __init__(self):
        self.rows = {}
        print("%-28s %6s %9s %9s %9s %9s" % ("", "n", "p50", "p95", "p99", "max"))

    def add(self, name, seconds):
        times = sorted(1000 * second for second in seconds)
        if not times:
            return
        row = [times[min(len(times) - 1, len(times) * part // 100)] for part in (50, 95, 99)]
        row.append(times[-1])
        self.rows[name] = dict(zip(("p50", "p95", "p99", "max"), row), n=len(times))
        print("%-28s %6d %9.2f %9.2f %9.2f %9.2f" % ((name, len(times)) + tuple(row)), flush=True)


def wait_until_read(server):
    start = time.monotonic()
    while True:
        trace = server.ask("/api/trace")
        if trace["progress"]["done"]:
            print("read in %.1f s, %.0f MB held" % (time.monotonic() - start,
                                                    trace["memory"] / 1e6))
            return trace
        time.sleep(0.1)


def lanes(rows):
    return [lane["track"] for row in rows for lane in row.get("lanes", ())][:TRACKS_MAX]


def whole_level(duration):
    """At which one tile has all of the trace."""
    return max(0, (max(1, duration) // TILE_BINS).bit_length())


def tile_path(level, index, tracks):
    return "/api/tiles?level=%d&index=%d&tracks=%s" % (level, index, ",".join(map(str, tracks)))


def get_tiles(server, level, index, tracks):
    """Seconds of each request that the page makes for them: loader.js asks for so many at once."""
    return [server.get(tile_path(level, index, tracks[first:first + TRACKS_AT_ONCE]))[1]
            for first in range(0, len(tracks), TRACKS_AT_ONCE)]


def random_rows(server, view, total, sort="start"):
    count = random.randint(40, 64)
    first = random.randint(0, max(0, total - count))
    path = "/api/rows?view=%s&sort=%s&desc=%d&first=%d&count=%d" % (
        view, sort, sort != "start", first, count)
    body, seconds = server.get(path)
    return json.loads(body)["rows"], seconds


def bench_tiles(server, table, trace, view, total, requests):
    whole = whole_level(trace["duration"])
    anywhere, everything, listing, busiest = [], [], [], []
    for _ in range(requests):
        rows, seconds = random_rows(server, view, total)
        listing.append(seconds)
        level = random.randint(0, whole)
        index = random.randint(0, trace["duration"] // (TILE_BINS << level))
        anywhere += get_tiles(server, level, index, lanes(rows))
        everything += get_tiles(server, whole, 0, lanes(rows))
    path = "/api/rows?view=%s&sort=running&desc=1&count=64" % view
    rows = server.ask(path)["rows"]
    for level in range(whole + 1):
        for _ in range(max(1, requests // 20)):
            index = random.randint(0, trace["duration"] // (TILE_BINS << level))
            busiest += get_tiles(server, level, index, lanes(rows))
    table.add("rows of %ss" % view, listing)
    table.add("tiles of %ss" % view, anywhere)
    table.add("  all of the trace", everything)
    table.add("  rows that ran longest", busiest)


def bench_sorts(server, table, view):
    """The first time is when the listing is made."""
    for sort in ("id", "name", "duration", "running", "waiting", "parent"):
        path = "/api/rows?view=%s&sort=%s&desc=1&count=64" % (view, sort)
        table.add("  by %s, anew" % sort, [server.get(path)[1]])
    table.add("  in groups, anew", [server.get("/api/rows?view=%s&group=1" % view)[1]])
    table.add("  filtered, anew", [server.get("/api/rows?view=%s&filter=main" % view)[1]])


def spans_of(server, trace, tracks):
    """(track, index) of what a tile of all the trace shows."""
    data = server.get(tile_path(whole_level(trace["duration"]), 0, tracks))[0]
    spans, at = [], 12
    for _ in range(struct.unpack_from("<I", data, 8)[0]):
        track, count = struct.unpack_from("<II", data, at)
        spans += [(track, struct.unpack_from("<I", data, at + 8 + 40 * i + 20)[0])
                  for i in range(count)]
        at += 8 + 40 * count
    return spans


def bench_spans(server, table, trace, views, requests):
    for view, total in views.items():
        spans = spans_of(server, trace, lanes(random_rows(server, view, total)[0]))
        chosen = [random.choice(spans) for _ in range(requests)] if spans else []
        table.add("span of %ss" % view,
                  [server.get("/api/span?track=%d&index=%d" % span)[1] for span in chosen])


def bench_overlays(server, table, trace, views, requests):
    for name in ("arrows", "marks"):
        for view, total in views.items():
            times = []
            for _ in range(requests):
                tracks = lanes(random_rows(server, view, total)[0])
                length = trace["duration"] >> random.randint(0, 20)
                start = random.randint(0, trace["duration"] - length)
                times.append(server.get("/api/%s?start=%d&end=%d&tracks=%s" % (
                    name, start, start + length, ",".join(map(str, tracks))))[1])
            table.add("%s of %ss" % (name, view), times)


def bench_bands(server, table, trace, requests):
    for name in ("minimap", "counters", "gc"):
        times = []
        for _ in range(requests):
            length = trace["duration"] >> random.randint(0, 20)
            start = random.randint(0, trace["duration"] - length)
            times.append(server.get("/api/%s?bins=1024&start=%d&end=%d" % (
                name, start, start + length))[1])
        table.add(name, times)


def bench_areas(server, table, views):
    """Statistics and flame graphs of the whole trace."""
    for view in views:
        table.add("area of all %ss" % view,
                  [server.get("/api/area?view=%s" % view)[1] for _ in range(3)])
        table.add("  roughly", [server.get("/api/area?rough=1&view=%s" % view)[1]])
        table.add("  as CSV", [server.get("/api/area.csv?view=%s" % view)[1]])
        for kind in FLAMES:
            path = "/api/flame?kind=%s&view=%s" % (kind, view)
            table.add("  flame graph, %s" % kind, [server.get(path)[1]])


def bench_searches(server, table):
    for words in SEARCHES:
        quoted = urllib.parse.quote(words)
        for path in ("/api/search", "/api/search/table"):
            table.add("%s %s" % (path, words), [server.get("%s?q=%s" % (path, quoted))[1]])


def bench_analyses(server, table):
    """The first of several that share a pass over the trace has its time."""
    for name, one, parameter in (("groups", "group", "name"), ("tasks", "task", "name"),
                                 ("regions", "region", "type")):
        body, seconds = server.get_done("/api/" + name)
        table.add(name, [seconds])
        listed = next((value for value in json.loads(body).values() if isinstance(value, list)), [])
        for item in listed[:2]:
            path = "/api/%s?%s=%s" % (one, parameter, urllib.parse.quote(item[parameter]))
            if "pc" in item and one == "region":
                path += "&pc=" + item["pc"]
            table.add("  " + one, [server.get_done(path)[1]])
    for flags in MMU_FLAGS:
        quoted = urllib.parse.quote(flags)
        table.add("mmu " + flags, [server.get_done("/api/mmu?flags=" + quoted)[1]])
        path = "/api/mmu/worst?window=1000000&flags=" + quoted
        table.add("  worst windows", [server.get_done(path)[1]])
    for kind in PROFILES:
        for region in ("", "region"):
            path = "/api/profile?kind=" + region + kind
            table.add("profile " + region + kind, [server.get_done(path)[1]])


def bench_downloads(server, table):
    table.add("search as CSV", [server.get_done("/api/search.csv?q=http")[1]])
    for query in ("", "?view=thread", "?view=goroutine"):
        table.add("jsontrace" + query, [server.get_done("/jsontrace" + query)[1]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gotrace", required=True)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json")
    parser.add_argument("--downloads", action="store_true",
                        help="take all results of a search as CSV and the whole trace as JSON, too")
    parser.add_argument("trace")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    server = Server([arguments.gotrace, "view", "--no-open", arguments.trace])
    try:
        trace = wait_until_read(server)
        server.print_peak("when the trace is read")
        table = Table()
        table.add("floor", [server.get("/api/counters/at?t=0")[1] for _ in range(200)])
        views = {view: trace["counts"][view + "s"] for view in VIEWS}
        views = {view: total for view, total in views.items() if total > 0}
        for view, total in views.items():
            bench_tiles(server, table, trace, view, total, arguments.requests)
            bench_sorts(server, table, view)
        bench_spans(server, table, trace, views, arguments.requests)
        bench_overlays(server, table, trace, views, max(1, arguments.requests // 10))
        bench_bands(server, table, trace, max(1, arguments.requests // 10))
        bench_areas(server, table, views)
        bench_searches(server, table)
        server.print_peak("after the timeline")
        bench_analyses(server, table)
        server.print_peak("after the analyses")
        if arguments.downloads:
            bench_downloads(server, table)
            server.print_peak("after downloads")
    finally:
        server.stop()
    if arguments.json:
        with open(arguments.json, "w") as out:
            json.dump(table.rows, out, indent=2)


main()
