#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""parquet_check_test.py MAKE CHECK: the reader of Parquet files that the fuzz targets use accepts
files of random columns, and notices damage."""
import os
import subprocess
import sys
import tempfile

SEEDS = 40
# Larger files take long, as each of hundreds of damaged copies is read.
MOST = 64 << 10


def main():
    make, check = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for seed in range(SEEDS):
            path = os.path.join(folder, f"{seed}.parquet")
            encoding = "plain" if seed % 4 == 0 else "packed"
            subprocess.run([make, str(seed), encoding, path, os.devnull], check=True)
            if os.path.getsize(path) <= MOST:
                paths.append(path)
        assert len(paths) > SEEDS // 2, "most files are too large"
        if subprocess.run([check, *paths]).returncode != 0:
            sys.exit(1)


if __name__ == "__main__":
    main()
