// SPDX-License-Identifier: BSD-3-Clause
// The panel that compares two areas: how their times differ by state, reason and function, and the
// difference of their flame graphs.

import { linkButton } from "./copy.js";
import { button, debounced, fill, h } from "./dom.js";
import { ask as askUntilReady } from "./analysis.js";
import { messageOf } from "./api.js";
import { shareOf } from "./amounts.js";
import { classTitle } from "./colors.js";
import { flameGraph } from "./flame.js";
import { flameKinds } from "./flamepanel.js";
import { formatCount, formatDuration } from "./format.js";
import { appSorts, sortableGrid } from "./grid.js";
import { scopeOf, scopeParameters } from "./scope.js";

/**
 * One side of a comparison: its name, its length in ns, and the parameters that select it. `source`
 * is the prefix of the addresses of the interface, because each trace has its own.
 * @typedef {object} Side
 * @property {string} name
 * @property {number} length
 * @property {QueryValues} query
 * @property {string} source
 */

/** @typedef {{ area: AreaFacts, flame: FlameFacts }} SideFacts */
/** @typedef {{ name: string, before: number, after: number, change: number }} Difference */

const PAUSE = 180;
const KINDS = flameKinds();

/**
 * Requests the data of a side that are compared.
 * @param {Side} side
 * @param {QueryValues} flame
 * @param {AbortSignal} signal
 * @returns {Promise<SideFacts>}
 */
async function askSide({ source, query }, flame, signal) {
  const ask = (/** @type {string} */ path, /** @type {QueryValues} */ more) =>
    askUntilReady(/** @type {keyof Answers} */ (source + path), { ...query, ...more }, undefined, {
      signal,
    });
  const [area, graph] = await Promise.all([ask("api/area", {}), ask("api/flame", flame)]);
  return { area: /** @type {AreaFacts} */ (area), flame: /** @type {FlameFacts} */ (graph) };
}

/**
 * The times of both sides by name. The times of the first side are multiplied by `scale`.
 * @param {Map<string, number>} before
 * @param {Map<string, number>} after
 * @param {number} scale
 * @returns {Difference[]}
 */
function differences(before, after, scale) {
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    const was = (before.get(name) ?? 0) * scale;
    const is = after.get(name) ?? 0;
    return { name, before: was, after: is, change: is - was };
  });
}

/** @param {ClassTimes} time */
function sumOf(time) {
  return Object.values(time).reduce((sum, part) => sum + part, 0);
}

/**
 * A change in words, such as "+1.2 ms, +30 %".
 * @param {Difference} difference
 */
function changeText({ before, change }) {
  const sign = change > 0 ? "+" : "\u2212";
  if (change === 0) return "0";
  const amount = `${sign}${formatDuration(Math.abs(change))}`;
  return before > 0 ? `${amount}, ${sign}${shareOf(Math.abs(change), before)}` : `${amount}, new`;
}

/** @param {number} change */
function directionOf(change) {
  return change > 0 ? "is-more" : change < 0 ? "is-less" : "muted";
}

/**
 * A table of differences, the largest first.
 * @param {string} caption
 * @param {string} label
 * @param {(name: string) => string} title
 * @param {string} kept
 * @param {import("./grid.js").SortKeeper} sorts
 */
function differenceGrid(caption, label, title, kept, sorts) {
  const time = (/** @type {"before" | "after"} */ key, /** @type {string} */ name) => ({
    key,
    label: name,
    number: true,
    cell: (/** @type {Difference} */ row) => formatDuration(row[key]),
  });
  return sortableGrid(
    caption,
    [
      {
        key: "name",
        label,
        class: "name",
        cell: (/** @type {Difference} */ row) => title(row.name),
      },
      time("before", "A"),
      time("after", "B"),
      {
        key: "change",
        label: "Change",
        number: true,
        value: (/** @type {Difference} */ row) => Math.abs(row.change),
        cell: (/** @type {Difference} */ row) =>
          h("span", { class: directionOf(row.change) }, changeText(row)),
      },
    ],
    { key: "change", descending: true },
    kept,
    sorts,
  );
}

