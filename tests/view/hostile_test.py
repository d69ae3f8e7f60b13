#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Asks `gotrace view` for what makes no sense: it must say so, and go on."""

import json
import os
import pathlib
import random
import sys
import tempfile
import urllib.parse

from view_server import Server, Tiles

TRACES = ("v2/go1.26-tasks", "v2/go1.27-cpu", "v1/go1.19-sync")
ROUNDS = 1500
MANY = ",".join(map(str, range(257)))
HUGE = ",".join(["1"] * 5000)

# What is wrong in itself, or says that there is no such thing.
WRONG = {
    400: (
        "rows?view=procs", "rows?view=", "rows?sort=color", "rows?desc=2", "rows?desc=-1",
        "rows?group=yes", "rows?first=-1", "rows?first=x", "rows?count=10001", "rows?count=1e3",
        "rows?start=nan", "rows?start=9&end=8", "rows?end=inf", "rows?start=99999999999999999999",
        "rows?tree=", "rows?tree=-1", "rows?tree=x", "rows?tree=18446744073709551616",
        "row?tree=1", "area?tree=", "flame?tree=1.5", "search?q=1&tree=-1",
        "row?view=goroutine", "row?view=goroutine&id=", "row?view=goroutine&id=9x",
        "row?view=goroutine&id=9223372036854775808",
        "tiles", "tiles?level=0", "tiles?index=0", "tiles?level=53&index=0&tracks=0",
        "tiles?level=-1&index=0&tracks=0", "tiles?level=52&index=1&tracks=0",
        "tiles?level=0&index=9223372036854775807&tracks=0", "tiles?level=0&index=0&tracks=a",
        "tiles?level=0&index=0&tracks=1,,2", "tiles?level=0&index=0&tracks=,",
        "tiles?level=0&index=0&tracks=4294967296", "tiles?level=0&index=0&tracks=-1",
        "tiles?level=0&index=0&tracks=1.5", "tiles?level=0&index=0&tracks=" + MANY,
        "tiles?level=0&index=0&tracks=" + HUGE, "tiles?level=&index=",
        "span", "span?track=0", "span?index=0", "span?track=x&index=0", "span?track=0&index=-1",
        "span?track=0&at=now", "span?track=0&at=", "span?track=0&at=-",
        "arrows", "arrows?tracks=x", "arrows?tracks=0&max=-1", "arrows?tracks=0&max=20001",
        "arrows?tracks=" + MANY, "arrows?tracks=0&start=5&end=1",
        "marks?bins=0", "marks?bins=4097", "marks?bins=NaN", "marks?tracks=" + MANY,
        "counters?bins=0", "counters?bins=9999999999", "counters?start=--1", "counters?start=1-",
        "counters?start=-9223372036854775808", "counters?end=2305843009213693952",
        "counters/at", "counters/at?t=", "counters/at?t=0x10", "gc?bins=-5", "gc?start=1&end=0",
        "minimap?bins=0", "minimap?bins=99999",
        "groups?first=-1", "regions?count=x", "tasks?first=4294967296",
        "activity", "activity?headers=x", "activity?headers=0&bins=0",
        "activity?headers=0&bins=1025", "activity?headers=0&from=5&to=4",
        "activity?headers=" + MANY,
    ),
    404: (
        "row?view=goroutine&id=99999", "row?view=task&id=-1", "span?track=99999&index=0",
        "span?track=0&index=99999", "span?track=4294967295&index=0", "span?track=0&at=-1",
        "span?track=0&at=99999999999999", "nothing", "counters/", "span/0",
    ),
}

