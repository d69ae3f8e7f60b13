// SPDX-License-Identifier: BSD-3-Clause
//
// hostile_test.mjs PACKAGE COMMAND ROOT [SECONDS [SEED [FOLDER...]]]: reads damaged traces by the
// package and by the program COMMAND, which must give the same events and the same verdict, and no
// trap: those that fuzzing has found, and traces of testdata in which bytes were changed, removed
// or repeated. With SECONDS it goes on for so long, and reads the files of the FOLDERs as well,
// such as the corpora of the fuzzers. PACKAGE is the folder of the npm package, ROOT that of the
// sources.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";

const [folder, program, root, seconds = "0", seed = "1", ...corpora] = argv.slice(2);
const { TraceError, open, read } = await import(pathToFileURL(join(folder, "gotrace.js")).href);

/** How many damaged traces are read if no time is given. */
const COUNT = 12;
/** Larger inputs take too long for what they show. */
const SIZE_MAX = 1 << 20;
const TRACES = [
  "v2/go1.27-mix.trace", "v2/go1.26-tasks.trace", "v2/go1.23-gcgens.trace",
  "v2/go1.22-stacks.trace", "v1/go1.21-stacks.trace", "v1/go1.19-cut.trace",
].map((name) => join(root, "testdata", name));

let state = Number(seed);
/** A number below a limit, which the seed decides. */
function random(limit) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

/** Some ways to damage a trace. Each returns other bytes. */
const DAMAGES = [
  function cut(bytes) {
    return bytes.subarray(0, random(bytes.length));
  },
  function change(bytes) {
    const copy = new Uint8Array(bytes);
    for (let i = random(8); i >= 0; i--) copy[random(copy.length)] = random(256);
    return copy;
  },
  function grow(bytes) {
    const copy = new Uint8Array(bytes);
    const start = random(copy.length);
    return copy.fill(255, start, start + 9);
  },
  function remove(bytes) {
    const start = 16 + random(bytes.length - 16);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + random(1000))]);
  },
  function repeat(bytes) {
    const start = 16 + random(bytes.length - 16);
    return Buffer.concat([bytes.subarray(0, start + random(1000)), bytes.subarray(start)]);
  },
];

/** Calls something that reads. Returns the message of its TraceError, if it throws one. */
async function messageOf(call) {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    return error.message;
  }
  return "";
}

async function readEvents(bytes, lenient) {
  let text = "";
  let count = 0;
  const message = await messageOf(async () => {
    for (const event of (await open(bytes, { lenient })).events()) {
      text += `${event}\n`;
      count += [event.details, event.attributes, event.stack].length === 3 ? 1 : 0;
    }
  });
  return { text, count, message };
}

async function readBatches(bytes, lenient) {
  let count = 0;
  const message = await messageOf(async () => {
    for (const batch of (await open(bytes, { lenient })).readBatches()) count += batch.count;
  });
  return { count, message };
}

async function readStream(bytes, lenient) {
  let count = 0;
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  const message = await messageOf(async () => {
    for await (const batch of read(pieces(), { lenient }).readBatches()) count += batch.count;
  });
  return { count, message };
}

/** A table may end with an error, as events do. */
async function readTable(bytes, lenient) {
  const message = await messageOf(async () => {
    for (const { columns, count } of (await open(bytes, { lenient })).readTable("goroutine_states"))
      for (const column of Object.values(columns)) column.get(count - 1);
  });
  return { message };
}

const flat = (dump) => dump.replace(/\n+/g, "\n");

async function compare(bytes, path, what) {
  writeFileSync(path, bytes);
  for (const lenient of [false, true]) {
    const args = ["dump", ...(lenient ? ["--lenient"] : []), path];
    const options = { env: { ...env, TZ: "UTC" }, maxBuffer: 1 << 28 };
    const native = spawnSync(program, args, options);
    assert(native.status === 0 || native.status === 1, what);
    const events = await readEvents(bytes, lenient);
    assert(Buffer.compare(Buffer.from(flat(events.text)), Buffer.from(flat(native.stdout.toString()))) === 0, `${what}: other events`);
    assert.equal(events.message !== "", native.status !== 0, what);
    // The command names its own option for what the library advises.
    const message = events.message.replace("GT_READER_LENIENT", "--lenient");
    if (message !== "")
      assert(native.stderr.toString().includes(message), `${what}: ${message}\n${native.stderr}`);
    for (const other of [await readBatches(bytes, lenient), await readStream(bytes, lenient)]) {
      assert.equal(other.message, events.message, what);
      assert.equal(other.count, events.count, what);
    }
    assert.equal((await readTable(bytes, lenient)).message, events.message, what);
  }
}

function files(path) {
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile() && statSync(name).size <= SIZE_MAX)
    .sort();
}

const work = mkdtempSync(join(tmpdir(), "gotrace-"));
const path = join(work, "hostile.trace");
const end = performance.now() + Number(seconds) * 1000;
const goesOn = (done) => (seconds === "0" ? done < COUNT : performance.now() < end);
try {
  const found = ["tests/fuzz/finds", "testdata/hostile"].flatMap((name) => files(join(root, name)));
  assert(found.length > 10);
  for (const name of found) await compare(readFileSync(name), path, name);
  const others = corpora.flatMap(files);
  let done = 0;
  for (const name of others) {
    if (!goesOn(done)) break;
    await compare(readFileSync(name), path, name);
  }
  for (; goesOn(done); done++) {
    const before = state;
    const trace = TRACES[done % TRACES.length];
    const damage = DAMAGES[random(DAMAGES.length)];
    await compare(damage(readFileSync(trace)), path, `seed ${before}, ${damage.name} of ${trace}`);
  }
  console.log(`${found.length + others.length} hostile and ${done} damaged traces: the same`);
} finally {
  rmSync(work, { recursive: true });
}
