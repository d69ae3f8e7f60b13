// SPDX-License-Identifier: BSD-3-Clause
// /mmu: the minimum mutator utilization, the share of time that the garbage collector leaves to the
// program.

import { messageOf } from "./api.js";
import { curlButton, curlCommand } from "./copy.js";
import { h, fill } from "./dom.js";
import { AddressTable, TIME_LIMIT, listField, numberOf, timeField } from "./address.js";
import { ask, askWithBar } from "./analysis.js";
import { MmuPlot } from "./mmuplot.js";
import { formatDuration, formatShare, formatTime } from "./format.js";
import { timelineAddress } from "./names.js";
import { PageAddress } from "./pagestate.js";

/** @type {[key: string, label: string, about: string][]} */
const INCLUDED = [
  ["stw", "Stop the world", "Times when all goroutines are stopped"],
  [
    "background",
    "Background workers",
    "The collector's own goroutines, which take a quarter of the procs",
  ],
  ["assist", "Mark assist", "Work that a goroutine does for the collector when it allocates"],
  ["sweep", "Sweep", "Reclaiming memory, which a goroutine does when it allocates"],
  [
    "exact",
    "Workers only while they work",
    "If off, as in go tool trace, which keeps counting a worker that has stopped",
  ],
];
const FIRST_SHOWN = 1e6;
const USUAL_FLAGS = ["stw", "background", "assist", "exact", "system", "mut"];

/**
 * The length of the window, in ns, or null if none was chosen.
 * @returns {import("./address.js").Field<number | null>}
 */
export function windowField() {
  return { ...timeField("window", "the window"), parse: (text) => numberOf(text, 1, TIME_LIMIT) };
}

const TABLE = new AddressTable({
  flags: {
    ...listField("flags", "what is included", (text) => (/^[a-z]{1,20}$/.test(text) ? text : null)),
    usual: USUAL_FLAGS,
  },
  window: windowField(),
});

/** @typedef {{ key: string, input: HTMLInputElement, element: HTMLElement }} Choice */

/**
 * @param {MmuWindow} window
 * @param {number} size
 */
function windowItem({ time, utilization }, size) {
  const [start, end] = [Math.floor(time), Math.ceil(time + size)];
  const address = timelineAddress({
    view: "proc",
    s: Math.max(0, Math.floor(start - size / 2)),
    e: Math.ceil(end + size / 2),
    area: `${Math.max(0, start)}-${end}`,
  });
  return h(
    "li",
    {},
    h("a", { href: address, title: "Show it on the timeline" }, formatTime(time)),
    h(
      "span",
      { class: "stacked", "aria-hidden": "true" },
      h("span", {
        style: { flexBasis: `${100 * utilization}%`, backgroundColor: "var(--class-running)" },
      }),
      h("span", {
        style: { flexBasis: `${100 * (1 - utilization)}%`, backgroundColor: "var(--class-gc)" },
      }),
    ),
    h("span", { class: "share" }, formatShare(utilization)),
  );
}

/**
 * A list of the worst windows of one length, with links to the timeline.
 * @param {MmuWindow[]} windows
 * @param {number} size
 */
export function worstWindows(windows, size) {
  return [
    h("h2", {}, `Worst windows of ${formatDuration(size)}`),
    windows.length === 0
      ? h("p", { class: "muted" }, "The collector took no time from any window.")
      : h(
          "ol",
          {},
          windows.map((each) => windowItem(each, size)),
        ),
  ];
}

