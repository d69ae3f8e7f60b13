// SPDX-License-Identifier: BSD-3-Clause
// /userregions: types of regions, with their latencies.

import { h, fill } from "./dom.js";
import { askWithBar } from "./analysis.js";
import { sortableGrid } from "./grid.js";
import { latencyHistogram, trimBuckets } from "./histogram.js";
import { formatDuration, formatCount } from "./format.js";

/** Go's parameters, with the pc in hexadecimal digits. */
function identity(type) {
  return { type: type.type, pc: type.pc.replace(/^0x/, "") };
}

function listAddress(type, parameters = {}) {
  return `/userregion?${new URLSearchParams({ ...identity(type), ...parameters })}`;
}

function buckets(type) {
  return latencyHistogram(trimBuckets(type.histogram), (from, to) => listAddress(type, { latmin: `${from}ns`, latmax: `${to}ns` }));
}

function profiles(type) {
  const query = new URLSearchParams(identity(type));
  return [["regionio", "network"], ["regionblock", "sync"], ["regionsyscall", "syscall"], ["regionsched", "sched"]]
    .map(([path, label]) => [h("a", { href: `/${path}?${query}` }, label), " "]);
}

function duration(key) {
  return { key, label: key, number: true, cell: (type) => formatDuration(type[key]) };
}

const COLUMNS = [
  { key: "type", label: "Region type", class: "name", cell: (type) => h("a", { href: listAddress(type) }, type.type || "(no name)") },
  { key: "function", label: "In goroutines of", class: "name", about: "The function that the goroutine starts with" },
  { key: "count", label: "Regions", number: true, cell: (type) => formatCount(type.count) },
  { key: "histogram", label: "Latency", class: "histogram-cell", value: (type) => type.p50, cell: buckets },
  duration("p50"), duration("p95"), duration("p99"), duration("max"),
  { key: "profiles", label: "Profiles", value: () => 0, cell: profiles },
];

export async function regionsPage(element) {
  document.title = "Regions · gotrace";
  const { types } = await askWithBar(element, "/api/regions");
  const grid = sortableGrid("Regions by type", COLUMNS, { key: "count", descending: true });
  fill(element, h("h1", {}, "User regions"),
    h("p", { class: "lead" }, types.length > 0
      ? "Regions of runtime/trace by their type and goroutine. A bar of a histogram opens the regions that took so long."
      : "The trace has no regions. A program makes them with trace.WithRegion of runtime/trace."),
    h("div", { class: "grid-holder" }, grid.element));
  grid.show(types);
}
