// SPDX-License-Identifier: BSD-3-Clause
// Asking for what needs another pass over the trace: the server answers at once, with how far
// it has come.

import { h, fill } from "./dom.js";
import { getJSON } from "./api.js";

/* What is there soon is asked for soon, and what takes long not too often. */
const FIRST = 30;
const AGAIN = 250;
/* Nothing is said of what takes no time. */
const PATIENCE = 150;

/**
 * Resolves after `time` milliseconds.
 * @param {number} time
 */
export function pause(time) {
  return new Promise((resolve) => {
    setTimeout(resolve, time);
  });
}

/**
 * Waits for an analysis; `progress` is called with 0 to 1 while it runs.
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {QueryValues} [params]
 * @param {(share: number) => void} [progress]
 */
export async function ask(path, params = {}, progress = () => {}) {
  for (let wait = FIRST; ; wait = Math.min(AGAIN, wait * 2)) {
    const answer = await getJSON(path, params);
    if (!answer.pending) return answer;
    progress(answer.progress ?? 0);
    await pause(wait);
  }
}

/**
 * The same, with a bar in an element that whoever called fills when it is there.
 * @template {keyof Answers} Path
 * @param {HTMLElement} element
 * @param {Path} path
 * @param {QueryValues} [params]
 */
export async function askWithBar(element, path, params = {}) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Analysing the trace" });
  const text = h("span", {}, "Analysing the trace…");
  const begin = performance.now();
  fill(element);
  return ask(path, params, (share) => {
    if (performance.now() - begin < PATIENCE) return;
    if (!bar.isConnected)
      fill(element, h("p", { class: "empty waiting", role: "status" }, bar, text));
    bar.value = share;
    text.textContent = `Analysing the trace… ${Math.round(share * 100)} %`;
  });
}

/**
 * Those of the page's parameters that the server is to know, and more. A type may be empty.
 * @param {URLSearchParams} parameters
 * @param {string[]} names
 * @param {QueryValues} [more]
 */
export function passOn(parameters, names, more = {}) {
  /** @type {QueryValues} */
  const passed = { ...more };
  for (const name of names) {
    const value = parameters.get(name);
    if (value !== null && (name === "type" || value !== "")) passed[name] = value;
  }
  return passed;
}
