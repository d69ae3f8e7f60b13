// SPDX-License-Identifier: BSD-3-Clause
// The state of the timeline that the address stores, and the browser's history, which serves as
// undo and redo.

import {
  AddressTable,
  TIME_LIMIT,
  choiceField,
  flagField,
  itemText,
  itemsOf,
  listField,
  numberField,
  numberOf,
  parseItemText,
  queryText,
  textField,
  timeField,
} from "./address.js";
import { CLASSES } from "./colors.js";
import { noteAddress, parseNoteAddress } from "./noteaddress.js";
import { place } from "./place.js";
import { PREFERENCES, USUAL_PREFERENCES } from "./prefs.js";

/** @type {ViewName[]} */
export const VIEWS = ["proc", "thread", "goroutine", "task"];
const FORMATS = ["start", "rel", "utc"];
const SORTS = ["", "start", "id", "name", "duration", "parent", "waiting", ...CLASSES];
export const TABS = ["details", "area", "flame", "why", "compare", "search", "notes"];
export const DOCKS = ["bottom", "right"];
/** @type {[kind: string, label: string, about: string][]} */
export const FLAME_KINDS = [
  ["cpu", "CPU samples", "Samples of the CPU profiler"],
  ["running", "Running", "Time on a proc, by the stack at which it ended"],
  ["wall", "Wall", "All time of goroutines, in any state"],
  [
    "offcpu",
    "Off-CPU",
    "Time waiting, and in system calls that gave up their proc, by the stack at which it began",
  ],
  ["waiting", "Waiting", "Time blocked, by the stack at which it began"],
  ["runnable", "Runnable", "Time between being woken and being run"],
  ["syscall", "Syscall", "Time in system calls"],
];
const KINDS = FLAME_KINDS.map(([kind]) => kind);
/** The server accepts as many tracks in a request. */
const TRACKS = 4096;

/** @param {string} text */
function parseSelection(text) {
  const [track, index, ...rest] = text.split(".").map((each) => parseId(each));
  return rest.length === 0 && track !== null && index !== null && index !== undefined
    ? { track, index }
    : null;
}

/** @param {string} text */
function parseId(text) {
  return /^\d+$/.test(text) ? numberOf(text, 0, Number.MAX_SAFE_INTEGER) : null;
}

/**
 * Parses a list of tracks, in which consecutive tracks are written as a range.
 * @param {string} text
 */
function parseTracks(text) {
  /** @type {number[]} */
  const tracks = [];
  for (const part of text.split(",", TRACKS)) {
    const [first, last = first, ...rest] = part.split("-").map((each) => parseId(each));
    if (first === null || last === null || rest.length > 0) continue;
    for (let track = first; track <= last && tracks.length < TRACKS; track++) tracks.push(track);
  }
  return tracks;
}

/** @param {number[]} tracks */
function tracksText(tracks) {
  /** @type {[first: number, last: number][]} */
  const runs = [];
  for (const track of tracks) {
    const run = runs.at(-1);
    if (run && track === run[1] + 1) run[1] = track;
    else runs.push([track, track]);
  }
  return runs.map(([first, last]) => runText(first, last)).join(",");
}

/**
 * @param {number} first
 * @param {number} last
 */
function runText(first, last) {
  if (last === first) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}

/** @param {string} text */
function parseArea(text) {
  const parts = /^(-?[\d.]+)-([\d.]+)(?:@([\d,-]+))?$/.exec(text);
  if (!parts) return null;
  const [start, end] = [parts[1], parts[2]].map((each) => numberOf(each, -TIME_LIMIT, TIME_LIMIT));
  if (start === null || end === null || end < start) return null;
  return { start, end, tracks: parts[3] ? parseTracks(parts[3]) : null };
}

/**
 * The area with which others are compared, which is written after its view.
 * @param {string} text
 */
export function parseBase(text) {
  const [rows, range = ""] = text.split(":");
  const [name, tree = ""] = rows.split(".");
  const area = parseArea(range);
  const view = VIEWS.find((each) => each === name);
  return area && view ? { ...area, view, tree: parseId(tree) } : null;
}

/**
 * A row, which is written as view:id.
 * @param {string} text
 */
function parseRow(text) {
  return /^[a-z]{1,20}:-?\d{1,20}$/.test(text) ? text : null;
}

/**
 * The folded groups: their names or, after *, those of the groups that are not folded.
 * @param {string} text
 */
function parseFolds(text) {
  const all = text === "*" || text.startsWith("*,");
  return { all, names: itemsOf(all ? text.slice(2) : text, parseItemText) };
}

/** @param {GroupFolds} folds */
function foldsText({ all, names }) {
  return [...(all ? ["*"] : []), ...names.map(itemText)].join(",");
}

