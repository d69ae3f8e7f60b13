// SPDX-License-Identifier: BSD-3-Clause
// The tools above the timeline: views, filter, order, and what is shown.

import { CLASSES, classTitle, classVar } from "./colors.js";
import { debounced, fill, h } from "./dom.js";
import { formatCount } from "./format.js";
import { defaultSort } from "./rows.js";

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
const MOVES = new Set(["s", "e", "y"]);
const PAUSE = 180;

const element = (id) => document.getElementById(id);

function sortsOf(view) {
  if (view === "task") return SORTS.filter(([key]) => TASK_SORTS.has(key));
  return view === "goroutine" ? SORTS : SORTS.filter(([key]) => RUN_SORTS.has(key));
}

/** What is largest is wanted first of times, but the smallest of numbers and names. */
function startsDescending(sort) {
  return !["start", "id", "name", "parent"].includes(sort);
}

export class Toolbar {
  constructor(app) {
    this.app = app;
    this.sortsFor = null;
    this.listen();
    this.startLegend();
    app.on("state", (state, changed) => {
      if (!Object.keys(changed).every((name) => MOVES.has(name))) this.show();
    });
    app.on("prefs", () => this.show());
    app.on("rows", () => this.showCount());
  }

  listen() {
    const { app } = this;
    const filter = element("filter");
    const enter = debounced(() => app.set({ filter: filter.value.trim() }), PAUSE);
    filter.addEventListener("input", enter);
    filter.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "Enter") return;
      event.preventDefault();
      element("canvas").focus();
    });
    element("views").addEventListener("click", (event) =>
      this.view(event.target.closest("[data-view]")),
    );
    element("sort").addEventListener("change", (event) => {
      app.set({ sort: event.target.value, desc: startsDescending(event.target.value) });
      element("canvas").focus();
    });
    element("desc").addEventListener("click", () => app.set({ desc: !app.state.desc }));
    element("group").addEventListener("change", (event) =>
      app.set({ group: event.target.checked }),
    );
    element("fold").addEventListener("click", () =>
      app.rows.gaps.length > 0 ? app.rows.unfoldAll() : app.rows.foldAll().catch(app.report),
    );
    element("active").addEventListener("change", (event) =>
      app.set({ idle: !event.target.checked }),
    );
    element("tf").addEventListener("change", (event) => app.set({ tf: event.target.value }));
    element("show-all").addEventListener("click", () => app.run("show-all"));
    for (const button of document.querySelectorAll("#toggles [data-pref]")) {
      button.addEventListener("click", () => app.togglePref(button.dataset.pref));
    }
    for (const button of document.querySelectorAll("#top [data-run]")) {
      button.addEventListener("click", () => app.run(button.dataset.run));
    }
  }

  /** Closed by a click elsewhere or Escape, as any menu is. */
  startLegend() {
    const legend = element("legend");
    fill(
      legend.querySelector(".popover"),
      CLASSES.map((name) =>
        h(
          "div",
          { role: "listitem" },
          h("i", { class: "swatch", style: { background: classVar(name) } }),
          classTitle(name),
        ),
      ),
    );
    document.addEventListener("pointerdown", (event) => {
      if (!legend.contains(event.target)) legend.open = false;
    });
    legend.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      legend.open = false;
    });
  }

  /** An order of times of goroutines means nothing for tasks. */
  view(button) {
    if (!button) return;
    const { app } = this;
    const { view } = button.dataset;
    const kept = sortsOf(view).some(([key]) => key === app.state.sort);
    app.set(kept ? { view } : { view, sort: "", desc: false });
  }

  show() {
    const { state, prefs } = this.app;
    for (const button of document.querySelectorAll("#views [data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === state.view));
    }
    for (const button of document.querySelectorAll("#toggles [data-pref]")) {
      button.setAttribute("aria-pressed", String(prefs[button.dataset.pref]));
    }
    if (document.activeElement !== element("filter")) element("filter").value = state.filter;
    this.showSort(state);
    element("group").checked = state.group;
    element("group").closest("label").hidden = state.view !== "goroutine";
    element("fold").hidden = !state.group || state.view !== "goroutine";
    element("active").checked = !state.idle;
    element("tf").value = state.tf;
    this.showHidden(state);
  }

  showSort(state) {
    const select = element("sort");
    if (this.sortsFor !== state.view) {
      this.sortsFor = state.view;
      select.replaceChildren(...sortsOf(state.view).map(([key, title]) => new Option(title, key)));
    }
    select.value = state.sort || defaultSort(state.view);
    const turn = element("desc");
    turn.textContent = state.desc ? "↓" : "↑";
    turn.title = state.desc ? "Descending" : "Ascending";
    turn.setAttribute("aria-pressed", String(state.desc));
  }

  showHidden(state) {
    const count = state.hide.filter((name) => name.startsWith(`${state.view}:`)).length;
    const button = element("show-all");
    button.hidden = count === 0;
    button.textContent = `Show ${count} hidden`;
  }

  showCount() {
    const { rows, state } = this.app;
    if (!rows.known) return;
    const count = formatCount(rows.listed);
    element("row-count").textContent = `${count} ${rows.listed === 1 ? "row" : "rows"}`;
    element("rows-empty").textContent = state.filter
      ? `No row matches “${state.filter}”.`
      : this.nothing(state.view);
  }

  nothing(view) {
    if (view === "task")
      return "This trace has no user tasks. They are made by runtime/trace.NewTask.";
    return this.app.trace.progress.done
      ? "There is nothing to show."
      : "Nothing has been read yet.";
  }
}
