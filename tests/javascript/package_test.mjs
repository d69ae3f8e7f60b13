// SPDX-License-Identifier: BSD-3-Clause
//
// package_test.mjs PACKAGE COMMAND ROOT: uses the npm package as a program does that has installed
// it, and compares what it finds with what the program COMMAND prints. ROOT is the folder of the
// sources.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { argv, env, execPath } from "node:process";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

/** What all files of the package together may have, compressed as npm does. */
const SIZE_MAX = 600_000;

const [folder, command, root] = argv.slice(2);
const { KINDS, TraceError, open, read } = await import(
  pathToFileURL(join(folder, "gotrace.js")).href
);
const data = (name) => join(root, "testdata", name);
const TASKS = data("v2/go1.26-tasks.trace");
const MIX = data("v2/go1.27-mix.trace");
const OLD = data("v1/go1.21-stacks.trace");
/** Its names begin with a mark of the byte order, have quotes, lines and what is no UTF-8. */
const NAMES = data("hostile/names.trace");
const CUT = data("v1/go1.19-cut.trace");

const native = (...args) =>
  execFileSync(command, args, { env: { ...env, TZ: "UTC" }, maxBuffer: 1 << 28 });
/** A dump without the empty lines that separate events with stacks from others. */
const flat = (dump) => dump.replace(/\n+/g, "\n");
const text = (...args) => native(...args).toString();

async function checkEvents(path) {
  const trace = await open(path);
  const lines = [...trace.events()].length;
  let dump = "";
  let count = 0;
  for (const event of trace.events()) {
    dump += `${event}\n`;
    count++;
  }
  assert.equal(count, lines);
  assert.equal(flat(dump), flat(text("dump", path)), path);
}

/** The members of events against the text of each. */
async function checkMembers() {
  const seen = new Set();
  for (const event of (await open(MIX)).events()) {
    const line = String(event);
    const { details } = event;
    seen.add(event.kind);
    assert(line.startsWith(`M=${event.thread} P=${event.proc} G=${event.goroutine} ${event.kind} Time=${event.clockTime}`), line);
    if (event.kind === "StateTransition") {
      const { kind, id } = details.resource;
      const name = kind === "Goroutine" ? "GoID" : "ProcID";
      assert(line.includes(` ${name}=${id} ${details.from}->${details.to} Reason="${details.reason}"`), line);
    } else if (event.kind === "RangeEnd")
      for (const { name, value } of event.attributes)
        assert(line.includes(`"${name}"=Value{Uint64(${value})}`), line);
    else if (event.kind === "Metric")
      assert(line.includes(`Name="${details.name}" Value=Value{Uint64(${details.value})}`), line);
    else if (event.kind === "Log")
      assert(line.includes(`Task=${details.task} Category="${details.category}" Message="${details.message}"`), line);
    for (const frame of [...event.stack, ...event.resourceStack])
      assert(line.includes(`\n\t${frame.function} @ 0x${frame.pc.toString(16)}\n\t\t${frame.file}:${frame.line}`), line);
  }
  assert(seen.size >= 6, [...seen].join());
}

async function checkBatches() {
  const trace = await open(MIX);
  const events = [];
  for (const event of trace.events()) {
    const { kind, time, thread, proc, goroutine, details } = event;
    events.push({ kind, time, thread, proc, goroutine, resource: details.from ? details.resource.id : -1 });
  }
  let at = 0;
  for (const batch of trace.readBatches())
    for (let i = 0; i < batch.count; i++, at++) {
      const { thread, proc, goroutine, time, resource } = batch;
      assert.deepEqual(
        { kind: KINDS[batch.kind[i]], time: time[i], thread: thread[i], proc: proc[i], goroutine: goroutine[i], resource: resource[i] },
        events[at],
      );
    }
  assert.equal(at, events.length);
}

async function checkStreams() {
  for (const path of [MIX, OLD]) {
    const expected = flat(text("dump", path));
    for (const highWaterMark of [100, 1 << 16]) {
      let dump = "";
      for await (const event of read(createReadStream(path, { highWaterMark }))) dump += `${event}\n`;
      assert.equal(flat(dump), expected);
    }
    let count = 0;
    for await (const batch of read(new Blob([readFileSync(path)]).stream()).readBatches())
      count += batch.count;
    assert.equal(count, expected.match(/^M=/gm).length);
  }
}

/** How the recording has ended is known at the end of each kind of reading. */
async function checkEndings() {
  for (const [path, ending] of [[MIX, "stopped"], [OLD, null]]) {
    const trace = await open(path);
    assert.equal(trace.ending, null);
    assert([...trace.events()].length > 0);
    assert.equal(trace.ending, ending);
    const reading = read(new Blob([readFileSync(path)]).stream());
    for await (const batch of reading.readBatches()) assert(batch.count > 0);
    assert.equal(reading.ending, ending);
    assert.equal((await trace.report()).ending, ending);
  }
  // As a program that ended at once leaves it: the clock of a generation that was not written.
  const begin = readFileSync(MIX).subarray(0, 16);
  const content = Buffer.from("3208a8d6b907333ee9c788f28550a189aed806828ca1aa01", "hex");
  const clock = [1, 2, ...Array(9).fill(0xff), 1, 0, content.length, ...content];
  const trace = await open(Buffer.from([...begin, ...clock]));
  const kinds = [];
  for (const event of trace.events()) kinds.push(event.kind);
  assert.deepEqual(kinds, ["Sync"]);
  assert.equal(trace.ending, "running");
}

