// SPDX-License-Identifier: BSD-3-Clause
// /goroutine?name=: the goroutines with the same start function.

import { h, fill } from "./dom.js";
import { viewerURL } from "./api.js";
import { ask, askListWithBar } from "./analysis.js";
import { pagedTable, loadAll } from "./paged.js";
import { TIMES, durationCell, timeBar, timeColumns, timeSummary } from "./timebar.js";
import { formatDuration, formatCount } from "./format.js";
import { csvButton } from "./csv.js";
import { columnTime, goroutineRowLink, rangeAround, timelineAddress } from "./names.js";
import { PROFILE_PAGES } from "./nav.js";

const NAMED = 2;

/** @typedef {import("./paged.js").PageQuery} PageQuery */
/** @typedef {import("./timebar.js").TimeInfo} TimeInfo */
/** @typedef {{ reason: string, time: number, overlaps: boolean }} NamedTime */

/**
 * The range in which a goroutine existed, which ends with the trace if it did not end before.
 * @param {GoroutineFacts} goroutine
 */
function lifeOf(goroutine) {
  const end = goroutine.ended ?? goroutine.created + goroutine.time.total;
  return rangeAround({ start: goroutine.created, end });
}

/**
 * @param {Record<string, number> | undefined} times
 * @param {boolean} overlaps
 */
function named(times, overlaps) {
  return Object.entries(times ?? {})
    .map(([reason, time]) => ({ reason: reason || "(no reason)", time, overlaps }))
    .sort((a, b) => b.time - a.time);
}

/** @param {NamedTime} named */
function namedItem({ reason, time, overlaps }) {
  return h(
    "span",
    {
      class: overlaps ? "wait overlaps" : "wait",
      title: overlaps ? "Overlaps the other times" : "",
    },
    reason,
    " ",
    h("b", {}, formatDuration(time)),
  );
}

/**
 * What a goroutine waited for and the ranges it was in, the longest first.
 * @param {GoroutineFacts} goroutine
 */
function waits(goroutine) {
  const list = [...named(goroutine.blocks, false), ...named(goroutine.ranges, true)];
  if (list.length <= NAMED + 1) return list.map(namedItem);
  return [
    list.slice(0, NAMED).map(namedItem),
    h(
      "details",
      { class: "wait" },
      h("summary", {}, `${list.length - NAMED} more`),
      list.slice(NAMED).map(namedItem),
    ),
  ];
}

/** @param {number | null} time */
function momentCell(time) {
  return time === null ? h("span", { class: "zero" }, "–") : columnTime(time);
}

/**
 * The kinds of time that a group has. Unknown time is rare, so it is shown only if there is any.
 * @param {GoroutineGroup} group
 */
function timesOf(group) {
  return TIMES.filter(({ key }) => key !== "unknown" || group.time.unknown > 0);
}

/**
 * @param {number} whole
 * @param {TimeInfo[]} times
 * @returns {import("./paged.js").PagedColumn<GoroutineFacts>[]}
 */
function goroutineColumns(whole, times) {
  return [
    {
      label: "Goroutine",
      sort: "id",
      cell: (goroutine) => goroutineRowLink(goroutine.id, lifeOf(goroutine)),
    },
    {
      label: "Created",
      sort: "created",
      number: true,
      about: "Since the start of the trace, at which it may already have existed",
      cell: ({ created }) => momentCell(created),
    },
    {
      label: "Ended",
      sort: "ended",
      number: true,
      about: "If it ended within the trace",
      cell: ({ ended }) => momentCell(ended),
    },
    { label: "Time by state", class: "bar-cell", cell: ({ time }) => timeBar(time, whole) },
    ...timeColumns(times),
    {
      label: "Waits and ranges",
      class: "waits",
      about: "Reasons for its waits, and in italics ranges, which overlap the other times",
      cell: waits,
    },
  ];
}

/**
 * @param {string} name
 * @param {QueryValues} query
 */
function askGroup(name, query) {
  return ask("api/group", { name, ...query });
}

/** @param {string} name */
function links(name) {
  return h(
    "p",
    { class: "links" },
    h(
      "a",
      { class: "button", href: timelineAddress({ view: "goroutine", filter: name }) },
      "On the timeline",
    ),
    h("span", { class: "muted" }, "Flame graphs of their waits:"),
    PROFILE_PAGES.map(({ path, label }) =>
      h("a", { class: "button", href: viewerURL(path, { name }) }, label),
    ),
  );
}

