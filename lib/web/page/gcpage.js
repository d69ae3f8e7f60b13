// SPDX-License-Identifier: BSD-3-Clause
// /gc: the cycles of the garbage collector, the time of its workers and of the assists, and the
// stops of the world.

import { viewerURL } from "./api.js";
import { h, fill } from "./dom.js";
import { AddressTable } from "./address.js";
import { ask, askWithBar } from "./analysis.js";
import { formatBytes, formatCount, formatDuration, formatPlural, formatShare } from "./format.js";
import { scrolling, sortableGrid } from "./grid.js";
import { windowField, worstWindows } from "./mmu.js";
import { MmuPlot } from "./mmuplot.js";
import {
  columnTime,
  functionName,
  goroutineRowLink,
  rangeAround,
  timelineAddress,
} from "./names.js";
import { pagedTable } from "./paged.js";
import { PageAddress, pageSorts } from "./pagestate.js";

/** @typedef {import("./paged.js").PagedColumn<GcCycle>} CycleColumn */
/** @typedef {import("./paged.js").PagedColumn<GcStop>} StopColumn */

/** @type {[key: GcWorker, label: string, about: string][]} */
const WORKERS = [
  ["dedicated", "Dedicated", "Workers that had a proc for themselves"],
  ["fractional", "Fractional", "Workers that shared a proc with the program"],
  ["idle", "Idle time", "Workers on procs that had nothing else to do"],
];

/** The flags of the utilization that the plot shows: the defaults of the page /mmu. */
const MMU_FLAGS = "stw|background|assist|exact|system";
const FIRST_WINDOW = 1e6;
const MMU = new AddressTable({ window: windowField() });

/** @param {string} about */
function unknown(about) {
  return h("span", { class: "zero", title: about }, "–");
}

/**
 * @param {number | null} start
 * @param {number | null} end
 */
function lengthCell(start, end) {
  return start === null || end === null
    ? unknown("Not within the trace")
    : formatDuration(end - start);
}

/** @param {number} time */
function timeCell(time) {
  return time === 0 ? h("span", { class: "zero" }, "0") : formatDuration(time);
}

/**
 * A value before and after a cycle.
 * @param {number | null} before
 * @param {number | null} after
 */
function changeCell(before, after) {
  const text = (/** @type {number | null} */ bytes) => (bytes === null ? "–" : formatBytes(bytes));
  return before === null && after === null
    ? unknown("The trace does not say")
    : `${text(before)} → ${text(after)}`;
}

/**
 * A link to the timeline that shows a range and selects it as the area.
 * @param {number} start
 * @param {number} end
 */
function rangeLink(start, end) {
  const address = timelineAddress({
    view: "proc",
    ...rangeAround({ start, end }, 0.5),
    area: `${Math.floor(start)}-${Math.ceil(Math.max(end, start + 1))}`,
  });
  return h("a", { href: address, title: "Show it on the timeline" }, columnTime(start));
}

/** @param {GcCycle} cycle */
function cycleStart({ start, mark, mark_end: end, termination_end: last }) {
  const known = [start, mark].filter((time) => time !== null);
  if (known.length === 0) return unknown("Before the trace");
  const first = Math.min(...known);
  return rangeLink(first, last ?? end ?? first);
}

/**
 * @param {GcSummary} summary
 * @returns {CycleColumn[]}
 */
function cycleColumns(summary) {
  const workers = WORKERS.filter(([key]) => summary.work[key] > 0);
  /** @type {CycleColumn[]} */
  const columns = [
    { label: "Cycle", number: true, cell: ({ number }) => formatCount(number) },
    { label: "Start", sort: "start", first: true, number: true, cell: cycleStart },
    {
      label: "Stop to start",
      number: true,
      about: "The world is stopped to end the previous sweep (sweep termination)",
      cell: (cycle) => lengthCell(cycle.start, cycle.start_end),
    },
    {
      label: "Mark",
      sort: "mark",
      number: true,
      cell: (cycle) => lengthCell(cycle.mark, cycle.mark_end),
    },
    {
      label: "Stop to end",
      number: true,
      about: "The world is stopped to end marking (mark termination)",
      cell: (cycle) => lengthCell(cycle.termination, cycle.termination_end),
    },
    {
      label: "Both stops",
      sort: "pause",
      number: true,
      cell: (cycle) => timeCell(pauseOf(cycle)),
    },
    {
      label: "Sweep",
      sort: "sweep",
      number: true,
      about: "The sum of the sweeps that goroutines did when they allocated",
      cell: (cycle) => h("span", { title: sweepAbout(cycle) }, timeCell(cycle.sweep)),
    },
    ...heapColumns(summary),
    ...workers.map(([key, label, about]) => ({
      label,
      about,
      number: true,
      cell: (/** @type {GcCycle} */ cycle) => timeCell(cycle.work[key]),
    })),
    { label: "All workers", sort: "work", number: true, cell: (cycle) => timeCell(workOf(cycle)) },
    {
      label: "Assists",
      sort: "assist",
      number: true,
      about: "Work that goroutines did for the collector when they allocated, and waiting for it",
      cell: (cycle) =>
        h("span", { title: formatPlural(cycle.assists, "assist") }, timeCell(cycle.assist)),
    },
  ];
  return columns.filter((column) => summary.has_workers || column.sort !== "work");
}

