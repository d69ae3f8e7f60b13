#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# npm's pprof-format 2.3.2, with which Node.js profilers write and read pprof's protobuf, decodes the
# values of samples as unsigned numbers, although they are int64. A profile of differences, as
# `go tool pprof -proto -diff_base` writes it, has negative values: -5 comes back as
# 18446744073709551611n. The encoder writes -5 as it should be.
#
# The type of a value depends on its size, too: a number up to 268435455, whose varint has four
# bytes, and a bigint from then on, also within one list. In nanoseconds that is 0.27 s, so that
# adding the values of a profile of time, which has both, ends with a TypeError.
#
# Seen on Node.js 20.20.2:
#   negative: 18446744073709551611n
#   below 2^28: 268435455, from 2^28 on: 268435456n
#   sum: TypeError
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error pprof-format@2.3.2 >/dev/null

cat >decode.mjs <<'END'
import { Profile, Sample, StringTable, ValueType } from "pprof-format";
import { inspect } from "node:util";

const stringTable = new StringTable();
const wall = new ValueType({
  type: stringTable.dedup("wall"),
  unit: stringTable.dedup("nanoseconds"),
});

/** The values of one sample, encoded and decoded again. */
function values(...given) {
  const sampleType = given.map(() => wall);
  const sample = [new Sample({ locationId: [], value: given })];
  const bytes = new Profile({ stringTable, sampleType, sample }).encode();
  return Profile.decode(bytes).sample[0].value;
}

console.log(`negative: ${inspect(values(-5)[0])}`);
const [below, above] = values(2 ** 28 - 1, 2 ** 28);
console.log(`below 2^28: ${inspect(below)}, from 2^28 on: ${inspect(above)}`);
try {
  console.log(`sum: ${below + above}`);
} catch (error) {
  console.log(`sum: ${error.name}`);
}
END
node decode.mjs | tee found

diff found - <<'END'
negative: 18446744073709551611n
below 2^28: 268435455, from 2^28 on: 268435456n
sum: TypeError
END
