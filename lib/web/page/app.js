// SPDX-License-Identifier: BSD-3-Clause
// The timeline page: the state that its parts share, and the loop that draws them.

import { Activity } from "./activity.js";
import { ApiError, getJSON, isAbort, isLetGo, pause, setEpoch } from "./api.js";
import { byId } from "./dom.js";
import { Arrows } from "./arrows.js";
import { Axis } from "./axis.js";
import { palette } from "./colors.js";
import { startCompanion } from "./companion.js";
import { connection } from "./connection.js";
import { Counters } from "./counters.js";
import { Drawing } from "./draw.js";
import { adaptState, changeEpoch } from "./epoch.js";
import { RangeFeed } from "./feed.js";
import { countFindings } from "./findings.js";
import { Input } from "./input.js";
import { startKeys } from "./keys.js";
import { Labels } from "./labels.js";
import { Layout } from "./layout.js";
import { LiveMode } from "./livemode.js";
import { TileLoader } from "./loader.js";
import { Losses } from "./losses.js";
import { Marks } from "./marks.js";
import { Minimap } from "./minimap.js";
import { Notes } from "./notes.js";
import { isChange, noteChange } from "./notechange.js";
import { Overlay } from "./overlay.js";
import { place } from "./place.js";
import { loadPrefs, savePrefs } from "./prefs.js";
import { hitAt } from "./hit.js";
import { Rows, rowName } from "./rows.js";
import { Scroller } from "./scroll.js";
import { Selection } from "./selection.js";
import { startSizes } from "./sizes.js";
import {
  FLAME_FIELDS,
  History,
  REMEMBERED,
  VIEWS,
  parseState,
  stateQuery,
  wantedRow,
} from "./state.js";
import { Speech } from "./speech.js";
import { Status } from "./status.js";
import { TileCache } from "./tiles.js";
import { Trail } from "./trail.js";
import { Toolbar } from "./toolbar.js";
import { Tooltip } from "./tooltip.js";
import { View } from "./view.js";

const KEPT_FRAMES = 240;
/** How often, in ms, a trace that is being read is asked for: after a share of the time so far. */
const POLL = 250;
const POLL_MOST = 1000;
const POLL_SHARE = 1 / 8;
const RETRY = 1000;
const WATCH = 10000;
/** The time in ms after which the panels are loaded even if the timeline has not been drawn yet. */
const PANELS_LATEST = 500;
const PARTS = ["rows", "labels", "overlay", "axis", "minimap", "counters"];

/** @type {Map<string, Set<Listener>>} */
const listeners = new Map();
/** @type {Set<string>} */
const dirty = new Set();
let scheduled = false;
/** @type {History | null} */
let records = null;
/** Is kept when the server has read the whole trace. */
let reading = Promise.resolve();

