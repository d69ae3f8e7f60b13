// SPDX-License-Identifier: BSD-3-Clause
//
// answers.mjs MODULE COMMAND TRACE...: checks that the viewer in a WebAssembly module answers
// requests for all its routes as `gotrace view` does, byte for byte. MODULE is gotrace-web.wasm,
// COMMAND is gotrace. Also that a file that is no trace, a damaged one and one that cannot be read
// any more are reported, and what happens to wrong requests.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {closeSync, fstatSync, openSync, readFileSync, readSync} from "node:fs";
import {basename} from "node:path";
import {argv} from "node:process";
import {createInterface} from "node:readline";

import {Engine} from "../../../examples/page/engine.js";

const SOURCE = new URL("../../../lib/web/endpoints.c", import.meta.url);
const PATIENCE = 60000;
// The memory, and what only a server has.
const OWN = ["name", "memory", "process_memory", "traces_url"];

/** The addresses that are requested. TRACKS and NAME are replaced by some of the trace. */
const ADDRESSES = [
  "", "trace", "compare", "static/app.js", "static/nothing.js", "favicon.ico", "report",
  "goroutines",
  "goroutine?name=NAME", "usertasks", "usertask", "userregions", "userregion", "search?q=1", "gc",
  "mmu", "contention", "io", "block", "syscall", "sched", "regionio", "regionblock",
  "regionsyscall", "regionsched", "sched?raw=1", "block?raw=1", "io?raw=1", "syscall?raw=1",
  "api/activity?view=goroutine&bins=64&headers=0,1",
  "api/area", "api/area?view=proc", "api/area?start=1000&end=2000000", "api/area?tracks=TRACKS",
  "api/area.csv", "api/area.pftrace", "api/area.pftrace?view=proc",
  "api/area.trace?start=0&end=100000000", "api/arrows?max=1000&tracks=TRACKS",
  "api/contention", "api/contention?count=10", "api/counters?bins=256", "api/counters/at?t=1000000",
  "api/flame?kind=wall", "api/flame?kind=running", "api/flame?kind=waiting&tracks=TRACKS",
  "api/flame.pprof?kind=wall", "api/gc?bins=256", "api/gc/cycles", "api/gc/stops?count=100",
  "api/gc/summary", "api/group?name=NAME", "api/groups", "api/losses?bins=64", "api/mark?index=0",
  "api/marks?bins=256", "api/minimap?bins=256", "api/mmu", "api/mmu?flags=stw%7Cbackground",
  "api/mmu/worst?window=1000&flags=stw", "api/notes", "api/profile?kind=block",
  "api/profile?kind=sched", "api/profile?kind=regionblock", "api/region?type=NAME", "api/regions",
  "api/report", "api/row?view=goroutine&id=1", "api/row?view=goroutine&id=-1",
  "api/rows?view=proc", "api/rows?view=thread", "api/rows?view=goroutine&group=1&count=100",
  "api/rows?view=task&tree=1", "api/rows?view=none", "api/rows", "api/search?q=main&max=100",
  "api/search.csv?q=kind:state", "api/search/table?q=1&count=100&sort=name",
  "api/span?track=TRACK&index=0", "api/span?track=TRACK&at=1000000", "api/span?track=4000000000",
  "api/task?count=10", "api/tasks", "api/tiles?level=9&index=0&tracks=TRACKS",
  "api/tiles?level=0&index=0&tracks=TRACKS", "api/trace", "api/live", "jsontrace",
  "jsontrace?view=goroutine", "api/why?count=100&nodes=1",
  "api/why?goroutine=1", "api/why?tracks=TRACKS&sort=time&desc=1", "nothing", "api/nothing",
  "api/area?start=x",
];

/** The paths in the table of the library. */
function routes() {
  const rows = readFileSync(SOURCE, "utf8").matchAll(/^ +\{"\/([^"]*)", gt_web_/gm);
  return new Set([...rows].map(([, path]) => path));
}

/** `gotrace view` of a trace; resolves to the process and its URL. */
async function serve(command, trace) {
  const server = spawn(command, ["view", "--no-open", "--no-notes", trace]);
  for await (const line of createInterface(server.stdout)) {
    const url = /listening on (http:\S+)$/.exec(line)?.[1];
    if (url) return {server, url};
  }
  throw new Error(`${command} does not serve ${trace}`);
}

