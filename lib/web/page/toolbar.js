// SPDX-License-Identifier: BSD-3-Clause
// The tools above the timeline: the view, the filter, the order, and what is shown.

import { CLASSES, classTitle } from "./colors.js";
import { byId, debounced, fill, findIn, h } from "./dom.js";
import { formatCount, formatPlural } from "./format.js";
import { PREFERENCES } from "./prefs.js";
import { defaultSort } from "./rows.js";
import { VIEWS } from "./state.js";
import { swatch } from "./swatch.js";

const SORTS = [
  ["start", "Start"],
  ["id", "Number"],
  ["name", "Name"],
  ["duration", "Lifetime"],
  ["parent", "Creator (tree)"],
  ["running", "Running"],
  ["runnable", "Runnable"],
  ["syscall", "System calls"],
  ["syscall_blocked", "Blocked in system calls"],
  ["waiting", "Waiting"],
  ["wait_chan", "Waiting: channel"],
  ["wait_sync", "Waiting: sync"],
  ["wait_net", "Waiting: network"],
  ["wait_sleep", "Sleeping"],
  ["wait_gc", "Waiting: GC"],
];
const TASK_SORTS = new Set(["start", "id", "name", "duration", "parent"]);
const RUN_SORTS = new Set(["id", "start", "running", "syscall"]);
const MOVES = new Set(["s", "e", "y", "pinY"]);
const PAUSE = 180;

/** @param {ViewName} view */
function sortsOf(view) {
  if (view === "task") return SORTS.filter(([key]) => TASK_SORTS.has(key));
  return view === "goroutine" ? SORTS : SORTS.filter(([key]) => RUN_SORTS.has(key));
}

/**
 * Whether an order begins with the largest value: times do, numbers and names do not.
 * @param {string} sort
 */
function startsDescending(sort) {
  return !["start", "id", "name", "parent"].includes(sort);
}

