#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hostile_test.py GOTRACE SEEDS TESTDATA: what `gotrace columns` makes of hostile and damaged
traces are valid files, which hyparquet and DuckDB read as the reader of these tests does."""
import glob
import os
import random
import subprocess
import sys
import tempfile

import engine
import parquet_read

# What follows a trace in an input of a fuzz target.
CHOICES = 8
# So many traces are in the files of one call.
TOGETHER = 50
LARGEST = 8 << 10


def damaged(data, source):
    """Changes, repeats and drops a few bytes."""
    data = bytearray(data)
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(len(data))
        size = source.randrange(1, 40)
        way = source.randrange(3)
        if way == 0:
            data[at] = source.randrange(256)
        elif way == 1:
            data[at:at] = data[at:at + size]
        elif len(data) > size:
            del data[at:at + size]
    return bytes(data)


def make_inputs(seeds, testdata):
    source = random.Random(27)
    for path in sorted(glob.glob(os.path.join(seeds, "*"))):
        with open(path, "rb") as file:
            yield file.read()[:-CHOICES]
    for path in sorted(glob.glob(os.path.join(testdata, "v2", "*.trace"))):
        with open(path, "rb") as file:
            data = file.read()
        if len(data) <= LARGEST:
            yield damaged(data, source)


def write_inputs(inputs, folder):
    paths = []
    for data in inputs:
        paths.append(os.path.join(folder, f"{len(paths)}.trace"))
        with open(paths[-1], "wb") as file:
            file.write(data)
    return paths


def make_tables(gotrace, paths, folder):
    for i in range(0, len(paths), TOGETHER):
        made = subprocess.run([gotrace, "columns", "-o", folder, "--service", str(i),
                               *paths[i:i + TOGETHER]], stderr=subprocess.PIPE)
        assert made.returncode in (0, 1), (made.returncode, made.stderr)
    return sorted(glob.glob(os.path.join(folder, "*", "*", "*", "*", "*.parquet")))


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else str(value)


def select(path, columns):
    casts = [f"epoch_us({column.name})::VARCHAR" if column.is_timestamp
             else f"{column.name}::VARCHAR" for column in columns]
    return f"SELECT {', '.join(casts)} FROM read_parquet('{path}', hive_partitioning=false)"


def check_other(name, files, questions):
    answers = engine.ask(name, questions)
    for (path, file), answer in zip(files.items(), answers, strict=True):
        rows = [[text_of(value) for value in row.values()] for row in file.rows()]
        assert answer == rows, f"{name} reads other values in {path}"


def main():
    gotrace, seeds, testdata = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        paths = write_inputs(make_inputs(seeds, testdata), folder)
        names = make_tables(gotrace, paths, os.path.join(folder, "tables"))
        files = {path: parquet_read.read(path) for path in names}
        traces = sum(len(file.rows()) for path, file in files.items() if "/traces/" in path)
        assert traces > len(paths) / 2, f"only {traces} of {len(paths)} traces have tables"
        if engine.missing("hyparquet") is None:
            check_other("hyparquet", files, names)
        if engine.missing("duckdb") is None:
            check_other("duckdb", files, [select(path, files[path].columns) for path in names])


if __name__ == "__main__":
    main()
