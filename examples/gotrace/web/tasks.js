// SPDX-License-Identifier: BSD-3-Clause
// /usertasks: types of tasks, with their latencies.

import { h, fill } from "./dom.js";
import { askWithBar } from "./analysis.js";
import { sortableGrid } from "./grid.js";
import { latencyHistogram, trimBuckets } from "./histogram.js";
import { formatDuration, formatCount } from "./format.js";

function listAddress(type, parameters = {}) {
  return `/usertask?${new URLSearchParams({ type: type.name, ...parameters })}`;
}

function buckets(type) {
  return latencyHistogram(trimBuckets(type.histogram), (from, to) =>
    listAddress(type, { complete: 1, latmin: `${from}ns`, latmax: `${to}ns` }));
}

function duration(key, about) {
  return { key, label: key, number: true, about, cell: (type) => formatDuration(type[key]) };
}

const COLUMNS = [
  { key: "name", label: "Task type", class: "name", cell: (type) => h("a", { href: listAddress(type) }, type.name || "(no name)") },
  { key: "count", label: "Tasks", number: true, cell: (type) => formatCount(type.count) },
  { key: "complete", label: "Complete", number: true, about: "Begun and ended within the trace", cell: (type) => h("a", { href: listAddress(type, { complete: 1 }) }, formatCount(type.complete)) },
  { key: "open", label: "Incomplete", number: true, value: (type) => type.count - type.complete, cell: (type) => h("a", { href: listAddress(type, { complete: 0 }) }, formatCount(type.count - type.complete)) },
  { key: "histogram", label: "Latency of complete ones", class: "histogram-cell", value: (type) => type.p50, cell: buckets },
  duration("p50", "Half of the complete ones took no longer"),
  duration("p95"),
  duration("p99"),
  duration("max"),
];

export async function tasksPage(element) {
  document.title = "Tasks · gotrace";
  const { types } = await askWithBar(element, "/api/tasks");
  const grid = sortableGrid("Tasks by type", COLUMNS, { key: "count", descending: true });
  fill(element, h("h1", {}, "User tasks"),
    h("p", { class: "lead" }, types.length > 0
      ? "Tasks of runtime/trace by their type. A bar of a histogram opens the tasks that took so long."
      : "The trace has no tasks. A program makes them with trace.NewTask of runtime/trace."),
    h("div", { class: "grid-holder" }, grid.element));
  grid.show(types);
}