export class Compare {
  head = h("header", { class: "area-head" });
  message = h("p", { class: "note", "aria-live": "polite" });
  select = h(
    "select",
    { class: "select", "aria-label": "What the widths mean" },
    KINDS.map(({ kind, label }) => h("option", { value: kind }, label)),
  );
  holder = h("div", { class: "flame-holder compare-flame" });
  active = false;
  key = "";
  /** @type {AbortController | null} */
  abort = null;
  /** @type {[SideFacts, SideFacts] | null} */
  facts = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const grid = (
      /** @type {string} */ caption,
      /** @type {string} */ label,
      /** @type {(name: string) => string} */ title,
      /** @type {string} */ kept,
    ) => differenceGrid(caption, label, title, kept, appSorts(app));
    this.states = grid("By state", "State", classTitle, "more-states");
    this.reasons = grid("By reason", "Reason", (name) => name || "(none)", "more-reasons");
    this.functions = grid(
      "By start function",
      "Function",
      (name) => name || "(unknown)",
      "more-functions",
    );
    this.body = h(
      "div",
      { class: "compare-body", hidden: true },
      this.states.element,
      this.reasons.element,
      this.functions.element,
      this.holder,
    );
    this.element = h("div", { class: "area compare" }, this.head, this.message, this.body);
    this.start = debounced(() => this.load(), PAUSE);
    this.select.addEventListener("change", () =>
      app.set({ against: this.select.value }, { push: false }),
    );
    this.graph = flameGraph(this.holder, null, {
      look: () => app.state,
      onLook: (patch) => app.set(patch, { push: false }),
      sorts: appSorts(app),
    });
    this.graph.tools.prepend(this.select);
    app.on("state", () => this.changed());
    app.on("area", () => this.changed());
    app.on("trace", () => this.changed());
  }

  /** @param {boolean} active */
  setActive(active) {
    this.active = active;
    if (!active) this.abort?.abort();
    if (!active) this.key = "";
    this.changed();
  }

  /**
   * Both sides, or null if there are not two areas.
   * @returns {[Side, Side] | null}
   */
  sides() {
    const { base, area, view } = this.app.state;
    if (!base || !area) return null;
    const before = { ...base, view: base.view ?? view, tree: base.tree ?? null, whole: false };
    const side = (/** @type {string} */ name, /** @type {Scope} */ scope) => ({
      name,
      length: Math.max(1, scope.end - scope.start),
      query: scopeParameters(scope),
      source: "",
    });
    return [side("A", before), side("B", scopeOf(this.app))];
  }

  changed() {
    if (!this.active) return;
    const sides = this.sides();
    this.showHead(sides);
    const { flame, against } = this.app.state;
    this.select.value = against;
    const asked = [sides, against, flame.includes("lines")];
    const key = sides ? JSON.stringify([...asked, this.app.trace?.progress?.done]) : "";
    if (key !== this.key) {
      this.key = key;
      this.abort?.abort();
      this.start();
    } else this.show();
  }

  async load() {
    const sides = this.sides();
    this.facts = null;
    if (!sides) return this.show();
    const abort = new AbortController();
    this.abort = abort;
    this.element.setAttribute("aria-busy", "true");
    const lines = this.app.state.flame.includes("lines") ? 1 : null;
    const flame = { kind: this.app.state.against, lines };
    try {
      const [before, after] = await Promise.all(
        sides.map((side) => askSide(side, flame, abort.signal)),
      );
      if (this.abort === abort) this.facts = [before, after];
      this.message.textContent = "";
    } catch (error) {
      if (this.abort !== abort) return undefined;
      this.key = "";
      this.message.textContent = `The areas could not be compared: ${messageOf(error)}`;
    }
    if (this.abort !== abort) return undefined;
    this.element.removeAttribute("aria-busy");
    return this.show();
  }

  /** @param {[Side, Side] | null} sides */
  showHead(sides) {
    const { app } = this;
    const { base, area, norm } = app.state;
    const length = (/** @type {TimeRange} */ range) => formatDuration(range.end - range.start);
    fill(
      this.head,
      h(
        "h3",
        {},
        sides && base && area
          ? `A: ${length(base)} at ${formatDuration(base.start)}. ` +
              `B: ${length(area)} at ${formatDuration(area.start)}`
          : "Compare two areas",
      ),
      h(
        "span",
        { class: "detail-tools" },
        sides &&
          button("By length", () => app.set({ norm: !norm }, { push: false }), {
            "aria-pressed": String(norm),
            title: "Scale the times of A to the length of B",
          }),
        sides && button("Swap", () => this.swap()),
        base && button("Stop comparing", () => app.set({ base: null })),
        sides && linkButton("Copy link", () => app.link()),
      ),
    );
    if (!sides)
      this.message.textContent = base
        ? `A is ${length(base)} at ${formatDuration(base.start)}. ` +
          "Select the area to compare it with."
        : "Select an area, choose “Compare with …” in its panel, and select another one.";
  }

  swap() {
    const { base, area, view } = this.app.state;
    if (!base || !area) return;
    const { view: other, ...range } = base;
    this.app.set({ area: range, base: { ...area, view }, view: other ?? view });
  }

  show() {
    const { facts } = this;
    const sides = this.sides();
    this.body.hidden = !facts || !sides;
    if (!facts || !sides) return;
    const { norm } = this.app.state;
    const [before, after] = facts;
    const scale = norm ? sides[1].length / sides[0].length : 1;
    /** @type {(pick: (area: AreaFacts) => [string, number][]) => Difference[]} */
    const compared = (pick) =>
      differences(new Map(pick(before.area)), new Map(pick(after.area)), scale);
    this.states.show(compared((area) => area.classes.map((row) => [row.class, row.time])));
    this.reasons.show(compared((area) => area.reasons.map((row) => [row.reason, row.time])));
    this.functions.show(
      compared((area) => area.functions.map((row) => [row.name, sumOf(row.time)])),
    );
    this.graph.follow();
    this.graph.update(after.flame, {
      unit: after.flame.unit,
      empty: "Neither area has stacks of this kind.",
      base: { data: before.flame, scale, names: [norm ? "A, by length" : "A", "B"] },
    });
    const spans = formatCount(before.area.spans + after.area.spans);
    const times = norm
      ? "The times of A are scaled to the length of B."
      : "The times are as they are.";
    this.message.textContent = `${times} Blue is less in B, red is more. ${spans} spans.`;
  }
}
