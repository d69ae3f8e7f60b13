// SPDX-License-Identifier: BSD-3-Clause
// The panel "Why?": what the time of a span, task or area was spent on. It tells the critical path,
// which trail.js draws over the rows.

import { ask } from "./analysis.js";
import { messageOf } from "./api.js";
import { shareOf } from "./amounts.js";
import { curlButton, curlCommand, linkButton } from "./copy.js";
import { button, fill, h } from "./dom.js";
import { flameGraph } from "./flame.js";
import { formatCount, formatDuration, formatPlural } from "./format.js";
import { appSorts, scrolling, sortableGrid } from "./grid.js";
import { link } from "./links.js";
import { LiveQuery } from "./live.js";
import { functionName, nameOr, rangeAround, timelineAddress } from "./names.js";
import { scopeOf } from "./scope.js";
import { stackList } from "./stack.js";
import { swatch } from "./swatch.js";
import { whyArea, whyQuery, whySpan } from "./whyaddress.js";

/** @template {object} Entry @typedef {import("./grid.js").GridColumn<Entry>} GridColumn */

/** How many of the longest parts are listed, and how many rows the trail pins. */
const PARTS = 50;
const PINNED = 20;
/** Of a trace with more events, the past is read only when it is asked for, as it takes room. */
const PREPARED = 50e6;

const NOTHING =
  "Select a span, a task or an area and ask “Why?” (B): which goroutine, lock, system call or " +
  "wait its time went to, also in the goroutines that it waited for.";

/** The kinds of parts, which have the colours of the states on the timeline. */
const what = (/** @type {WhyWhat} */ { class: cls, state, reason }) => [
  cls !== "" && swatch(cls),
  reason === "" ? state : `${state}: ${reason}`,
];

/**
 * Asks for the path of a selected span or, without one, of the area.
 * @param {App} app
 */
export function whySelected(app) {
  const { selection, state } = app;
  if (selection) askWhy(app, whySpan(selection));
  else if (state.area) askWhy(app, whyArea(scopeOf(app)));
  else app.status.say("Select a span or an area first.");
}

/**
 * Shows the path of an interval in the panel and over the rows.
 * @param {App} app
 * @param {string} why
 */
export function askWhy(app, why) {
  app.set({ why });
  app.run("show-why");
}

