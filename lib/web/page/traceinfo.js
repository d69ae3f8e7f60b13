// SPDX-License-Identifier: BSD-3-Clause
// What every page shows of the trace: its name, and what could not be read.

import { h, fill } from "./dom.js";
import { getJSON } from "./api.js";
import { formatCount, formatDuration, formatUTC } from "./format.js";

const AGAIN = 1000;
const LISTED = 20;

/**
 * @param {HTMLElement} element
 * @param {TraceFacts} trace
 */
function showName(element, trace) {
  const name = trace.name.split("/").pop();
  const { done, fraction } = trace.progress ?? { done: true };
  const state = done ? formatDuration(trace.duration) : `reading ${Math.floor(fraction * 100)} %`;
  element.title = [trace.name, trace.header, trace.start && `started ${formatUTC(trace.start, 0)}`]
    .filter(Boolean)
    .join("\n");
  element.textContent = `${name} · ${trace.header} · ${state}`;
}

/** @param {TraceFacts} trace */
function repairList(trace) {
  const total = trace.repairs_total ?? trace.repairs?.length ?? 0;
  if (total === 0) return null;
  const what = total === 1 ? "fault of the trace was" : "faults of the trace were";
  const said = `${formatCount(total)} ${what} repaired; numbers near them may be inaccurate.`;
  return h(
    "details",
    {},
    h("summary", {}, said),
    h(
      "ul",
      {},
      trace.repairs.slice(0, LISTED).map((text) => h("li", {}, text)),
    ),
  );
}

/**
 * @param {HTMLElement} banner
 * @param {TraceFacts} trace
 */
function showTrouble(banner, trace) {
  const error =
    trace.error &&
    h("div", {}, `The trace is damaged: ${trace.error}. What comes before that is shown.`);
  const repairs = repairList(trace);
  banner.hidden = !error && !repairs;
  banner.classList.toggle("is-error", Boolean(error));
  if (banner.dataset.said === `${trace.error}${trace.repairs_total}`) return;
  banner.dataset.said = `${trace.error}${trace.repairs_total}`;
  fill(banner, error, repairs);
}

/**
 * Shows the trace's name in one element, and problems with the trace in a banner.
 * @param {HTMLElement} name
 * @param {HTMLElement} banner
 */
export async function startTraceInfo(name, banner) {
  const trace = await getJSON("api/trace").catch(() => null);
  if (trace) {
    showName(name, trace);
    showTrouble(banner, trace);
  }
  if (!trace?.progress?.done) setTimeout(() => startTraceInfo(name, banner), AGAIN);
}
