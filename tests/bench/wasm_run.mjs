// SPDX-License-Identifier: BSD-3-Clause
//
// wasm_run.mjs PACKAGE MODULE ARGUMENT... TRACE: runs a WebAssembly program by the WASI of the
// package for JavaScript, with the trace as its only file, and prints its output. Node's own WASI
// ends by SIGSEGV after some programs whose memory has grown (Node 20).
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const [folder, program, ...args] = argv.slice(2);
const { Exit, Wasi } = await import(pathToFileURL(join(folder, "wasi.js")).href);

/** The package passes no arguments of programs. */
class Program extends Wasi {
  texts = ["program", ...args.slice(0, -1), "/trace"].map((text) => `${text}\0`);

  args_sizes_get(count, size) {
    this.view.setUint32(count, this.texts.length, true);
    this.view.setUint32(size, this.texts.join("").length, true);
    return 0;
  }

  args_get(list, texts) {
    let at = texts;
    for (const [i, text] of this.texts.entries()) {
      this.view.setUint32(list + 4 * i, at, true);
      new Uint8Array(this.memory.buffer).set(new TextEncoder().encode(text), at);
      at += text.length;
    }
    return 0;
  }
}

const fd = openSync(args.at(-1), "r");
const wasi = new Program();
wasi.files.set("trace", {
  size: fstatSync(fd).size,
  readInto: (to, start) => readSync(fd, to, 0, to.length, start),
});
const module = await WebAssembly.compile(readFileSync(program));
const { exports } = await WebAssembly.instantiate(module, {
  wasi_snapshot_preview1: wasi.imports(module),
});
wasi.memory = exports.memory;
try {
  exports._start();
} catch (error) {
  if (!(error instanceof Exit) || error.code !== 0) throw error;
}
closeSync(fd);
console.log(new TextDecoder().decode(wasi.output.content).trim());
