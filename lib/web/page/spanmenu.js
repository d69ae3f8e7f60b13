// SPDX-License-Identifier: BSD-3-Clause
// The context menu of a span, a merged bar or a row on the timeline.

import { copyText } from "./dom.js";
import { openMenu } from "./menu.js";
import { stackText } from "./stack.js";
import { copyCurl, copyLink, curlCommand } from "./copy.js";
import { goroutinePage, functionOf } from "./links.js";
import { formatDuration, formatCount } from "./format.js";
import { classTitle } from "./colors.js";
import { getJSON } from "./api.js";
import { openTree } from "./tree.js";
import { traceEntry } from "./export.js";
import { scopeOf } from "./scope.js";
import { askWhy } from "./why.js";
import { whyArea, whySpan } from "./whyaddress.js";

/** @param {Item} item */
function itemName(item) {
  return item.label || classTitle(item.cls);
}

/** @param {Item} item */
function spanTitle(item) {
  const time = formatDuration(item.end - item.start);
  return item.count > 1
    ? `${formatCount(item.count)} spans in ${time}`
    : `${itemName(item)}, ${time}`;
}

/**
 * Copies the address at which the page shows this span again.
 * @param {App} app
 * @param {Item} item
 */
function copySpanLink(app, { track, index }) {
  const link = app.link({ sel: { track, index }, tab: "details", panel: true, open: [] });
  return copyLink(link, (text) => app.status.say(text));
}

/**
 * Copies the command that fetches a span or, for several, the sums over them.
 * @param {App} app
 * @param {Item} item
 */
function copySpanCurl(app, { track, index, count, start, end }) {
  const range = { start: Math.floor(start), end: Math.ceil(end) };
  const command =
    count === 1
      ? curlCommand("api/span", { track, index })
      : curlCommand("api/area", { ...range, tracks: [track] });
  return copyCurl(command, (text) => app.status.say(text));
}

/**
 * Copies the stacks of a span, which are fetched from the server.
 * @param {Item} item
 */
async function copyStack({ track, index }) {
  const span = await getJSON("api/span", { track, index });
  const parts = [span.stack, span.end_stack].filter((stack) => stack?.length > 0).map(stackText);
  await copyText(parts.length > 0 ? parts.join("\n") : "no stack was recorded\n");
}

/**
 * The interval of a span or, for several, their time on their row.
 * @param {App} app
 * @param {Item} item
 */
function itemWhy(app, { track, index, count, start, end }) {
  if (count === 1) return whySpan({ track, index });
  const { view } = app.state;
  return whyArea({ start, end, tracks: [track], view, tree: null, whole: false });
}

/**
 * @param {App} app
 * @param {Item} item
 * @returns {MenuList}
 */
function spanEntries(app, item) {
  const { start, end, track } = item;
  const single = item.count === 1;
  return [
    {
      label: single ? "Zoom to span" : "Zoom to these spans",
      keys: "F",
      run: () => app.zoomTo(start, end),
    },
    {
      label: "Select its time as area",
      keys: "R",
      run: () => app.set({ area: { start, end, tracks: null } }),
    },
    {
      label: "Select its time on this row as area",
      run: () => app.set({ area: { start, end, tracks: [track] } }),
    },
    { label: "Why?", keys: "B", run: () => askWhy(app, itemWhy(app, item)) },
    traceEntry(app, { start, end }, "Save its time as a trace"),
    single && { label: "Copy link", run: () => copySpanLink(app, item) },
    { label: "Copy as curl", run: () => copySpanCurl(app, item) },
    {
      label: single ? "Add a note to the span" : "Add a note to this time",
      keys: "N",
      run: () => app.run("note", spanNote(app, item)),
    },
    single && { label: "Copy stack", run: () => copyStack(item) },
    single && { label: "Copy name", run: () => copyText(itemName(item)) },
    null,
  ];
}

/**
 * The goroutine of a row, or of the span at the pointer if that is selected.
 * @param {Row} row
 * @param {Item | null} item
 * @param {SpanFacts | null} selection
 * @returns {GoroutineRef | null}
 */
function goroutineOf(row, item, selection) {
  if (row.view === "goroutine") return { id: row.id, title: row.title };
  const selected = selection && selection.track === item?.track && selection.index === item.index;
  return selected ? selection.goroutine : null;
}

