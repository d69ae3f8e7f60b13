// SPDX-License-Identifier: BSD-3-Clause
// The scope of the panels: the selected area or, without one, the visible part of the timeline.

import { formatDuration, formatCount } from "./format.js";

/**
 * The first lanes of the pinned rows if only pinned rows are shown; otherwise null.
 * @param {App} app
 */
function pinnedTracks(app) {
  const rows = app.rows.arePinsAlone ? app.rows.pins() : [];
  const tracks = rows.flatMap(({ lanes }) => lanes.slice(0, 1).map((lane) => lane.track));
  return tracks.length > 0 ? tracks : null;
}

/**
 * The scope. A view that was never zoomed has no range of its own and covers the whole trace.
 * @param {App} app
 * @param {AreaRange | null} area
 */
export function scopeOf(app, area = app.state.area) {
  const { view } = app.state;
  const { tree } = app.rows;
  const s = app.state.s ?? 0;
  const e = app.state.e ?? app.trace?.duration ?? 0;
  if (area) {
    const tracks = area.tracks && area.tracks.length > 0 ? area.tracks : pinnedTracks(app);
    return { start: area.start, end: area.end, tracks, view, tree, whole: false };
  }
  const range = { start: Math.max(s, 0), end: Math.max(e, 0) };
  return { ...range, tracks: pinnedTracks(app), view, tree, whole: true };
}

/**
 * The parameters of a scope for the endpoints of the area and the flame graph.
 * @param {Scope} scope
 */
export function scopeParameters({ start, end, tracks, view, tree }) {
  const range = { start: Math.floor(start), end: Math.ceil(end) };
  if (tracks) return { ...range, tracks };
  return tree === null ? { ...range, view } : { ...range, tree };
}

const ALL = {
  proc: "all procs",
  thread: "all threads",
  goroutine: "all goroutines",
  task: "all tasks",
};

/** @param {number} count */
export function lanesText(count) {
  return `${formatCount(count)} ${count === 1 ? "lane" : "lanes"}`;
}

/** @param {Scope} scope */
export function scopeTitle(scope) {
  const count = scope.tracks?.length;
  const all = scope.tree === null ? ALL[scope.view] : `the tree of task ${scope.tree}`;
  const rows = count ? lanesText(count) : all;
  const range = scope.whole ? "Visible range" : "Selected area";
  return `${range}: ${formatDuration(scope.end - scope.start)}, ${rows}`;
}