export class Toolbar {
  filter = byId("filter", HTMLInputElement);
  sort = byId("sort", HTMLSelectElement);
  group = byId("group", HTMLInputElement);
  active = byId("active", HTMLInputElement);
  format = byId("tf", HTMLSelectElement);
  /** @type {Map<ViewName, HTMLElement>} */
  viewButtons = new Map();
  /** @type {Map<keyof Preferences, HTMLElement>} */
  toggles = new Map();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {ViewName | null} */
    this.sortsFor = null;
    this.listen();
    this.startLegend();
    app.on("state", (_, changed) => {
      if (!Object.keys(changed).every((name) => MOVES.has(name))) this.show();
    });
    app.on("prefs", () => this.show());
    app.on("rows", () => this.showCount());
  }

  listen() {
    const { app, filter, sort, group, active, format } = this;
    const enter = debounced(() => app.set({ filter: filter.value.trim() }), PAUSE);
    filter.addEventListener("input", enter);
    filter.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "Enter") return;
      event.preventDefault();
      byId("canvas").focus();
    });
    for (const view of VIEWS) {
      const button = findIn(document, `#views [data-view=${view}]`, HTMLButtonElement);
      this.viewButtons.set(view, button);
      button.addEventListener("click", () => this.chooseView(view));
    }
    sort.addEventListener("change", () => {
      app.set({ sort: sort.value, desc: startsDescending(sort.value) });
      byId("canvas").focus();
    });
    byId("desc").addEventListener("click", () => app.set({ desc: !app.state.desc }));
    group.addEventListener("change", () => app.set({ group: group.checked }));
    byId("fold").addEventListener("click", () =>
      app.rows.gaps.length > 0 ? app.rows.unfoldAll() : app.rows.foldAll().catch(app.report),
    );
    byId("only").addEventListener("change", () => app.run("pins-only"));
    active.addEventListener("change", () => app.set({ idle: !active.checked }));
    format.addEventListener("change", () => app.set({ tf: format.value }));
    byId("show-all").addEventListener("click", () => app.run("show-all"));
    for (const name of PREFERENCES) {
      const button = findIn(document, `#toggles [data-pref=${name}]`, HTMLButtonElement);
      this.toggles.set(name, button);
      button.addEventListener("click", () => app.togglePref(name));
    }
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = document.querySelectorAll("#top [data-run]");
    for (const button of buttons) {
      button.addEventListener("click", () => app.run(button.dataset.run ?? ""));
    }
  }

  /** Fills the legend. A click elsewhere or Escape closes it, like a menu. */
  startLegend() {
    const legend = byId("legend", HTMLDetailsElement);
    fill(
      findIn(legend, ".popover", HTMLElement),
      CLASSES.map((name) => h("div", { role: "listitem" }, swatch(name), classTitle(name))),
    );
    document.addEventListener("pointerdown", (event) => {
      if (event.target instanceof Node && !legend.contains(event.target)) legend.open = false;
    });
    legend.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      legend.open = false;
    });
  }

  /**
   * Shows another view. An order that only goroutines have is dropped for the others.
   * @param {ViewName} view
   */
  chooseView(view) {
    const { app } = this;
    const kept = sortsOf(view).some(([key]) => key === app.state.sort);
    app.set({ view, tree: null, ...(!kept && { sort: "", desc: false }) });
  }

  show() {
    const { state, prefs } = this.app;
    for (const [view, button] of this.viewButtons) {
      button.setAttribute("aria-pressed", String(view === state.view));
    }
    for (const [name, button] of this.toggles) {
      button.setAttribute("aria-pressed", String(prefs[name]));
    }
    if (document.activeElement !== this.filter) this.filter.value = state.filter;
    this.showSort(state);
    const goroutines = state.view === "goroutine";
    this.group.checked = state.group;
    this.group.closest("label")?.toggleAttribute("hidden", !goroutines);
    byId("fold").hidden = !state.group || !goroutines;
    this.active.checked = !state.idle;
    const only = byId("only", HTMLInputElement);
    only.checked = state.only;
    only.closest("label")?.toggleAttribute("hidden", this.app.rows.pinNames().length === 0);
    this.format.value = state.tf;
    this.showTree();
    this.showHidden(state);
    this.showCount();
  }

  /** @param {TimelineState} state */
  showSort(state) {
    const select = this.sort;
    if (this.sortsFor !== state.view) {
      this.sortsFor = state.view;
      select.replaceChildren(...sortsOf(state.view).map(([key, title]) => new Option(title, key)));
    }
    select.value = state.sort || defaultSort(state.view);
    const turn = byId("desc");
    turn.textContent = state.desc ? "↓" : "↑";
    turn.title = state.desc ? "Descending" : "Ascending";
    turn.setAttribute("aria-pressed", String(state.desc));
  }

  /** Says which task is shown as a tree. Its rows have an order of their own. */
  showTree() {
    const { tree } = this.app.rows;
    const close = byId("tree-close");
    close.hidden = tree === null;
    close.textContent = `Tree of task ${tree} ✕`;
    for (const each of [this.sort.closest("label"), byId("desc")])
      each?.toggleAttribute("hidden", tree !== null);
  }

  /** @param {TimelineState} state */
  showHidden(state) {
    const { rows } = this.app;
    const count = state.hide.filter((name) => rows.lists(name.split(":")[0])).length;
    const button = byId("show-all");
    button.hidden = count === 0;
    button.textContent = `Show ${formatCount(count)} hidden`;
  }

  showCount() {
    const { rows, state } = this.app;
    if (rows.analysed !== null)
      byId("row-count").textContent = `Analysing… ${Math.round(rows.analysed * 100)} %`;
    if (!rows.known) return;
    const pinned = rows.pinNames().length;
    const count = formatPlural(rows.listed, "row");
    byId("row-count").textContent = rows.arePinsAlone
      ? `${pinned} of ${count}`
      : pinned > 0
        ? `${count}, ${pinned} pinned`
        : count;
    byId("rows-empty").textContent = state.filter
      ? `No row matches “${state.filter}”.`
      : this.nothing(state.view);
  }

  /** @param {ViewName} view */
  nothing(view) {
    if (view === "task")
      return "This trace has no user tasks. They are created with runtime/trace.NewTask.";
    return this.app.trace.progress.done
      ? "There is nothing to show."
      : "Nothing has been read yet.";
  }
}
