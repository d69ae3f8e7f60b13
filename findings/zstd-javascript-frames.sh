#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Decoders of zstd for JavaScript, by what a valid file has in it (RFC 8878). `zstd` leaves the size of
# the content out where it reads from a pipe; pzstd puts a skippable frame before each of its frames;
# `cat` and programs that append make files of several frames.
#
# - zstddec 0.3.4 returns, for a frame without the size, an array of some 17 million bytes that are not
#   the content, without an error. If the caller names a size that is too small, as that of the first
#   of two frames is, the array is empty, without an error. Its streaming decoder reads all files.
# - @bokuweb/zstd-wasm 0.0.27 refuses several frames and a skippable one that comes first, and says
#   that it failed to compress.
# - zstd-codec 0.1.5 returns null for all files but one frame with a size; its streaming decoder reads
#   all of them.
# - fzstd 0.1.1 reads all of them, as `zstd` 1.5.4 does.
#
# Seen on Node.js 20.20.2, as the end of this file has it. Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --no-audit --no-fund --loglevel error zstddec@0.3.4 @bokuweb/zstd-wasm@0.0.27 \
  zstd-codec@0.1.5 fzstd@0.1.1 >/dev/null

cat >frames.mjs <<'END'
import { createRequire } from "node:module";
import * as fzstd from "fzstd";
import { ZSTDDecoder } from "zstddec";
import { ZSTDDecoder as StreamingDecoder } from "zstddec/stream";

const require = createRequire(import.meta.url);
const bokuweb = require("@bokuweb/zstd-wasm");
const { ZstdCodec } = require("zstd-codec");

/** A frame with one block that is not compressed. */
function frame(letter, count, hasSize) {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  // One segment and a size of two bytes, from 256 on; or a window of 1 KiB.
  const size = Buffer.alloc(2);
  size.writeUInt16LE(hasSize ? count - 256 : 0);
  const described = hasSize ? Buffer.concat([Buffer.from([0x60]), size]) : Buffer.from([0, 0]);
  const block = Buffer.alloc(3);
  block.writeUIntLE((count << 3) | 1, 0, 3);
  return Buffer.concat([header, described, block, Buffer.from(letter.repeat(count))]);
}

const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
const files = {
  "one frame": frame("a", 1000, true),
  "without a size": frame("a", 1000, false),
  "two frames": Buffer.concat([frame("a", 1000, true), frame("b", 300, true)]),
  "a skippable one first": Buffer.concat([skippable, frame("a", 1000, true)]),
};

/** How often each letter is in it, or how long something else is. */
function tell(bytes) {
  if (!bytes) return String(bytes);
  const text = Buffer.from(bytes).toString("latin1");
  if (!/^[ab]*$/.test(text)) return `${text.length > 16e6 ? "millions of" : "some"} other bytes`;
  const runs = text.match(/(.)\1*/g) ?? [];
  return runs.map((run) => `${run.length} ${run[0]}`).join(", ") || "nothing";
}

const whole = new ZSTDDecoder();
const streaming = new StreamingDecoder();
await whole.init();
await streaming.init();
await bokuweb.init();
const codec = await new Promise((resolve) => ZstdCodec.run(resolve));
const simple = new codec.Simple();
const stream = new codec.Streaming();

const ways = {
  "zstddec": (file) => whole.decode(file),
  "zstddec, told 1000 bytes": (file) => whole.decode(file, 1000),
  "zstddec, told 900 bytes": (file) => whole.decode(file, 900),
  "zstddec/stream": (file) => Buffer.concat([...streaming.decodeStreaming([file])]),
  "@bokuweb/zstd-wasm": (file) => bokuweb.decompress(file),
  "zstd-codec, Simple": (file) => simple.decompress(file),
  "zstd-codec, Streaming": (file) => stream.decompress(file),
  "fzstd": (file) => fzstd.decompress(file),
};

for (const [name, decode] of Object.entries(ways)) {
  for (const [kind, file] of Object.entries(files)) {
    let told;
    try {
      told = tell(decode(new Uint8Array(file)));
    } catch (error) {
      told = String(error.message ?? error);
    }
    console.log(`${name}: ${kind}: ${told}`);
  }
}
END

node frames.mjs | tee seen
diff - seen <<'END'
zstddec: one frame: 1000 a
zstddec: without a size: millions of other bytes
zstddec: two frames: 1000 a, 300 b
zstddec: a skippable one first: 1000 a
zstddec, told 1000 bytes: one frame: 1000 a
zstddec, told 1000 bytes: without a size: 1000 a
zstddec, told 1000 bytes: two frames: nothing
zstddec, told 1000 bytes: a skippable one first: 1000 a
zstddec, told 900 bytes: one frame: nothing
zstddec, told 900 bytes: without a size: nothing
zstddec, told 900 bytes: two frames: nothing
zstddec, told 900 bytes: a skippable one first: nothing
zstddec/stream: one frame: 1000 a
zstddec/stream: without a size: 1000 a
zstddec/stream: two frames: 1000 a, 300 b
zstddec/stream: a skippable one first: 1000 a
@bokuweb/zstd-wasm: one frame: 1000 a
@bokuweb/zstd-wasm: without a size: 1000 a
@bokuweb/zstd-wasm: two frames: Failed to compress with code -70
@bokuweb/zstd-wasm: a skippable one first: Failed to compress with code -70
zstd-codec, Simple: one frame: 1000 a
zstd-codec, Simple: without a size: null
zstd-codec, Simple: two frames: null
zstd-codec, Simple: a skippable one first: null
zstd-codec, Streaming: one frame: 1000 a
zstd-codec, Streaming: without a size: 1000 a
zstd-codec, Streaming: two frames: 1000 a, 300 b
zstd-codec, Streaming: a skippable one first: 1000 a
fzstd: one frame: 1000 a
fzstd: without a size: 1000 a
fzstd: two frames: 1000 a, 300 b
fzstd: a skippable one first: 1000 a
END
