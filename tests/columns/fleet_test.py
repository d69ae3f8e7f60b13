#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fleet_test.py GOTRACE TESTDATA NODE: ClickHouse in two processes, of which each has half of the
partitions of a fleet, answers through a third one what a single process answers, and what the
tables say, about more than 40 million rows. Without one of the two there is an error."""
import collections
import glob
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import engine
import parquet_read

ROWS = 40_000_000
# A node that nobody stops ends by itself.
LIFE_S = 900
START_S = 60 * float(os.environ.get("GT_TIME_SCALE", "1"))
TABLE = "goroutine_states"
VERSIONS = ["1.9", "1.10", "2.0"]

# Otherwise columns of the path get their types from the first path: a version becomes a number, of
# which 1.10 and 1.1 are the same, and a date a Date, which `unknown` is not.
STRUCTURE = ("state String, duration_ns Int64, cut Int32, service String, version String, "
             "date String")

QUERY = """SELECT service, version, date, state, count(), sum(duration_ns),
quantileExactIf(0.99)(duration_ns, state = 'Runnable' AND cut = 0)
FROM {source} GROUP BY ALL ORDER BY ALL FORMAT TSV"""


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


def make_parts(gotrace, testdata, folder):
    """The files of a table, of all traces of Go 1.22 and later, by their dates."""
    traces = sorted(glob.glob(os.path.join(testdata, "v2", "go*.trace")))
    subprocess.run([gotrace, "columns", *traces, "-o", folder, "--tables", TABLE], check=True)
    files = glob.glob(os.path.join(folder, TABLE, "*", "*", "date=*", "*.parquet"))
    return {path.split("date=")[1].split("/")[0]: path for path in files}


def copies_of(parts):
    """Reads the parts, and returns how many hosts have to have them."""
    rows = sum(len(parquet_read.read(path).values["state"]) for path in parts.values())
    return ROWS // rows + 1


def link_hosts(parts, copies, folder):
    """Gives each host the same partitions, and each of two nodes every other host."""
    for host in range(copies):
        version = VERSIONS[host // 2 % len(VERSIONS)]
        for date, path in parts.items():
            place = os.path.join(folder, f"node{host % 2}", TABLE, "service=shop",
                                 f"version={version}", f"date={date}")
            os.makedirs(place, exist_ok=True)
            os.link(path, os.path.join(place, f"host-{host}.parquet"))


def quantile(values, count):
    """What quantileExact says of the values, of which each is there `count` times."""
    return sorted(values)[int(len(values) * count * 0.99) // count] if values else 0


def expected(parts, copies):
    """The answer, by the reader of these tests."""
    hosts = collections.Counter(VERSIONS[host // 2 % len(VERSIONS)] for host in range(copies))
    lines = []
    for date, path in parts.items():
        groups = collections.defaultdict(list)
        for row in parquet_read.read(path).rows():
            groups[row["state"]].append(row)
        for state, rows in groups.items():
            sizes = [row["duration_ns"] for row in rows]
            waits = [row["duration_ns"] for row in rows if state == "Runnable" and row["cut"] == 0]
            lines += [["shop", version, date, state, len(rows) * count, sum(sizes) * count,
                       quantile(waits, count)]
                      for version, count in hosts.items()]
    return sorted("\t".join(map(str, line)) for line in lines)


def documented():
    """The statement for ClickHouse of docs/fleet.md."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "fleet.md")
    with open(path, encoding="utf-8") as file:
        return re.search("^```sql\n-- clickhouse\n(.*?);\n```$", file.read(), re.M | re.S)[1]


def source_of(folder):
    path = f"{folder}/{TABLE}/service=*/version=*/date=*/*.parquet"
    return f"file('{path}', Parquet, '{STRUCTURE}')"