/**
 * The range in a fragment #startms:endms, to which pages of go tool trace link.
 * @param {string} hash
 */
function parseFragment(hash) {
  const parts = /^#([\d.]{1,30}):([\d.]{1,30})$/.exec(hash);
  return parts ? { s: Number(parts[1]) * 1e6, e: Number(parts[2]) * 1e6 } : null;
}

/**
 * Formats an end of a range. Below a microsecond, fractions of a nanosecond are kept.
 * @param {number} ns
 * @param {Record<string, unknown>} state
 */
function rangeTimeText(ns, { s, e }) {
  return Number(e) - Number(s) < 1000 ? ns.toFixed(3) : String(Math.round(ns));
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
export function areaText(area) {
  return rangeText(area) + (area.tracks ? `@${tracksText(area.tracks)}` : "");
}

/**
 * @param {string} name
 * @param {string} label
 * @returns {import("./address.js").Field<AreaRange | null>}
 */
function areaField(name, label) {
  return { name, label, usual: null, parse: parseArea, format: areaText, longest: 4000 };
}

/**
 * The preferences that are on.
 * @param {string} text
 */
function parsePreferences(text) {
  const on = new Set(text.split(",", 50));
  return /** @type {Preferences} */ (
    Object.fromEntries(PREFERENCES.map((name) => [name, on.has(name)]))
  );
}

/** @param {Preferences} prefs */
function preferencesText(prefs) {
  return PREFERENCES.filter((name) => prefs[name]).join(",");
}

/**
 * The orders of tables: the name of a table, and the column by which it is sorted, after - if
 * in descending order.
 * @returns {import("./address.js").Field<string[]>}
 */
export function sortsField() {
  const parse = (/** @type {string} */ text) => (/^[\w-]+:-?\w+$/.test(text) ? text : null);
  return listField("sorts", "the order of tables", parse);
}

/**
 * The kind of the titles of stacks in tables.
 * @returns {import("./address.js").Field<"outside" | "leaf">}
 */
export function titlesField() {
  return choiceField("titles", "the titles of stacks", ["outside", "leaf"], "outside");
}

/** The look of a flame graph, which the timeline and the profiles have. */
export const FLAME_FIELDS = {
  flame: textField("flame", "the shape of the flame graph", /^[a-z,]{0,60}$/),
  zoom: textField("zoom", "the zoom of the flame graph", /^[0-9a-z]{0,16}$/),
  frame: textField("frame", "the selected frame", /^[0-9a-z]{0,16}$/),
  find: textField("find", "the search in the flame graph"),
};

/**
 * The view of an area, and the task whose tree is meant.
 * @param {{ view: ViewName, tree?: number | null }} area
 */
export function placeText({ view, tree = null }) {
  return tree === null ? view : `${view}.${tree}`;
}

/** @type {{ [Name in keyof AddressState]: import("./address.js").Field<AddressState[Name]> }} */
const FIELDS = {
  view: choiceField("view", "the view", VIEWS, "proc"),
  tree: { name: "tree", label: "the tree", usual: null, parse: parseId, format: String },
  s: { ...timeField("s", "the range of time"), also: "start", format: rangeTimeText },
  e: { ...timeField("e", "the range of time"), also: "end", format: rangeTimeText },
  from: timeField("from", "the part of the recording that is shown"),
  sel: {
    name: "sel",
    label: "the selected span",
    usual: null,
    parse: parseSelection,
    format: ({ track, index }) => `${track}.${index}`,
  },
  area: areaField("area", "the area"),
  filter: textField("filter", "the filter"),
  sort: choiceField("sort", "the order", SORTS, ""),
  desc: flagField("desc", "the order", false),
  group: flagField("group", "the groups", false),
  idle: flagField("idle", "whether idle rows are shown", true),
  tf: choiceField("tf", "the format of times", FORMATS, "start"),
  origin: timeField("o", "the origin of times"),
  pin: listField("pin", "the pinned rows", parseRow),
  only: flagField("only", "whether only pinned rows are shown", false),
  y: numberField("y", "the position of the rows", 0, 1e9, 4),
  pinY: numberField("py", "the position of the pinned rows", 0, 1e9, 4),
  row: { ...textField("row", "the focused row"), parse: parseRow },
  marks: listField(
    "m",
    "the marks",
    (text) => numberOf(text, -TIME_LIMIT, TIME_LIMIT),
    (time) => String(Math.round(time)),
  ),
  q: textField("q", "the search"),
  within: areaField("within", "the range of the search"),
  hit: numberField("hit", "the result of the search", -1, 1e6),
  more: listField("more", "the results that are listed", (text) =>
    /^[a-z]{1,20}$/.test(text) ? text : null,
  ),
  why: {
    ...textField("why", "the path", /^(span|task|goroutine|area):[\w.,:@-]+$/),
    longest: 4000,
  },
  kind: { ...choiceField("kind", "the kind of flame graph", KINDS, "running"), remembered: true },
  ...FLAME_FIELDS,
  base: {
    name: "base",
    label: "the area to compare with",
    usual: null,
    parse: parseBase,
    format: (base) => `${placeText(base)}:${areaText(base)}`,
    longest: 4000,
  },
  norm: flagField("norm", "how areas are compared", true),
  against: choiceField("against", "the kind of flame graph that is compared", KINDS, "wall"),
  tab: { ...choiceField("tab", "the panel", TABS, "details"), remembered: true },
  panel: { ...flagField("panel", "whether the panel is shown", false), remembered: true },
  dock: { ...choiceField("dock", "the place of the panel", DOCKS, "bottom"), remembered: true },
  show: {
    name: "show",
    label: "what is shown",
    usual: USUAL_PREFERENCES,
    parse: parsePreferences,
    format: preferencesText,
    remembered: true,
  },
  runtime: { ...flagField("runtime", "whether runtime frames are shown", true), remembered: true },
  titles: titlesField(),
  shut: listField("shut", "the closed details", (text) =>
    /^[\w-]{1,30}$/.test(text) ? text : null,
  ),
  open: listField("open", "the open details", parseId),
  counters: flagField("counters", "whether counters are shown", true),
  sorts: sortsField(),
  hide: listField("hide", "the hidden rows", parseRow),
  fold: {
    name: "fold",
    label: "the folded groups",
    usual: { all: false, names: [] },
    parse: parseFolds,
    format: foldsText,
    longest: 4000,
  },
  live: timeField("live", "how much of the newest part is shown"),
  notes: { ...listField("notes", "the notes", parseNoteAddress, noteAddress), longest: 2500 },
};

/**
 * The table of the timeline's address. The most important fields come first, because the length of
 * an address is limited.
 */
export const TIMELINE = new AddressTable(FIELDS);

/** The members that the browser remembers too. */
export const REMEMBERED = new Set(
  TIMELINE.fields.filter(([, { remembered }]) => remembered).map(([key]) => String(key)),
);

/**
 * Parses the state in an address.
 * @param {string} search
 */
export function parseState(search, hash = "") {
  const state = TIMELINE.parse(search);
  Object.assign(state, parseFragment(hash));
  if (state.view !== "task") state.tree = null;
  if (state.s === null || state.e === null || !(state.e > state.s)) state.s = state.e = null;
  return state;
}

/**
 * A row that the address asks for with a parameter of go tool trace.
 * @param {string} search
 * @returns {{ view: ViewName, id: number, zoom: boolean } | null}
 */
export function wantedRow(search) {
  const query = new URLSearchParams(search);
  const id = (/** @type {string} */ name) =>
    numberOf(query.get(name) ?? "", -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const goroutine = id("goid");
  if (goroutine !== null) return { view: "goroutine", id: goroutine, zoom: false };
  const task = id("focustask") ?? id("taskid");
  return task === null ? null : { view: "task", id: task, zoom: true };
}

/**
 * The query of the address for a state. A complete query also has the fields that the browser
 * remembers, so that it gives the same result in another browser. `tooLong` has the labels of the
 * fields that do not fit.
 * @param {TimelineState} state
 * @param {boolean} whole
 */
export function stateQuery(state, whole, complete = false) {
  const query = new URLSearchParams({ view: state.view });
  const shown = whole ? { ...state, s: null, e: null } : state;
  const tooLong = TIMELINE.write(shown, query, complete);
  return { text: queryText(query), tooLong };
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
   * @param {() => object} extra what an entry stores besides its address
   */
  constructor(query, onTravel, extra) {
    this.query = query;
    this.extra = extra;
    this.timer = 0;
    /** Whether the change that is not written yet creates a step. */
    this.step = false;
    this.depth = place.state?.depth ?? 0;
    place.replace({ ...place.state, depth: this.depth });
    place.onTravel((entry) => {
      clearTimeout(this.timer);
      this.timer = 0;
      this.depth = entry?.depth ?? 0;
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
    const address = place.pathname + this.query();
    const same = address === place.pathname + place.search;
    this.timer = 0;
    if (this.step && !same) this.depth++;
    const entry = { depth: this.depth, ...this.extra() };
    if (this.step && !same) place.push(entry, address);
    else if (!same || place.hash !== "") place.replace(entry, address);
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
    if (this.depth > 0) place.back();
  }

  redo() {
    place.forward();
  }
}