/** @type {AppCore} */
const core = {
  state: /** @type {TimelineState} */ (parseState(place.search, place.hash)),
  prefs: { ...loadPrefs() },
  selection: null,
  hover: null,
  whole: false,
  cursor: null,
  focused: null,
  measuring: false,
  ready: false,
  placed: false,
  height: 0,
  highlighted: [],
  frames: [],
  actions: new Map(),
  view: new View(),
  tiles: new TileCache(),

  on(event, listener) {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known.add(listener));
    return () => known.delete(listener);
  },

  /** The name of the row that keys go to. */
  get focus() {
    return core.state.row || null;
  },

  emit(event, ...values) {
    for (const listener of listeners.get(event) ?? []) listener(...values);
  },

  /** Runs the action of that name, if a part has registered one in `actions`. */
  run(name, argument) {
    return app.actions.get(name)?.(argument);
  },

  /** Changes the state, redraws what depends on it, and updates the page's address. */
  set(patch, { push = true, glide = true } = {}) {
    const changed = { ...patch };
    if ("s" in changed) {
      Object.assign(changed, rangeOf(changed));
      app.whole = changed.whole ?? false;
      delete changed.whole;
      // Whoever moves no longer follows the newest part.
      if (app.livemode.on) changed.live = 0;
    }
    if (changed.view && changed.view !== app.state.view) {
      changed.tree ??= null;
      changed.y ??= 0;
      changed.pinY ??= 0;
      changed.fold ??= { all: false, names: [] };
    }
    Object.assign(app.state, changed);
    apply(changed, glide);
    records?.note(Object.keys(changed), push);
  },

  select(track, index, options) {
    return app.selecting.select(track, index, options);
  },

  /** Brings a row and a range of time into view. */
  async reveal({ view, row_id: id, start, end }) {
    if (view && !app.rows.lists(view)) app.set({ view });
    if (start !== undefined && start !== null) app.zoomTo(start, end ?? start, { padding: 0.3 });
    if (id === undefined || id === null) return;
    try {
      await showRow(view ?? app.state.view, id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        app.status.say(`There is no ${view ?? app.state.view} ${id} in this trace.`);
      else app.report(error);
    }
  },

  /** Shows [start, end]. `padding` is added at both ends, as a share of the range. */
  zoomTo(start, end, { padding = 0 } = {}) {
    const room = Math.max(end - start, 1) * padding;
    app.set({ s: start - room, e: Math.max(end, start + 1) + room });
  },

  undo() {
    records?.undo();
  },

  redo() {
    records?.redo();
  },

  /** The address that reproduces this page in any browser, with some changes. */
  link(changes = {}) {
    const { text, tooLong } = stateQuery(
      { ...app.state, ...changes },
      app.whole || app.livemode.follows,
      true,
    );
    return { text: place.link(place.pathname + text), tooLong };
  },

  highlights(list) {
    app.highlighted = list;
    app.invalidate("overlay", "minimap");
  },

  /** Determines the row, the time and the item at a point of the page; see hit.js. */
  hit(clientX, clientY) {
    return hitAt(app, clientX, clientY);
  },

  /** Makes a row the one that keys act on. */
  focusRow(row) {
    const name = row ? rowName(row) : "";
    app.focused = row;
    if (app.state.row !== name) app.set({ row: name }, { push: false });
  },

  togglePref(name) {
    const show = { ...app.prefs, [name]: !app.prefs[name] };
    savePrefs(show);
    app.set({ show }, { push: false });
  },

  /** Requests that parts are drawn in the next frame. */
  invalidate(...parts) {
    for (const part of parts) dirty.add(part);
    if (scheduled || !app.trace) return;
    scheduled = true;
    requestAnimationFrame(frame);
  },

  /** Lays out the rows now, for callers that need the new positions before the next frame. */
  layoutNow() {
    app.layout.compute(app.height);
  },

  rowsChanged() {
    app.emit("rows");
  },

  report(error) {
    // Soon the facts tell what is there instead, unless the user has paused.
    if (isLetGo(error) && !app.livemode.paused) return;
    if (!isAbort(error)) app.status.error(error);
  },

  refreshColors() {
    palette.read();
    app.invalidate(...PARTS);
    app.emit("colors");
  },
};

/**
 * The object that the parts of the timeline share. build() adds the parts, and startTimeline() adds
 * the trace.
 */
export const app = /** @type {App} */ (core);

/**
 * Limits a range to the times that can be shown. If `s` is null, the range is the whole trace.
 * @param {StatePatch} patch
 */
function rangeOf({ s = null, e = null }) {
  if (s === null || e === null) return { s: 0, e: app.view.whole, whole: true };
  return app.view.clamp(s, e);
}

/** The members of the state that only affect the panel. */
const OF_PANEL = new Set([...Object.keys(FLAME_FIELDS), "titles", "shut", "open", "sorts"]);

/**
 * The parts that a change affects: panning leaves the names as they are, scrolling the times.
 * @param {string[]} names
 */
function partsFor(names) {
  if (names.every((name) => OF_PANEL.has(name))) return [];
  const moved = names.every((name) => name === "s" || name === "e");
  if (names.every((name) => name === "row")) return ["labels"];
  if (moved) return PARTS.filter((part) => part !== "labels");
  return names.every((name) => name === "y" || name === "pinY")
    ? ["rows", "labels", "overlay"]
    : PARTS;
}

