// SPDX-License-Identifier: BSD-3-Clause
// /goroutines: all goroutines by the function they start with, in one table.

import { h, fill } from "./dom.js";
import { viewerURL } from "./api.js";
import { askWithBar } from "./analysis.js";
import { sortableGrid } from "./grid.js";
import { recall, remember } from "./nav.js";
import { TIMES, timeBar, timeSummary, durationCell, sumTimes } from "./timebar.js";
import { formatCount } from "./format.js";
import { csvButton } from "./csv.js";
import { functionName, timelineAddress } from "./names.js";

const MEASURES = [
  ...TIMES.filter(({ key }) => ["execution", "sched_wait", "block"].includes(key)),
  { key: "total", label: "Total" },
];
const PERCENTILES = ["p50", "p95", "p99"];
const SCALE = "gotrace.bars";

function nameOf(group) {
  return group.name || "(unknown)";
}

function groupLink(group) {
  return h(
    "a",
    { href: viewerURL("goroutine", { name: group.name }) },
    functionName(nameOf(group)),
  );
}

function onTimeline(group) {
  return h(
    "a",
    {
      href: timelineAddress({ view: "goroutine", filter: group.name }),
      title: `${nameOf(group)} on the timeline`,
    },
    "timeline",
  );
}

function duration(key, label, value, about) {
  return { key, label, number: true, about, value, cell: (row) => durationCell(value(row)) };
}

/** The measure stands above, as three columns have it in common. */
function percentileColumns(measure) {
  const { key, label } = MEASURES.find((each) => each.key === measure);
  return PERCENTILES.map((name, at) => ({
    ...duration(
      name,
      [h("span", { class: "over" }, at === 0 ? `${label} of each` : "\u00a0"), name],
      (group) => group.percentiles?.[key]?.[at] ?? 0,
      `${label} of a goroutine: ${name}`,
    ),
    class: at === 0 ? "edge" : "",
  }));
}

function columnsFor(measure, whole, times) {
  return [
    { key: "name", label: "Start function", value: nameOf, cell: groupLink, class: "name" },
    { key: "count", label: "Goroutines", number: true, cell: (group) => formatCount(group.count) },
    {
      key: "bar",
      label: "Time by state",
      class: "bar-cell",
      value: (group) => group.time.total,
      cell: (group) => timeBar(group.time, whole ?? group.time.total),
    },
    ...times.map((time) =>
      duration(time.key, time.label, (group) => group.time[time.key], time.about),
    ),
    duration("total", "Total", (group) => group.time.total, "All time that they were there"),
    ...percentileColumns(measure),
    {
      key: "show",
      label: "Show",
      value: nameOf,
      cell: (group) => group.name !== "" && onTimeline(group),
    },
  ];
}

function csvOf(groups) {
  const head = [
    "name",
    "pc",
    "goroutines",
    ...TIMES.map(({ key }) => `${key}_ns`),
    "total_ns",
    ...MEASURES.flatMap(({ key }) => PERCENTILES.map((name) => `${key}_${name}_ns`)),
  ];
  return [
    head,
    ...groups.map((group) => [
      group.name,
      group.pc,
      group.count,
      ...TIMES.map(({ key }) => group.time[key]),
      group.time.total,
      ...MEASURES.flatMap(({ key }) => group.percentiles[key]),
    ]),
  ];
}

class Groups {
  constructor(element, groups) {
    this.groups = groups;
    this.measure = "execution";
    this.whole = Math.max(1, ...groups.map((group) => group.time.total));
    this.times = TIMES.filter(
      ({ key }) => key !== "unknown" || groups.some((group) => group.time.unknown > 0),
    );
    this.holder = h("div");
    this.note = h("span", { class: "note", "aria-live": "polite" });
    const functions =
      groups.length === 1 ? "one function" : `${formatCount(groups.length)} functions`;
    const all = groups.reduce((sum, group) => sum + group.count, 0);
    fill(
      element,
      h("h1", {}, "Goroutines"),
      h(
        "p",
        { class: "lead" },
        `${formatCount(all)} goroutines that start with ${functions}. ` +
          "The name of a function opens its goroutines.",
      ),
      timeSummary(sumTimes(groups.map((group) => group.time))),
      this.buildTools(),
      this.holder,
    );
    this.build();
  }

  buildTools() {
    this.filter = h("input", {
      type: "search",
      class: "field",
      placeholder: "Filter functions  ( / )",
      "aria-label": "Filter functions",
      spellcheck: "false",
      autocomplete: "off",
      input: () => this.show(),
    });
    this.select = h(
      "select",
      {
        class: "select",
        change: () => {
          this.measure = this.select.value;
          this.build();
        },
      },
      MEASURES.map(({ key, label }) => h("option", { value: key }, label)),
    );
    this.scaled = h("input", {
      type: "checkbox",
      checked: recall(SCALE) === "1",
      change: () => {
        remember(SCALE, this.scaled.checked ? "1" : "0");
        this.build();
      },
    });
    return h(
      "div",
      { class: "tools" },
      this.filter,
      h("label", { class: "labelled" }, "Percentiles of", this.select),
      h(
        "label",
        {
          class: "check",
          title: "Bars as long as their total; else each shows the shares of its own",
        },
        this.scaled,
        "Bars to scale",
      ),
      this.note,
      h("span", { class: "spring" }),
      csvButton("goroutines.csv", () => csvOf(this.shown())),
    );
  }

  build() {
    this.grid = sortableGrid(
      "Goroutines by start function",
      columnsFor(this.measure, this.scaled.checked ? this.whole : null, this.times),
      this.grid?.sort ?? { key: "total", descending: true },
    );
    fill(this.holder, this.grid.element);
    this.show();
  }

  shown() {
    const wanted = this.filter.value.trim().toLowerCase();
    return this.groups.filter((group) => nameOf(group).toLowerCase().includes(wanted));
  }

  show() {
    const groups = this.shown();
    this.grid.show(groups);
    this.note.textContent =
      groups.length < this.groups.length
        ? `${formatCount(groups.length)} of ${formatCount(this.groups.length)}`
        : "";
  }
}

export async function groupsPage(element) {
  document.title = "Goroutines · gotrace";
  const { groups } = await askWithBar(element, "api/groups");
  if (groups.length > 0) return new Groups(element, groups);
  return fill(
    element,
    h("h1", {}, "Goroutines"),
    h("p", { class: "empty" }, "The trace has no goroutines."),
  );
}
