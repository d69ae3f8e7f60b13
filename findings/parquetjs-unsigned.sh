#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# npm's @dsnp/parquetjs 1.8.8 reads the unsigned integers of Parquet files as signed ones, although
# its schema of the file says UINT_32 and UINT_64: 4000000000 becomes -294967296, and the largest
# UINT_64, which is often an id that means "none", becomes -1n. There is no error. UINT_8 and UINT_16
# are right, as Parquet stores them in 32 bits.
#
# Of times it reads TIMESTAMP_MICROS as Date, which drops the microseconds, and nanoseconds, for
# which only newer files have a logical type, as plain bigints.
#
# The file is written by DuckDB 1.5.6. Seen on Node.js 20.20.2:
#   UINT_32: -294967296
#   UINT_64: -1n
#   UINT_16: 65000
#   TIMESTAMP_MICROS: 2026-01-01T00:00:00.123Z
#   undefined: 1767225600123456789n
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error \
  @dsnp/parquetjs@1.8.8 @duckdb/node-api@1.5.6-r.1 >/dev/null

cat >read.mjs <<'END'
import { DuckDBInstance } from "@duckdb/node-api";
import parquet from "@dsnp/parquetjs";
import { inspect } from "node:util";

const duckdb = await (await DuckDBInstance.create()).connect();
await duckdb.run(`COPY (SELECT
  4000000000::UINTEGER AS u32,
  18446744073709551615::UBIGINT AS u64,
  65000::USMALLINT AS u16,
  TIMESTAMP '2026-01-01 00:00:00.123456' AS micros,
  TIMESTAMP_NS '2026-01-01 00:00:00.123456789' AS nanos
) TO 'numbers.parquet'`);

const reader = await parquet.ParquetReader.openFile("numbers.parquet");
const row = await reader.getCursor().next();
for (const [name, field] of Object.entries(reader.getSchema().fields))
  console.log(`${field.originalType}: ${inspect(row[name])}`);
await reader.close();
END
node read.mjs | tee found

diff found - <<'END'
UINT_32: -294967296
UINT_64: -1n
UINT_16: 65000
TIMESTAMP_MICROS: 2026-01-01T00:00:00.123Z
undefined: 1767225600123456789n
END
