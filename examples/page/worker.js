// SPDX-License-Identifier: BSD-3-Clause
// The Worker of the page: holds the engine of one trace, and answers between the steps of loading.
// Another trace gets another Worker, as the memory of a module never shrinks.

import { Engine } from "./engine.js";

/** How long a step of loading takes, in ms: what a request has to wait at most. */
const STEP = 20;

/** @typedef {{ id: number, address: string }} Question */

/** @type {Engine | null} */
let engine = null;
/** @type {Question[]} */
let questions = [];
let isWorking = false;
/** Wakes the Worker after messages that have come meanwhile, at once, unlike a timer. */
const channel = new MessageChannel();

/** @param {Question} question */
function answer({ id, address }) {
  const { status, headers, body } = /** @type {Engine} */ (engine).ask(address);
  postMessage({ id, status, headers, body }, { transfer: [body.buffer] });
}

/** Does a part of the work, and comes back for the rest. */
function work() {
  isWorking = false;
  if (!engine) return;
  const question = questions.shift();
  if (question) answer(question);
  else if (!engine.step(STEP)) return;
  wake();
}

function wake() {
  if (isWorking) return;
  isWorking = true;
  channel.port2.postMessage(null);
}

/** @param {{ module: WebAssembly.Module, file: Blob, name: string }} trace */
async function open({ module, file, name }) {
  const reader = new /** @type {any} */ (globalThis).FileReaderSync();
  const read = (/** @type {number} */ start, /** @type {number} */ end) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));
  try {
    engine = await Engine.open(module, name, file.size, read);
    postMessage({ opened: true });
    wake();
  } catch (error) {
    postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
}

channel.port1.onmessage = work;
onmessage = ({ data }) => {
  if (data.module) open(data);
  else if (data.cancel) questions = questions.filter(({ id }) => id !== data.cancel);
  else questions.push(data);
  wake();
};
