// SPDX-License-Identifier: BSD-3-Clause
// The panel with the flame graph of the selected area.

import { h, fill } from "./dom.js";
import { curlButton, curlCommand } from "./copy.js";
import { flameGraph } from "./flame.js";
import { scopeOf, scopeParameters, scopeTitle } from "./scope.js";
import { estimateNote } from "./amounts.js";
import { appSorts } from "./grid.js";
import { recall, remember } from "./nav.js";
import { LiveQuery } from "./live.js";
import { messageOf, viewerURL } from "./api.js";
import { FLAME_KINDS } from "./state.js";

const ADDING = "Computing …";
const STORED = "gotrace.flame";

/** @type {Record<string, string>} */
const NOTHING = {
  cpu:
    "No CPU samples here. A trace has them only if a CPU profile (pprof.StartCPUProfile or " +
    "/debug/pprof/profile) was running while it was recorded. “Running” shows the time on " +
    "procs without one.",
  running: "No goroutine with a known stack ran here.",
  wall: "No stack is known for the time in this selection.",
  offcpu: "No goroutine with a known stack was off its proc here.",
  waiting: "No goroutine with a known stack was blocked here.",
  runnable: "No goroutine had to wait for a proc here.",
  syscall: "No system calls were recorded here.",
};

export class FlamePanel {
  select = h(
    "select",
    { class: "select", "aria-label": "What the widths mean" },
    FLAME_KINDS.map(([kind, label, about]) => h("option", { value: kind, title: about }, label)),
  );
  about = h("span", { class: "muted flame-about" });
  pprof = h("a", { class: "button", download: "" }, "pprof");
  message = h("p", { class: "note", "aria-live": "polite" });
  holder = h("div", { class: "flame-holder" });
  element = h("div", { class: "flame-panel" }, this.message, this.holder);

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const stored = recall(STORED);
    const usual = app.trace.counts.samples > 0 ? "cpu" : "running";
    const known = FLAME_KINDS.find(([kind]) => kind === stored)?.[0];
    app.state.kind ??= known ?? usual;
    this.graph = flameGraph(this.holder, null, {
      empty: ADDING,
      entries: (name) => this.entries(name),
      look: () => app.state,
      onLook: (patch) => app.set(patch, { push: false }),
      sorts: appSorts(app),
    });
    const curl = curlButton("this graph", () => curlCommand("api/flame", this.query()));
    fill(this.graph.extra, this.pprof, curl);
    this.graph.tools.prepend(this.select);
    this.graph.tools.append(this.about);
    this.select.value = this.kind;
    this.select.addEventListener("change", () => this.setKind(this.select.value));
    this.live = new LiveQuery({
      path: "api/flame",
      query: () => ({ ...this.query(), rough: 1 }),
      refine: (data) => (data.approximate ? { rough: null } : null),
      show: (data) => this.show(data),
      fail: (error) => {
        this.message.textContent = `The flame graph could not be computed: ${messageOf(error)}`;
      },
      busy: (busy) => this.element.setAttribute("aria-busy", String(busy)),
    });
    app.on("state", () => this.changed());
    app.on("area", () => this.changed());
    app.on("trace", () => this.changed());
  }

  query() {
    const lines = this.app.state.flame.split(",").includes("lines") ? 1 : null;
    return { kind: this.kind, lines, ...scopeParameters(scopeOf(this.app)) };
  }

  /** @param {string} name */
  entries(name) {
    if (name.startsWith("[") || name.startsWith("(")) return [];
    return [
      { label: "Find on the timeline", run: () => this.app.run("search", `stack:"${name}"`) },
    ];
  }

  /** @param {string} kind */
  setKind(kind) {
    remember(STORED, kind);
    this.graph.update(null, { empty: ADDING });
    this.app.set({ kind }, { push: false });
  }

  get kind() {
    return this.app.state.kind ?? "running";
  }

  /** @param {boolean} active */
  setActive(active) {
    this.live.setActive(active);
    this.changed();
  }

  changed() {
    if (!this.live.active) return;
    this.graph.follow();
    this.select.value = this.kind;
    this.pprof.href = viewerURL("api/flame.pprof", this.query());
    this.pprof.download = `${this.kind}.pprof`;
    this.about.textContent = scopeTitle(scopeOf(this.app));
    this.live.check(this.app.trace?.progress?.done);
  }

  /** @param {FlameFacts} data */
  show(data) {
    this.graph.update(data, { empty: NOTHING[this.kind], unit: data.unit });
    this.message.textContent = estimateNote(data.approximate, data.spans);
  }
}

/** The kinds of flame graphs, for the command palette. */
export function flameKinds() {
  return FLAME_KINDS.map(([kind, label]) => ({ kind, label }));
}
