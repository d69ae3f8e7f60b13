// SPDX-License-Identifier: BSD-3-Clause
// Shows the name of the trace, and its faults, on every page.

import { getJSON, pause } from "./api.js";
import { Banner } from "./banner.js";
import { connection } from "./connection.js";
import { byId } from "./dom.js";
import { formatDuration, formatUTC } from "./format.js";
import { showComparison } from "./nav.js";
import { endingText, repairMessage } from "./repairs.js";
import { startTabs } from "./tabs.js";

const AGAIN = 1000;

/**
 * @param {HTMLElement} element
 * @param {TraceFacts} trace
 */
function showName(element, trace) {
  const name = trace.name.split("/").pop();
  const { done, fraction, live } = trace.progress ?? { done: true, live: false };
  const state = done
    ? formatDuration(trace.duration)
    : live
      ? `recorded up to ${formatDuration(trace.duration)}`
      : `reading ${Math.floor(fraction * 100)} %`;
  const started = trace.start && `started ${formatUTC(trace.start, 0)}`;
  element.title = [trace.name, trace.header, started, endingText(trace)].filter(Boolean).join("\n");
  element.textContent = `${name} · ${trace.header} · ${state}`;
}

/**
 * Shows the trace's name, and problems with the trace in the banner, until the trace has been read.
 */
export async function startTraceInfo() {
  const banner = new Banner(byId("banner"), byId("top-actions"));
  for (;;) {
    await connection.ready();
    const trace = await getJSON("api/trace").catch(() => null);
    if (trace) {
      startTabs(trace.traces_url);
      showComparison(trace.comparison_url);
      showName(byId("trace-name"), trace);
      banner.set("trace", repairMessage(trace));
    }
    if (trace?.progress?.done) return;
    await pause(AGAIN);
  }
}
