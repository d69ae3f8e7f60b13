// SPDX-License-Identifier: BSD-3-Clause
// Everything that can be saved of an area, or of the visible range: one menu.

import { viewerURL } from "./api.js";
import { saveFile } from "./csv.js";
import { formatCount } from "./format.js";
import { openMenu } from "./menu.js";
import { picturePNG, pictureSize, pictureSVG } from "./picture.js";
import { scopeOf, scopeParameters } from "./scope.js";

/**
 * The address of the range as JSON for Go's viewer and Perfetto, which have no rows for tasks.
 * @param {App} app
 * @param {Scope} scope
 */
function jsonAddress(app, scope) {
  const view = app.rows.statesView === "task" ? "goroutine" : app.rows.statesView;
  const range = { from: Math.floor(scope.start), to: Math.ceil(scope.end) };
  const tracks = app.rows.statesView === "task" ? null : scope.tracks;
  return viewerURL("jsontrace", { view, ...range, tracks });
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
 * The states of goroutines, which have a list of their own.
 * @param {App} app
 * @param {Scope} scope
 * @param {string} of
 */
function statesEntry(app, scope, of) {
  const { start, end, tracks } = { tracks: null, ...scopeParameters(scope) };
  const query = { q: "kind:state", start, end, tracks, sort: "start", desc: 0 };
  return (
    app.state.view === "goroutine" && {
      label: `List of the states, CSV${of}`,
      href: viewerURL("api/search.csv", query),
      download: "states.csv",
    }
  );
}

/**
 * Opens the menu below an element. `spans` is the number of spans in the scope, if it is known.
 * @param {App} app
 * @param {Element} element
 * @param {number | null} spans
 */
export function openExport(app, element, spans) {
  const scope = scopeOf(app);
  const parameters = scopeParameters(scope);
  const of = spans === null ? "" : ` (${formatCount(spans)} spans)`;
  const { left, bottom } = element.getBoundingClientRect();
  openMenu(left, bottom + 2, scope.whole ? "Export the visible range" : "Export the area", [
    ...pictureEntries(app),
    null,
    {
      label: "Numbers of the panel, CSV",
      href: viewerURL("api/area.csv", parameters),
      download: "area.csv",
    },
    {
      label: "Numbers of the panel, JSON",
      href: viewerURL("api/area", parameters),
      download: "area-numbers.json",
    },
    statesEntry(app, scope, of),
    {
      label: `Stacks and their time, pprof${of}`,
      href: viewerURL("api/flame.pprof", { kind: "wall", ...parameters }),
      download: "area.pprof",
    },
    {
      label: `Timeline for Perfetto and chrome://tracing, JSON${of}`,
      href: jsonAddress(app, scope),
      download: "area.json",
    },
  ]);
}
