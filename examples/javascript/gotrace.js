// SPDX-License-Identifier: BSD-3-Clause
// Reads and analyses Go execution traces: see gotrace.d.ts.

import { runCommand } from "./command.js";
import { Cursor, Event, KINDS, TraceError } from "./event.js";
import { Instance, loadModule } from "./host.js";
import { TableReading } from "./table.js";
import { Wasi } from "./wasi.js";

export { Event, KINDS, TraceError };

const GZIP = "31,139";
const ZSTD = "40,181,47,253";
const NO_PARENT = 2 ** 64;

/**
 * The bytes of a trace, which stay outside of the module's memory.
 * @typedef {import("./wasi.js").AnyFile & { close?: () => void }} AnyFile
 */

/** @param {Uint8Array} bytes @returns {AnyFile} */
function fileOfBytes(bytes) {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/**
 * A file of Node, which is read piece by piece.
 * @param {string | URL} path
 * @returns {Promise<AnyFile>}
 */
async function fileOfPath(path) {
  const { closeSync, openSync, fstatSync, readSync } = await import("node:fs");
  const fd = openSync(path, "r");
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  const readInto = (/** @type {Uint8Array} */ to, /** @type {number} */ start) => {
    if (!isOpen) throw new TraceError("the trace is closed");
    return readSync(fd, to, 0, to.length, start);
  };
  const read = (/** @type {number} */ start, /** @type {number} */ end) => {
    const bytes = new Uint8Array(end - start);
    return bytes.subarray(0, readInto(bytes, start));
  };
  return { size: fstatSync(fd).size, read, readInto, close };
}

/** @param {Blob} blob @returns {Promise<AnyFile>} */
async function fileOfBlob(blob) {
  const Reader = /** @type {any} */ (globalThis).FileReaderSync;
  if (!Reader) return fileOfBytes(new Uint8Array(await blob.arrayBuffer()));
  const reader = new Reader();
  return {
    size: blob.size,
    read: (start, end) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(start, end))),
  };
}

/** @param {AnyFile} file */
async function unpacked(file) {
  const start = [...file.read(0, Math.min(4, file.size))].join();
  if (start === ZSTD) throw new TraceError("it is compressed with zstd: decompress it before");
  if (!start.startsWith(GZIP)) return file;
  const blob = new Blob([/** @type {any} */ (file.read(0, file.size))]);
  const stream = blob.stream().pipeThrough(new DecompressionStream("gzip"));
  return fileOfBytes(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** A trace that can be read any number of times. */
export class Trace {
  /**
   * @param {AnyFile} file
   * @param {WebAssembly.Module} module
   * @param {{ lenient?: boolean }} options
   */
  constructor(file, module, options) {
    this.file = file;
    this.module = module;
    this.isLenient = options.lenient ?? false;
    /** @type {import("./event.js").Ending | null} */
    this.ending = null;
    /** The one that has shown that the file is a trace. @type {Cursor | null} */
    this.first = this.newCursor();
  }

  newCursor() {
    const { file } = this;
    const instance = new Instance(this.module, new Wasi(), file);
    return new Cursor(instance, false, this.isLenient, (ending) => {
      this.ending = ending;
    });
  }

  cursor() {
    const cursor = this.first ?? this.newCursor();
    this.first = null;
    return cursor;
  }

  events() {
    return this.cursor().events();
  }

  readBatches() {
    return this.cursor().batches();
  }

  /** @param {string} table */
  readTable(table) {
    return new TableReading(this.cursor(), table).batches();
  }

  close() {
    this.file.close?.();
    this.first = null;
    this.file = fileOfBytes(new Uint8Array(0));
  }

  /** @param {...string} args */
  run(...args) {
    return runCommand(this.file, args);
  }

  /**
   * The output of a command that must succeed.
   * @param {...string} args
   */
  async output(...args) {
    const options = this.isLenient ? ["--lenient"] : [];
    const { code, output, messages } = await this.run(args[0], ...options, ...args.slice(1));
    if (code !== 0) throw new TraceError(messages.trim());
    return output;
  }

  /** @param {...string} args */
  async json(...args) {
    return JSON.parse(new TextDecoder().decode(await this.output(...args)));
  }

  /** @param {...string} args */
  async lines(...args) {
    const text = new TextDecoder().decode(await this.output(...args));
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line));
  }

  stat() {
    return this.json("stat", "--json", "/trace");
  }

  async summary() {
    const lines = await this.lines("summary", "/trace");
    const tasks = lines.filter((line) => "task" in line && !("g" in line));
    for (const task of tasks) if (task.parent >= NO_PARENT) task.parent = null;
    return {
      goroutines: lines.filter((line) => "g" in line && !("region" in line)),
      regions: lines.filter((line) => "g" in line && "region" in line),
      tasks,
    };
  }

  latency() {
    return this.lines("latency", "--json", "/trace");
  }

  report() {
    return this.json("report", "--json", "/trace");
  }

  goroutines() {
    return this.lines("goroutines", "--json", "/trace");
  }

  /** @param {string} kind */
  pprof(kind) {
    return this.output("pprof", kind, "/trace");
  }

  /** @param {string} table */
  async columns(table) {
    // Stacks are those that other tables name, so that all of these are made, too.
    const only = ["stacks", "frames"].includes(table) ? [] : ["--tables", table];
    const { code, messages, files } = await this.run("columns", ...only, "-o", "/out", "/trace");
    const found = [...files].find(([name]) => name.startsWith(`out/${table}/`));
    if (code !== 0 || !found) throw new TraceError(messages.trim());
    return found[1];
  }
}

/**
 * Opens a trace: a Blob, bytes, or in Node the path of a file.
 * @param {Blob | ArrayBuffer | Uint8Array | string | URL} source
 * @param {{ lenient?: boolean }} [options]
 */
export async function open(source, options = {}) {
  let file;
  if (source instanceof Blob) file = await fileOfBlob(source);
  else if (source instanceof Uint8Array) file = fileOfBytes(source);
  else if (source instanceof ArrayBuffer) file = fileOfBytes(new Uint8Array(source));
  else file = await fileOfPath(source);
  return new Trace(await unpacked(file), await loadModule(), options);
}

/** Reads a trace while it comes. */
class Reading {
  /**
   * @param {AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>} stream
   * @param {{ lenient?: boolean }} options
   */
  constructor(stream, options) {
    this.stream = stream;
    this.options = options;
    /** @type {import("./event.js").Ending | null} */
    this.ending = null;
  }

  /**
   * Passes the bytes to a cursor, and gives what can be read after each piece.
   * @template T
   * @param {(cursor: Cursor) => Iterable<T>} read
   */
  async *each(read) {
    const module = await loadModule();
    const { lenient = false } = this.options;
    const instance = new Instance(module, new Wasi());
    const cursor = new Cursor(instance, true, lenient, (ending) => {
      this.ending = ending;
    });
    for await (const piece of pieces(this.stream)) {
      cursor.feed(piece);
      yield* read(cursor);
    }
    cursor.feed(null);
    yield* read(cursor);
  }

  [Symbol.asyncIterator]() {
    return this.each((cursor) => cursor.events());
  }

  readBatches() {
    return this.each((cursor) => cursor.batches());
  }
}

/** @param {any} stream */
async function* pieces(stream) {
  if (stream[Symbol.asyncIterator]) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  for (let part; !(part = await reader.read()).done; ) yield part.value;
}

/**
 * Reads a trace from a stream of bytes while they come.
 * @param {AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>} stream
 * @param {{ lenient?: boolean }} [options]
 */
function readStream(stream, options = {}) {
  return new Reading(stream, options);
}

export { readStream as read };
