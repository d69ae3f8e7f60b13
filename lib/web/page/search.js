// SPDX-License-Identifier: BSD-3-Clause
// Search: the field at the top, and the panel with the results.

import { h, fill, button, iconButton } from "./dom.js";
import { addressWith, link } from "./links.js";
import { formatDuration, formatCount } from "./format.js";
import { classTitle } from "./colors.js";
import { curlButton, curlCommand } from "./copy.js";
import { estimateNote, momentText } from "./amounts.js";
import { ApiError, getJSON, messageOf, viewerURL } from "./api.js";
import { LiveQuery } from "./live.js";
import { lanesText, scopeOf } from "./scope.js";
import { KINDS, kindTitle } from "./searchkinds.js";
import { appTitlesSwitch, stackCell } from "./stacktitle.js";

const MOST = 1000;
const SHOWN_PER_KIND = 100;

/** @type {[text: string, about: string][]} */
const FORMS = [
  [
    "handler",
    "any part of the name of a function, task, region or range, of a reason or of a log message, " +
      "upper or lower case; in quotes if it contains spaces",
  ],
  ["g12", "the goroutine with this number"],
  ["func:worker", "goroutines that started with this function, and what they did"],
  ["stack:Serve", "states with this function on their stack"],
  ["reason:chan", "states with this reason"],
  ["state:waiting", "states of a kind: running, runnable, waiting, wait_chan, syscall"],
  ["dur>10ms", "only results that last longer; dur<1s only shorter ones"],
  [
    "ended:no",
    "what has not ended within the trace, such as goroutines that leak; ended:yes the rest",
  ],
  [
    "/^main\\.w/",
    "a regular expression in slashes, in place of a text: stack:/read|write/, reason:/^chan/",
  ],
  [
    "kind:log",
    "only results of a kind: goroutine, function, task, region, log, range, reason, state",
  ],
  ["state:runnable dur>1ms func:worker", "all of these at once"],
];

/**
 * The results by kind, in the order in which they are listed. Unknown kinds come last.
 * @param {SearchResult[]} results
 */
function grouped(results) {
  /** @type {Map<string, SearchResult[]>} */
  const groups = new Map(KINDS.map(([kind]) => [kind, []]));
  for (const result of results) {
    const group = groups.get(result.kind) ?? [];
    group.push(result);
    groups.set(result.kind, group);
  }
  return [...groups].filter(([, list]) => list.length > 0);
}

/**
 * Whether a result has a place on the timeline. A function occurs on stacks only.
 * @param {SearchResult} result
 */
function hasPlace(result) {
  return result.kind !== "function";
}

/**
 * The span of a result, if it has one.
 * @param {SearchResult} result
 * @returns {SpanId | null}
 */
function spanOf({ track, index }) {
  return track === null || index === null ? null : { track, index };
}

export class Search {
  count = h("span", { class: "search-count", "aria-live": "polite" });
  list = h("div", {
    class: "search-list",
    role: "listbox",
    "aria-label": "Results",
    tabindex: "0",
  });
  help = this.forms();
  message = h("p", { class: "note", "aria-live": "polite" });
  /** Shows the range of time that is searched, unless it is the whole trace. */
  range = button("", () => this.app.set({ within: null }, { push: false }), {
    class: "button small",
    title: "Search the whole trace",
    hidden: true,
  });
  inView = button("In view", () => this.restrict("view"), {
    class: "button small",
    title: "Search only the visible range of time",
  });
  inArea = button("In area", () => this.restrict("area"), {
    class: "button small",
    title: "Search only the selected area",
  });
  table = h(
    "a",
    { class: "button small", title: "Sort the results, sum up their time, and save them as CSV" },
    "Table",
  );
  titles = h("span");
  tools = h(
    "header",
    { class: "search-head", hidden: true },
    this.count,
    this.range,
    this.inView,
    this.inArea,
    this.titles,
    this.table,
    curlButton("these results", () => curlCommand("api/search", this.query()), {
      class: "button small",
    }),
    iconButton("↑", "Previous result", () => this.step(-1), { key: "Shift Enter" }),
    iconButton("↓", "Next result", () => this.step(1), { key: "Enter" }),
    button("Clear", () => this.clear()),
  );
  element = h("div", { class: "search" }, this.tools, this.message, this.list, this.help);

