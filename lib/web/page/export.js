// SPDX-License-Identifier: BSD-3-Clause
// The menu of the pictures and files that can be saved for an area, or for the visible range.

import { getBlob, viewerURL } from "./api.js";
import { copyCurl, curlCommand } from "./copy.js";
import { saveFile } from "./csv.js";
import { h } from "./dom.js";
import { formatCount } from "./format.js";
import { openMenu } from "./menu.js";
import { openInPerfetto, perfettoAddress } from "./perfetto.js";
import { picturePNG, pictureSize, pictureSVG } from "./picture.js";
import { place } from "./place.js";
import { scopeOf, scopeParameters } from "./scope.js";

const TRACE_TYPE = "application/octet-stream";

/**
 * The rows of the scope for other viewers, which have none for tasks.
 * @param {App} app
 * @param {Scope} scope
 */
function rowsOf(app, { tracks }) {
  const view = app.rows.statesView;
  return view === "task" ? { view: "goroutine", tracks: null } : { view, tracks };
}

/**
 * The parameters of the range as JSON for Go's viewer.
 * @param {App} app
 * @param {Scope} scope
 */
export function jsonParameters(app, scope) {
  const { view, tracks } = rowsOf(app, scope);
  return { view, from: Math.floor(scope.start), to: Math.ceil(scope.end), tracks };
}

/**
 * Whether a scope has all of the trace.
 * @param {App} app
 * @param {Scope} scope
 */
function isWhole(app, { start, end, tracks }) {
  return start <= 0 && end >= app.trace.duration && !tracks;
}

/** @param {TimeRange} range */
function traceQuery({ start, end }) {
  return { start: Math.floor(start), end: Math.ceil(end) };
}

/**
 * Saves what happened in a range of time, in all rows, as a trace. Of a damaged trace that may be
 * nothing, which the server refuses, and the page tells why.
 * @param {App} app
 * @param {TimeRange} range
 */
export async function saveTrace(app, range = scopeOf(app)) {
  const query = traceQuery(range);
  const isDamaged = app.trace.repairs_total > 0;
  try {
    if (isDamaged || !place.hasServer)
      saveFile("area.trace", await getBlob("api/area.trace", query), TRACE_TYPE);
    else h("a", { href: viewerURL("api/area.trace", query), download: "area.trace" }).click();
  } catch (error) {
    app.report(error);
  }
}

/**
 * The entry of a menu that saves a range of time as a trace.
 * @param {App} app
 * @param {TimeRange} range
 * @param {string} label
 */
export function traceEntry(app, range, label) {
  if (app.trace.repairs_total > 0) return { label, run: () => saveTrace(app, range) };
  const href = viewerURL("api/area.trace", traceQuery(range));
  return { label, href, download: "area.trace" };
}

/** @param {App} app */
export async function savePNG(app) {
  try {
    saveFile("timeline.png", await picturePNG(app), "image/png");
  } catch (error) {
    app.report(error);
  }
}

/** @param {App} app */
export function saveSVG(app) {
  saveFile("timeline.svg", pictureSVG(app), "image/svg+xml");
}

/** @param {App} app */
function pictureEntries(app) {
  const { width, height } = pictureSize(app);
  return [
    {
      label: `Picture of the timeline, PNG (${formatCount(width)} × ${formatCount(height)} pixels)`,
      run: () => savePNG(app),
    },
    {
      label: "Picture of the timeline, SVG",
      run: () => saveSVG(app),
    },
  ];
}

/**
 * The timeline of a scope in the format of Perfetto. The times of a whole trace are left out, so
 * that the file has the end of one that is still being read.
 * @param {App} app
 * @param {Scope} scope
 * @param {string} label
 * @returns {Download}
 */
function perfettoDownload(app, scope, label) {
  const whole = isWhole(app, scope);
  const query = { ...(whole ? {} : traceQuery(scope)), ...rowsOf(app, scope) };
  const file = whole ? "trace.pftrace" : "area.pftrace";
  return { label, path: "api/area.pftrace", query, file };
}

