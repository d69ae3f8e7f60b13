// SPDX-License-Identifier: BSD-3-Clause
// The panel of the selected area, which shows how its time was spent.

import { h, fill, button } from "./dom.js";
import { appSorts, sortableGrid } from "./grid.js";
import { scopeOf, scopeParameters, scopeTitle } from "./scope.js";
import { openExport } from "./export.js";
import { formatDuration, formatCount, formatPlural } from "./format.js";
import { shareOf } from "./amounts.js";
import { CLASSES, classTitle, classVar } from "./colors.js";
import { swatch } from "./swatch.js";
import { goroutinePage, searchLink } from "./links.js";
import { LiveQuery } from "./live.js";
import { messageOf } from "./api.js";
import { curlButton, curlCommand, linkButton } from "./copy.js";
import { askWhy } from "./why.js";
import { whyArea } from "./whyaddress.js";

/**
 * @template {object} Entry
 * @typedef {import("./grid.js").GridColumn<Entry>} GridColumn
 */

/** @typedef {FunctionSum & { sum: number, running: number }} FunctionRow */

/** @type {(keyof Percentiles)[]} */
const FIGURES = ["min", "mean", "p50", "p95", "p99", "max"];
/** The figures that an approximate answer rounds. */
const PERCENTILES = new Set(["p50", "p95", "p99"]);

/**
 * A column of durations. The key names the property of the row that is shown.
 * @template {string} Key
 * @param {Key} key
 * @param {string} [label]
 */
function durationColumn(key, label = key) {
  return {
    key,
    label,
    number: true,
    value: (/** @type {Record<Key, number>} */ row) => row[key],
    cell: (/** @type {Record<Key, number>} */ row) => formatDuration(row[key]),
  };
}

/** @param {ClassTimes} time */
function sumOf(time) {
  return Object.values(time).reduce((sum, part) => sum + part, 0);
}

/**
 * A bar of the time by class. The title of each part tells its class and share.
 * @param {ClassTimes} time
 * @param {number} whole
 * @param {Attributes} [attributes]
 */
function stackedBar(time, whole, attributes = {}) {
  const parts = CLASSES.filter((name) => time[name] > 0);
  const inWords = parts
    .map((name) => `${classTitle(name)} ${shareOf(time[name], whole)}`)
    .join(", ");
  return h(
    "div",
    { class: "stacked", role: "img", "aria-label": inWords, ...attributes },
    parts.map((name) =>
      h("span", {
        class: "stacked-part",
        title: `${classTitle(name)}: ${formatDuration(time[name])}, ${shareOf(time[name], whole)}`,
        style: { flexGrow: String(time[name]), backgroundColor: classVar(name) },
      }),
    ),
    whole > sumOf(time) &&
      h("span", { class: "stacked-rest", style: { flexGrow: String(whole - sumOf(time)) } }),
  );
}

/**
 * The times that add up to the whole. Regions and ranges overlap states, so their time does not
 * count beside that of states; tasks have no states, so their own time counts.
 * @param {ClassSum[]} classes
 */
function timeOf(classes) {
  const states = classes.filter((row) => CLASSES.indexOf(row.class) < CLASSES.indexOf("region"));
  return Object.fromEntries(
    (states.length > 0 ? states : classes).map((row) => [row.class, row.time]),
  );
}

/** @param {string} name */
function functionLink(name) {
  const attributes = { href: goroutinePage(`G ${name}`), title: "All goroutines of this function" };
  return h("a", attributes, name || "(unknown)");
}

/**
 * A warning if some of the numbers are not exact.
 * @param {AreaFacts} area
 */
function caveat(area) {
  if (!area.approximate) return "";
  return `≈ of ${formatCount(area.spans)} spans: percentiles are rounded by up to 1.6 %.`;
}

/**
 * The time that is missing in all sums, because data of a damaged trace was lost.
 * @param {AreaFacts} area
 */
function leftOut({ lost }) {
  if (lost.count === 0) return "";
  const places = formatPlural(lost.count, "place");
  return `${formatDuration(lost.time)} in ${places} are left out, because data was lost there.`;
}