class ClickHouse:
    """Starts processes, and ends those that are left."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.nodes = []

    def state(self, name):
        return f"--path={os.path.join(self.folder, 'state-' + name)}"

    def ask(self, query):
        """Asks in a process of its own. Returns the lines of the answer, or None, and the errors,
        which the library prints but does not return."""
        done = subprocess.run([*self.command, self.state("ask"), f"--query={query}"],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8")
        if done.returncode != 0 or "Exception" in done.stderr:
            return None, done.stderr
        return done.stdout.splitlines(), ""

    def start(self, name, data):
        """Starts a node that has a view of its partitions. Returns its address."""
        with socket.create_server(("127.0.0.1", 0)) as place:
            port = place.getsockname()[1]
        view = f"CREATE VIEW fleet.{TABLE} AS SELECT * FROM {source_of(data)}"
        query = (f"SYSTEM START LISTEN TCP; CREATE DATABASE fleet; {view}; "
                 f"SELECT sleepEachRow(1) FROM numbers({LIFE_S}) SETTINGS max_block_size = 1, "
                 "function_sleep_max_microseconds_per_block = 100000000 FORMAT Null")
        log = open(os.path.join(self.folder, name + ".log"), "w+")
        node = subprocess.Popen([*self.command, self.state(name), "--listen_host=127.0.0.1",
                                 f"--tcp_port={port}", "--multiquery", f"--query={query}"],
                                stdout=log, stderr=log)
        self.nodes.append((node, log))
        self.wait(node, port, log)
        return f"127.0.0.1:{port}"

    def wait(self, node, port, log):
        """Waits until a node has its view. It listens before that."""
        end = time.monotonic() + START_S
        address = f"127.0.0.1:{port}"
        while time.monotonic() < end:
            need(node.poll() is None, "a node has ended", log.name, open(log.name).read())
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                time.sleep(0.1)
                continue
            lines, why = self.ask(f"SELECT count() FROM remote('{address}', system.tables) "
                                  f"WHERE database = 'fleet' AND name = '{TABLE}'")
            if lines == ["1"]:
                return
        raise AssertionError("a node does not listen", open(log.name).read())

    def stop(self, index):
        node, log = self.nodes[index]
        node.kill()
        node.wait()
        log.close()

    def stop_all(self):
        for i, (node, _) in enumerate(self.nodes):
            if node.returncode is None:
                self.stop(i)


def check(clickhouse, parts, folder):
    copies = copies_of(parts)
    link_hosts(parts, copies, folder)
    answer = expected(parts, copies)
    rows = sum(int(line.split("\t")[4]) for line in answer)
    need(rows >= ROWS, rows)
    nodes = [clickhouse.start(f"node{i}", os.path.join(folder, f"node{i}")) for i in range(2)]
    remote = QUERY.format(source=f"remote('{','.join(nodes)}', fleet.{TABLE})")
    times = [time.monotonic()]
    lines, why = clickhouse.ask(remote)
    times.append(time.monotonic())
    need(lines == answer, "two nodes answer otherwise", lines, answer, why)
    single, why = clickhouse.ask(QUERY.format(source=source_of(f"{folder}/node*")))
    times.append(time.monotonic())
    need(single == answer, "one process answers otherwise", single, why)
    os.symlink(os.path.join(folder, "parts"), os.path.join(folder, "tables"))
    lines, why = clickhouse.ask(documented())
    need(lines and all(line.count("\t") == 4 for line in lines), "the document", lines, why)
    clickhouse.stop(1)
    lines, why = clickhouse.ask(remote)
    need(lines is None and "ALL_CONNECTION_TRIES_FAILED" in why, "it answers without a node", why)
    print(f"{rows} rows in {copies * len(parts)} files: two nodes {times[1] - times[0]:.1f} s, "
          f"one process {times[2] - times[1]:.1f} s")


def main():
    gotrace, testdata, node = map(os.path.abspath, sys.argv[1:])
    library = engine.clickhouse()
    folder = tempfile.mkdtemp()
    clickhouse = ClickHouse([node, library], folder)
    try:
        check(clickhouse, make_parts(gotrace, testdata, os.path.join(folder, "parts")), folder)
    finally:
        clickhouse.stop_all()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