/**
 * The same of the whole trace, unless the scope is that.
 * @param {App} app
 * @param {Scope} scope
 * @param {string} label
 * @returns {Download[]}
 */
function wholePerfetto(app, scope, label) {
  if (isWhole(app, scope)) return [];
  const whole = { ...scope, start: 0, end: app.trace.duration, tracks: null };
  return [perfettoDownload(app, whole, label)];
}

/**
 * Opens the area or, without one, the visible range in Perfetto.
 * @param {App} app
 */
export function openAreaInPerfetto(app) {
  return openInPerfetto(app, perfettoDownload(app, scopeOf(app), ""));
}

/**
 * The entries that open a scope, and the whole trace, in Perfetto, if the host has its page.
 * @param {App} app
 * @param {Scope} scope
 * @param {string} of
 */
function perfettoEntries(app, scope, of) {
  if (!perfettoAddress(app)) return [];
  const shown = perfettoDownload(app, scope, `Open the timeline in Perfetto${of}`);
  return [shown, ...wholePerfetto(app, scope, "Open the whole trace in Perfetto")].map(
    (download) => ({ label: download.label, run: () => openInPerfetto(app, download) }),
  );
}

/**
 * The files with data of a scope. The states of goroutines have a list of their own.
 * @param {App} app
 * @param {Scope} scope
 * @param {string} of
 * @returns {Download[]}
 */
function downloads(app, scope, of) {
  const query = scopeParameters(scope);
  const { start, end, tracks } = { tracks: null, ...query };
  const states = { q: "kind:state", start, end, tracks, sort: "start", desc: 0 };
  const list = [
    { label: "Numbers of the panel, CSV", path: "api/area.csv", query, file: "area.csv" },
    { label: "Numbers of the panel, JSON", path: "api/area", query, file: "area-numbers.json" },
    {
      label: `List of the states, CSV${of}`,
      path: "api/search.csv",
      query: states,
      file: "states.csv",
    },
    {
      label: `Stacks and their time, pprof${of}`,
      path: "api/flame.pprof",
      query: { kind: "wall", ...query },
      file: "area.pprof",
    },
    perfettoDownload(app, scope, `Timeline for Perfetto${of}`),
    {
      label: `Timeline for chrome://tracing, JSON${of}`,
      path: "jsontrace",
      query: jsonParameters(app, scope),
      file: "area.json",
    },
    ...wholePerfetto(app, scope, "Timeline of the whole trace for Perfetto"),
  ];
  return list.filter(({ query: asked }) => asked !== states || app.state.view === "goroutine");
}

/**
 * Opens the menu of the commands that fetch these files.
 * @param {App} app
 * @param {number} x
 * @param {number} y
 * @param {Download[]} files
 */
function openCurl(app, x, y, files) {
  const entries = files.map(({ label, path, query, file }) => ({
    label,
    run: () => copyCurl(curlCommand(path, query, file), (text) => app.status.say(text)),
  }));
  openMenu(x, y, "Copy as curl", entries);
}

/**
 * Opens the menu below an element. `spans` is the number of spans in the scope, if it is known.
 * @param {App} app
 * @param {Element} element
 * @param {number | null} spans
 */
export function openExport(app, element, spans) {
  const scope = scopeOf(app);
  const of = spans === null ? "" : ` (${formatCount(spans)} spans)`;
  const { left, bottom } = element.getBoundingClientRect();
  const files = downloads(app, scope, of);
  openMenu(left, bottom + 2, scope.whole ? "Export the visible range" : "Export the area", [
    ...pictureEntries(app),
    null,
    ...perfettoEntries(app, scope, of),
    null,
    ...files.map(({ label, path, query, file }) => ({
      label,
      href: viewerURL(path, query),
      download: file,
    })),
    traceEntry(app, scope, "All rows as a trace, for gotrace and go tool trace"),
    null,
    { label: "Copy as curl …", run: () => openCurl(app, left, bottom + 2, files) },
  ]);
}