export class Area {
  head = h("header", { class: "area-head" });
  summary = h("div", { class: "area-summary" });
  message = h("p", { class: "note", "aria-live": "polite" });
  /** The time of all classes that count; see timeOf(). */
  total = 0;
  /** Whether percentiles are rounded. */
  approximate = false;
  /**
   * How many spans the area has, unless that is not known yet.
   * @type {number | null}
   */
  spans = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.classes = this.classGrid();
    this.functions = this.functionGrid();
    this.reasons = this.reasonGrid();
    this.exporter = button(
      "Export ▾",
      () => openExport(app, this.exporter, this.live.pending ? null : this.spans),
      {
        title: "Save a picture, the numbers, the stacks or the timeline",
        "aria-haspopup": "menu",
      },
    );
    this.body = h(
      "div",
      { class: "area-body", hidden: true },
      this.summary,
      this.classes.element,
      this.reasons.element,
      this.functions.element,
    );
    this.element = h("div", { class: "area" }, this.head, this.message, this.body);
    this.live = new LiveQuery({
      path: "api/area",
      query: () => ({ ...scopeParameters(scopeOf(app)), rough: 1 }),
      refine: (area) => (area.approximate ? { rough: null } : null),
      show: (area) => this.show(area, scopeOf(app)),
      fail: (error) => {
        this.message.textContent = `The area could not be computed: ${messageOf(error)}`;
      },
      busy: (busy) => this.showBusy(busy),
    });
    app.on("state", (_, changed) => {
      if (changed.sorts) this.sort();
      this.changed();
    });
    app.on("area", () => this.changed());
    app.on("trace", () => this.changed());
  }

  /** The table of times by class. */
  classGrid() {
    /** @type {GridColumn<ClassSum>[]} */
    const columns = [
      {
        key: "class",
        label: "State",
        value: (row) => classTitle(row.class),
        cell: (row) => this.classCell(row.class),
      },
      { ...durationColumn("time", "Time"), about: "Sum over all rows of the area" },
      {
        key: "share",
        label: "%",
        number: true,
        class: "muted",
        value: (row) => row.time,
        cell: (row) => shareOf(row.time, this.total),
      },
      { key: "count", label: "Count", number: true, cell: (row) => formatCount(row.count) },
      ...this.figureColumns(),
    ];
    return this.grid("Time by state", columns, "time", "states");
  }

  /** The table of times by start function. */
  functionGrid() {
    /** @type {GridColumn<FunctionRow>[]} */
    const columns = [
      { key: "name", label: "Function", class: "name", cell: (row) => functionLink(row.name) },
      {
        key: "goroutines",
        label: "Goroutines",
        number: true,
        cell: (row) => formatCount(row.goroutines),
      },
      durationColumn("sum", "Time"),
      durationColumn("running", "Running"),
      {
        key: "bar",
        label: "States",
        class: "bar",
        about: "Sorts by the running share",
        value: (row) => row.running / (row.sum || 1),
        cell: (row) => stackedBar(row.time, row.sum),
      },
    ];
    return this.grid("By start function", columns, "sum", "functions");
  }

  /** The table of times by reason. */
  reasonGrid() {
    /** @type {GridColumn<ReasonSum>[]} */
    const columns = [
      {
        key: "reason",
        label: "Reason",
        class: "name",
        cell: (row) => this.reasonCell(row.reason),
      },
      durationColumn("time", "Time"),
      { key: "count", label: "Count", number: true, cell: (row) => formatCount(row.count) },
      ...this.figureColumns(),
    ];
    return this.grid("By reason", columns, "time", "reasons");
  }

  /**
   * A table that has the largest values of a column first.
   * @template {object} Entry
   * @param {string} caption
   * @param {GridColumn<Entry>[]} columns
   * @param {string} key
   * @param {string} name
   */
  grid(caption, columns, key, name) {
    return sortableGrid(caption, columns, { key, descending: true }, name, appSorts(this.app));
  }

  figureColumns() {
    return FIGURES.map((key) => ({
      ...durationColumn(key),
      cell: (/** @type {Percentiles} */ row) => this.figure(key, row[key]),
    }));
  }

  /**
   * A figure, with a mark if it is rounded in the answer.
   * @param {string} key
   * @param {number} ns
   */
  figure(key, ns) {
    const rounded = this.approximate && PERCENTILES.has(key);
    return rounded ? `≈ ${formatDuration(ns)}` : formatDuration(ns);
  }

  /**
   * A link that searches the time of the area.
   * @param {string} field
   * @param {string} text
   * @param {string} title
   */
  search(field, text, title) {
    const { start, end } = scopeParameters(scopeOf(this.app));
    return searchLink(this.app, field, text, { start, end }, title);
  }

  /** @param {string} name */
  classCell(name) {
    return [swatch(name), this.search("state", name, classTitle(name))];
  }

  /** @param {string} reason */
  reasonCell(reason) {
    return reason ? this.search("reason", reason, reason) : "(none)";
  }

  sort() {
    for (const grid of [this.classes, this.functions, this.reasons]) grid.render();
  }

  /** @param {boolean} active */
  setActive(active) {
    this.live.setActive(active);
    this.changed();
  }

  /** @param {boolean} busy */
  showBusy(busy) {
    this.element.setAttribute("aria-busy", String(busy));
    if (busy && this.body.hidden) this.message.textContent = "Computing …";
  }

  changed() {
    if (!this.live.active) return;
    this.showHead(scopeOf(this.app));
    this.live.check(this.app.trace?.progress?.done);
  }

  /**
   * Keeps the area as the first side of a comparison. The next area that is selected becomes the
   * second side.
   */
  compareWith() {
    const { area, view } = this.app.state;
    if (!area) return;
    this.app.set({ base: { ...area, view, tree: this.app.rows.tree }, area: null });
    this.app.run("compare");
  }

  /** @param {Scope} scope */
  showHead(scope) {
    const { app } = this;
    const parameters = scopeParameters(scope);
    fill(
      this.head,
      h("h3", {}, scopeTitle(scope)),
      h(
        "span",
        { class: "detail-tools" },
        button("Zoom to", () => app.zoomTo(scope.start, scope.end)),
        app.state.area &&
          button("Why?", () => askWhy(app, whyArea(scope)), {
            title: "What its goroutines spent this time on, and waited for (B)",
          }),
        app.state.area &&
          button("Compare with …", () => this.compareWith(), {
            title: "Keep this area as A, and compare it with the one that is selected next",
          }),
        app.state.area && button("Clear area", () => app.set({ area: null })),
        this.exporter,
        curlButton("these numbers", () => curlCommand("api/area", parameters)),
        linkButton("Copy link", () => app.link()),
      ),
    );
  }

  /**
   * @param {AreaFacts} area
   * @param {Scope} scope
   */
  show(area, scope) {
    const time = timeOf(area.classes);
    this.total = sumOf(time);
    this.approximate = area.approximate;
    this.spans = area.spans;
    this.body.hidden = this.total === 0;
    const said = this.total === 0 ? "Nothing happened here." : caveat(area);
    this.message.textContent = [said, leftOut(area)].filter(Boolean).join(" ");
    fill(
      this.summary,
      stackedBar(time, this.total, { class: "stacked large" }),
      this.gcLine(area, scope),
    );
    this.classes.show(area.classes.filter((row) => row.count > 0));
    this.functions.show(
      area.functions.map((row) => ({
        ...row,
        sum: sumOf(row.time),
        running: row.time.running ?? 0,
      })),
    );
    this.reasons.show(area.reasons);
    this.functions.element.hidden = area.functions.length === 0;
    this.reasons.element.hidden = area.reasons.length === 0;
  }

  /**
   * @param {AreaFacts} area
   * @param {Scope} scope
   */
  gcLine(area, scope) {
    const length = scope.end - scope.start;
    const stops = `${formatCount(area.stw.count)} ${area.stw.count === 1 ? "time" : "times"}`;
    const stopped =
      area.stw.count > 0
        ? `stopped ${stops}, ${formatDuration(area.stw.time)} in all`
        : "never stopped";
    const active = `${shareOf(area.gc.time, length)} of the time (${formatDuration(area.gc.time)})`;
    return h(
      "p",
      { class: "gc-line" },
      h("span", {}, swatch("gc"), `Collector active ${active}`),
      h("span", {}, swatch("stw"), `World ${stopped}`),
    );
  }
}
