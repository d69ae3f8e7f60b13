#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# npm's hdr-histogram-js 3.0.1 counts in buckets of 32 bits unless told otherwise, and lets a bucket
# that is full begin again at 0. The total of all counts goes on, so that percentiles look for counts
# that no bucket has: they are 0, and the mean throws. A count that large is not far off where each
# value counts for the time that it took, as in a profile: 2^32 ns are 4.3 s. With buckets of 16
# bits, which save memory, it takes 65,536 values. The build in WebAssembly does the same, also
# through recordValue one by one and by adding histograms.
#
# Buckets of 64 bits, and those called "packed", are right.
#
# Seen on Node.js 20.20.2:
#   32 bits: total 5294967296, median 0, mean throws
#   32 bits, WebAssembly: total 5294967296, median 0, mean throws
#   16 bits, one by one: total 65537, median 0, mean throws
#   16 bits, added: total 80000, median 0
#   64 bits: total 5294967296, median 5, mean 192.9
#   packed: total 5294967296, median 5, mean 192.9
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error hdr-histogram-js@3.0.1 >/dev/null

cat >count.mjs <<'END'
import { build, initWebAssembly } from "hdr-histogram-js";

function tell(name, histogram) {
  let mean;
  try {
    mean = histogram.mean.toFixed(1);
  } catch {
    mean = "throws";
  }
  const median = histogram.getValueAtPercentile(50);
  console.log(`${name}: total ${histogram.totalCount}, median ${median}, mean ${mean}`);
}

/** 2^32 times 5, and 10^9 times 1,000. */
function weighted(options) {
  const histogram = build(options);
  histogram.recordValueWithCount(5, 2 ** 32);
  histogram.recordValueWithCount(1000, 1e9);
  return histogram;
}

await initWebAssembly();
tell("32 bits", weighted({}));
tell("32 bits, WebAssembly", weighted({ useWebAssembly: true }));
const small = build({ bitBucketSize: 16 });
for (let i = 0; i < 65536; i++) small.recordValue(5);
small.recordValue(1000);
tell("16 bits, one by one", small);
const [sum, other] = [1, 2].map(() => {
  const half = build({ bitBucketSize: 16 });
  half.recordValueWithCount(5, 35000);
  half.recordValueWithCount(1000, 5000);
  return half;
});
sum.add(other);
console.log(`16 bits, added: total ${sum.totalCount}, median ${sum.getValueAtPercentile(50)}`);
tell("64 bits", weighted({ bitBucketSize: 64 }));
tell("packed", weighted({ bitBucketSize: "packed" }));
END

node count.mjs | tee seen
diff - seen <<'END'
32 bits: total 5294967296, median 0, mean throws
32 bits, WebAssembly: total 5294967296, median 0, mean throws
16 bits, one by one: total 65537, median 0, mean throws
16 bits, added: total 80000, median 0
64 bits: total 5294967296, median 5, mean 192.9
packed: total 5294967296, median 5, mean 192.9
END
