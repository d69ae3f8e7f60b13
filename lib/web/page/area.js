// SPDX-License-Identifier: BSD-3-Clause
// The panel of the selected area: where its time went.

import { h, fill, button, copyButton } from "./dom.js";
import { sortableGrid } from "./grid.js";
import { scopeOf, scopeParameters, scopeTitle } from "./scope.js";
import { formatDuration, formatCount } from "./format.js";
import { shareOf } from "./amounts.js";
import { CLASSES, classTitle, classVar } from "./colors.js";
import { swatch } from "./swatch.js";
import { goroutinePage, searchLink } from "./links.js";
import { LiveQuery } from "./live.js";
import { viewerURL } from "./api.js";

const PERCENTILES = ["min", "mean", "p50", "p95", "p99", "max"];

function durationColumn(key, label = key) {
  return {
    key,
    label,
    number: true,
    value: (row) => row[key] ?? 0,
    cell: (row) => formatDuration(row[key]),
  };
}

function sumOf(time) {
  return Object.values(time).reduce((sum, part) => sum + part, 0);
}

/** Time by class as one bar; each part tells its own when the pointer is on it. */
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
 * count beside that of states; tasks have no states, so theirs does.
 */
function timeOf(classes) {
  const states = classes.filter((row) => CLASSES.indexOf(row.class) < CLASSES.indexOf("region"));
  return Object.fromEntries(
    (states.length > 0 ? states : classes).map((row) => [row.class, row.time]),
  );
}

function functionLink(name) {
  const attributes = { href: goroutinePage(`G ${name}`), title: "All goroutines of this function" };
  return h("a", attributes, name || "(not known)");
}

/** How far the numbers are to be trusted. */
function caveat(area) {
  if (area.complete === false) {
    return (
      "There are too many spans to examine each one: sums are exact, but percentiles and reasons " +
      "come from a sample of the spans. A smaller area has all of them."
    );
  }
  return area.approximate ? "There are many spans: percentiles are rounded." : "";
}

/** What Go's viewer and Perfetto read, of this range of time; they know no rows of tasks. */
function jsonAddress(app, scope) {
  const view = app.state.view === "task" ? "goroutine" : app.state.view;
  return viewerURL("jsontrace", { view, from: Math.floor(scope.start), to: Math.ceil(scope.end) });
}

export class Area {
  constructor(app) {
    this.app = app;
    this.build();
    this.live = new LiveQuery({
      query: () => viewerURL("api/area", scopeParameters(scopeOf(app))),
      show: (area) => this.show(area, scopeOf(app)),
      fail: (error) => {
        this.message.textContent = `The area could not be summed up: ${error.message}`;
      },
      busy: (busy) => this.showBusy(busy),
    });
    for (const event of ["state", "area", "trace"]) app.on(event, () => this.changed());
  }

  build() {
    this.head = h("header", { class: "area-head" });
    this.summary = h("div", { class: "area-summary" });
    this.classes = sortableGrid(
      "Time by state",
      [
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
        ...PERCENTILES.map((key) => durationColumn(key)),
      ],
      { key: "time", descending: true },
    );
    this.functions = sortableGrid(
      "By start function",
      [
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
      ],
      { key: "sum", descending: true },
    );
    this.reasons = sortableGrid(
      "By reason",
      [
        {
          key: "reason",
          label: "Reason",
          class: "name",
          cell: (row) => this.reasonCell(row.reason),
        },
        durationColumn("time", "Time"),
        { key: "count", label: "Count", number: true, cell: (row) => formatCount(row.count) },
        ...PERCENTILES.map((key) => durationColumn(key)),
      ],
      { key: "time", descending: true },
    );
    this.body = h(
      "div",
      { class: "area-body", hidden: true },
      this.summary,
      this.classes.element,
      this.reasons.element,
      this.functions.element,
    );
    this.message = h("p", { class: "note", "aria-live": "polite" });
    this.element = h("div", { class: "area" }, this.head, this.message, this.body);
  }

  classCell(name) {
    return [swatch(name), searchLink(this.app, "state", name, classTitle(name))];
  }

  reasonCell(reason) {
    return reason ? searchLink(this.app, "reason", reason, reason) : "(none)";
  }

  setActive(active) {
    this.live.setActive(active);
    this.changed();
  }

  showBusy(busy) {
    this.element.setAttribute("aria-busy", String(busy));
    if (busy && this.body.hidden) this.message.textContent = "Adding up …";
  }

  changed() {
    if (!this.live.active) return;
    this.showHead(scopeOf(this.app));
    this.live.check(this.app.trace?.progress?.done);
  }

  showHead(scope) {
    const { app } = this;
    const parameters = scopeParameters(scope);
    const pprof = viewerURL("api/flame.pprof", { kind: "wall", ...parameters });
    fill(
      this.head,
      h("h3", {}, scopeTitle(app, scope)),
      h(
        "span",
        { class: "detail-tools" },
        button("Zoom to", () => app.zoomTo(scope.start, scope.end)),
        app.state.area && button("Clear area", () => app.set({ area: null })),
        h(
          "a",
          { class: "button", href: viewerURL("api/area.csv", parameters), download: "area.csv" },
          "CSV",
        ),
        h("a", { class: "button", href: pprof, download: "area.pprof" }, "pprof"),
        h(
          "a",
          {
            class: "button",
            href: jsonAddress(app, scope),
            download: "area.json",
            title: "The JSON that ui.perfetto.dev and chrome://tracing open",
          },
          "Perfetto",
        ),
        copyButton(
          "Copy curl",
          () => `curl -s '${new URL(viewerURL("api/area", parameters), location.href)}'`,
          { title: "Copy a command line that prints these numbers" },
        ),
        copyButton("Copy link", () => location.href),
      ),
    );
  }

  show(area, scope) {
    const time = timeOf(area.classes);
    this.total = sumOf(time);
    this.body.hidden = this.total === 0;
    this.message.textContent = this.total === 0 ? "Nothing happened here." : caveat(area);
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
