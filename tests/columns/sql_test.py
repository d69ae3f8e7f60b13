#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sql_test.py GOTRACE TESTDATA [NODE]: with the statements of `gotrace columns --sql`, DuckDB, or
ClickHouse if NODE runs it, has all tables and views, with as many rows as the files, and the times
of the wall clock that `gotrace dump` prints."""
import glob
import os
import re
import subprocess
import sys
import tempfile

import engine
import parquet_read

NAMES = re.compile(r"^CREATE OR REPLACE (?:TEMPORARY )?VIEW (\w+) ", re.M)
# The first Sync of a dump, with its time in the trace.
CLOCK = re.compile(r"Sync .* Trace=(\d+) .*Wall=(\S+)Z")
VIEWS = {"running": ("goroutine_states", "Running"), "syscalls": ("goroutine_states", "Syscall")}


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


def run(*command, code=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    need(done.returncode == code, command, done.stderr)
    return done.stdout if code == 0 else done.stderr


def check_text(gotrace):
    """Each engine is told all tables that are asked for, and views that need no others."""
    tables = re.findall(r"^(\w+): ", run(gotrace, "columns", "--schema"), re.M)
    for name in "duckdb", "clickhouse", "spark":
        found = NAMES.findall(run(gotrace, "columns", "--sql", name, "-o", "x"))
        need(found == [*tables[:-1], "running", "syscalls", "stw"], name, found)
        some = run(gotrace, "columns", "--sql", name, "-o", "x", "--tables", "goroutine_states")
        need(NAMES.findall(some) == ["goroutine_states", "running"], some)
    need("no engine: 'x'" in run(gotrace, "columns", "--sql", "x", "-o", "x", code=2), "x is one")
    need("--output" in run(gotrace, "columns", "--sql", "spark", code=2), "no folder is needed")
    csv = run(gotrace, "columns", "--sql", "spark", "-o", "x", "--format", "csv", code=2)
    need("Parquet" in csv, csv)


def traces_of(testdata):
    old = os.path.join(testdata, "v2", "go1.22-gc.trace")
    return [old, *sorted(glob.glob(os.path.join(testdata, "v2", "go1.27-[cgnt]*.trace")))]


def make_tables(gotrace, testdata, folder):
    traces = traces_of(testdata)
    for version in "1", "2.0":
        subprocess.run([gotrace, "columns", *traces, "-o", folder, "--version", version,
                        "--service", "0123"], check=True)


def expected(folder, names):
    """How many rows a table has, or a view, by the files."""
    rows = {}
    for name in names:
        table, state = VIEWS.get(name, ("ranges" if name == "stw" else name, None))
        rows[name] = sum(
            state in (None, row.get("state")) and (name != "stw" or row["name"] == "stop-the-world")
            for path in glob.glob(f"{glob.escape(folder)}/{table}/*/*/*/*.parquet")
            for row in parquet_read.read(path).rows())
    return rows


def expected_clocks(gotrace, testdata):
    """Of each trace: a time in nanoseconds, and the text of its wall clock, or None."""
    clocks = {}
    for trace in traces_of(testdata):
        clock = CLOCK.search(run("env", "TZ=UTC", gotrace, "dump", "--lenient", trace))
        wall = clock and clock[2].replace("T", " ").rstrip("0")
        clocks[trace] = (int(clock[1]) if clock else 0, wall)
    return clocks


def clock_questions(clocks, is_clickhouse):
    """The wall clock as text, and by how many microseconds it differs from the columns of it."""
    text = "toString({})" if is_clickhouse else "{}::VARCHAR"
    nanos = "toUnixTimestamp64Nano({})" if is_clickhouse else "epoch_ns({})"
    micros = "toUnixTimestamp64Micro({})" if is_clickhouse else "epoch_us({})"
    asked = [f"SELECT {text.format(f'wall(trace_id, {ns})')} FROM traces WHERE version = '1' AND "
             f"file = '{name}'" for name, (ns, _) in clocks.items()]
    for table, time, moment in (("traces", "start_ns", "started_at"),
                                ("logs", "time_ns", "logged_at")):
        wall = nanos.format(f"wall(trace_id, {time})")
        asked.append(f"SELECT max(abs(floor({wall} / 1000.0) - {micros.format(moment)})), "
                     f"count({moment}) FROM {table}")
    return asked


def check_clocks(clocks, times):
    *walls, (begun, traces), (logged, logs) = times
    expected = [wall for _, wall in clocks.values()]
    found = [wall and wall.rstrip("0") for wall, in walls]
    need(None in expected and found == expected, found, expected)
    need(float(begun) < 2 and int(traces) > 0, begun, traces)
    # The clock of a later generation may have been set meanwhile.
    need(float(logged) < 1000 and int(logs) > 0, logged, logs)


def ask_clickhouse(node, statements, folder):
    script = "; ".join(statement.rstrip(";\n") for statement in statements)
    done = subprocess.run([node, engine.clickhouse(), f"--path={folder}/state", "--multiquery",
                           f"--query={script}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", cwd=folder)
    need(done.returncode == 0 and "Exception" not in done.stderr, done.stderr)
    return [[None if cell == "\\N" else cell for cell in line.split("\t")]
            for line in done.stdout.splitlines()]


def main():
    gotrace, testdata, *node = map(os.path.abspath, sys.argv[1:])
    check_text(gotrace)
    if node:
        engine.clickhouse()
    else:
        engine.need("duckdb")
    with tempfile.TemporaryDirectory() as parent:
        # ClickHouse reads only below its own folder.
        folder = os.path.join(parent, "that's it")
        make_tables(gotrace, testdata, folder)
        sql = run(gotrace, "columns", "--sql", "clickhouse" if node else "duckdb", "-o", folder)
        names = NAMES.findall(sql)
        made = re.findall(r"^CREATE.*?;$", sql, re.M | re.S)
        asked = [f"SELECT '{name}', count(*), min(service), max(version) FROM {name}"
                 for name in names]
        clocks = expected_clocks(gotrace, testdata)
        asked += clock_questions(clocks, bool(node))
        if node:
            rows = ask_clickhouse(node[0], made + asked, parent)
        else:
            rows = [rows[0] for rows in engine.ask("duckdb", made + asked)[len(made):]]
        counts = expected(folder, names)
    rows, times = rows[:len(names)], rows[len(names):]
    need(min(counts[name] for name in VIEWS) > 0, counts)
    need({row[0]: int(row[1]) for row in rows} == counts, rows, counts)
    need(all(row[2:] == ["0123", "2.0"] for row in rows if row[1] != "0"), rows)
    check_clocks(clocks, times)


if __name__ == "__main__":
    main()
