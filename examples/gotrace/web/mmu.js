// SPDX-License-Identifier: BSD-3-Clause
// /mmu: how much of any stretch of time the garbage collector leaves to the program.

import { h, fill } from "./dom.js";
import { ask, askWithBar } from "./analysis.js";
import { mmuPlot } from "./mmuplot.js";
import { formatDuration, formatShare, formatTime } from "./format.js";

const INCLUDED = [
  ["stw", "Stop the world", true, "Times when all goroutines are stopped"],
  ["background", "Background workers", true, "Goroutines of the collector's, which take a quarter of the procs"],
  ["assist", "Mark assist", true, "Work that a goroutine does for the collector when it allocates"],
  ["sweep", "Sweep", false, "Taking back memory between collections"],
];

class Mmu {
  constructor(element) {
    this.element = element;
    this.asked = 0;
    this.boxes = INCLUDED.map(([key, label, on, about]) => this.choice("checkbox", key, label, on, about));
    this.views = [
      this.choice("radio", "system", "System", true, "Of all procs: with one of four taken, 25 % less"),
      this.choice("radio", "perproc", "Per goroutine", false, "0 as soon as one goroutine is interrupted"),
    ];
    this.percentiles = this.choice("checkbox", "mut", "Show percentiles", false, "p99 leaves out the worst 1 % of windows");
    this.plot = h("div", { class: "mmu-plot" });
    this.details = h("div", { class: "mmu-details" }, h("p", { class: "muted" }, "Select a point of the curve for the worst windows of that size."));
  }

  choice(type, key, label, checked, about) {
    const input = h("input", { type, name: type === "radio" ? "view" : key, value: key, checked, change: () => this.show() });
    return { key, input, element: h("label", { title: about }, input, ` ${label}`) };
  }

  flags() {
    const on = [...this.boxes, ...this.views].filter((choice) => choice.input.checked).map((choice) => choice.key);
    return on.filter((key) => key !== "system").join("|");
  }

  build() {
    const group = (title, choices) => h("fieldset", {}, h("legend", {}, title), choices.map((choice) => choice.element));
    fill(this.element, h("h1", {}, "Minimum mutator utilization"),
      h("p", { class: "lead" }, "For each length of time: the least share of it that was left to the program in any window of that length."),
      h("div", { class: "mmu" }, this.plot, h("div", { class: "mmu-options" }, group("View", this.views), group("Include", this.boxes), group("Display", [this.percentiles]))),
      this.details);
  }

  async show() {
    const asked = ++this.asked;
    const answer = await ask(`/api/mmu?${new URLSearchParams({ flags: this.flags() })}`);
    if (asked !== this.asked) return;
    fill(this.plot, mmuPlot(answer, { percentiles: this.percentiles.input.checked, pick: (window) => this.worst(window) }));
  }

  async worst(window) {
    const query = new URLSearchParams({ window: Math.round(window), flags: this.flags() });
    const { windows } = await ask(`/api/mmu/worst?${query}`);
    fill(this.details, h("h2", {}, `Worst windows of ${formatDuration(window)}`),
      h("ol", { class: "plain" }, windows.map(({ time, utilization }) => h("li", {},
        h("a", { href: `/?${new URLSearchParams({ s: Math.floor(time), e: Math.ceil(time + window) })}` }, formatTime(time)),
        ` ${formatShare(utilization)} left`))));
  }
}

export async function mmuPage(element) {
  document.title = "MMU · gotrace";
  const page = new Mmu(element);
  await askWithBar(element, `/api/mmu?${new URLSearchParams({ flags: page.flags() })}`);
  page.build();
  return page.show();
}