/**
 * @param {GcSummary} summary
 * @returns {CycleColumn[]}
 */
function heapColumns(summary) {
  const heap = {
    label: "Heap",
    sort: "heap",
    number: true,
    class: "nowrap",
    about: "Live heap when marking began and when it had ended",
    cell: (/** @type {GcCycle} */ { before, after }) => changeCell(before.heap, after.heap),
  };
  const goal = {
    label: "Goal",
    number: true,
    class: "nowrap",
    about: "Heap goal when marking began, and that of the next cycle",
    cell: (/** @type {GcCycle} */ { before, after }) => changeCell(before.goal, after.goal),
  };
  return [summary.has_heap && heap, summary.has_goal && goal].filter((column) => column !== false);
}

/** @param {GcCycle} cycle */
function pauseOf({ start, start_end: begun, termination, termination_end: end }) {
  const first = start !== null && begun !== null ? begun - start : 0;
  return first + (termination !== null && end !== null ? end - termination : 0);
}

/** @param {GcCycle} cycle */
function workOf({ work }) {
  return WORKERS.reduce((sum, [key]) => sum + work[key], 0);
}

/** @param {GcCycle} cycle */
function sweepAbout({ sweeps, swept, reclaimed }) {
  const bytes =
    swept === null ? "" : `, ${formatBytes(swept)} swept, ${formatBytes(reclaimed ?? 0)} reclaimed`;
  return `${formatPlural(sweeps, "sweep")}${bytes}`;
}

/** @param {GcSummary} summary */
function notes(summary) {
  const list = [
    !summary.has_workers && "when workers were dedicated, fractional or idle",
    !summary.has_heap && "the size of the heap",
    !summary.has_goal && "the goal of the heap",
    !summary.has_swept && "how much was swept",
  ].filter((note) => note !== false);
  return (
    list.length > 0 &&
    h("p", { class: "lead", id: "gc-missing" }, `This trace does not say ${list.join(", or ")}.`)
  );
}

/** @param {GcSummary} summary */
function lead(summary) {
  const { cycles, duration, mark, stops, causes } = summary;
  if (cycles === 0 && summary.assist === 0 && summary.sweep === 0)
    return h("p", { class: "lead" }, "The collector did not run in this trace.");
  const stopped = causes.reduce((sum, { time }) => sum + time, 0);
  const share = (/** @type {number} */ time) => formatShare(duration > 0 ? time / duration : 0);
  const work = WORKERS.reduce((sum, [key]) => sum + summary.work[key], 0);
  return h(
    "p",
    { class: "lead" },
    `${formatPlural(cycles, "cycle")} in ${formatDuration(duration)}, marking ${share(mark)} of `,
    `the time; the world was stopped ${formatCount(stops)} times for ${formatDuration(stopped)} `,
    `(${share(stopped)}). `,
    summary.has_workers ? `Workers ran for ${formatDuration(work)}, assists` : "Assists",
    ` took ${formatDuration(summary.assist)}, sweeps ${formatDuration(summary.sweep)}.`,
  );
}

/**
 * @param {number} all
 * @returns {import("./grid.js").GridColumn<GcAssist>[]}
 */
function assistColumns(all) {
  return [
    {
      key: "name",
      label: "Goroutines that start in",
      class: "name",
      cell: ({ name }) =>
        h("a", { href: viewerURL("goroutine", { name }) }, functionName(name || "(unknown)")),
    },
    { key: "goroutines", label: "Goroutines", number: true },
    { key: "time", label: "Assists", number: true, cell: ({ time }) => formatDuration(time) },
    {
      key: "share",
      label: "Share",
      number: true,
      about: "Of the time of all assists",
      value: ({ time }) => time,
      cell: ({ time }) => formatShare(all > 0 ? time / all : 0),
    },
    {
      key: "running",
      label: "Running",
      number: true,
      about: "How long these goroutines ran in the whole trace",
      cell: ({ running }) => formatDuration(running),
    },
  ];
}

/** @param {GcSummary} summary */
function assistTable({ assists, assist }) {
  const usual = { key: "time", descending: true };
  const caption = "Assists by start function";
  const grid = sortableGrid(caption, assistColumns(assist), usual, "assists", pageSorts());
  grid.show(assists);
  return assists.length > 0
    ? scrolling(grid.element)
    : h("p", { class: "muted" }, "No goroutine assisted the collector.");
}

/**
 * @param {string | null} chosen
 * @returns {import("./grid.js").GridColumn<GcCause>[]}
 */
