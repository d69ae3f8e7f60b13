// SPDX-License-Identifier: BSD-3-Clause
// /goroutines: all goroutines by the function they start with, in one table.

import { h, fill } from "./dom.js";
import { askWithBar } from "./analysis.js";
import { sortableGrid } from "./grid.js";
import { TIMES, timeBar, timeLegend } from "./timebar.js";
import { formatDuration, formatCount } from "./format.js";
import { csvButton } from "./csv.js";

const MEASURES = [...TIMES.filter(({ key }) => ["execution", "sched_wait", "block"].includes(key)), { key: "total", label: "Total" }];

function nameOf(group) {
  return group.name || "(unknown)";
}

function groupLink(group) {
  return h("a", { href: `/goroutine?name=${encodeURIComponent(group.name)}` }, nameOf(group));
}

function percentile(group, measure, at) {
  return group.percentiles?.[measure]?.[at] ?? 0;
}

function duration(label, value, about) {
  return { key: label, label, number: true, about, value, cell: (row) => formatDuration(value(row)) };
}

function columnsFor(measure, whole) {
  const label = MEASURES.find(({ key }) => key === measure).label;
  return [
    { key: "name", label: "Start function", value: nameOf, cell: groupLink, class: "name" },
    { key: "count", label: "Goroutines", number: true, cell: (group) => formatCount(group.count) },
    { key: "bar", label: "Time by state", number: true, class: "bar", value: (group) => group.time.total, cell: (group) => timeBar(group.time, whole) },
    ...TIMES.map((time) => duration(time.label, (group) => group.time[time.key], time.about)),
    duration("Total", (group) => group.time.total, "All time that they were there"),
    ...["p50", "p95", "p99"].map((name, at) => duration(name, (group) => percentile(group, measure, at), `${label} of a goroutine: ${name}`)),
  ];
}

function csvOf(groups) {
  const head = ["name", "goroutines", ...TIMES.map(({ key }) => `${key}_ns`), "total_ns"];
  return [head, ...groups.map((group) => [nameOf(group), group.count, ...TIMES.map(({ key }) => group.time[key]), group.time.total])];
}

class Groups {
  constructor(element, groups) {
    this.groups = groups;
    this.measure = "execution";
    this.whole = Math.max(1, ...groups.map((group) => group.time.total));
    this.filter = h("input", { type: "search", class: "field", placeholder: "Filter functions", "aria-label": "Filter functions", input: () => this.show() });
    this.select = h("select", { class: "field", "aria-label": "Percentiles of", change: () => { this.measure = this.select.value; this.build(); } },
      MEASURES.map(({ key, label }) => h("option", { value: key }, label)));
    this.holder = h("div", { class: "grid-holder" });
    const all = groups.reduce((sum, group) => sum + group.count, 0);
    fill(element, h("h1", {}, "Goroutines"),
      h("p", { class: "lead" }, `${formatCount(all)} goroutines in ${formatCount(groups.length)} groups by start function. Each opens the goroutines in it.`),
      timeLegend(),
      h("div", { class: "tools" }, this.filter, h("label", {}, "Percentiles of ", this.select), csvButton("goroutines.csv", () => csvOf(groups))),
      this.holder);
    this.build();
  }

  build() {
    this.grid = sortableGrid("Goroutines by start function", columnsFor(this.measure, this.whole),
      this.grid?.sort ?? { key: "Total", descending: true });
    fill(this.holder, this.grid.element);
    this.show();
  }

  show() {
    const wanted = this.filter.value.toLowerCase();
    this.grid.show(this.groups.filter((group) => nameOf(group).toLowerCase().includes(wanted)));
  }
}

export async function groupsPage(element) {
  document.title = "Goroutines · gotrace";
  const { groups } = await askWithBar(element, "/api/groups");
  return new Groups(element, groups);
}