  text = "";
  /** @type {SearchResult[]} */
  results = [];
  /** @type {[kind: string, results: SearchResult[]][]} */
  groups = [];
  /** @type {Record<string, number>} */
  kinds = {};
  total = 0;
  /** Whether only a sample was searched yet. */
  approximate = false;
  /** The result that is shown; -1 if none is. */
  at = -1;
  steps = 0;

  /**
   * `open` brings the panel to the front.
   * @param {App} app
   * @param {HTMLInputElement} input
   * @param {() => void} open
   */
  constructor(app, input, open) {
    this.app = app;
    this.input = input;
    this.open = open;
    this.live = new LiveQuery({
      path: "api/search",
      query: () => (this.text === "" ? null : { ...this.query(), rough: 1 }),
      refine: (answer) => (answer.approximate ? { rough: null } : null),
      show: (answer) => this.show(answer),
      fail: (error) => this.fail(error),
      busy: (busy) => this.element.setAttribute("aria-busy", String(busy)),
    });
    fill(this.titles, appTitlesSwitch(app));
    this.live.setActive(true);
    this.listen();
  }

  forms() {
    const example = (/** @type {[text: string, about: string]} */ [text, about]) => [
      h(
        "dt",
        {},
        button(h("code", {}, text), () => this.ask(text), {
          class: "plain",
          title: "Search for this",
        }),
      ),
      h("dd", {}, about),
    ];
    return h(
      "div",
      { class: "search-forms" },
      h("h4", {}, "What you can search for"),
      h("dl", {}, FORMS.map(example)),
      h(
        "p",
        { class: "note" },
        h("kbd", {}, "/"),
        " focuses the search from anywhere, ",
        h("kbd", {}, "Enter"),
        " goes to the next result, ",
        h("kbd", {}, "Shift"),
        " ",
        h("kbd", {}, "Enter"),
        " to the previous one.",
      ),
    );
  }

