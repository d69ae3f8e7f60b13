#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""command_test.py GOTRACE TESTDATA: the options of `gotrace columns`, its files and exit codes."""
import csv
import datetime
import gzip
import os
import resource
import subprocess

import parquet_read
from place import Place, TABLES, need, run_tests

EVERY = ["traces", "generations", "goroutines", "goroutine_states", "proc_states", "ranges",
         "gc_cycles", "regions", "tasks", "logs", "metrics", "samples", "waits", "latency",
         "stacks", "frames", "events"]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
FLEET = {"traces", "gc_cycles", "waits", "latency", "stacks", "frames"}


def test_nothing_is_left_of_a_trace_that_cannot_be_opened_again(place):
    """Each number of descriptors lets another call fail."""
    failed = 0
    for most in range(4, 40):
        output = f"out{most}"
        done = subprocess.run([place.gotrace, "columns", place.trace, "-o", output],
                              cwd=place.folder, stderr=subprocess.PIPE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE,
                                                                    (most, most)))
        need(len(place.files(output)) == (TABLES if done.returncode == 0 else 0), most, done.stderr)
        failed += done.returncode != 0
    need(0 < failed < 36, failed)


def test_files_have_their_columns_in_their_path(place):
    place.run(place.trace, "-o", "out", "--service=a/b=c%", "--version", "v1 é")
    files = place.files()
    need(len(files) == TABLES, files)
    id = place.rows("traces")[0]["trace_id"]
    folders = "/frames/service=a%2Fb%3Dc%25/version=v1 é/date=2026-11-21/"
    need(files[0].endswith(f"{folders}{id}.parquet"), files[0])


def test_the_same_call_replaces_its_files(place):
    place.run(place.trace, place.old, "-o", "out")
    before = {path: open(path, "rb").read() for path in place.files()}
    place.run(place.old, place.trace, "-o", "out")
    need({path: open(path, "rb").read() for path in place.files()} == before, "other files")


def test_traces_of_one_date_share_their_files(place):
    place.run(place.trace, place.other, place.old, "-o", "out")
    need(len(place.files()) == 2 * TABLES, place.files())
    need(len(place.rows("traces")) == 3, "there are other traces")
    dates = {path.split("date=")[1].split("/")[0] for path in place.files()}
    need(dates == {"2026-11-21", "unknown"}, dates)
    place.run(place.trace, "-o", "alone")
    place.run(place.other, "-o", "alone")
    for table in "goroutine_states", "stacks", "regions":
        need(sorted(map(repr, place.rows(table, "alone")))
             == sorted(repr(row) for path in place.files("out", table) if "unknown/date=2" in path
                       for row in parquet_read.read(path).rows()), table)


def test_a_trace_that_is_given_twice_counts_once(place):
    said = place.run(place.trace, place.trace, "-o", "out")
    need("left out: a trace before it is the same" in said, said)
    need(len(place.rows("traces")) == 1, "there are two")


def test_what_is_compressed_or_piped_has_the_same_id(place):
    place.run(place.trace, "-o", "out")
    packed = os.path.join(place.folder, "packed.gz")
    with open(place.trace, "rb") as file:
        data = file.read()
    with gzip.open(packed, "wb") as file:
        file.write(data)
    place.run(packed, "-o", "packed")
    place.run("-", "-o", "piped", input=data)
    name = os.path.basename(place.files()[0])
    for output in "packed", "piped":
        need({os.path.basename(path) for path in place.files(output)} == {name}, output)
        trace, = place.rows("traces", output)
        need(trace["bytes"] == len(data), trace)


def test_one_other_byte_gives_another_id(place):
    with open(place.trace, "rb") as file:
        data = bytearray(file.read())
    names = set()
    for at in None, 100, len(data) - 1, len(data):
        changed = bytearray(data)
        if at == len(data):
            changed.append(0)
        elif at is not None:
            changed[at] ^= 1
        place.run("-", "-o", "out", input=bytes(changed))
        names |= {os.path.basename(path) for path in place.files()}
    need(len(names) == 4, names)


def test_only_the_tables_that_are_named_are_written(place):
    place.run(place.trace, "-o", "out", "--tables", "traces,logs")
    need({path.split("/out/")[1].split("/")[0] for path in place.files()} == {"traces", "logs"},
         place.files())
    need(len(place.rows("logs")) == 6, "there are other logs")


def tables_of(place):
    return {path.split("/out/")[1].split("/")[0] for path in place.files()}


def test_the_fleet_has_the_tables_that_add_up(place):
    place.run(place.trace, "-o", "out", "--level", "fleet")
    need(tables_of(place) == FLEET, place.files())
    waits = place.rows("waits")
    place.run(place.trace, "-o", "out", "--level=full")
    need(len(place.files()) == TABLES and "events" not in tables_of(place), place.files())
    need(place.rows("waits") == waits, "there are other waits")
    used = {row[name] for row in waits for name in ("stack_id", "unblocker_stack")} - {None}
    need(used <= {row["stack_id"] for row in place.rows("stacks")}, "stacks are missing")


