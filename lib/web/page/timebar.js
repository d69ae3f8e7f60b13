// SPDX-License-Identifier: BSD-3-Clause
// The kinds of time in Go's summaries: their names, their colours, and bars of them.

import { h } from "./dom.js";
import { classVar } from "./colors.js";
import { shareOf } from "./amounts.js";
import { formatDuration, formatExact } from "./format.js";

/** @typedef {{ key: TimeKey, label: string, of: string | null, about: string }} TimeInfo */

/**
 * The kinds of time in the order of the bars. `of` is the timeline's class of the same colour.
 * @type {TimeInfo[]}
 */
export const TIMES = [
  { key: "execution", label: "Execution", of: "running", about: "Running on a proc" },
  {
    key: "sched_wait",
    label: "Sched wait",
    of: "runnable",
    about: "Ready to run, and waiting for a proc",
  },
  { key: "syscall", label: "Syscall", of: "syscall", about: "In a system call, with its proc" },
  {
    key: "syscall_block",
    label: "Blocking syscall",
    of: "syscall_blocked",
    about: "In a system call after its proc was taken away",
  },
  { key: "block", label: "Block", of: "wait_sync", about: "Waiting, for any reason" },
  {
    key: "unknown",
    label: "Unknown",
    of: null,
    about: "Time about which the trace says nothing",
  },
];

/** @param {TimeInfo} time */
function colour(time) {
  return time.of === null ? "var(--faint)" : classVar(time.of);
}

/**
 * The kinds of time that are not 0.
 * @param {SummaryTimes} times
 */
function presentTimes(times) {
  return TIMES.filter(({ key }) => times[key] > 0);
}

/**
 * @param {TimeInfo} time
 * @param {SummaryTimes} times
 */
function timeShareText(time, times) {
  const ns = times[time.key];
  return `${time.label} ${formatDuration(ns)} (${shareOf(ns, times.total)})`;
}

/**
 * A stacked bar. `whole` is the time of its full width.
 * @param {SummaryTimes} times
 */
export function timeBar(times, whole = times.total, kind = "") {
  const parts = presentTimes(times).map((time) =>
    h("span", {
      class: "stacked-part",
      title: timeShareText(time, times),
      style: {
        flexBasis: `${(100 * times[time.key]) / Math.max(1, whole)}%`,
        backgroundColor: colour(time),
      },
    }),
  );
  const said =
    presentTimes(times)
      .map((time) => timeShareText(time, times))
      .join(", ") || "nothing";
  return h("span", { class: `stacked ${kind}`, role: "img", "aria-label": said }, parts);
}

/**
 * A bar of the full width, with a legend that lists the times.
 * @param {SummaryTimes} times
 */
export function timeSummary(times) {
  const entries = TIMES.filter(({ key }) => key !== "unknown" || times.unknown > 0).map((time) =>
    h(
      "span",
      { class: "legend-entry", title: time.about },
      h("span", { class: "swatch", style: { backgroundColor: colour(time) } }),
      time.label,
      h("b", {}, formatDuration(times[time.key])),
      h("span", { class: "muted" }, shareOf(times[time.key], times.total)),
    ),
  );
  return h(
    "div",
    { class: "time-summary" },
    timeBar(times, times.total, "large"),
    h("p", { class: "legend" }, entries),
  );
}

/**
 * A duration in a table. The title has it with all digits; 0 is shown in a weaker colour.
 * @param {number} ns
 */
export function durationCell(ns) {
  return ns === 0
    ? h("span", { class: "zero" }, "0")
    : h("span", { title: formatExact(ns) }, formatDuration(ns));
}

/**
 * Adds up the times of several entries.
 * @param {SummaryTimes[]} list
 */
export function sumTimes(list) {
  const sum = (/** @type {keyof SummaryTimes} */ key) =>
    list.reduce((total, times) => total + times[key], 0);
  return {
    execution: sum("execution"),
    sched_wait: sum("sched_wait"),
    syscall: sum("syscall"),
    syscall_block: sum("syscall_block"),
    block: sum("block"),
    unknown: sum("unknown"),
    total: sum("total"),
  };
}

/**
 * The columns of a paged table with the time by state of each entry.
 * @template {{ time: SummaryTimes }} Entry
 * @param {TimeInfo[]} times
 * @returns {import("./paged.js").PagedColumn<Entry>[]}
 */
export function timeColumns(times) {
  /** @type {import("./paged.js").PagedColumn<Entry>[]} */
  const columns = times.map(({ key, label, about }) => ({
    label,
    sort: key,
    number: true,
    about,
    cell: ({ time }) => durationCell(time[key]),
  }));
  columns.push({
    label: "Total",
    sort: "total",
    first: true,
    number: true,
    cell: ({ time }) => durationCell(time.total),
  });
  return columns;
}