  listen() {
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.onInputKey(event));
    this.list.addEventListener("keydown", (event) => this.onListKey(event));
    this.app.on("trace", () => this.live.check(this.app.trace?.progress?.done));
    this.app.on("state", (_, patch) => {
      if ("q" in patch) this.restore();
      if (patch.titles) fill(this.titles, appTitlesSwitch(this.app));
      if (patch.more?.length || patch.titles) this.render();
      if (patch.hit !== undefined && patch.hit !== this.at) this.markHit();
      if ("within" in patch || "area" in patch || "tree" in patch) this.showRange();
    });
  }

  /** The parameters of the search. */
  query() {
    return { q: this.text, max: MOST, ...this.scope() };
  }

  /**
   * The parameters of the range that is searched. A table of all rows has no tracks; while the tree
   * of a task is shown, all rows are those of the tree.
   */
  scope() {
    const { within } = this.app.state;
    if (!within) return {};
    const { start, end, tracks } = within;
    const { tree } = this.app.rows;
    if (tracks) return { start, end, tracks };
    return tree === null ? { start, end } : { start, end, tree };
  }

  /**
   * Restricts the search to the visible range of time, or to the area. Goroutines and tasks can be
   * restricted to rows; the lanes of procs and threads have no results of their own.
   * @param {"view" | "area"} what
   */
  restrict(what) {
    const { state } = this.app;
    const area = what === "area" ? state.area : null;
    const { start, end, tracks } = scopeOf(this.app, area);
    const hasRows = state.view === "goroutine" || state.view === "task";
    const range = { start: Math.floor(start), end: Math.ceil(end) };
    this.app.set({ within: { ...range, tracks: hasRows ? tracks : null } }, { push: false });
  }

  /** Shows the range that is searched, and searches it if it is another one. */
  showRange() {
    const { within, area } = this.app.state;
    this.range.hidden = !within;
    this.inArea.hidden = !area;
    if (within) {
      const length = formatDuration(within.end - within.start);
      const { tree } = this.app.rows;
      const all = tree === null ? "" : `, tree of task ${tree}`;
      const lanes = within.tracks ? `, ${lanesText(within.tracks.length)}` : all;
      this.range.textContent = `in ${length} from ${momentText(this.app, within.start)}${lanes} ✕`;
    }
    this.table.href = viewerURL("search", { q: this.text, ...this.scope() });
    this.live.check(this.app.trace?.progress?.done);
  }

  /**
   * Takes the search from the state. Must be called once the panel exists. `open` says whether the
   * panel is to come to the front.
   */
  restore(open = true) {
    this.showRange();
    const { q: text, hit, more } = this.app.state;
    if (text === this.text) return;
    this.input.value = text;
    this.typed(open);
    this.app.set({ hit, more }, { push: false });
  }

  /**
   * Focuses the field, optionally with some text in it, for which the whole trace is searched.
   * @param {string | undefined} text
   */
  focus(text) {
    if (text !== undefined) this.app.set({ within: null }, { push: false });
    if (text !== undefined) this.input.value = text;
    this.input.focus();
    if (text === undefined) this.input.select();
    else this.typed();
  }

  /** @param {string} text */
  ask(text) {
    this.input.value = text;
    this.typed();
    this.input.focus();
  }

  clear() {
    this.app.set({ within: null }, { push: false });
    this.ask("");
  }

  /** Searches for the text in the field. Text that begins with > opens the command palette. */
  typed(open = true) {
    if (this.input.value.startsWith(">")) {
      this.app.run("palette", this.input.value.slice(1).trim());
      this.input.value = this.text;
      return;
    }
    this.text = this.input.value.trim();
    this.steps = 0;
    this.app.set({ q: this.text, hit: -1, more: [] }, { push: false });
    this.table.href = viewerURL("search", { q: this.text, ...this.scope() });
    if (this.text === "") this.show({ results: [], total: 0 });
    else if (open) this.open();
    this.live.check(this.app.trace?.progress?.done);
  }

  /** @param {KeyboardEvent} event */
  onInputKey(event) {
    if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown" && this.results.length > 0) this.list.focus();
    else if (event.key === "Escape") this.escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Empties the field or, if it is empty, leaves it. */
  escape() {
    if (this.input.value !== "") this.clear();
    else this.input.blur();
  }

  /** @param {KeyboardEvent} event */
  onListKey(event) {
    const { length } = this.results;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1,
      Home: 0,
      End: length - 1,
      Enter: this.at,
    };
    if (event.key === "Escape") this.input.focus();
    else if (event.key in targets && length > 0)
      this.go(Math.min(Math.max(targets[event.key], 0), length - 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Goes to another result. If the answer has not arrived yet, this happens when it does.
   * @param {number} by
   */
  step(by) {
    if (this.live.pending) {
      this.steps = by;
      return;
    }
    const { length } = this.results;
    let at = this.at < 0 && by < 0 ? 0 : this.at;
    for (let tried = 0; tried < length; tried++) {
      at = (at + by + length) % length;
      if (!hasPlace(this.results[at])) continue;
      this.go(at);
      return;
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.show({ results: [], total: 0 });
    const wrong =
      error instanceof ApiError && error.status === 400
        ? "The search is not understood"
        : "The search failed";
    this.message.textContent = `${wrong}: ${messageOf(error).replace(/^q: /, "")}.`;
  }

  /** @param {SearchAnswer} answer */
  show({ results, total, kinds = {}, spans = 0, approximate = false }) {
    this.groups = grouped(results);
    this.kinds = kinds;
    this.results = this.groups.flatMap(([, list]) => list);
    this.total = total;
    this.approximate = approximate;
    this.at = Math.min(this.app.state.hit, this.results.length - 1);
    this.tools.hidden = this.text === "";
    this.help.hidden = this.results.length > 0;
    const nothing = this.text !== "" && results.length === 0 ? this.nothing() : "";
    this.message.textContent = nothing + estimateNote(approximate, spans);
    this.app.highlights(this.results.filter((result) => spanOf(result)));
    this.render();
    if (this.steps !== 0) {
      const { steps } = this;
      this.steps = 0;
      this.step(steps);
    }
  }

  nothing() {
    const goroutine = /^g(\d+)$/i.exec(this.text);
    if (goroutine && !this.app.state.within)
      return `There is no goroutine ${goroutine[1]} in this trace. `;
    return `Nothing was found for “${this.text}”. `;
  }

  render() {
    let number = 0;
    const nodes = this.groups.map(([kind, list]) => {
      const first = number;
      number += list.length;
      return this.group(kind, list, first);
    });
    fill(this.list, nodes);
    this.list.hidden = this.results.length === 0;
    this.mark();
  }

  /**
   * @param {string} kind
   * @param {SearchResult[]} list
   * @param {number} first
   */
  group(kind, list, first) {
    const shown = this.app.state.more.includes(kind) ? list : list.slice(0, SHOWN_PER_KIND);
    const more = list.length - shown.length;
    const count = formatCount(this.kinds[kind] ?? list.length);
    return h(
      "div",
      { role: "group", "aria-label": kindTitle(kind), class: "search-group" },
      h(
        "div",
        { class: "search-kind", role: "presentation" },
        kindTitle(kind),
        h("span", { class: "count" }, count),
      ),
      shown.map((result, i) => this.option(result, first + i)),
      more > 0 &&
        button(`Show ${formatCount(more)} more`, () => this.showWhole(kind), {
          class: "button small",
        }),
    );
  }

  /** @param {string} kind */
  showWhole(kind) {
    this.app.set({ more: [...this.app.state.more, kind] }, { push: false });
  }

  /** Marks the result of the state, without going to it. */
  markHit() {
    this.at = Math.min(this.app.state.hit, this.results.length - 1);
    this.mark();
  }

  /**
   * @param {SearchResult} result
   * @param {number} number
   */
  option(result, number) {
    const lasting = hasPlace(result);
    const time =
      lasting && result.end > result.start ? formatDuration(result.end - result.start) : "";
    const attributes = {
      role: "option",
      id: `result-${number}`,
      class: "search-result",
      tabindex: "-1",
    };
    return link(
      this.address(result),
      () => this.go(number),
      attributes,
      h("span", { class: "search-title" }, classTitle(result.title)),
      h("span", { class: "search-detail" }, result.detail ?? ""),
      h("span", { class: "search-stack" }, stackCell(result.stack, this.app.state.titles)),
      h("span", { class: "time" }, lasting ? momentText(this.app, result.start) : ""),
      h("span", { class: "time" }, time),
    );
  }

  /** @param {SearchResult} result */
  address(result) {
    if (!hasPlace(result)) return addressWith({ q: `stack:"${result.title}"` });
    const span = spanOf(result);
    return addressWith(
      span ? { sel: `${span.track}.${span.index}`, tab: null } : { view: result.view },
    );
  }

  mark() {
    for (const option of this.list.querySelectorAll("[aria-selected=true]"))
      option.removeAttribute("aria-selected");
    const option = this.list.querySelector(`#result-${this.at}`);
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.list.setAttribute("aria-activedescendant", option.id);
    else this.list.removeAttribute("aria-activedescendant");
    const about = this.approximate ? "≈ " : "";
    const more = this.total > this.results.length ? ` of ${about}${formatCount(this.total)}` : "";
    const noun = this.results.length === 1 ? "result" : "results";
    const all = `${formatCount(this.results.length)}${more} ${noun}`;
    this.count.textContent = this.at >= 0 ? `${formatCount(this.at + 1)} of ${all}` : all;
  }

  /**
   * Shows a result on the timeline and keeps the focus, so that the next key goes to the next one.
   * @param {number} number
   */
  go(number) {
    this.at = number;
    this.app.set({ hit: number }, { push: false });
    const result = this.results[number];
    if (!this.list.querySelector(`#result-${number}`)) this.showWhole(result.kind);
    this.mark();
    this.reveal(result);
  }

  /**
   * Brings a result into view. For a goroutine the range changes only if its row would show
   * nothing; a function starts a search for the stacks that it is on.
   * @param {SearchResult} result
   */
  reveal(result) {
    const { app } = this;
    const { view, row_id, start, end } = result;
    const { s, e } = app.state;
    const span = spanOf(result);
    if (!hasPlace(result)) this.ask(`stack:"${result.title}"`);
    else if (result.kind === "goroutine")
      this.revealGoroutine(result, start < e && end > s ? {} : { start, end });
    else if (span) app.select(span.track, span.index);
    else if (view) this.revealMoment(view, row_id, start);
    else app.zoomTo(start, end, { padding: 0.5 });
  }

  /**
   * Brings the row of a goroutine into view, and selects its state in the middle of the screen.
   * @param {SearchResult} result
   * @param {Partial<TimeRange>} range
   */
  async revealGoroutine({ view, row_id, track }, range) {
    const { app } = this;
    await app.reveal({ view, row_id, ...range });
    const { s, e } = app.view.target;
    if (track !== null) await app.selecting.selectNear(track, (s + e) / 2);
  }

  /**
   * Selects the state in which a goroutine was when something without duration, such as a log,
   * happened.
   * @param {ViewName} view
   * @param {number} id
   * @param {number} time
   */
  async revealMoment(view, id, time) {
    try {
      const row = await getJSON("api/row", { view, id });
      const span = await getJSON("api/span", { track: row.lanes[0].track, at: time });
      await this.app.select(span.track, span.index);
    } catch {
      this.app.reveal({ view, row_id: id });
    }
  }
}
