// SPDX-License-Identifier: BSD-3-Clause
// What the context menu of the timeline offers for a span, a merged bar or a row.

import { copyText } from "./dom.js";
import { openMenu } from "./menu.js";
import { stackText } from "./stack.js";
import { addressWith, goroutinePage, functionOf } from "./links.js";
import { formatDuration, formatCount } from "./format.js";
import { classTitle } from "./colors.js";
import { getJSON } from "./api.js";

function nameOf(item) {
  return item.label || classTitle(item.cls);
}

function spanTitle(item) {
  const time = formatDuration(item.end - item.start);
  return item.count > 1
    ? `${formatCount(item.count)} spans in ${time}`
    : `${nameOf(item)}, ${time}`;
}

/** The address at which the page shows this span again. */
function spanAddress(hit) {
  return new URL(addressWith({ sel: `${hit.track}.${hit.item.index}` }), location.href).href;
}

/** Single spans are known to the server by their number; the stack comes from there. */
async function copyStack(hit) {
  const span = await getJSON("api/span", { track: hit.track, index: hit.item.index });
  const parts = [span.stack, span.end_stack].filter((stack) => stack?.length > 0).map(stackText);
  await copyText(parts.length > 0 ? parts.join("\n") : "no stack was recorded\n");
}

function spanEntries(app, hit) {
  const { item, track } = hit;
  const { start, end } = item;
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
    single && { label: "Copy link", run: () => copyText(spanAddress(hit)) },
    single && { label: "Copy stack", run: () => copyStack(hit) },
    single && { label: "Copy name", run: () => copyText(nameOf(item)) },
    null,
  ];
}

function goroutineOf(hit, selection) {
  if (hit.row.view === "goroutine") return { id: hit.row.id, title: hit.row.title };
  const selected =
    selection && selection.track === hit.track && selection.index === hit.item?.index;
  return selected ? selection.goroutine : null;
}

/** What is seen of the trace: the view may reach beyond its ends. */
function visible(app) {
  const { s, e } = app.state;
  return { start: Math.max(0, Math.floor(s)), end: Math.min(app.trace.duration, Math.ceil(e)) };
}

function rowEntries(app, hit, selection) {
  const { row } = hit;
  const goroutine = goroutineOf(hit, selection);
  const tracks = row.lanes.map((lane) => lane.track);
  const show = () => app.reveal({ view: "goroutine", row_id: goroutine.id });
  const name = goroutine ? functionOf(goroutine.title) : row.name;
  const pinned = app.state.pin.includes(`${row.view}:${row.id}`);
  return [
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

function titleOf(hit) {
  if (!hit.row) return "Timeline";
  return hit.item ? `${hit.row.title}: ${spanTitle(hit.item)}` : hit.row.title;
}

/** Without a row: what concerns the whole. */
function pageEntries(app) {
  return [
    { label: "Show all", keys: "0", run: () => app.run("home") },
    app.state.area && {
      label: "Zoom to area",
      run: () => app.zoomTo(app.state.area.start, app.state.area.end),
    },
    app.state.area && { label: "Clear area", run: () => app.set({ area: null }) },
    { label: "Copy link", run: () => copyText(location.href) },
  ];
}

/** Separators only between entries that are there. */
function tidy(entries) {
  const list = entries.filter((entry) => entry !== undefined && entry !== false && entry !== "");
  return list.filter(
    (entry, i) => entry !== null || (i > 0 && i < list.length - 1 && list[i - 1] !== null),
  );
}

/** Answers the timeline's 'menu' event. */
export function openSpanMenu(app, { x, y, hit, selection }) {
  const entries =
    hit?.row && !hit.row.header
      ? [...(hit.item ? spanEntries(app, hit) : []), ...rowEntries(app, hit, selection)]
      : pageEntries(app);
  openMenu(x, y, hit ? titleOf(hit) : "Timeline", tidy(entries));
}
