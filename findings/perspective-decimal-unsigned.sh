#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Perspective, the table and chart for the browser, reads streams of Apache Arrow. Version 3.8.0, the
# last one of npm's @finos/perspective, takes the unscaled integer of a Decimal128 for its value, so
# that 123.45 of decimal(10, 2) becomes 12345, an `integer`. It gives unsigned columns a sign in
# what to_columns returns, but not in sums and in to_csv: a row shows -1 and its sum 255.
#
# Version 5.5.1 of @perspective-dev/client, as the package is called now, has both right, but still
# adds UInt64 modulo 2^64: 18446744073709551615 and 1 have the sum 0, without an error.
#
# Seen on Node.js 20.20.2 with apache-arrow 17.0.0:
#   @finos/perspective 3.8.0: decimal 12345 (integer), uint8 -1, its sum 255, in CSV 255
#   @perspective-dev/client 5.5.1: decimal 123.45 (float), uint8 255, its sum 255, in CSV 255
#   both: sum of uint64 0
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error @finos/perspective@3.8.0 \
  @perspective-dev/client@5.5.1 apache-arrow@17.0.0 >/dev/null

cat >read.mjs <<'END'
import { Decimal, Table, Uint64, Uint8, tableToIPC, vectorFromArray } from "apache-arrow";

const [name, version] = process.argv.slice(2);
const perspective = (await import(name)).default;
const given = new Table({
  decimal: vectorFromArray([new Uint32Array([12345, 0, 0, 0])], new Decimal(2, 10)),
  byte: vectorFromArray([255], new Uint8()),
});
const long = new Table({ long: vectorFromArray([2n ** 64n - 1n, 1n], new Uint64()) });

const table = await perspective.table(tableToIPC(given));
const columns = await (await table.view()).to_columns();
const type = (await table.schema()).decimal;
const grouped = await table.view({ columns: ["byte"], group_by: ["byte"] });
const sum = (await grouped.to_columns()).byte[0];
const csv = (await (await table.view({ columns: ["byte"] })).to_csv()).trim().split("\n")[1];
console.log(
  `${name} ${version}: decimal ${columns.decimal[0]} (${type}), uint8 ${columns.byte[0]}, ` +
    `its sum ${sum}, in CSV ${csv}`,
);
const longs = await perspective.table(tableToIPC(long));
const all = await longs.view({ columns: ["long"], group_by: ["long"] });
console.log(`sum of uint64 ${(await all.to_columns()).long[0]}`);
process.exit(0);
END

{
  node read.mjs @finos/perspective 3.8.0
  node read.mjs @perspective-dev/client 5.5.1
} | tee seen
diff - seen <<'END'
@finos/perspective 3.8.0: decimal 12345 (integer), uint8 -1, its sum 255, in CSV 255
sum of uint64 0
@perspective-dev/client 5.5.1: decimal 123.45 (float), uint8 255, its sum 255, in CSV 255
sum of uint64 0
END
