// SPDX-License-Identifier: BSD-3-Clause
// The times that Go's summaries know: their names, their colours, and bars of them.

import { h } from "./dom.js";
import { classVar } from "./colors.js";
import { formatDuration, formatShare } from "./format.js";

/** In the order of the bars. `of` is the class of the timeline that has the same colour. */
export const TIMES = [
  { key: "execution", label: "Execution", of: "running", about: "Running on a proc" },
  { key: "sched_wait", label: "Sched wait", of: "runnable", about: "Ready to run, and waiting for a proc" },
  { key: "syscall", label: "Syscall", of: "syscall", about: "In a system call, with its proc" },
  { key: "syscall_block", label: "Blocking syscall", of: "syscall_blocked", about: "In a system call after its proc was taken away" },
  { key: "block", label: "Block", of: "wait_sync", about: "Waiting, for whatever reason" },
  { key: "unknown", label: "Unknown", of: null, about: "Time of which the trace does not say what it was" },
];

function colour(time) {
  return time.of === null ? "var(--muted)" : classVar(time.of);
}

/** A stacked bar; `whole` is what its full width stands for. */
export function timeBar(times, whole = times.total) {
  const parts = TIMES.filter(({ key }) => times[key] > 0).map((time) => h("span", {
    class: "timebar-part", title: `${time.label}: ${formatDuration(times[time.key])}`,
    style: { width: `${(100 * times[time.key]) / whole}%`, backgroundColor: colour(time) },
  }));
  const said = TIMES.filter(({ key }) => times[key] > 0)
    .map((time) => `${time.label} ${formatShare(times[time.key] / times.total)}`).join(", ");
  return h("span", { class: "timebar", role: "img", "aria-label": said }, parts);
}

/** What the colours mean. */
export function timeLegend() {
  return h("p", { class: "legend" }, TIMES.map((time) => h("span", { class: "legend-entry", title: time.about },
    h("span", { class: "swatch", style: { backgroundColor: colour(time) } }), time.label)));
}
