#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""dashboard_test.py GOTRACE TESTDATA: the page that examples/fleet makes has the numbers that
`gotrace latency` prints, loads nothing, and shows names that look like HTML as text."""
import collections
import glob
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

import engine

FLEET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "fleet")
# A version that is text in HTML, and one that is greater only as a version.
VERSIONS = {"1.9": "plain-?", "1.10": "lock", "<img src=x> & \"1.11\"": "slow"}
VOID = {"meta", "br"}
SERVICE = "check<out>"
BUCKET = 1 / 64


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


class Page(html.parser.HTMLParser):
    """Checks that elements are closed, and collects the text of each."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.found = [], collections.defaultdict(list), set()

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        need(not {name for name, _ in attributes} & {"src", "href", "onclick"}, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        need(self.open and self.open.pop() == tag, "not closed", tag)

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]].append(data)


def make_page(gotrace, testdata, folder):
    traces = {}
    for version, names in VERSIONS.items():
        traces[version] = sorted(glob.glob(os.path.join(testdata, "compare", names + ".trace")))
        subprocess.run([gotrace, "columns", "--level", "fleet", "--service", SERVICE, "--version",
                        version, "-o", os.path.join(folder, "tables"), *traces[version]],
                       check=True)
    with open(os.path.join(FLEET, "dashboard.sql"), encoding="utf-8") as file:
        text = re.sub("^--.*\n", "", file.read(), flags=re.M)
    engine.ask("duckdb", [part for part in text.split(";\n") if part.strip()], folder)
    output = os.path.join(folder, "fleet.html")
    subprocess.run([sys.executable, os.path.join(FLEET, "dashboard.py"), folder, output],
                   check=True)
    with open(output, encoding="utf-8") as file:
        return traces, file.read()


def waits_of(gotrace, paths):
    """The number of waits for a proc in some traces, and the p99 of the only one."""
    rows = []
    for path in paths:
        done = subprocess.run([gotrace, "latency", "--json", path], stdout=subprocess.PIPE,
                              check=True)
        rows += [row for row in map(json.loads, done.stdout.splitlines())
                 if row["kind"] == "sched" and row["group"] == "all"]
    return sum(row["count"] for row in rows), rows[0]["p99_ns"] if len(rows) == 1 else None


def nanoseconds(text):
    number, unit = text.split()
    return float(number.replace(",", "")) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]


def check_page(gotrace, traces, text):
    page = Page()
    page.feed(text)
    page.close()
    need(not page.open, "not closed", page.open)
    need(not page.found & {"script", "img", "link", "iframe"} and "http" not in text, page.found)
    need(page.texts["h1"] == [SERVICE], page.texts["h1"])
    need(page.texts["h3"] == ["1.9", "1.10", "<img src=x> & \"1.11\""], page.texts["h3"])
    shown = re.findall(r'<div class="row"><span>(.+?)</span>.*?p99 (.+?) <span class="dim">of '
                       r'([\d,]+)<', text)
    need([html.unescape(version) for version, _, _ in shown] == list(VERSIONS), shown)
    for version, p99, count in shown:
        waits, expected = waits_of(gotrace, traces[html.unescape(version)])
        need(int(count.replace(",", "")) == waits, version, count, waits)
        need(expected is None or abs(nanoseconds(p99) - expected) <= expected * (BUCKET + 0.005),
             version, p99, expected)
    codes = "".join(page.texts["code"])
    need("main.(*shop).order.func2" in codes and "sync.(*Mutex).Unlock" in codes, codes)


def main():
    gotrace, testdata = sys.argv[1:]
    engine.need("duckdb")
    with tempfile.TemporaryDirectory() as folder:
        check_page(gotrace, *make_page(gotrace, testdata, folder))


if __name__ == "__main__":
    main()