def test_plain_files_have_the_same_rows(place):
    place.run(place.trace, "-o", "out")
    place.run(place.trace, "-o", "plain", "--plain")
    for table in "goroutine_states", "goroutines", "frames":
        need(place.rows(table) == place.rows(table, "plain"), table)
    metas = [about[3] for path in place.files("plain") for group in parquet_read.read(path).meta[4]
             for about in group[1]]
    need({meta[4] for meta in metas} == {0}, "something is compressed")
    need(not any(parquet_read.DELTA in meta[2] for meta in metas), "something is packed")


def test_csv_has_the_rows_of_parquet(place):
    place.run(place.trace, "-o", "out", "--tables", ",".join(EVERY))
    place.run(place.trace, "-o", "text", "--format", "csv", "--tables", ",".join(EVERY))
    for table in EVERY:
        path, = place.files("text", table)
        need(path.endswith(".csv"), path)
        with open(path, encoding="utf-8", newline="") as file:
            names, *lines = csv.reader(file)
        rows = place.rows(table)
        need(len(lines) == len(rows), table)
        for line, row in zip(lines, rows, strict=True):
            for name, cell in zip(names, line, strict=True):
                value = row[name]
                if name.endswith("_at") and value is not None:
                    cell = microseconds(cell)
                need(cell == text_of(value), table, name, cell, value)


def microseconds(moment):
    since = datetime.datetime.fromisoformat(moment.replace("Z", "+00:00")) - EPOCH
    return str(since // datetime.timedelta(microseconds=1))


def text_of(value):
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_host_and_meta_are_columns_of_traces(place):
    place.run(place.trace, "-o", "out", "--host", "h1", "--meta", 'zone=a,what="x"=é')
    trace, = place.rows("traces")
    need(trace["host"] == "h1" and trace["meta"] == '{"zone":"a","what":"\\"x\\"=é"}', trace)
    place.run(place.trace, "-o", "out2")
    trace, = place.rows("traces", "out2")
    need(trace["host"] is None and trace["meta"] == "{}", trace)


def test_damage_is_told_in_the_table(place):
    need(place.run(place.cut, "-o", "out").count("repaired: ") == 1, "not one line was reported")
    trace, = place.rows("traces")
    need(trace["repairs"] > 0 and trace["error"] is None, trace)


def test_a_file_that_is_no_trace_does_not_stop_the_others(place):
    with open(os.path.join(place.folder, "none"), "w") as file:
        file.write("this is no trace")
    said = place.run("none", "missing", place.trace, "-o", "out", code=1)
    need("none: " in said and "missing: " in said, said)
    need(len(place.rows("traces")) == 1, "it is not there")
    place.run("none", "-o", "nothing", code=1)
    need(not os.path.exists(os.path.join(place.folder, "nothing")), "a folder was made")


def test_nothing_is_left_if_a_file_cannot_be_written(place):
    os.mkdir(os.path.join(place.folder, "out"))
    open(os.path.join(place.folder, "out", "goroutines"), "w").close()
    said = place.run(place.trace, "-o", "out", code=1)
    need("out/goroutines/" in said and "Not a directory" in said, said)
    need(len(place.files()) == 1, place.files())
    said = place.run(place.trace, "-o", "small", code=1, preexec_fn=limit)
    need("small/" in said and "File too large" in said, said)
    need(place.files("small") == [], place.files("small"))


def limit():
    import resource
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def test_wrong_uses_are_told(place):
    for arguments in ([], [place.trace], ["-o", "out"], [place.trace, "-o", ""],
                      [place.trace, "-o", "out", "--tables", "traces,no"],
                      [place.trace, "-o", "out", "--tables="],
                      [place.trace, "-o", "out", "--level", "most"],
                      [place.trace, "-o", "out", "--format=text"],
                      [place.trace, "-o", "out", "--level=full", "--tables=logs"],
                      [place.trace, "-o", "out", "--service="],
                      [place.trace, "-o", "out", "--version="],
                      [place.trace, "-o", "out", "--meta", "=b"],
                      [place.trace, "-o", "out", "--meta", "a=b,c"],
                      [place.trace, "-o", "out", "--threads", "x"]):
        need("usage: gotrace columns" in place.run(*arguments, code=2), arguments)
    need(os.listdir(place.folder) == [], "something was written")


def test_the_schema_names_what_is_in_the_files(place):
    place.run("--schema")
    place_tables, table = {}, None
    for line in place.printed.splitlines():
        if line and not line.startswith(" "):
            table = place_tables.setdefault(line.split(":")[0], [])
        elif line:
            name, kind, *rest = line.split()
            table.append((name, kind, rest[0] == "NULL"))
    place.run(place.trace, "-o", "out", "--tables", ",".join(place_tables))
    for path in place.files():
        columns = [(column.name, "TIMESTAMP" if column.is_timestamp else column.kind.upper(),
                    column.optional) for column in parquet_read.read(path).columns]
        need(place_tables.pop(path.split("/out/")[1].split("/")[0]) == columns, path)
    need(not place_tables, place_tables)


if __name__ == "__main__":
    run_tests(globals(), Place)
