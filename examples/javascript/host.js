// SPDX-License-Identifier: BSD-3-Clause
// The WebAssembly module: where it comes from, and an instance of it.

/** @typedef {import("./wasi.js").Wasi} Wasi */

/** How many bytes of a trace are passed to the module at most at a time. */
const PIECE = 1 << 22;

/**
 * Reads a part of a trace, at most up to its end. Not asynchronous, as the module cannot wait.
 * @typedef {(start: number, end: number) => Uint8Array} ReadPart
 */

/**
 * The bytes of a trace. readInto, where the host has it, copies bytes from an offset on and returns
 * their number; without it, pieces are read and copied.
 * @typedef {object} Input
 * @property {number} size
 * @property {ReadPart} read
 * @property {(to: Uint8Array, start: number) => number} [readInto]
 */

/**
 * The functions of the module; all numbers are addresses, sizes or as its source describes them.
 * Addresses from 2 GB on are negative, as WebAssembly passes them to JavaScript.
 * @typedef {Record<string, (...values: number[]) => number>} Functions
 */

/**
 * The text of UTF-8, with a mark of the byte order that it may begin with.
 * @param {Uint8Array} bytes
 */
function textOf(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** @type {Input} */
const NOTHING = { size: 0, read: () => new Uint8Array(0) };

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;

async function compile() {
  const url = new URL("./gotrace.wasm", import.meta.url);
  if (url.protocol !== "file:") return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

/** The compiled module, which all instances share. */
export function loadModule() {
  loading ??= compile();
  return loading;
}

/** An instance of the module, which reads one trace or runs one command. */
export class Instance {
  /**
   * @param {WebAssembly.Module} module
   * @param {Wasi} wasi
   * @param {Input} [input]
   */
  constructor(module, wasi, input = NOTHING) {
    this.input = input;
    /** @type {Uint8Array} */
    this.piece = new Uint8Array(0);
    this.pieceStart = 0;
    const { exports } = new WebAssembly.Instance(module, {
      gotrace: { read: this.readTo.bind(this) },
      wasi_snapshot_preview1: wasi.imports(module),
    });
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.functions = /** @type {Functions} */ (/** @type {unknown} */ (exports));
    wasi.memory = this.memory;
    this.functions._initialize();
  }

  /**
   * Gets the piece that begins at an offset, if that is not in the current one.
   * @param {number} offset
   */
  fetchPiece(offset) {
    const { size, read } = this.input;
    const at = offset - this.pieceStart;
    if (at >= 0 && at < this.piece.length) return;
    const end = Math.min(offset + PIECE, size);
    this.piece = offset < size ? read(offset, end) : new Uint8Array(0);
    this.pieceStart = offset;
  }

  /**
   * Copies bytes of the trace into the module. Returns their number, or -1 if that fails.
   * @param {number} offset
   * @param {number} to
   * @param {number} room
   */
  readTo(offset, to, room) {
    try {
      if (this.input.readInto)
        return this.input.readInto(new Uint8Array(this.memory.buffer, to >>> 0, room), offset);
      this.fetchPiece(offset);
    } catch {
      return -1;
    }
    const part = this.piece.subarray(offset - this.pieceStart, offset - this.pieceStart + room);
    new Uint8Array(this.memory.buffer).set(part, to >>> 0);
    return part.length;
  }

  /**
   * Copies bytes into memory of the module, which the caller frees.
   * @param {Uint8Array} bytes
   */
  put(bytes) {
    const address = this.functions.memory_alloc(bytes.length) >>> 0;
    if (address === 0) throw new Error("there is not enough memory");
    new Uint8Array(this.memory.buffer).set(bytes, address);
    return address;
  }

  /**
   * Copies a text and a 0 behind it into memory of the module, which the caller frees.
   * @param {string} text
   */
  putText(text) {
    return this.put(new TextEncoder().encode(`${text.replaceAll("\0", "")}\0`));
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  text(address, size) {
    return textOf(new Uint8Array(this.memory.buffer, address >>> 0, size));
  }

  /**
   * A text that ends with a 0.
   * @param {number} address
   */
  textAt(address) {
    const bytes = new Uint8Array(this.memory.buffer, address >>> 0);
    return textOf(bytes.subarray(0, bytes.indexOf(0)));
  }
}
