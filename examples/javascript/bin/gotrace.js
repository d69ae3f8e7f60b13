#!/usr/bin/env node
// SPDX-License-Identifier: BSD-3-Clause
// The command gotrace under the WASI of Node, with the files of the machine.

import process from "node:process";

process.removeAllListeners("warning");
const { WASI } = await import("node:wasi");
const { callCommand, enterFolder } = await import("../command.js");
const { Instance, loadModule } = await import("../host.js");
const { Exit } = await import("../wasi.js");

/** The WASI of Node in the place of that with files in memory. */
class Machine extends WASI {
  constructor() {
    super({ version: "preview1", env: process.env, preopens: { "/": "/" } });
  }

  /** @param {WebAssembly.Memory} memory */
  set memory(memory) {
    this.initialize({ exports: { memory } });
  }

  imports() {
    const proc_exit = (/** @type {number} */ code) => {
      throw new Exit(code);
    };
    return { ...this.wasiImport, proc_exit };
  }
}

const machine = /** @type {any} */ (new Machine());
const instance = new Instance(await loadModule(), machine);
enterFolder(instance, process.cwd());
process.exitCode = callCommand(instance, process.argv.slice(2));
