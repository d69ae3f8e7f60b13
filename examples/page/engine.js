// SPDX-License-Identifier: BSD-3-Clause
// The viewer's engine in a WebAssembly module: answers the requests that `gotrace view` answers.
// Works in a Worker and in Node.

const PIECE = 1 << 22;
/** What WASI answers for a file descriptor that does not exist. */
const BAD_DESCRIPTOR = 8;

/**
 * Reads a part of the trace, at most up to its end. Not asynchronous, as the module cannot wait.
 * @typedef {(start: number, end: number) => Uint8Array} ReadPart
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {[string, string][]} headers
 * @property {Uint8Array<ArrayBuffer>} body
 */

/**
 * The functions of the module; all numbers are addresses, sizes or as its source describes them.
 * Addresses from 2 GB on are negative, as WebAssembly passes them to JavaScript.
 * @typedef {Record<string, (...values: number[]) => number>} Functions
 */

export class Engine {
  /**
   * @param {ReadPart} read
   * @param {number} size the size of the trace
   */
  constructor(read, size) {
    this.read = read;
    this.size = size;
    /** @type {Uint8Array} */
    this.piece = new Uint8Array(0);
    this.pieceStart = 0;
    /** @type {WebAssembly.Memory} */
    this.memory = /** @type {any} */ (null);
    /** @type {Functions} */
    this.functions = {};
  }

  /**
   * Opens a trace. Throws if it is not a trace.
   * @param {WebAssembly.Module} module
   * @param {string} name
   * @param {number} size
   * @param {ReadPart} read
   */
  static async open(module, name, size, read) {
    const engine = new Engine(read, size);
    const instance = await WebAssembly.instantiate(module, engine.imports(module));
    engine.memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    engine.functions = /** @type {any} */ (instance.exports);
    engine.functions._initialize();
    const status = engine.withTexts([name], ([text]) => engine.functions.page_open(text, size));
    if (status !== 0) throw new Error(engine.textAt(engine.functions.page_error()));
    return engine;
  }

  /**
   * What the module imports: the trace, a clock and random numbers. Every other function of WASI
   * that the C library names answers that there is no such file.
   * @param {WebAssembly.Module} module
   */
  imports(module) {
    /** @type {Record<string, (...values: any[]) => unknown>} */
    const own = {
      clock_time_get: (/** @type {number} */ _id, /** @type {bigint} */ _precision, to) => {
        const now = BigInt(Math.round(performance.now() * 1e6));
        new DataView(this.memory.buffer).setBigUint64(to >>> 0, now, true);
        return 0;
      },
      random_get: (/** @type {number} */ to, /** @type {number} */ size) => {
        crypto.getRandomValues(new Uint8Array(this.memory.buffer, to >>> 0, size));
        return 0;
      },
      proc_exit: (code) => {
        throw new Error(`the module ended with ${code}`);
      },
    };
    /** @type {WebAssembly.ModuleImports} */
    const wasi = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module))
      if (from !== "gotrace") wasi[name] = own[name] ?? (() => BAD_DESCRIPTOR);
    return {
      gotrace: {
        read: (
          /** @type {number} */ offset,
          /** @type {number} */ to,
          /** @type {number} */ room,
        ) => this.readTo(offset, to >>> 0, room),
      },
      wasi_snapshot_preview1: wasi,
    };
  }

  /**
   * Copies bytes of the trace into the module.
   * @param {number} offset
   * @param {number} to
   * @param {number} room
   */
  readTo(offset, to, room) {
    const end = this.pieceStart + this.piece.length;
    if (offset < this.pieceStart || offset >= end) {
      if (offset >= this.size) return 0;
      try {
        this.piece = this.read(offset, Math.min(offset + PIECE, this.size));
      } catch {
        return -1;
      }
      this.pieceStart = offset;
    }
    const start = offset - this.pieceStart;
    const part = this.piece.subarray(start, start + room);
    new Uint8Array(this.memory.buffer).set(part, to);
    return part.length;
  }

  /**
   * Calls a function with texts that end with a 0, as in C.
   * @param {string[]} texts
   * @param {(addresses: number[]) => number} call
   */
  withTexts(texts, call) {
    const addresses = texts.map((text) => {
      const bytes = new TextEncoder().encode(`${text.replaceAll("\0", "")}\0`);
      const address = this.functions.page_alloc(bytes.length) >>> 0;
      if (address === 0) throw new Error("there is not enough memory");
      new Uint8Array(this.memory.buffer).set(bytes, address);
      return address;
    });
    const result = call(addresses);
    for (const address of addresses) this.functions.page_free(address);
    return result;
  }

  /**
   * A text that ends with a 0.
   * @param {number} address
   */
  textAt(address) {
    const bytes = new Uint8Array(this.memory.buffer, address >>> 0);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      bytes.subarray(0, bytes.indexOf(0)),
    );
  }

  /**
   * Loads the trace and makes analyses for some time. Returns whether there is more to do.
   * @param {number} milliseconds
   */
  step(milliseconds) {
    return this.functions.page_step(milliseconds) !== 0;
  }

  /**
   * Answers a request for an address below the viewer's root, such as "api/trace". The status is 0
   * if the answer broke off.
   * @param {string} address
   * @returns {Answer}
   */
  ask(address) {
    const [path, ...rest] = address.replace(/#.*/s, "").split("?");
    const texts = [`/${decodeURIComponent(path)}`, rest.join("?")];
    const { functions } = this;
    const status = this.withTexts(texts, ([to, query]) => functions.page_ask(to, query));
    const { buffer } = this.memory;
    const lines = new TextDecoder().decode(
      new Uint8Array(buffer, functions.page_headers() >>> 0, functions.page_headers_size()),
    );
    const headers = lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/s, 2)));
    const body = new Uint8Array(buffer, functions.page_body() >>> 0, functions.page_body_size());
    return { status, headers, body: /** @type {Uint8Array<ArrayBuffer>} */ (body.slice()) };
  }
}