/**
 * Informs the parts of a change of the state.
 * @param {StatePatch} changed
 * @param {boolean} glide
 */
function apply(changed, glide) {
  const { state, view } = app;
  if (changed.show) {
    Object.assign(app.prefs, changed.show);
    app.emit("prefs", app.prefs);
  }
  if ("s" in changed) {
    if (glide) view.glide(state.s, state.e);
    else view.jump(state.s, state.e);
  }
  if (app.rows.update()) {
    if (!("y" in changed)) state.y = 0;
    if (!("row" in changed)) app.focusRow(null);
  }
  app.emit("state", state, changed);
  if ("area" in changed) app.emit("area", state.area);
  app.invalidate(...partsFor(Object.keys(changed)));
}

/**
 * Scrolls to a row. If the row is filtered out, hidden or in a folded group, it is made visible
 * first.
 * @param {ViewName} view
 * @param {number} id
 */
async function showRow(view, id) {
  let row = await app.rows.find(view, id);
  if (row.shown < 0 && app.state.filter !== "") {
    app.set({ filter: "" });
    row = await app.rows.find(view, id);
  }
  if (row.shown < 0 && app.rows.tree !== null) {
    app.set({ view, tree: null });
    row = await app.rows.find(view, id);
  }
  if (app.state.hide.includes(rowName(row))) {
    app.set({ hide: app.state.hide.filter((name) => name !== rowName(row)) });
  }
  if (app.rows.arePinsAlone && !app.state.pin.includes(rowName(row))) app.set({ only: false });
  if (app.rows.tree !== null) app.rows.unfoldAbove(row.listing);
  else app.rows.unfold(row.name || "(unknown)");
  app.focusRow(row);
  app.invalidate("rows");
  await app.rows.listing();
  if (row.listing >= 0) app.scroller.show(app.rows.shownIndex(row.listing));
}

/**
 * Draws the rows: lays them out first, then paints them and requests the tiles that are missing.
 */
function drawRows() {
  app.layoutNow();
  app.scroller.update();
  app.layout.pins.show();
  app.ready = app.drawing.draw() && app.layout.complete;
  wantTiles();
  if (app.drawing.masks.short) app.invalidate("rows");
  byId("rows-empty").hidden = !app.rows.known || app.rows.total > 0 || app.rows.arePinsAlone;
}

function wantTiles() {
  const { view, layout, trace } = app;
  const { s, e } = view.target;
  app.loader.want(
    { s, e },
    (e - s) / (view.width * view.dpr),
    layout.visibleTracks(),
    layout.nearTracks(),
    trace.duration,
  );
  const done = trace.progress.done;
  app.collector.want(s, e, Math.ceil(view.width), "", done);
  app.activity.want();
}

/**
 * Sets a mark for tests and tools, which wait until everything visible is drawn. The panels come
 * after the first such moment, as their modules and requests would delay it.
 */
function markReady() {
  const ready = app.ready && !app.view.moving && app.loader.pending === 0;
  if (ready) panels.start();
  if (ready) document.body.dataset.ready = "1";
  else delete document.body.dataset.ready;
}

/** @param {number} now */
function frame(now) {
  scheduled = false;
  const began = performance.now();
  if (app.view.step(now)) for (const part of PARTS) if (part !== "labels") dirty.add(part);
  const parts = new Set(dirty);
  dirty.clear();
  if (parts.has("rows")) drawRows();
  if (parts.has("labels")) app.labels.draw();
  if (parts.has("axis")) app.axis.draw();
  if (parts.has("minimap")) app.minimap.draw();
  if (parts.has("counters")) app.counters.draw();
  if (parts.has("overlay") || parts.has("rows")) app.overlay.draw();
  if (parts.has("rows")) app.input.track();
  app.status.draw();
  markReady();
  app.frames.push(performance.now() - began);
  if (app.frames.length > KEPT_FRAMES) app.frames.shift();
  if (app.view.moving) app.invalidate("rows");
}