/**
 * The visible part of the trace. The view may extend beyond its ends.
 * @param {App} app
 */
function visible(app) {
  const { s, e } = app.state;
  return { start: Math.max(0, Math.floor(s)), end: Math.min(app.trace.duration, Math.ceil(e)) };
}

/**
 * @param {App} app
 * @param {Row} row
 * @param {GoroutineRef | null} goroutine
 * @returns {MenuList}
 */
function rowEntries(app, row, goroutine) {
  const tracks = row.lanes.map((lane) => lane.track);
  const show = () => app.reveal({ view: "goroutine", row_id: goroutine?.id });
  const name = goroutine ? functionOf(goroutine.title) : row.name;
  const pinned = app.state.pin.includes(`${row.view}:${row.id}`);
  return [
    row.view === "task" &&
      app.rows.tree !== row.id && {
        label: "Open as tree",
        keys: app.rows.tree === null ? "U" : undefined,
        run: () => openTree(app, row.id),
      },
    { label: pinned ? "Unpin row" : "Pin row", keys: "P", run: () => app.run("pin", row) },
    { label: "Hide row", keys: "H", run: () => app.run("hide", row) },
    name && { label: `Filter to ${name}`, run: () => app.set({ filter: name }) },
    app.state.filter && { label: "Clear filter", run: () => app.set({ filter: "" }) },
    {
      label: "Select row's visible time as area",
      run: () => app.set({ area: { ...visible(app), tracks } }),
    },
    null,
    goroutine &&
      row.view !== "goroutine" && { label: `Show the row of ${goroutine.title}`, run: show },
    goroutine && name && { label: "Open goroutine page", href: goroutinePage(goroutine.title) },
    { label: "Copy row's name", run: () => copyText(row.title) },
  ];
}

/**
 * A note without a text on a span, with its row.
 * @param {App} app
 * @param {Item} item
 * @returns {Note}
 */
function spanNote(app, { track, start, end }) {
  const row = app.layout.tracks.get(track)?.item.row;
  return {
    time: Math.floor(start),
    end: Math.ceil(end),
    row: row ? `${row.view}:${row.id}` : "",
    text: "",
  };
}

/** @param {Hit} hit */
function menuTitle(hit) {
  if (!hit.row) return "Timeline";
  return hit.item ? `${hit.row.title}: ${spanTitle(hit.item)}` : hit.row.title;
}

/**
 * The entry that saves the area, which every menu of the timeline has if there is an area.
 * @param {App} app
 * @returns {MenuList}
 */
function areaEntries(app) {
  const { area } = app.state;
  return area ? [traceEntry(app, area, "Save this area as a trace")] : [];
}

/**
 * The entries for a place without a row, which concern the whole timeline.
 * @param {App} app
 * @returns {MenuList}
 */
function pageEntries(app) {
  const { area } = app.state;
  return [
    { label: "Show all", keys: "0", run: () => app.run("home") },
    area && {
      label: "Zoom to area",
      run: () => app.zoomTo(area.start, area.end),
    },
    area && { label: "Why?", keys: "B", run: () => askWhy(app, whyArea(scopeOf(app))) },
    ...areaEntries(app),
    area && { label: "Clear area", run: () => app.set({ area: null }) },
    {
      label: area ? "Add a note to the area" : "Add a note",
      keys: "N",
      run: () => app.run("note"),
    },
    { label: "Copy link", keys: "Y", run: () => app.run("copy-link") },
    { label: "Copy as curl", keys: "Shift+Y", run: () => app.run("copy-curl") },
  ];
}

/**
 * Opens the menu that the timeline's event "menu" asks for.
 * @param {App} app
 * @param {MenuRequest} request
 */
export function openSpanMenu(app, { x, y, hit, selection }) {
  const entries =
    hit?.row && !hit.row.header
      ? [
          ...(hit.item ? spanEntries(app, hit.item) : []),
          ...rowEntries(app, hit.row, goroutineOf(hit.row, hit.item, selection)),
          ...areaEntries(app),
        ]
      : pageEntries(app);
  openMenu(x, y, hit ? menuTitle(hit) : "Timeline", entries);
}
