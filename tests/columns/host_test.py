#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""host_test.py HOST TESTDATA chdb|duckdb: ClickHouse and DuckDB, as libraries in one process with
libgotrace-columns, take its streams of Arrow, and count and add up what its batches have."""
import os
import subprocess
import sys

import engine

TRACES = "go1.22-gc.trace", "go1.27-gens.trace", "go1.27-mix.trace"


def main():
    host, testdata, name = sys.argv[1:]
    library = engine.clickhouse() if name == "chdb" else engine.duckdb_library()
    for trace in TRACES:
        subprocess.run([host, name, library, os.path.join(testdata, "v2", trace)], check=True)


if __name__ == "__main__":
    main()