/** Fits all canvases to their boxes. */
function resize() {
  const box = byId("rows-box").getBoundingClientRect();
  const dpr = window.devicePixelRatio || 1;
  Object.assign(app.view, { width: Math.max(1, box.width), dpr });
  app.height = box.height;
  app.drawing.resize(
    Math.max(1, Math.round(box.width * dpr)),
    Math.max(1, Math.round(box.height * dpr)),
  );
  for (const part of [app.overlay, app.labels, app.axis, app.minimap, app.counters]) {
    part.resize(dpr);
  }
  if (app.placed) app.scroller.keepSelected();
  app.invalidate(...PARTS);
}

/** Follows changes of the pixel ratio, as when the window moves to another screen or is zoomed. */
function followPixels() {
  const same = window.matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
  same.addEventListener(
    "change",
    () => {
      resize();
      followPixels();
    },
    { once: true },
  );
}

/** After a step back or forward in the history, takes the state from the address. */
function travel() {
  const wanted = parseState(place.search, place.hash);
  adaptState(wanted, app.trace.dropped);
  app.whole = wanted.s === null;
  if (app.whole) Object.assign(wanted, { s: 0, e: app.view.whole });
  // The notes come from the log of changes and not from the address, which may have had no room for
  // them and does not contain those of other windows.
  const { notes } = wanted;
  wanted.notes = app.notes.log.travel(Number(place.state?.edits) || 0);
  // Settings that the browser remembers are not part of the history, so they remain unchanged.
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([name]) => !REMEMBERED.has(name)),
  );
  Object.assign(app.state, changed);
  restoreFocus();
  app.livemode.adopt();
  apply(changed, true);
  app.selecting.restore();
  if (isChange(noteChange(notes, wanted.notes))) records?.note(["notes"], false);
}

/** Restores the row that keys act on from the state. Only the name of the row is needed. */
function restoreFocus() {
  const [view, id] = app.state.row.split(":");
  const known = VIEWS.find((each) => each === view);
  app.focused = known ? { view: known, id: Number(id), title: "" } : null;
}

/** @param {TraceFacts} trace */
function takeTrace(trace) {
  const grown = trace.duration !== app.view.duration;
  app.trace = trace;
  app.view.duration = Math.max(1, trace.duration);
  if (grown && app.whole) {
    Object.assign(app.state, { s: 0, e: app.view.whole });
    app.view.glide(0, app.view.whole);
  }
  app.emit("trace", trace);
  app.invalidate(...PARTS);
}

/**
 * How long to wait before the trace is asked for again. Each answer moves and draws the timeline,
 * for which the reader of a large trace may wait; those who follow a recording do not.
 *
 * @param {number} began
 */
function pollPause(began) {
  if (app.trace.progress.live) return POLL;
  return Math.min(Math.max(POLL, (performance.now() - began) * POLL_SHARE), POLL_MOST);
}

/** Polls the trace while the server is still reading it, so that the timeline grows with it. */
async function poll() {
  const began = performance.now();
  while (!app.trace.progress.done) {
    await pause(pollPause(began));
    const trace = await getFacts();
    if (app.livemode.holds(trace)) continue;
    if (trace.epoch === app.trace.epoch) takeTrace(trace);
    else changeEpoch(app, trace, () => takeTrace(trace));
  }
}

/** Updates the numbers about memory, which change as the user navigates. */
async function watchMemory() {
  for (;;) {
    await pause(WATCH);
    if (document.hidden || !app.trace.progress.done) continue;
    const { memory, process_memory: resident } = await getFacts();
    Object.assign(app.trace, { memory, process_memory: resident });
    app.status.draw();
  }
}

/** The facts of the trace. If the server does not answer, it is asked until requests stop. */
async function getFacts() {
  for (;;) {
    await connection.ready();
    try {
      return await getJSON("api/trace");
    } catch (error) {
      app.report(error);
      await pause(RETRY);
    }
  }
}

