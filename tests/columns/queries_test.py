#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""queries_test.py GOTRACE TESTDATA: what DuckDB answers about the tables of all traces of Go 1.22
and later together is the sum of what the other commands say of each trace. The queries of
docs/columns.md run as well."""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import engine


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def make_tables(gotrace, traces, folder):
    """Writes two versions of a service, with half of the traces each."""
    for version, part in ("v 1", traces[::2]), ("v/2", traces[1::2]):
        subprocess.run([gotrace, "columns", *part, "-o", folder, "--service", "shop",
                        "--version", version], check=True)


def views(folder):
    return [f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{folder}/{table}/**/*.parquet', "
            "hive_partitioning=true)" for table in sorted(os.listdir(folder))]


def expected_latency(gotrace, traces):
    """The number and the sum of the waits for a proc, by version."""
    found = collections.defaultdict(lambda: [0, 0])
    for i, trace in enumerate(traces):
        for line in run(gotrace, "latency", "--json", "--lenient", trace).splitlines():
            row = json.loads(line)
            if row["kind"] == "sched" and row["group"] == "all":
                found["v/2" if i % 2 else "v 1"][0] += row["count"]
                found["v/2" if i % 2 else "v 1"][1] += row["sum_ns"]
    return [[version, *map(str, row)] for version, row in sorted(found.items())]


def expected_goroutines(gotrace, traces):
    """The sums of times by function, of functions that have a name."""
    found = collections.defaultdict(lambda: [0, 0, 0])
    for trace in traces:
        for line in run(gotrace, "summary", "--lenient", trace).splitlines():
            row = json.loads(line)
            if row.get("created") is not None and row["name"]:
                found[row["name"]][0] += 1
                found[row["name"]][1] += row["stats"]["Exec"]
                found[row["name"]][2] += sum(row["stats"]["Block"].values())
    return [[name, *map(str, row)] for name, row in sorted(found.items())]


QUERIES = {
    "latency": "SELECT version, count(*), sum(duration_ns) FROM goroutine_states WHERE "
               "state = 'Runnable' AND cut = 0 GROUP BY version ORDER BY version",
    "goroutines": "SELECT function, count(*), sum(execution_ns), sum(block_ns) FROM goroutines "
                  "WHERE function IS NOT NULL GROUP BY function ORDER BY function",
    "stacks": "SELECT count(*) FROM goroutine_states s ANTI JOIN stacks k USING (stack_id) "
              "WHERE s.stack_id IS NOT NULL",
    "same": "SELECT count(*) FROM (SELECT stack_id FROM stacks GROUP BY stack_id "
            "HAVING count(DISTINCT folded) > 1)",
    "leaks": "SELECT count(*) FROM goroutines g WHERE ended_ns IS NULL AND NOT EXISTS (FROM "
             "goroutine_states s WHERE s.trace_id = g.trace_id AND s.goroutine = g.goroutine AND "
             "s.cut >= 2)",
    "dates": "SELECT count(DISTINCT service), count(DISTINCT version), count(*) FROM traces "
             "WHERE date = '2026-11-21' OR date = 'unknown'",
}


def documented(folder):
    """The statements of docs/columns.md, for these tables."""
    path = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "columns.md")
    with open(path, encoding="utf-8") as file:
        blocks = re.findall("^```sql\n(.*?)^```$", file.read(), re.M | re.S)
    statements = [part.strip() for block in blocks for part in block.split(";\n")]
    return [part.replace("'tables/", f"'{folder}/") for part in statements if part]


def main():
    gotrace, testdata = sys.argv[1:]
    engine.need("duckdb")
    traces = sorted(glob.glob(os.path.join(testdata, "v2", "go*.trace")))
    with tempfile.TemporaryDirectory() as folder:
        make_tables(gotrace, traces, folder)
        made = views(folder)
        answers = engine.ask("duckdb", made + list(QUERIES.values()))[len(made):]
        shown = documented(folder)
        rows = [len(rows) for rows in engine.ask("duckdb", shown)]
        need(min(rows[-7:]) > 0, "a query of the document has no answer", rows)
    answers = dict(zip(QUERIES, answers, strict=True))
    need(answers["latency"] == expected_latency(gotrace, traces), answers["latency"])
    need(answers["goroutines"] == expected_goroutines(gotrace, traces), answers["goroutines"])
    need(answers["stacks"] == answers["same"] == answers["leaks"] == [["0"]], answers)
    need(answers["dates"] == [["1", "2", str(len(traces))]], answers["dates"])


if __name__ == "__main__":
    main()
