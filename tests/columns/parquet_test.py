#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""parquet_test.py MAKE own|hyparquet|duckdb: files of random columns have the values that were
given to the writer, by the reader of these tests or by another one, which may be missing."""
import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import engine
import parquet_read

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import count_of

# Among the values of the files there are no cycles to look for.
gc.disable()

SEEDS = count_of(20, 60)
DAMAGED = count_of(4, 8)
DAMAGED_MAX = 32 << 10


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else str(value)


def check_own(path, kinds, rows):
    file = parquet_read.read(path)
    found = ["timestamp" if column.is_timestamp else column.kind for column in file.columns]
    assert found == kinds, (found, kinds)
    assert [[text_of(value) for value in row.values()] for row in file.rows()] == rows, path
    return file


def check_damage(path):
    """The reader of these tests finds a fault in every byte before the footer."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for at in range(0, end, max(1, end // 200)):
        data[at] ^= 1
        try:
            parquet_read.File(bytes(data))
        except (parquet_read.Bad, ValueError, LookupError, TypeError, OverflowError):
            data[at] ^= 1
        else:
            raise SystemExit(f"{path}: byte {at} was changed, and nobody noticed")


def select(path, kinds):
    """A statement that gives all values as strings."""
    columns = [f"epoch_us(c{i})::VARCHAR" if kind == "timestamp" else f"c{i}::VARCHAR"
               for i, kind in enumerate(kinds)]
    return f"SELECT {', '.join(columns)} FROM read_parquet('{path}')"


def make_files(make, folder):
    """Yields the name of each file, the kinds of its columns, and its rows."""
    expected = os.path.join(folder, "expected")
    for seed in range(SEEDS):
        path = os.path.join(folder, f"{seed}.parquet")
        encoding = "plain" if seed % 4 == 0 else "packed"
        subprocess.run([make, str(seed), encoding, path, expected], check=True)
        with open(expected, encoding="utf-8") as file:
            kinds, *rows = map(json.loads, file)
        yield seed, path, kinds, rows


def check_all(files):
    encodings = set()
    for seed, path, kinds, rows in files:
        own = check_own(path, kinds, rows)
        assert own.pairs == {"made": str(seed)}
        encodings |= {code for group in own.meta[4] for about in group[1] for code in about[3][2]}
        if seed < DAMAGED and os.path.getsize(path) < DAMAGED_MAX:
            check_damage(path)
    assert encodings == {parquet_read.PLAIN, parquet_read.RLE, parquet_read.DELTA,
                         parquet_read.DICTIONARY}, encodings


def main():
    make, reader = sys.argv[1:]
    question = {"own": None, "hyparquet": lambda path, kinds: path, "duckdb": select}[reader]
    if question:
        engine.need(reader)
    with tempfile.TemporaryDirectory() as folder:
        files = list(make_files(make, folder))
        if not question:
            check_all(files)
            return
        answers = engine.ask(reader, [question(path, kinds) for _, path, kinds, _ in files])
        for (_, path, _, rows), answer in zip(files, answers, strict=True):
            assert answer == rows, f"{reader} reads other values in {path}"


if __name__ == "__main__":
    main()
