// SPDX-License-Identifier: BSD-3-Clause
//
// commands_test.mjs PACKAGE COMMAND ROOT: checks that the command as WebAssembly prints what the
// program COMMAND prints, byte for byte, with the same messages and exit code: for the traces of
// testdata, and for the inputs that fuzzing has found, of which none may end in a trap. PACKAGE is
// the folder of the npm package, and ROOT that of the sources.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";

const [folder, program, root] = argv.slice(2);
const own = (name) => import(pathToFileURL(join(folder, name)).href);
const { Instance, loadModule } = await own("host.js");
const { callCommand } = await own("command.js");
const { Wasi } = await own("wasi.js");
const module = await loadModule();

/** For each trace. */
const QUICK = [["dump"], ["stat"], ["check"]];
/** For some of them. */
const ALL = [
  ["json"], ["wire"], ["text"], ["footprint", "--csv"], ["mmu"], ["pprof", "sched"],
  ["pprof", "wall", "--text"], ["summary"], ["goroutines", "--csv"], ["latency", "--json"],
  ["mmu", "--json"], ["report"], ["report", "--json"], ["convert"], ["downgrade"], ["perfetto"],
  ["cut", "--start", "+10us"], ["dump", "--lenient"], ["stat", "--json"],
];
/** For what may be anything. */
const HOSTILE = [["dump", "--lenient"], ["report", "--json"], ["wire"]];
const MEMORY = /^.*reader.memory,?.peak.*\n/m;
/** Only every so many traces of testdata are read by all commands. */
const STEP = 8;

function files(path) {
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .sort();
}

function runOwn(path, args) {
  const wasi = new Wasi();
  const bytes = readFileSync(path);
  const read = (start, end) => bytes.subarray(start, end);
  wasi.files.set(Wasi.normal(path), { size: bytes.length, read });
  const code = callCommand(new Instance(module, wasi), [...args, path]);
  return { code, output: wasi.output.content, messages: wasi.messages.content };
}

/** The output of stat without how much memory the reader took, which pointers decide. */
function withoutMemory(bytes) {
  if (!bytes.subarray(0, 1 << 16).includes("memory")) return bytes;
  return Buffer.from(bytes.toString("latin1").replace(MEMORY, ""), "latin1");
}

function compare(path, args) {
  const options = { env: { ...env, TZ: "UTC" }, maxBuffer: 1 << 28 };
  const native = spawnSync(program, [...args, path], options);
  const found = runOwn(path, args);
  const what = `gotrace ${args.join(" ")} ${path}`;
  assert.equal(Buffer.from(found.messages).toString(), native.stderr.toString(), what);
  const [printed, expected] = [Buffer.from(found.output), native.stdout].map(withoutMemory);
  assert(Buffer.compare(printed, expected) === 0, `${what}: the output differs`);
  assert.equal(found.code, native.status, what);
}

const traces = files(join(root, "testdata")).filter((name) => /\/v[12]\/.*\.trace$/.test(name));
assert(traces.length > 50);
for (const trace of traces) for (const args of QUICK) compare(trace, args);
const some = traces.filter((_, i) => i % STEP === 0);
for (const trace of some) for (const args of ALL) compare(trace, args);
const hostile = [...files(join(root, "tests/fuzz/finds")), ...files(join(root, "testdata/hostile"))];
assert(hostile.length > 10);
for (const file of hostile) for (const args of HOSTILE) compare(file, args);
console.log(`${traces.length} traces and ${hostile.length} hostile files: the same`);
