// SPDX-License-Identifier: BSD-3-Clause
// The command gotrace within the process, with files in memory.

import { Instance, loadModule } from "./host.js";
import { Exit, MemoryFile, Wasi } from "./wasi.js";

/**
 * Makes a folder the one that relative names of files begin at.
 * @param {Instance} instance
 * @param {string} folder
 */
export function enterFolder(instance, folder) {
  return instance.functions.command_enter(instance.putText(folder));
}

/**
 * Calls the command of an instance. Returns its exit code.
 * @param {Instance} instance
 * @param {string[]} args
 */
export function callCommand(instance, args) {
  const texts = ["gotrace", ...args].map((text) => instance.putText(text));
  const list = instance.put(new Uint8Array(4 * (texts.length + 1)));
  const view = new DataView(instance.memory.buffer);
  texts.forEach((text, i) => view.setUint32(list + 4 * i, text, true));
  try {
    return instance.functions.command_run(texts.length, list);
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

/**
 * Runs the command. The trace is the file /trace; what is written remains in `files`.
 * @param {import("./wasi.js").AnyFile} trace
 * @param {string[]} args
 */
export async function runCommand(trace, args) {
  const wasi = new Wasi();
  wasi.files.set("trace", trace);
  const instance = new Instance(await loadModule(), wasi);
  const code = callCommand(instance, args);
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  for (const [name, file] of wasi.files)
    if (file instanceof MemoryFile) files.set(name, file.content);
  const messages = new TextDecoder().decode(wasi.messages.content);
  return { code, output: wasi.output.content, messages, files };
}
