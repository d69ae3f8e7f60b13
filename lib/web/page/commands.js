// SPDX-License-Identifier: BSD-3-Clause
// The commands of the timeline page, for the command palette and for keys.

import { registerCommands } from "./palette.js";
import { copyCurl, copyLink, curlCommand } from "./copy.js";
import { pageCommands } from "./pagecommands.js";
import { jsonParameters, openAreaInPerfetto, savePNG, saveSVG, saveTrace } from "./export.js";
import { flameKinds } from "./flamepanel.js";
import { perfettoAddress } from "./perfetto.js";
import { scopeOf, scopeParameters } from "./scope.js";
import { whySelected } from "./why.js";

/** @typedef {import("./panels.js").Panels} Panels */
/** @typedef {{ openHelp: () => void, openPalette: (typed?: string) => void }} Overlays */

/** The canvas's commands: the name of the action, the group, the title and the keys. */
const CANVAS = [
  ["zoom-in", "Navigate", "Zoom in", "W"],
  ["zoom-out", "Navigate", "Zoom out", "S"],
  ["pan-left", "Navigate", "Pan left", "A"],
  ["pan-right", "Navigate", "Pan right", "D"],
  ["fit", "Navigate", "Zoom to the selection", "F"],
  ["home", "Navigate", "Show the whole trace", "0"],
  ["live", "Navigate", "Follow the newest part of a recording, or not", "V"],
  ["live-pause", "Navigate", "Pause drawing a recording, or continue", "Shift+V"],
  ["live-stop", "Navigate", "End the recording", ""],
  ["undo", "Navigate", "Undo navigation", "Ctrl+Z"],
  ["redo", "Navigate", "Redo navigation", "Ctrl+Y"],
  ["previous", "Select", "Previous span on the row", ","],
  ["next", "Select", "Next span on the row", "."],
  ["up", "Select", "Row above", "↑"],
  ["down", "Select", "Row below", "↓"],
  ["follow-back", "Select", "Follow the arrow back: what led to this", "["],
  ["follow-forth", "Select", "Follow the arrow on: what it led to", "]"],
  ["area-of-selection", "Select", "Make the selected span the area", "R"],
  ["mark", "Select", "Set a mark to measure from", "M"],
  ["clear-marks", "Select", "Clear all marks", "Shift+M"],
  ["note", "Select", "Add a note", "N"],
  ["view-proc", "View", "By proc", "1"],
  ["view-thread", "View", "By thread", "2"],
  ["view-goroutine", "View", "By goroutine", "3"],
  ["view-task", "View", "By task", "4"],
  ["compact", "Toggle", "Compact rows", "C"],
  ["labels", "Toggle", "Names on the bars", "L"],
  ["overlay", "Toggle", "Garbage collection over all rows", "O"],
  ["tooltips", "Toggle", "Tooltips", "T"],
  ["arrows", "Toggle", "All arrows", "E"],
  ["tree", "Rows", "Unfold the task as a tree, or fold it", "U"],
  ["tree-close", "Rows", "Leave the tree of a task", "Shift+U"],
  ["pin", "Rows", "Pin or unpin the row", "P"],
  ["pins-only", "Rows", "Show only pinned rows, or all", "Shift+P"],
  ["hide", "Rows", "Hide the row", "H"],
  ["show-all", "Rows", "Show hidden rows", "Shift+H"],
];

const SORTS = [
  ["start", "start"],
  ["id", "number"],
  ["name", "name"],
  ["duration", "duration"],
  ["parent", "creator (tree)"],
  ["running", "time running"],
  ["runnable", "time runnable"],
  ["waiting", "time waiting"],
  ["syscall", "time in system calls"],
];

const TIMES = [
  ["rel", "relative to the origin"],
  ["start", "since the start of the trace"],
  ["utc", "UTC"],
];

/** @param {App} app */
function canvasCommands(app) {
  return CANVAS.map(([name, group, title, keys]) => ({
    id: name,
    group,
    title,
    keys,
    run: () => app.run(name),
    when: () => app.actions.has(name),
  }));
}

/**
 * The visible range. The view may extend beyond the ends of the trace, the area may not.
 * @param {App} app
 */
function visibleArea(app) {
  const { s, e } = app.state;
  return {
    start: Math.max(0, Math.floor(s)),
    end: Math.min(app.trace.duration, Math.ceil(e)),
    tracks: null,
  };
}

/**
 * @param {string} id
 * @param {string} group
 * @param {string} title
 * @param {Command["run"]} run
 * @param {Partial<Command>} [more]
 */
function command(id, group, title, run, more = {}) {
  return { id, group, title, run, ...more };
}