# What is odd, but can be answered.
ODD = (
    "rows?first=4294967295&count=10000", "rows?count=0", "rows?filter=%01%ff%fe", "rows?filter=g",
    "rows?filter=" + "x" * 2000, "rows?start=-2000000000000000000&end=2000000000000000000",
    "rows?hide_idle=1&start=5&end=5", "rows?sort=parent&group=1&desc=1&filter=1",
    "tiles?level=0&index=0", "tiles?level=0&index=0&tracks=", "tiles?level=52&index=0&tracks=0",
    "tiles?level=52&index=-1&tracks=0", "tiles?level=0&index=-4503599627370496&tracks=0,0,0",
    "tiles?level=9&index=0&tracks=4294967295,99999,0", "span?track=0&at=0.999",
    "arrows?tracks=99999,0,1,2,3,4&start=0&end=0", "arrows?tracks=0&max=0", "arrows?tracks=",
    "marks?tracks=99999", "marks?start=-5&end=-1", "marks?bins=1&start=7&end=7",
    "counters?start=7&end=7&bins=4096", "counters?start=-2000000000000000000&end=0&bins=1",
    "counters?start=0&end=2305843009213693951", "gc?start=0&end=0", "gc?start=-9&end=-1",
    "gc?start=-2305843009213693951&end=2305843009213693951", "counters/at?t=-1",
    "counters/at?t=2305843009213693951", "minimap?bins=1", "minimap?bins=4096",
    "activity?headers=", "activity?headers=0,4294967295,0&from=-9&to=-9",
    "activity?headers=0&from=-2305843009213693951&to=2305843009213693951",
    "activity?headers=0&from=0&to=2305843009213693951&bins=1024&view=task",
    "trace?x=y&&=&%41", "area?tracks=", "area?tracks=4294967295", "area?start=9&end=9",
    "losses?bins=1&view=goroutine", "notes", "notes?revision=" + "f" * 2000,
)

NAMES = ("trace", "rows", "row", "tiles", "span", "arrows", "marks", "gc", "minimap", "counters",
         "counters/at", "activity")
PARAMETERS = ("view", "sort", "desc", "group", "filter", "first", "count", "hide_idle", "start",
              "end", "id", "level", "index", "tracks", "track", "at", "max", "bins", "t", "headers",
              "from", "to", "tree")
VALUES = ("", "0", "1", "2", "-1", "7", "1000", "65536", "4294967295", "4294967296",
          "2305843009213693951", "2305843009213693952", "9223372036854775807",
          "-9223372036854775808", "18446744073709551616", "1e9", "NaN", "inf", "0.5", "-", "+1",
          " 1", "\x00", "\xff", "proc", "thread", "goroutine", "task", "running", "waiting",
          "parent", "name", "0,1,2,3,4,5,6,7,8,9,10", "0,", "main", "g1", "%")


def check(path, status, kind, body, expected):
    if status not in expected:
        raise AssertionError("%s: %d %r" % (path[:200], status, body[:100]))
    if kind == "application/octet-stream":
        Tiles(body)
        return
    answer = json.loads(body, parse_constant=refuse)
    if status not in (200, 202) and not answer["error"]:
        raise AssertionError("%s: no reason" % path[:200])


def refuse(word):
    raise ValueError(word + " is no JSON")


def random_path(random_):
    chosen = random_.sample(PARAMETERS, random_.randint(0, 8))
    query = urllib.parse.urlencode([(name, random_.choice(VALUES)) for name in chosen])
    return "/api/%s?%s" % (random_.choice(NAMES), query)


def run(path):
    random_ = random.Random(1)
    with Server(path) as server:
        for status, paths in WRONG.items():
            for wrong in paths:
                check(wrong, *server.get("/api/" + wrong), (status,))
        for odd in ODD:
            check(odd, *server.get("/api/" + odd), (200,))
        for _ in range(ROUNDS):
            asked = random_path(random_)
            check(asked, *server.get(asked), (200, 202, 400, 404))
        status, _, body = server.get("/api/trace", "HEAD")
        check("HEAD", status, "application/json", body or b"{}", (200,))


def run_damaged(path):
    """The same trace with a hole, where data is lost."""
    data = bytearray(path.read_bytes())
    data[30000:30400] = b"\xff" * 400
    with tempfile.NamedTemporaryFile(suffix=".trace") as file:
        file.write(data)
        file.flush()
        with Server(file.name) as server:
            if not json.loads(server.get("/api/losses?view=thread&bins=9")[2])["losses"]:
                raise ValueError("nothing is lost")
            for odd in ODD:
                check(odd, *server.get("/api/" + odd), (200,))


def main():
    root = pathlib.Path(os.environ["GT_TESTDATA"])
    for name in TRACES:
        run(str(root / (name + ".trace")))
    run_damaged(root / "v2/go1.27-mix.trace")
    return 0


if __name__ == "__main__":
    sys.exit(main())
