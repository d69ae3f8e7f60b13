#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# npm's @loaders.gl/parquet 4.5.2 has two readers of Parquet files, which do not agree. ParquetLoader
# computes decimals in floating-point numbers, so that 1.5 of DECIMAL(9, 4) becomes
# 1.4999999999999998; a negative decimal of more than 18 digits, which is stored in a byte array, it
# takes for an unsigned number, and gives a positive one of 34 digits. There is no error. An INT64
# above 2^53 comes out rounded, after "Assertion failed" on standard error. A file with a column of
# nanoseconds is refused as a whole: its Thrift definitions have milliseconds and microseconds only,
# and the message names neither the column nor the type.
#
# ParquetArrowLoader, which is parquet-wasm, has the integers right and reads nanoseconds as a number
# of milliseconds with a fraction; of decimals it gives the unscaled integer.
#
# The files are written by DuckDB 1.5.6. Seen on Node.js 20.20.2, by require, as import fails there:
#   decimal: ParquetLoader 1.4999999999999998, ParquetArrowLoader 15000
#   negative: ParquetLoader 4.028236692093831e+33, ParquetArrowLoader -123456789012345678901234
#   int64: ParquetLoader 9007199254740992, ParquetArrowLoader 9007199254740993
#   nanoseconds: ParquetLoader "Cannot read a TUnion with no set value!", ParquetArrowLoader
#     1767225600123.4568
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error \
  @loaders.gl/core@4.5.4 @loaders.gl/parquet@4.5.2 @duckdb/node-api@1.5.6-r.1 >/dev/null

cat >read.cjs <<'END'
const { DuckDBInstance } = require("@duckdb/node-api");
const { load } = require("@loaders.gl/core");
const { ParquetLoader, ParquetArrowLoader } = require("@loaders.gl/parquet");
const { readFileSync } = require("node:fs");

const values = {
  decimal: "1.5::DECIMAL(9, 4)",
  negative: "(-12345678901234567890.1234)::DECIMAL(38, 4)",
  int64: "9007199254740993::BIGINT",
  nanoseconds: "TIMESTAMP_NS '2026-01-01 00:00:00.123456789'",
};

async function read(path, loader) {
  const bytes = readFileSync(path);
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  try {
    const { data } = await load(copy, loader, { core: { worker: false } });
    return String(loader === ParquetLoader ? data[0].value : data.get(0).value);
  } catch (error) {
    return error.message;
  }
}

async function main() {
  const duckdb = await (await DuckDBInstance.create()).connect();
  for (const [name, value] of Object.entries(values)) {
    const path = `${name}.parquet`;
    await duckdb.run(`COPY (SELECT ${value} AS value) TO '${path}' (COMPRESSION uncompressed)`);
    const found = [await read(path, ParquetLoader), await read(path, ParquetArrowLoader)];
    console.log(`${name}: ${found.join(", ")}`);
  }
}

main();
END
node read.cjs 2>/dev/null | tee seen

diff seen - <<'END'
decimal: 1.4999999999999998, 15000
negative: 4.028236692093831e+33, -123456789012345678901234
int64: 9007199254740992, 9007199254740993
nanoseconds: Cannot read a TUnion with no set value!, 1767225600123.4568
END

! node --input-type=module --eval 'await import("@loaders.gl/parquet")' 2>/dev/null
