// SPDX-License-Identifier: BSD-3-Clause
// Requests for answers that take another pass over the trace. The server replies at once with the
// progress of the pass, so the page asks again until the answer is ready.

import { h, fill } from "./dom.js";
import { getJSON, getPart, pause } from "./api.js";

/*
 * The first pause between two requests and the longest, in ms: each pause is twice as long as the
 * one before it, so that quick answers are shown quickly.
 */
const FIRST_PAUSE = 30;
const LONGEST_PAUSE = 250;
/* The progress bar is shown only if the answer takes longer than this, in ms. */
const BAR_DELAY = 150;

/**
 * Asks until the answer is ready. Meanwhile `progress` is called with a share from 0 to 1.
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {QueryValues} [params]
 * @param {(share: number) => void} [progress]
 * @param {RequestOptions} [options]
 */
export async function ask(path, params = {}, progress = () => {}, options = {}) {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(LONGEST_PAUSE, wait * 2)) {
    const answer = await getJSON(path, params, options);
    if (!answer.pending) return answer;
    progress(answer.progress ?? 0);
    await pause(wait);
  }
}

/**
 * Asks like ask(), and shows a progress bar in an element, which the caller fills when the answer
 * has arrived.
 * @template {keyof Answers} Path
 * @param {HTMLElement} element
 * @param {Path} path
 * @param {QueryValues} [params]
 */
async function askShowingProgress(element, path, params) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Analysing the trace" });
  const text = h("span", {}, "Analysing the trace…");
  const begin = performance.now();
  fill(element);
  return ask(path, params, (share) => {
    if (performance.now() - begin < BAR_DELAY) return;
    if (!bar.isConnected)
      fill(element, h("p", { class: "empty waiting", role: "status" }, bar, text));
    bar.value = share;
    text.textContent = `Analysing the trace… ${Math.round(share * 100)} %`;
  });
}

/**
 * Asks with a progress bar for an answer that cannot be requested in parts. If the server has cut
 * the answer, the page says so.
 * @template {keyof Answers} Path
 * @param {HTMLElement} element
 * @param {Path} path
 * @param {QueryValues} [params]
 */
export async function askWithBar(element, path, params = {}) {
  const answer = await askShowingProgress(element, path, params);
  if (answer.truncated)
    element.before(h("p", { class: "empty", role: "status" }, "Too much to be shown completely."));
  return answer;
}

/**
 * Asks with a progress bar for a whole list, which `elements` extracts from an answer. If the list
 * does not fit into one answer, the remaining parts are requested as well.
 * @template {"api/groups" | "api/regions" | "api/tasks"} Path
 * @template Entry
 * @param {HTMLElement} element
 * @param {Path} path
 * @param {(answer: Answers[Path]) => Entry[]} elements
 */
export async function askListWithBar(element, path, elements) {
  const load = async (/** @type {{ first: number }} */ { first }) => {
    const answer = await askShowingProgress(element, path, { first });
    return { total: answer.total, rows: elements(answer) };
  };
  const { rows } = await getPart(load, 0, Infinity);
  return rows;
}

/**
 * The page's parameters with these names, which are passed on to the server, and those in `more`.
 * Empty parameters are left out, except for a type, which may be empty.
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