/** @param {App} app */
function rowCommands(app) {
  const { state } = app;
  return [
    ...SORTS.map(([key, title]) =>
      command(`sort-${key}`, "Rows", `Sort by ${title}`, () => app.set({ sort: key })),
    ),
    command("sort-turn", "Rows", "Reverse the order", () => app.set({ desc: !state.desc })),
    command("group", "Rows", "Group by start function", () => app.set({ group: !state.group })),
    command("filter-clear", "Rows", "Clear the filter", () => app.set({ filter: "" }), {
      when: () => state.filter !== "",
    }),
    command("area-view", "Select", "Make the visible range the area", () =>
      app.set({ area: visibleArea(app) }),
    ),
    command("area-clear", "Select", "Clear the area", () => app.set({ area: null }), {
      when: () => state.area !== null,
    }),
    ...TIMES.map(([key, title]) =>
      command(`time-${key}`, "Time", `Show times ${title}`, () => app.set({ tf: key })),
    ),
  ];
}

/** @param {Panels} panels */
function panelCommands(panels) {
  const { detail } = panels;
  const flame = (/** @type {string} */ kind) => {
    panels.flame.setKind(kind);
    panels.show("flame");
  };
  return [
    ...panels.tabs.map(({ key, label }) =>
      command(`tab-${key}`, "Panel", label, () => panels.show(key)),
    ),
    command("dock", "Panel", "Dock on the other side", () => panels.toggleDock()),
    command("back", "Select", "Back to the previous selection", () => detail.visit(-1), {
      keys: "<",
    }),
    command("forward", "Select", "Forward through the selections", () => detail.visit(1), {
      keys: ">",
    }),
    ...flameKinds().map(({ kind, label }) =>
      command(`flame-${kind}`, "Flame graph", label, () => flame(kind)),
    ),
  ];
}

/** @param {App} app */
function exportCommands(app) {
  return [
    command("export-png", "Export", "Picture of the timeline as PNG", () => savePNG(app)),
    command("export-svg", "Export", "Picture of the timeline as SVG", () => saveSVG(app)),
    command("export-trace", "Export", "Area or visible range as a trace", () => saveTrace(app)),
    command(
      "export-perfetto",
      "Export",
      "Open the area or visible range in Perfetto",
      () => openAreaInPerfetto(app),
      { when: () => perfettoAddress(app) !== null },
    ),
  ];
}

/**
 * The command that fetches what the panel shows or, if it is hidden or shows nothing, the visible
 * part of the timeline.
 * @param {App} app
 * @param {Panels} panels
 */
function shownCurl(app, { flame, search, why }) {
  const { selection, state } = app;
  const scope = scopeOf(app);
  const tab = state.panel ? state.tab : "";
  if (tab === "area") return curlCommand("api/area", scopeParameters(scope));
  if (tab === "flame") return curlCommand("api/flame", flame.query());
  if (tab === "why" && state.why !== "") return curlCommand("api/why", why.query() ?? {});
  if (tab === "search" && state.q !== "") return curlCommand("api/search", search.query());
  if (tab === "details" && selection) {
    const { track, index } = selection;
    return curlCommand("api/span", { track, index });
  }
  return curlCommand("jsontrace", jsonParameters(app, scope), "timeline.json");
}

/**
 * The panels' commands, which keys run by their id.
 * @param {App} app
 * @param {Panels} panels
 * @param {Overlays} overlays
 */
function ownActions(app, panels, overlays) {
  const { search } = panels;
  const say = (/** @type {string} */ text) => app.status.say(text);
  const copyShown = () => copyCurl(shownCurl(app, panels), say);
  return [
    command("search", "Find", "Search", (text) => search.focus(text), { keys: "/" }),
    command("goto", "Find", "Go to a goroutine", () => search.focus("g"), { keys: "G" }),
    command("search-next", "Find", "Next result", () => search.step(1), { keys: "Enter" }),
    command("search-previous", "Find", "Previous result", () => search.step(-1), {
      keys: "Shift+Enter",
    }),
    command(
      "why",
      "Select",
      "Why? What the selected span or the area waited for",
      () => whySelected(app),
      {
        keys: "B",
      },
    ),
    command("panel", "Panel", "Show or hide the panel", () => panels.toggle(), { keys: "Q" }),
    command("help", "Help", "All keys", () => overlays.openHelp(), { keys: "?" }),
    command("palette", "Help", "Command palette", (text) => overlays.openPalette(text), {
      keys: "Ctrl+Shift+P",
    }),
    command("copy-link", "Copy", "Link to what is shown", () => copyLink(app.link(), say), {
      keys: "Y",
    }),
    command("copy-curl", "Copy", "As curl: the command that fetches this", copyShown, {
      keys: "Shift+Y",
    }),
  ];
}

/**
 * Registers all commands in the palette, and those of the panels as actions of the timeline.
 * @param {App} app
 * @param {Panels} panels
 * @param {Overlays} overlays
 */
export function registerAll(app, panels, overlays) {
  const own = ownActions(app, panels, overlays);
  for (const { id, run } of own) app.actions.set(id, run);
  app.actions.set("compare", () => panels.show("compare"));
  app.actions.set("show-why", () => panels.show("why"));
  registerCommands([
    ...own,
    ...canvasCommands(app),
    ...panelCommands(panels),
    ...rowCommands(app),
    ...exportCommands(app),
    ...pageCommands(),
  ]);
}
