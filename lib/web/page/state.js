// SPDX-License-Identifier: BSD-3-Clause
// The state of the timeline that the address stores, and the browser's history, which serves as
// undo and redo.

import { CLASSES } from "./colors.js";

/** @type {ViewName[]} */
export const VIEWS = ["proc", "thread", "goroutine", "task"];
const FORMATS = ["start", "rel", "utc"];
const SORTS = ["start", "id", "name", "duration", "parent", "waiting", ...CLASSES];

/** @returns {AddressState} */
export function defaultState() {
  return {
    view: "proc",
    tree: null,
    s: null,
    e: null,
    sel: null,
    area: null,
    filter: "",
    sort: "",
    desc: false,
    group: false,
    idle: true,
    tf: "start",
    origin: null,
    pin: [],
    only: false,
    hide: [],
    y: 0,
    pinY: 0,
    marks: [],
    q: "",
    within: null,
    flame: "",
    base: null,
    norm: true,
  };
}

/** @param {string | null} text */
function number(text) {
  const value = text === null || text === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/**
 * A list of numbers such as goroutine ids or tracks. Parts that are not numbers are left out.
 * @param {string} text
 */
function numbers(text) {
  return text
    .split(",")
    .map(number)
    .filter((value) => value !== null);
}

/** @param {string | null} text */
function parseSelection(text) {
  const parts = /^(\d+)\.(\d+)$/.exec(text ?? "");
  return parts ? { track: Number(parts[1]), index: Number(parts[2]) } : null;
}

/** @param {string | null} text */
function parseArea(text) {
  const parts = /^(-?[\d.]+)-([\d.]+)(?:@([\d,]+))?$/.exec(text ?? "");
  if (!parts) return null;
  const [start, end] = [Number(parts[1]), Number(parts[2])];
  return end >= start ? { start, end, tracks: parts[3] ? numbers(parts[3]) : null } : null;
}

/**
 * The area that others are compared with, after its view.
 * @param {string | null} text
 */
function parseBase(text) {
  const [place, range] = (text ?? "").split(":");
  const [name, tree] = place.split(".");
  const area = parseArea(range ?? null);
  const view = VIEWS.find((each) => each === name);
  return area && view ? { ...area, view, tree: number(tree ?? null) } : null;
}

/**
 * Pinned and hidden rows, which are written as view:id.
 * @param {string | null} text
 */
function parseRows(text) {
  return (text ?? "").split(",").filter((each) => /^[a-z]+:-?\d+$/.test(each));
}

/**
 * The range in a fragment #startms:endms, to which pages of go tool trace link.
 * @param {string} hash
 */
function parseFragment(hash) {
  const parts = /^#([\d.]+):([\d.]+)$/.exec(hash);
  return parts ? { s: Number(parts[1]) * 1e6, e: Number(parts[2]) * 1e6 } : null;
}

/**
 * Parses the state in an address.
 * @param {string} search
 */
export function parseState(search, hash = "") {
  const query = new URLSearchParams(search);
  const state = defaultState();
  state.view = VIEWS.find((view) => view === query.get("view")) ?? state.view;
  state.tree = state.view === "task" ? number(query.get("tree")) : null;
  state.tf = FORMATS.find((format) => format === query.get("tf")) ?? state.tf;
  state.s = number(query.get("s") ?? query.get("start"));
  state.e = number(query.get("e") ?? query.get("end"));
  Object.assign(state, parseFragment(hash));
  if (state.s === null || state.e === null || !(state.e > state.s)) state.s = state.e = null;
  state.sel = parseSelection(query.get("sel"));
  state.area = parseArea(query.get("area"));
  state.filter = query.get("filter") ?? "";
  state.sort = SORTS.find((sort) => sort === query.get("sort")) ?? state.sort;
  state.desc = query.get("desc") === "1";
  state.group = query.get("group") === "1";
  state.idle = query.get("idle") !== "0";
  state.origin = number(query.get("o"));
  state.pin = parseRows(query.get("pin"));
  state.only = query.get("only") === "1";
  state.hide = parseRows(query.get("hide"));
  state.y = Math.max(0, number(query.get("y")) ?? 0);
  state.pinY = Math.max(0, number(query.get("py")) ?? 0);
  state.marks = numbers(query.get("m") ?? "");
  state.q = query.get("q") ?? "";
  state.flame = /^[a-z,]*$/.test(query.get("flame") ?? "") ? (query.get("flame") ?? "") : "";
  state.base = parseBase(query.get("base"));
  state.norm = query.get("norm") !== "0";
  state.within = parseArea(query.get("within"));
  return state;
}

/**
 * A row that the address asks for with a parameter of go tool trace.
 * @param {string} search
 * @returns {{ view: ViewName, id: number, zoom: boolean } | null}
 */
export function wantedRow(search) {
  const query = new URLSearchParams(search);
  const goroutine = number(query.get("goid"));
  if (goroutine !== null) return { view: "goroutine", id: goroutine, zoom: false };
  const task = number(query.get("focustask") ?? query.get("taskid"));
  return task === null ? null : { view: "task", id: task, zoom: true };
}

/**
 * Formats an end of a range. Below a microsecond, fractions of a nanosecond are kept.
 * @param {number} ns
 * @param {number} range
 */
function rangeTimeText(ns, range) {
  return range < 1000 ? ns.toFixed(3) : String(Math.round(ns));
}

/**
 * A range of time as the address has it.
 * @param {TimeRange} range
 */
export function rangeText({ start, end }) {
  return `${Math.round(start)}-${Math.round(end)}`;
}

/**
 * An area as the address has it.
 * @param {AreaRange} area
 */
function areaText(area) {
  return rangeText(area) + (area.tracks ? `@${area.tracks.join(",")}` : "");
}

/**
 * The view of an area, and the task whose tree is meant.
 * @param {{ view: ViewName, tree?: number | null }} area
 */
function placeText({ view, tree = null }) {
  return tree === null ? view : `${view}.${tree}`;
}

/**
 * The query of the address for a state. Default values are left out.
 * @param {TimelineState} state
 * @param {boolean} whole
 */
export function stateQuery(state, whole) {
  const query = new URLSearchParams();
  const put = (
    /** @type {string} */ name,
    /** @type {string} */ value,
    /** @type {boolean} */ keep,
  ) => keep && query.set(name, value);
  put("view", state.view, true);
  put("tree", String(state.tree), state.tree !== null && state.view === "task");
  if (!whole && state.s !== null) {
    query.set("s", rangeTimeText(state.s, state.e - state.s));
    query.set("e", rangeTimeText(state.e, state.e - state.s));
  }
  if (state.sel) query.set("sel", `${state.sel.track}.${state.sel.index}`);
  if (state.area) query.set("area", areaText(state.area));
  put("filter", state.filter, state.filter !== "");
  put("sort", state.sort, state.sort !== "");
  put("desc", "1", state.desc);
  put("group", "1", state.group);
  put("idle", "0", !state.idle);
  put("tf", state.tf, state.tf !== "start");
  put("o", String(state.origin), state.origin !== null);
  put("pin", state.pin.join(","), state.pin.length > 0);
  put("only", "1", state.only);
  put("hide", state.hide.join(","), state.hide.length > 0);
  put("y", state.y.toFixed(2), state.y > 0);
  put("py", state.pinY.toFixed(2), state.pinY > 0);
  put("m", state.marks.map(Math.round).join(","), state.marks.length > 0);
  put("q", state.q, state.q !== "");
  put("flame", state.flame, state.flame !== "");
  if (state.base) query.set("base", `${placeText(state.base)}:${areaText(state.base)}`);
  put("norm", "0", !state.norm);
  if (state.within) query.set("within", areaText(state.within));
  const text = query.toString();
  return `?${text.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%40", "@")}`;
}

const MOVES = new Set(["s", "e"]);
const SCROLLS = new Set(["y", "pinY"]);
const PAUSE = 500;

/**
 * Uses the browser's history for undo and redo. Movements are entered once they have come to rest;
 * scrolling the rows does not create a step.
 */
export class History {
  /**
   * @param {() => string} query
   * @param {() => void} onTravel
   */
  constructor(query, onTravel) {
    this.query = query;
    this.timer = 0;
    /** Whether the change that is not written yet creates a step. */
    this.step = false;
    this.depth = history.state?.depth ?? 0;
    history.scrollRestoration = "manual";
    history.replaceState({ depth: this.depth }, "");
    window.addEventListener("popstate", (event) => {
      clearTimeout(this.timer);
      this.timer = 0;
      this.depth = event.state?.depth ?? 0;
      onTravel();
    });
  }

  /**
   * Records a change of the state; `names` are the members that have changed.
   * @param {string[]} names
   * @param {boolean} push
   */
  note(names, push) {
    const moving = names.every((name) => MOVES.has(name));
    const step = push && names.some((name) => !SCROLLS.has(name));
    this.step ||= step;
    clearTimeout(this.timer);
    if (step && !moving) this.write();
    else this.timer = setTimeout(() => this.write(), PAUSE);
  }

  write() {
    const address = location.pathname + this.query();
    const same = address === location.pathname + location.search;
    this.timer = 0;
    if (this.step && !same) history.pushState({ depth: ++this.depth }, "", address);
    else if (!same || location.hash !== "")
      history.replaceState({ depth: this.depth }, "", address);
    this.step = false;
  }

  /**
   * Undoes a step. A change that is not written yet is written first, so that it is what is undone.
   */
  undo() {
    if (this.timer) {
      clearTimeout(this.timer);
      this.write();
    }
    if (this.depth > 0) history.back();
  }

  redo() {
    history.forward();
  }
}
