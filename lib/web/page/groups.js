// SPDX-License-Identifier: BSD-3-Clause
// /goroutines: all goroutines in one table, by start function.

import { h, fill } from "./dom.js";
import { viewerURL } from "./api.js";
import { AddressTable, choiceField, flagField, textField } from "./address.js";
import { askListWithBar } from "./analysis.js";
import { scrolling, sortableGrid } from "./grid.js";
import { recall, remember } from "./nav.js";
import { TIMES, timeBar, timeSummary, durationCell, sumTimes } from "./timebar.js";
import { formatCount } from "./format.js";
import { curlButton, curlCommand } from "./copy.js";
import { csvButton } from "./csv.js";
import { functionName, timelineAddress } from "./names.js";
import { PageAddress, pageSorts } from "./pagestate.js";

/** @typedef {import("./timebar.js").TimeInfo} TimeInfo */

/** @type {{ key: MeasureKey, label: string }[]} */
const MEASURES = [
  { key: "execution", label: "Execution" },
  { key: "sched_wait", label: "Sched wait" },
  { key: "block", label: "Block" },
  { key: "total", label: "Total" },
];
const PERCENTILES = ["p50", "p95", "p99"];
const SCALE = "gotrace.bars";
/** @type {MeasureKey[]} */
const KEYS = MEASURES.map(({ key }) => key);

/** @type {{
 *   filter: import("./address.js").Field<string>,
 *   measure: import("./address.js").Field<MeasureKey>,
 *   bars: import("./address.js").Field<boolean | null>,
 * }} */
const FIELDS = {
  filter: textField("filter", "the filter"),
  measure: choiceField("measure", "what percentiles are of", KEYS, "execution"),
  bars: { ...flagField("bars", "the scale of bars", false), remembered: true },
};
const TABLE = new AddressTable(FIELDS);

/** @param {GoroutineGroup} group */
function groupName(group) {
  return group.name || "(unknown)";
}

/** @param {GoroutineGroup} group */
function groupLink(group) {
  return h(
    "a",
    { href: viewerURL("goroutine", { name: group.name }) },
    functionName(groupName(group)),
  );
}

/** @param {GoroutineGroup} group */
function onTimeline(group) {
  return h(
    "a",
    {
      href: timelineAddress({ view: "goroutine", filter: group.name }),
      title: `${groupName(group)} on the timeline`,
    },
    "timeline",
  );
}

/**
 * @param {string} key
 * @param {Child} label
 * @param {(group: GoroutineGroup) => number} value
 * @param {string} about
 */
function duration(key, label, value, about) {
  return {
    key,
    label,
    number: true,
    about,
    value,
    cell: (/** @type {GoroutineGroup} */ row) => durationCell(value(row)),
  };
}

/**
 * The columns of the percentiles. The measure is named once, above the first of the three.
 * @param {MeasureKey} measure
 */
function percentileColumns(measure) {
  const { key, label } = MEASURES.find((each) => each.key === measure) ?? MEASURES[0];
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

/**
 * @param {MeasureKey} measure
 * @param {number | null} whole
 * @param {TimeInfo[]} times
 * @returns {import("./grid.js").GridColumn<GoroutineGroup>[]}
 */
function groupColumns(measure, whole, times) {
  return [
    { key: "name", label: "Start function", value: groupName, cell: groupLink, class: "name" },
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
    duration("total", "Total", (group) => group.time.total, "All time in which they existed"),
    ...percentileColumns(measure),
    {
      key: "show",
      label: "Show",
      value: groupName,
      cell: (group) => group.name !== "" && onTimeline(group),
    },
  ];
}

/** @param {GoroutineGroup[]} groups */
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
  holder = h("div");
  note = h("span", { class: "note", "aria-live": "polite" });
  filter = h("input", {
    type: "search",
    class: "field",
    placeholder: "Filter functions  ( / )",
    "aria-label": "Filter functions",
    spellcheck: "false",
    autocomplete: "off",
  });
  select = h(
    "select",
    { class: "select" },
    MEASURES.map(({ key, label }) => h("option", { value: key }, label)),
  );
  scaled = h("input", { type: "checkbox" });
  address = new PageAddress(TABLE);

  /**
   * @param {HTMLElement} element
   * @param {GoroutineGroup[]} groups
   */
  constructor(element, groups) {
    this.groups = groups;
    this.whole = Math.max(1, ...groups.map((group) => group.time.total));
    this.times = TIMES.filter(
      ({ key }) => key !== "unknown" || groups.some((group) => group.time.unknown > 0),
    );
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
    const { state } = this.address;
    state.bars ??= recall(SCALE) === "1";
    this.filter.value = state.filter;
    this.select.value = state.measure;
    this.scaled.checked = state.bars;
    this.filter.addEventListener("input", () => {
      this.address.set({ filter: this.filter.value });
      this.show();
    });
    this.select.addEventListener("change", () => {
      this.address.set({ measure: MEASURES[this.select.selectedIndex].key });
      this.build();
    });
    this.scaled.addEventListener("change", () => {
      remember(SCALE, this.scaled.checked ? "1" : "0");
      this.address.set({ bars: this.scaled.checked });
      this.build();
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
          title: "Bars as long as their total; otherwise each bar has the full width",
        },
        this.scaled,
        "Bars to scale",
      ),
      this.note,
      h("span", { class: "spring" }),
      csvButton("goroutines.csv", () => csvOf(this.shown())),
      curlButton("all functions", () => curlCommand("api/groups")),
    );
  }

  build() {
    const { measure, bars } = this.address.state;
    this.grid = sortableGrid(
      "Goroutines by start function",
      groupColumns(measure, bars ? this.whole : null, this.times),
      { key: "total", descending: true },
      "groups",
      pageSorts(),
    );
    fill(this.holder, scrolling(this.grid.element));
    this.show();
  }

  shown() {
    const wanted = this.filter.value.trim().toLowerCase();
    return this.groups.filter((group) => groupName(group).toLowerCase().includes(wanted));
  }

  show() {
    const groups = this.shown();
    this.grid?.show(groups);
    this.note.textContent =
      groups.length < this.groups.length
        ? `${formatCount(groups.length)} of ${formatCount(this.groups.length)}`
        : "";
  }
}

/** @param {HTMLElement} element */
export async function groupsPage(element) {
  document.title = "Goroutines · gotrace";
  const groups = await askListWithBar(element, "api/groups", (answer) => answer.groups);
  if (groups.length > 0) return new Groups(element, groups);
  return fill(
    element,
    h("h1", {}, "Goroutines"),
    h("p", { class: "empty" }, "The trace has no goroutines."),
  );
}