/** What is kept of an event is told to be outdated, instead of being that of another one. */
async function checkOutdated() {
  const events = [...(await open(MIX)).events()];
  assert.throws(() => events[0].kind, TraceError);
}

async function checkSources() {
  const bytes = readFileSync(TASKS);
  const count = [...(await open(TASKS)).events()].length;
  const buffer = new Uint8Array(bytes).buffer;
  for (const source of [bytes, buffer, new Blob([bytes]), pathToFileURL(TASKS), gzipSync(bytes)])
    assert.equal([...(await open(source)).events()].length, count);
  await assert.rejects(open(new Uint8Array(0)), TraceError);
  await assert.rejects(open(new TextEncoder().encode("this is no trace")), /not a/);
  await assert.rejects(open(new Uint8Array([0x28, 0xb5, 0x2f, 0xfd])), /zstd/);
  await assert.rejects(open("/nonexistent"), /ENOENT/);
}

/** A damaged trace gives its good events and then fails, or is repaired. */
async function checkDamage() {
  let count = 0;
  const damaged = readFileSync(MIX).subarray(0, 20000);
  const trace = await open(damaged);
  assert.throws(() => {
    for (const event of trace.events()) count += event.kind ? 1 : 0;
  }, TraceError);
  const lenient = await open(damaged, { lenient: true });
  assert([...lenient.events()].length >= count);
  assert.equal([...(await open(CUT, { lenient: true })).events()].length > 0, true);
}

async function checkAnalyses() {
  for (const path of [TASKS, MIX, OLD]) {
    const trace = await open(path);
    const stat = JSON.parse(text("stat", "--json", path));
    assert.equal((await trace.stat()).events, stat.events);
    assert.deepEqual(await trace.report(), JSON.parse(text("report", "--json", path)));
    for (const name of ["latency", "goroutines"])
      assert.deepEqual(
        await trace[name](),
        text(name, "--json", path).trim().split("\n").map((line) => JSON.parse(line)),
      );
    const { goroutines, regions, tasks } = await trace.summary();
    assert.equal(goroutines.length + regions.length + tasks.length, text("summary", path).trim().split("\n").length);
    assert.deepEqual(Buffer.from(await trace.pprof("sched")), native("pprof", "sched", path));
    const { code, output } = await trace.run("mmu", "/trace");
    assert.equal(Buffer.from(output).toString(), text("mmu", path));
    assert.equal(code, 0);
  }
  await assert.rejects((await open(TASKS)).pprof("nothing"), TraceError);
}

/** Tables equal the files that the program writes, but for the name of the trace. */
async function checkColumns(work) {
  const trace = await open(TASKS);
  for (const table of ["goroutines", "goroutine_states", "stacks"]) {
    const out = join(work, table);
    native("columns", ...(table === "stacks" ? [] : ["--tables", table]), "-o", out, TASKS);
    const path = execFileSync("find", [join(out, table), "-type", "f"]).toString().trim();
    assert.deepEqual(Buffer.from(await trace.columns(table)), readFileSync(path), table);
  }
  await assert.rejects(trace.columns("nothing"), TraceError);
}

/** A value as a file of CSV has it. */
function cellOf(column, row) {
  const value = column.get(row);
  if (value === null) return "";
  if (column.type === "string") return `"${value.replaceAll('"', '""')}"`;
  if (column.type !== "timestamp") return String(value);
  const date = new Date(Number(value / 1000n)).toISOString();
  const digits = date.slice(0, -1) + String(value % 1000n).padStart(3, "0");
  return `${digits.replace(/[.]?0*$/, "")}Z`;
}

/** The rows of a table as lines without the id of the trace, which is empty. */
function linesOf(trace, table) {
  const lines = [];
  for (const { columns, count } of trace.readTable(table)) {
    const [id, ...others] = Object.values(columns);
    assert.equal(id.name, "trace_id");
    if (lines.length === 0) lines.push(others.map(({ name }) => name).join());
    for (let row = 0; row < count; row++)
      lines.push(others.map((column) => cellOf(column, row)).join());
  }
  return lines;
}

/** Rows as typed arrays equal those that the program writes as text, but for their order. */
async function checkTables(work) {
  for (const path of [TASKS, MIX, NAMES]) {
    const trace = await open(path);
    const out = join(work, `tables-${basename(path)}`);
    native("columns", "--format", "csv", "-o", out, path);
    native("columns", "--format", "csv", "--tables", "events", "-o", out, path);
    const tables = readdirSync(out);
    assert.equal(tables.length, 17);
    for (const table of tables.filter((name) => name !== "traces")) {
      const [file] = readdirSync(join(out, table), { recursive: true }).filter((name) => name.endsWith(".csv"));
      const [names, ...rows] = readFileSync(join(out, table, file), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/^("[0-9a-f]{32}"|trace_id),/, ""));
      const found = linesOf(trace, table).join("\n").split("\n");
      if (rows.length === 0) assert.deepEqual(found, [""]);
      else assert.deepEqual(found.sort(), [names, ...rows].sort(), table);
    }
    const { events } = await trace.stat();
    let about;
    for (about of trace.readTable("traces")) assert.equal(Number(about.columns.events.values[0]), events);
    for (const member of ["texts", "values", "valid"]) assert.throws(() => about.columns.file[member], /outdated/);
    assert.throws(() => [...trace.readTable("nothing")], /no table 'nothing'/);
  }
}