/** A selection of the wait reasons that occur on the page, to sort by one of them. */
class WaitSort {
  select = h("select", { class: "select" });
  /** @type {Set<string>} */
  known = new Set();

  /** @param {(sort: string) => void} sortBy */
  constructor(sortBy) {
    this.select.addEventListener("change", () => {
      if (this.select.value !== "") sortBy(this.select.value);
    });
    this.element = h("label", { class: "labelled", hidden: true }, "Sort by wait", this.select);
  }

  /**
   * @param {GoroutineFacts[]} rows
   * @param {string | undefined} sort
   */
  note(rows, sort) {
    for (const row of rows) {
      for (const reason of Object.keys(row.blocks ?? {})) this.known.add(`block:${reason}`);
      for (const name of Object.keys(row.ranges ?? {})) this.known.add(`range:${name}`);
    }
    const label = (/** @type {string} */ key) => key.slice(key.indexOf(":") + 1) || "(no reason)";
    fill(
      this.select,
      h("option", { value: "" }, "–"),
      [...this.known].sort().map((key) => h("option", { value: key }, label(key))),
    );
    this.select.value = sort !== undefined && this.known.has(sort) ? sort : "";
    this.element.hidden = this.known.size === 0;
  }
}

/** @param {string} name */
function csvRows(name) {
  return async (/** @type {(text: string) => void} */ say) => {
    const rows = await loadAll(async (page) => {
      const answer = await askGroup(name, { ...page, sort: "id", desc: 0 });
      return { total: answer.total, rows: answer.goroutines };
    }, say);
    const head = [
      "goroutine",
      "created_ns",
      "started_ns",
      "ended_ns",
      ...TIMES.map(({ key }) => `${key}_ns`),
      "total_ns",
    ];
    return [
      head,
      ...rows.map((row) => [
        row.id,
        row.created,
        row.started,
        row.ended,
        ...TIMES.map(({ key }) => row.time[key]),
        row.time.total,
      ]),
    ];
  };
}

/** @param {GoroutineGroup} group */
function percentileLine(group) {
  /** @type {[MeasureKey, string][]} */
  const parts = [
    ["execution", "Execution"],
    ["sched_wait", "Sched wait"],
    ["block", "Block"],
    ["total", "Total"],
  ];
  const row = (/** @type {[MeasureKey, string]} */ [key, label]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, label),
      group.percentiles[key].map((ns) => h("td", { class: "number" }, durationCell(ns))),
    );
  return h(
    "table",
    { class: "percentiles" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Of each goroutine"),
        ["p50", "p95", "p99"].map((name) => h("th", { scope: "col", class: "number" }, name)),
      ),
    ),
    h("tbody", {}, parts.map(row)),
  );
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function groupPage(element, parameters) {
  const name = parameters.get("name") ?? "";
  document.title = `${name || "(unknown)"} · gotrace`;
  const groups = await askListWithBar(element, "api/groups", (answer) => answer.groups);
  const group = groups.find((each) => each.name === name);
  if (!group) throw new Error(`no goroutine starts with ${name || "no function"}`);
  const longest = await askGroup(name, { sort: "total", desc: 1, first: 0, count: 1 });
  const whole = Math.max(1, longest.goroutines[0]?.time.total ?? 1);
  const waitSort = new WaitSort((sort) => table.sortBy(sort));
  const load = async (/** @type {PageQuery} */ query) => {
    const answer = await askGroup(name, query);
    waitSort.note(answer.goroutines, query.sort);
    return { total: answer.total, rows: answer.goroutines };
  };
  const table = pagedTable(
    `Goroutines that start with ${name}`,
    goroutineColumns(whole, timesOf(group)),
    load,
    {
      tools: [waitSort.element, csvButton("goroutines.csv", csvRows(name))],
      source: { path: "api/group", parameters: (page) => ({ name, ...page }) },
    },
  );
  fill(
    element,
    h("h1", {}, name || "(unknown)"),
    h(
      "p",
      { class: "lead" },
      longest.total === 1
        ? "One goroutine starts with this function."
        : `${formatCount(longest.total)} goroutines start with this function.`,
    ),
    links(name),

    h(
      "div",
      { class: "overview" },
      timeSummary(group.time),
      longest.total > 1 && percentileLine(group),
    ),
    table.element,
  );
  return table.show();
}