function causeColumns(chosen) {
  return [
    {
      key: "cause",
      label: "Cause",
      cell: ({ cause }) =>
        h(
          "a",
          {
            href: viewerURL("gc", cause === chosen ? {} : { cause }),
            "aria-current": cause === chosen ? "true" : null,
            title: cause === chosen ? "Show all stops" : "Show only these stops",
          },
          cause || "(not said)",
        ),
    },
    { key: "count", label: "Stops", number: true },
    { key: "time", label: "Total", number: true, cell: ({ time }) => formatDuration(time) },
    {
      key: "mean",
      label: "Mean",
      number: true,
      value: ({ time, count }) => time / count,
      cell: ({ time, count }) => formatDuration(Math.round(time / count)),
    },
    {
      key: "longest",
      label: "Longest",
      number: true,
      cell: ({ longest }) => formatDuration(longest),
    },
  ];
}

/**
 * @param {GcSummary} summary
 * @param {string | null} chosen
 */
function causeTable({ causes }, chosen) {
  const usual = { key: "time", descending: true };
  const grid = sortableGrid("Stops by cause", causeColumns(chosen), usual, "causes", pageSorts());
  grid.show(causes);
  return scrolling(grid.element);
}

/** @type {StopColumn[]} */
const STOP_COLUMNS = [
  {
    label: "Start",
    sort: "start",
    number: true,
    cell: ({ start, end }) =>
      start === null ? unknown("Before the trace") : rangeLink(start, end ?? start),
  },
  {
    label: "Length",
    sort: "length",
    first: true,
    number: true,
    cell: ({ start, end }) => lengthCell(start, end),
  },
  { label: "Cause", sort: "cause", cell: ({ cause }) => cause || "(not said)" },
  {
    label: "Stopped by",
    cell: ({ goroutine, start, end }) =>
      goroutine > 0 &&
      goroutineRowLink(
        goroutine,
        start === null ? {} : rangeAround({ start, end: end ?? start }, 0.5),
      ),
  },
];

/** The plot of the utilization, with the worst windows of the length that is chosen. */
class UtilizationPlot {
  address = new PageAddress(MMU);
  asked = 0;
  details = h("div", { class: "mmu-details", "aria-live": "polite" });
  plot = new MmuPlot((window) => this.pick(window));
  element = h("div", { class: "gc-mmu" }, this.plot.element, this.details);

  async show() {
    const answer = await ask("api/mmu", { flags: MMU_FLAGS });
    this.plot.show(answer, true);
    const longest = answer.curve.at(-1)?.[0];
    const first = this.address.state.window ?? FIRST_WINDOW;
    if (longest !== undefined) await this.showWorst(Math.min(first, longest));
  }

  /** @param {number} length */
  pick(length) {
    this.address.set({ window: Math.round(length) });
    return this.showWorst(length);
  }

  /** @param {number} length */
  async showWorst(length) {
    const asked = ++this.asked;
    const window = Math.round(length);
    this.plot.mark(window);
    const { windows } = await ask("api/mmu/worst", { window, flags: MMU_FLAGS });
    if (asked === this.asked) fill(this.details, worstWindows(windows, window));
  }
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function gcPage(element, parameters) {
  document.title = "GC · gotrace";
  const cause = parameters.get("cause");
  const summary = await askWithBar(element, "api/gc/summary");
  const cycles = pagedTable(
    "Cycles",
    cycleColumns(summary),
    async (page) => {
      const answer = await ask("api/gc/cycles", page);
      return { total: answer.total, rows: answer.cycles };
    },
    {
      empty: "The collector did not run in this trace.",
      rising: true,
      source: { path: "api/gc/cycles", parameters: (page) => page },
    },
  );
  const stops = pagedTable(
    "Stops of the world",
    STOP_COLUMNS,
    async (page) => {
      const answer = await ask("api/gc/stops", { ...page, cause });
      return { total: answer.total, rows: answer.stops };
    },
    {
      empty: "The world was not stopped.",
      prefix: "stop-",
      source: { path: "api/gc/stops", parameters: (page) => ({ ...page, cause }) },
    },
  );
  const plot = new UtilizationPlot();
  const heading = (/** @type {string} */ text) => h("h2", {}, text);
  fill(
    element,
    h("h1", {}, "Garbage collection"),
    lead(summary),
    notes(summary),
    h(
      "div",
      { class: "gc-columns" },
      h(
        "div",
        {},
        heading("Assists by goroutines"),
        assistTable(summary),
        heading("Stops of the world"),
        summary.causes.length > 0
          ? causeTable(summary, cause)
          : h("p", { class: "muted" }, "The world was not stopped."),
      ),
      h("div", {}, heading("Minimum mutator utilization"), plot.element),
    ),
    heading("Cycles"),
    cycles.element,
    heading(cause === null ? "All stops of the world" : `Stops of the world: ${cause}`),
    stops.element,
  );
  await Promise.all([cycles.show(), stops.show(), plot.show()]);
}