function build() {
  app.rows = new Rows(app);
  app.layout = new Layout(app);
  app.activity = new Activity(app);
  app.drawing = new Drawing(app, byId("canvas", HTMLCanvasElement));
  app.loader = new TileLoader(
    app.tiles,
    () => app.invalidate("rows"),
    (error) => app.report(error),
  );
  app.collector = new RangeFeed(
    ({ start, end, bins }, signal) =>
      getJSON(
        "api/gc",
        {
          start: Math.floor(Math.max(0, start)),
          end: Math.ceil(end),
          bins: Math.min(bins, 4096),
        },
        { signal },
      ),
    () => app.invalidate("rows", "minimap"),
  );
  app.labels = new Labels(app, byId("labels", HTMLCanvasElement));
  app.overlay = new Overlay(app, byId("overlay", HTMLCanvasElement));
  app.losses = new Losses(app);
  app.marks = new Marks(app);
  app.notes = new Notes(app);
  app.arrows = new Arrows(app);
  app.trail = new Trail(app);
  app.axis = new Axis(app, byId("axis", HTMLCanvasElement));
  app.minimap = new Minimap(app, byId("minimap", HTMLCanvasElement));
  app.counters = new Counters(app, byId("counters", HTMLCanvasElement));
  app.scroller = new Scroller(app, byId("scrollbar"));
  app.selecting = new Selection(app);
  app.tooltip = new Tooltip(app, byId("tooltip"));
  app.input = new Input(app, byId("canvas", HTMLCanvasElement));
  app.toolbar = new Toolbar(app);
  app.livemode = new LiveMode(app);
  startKeys(app);
  startCompanion(app);
  startSizes();
}

/**
 * Sets the range of the state, which needs the duration of the trace, and goes to the row that the
 * address asks for with a parameter of go tool trace.
 */
async function openState() {
  const { state } = app;
  adaptState(state, app.trace.dropped);
  app.whole = state.s === null;
  if (app.whole) Object.assign(state, { s: 0, e: app.view.whole });
  else Object.assign(state, app.view.clamp(state.s, state.e));
  app.view.jump(state.s, state.e);
  app.livemode.adopt();
  app.rows.update();
  const query = () => stateQuery(state, app.whole || app.livemode.follows).text;
  records = new History(query, travel, () => app.notes.entry());
  if (state.show) Object.assign(app.prefs, state.show);
  state.show = { ...app.prefs };
  restoreFocus();
  app.emit("state", state, state);
  app.selecting.restore(true);
  const row = wantedRow(place.search);
  if (row) await app.reveal({ view: row.view, row_id: row.id });
  if (row?.zoom && app.focused && "start" in app.focused)
    app.zoomTo(app.focused.start, app.focused.end, { padding: 0.1 });
}

/** The panels, which are loaded once: when the timeline is drawn, or if that takes long. */
const panels = {
  isLoading: false,

  start() {
    if (this.isLoading) return;
    this.isLoading = true;
    loadPanels();
  },
};

/** Loads the panels. The timeline works without them, so an error is only logged. */
async function loadPanels() {
  try {
    const { startPanels } = await import("./panels.js");
    await startPanels(app);
    reading.then(countFindings).catch(app.report);
  } catch (error) {
    console.error("the panels did not start:", error);
  }
  // The rows learn in the next frame how much room the panel leaves them.
  requestAnimationFrame(() =>
    setTimeout(() => {
      app.placed = true;
      app.invalidate("rows");
    }),
  );
}

async function startTimeline() {
  app.speech = new Speech(app);
  app.status = new Status(app);
  build();
  const trace = await getFacts();
  setEpoch(trace.epoch, trace.dropped);
  takeTrace(trace);
  resize();
  new ResizeObserver(resize).observe(byId("rows-box"));
  new ResizeObserver(resize).observe(byId("counters-box"));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", app.refreshColors);
  window.addEventListener("themechange", app.refreshColors);
  connection.onChange(() => connection.silentSince === null && app.invalidate(...PARTS));
  followPixels();
  openState();
  reading = poll();
  watchMemory();
  setTimeout(() => panels.start(), PANELS_LATEST);
}

window.gotrace = app;
startTimeline();
