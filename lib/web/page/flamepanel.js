// SPDX-License-Identifier: BSD-3-Clause
// The panel with the flame graph of the selected area.

import { h, fill } from "./dom.js";
import { flameGraph } from "./flame.js";
import { scopeOf, scopeParameters, scopeTitle } from "./scope.js";
import { recall, remember } from "./nav.js";
import { LiveQuery } from "./live.js";
import { viewerURL } from "./api.js";

const KINDS = [
  ["cpu", "CPU samples", "Samples of the CPU profiler"],
  ["running", "Running", "Time on a proc, by the stack at which it ended"],
  ["wall", "Wall", "All time of goroutines, whatever their state"],
  [
    "offcpu",
    "Off-CPU",
    "Time waiting, and in system calls that gave up their proc, by the stack at which it began",
  ],
  ["waiting", "Waiting", "Time blocked, by the stack at which it began"],
  ["runnable", "Runnable", "Time between being woken and being run"],
  ["syscall", "Syscall", "Time in system calls"],
];
const ADDING = "Adding up …";
const PARTIAL =
  "There are too many spans to examine each one: the graph shows a sample of them. " +
  "A smaller area has all of them.";
const STORED = "gotrace.flame";

const NOTHING = {
  cpu:
    "No CPU samples here. A trace has them only if a CPU profile (pprof.StartCPUProfile or " +
    "/debug/pprof/profile) was running while it was recorded. “Running” shows the time on procs " +
    "without one.",
  running: "No goroutine ran here with a stack that is known.",
  wall: "No stack is known for the time in this selection.",
  offcpu: "No goroutine was off its proc here with a stack that is known.",
  waiting: "No goroutine was blocked here with a stack that is known.",
  runnable: "No goroutine had to wait for a proc here.",
  syscall: "No system calls were recorded here.",
};

export class FlamePanel {
  constructor(app) {
    this.app = app;
    const stored = recall(STORED);
    const usual = app.trace?.counts?.samples > 0 ? "cpu" : "running";
    this.kind = KINDS.some(([kind]) => kind === stored) ? stored : usual;
    this.build();
    this.live = new LiveQuery({
      query: () => this.address("api/flame"),
      show: (data) => this.show(data),
      fail: (error) => {
        this.message.textContent = `The flame graph could not be made: ${error.message}`;
      },
      busy: (busy) => this.element.setAttribute("aria-busy", String(busy)),
    });
    for (const event of ["state", "area", "trace"]) app.on(event, () => this.changed());
  }

  address(path) {
    return viewerURL(path, { kind: this.kind, ...scopeParameters(scopeOf(this.app)) });
  }

  build() {
    const option = ([kind, label, about]) =>
      h("option", { value: kind, title: about, selected: kind === this.kind }, label);
    this.select = h(
      "select",
      {
        class: "select",
        "aria-label": "What the widths mean",
        change: () => this.setKind(this.select.value),
      },
      KINDS.map(option),
    );
    this.about = h("span", { class: "muted flame-about" });
    this.pprof = h("a", { class: "button", download: "" }, "pprof");
    this.message = h("p", { class: "note", "aria-live": "polite" });
    this.holder = h("div", { class: "flame-holder" });
    this.element = h("div", { class: "flame-panel" }, this.message, this.holder);
    this.graph = flameGraph(this.holder, null, {
      empty: ADDING,
      entries: (name) => this.entries(name),
    });
    fill(this.graph.extra, this.pprof);
    this.graph.element.querySelector(".flame-tools").prepend(this.select);
    this.graph.element.querySelector(".flame-tools").append(this.about);
  }

  entries(name) {
    if (name.startsWith("[") || name.startsWith("(")) return [];
    return [
      { label: "Find on the timeline", run: () => this.app.run("search", `stack:"${name}"`) },
    ];
  }

  setKind(kind) {
    this.kind = kind;
    this.select.value = kind;
    remember(STORED, kind);
    this.graph.update(null, { empty: ADDING });
    this.changed();
  }

  setActive(active) {
    this.live.setActive(active);
    this.changed();
  }

  changed() {
    if (!this.live.active) return;
    this.pprof.href = this.address("api/flame.pprof");
    this.pprof.download = `${this.kind}.pprof`;
    this.about.textContent = scopeTitle(this.app, scopeOf(this.app));
    this.live.check(this.app.trace?.progress?.done);
  }

  show(data) {
    this.graph.update(data, { empty: NOTHING[this.kind], unit: data.unit });
    this.message.textContent = data.complete === false ? PARTIAL : "";
  }
}

/** The kinds, for the palette. */
export function flameKinds() {
  return KINDS.map(([kind, label]) => ({ kind, label }));
}
