#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# npm's nodejs-polars 0.26.1 returns only the low 32 bits of an element of a Series of Int64, as a
# signed number, if it is asked for by get(i) or by [i]: of 2^40 + 5 it returns 5, and of -(2^40) - 5
# it returns -5. There is no error, and toArray(), toRecords(), max() and sum() of the same Series
# have the whole number. So have get(i) and [i] of a Series of UInt64. Times in nanoseconds and the
# ids of goroutines are such numbers.
#
# The two types differ in toArray() as well: Int64 comes as numbers, rounded to doubles, and UInt64
# as bigints.
#
# Seen on Node.js 20.20.2:
#   Int64: get 5, -5; [i] 5, -5; toArray [ 1099511627781, -1099511627781 ]
#   UInt64: get 1099511627781; [i] 1099511627781; toArray [ 1099511627781n ]
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error \
  nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1 >/dev/null

cat >elements.mjs <<'END'
import pl from "nodejs-polars";

const large = 2n ** 40n + 5n;
const int = pl.Series("int", BigInt64Array.of(large, -large), pl.Int64);
const uint = pl.Series("uint", BigUint64Array.of(large), pl.UInt64);
console.log(
  `Int64: get ${int.get(0)}, ${int.get(1)}; [i] ${int[0]}, ${int[1]}; toArray`,
  int.toArray(),
);
console.log(`UInt64: get ${uint.get(0)}; [i] ${uint[0]}; toArray`, uint.toArray());
END
node elements.mjs | tee found

diff found - <<'END'
Int64: get 5, -5; [i] 5, -5; toArray [ 1099511627781, -1099511627781 ]
UInt64: get 1099511627781; [i] 1099511627781; toArray [ 1099511627781n ]
END