/** Repeats a request until its answer is complete. */
async function complete(ask) {
  for (const end = performance.now() + PATIENCE; ; ) {
    const answer = await ask();
    if (answer.status !== 202) return answer;
    assert(performance.now() < end, "an analysis takes too long");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function askServer(url, address) {
  const response = await fetch(`${url}/${address}`);
  const body = new Uint8Array(await response.arrayBuffer());
  return {status: response.status, type: response.headers.get("Content-Type"), body};
}

function askEngine(engine, address) {
  const answer = engine.ask(address);
  while (answer.status === 202 && engine.step(1000));
  const type = answer.headers.find(([name]) => name === "Content-Type")?.[1];
  return {status: answer.status, type, body: answer.body};
}

/** The engine with the file of a descriptor. */
async function openEngine(module, name, descriptor) {
  const {size} = fstatSync(descriptor);
  const read = (start, end) => {
    const bytes = new Uint8Array(end - start);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
  };
  const engine = await Engine.open(module, name, size, read);
  while (engine.step(20));
  return engine;
}

const parsed = ({body}) => JSON.parse(new TextDecoder().decode(body));

/** Compares the facts about the trace without those of the host. */
function compareFacts(native, own) {
  const [expected, found] = [native, own].map(parsed);
  for (const name of OWN) {
    delete expected[name];
    delete found[name];
  }
  assert.deepEqual(found, expected);
}

async function compareTrace(module, command, trace) {
  const {server, url} = await serve(command, trace);
  const descriptor = openSync(trace);
  try {
    const engine = await openEngine(module, basename(trace), descriptor);
    await complete(async () => {
      const done = parsed(await askServer(url, "api/trace")).progress.done;
      return {status: done ? 200 : 202};
    });
    const {rows} = parsed(askEngine(engine, "api/rows?view=goroutine&count=50"));
    const tracks = rows.flatMap((row) => row.lanes.map((lane) => lane.track));
    const name = encodeURIComponent(rows.at(-1)?.name ?? "");
    for (const template of ADDRESSES) {
      const address = template
        .replace("TRACKS", tracks.join(","))
        .replace("TRACK", String(tracks[0] ?? 0))
        .replace("NAME", name);
      const native = await complete(() => askServer(url, address));
      const own = await complete(() => askEngine(engine, address));
      assert.equal(own.status, native.status, address);
      assert.equal(own.type, native.type, address);
      if (address === "api/trace") compareFacts(native, own);
      else assert(Buffer.compare(own.body, native.body) === 0, `${address} of ${trace} differs`);
    }
  } finally {
    closeSync(descriptor);
    server.kill();
  }
  console.log(`${basename(trace)}: ${ADDRESSES.length} answers are the same`);
}

/** What is no trace, or is one no more, ends with a message and not in a trap. */
async function checkTrouble(module, trace) {
  const bytes = readFileSync(trace);
  const open = (data) => Engine.open(module, "x", data.length, (from, to) => data.subarray(from, to));
  await assert.rejects(open(new Uint8Array(0)), /./);
  await assert.rejects(open(new TextEncoder().encode("this is no trace")), /./);
  const cut = await open(bytes.subarray(0, Math.floor(bytes.length * 0.7)));
  while (cut.step(20));
  assert(parsed(cut.ask("api/trace")).progress.done);
  let gone = false;
  const vanishing = await Engine.open(module, "x", bytes.length, (from, to) => {
    if (gone) throw new Error("gone");
    return bytes.subarray(from, to);
  });
  while (vanishing.step(20));
  gone = true;
  vanishing.piece = new Uint8Array(0);
  const answer = await complete(() => askEngine(vanishing, "api/groups"));
  assert.equal(answer.status, 500);
}

const asked = new Set(ADDRESSES.map((address) => address.replace(/\?.*/, "")));
for (const path of routes()) {
  const covered = path.endsWith("/") ? [...asked].some((each) => each.startsWith(path)) : asked.has(path);
  assert(covered, `${path} is not compared`);
}
const [file, command, ...traces] = argv.slice(2);
const module = await WebAssembly.compile(readFileSync(file));
await checkTrouble(module, traces[0]);
for (const trace of traces) await compareTrace(module, command, trace);
