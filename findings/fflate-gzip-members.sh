#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# npm's fflate 0.8.3 decompresses a gzip file of several members, as pigz, bgzip, `cat` and programs
# that append to a log make them, into something else than gzip does, without an error:
#
# - gunzipSync and decompressSync take the size from the last four bytes of the file, which are about
#   the last member, and the content from the first one. So the result is the beginning of the first
#   member, cut off after as many bytes as the last member has.
# - Gunzip, which decompresses a stream, reads all members if they come in different pieces, but of a
#   file that is handed over whole only the first one. So what a file has in it depends on how it is
#   read.
#
# pako 2.1.0 and Node's zlib read all members; pako 1.0.11 reads the first one.
#
# Seen on Node.js 20.20.2, with 3,000 times c, 10 times b and 1,000 times a in a member each:
#   zlib, gunzipSync: 3000 c, 10 b, 1000 a
#   fflate, gunzipSync: 1000 c
#   fflate, decompressSync: 1000 c
#   fflate, Gunzip, at once: 3000 c
#   fflate, Gunzip, 40 bytes at a time: 3000 c, 10 b, 1000 a
#   pako 2.1.0, ungzip: 3000 c, 10 b, 1000 a
#   pako 1.0.11, ungzip: 3000 c
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error fflate@0.8.3 pako@2.1.0 pako1@npm:pako@1.0.11 \
  >/dev/null

cat >members.mjs <<'END'
import zlib from "node:zlib";
import { decompressSync, Gunzip, gunzipSync } from "fflate";
import pako from "pako";
import pako1 from "pako1";

const members = [["c", 3000], ["b", 10], ["a", 1000]];
const file = Buffer.concat(members.map(([text, count]) => zlib.gzipSync(text.repeat(count))));

/** Says how often each letter is in a text in which equal ones are neighbours. */
function tell(name, bytes) {
  const runs = Buffer.from(bytes).toString("latin1").match(/(.)\1*/g) ?? [];
  console.log(`${name}: ${runs.map((run) => `${run.length} ${run[0]}`).join(", ")}`);
}

/** What Gunzip gives for pieces of a size. */
function stream(size) {
  const given = [];
  const gunzip = new Gunzip((piece) => given.push(Buffer.from(piece)));
  for (let at = 0; at < file.length; at += size)
    gunzip.push(file.subarray(at, at + size), at + size >= file.length);
  return Buffer.concat(given);
}

tell("zlib, gunzipSync", zlib.gunzipSync(file));
tell("fflate, gunzipSync", gunzipSync(file));
tell("fflate, decompressSync", decompressSync(file));
tell("fflate, Gunzip, at once", stream(file.length));
tell("fflate, Gunzip, 40 bytes at a time", stream(40));
tell("pako 2.1.0, ungzip", pako.ungzip(file));
tell("pako 1.0.11, ungzip", pako1.ungzip(file));
END

node members.mjs | tee seen
diff - seen <<'END'
zlib, gunzipSync: 3000 c, 10 b, 1000 a
fflate, gunzipSync: 1000 c
fflate, decompressSync: 1000 c
fflate, Gunzip, at once: 3000 c
fflate, Gunzip, 40 bytes at a time: 3000 c, 10 b, 1000 a
pako 2.1.0, ungzip: 3000 c, 10 b, 1000 a
pako 1.0.11, ungzip: 3000 c
END