/** Addresses from 2 GB on, which WebAssembly passes as negative numbers. */
async function checkHighAddresses() {
  const trace = await open(MIX);
  const { functions } = trace.first.instance;
  for (let i = 0; i < 9; i++) assert.notEqual(functions.memory_alloc(1 << 28), 0);
  let dump = "";
  for (const event of trace.events()) dump += event.stack.length < 0 ? "" : `${event}\n`;
  assert.equal(flat(dump), flat(text("dump", MIX)));
}

/** A trace that was closed cannot be read any further, and its number may belong to another file. */
async function checkClosed() {
  const trace = await open(MIX);
  const events = trace.events();
  assert.equal(events.next().done, false);
  trace.close();
  trace.close();
  assert.throws(() => trace.events(), TraceError);
}

/** The program of the package, as npm links it. */
function checkProgram(work) {
  const program = join(work, "gotrace");
  symlinkSync(join(folder, "bin/gotrace.js"), program);
  const run = (...args) => spawnSync(execPath, [program, ...args], { cwd: join(root, "testdata/v2"), env: { ...env, TZ: "UTC" } });
  const dumped = run("dump", basename(TASKS));
  assert.equal(dumped.stderr.toString(), "");
  assert.equal(dumped.stdout.toString(), text("dump", TASKS));
  assert.equal(run("dump", "nothing").status, 1);
  assert.match(run("view", TASKS).stderr.toString(), /no server/);
  assert.equal(run("help").stdout.toString().includes("columns"), true);
  const cut = join(work, "cut.trace");
  assert.equal(run("convert", "-o", cut, TASKS).status, 0);
  assert.equal(text("check", cut), text("check", TASKS));
  const piped = spawnSync(execPath, [program, "dump", "-"], { input: readFileSync(TASKS), env: { ...env, TZ: "UTC" } });
  assert.equal(piped.stdout.toString(), text("dump", TASKS));
}

/** What npm packs, where npm is. */
function checkPack(work) {
  const packed = spawnSync("npm", ["pack", "--json", "--pack-destination", work], { cwd: folder, env: { ...env, npm_config_cache: join(work, "cache") } });
  if (packed.error) {
    console.log("left out: there is no npm");
    return;
  }
  const [{ filename, size, files }] = JSON.parse(packed.stdout.toString());
  assert(size <= SIZE_MAX, `${filename} has ${size} bytes`);
  const { files: listed } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const names = files.map(({ path }) => path);
  for (const name of listed) assert(names.some((each) => each === name || each.startsWith(`${name}/`)), name);
  execFileSync("tar", ["-xzf", join(work, filename), "-C", work]);
  writeFileSync(join(work, "use.mjs"), `
    import { open } from "./package/gotrace.js";
    console.log([...(await open(${JSON.stringify(TASKS)})).events()].length);`);
  assert.equal(execFileSync(execPath, [join(work, "use.mjs")]).toString().trim(), String(text("dump", TASKS).match(/^M=/gm).length));
  console.log(`${filename}: ${size} bytes`);
}

/** The programs of bindings.md, which print what is there. */
function checkDocument(work) {
  const blocks = readFileSync(join(root, "docs/bindings.md"), "utf8");
  const programs = [...blocks.matchAll(/```js\n(\/\/ run: (\S+) (\S+)\n[^`]*(?:`[^`]+`[^`]*)*?)```\n(?:\n```text\n([^`]*)```)?/g)];
  assert.equal(programs.length, 3);
  mkdirSync(join(work, "node_modules"));
  symlinkSync(folder, join(work, "node_modules/gotrace"));
  for (const [, source, name, trace, expected] of programs) {
    writeFileSync(join(work, name), source);
    const printed = execFileSync(execPath, [join(work, name), join(root, trace)]).toString();
    if (expected) assert.equal(printed, expected);
    else assert.match(printed, /^goroutine [0-9]+ waited [0-9]+ ns\n$/);
  }
}

const work = mkdtempSync(join(tmpdir(), "gotrace-"));
try {
  for (const path of [TASKS, MIX, OLD]) await checkEvents(path);
  await checkMembers();
  await checkBatches();
  await checkStreams();
  await checkEndings();
  await checkOutdated();
  await checkSources();
  await checkDamage();
  await checkAnalyses();
  await checkColumns(work);
  await checkTables(work);
  await checkClosed();
  await checkHighAddresses();
  checkProgram(work);
  checkDocument(work);
  checkPack(work);
} finally {
  rmSync(work, { recursive: true });
}
