// SPDX-License-Identifier: BSD-3-Clause
// Two timelines below each other, zoomed together: what is shown in one is shown in the other.

import { button, debounced, fill, h } from "./dom.js";
import { VIEWS } from "./state.js";

/** @typedef {import("./companion.js").Shown} Shown */
/** @typedef {import("./companion.js").Asked} Asked */
/** @typedef {{ title: string, name: string, path: string }} Timeline */

const PAUSE = 250;
/** @type {Record<ViewName, string>} */
const TITLES = { proc: "By proc", thread: "By thread", goroutine: "Goroutines", task: "Tasks" };

class Frame {
  duration = 0;
  name = h("span", { class: "muted" });
  open = h("a", { class: "button small", href: "./" }, "Open");
  frame = h("iframe", { class: "companion", loading: "lazy" });
  /** @type {Timeline | null} */
  timeline = null;

  /** @param {string} title */
  constructor(title) {
    this.title = title;
    this.element = h(
      "div",
      { class: "compare-time" },
      h("header", {}, h("h3", {}, title), this.name, h("span", { class: "spring" }), this.open),
      this.frame,
    );
  }

  /**
   * Loads a timeline, unless it is there.
   * @param {Timeline} timeline
   * @param {string} query
   */
  load(timeline, query) {
    if (this.timeline?.path === timeline.path) return;
    this.timeline = timeline;
    this.duration = 0;
    this.name.textContent = timeline.name;
    this.open.href = timeline.path;
    this.frame.title = `Timeline ${this.title.toLowerCase()}: ${timeline.name}`;
    this.frame.src = `${timeline.path}trace?${query}`;
  }

  /** @param {Asked} message */
  tell(message) {
    this.frame.contentWindow?.postMessage(message, location.origin);
  }
}

export class CompareTimes {
  frames = [new Frame("Before"), new Frame("After")];
  /** @type {Partial<Shown>} */
  shown = {};
  filter = h("input", {
    type: "search",
    class: "field",
    placeholder: "Filter rows",
    "aria-label": "Filter the rows of both timelines",
    autocomplete: "off",
    spellcheck: "false",
  });
  views = h("span", { class: "segmented", role: "group", "aria-label": "View of both timelines" });

  /**
   * @param {Partial<Shown>} shown what the address says
   * @param {(shown: Shown) => void} onShown
   */
  constructor(shown, onShown) {
    this.shown = shown;
    this.onShown = onShown;
    fill(
      this.views,
      VIEWS.map((view) => button(TITLES[view], () => this.move({ view }), { data: { view } })),
    );
    const enter = debounced(() => this.move({ filter: this.filter.value.trim() }), PAUSE);
    this.filter.addEventListener("input", enter);
    this.element = h(
      "section",
      { class: "compare-part compare-times", "aria-label": "Timelines" },
      h("h2", {}, "Timelines, zoomed together"),
      h(
        "div",
        { class: "tools" },
        this.views,
        this.filter,
        button("Whole traces", () => this.move({ whole: true })),
      ),
      this.frames.map(({ element }) => element),
    );
    addEventListener("message", (event) => this.onMessage(event));
    this.showTools();
  }

  /** @param {[Timeline, Timeline]} timelines */
  show(timelines) {
    const { s, e, whole, view = "proc", filter = "" } = this.shown;
    const query = new URLSearchParams({ view, filter, panel: "0" });
    if (!whole && s !== undefined && e !== undefined) {
      query.set("s", String(s));
      query.set("e", String(e));
    }
    this.frames.forEach((frame, i) => frame.load(timelines[i], query.toString()));
  }

  /**
   * Changes what both timelines show.
   * @param {Partial<Shown>} change
   */
  move(change) {
    this.note(change);
    for (const frame of this.frames) frame.tell({ gotrace: "move", shown: change });
  }

  /** @param {Partial<Shown>} change */
  note(change) {
    this.shown = { whole: true, s: 0, e: 1, view: "proc", filter: "", ...this.shown, ...change };
    this.showTools();
    this.onShown(/** @type {Shown} */ (this.shown));
  }

  showTools() {
    const { view = "proc", filter = "" } = this.shown;
    for (const each of this.views.children)
      each.setAttribute(
        "aria-pressed",
        String(/** @type {HTMLElement} */ (each).dataset.view === view),
      );
    if (document.activeElement !== this.filter) this.filter.value = filter;
  }

  /** @param {MessageEvent} event */
  onMessage({ origin, source, data }) {
    const from = this.frames.find(({ frame }) => frame.contentWindow === source);
    if (origin !== location.origin || !from) return;
    const message = /** @type {import("./companion.js").Told} */ (data);
    if (message?.gotrace === "ready") this.onReady(from, message.duration);
    if (message?.gotrace === "moved") this.onMoved(from, message.shown);
  }

  /**
   * @param {Frame} from
   * @param {number} duration
   */
  onReady(from, duration) {
    from.duration = duration;
    const extent = Math.max(...this.frames.map((each) => each.duration));
    for (const frame of this.frames) frame.tell({ gotrace: "extent", extent });
    from.tell({ gotrace: "move", shown: this.shown });
  }

  /**
   * @param {Frame} from
   * @param {Shown} shown
   */
  onMoved(from, shown) {
    this.note(shown);
    for (const frame of this.frames) if (frame !== from) frame.tell({ gotrace: "move", shown });
  }
}