export class Why {
  head = h("header", { class: "area-head" });
  message = h("p", { class: "note", "aria-live": "polite" });
  holder = h("div", { class: "why-flame" });
  /** @type {FlameLook} */
  look = { flame: "", zoom: "", frame: "", find: "" };
  /** @type {WhyFacts | null} */
  facts = null;
  isPrepared = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.sums = sortableGrid(
      "Where the time went",
      this.sumColumns(),
      { key: "time", descending: true },
      "why",
      appSorts(app),
    );
    this.parts = sortableGrid(
      "The longest parts",
      this.partColumns(),
      { key: "time", descending: true },
      "why-parts",
      appSorts(app),
    );
    this.body = h(
      "div",
      { class: "area-body", hidden: true },
      scrolling(this.sums.element),
      scrolling(this.parts.element),
      this.holder,
    );
    this.element = h("div", { class: "area why" }, this.head, this.message, this.body);
    this.graph = flameGraph(this.holder, null, {
      look: () => this.look,
      onLook: (patch) => this.setLook(patch),
      empty: "No stack is known for this time.",
    });
    this.live = new LiveQuery({
      path: "api/why",
      query: () => this.query(),
      show: (facts) => this.show(facts),
      fail: (error) => this.fail(error),
      busy: (busy) => this.showBusy(busy),
    });
    app.on("state", (_, changed) => {
      if (changed.sorts) for (const grid of [this.sums, this.parts]) grid.render();
      if ("why" in changed) this.changed();
    });
    app.on("trace", () => {
      this.prepare();
      this.changed();
    });
    this.prepare();
  }

  /** Has the past read when the trace has been, so that the first question is answered at once. */
  prepare() {
    const { trace } = this.app;
    if (this.isPrepared || !trace.progress.done || trace.counts.events > PREPARED) return;
    this.isPrepared = true;
    ask("api/why", { prepare: 1 }).catch(() => {
      this.isPrepared = false;
    });
  }

  /** @returns {QueryValues | null} */
  query() {
    const query = whyQuery(this.app.state.why);
    const lines = this.look.flame.split(",").includes("lines") ? 1 : null;
    return query && { ...query, sort: "time", desc: 1, count: PARTS, nodes: 1, lines };
  }

  /** @param {Partial<FlameLook>} patch */
  setLook(patch) {
    const { lines } = this.query() ?? {};
    Object.assign(this.look, patch);
    if (this.query()?.lines !== lines) this.changed();
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
    if (this.query() === null) this.clear(NOTHING);
    this.live.check(this.app.trace?.progress?.done);
  }

  /** @param {unknown} error */
  fail(error) {
    this.clear(`The path could not be found: ${messageOf(error)}.`);
  }

  /** @param {string} text */
  clear(text) {
    this.facts = null;
    this.body.hidden = true;
    this.message.textContent = text;
    fill(this.head, h("h3", {}, "Why?"), this.app.state.why !== "" && this.tools());
  }

  /** @param {WhyFacts} facts */
  show(facts) {
    this.facts = facts;
    this.body.hidden = false;
    this.message.textContent = this.caveat(facts);
    fill(this.head, h("h3", {}, this.title(facts)), this.tools());
    this.sums.show(facts.sums);
    this.parts.show(facts.parts);
    this.graph.update({
      unit: "ns",
      total: facts.tree_total ?? 0,
      nodes: facts.nodes ?? [],
      places: facts.places,
      files: facts.files,
    });
  }

  /** @param {WhyFacts} facts */
  title({ intervals, time, total }) {
    const [first] = intervals;
    const of = intervals.length === 1 ? `G${first.goroutine}` : `${intervals.length} goroutines`;
    return `Why? ${of}: ${formatDuration(time)} in ${formatPlural(total, "part")}`;
  }

  /** @param {WhyFacts} facts */
  caveat({ forgotten, left_out: left, sums, sums_total: all }) {
    const said = [
      left > 0 && `${formatPlural(left, "further goroutine")} of the area are left out.`,
      all > sums.length && `${formatCount(all - sums.length)} further lines are left out.`,
      forgotten > 0 && "The beginning of the trace is too long ago to be known.",
    ];
    return said.filter(Boolean).join(" ");
  }

  tools() {
    const { app } = this;
    return h(
      "span",
      { class: "detail-tools" },
      this.facts &&
        button("Show the trail", () => this.showTrail(), {
          title: "Pin the rows of the path in the view by goroutine, and zoom to it",
        }),
      button("Clear", () => app.set({ why: "" }), { title: "Remove the trail" }),
      curlButton("this path", () => curlCommand("api/why", this.query() ?? {})),
      linkButton("Copy link", () => app.link()),
    );
  }

  /** Brings the interval and the rows on which the path ran longest into view. */
  showTrail() {
    if (!this.facts) return;
    const { intervals, parts } = this.facts;
    const ids = [...intervals, ...parts].map(({ goroutine }) => `goroutine:${goroutine}`);
    const { s, e } = rangeAround({
      start: Math.min(...intervals.map(({ start }) => start)),
      end: Math.max(...intervals.map(({ end }) => end)),
    });
    this.app.set({ view: "goroutine", pin: [...new Set(ids)].slice(0, PINNED), s, e });
  }

  /**
   * A link to the row and the time of a part.
   * @param {WhyPlace} place
   */
  place({ goroutine, start, end }) {
    const range = { start, end };
    const { s, e } = rangeAround(range, 0.5);
    return link(
      timelineAddress({ view: "goroutine", goid: goroutine, s, e, why: this.app.state.why }),
      () => {
        this.app.set({ view: "goroutine", s, e });
        return this.app.reveal({ view: "goroutine", row_id: goroutine });
      },
      { class: "row-link", title: `At ${formatDuration(start)}, on the row of the goroutine` },
      `G${goroutine}`,
    );
  }

  /** @returns {GridColumn<WhySum>[]} */
  sumColumns() {
    return [
      {
        key: "time",
        label: "Time",
        number: true,
        cell: ({ time }) => formatDuration(time),
      },
      {
        key: "share",
        label: "%",
        number: true,
        class: "muted",
        value: ({ time }) => time,
        cell: ({ time }) => shareOf(time, this.facts?.time ?? 0),
      },
      { key: "state", label: "What", cell: what },
      {
        key: "group",
        label: "Goroutines",
        class: "name",
        cell: ({ group }) => (group === "" ? nameOr("", "not known") : functionName(group)),
      },
      {
        key: "where",
        label: "Where",
        class: "name",
        cell: ({ where }) => (where === "" ? nameOr("", "–") : functionName(where)),
      },
      { key: "count", label: "Parts", number: true, cell: ({ count }) => formatCount(count) },
      {
        key: "longest",
        label: "Longest",
        value: ({ longest }) => longest.end - longest.start,
        cell: ({ longest }) => [
          this.place(longest),
          " ",
          h("span", { class: "muted" }, formatDuration(longest.end - longest.start)),
        ],
      },
    ];
  }

  /** @returns {GridColumn<WhyPart>[]} */
  partColumns() {
    const length = (/** @type {WhyPart} */ { start, end }) => end - start;
    return [
      {
        key: "start",
        label: "At",
        number: true,
        cell: ({ start }) => formatDuration(start),
      },
      {
        key: "time",
        label: "Time",
        number: true,
        value: length,
        cell: (part) => formatDuration(length(part)),
      },
      {
        key: "share",
        label: "%",
        number: true,
        class: "muted",
        value: length,
        cell: (part) => shareOf(length(part), this.facts?.time ?? 0),
      },
      { key: "state", label: "What", cell: what },
      {
        key: "goroutine",
        label: "Who",
        class: "name",
        cell: (part) => [this.place(part), " ", part.group !== "" && functionName(part.group)],
      },
      {
        key: "where",
        label: "Stack",
        cell: ({ where, stack = [] }) =>
          stack.length > 0
            ? h(
                "details",
                { class: "inline-stack" },
                h("summary", {}, where),
                stackList("Stack", stack),
              )
            : nameOr(where, "–"),
      },
    ];
  }
}
