// SPDX-License-Identifier: BSD-3-Clause
//
// memory_test.mjs PAGE ROOT: the viewer's engine when its memory is used up, which is made so by
// blocks that the test takes. What was read of the trace is shown, and all messages name the ways
// out. PAGE is the folder of the build with gotrace-web.wasm, and ROOT that of the sources.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const [folder, root] = argv.slice(2);
const { Engine } = await import(pathToFileURL(join(folder, "engine.js")).href);
const module = await WebAssembly.compile(readFileSync(join(folder, "gotrace-web.wasm")));
const bytes = readFileSync(join(root, "testdata/v2/go1.27-mix.trace"));

const PAGES_MAX = 65536;
const PAGE = 65536;
/** About as many bytes are left: fewer than the trace needs. */
const LEFT = 1 << 18;

async function start() {
  const read = (from, to) => bytes.subarray(from, to);
  const engine = await Engine.open(module, "x", bytes.length, read);
  engine.memory.grow(PAGES_MAX - engine.memory.buffer.byteLength / PAGE);
  return engine;
}

/** Takes all memory but some. */
function fill(engine, left) {
  const spare = left > 0 ? engine.functions.page_alloc(left) : 0;
  for (let size = 1 << 24; size > 64; )
    if (engine.functions.page_alloc(size) === 0) size >>= 1;
  engine.functions.page_free(spare);
}

function ask(engine, address) {
  let answer = engine.ask(address);
  for (let tries = 0; answer.status === 202 && tries < 100; tries++) {
    engine.step(1000);
    answer = engine.ask(address);
  }
  return { ...answer, ...JSON.parse(new TextDecoder().decode(answer.body)) };
}

/** A message that helps the user. */
const HELP = /gotrace view.*gotrace cut/;

const short = await start();
fill(short, LEFT);
while (short.step(20));
const facts = ask(short, "api/trace");
assert(facts.progress.done);
assert.match(facts.error, HELP);
assert(facts.counts.events < 10000, "the trace was read as a whole");
/* What is left for answers was not taken by the trace. */
assert.equal(ask(short, "api/groups").status, 200);
assert.equal(ask(short, "api/report").status, 200);

/* Addresses from 2 GB on. */
const high = await Engine.open(module, "x", bytes.length, (from, to) => bytes.subarray(from, to));
for (let i = 0; i < 9; i++) assert.notEqual(high.functions.page_alloc(1 << 28), 0);
while (high.step(20));
const { error, counts } = ask(high, "api/trace");
assert.equal(error, null);
assert(counts.events > 10000);
assert(high.memory.buffer.byteLength > 1 << 31 >>> 0);
assert.equal(ask(high, "api/report").status, 200);

const late = await start();
while (late.step(20));
assert.equal(ask(late, "api/trace").error, null);
fill(late, 0);
const failed = ask(late, "api/contention");
assert.equal(failed.status, 503);
assert.match(failed.error, HELP);
console.log("the engine says what to do without memory");