class Mmu {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.asked = 0;
    this.picked = 0;
    this.address = new PageAddress(TABLE);
    /** @type {MmuFacts} */
    this.answer = { curve: [], percentiles: [] };
    this.boxes = INCLUDED.map(([key, label, about]) =>
      this.choice("checkbox", key, label, about, () => this.show()),
    );
    this.views = [
      this.choice(
        "radio",
        "system",
        "System",
        "Of all procs together: if one of four is taken, 75 % are left",
        () => this.show(),
      ),
      this.choice(
        "radio",
        "perproc",
        "Per goroutine",
        "Of each proc by itself: 0 while a goroutine is interrupted",
        () => this.show(),
      ),
    ];
    this.percentiles = this.choice(
      "checkbox",
      "mut",
      "Percentiles",
      "p99 leaves out the worst 1 % of windows",
      () => this.draw(),
    );
    this.plot = new MmuPlot((window) => this.pick(window));
    this.details = h("div", { class: "mmu-details", "aria-live": "polite" });
  }

  /**
   * @param {string} type
   * @param {string} key
   * @param {string} label
   * @param {string} about
   * @param {() => void} change
   */
  choice(type, key, label, about, change) {
    const input = h("input", {
      type,
      name: type === "radio" ? "view" : key,
      value: key,
      checked: this.address.state.flags.includes(key),
      change: () => {
        this.note();
        change();
      },
    });
    return { key, input, element: h("label", { class: "check", title: about }, input, label) };
  }

  flags() {
    return [...this.boxes, ...this.views]
      .filter((choice) => choice.input.checked)
      .map((choice) => choice.key)
      .join("|");
  }

  /** Stores what is chosen in the address. */
  note() {
    const chosen = [...this.boxes, ...this.views, this.percentiles].filter(
      (choice) => choice.input.checked,
    );
    this.address.set({ flags: chosen.map((choice) => choice.key) });
  }

  build() {
    const group = (/** @type {string} */ title, /** @type {Choice[]} */ choices) =>
      h(
        "fieldset",
        {},
        h("legend", {}, title),
        choices.map((choice) => choice.element),
      );
    fill(
      this.element,
      h("h1", {}, "Minimum mutator utilization"),
      h(
        "p",
        { class: "lead" },
        "For each window length, the smallest share of time that the garbage collector left to " +
          "the program in any window of that length.",
      ),
      h(
        "div",
        { class: "mmu" },
        this.plot.element,
        h(
          "div",
          { class: "mmu-side" },
          h(
            "div",
            { class: "mmu-options" },
            group("View", this.views),
            group("Include", this.boxes),
            group("Display", [this.percentiles]),
            curlButton("the curve", () => curlCommand("api/mmu", { flags: this.flags() })),
          ),
          this.details,
        ),
      ),
    );
  }

  async show() {
    const asked = ++this.asked;
    this.plot.element.setAttribute("aria-busy", "true");
    try {
      const answer = await ask("api/mmu", { flags: this.flags() });
      if (asked !== this.asked) return;
      this.answer = answer;
      this.draw();
      this.pickFirst();
    } catch (error) {
      if (asked === this.asked)
        fill(
          this.details,
          h("p", { class: "error" }, `This cannot be shown: ${messageOf(error)}.`),
        );
    } finally {
      if (asked === this.asked) this.plot.element.removeAttribute("aria-busy");
    }
  }

  draw() {
    this.plot.show(this.answer, this.percentiles.input.checked);
  }

  /** Picks a length of window when the page opens, so that it shows an example at once. */
  pickFirst() {
    const { curve } = this.answer;
    if (curve.length === 0) return fill(this.details);
    if (curve.every((point) => point[1] === 1))
      return fill(
        this.details,
        h("p", { class: "muted" }, "The collector took no time from the program in this trace."),
      );
    const longest = curve[curve.length - 1][0];
    return this.worst(Math.min(this.address.state.window ?? FIRST_SHOWN, longest));
  }

  /** @param {number} window */
  pick(window) {
    this.address.set({ window: Math.round(window) });
    return this.worst(window);
  }

  /** @param {number} length */
  async worst(length) {
    const picked = ++this.picked;
    const window = Math.round(length);
    this.plot.mark(window);
    try {
      const { windows } = await ask("api/mmu/worst", { window, flags: this.flags() });
      if (picked === this.picked) this.showWorst(windows, window);
    } catch (error) {
      if (picked === this.picked)
        fill(
          this.details,
          h("p", { class: "error" }, `This cannot be shown: ${messageOf(error)}.`),
        );
    }
  }

  /**
   * @param {MmuWindow[]} windows
   * @param {number} size
   */
  showWorst(windows, size) {
    fill(this.details, worstWindows(windows, size));
  }
}
/** @param {HTMLElement} element */
export async function mmuPage(element) {
  document.title = "MMU · gotrace";
  const page = new Mmu(element);
  await askWithBar(element, "api/mmu", { flags: page.flags() });
  page.build();
  return page.show();
}
