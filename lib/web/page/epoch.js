// SPDX-License-Identifier: BSD-3-Clause
// A recording of which only the newest part is kept. From time to time the server lets go of what
// is older, and begins an epoch: times are relative to another begin then, and tracks have other
// numbers.

import { ApiError, getJSON, setEpoch } from "./api.js";
import { formatDuration } from "./format.js";

/** The most lanes of a row that are searched for a span. */
const MOST_LANES = 8;

/**
 * What in a state has times.
 * @typedef {Pick<AddressState, "origin" | "area" | "within" | "base" | "marks" | "notes">} Timed
 */

/**
 * An area in which all times are earlier. One of certain tracks cannot be kept.
 * @template {AreaRange} Area
 * @param {Area | null} area
 * @param {number} by
 */
function areaEarlier(area, by) {
  if (!area || area.tracks) return null;
  return { ...area, start: area.start - by, end: area.end - by };
}

/**
 * The changes of a state by which all times in it are earlier, except for the range that is shown.
 * @param {Timed} state
 * @param {number} by
 */
function earlier(state, by) {
  const { area, within, base, marks, notes, origin } = state;
  return {
    area: areaEarlier(area, by),
    within: areaEarlier(within, by),
    base: areaEarlier(base, by),
    origin: origin === null ? null : origin - by,
    marks: marks.map((time) => time - by),
    notes: notes.map((note) => ({
      ...note,
      time: note.time - by,
      end: note.end === null ? null : note.end - by,
    })),
    sel: null,
    hit: -1,
  };
}

/**
 * Converts a state that was taken from an address to the part of the recording that is there now.
 * @param {AddressState} state
 * @param {number} dropped how much of the recording was let go
 */
export function adaptState(state, dropped) {
  const by = dropped - (state.from ?? 0);
  state.from = dropped > 0 ? dropped : null;
  if (by === 0) return;
  Object.assign(state, earlier(state, by));
  if (state.s !== null) state.s -= by;
  if (state.e !== null) state.e -= by;
}

/**
 * Finds a span of the epoch before, which was in a lane of this kind. Returns null if it was let
 * go.
 * @param {SpanFacts} span
 * @param {string | undefined} kind
 * @param {number} by how much earlier all times are
 * @returns {Promise<SpanFacts | null>}
 */
async function findAgain(span, kind, by) {
  const { view, id } = span.row;
  const end = span.end - by;
  if (end <= 0) return null;
  const at = Math.max(0, span.start - by);
  const row = await getJSON("api/row", { view, id });
  const lanes = row.lanes.filter((lane) => kind === undefined || lane.kind === kind);
  for (const { track } of lanes.slice(0, MOST_LANES)) {
    const found = await getJSON("api/span", { track, at }).catch(() => null);
    if (found?.class === span.class && (found.end === end || found.start === span.start - by))
      return found;
  }
  return null;
}

/**
 * @param {App} app
 * @param {string} [more]
 */
function sayDropped(app, more = "") {
  const dropped = formatDuration(app.trace.dropped);
  app.status.say(`The first ${dropped} of the recording were let go${more}.`);
}

/** @param {App} app */
function forgetSelection(app) {
  app.selecting.forget();
  sayDropped(app, ", and with them what was selected");
}

/**
 * Selects again what was selected in the epoch before.
 * @param {App} app
 * @param {SpanFacts} span
 * @param {string | undefined} kind
 * @param {number} by
 */
async function reselect(app, span, kind, by) {
  try {
    const found = await findAgain(span, kind, by);
    if (app.state.sel) return;
    if (found) await app.selecting.take(found, { push: false, restored: true });
    else forgetSelection(app);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) app.report(error);
    forgetSelection(app);
  }
}

/**
 * Forgets all data of the epoch before.
 * @param {App} app
 */
function forgetData(app) {
  for (const { feed } of [app.losses, app.marks, app.arrows, app.counters, app.activity])
    feed.restart();
  app.collector.restart();
  app.arrows.runners.clear();
  app.tiles.clear();
  app.loader.restart();
  app.minimap.restart();
  app.rows.signature = "";
  app.highlights([]);
}

/**
 * Goes on with the facts of another epoch. What is shown stays where it is, as far as it still
 * exists.
 * @param {App} app
 * @param {TraceFacts} trace
 * @param {() => void} take takes the facts
 */
export function changeEpoch(app, trace, take) {
  const { selection, state, view } = app;
  const by = trace.dropped - app.trace.dropped;
  const kind = selection ? app.layout.tracks.get(selection.track)?.lane.kind : undefined;
  const { notes, ...patch } = earlier(state, by);
  const { s, e } = view.target;
  setEpoch(trace.epoch, trace.dropped);
  forgetData(app);
  take();
  const range = app.whole ? { s: 0, e: view.duration } : view.clamp(s - by, e - by);
  Object.assign(state, range);
  view.jump(range.s, range.e);
  app.set({ ...patch, from: trace.dropped, y: state.y, row: state.row }, { push: false });
  app.notes.take(notes);
  app.notes.log.restart();
  app.livemode.advance(false);
  sayDropped(app);
  if (selection) reselect(app, selection, kind, by);
}
