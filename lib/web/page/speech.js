// SPDX-License-Identifier: BSD-3-Clause
// Texts for screen readers, which cannot read the timeline's canvases. They describe the results of
// keys, such as the span that is selected and the range of time that is shown.

import { momentText } from "./amounts.js";
import { byId, debounced } from "./dom.js";
import { formatDuration, formatPlural } from "./format.js";

/** A change is the result of a key if it follows it within this time, in ms. */
const REACTION = 1500;
/** Movements are spoken of once they have come to rest. */
const REST = 400;

/** @type {Record<ViewName, string>} */
const VIEW_NAMES = { proc: "by proc", thread: "by thread", goroutine: "goroutines", task: "tasks" };

/** @type {Record<keyof Preferences, string>} */
const PREFERENCE_NAMES = {
  tooltips: "Tooltips",
  overlay: "Garbage collections",
  labels: "Names on bars",
  compact: "Compact rows",
  arrows: "All arrows",
};

export class Speech {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = byId("live");
    this.key = -Infinity;
    this.prefs = { ...app.prefs };
    this.sayRange = debounced(() => this.say(this.range()), REST);
    document.addEventListener("keydown", () => this.pressed(), { capture: true });
    app.on("state", (_, changed) => this.answersKey() && this.sayChange(changed));
    app.on("prefs", (prefs) => this.sayPreference(prefs));
  }

  pressed() {
    this.key = performance.now();
  }

  answersKey() {
    return performance.now() - this.key < REACTION;
  }

  /**
   * Says a sentence. A space is added to one that is repeated, since only changes are spoken.
   * @param {string} text
   */
  say(text) {
    this.element.textContent = this.element.textContent === text ? `${text}\u00a0` : text;
  }

  /** @param {StatePatch} changed */
  sayChange(changed) {
    const { state } = this.app;
    if (changed.view) this.say(`Rows: ${VIEW_NAMES[state.view]}`);
    if (changed.pin) this.say(formatPlural(state.pin.length, "pinned row"));
    if (changed.hide) this.say(formatPlural(state.hide.length, "hidden row"));
    if (changed.marks) this.say(this.marks());
    if (changed.notes) this.say(formatPlural(state.notes.length, "note"));
    if ("area" in changed) this.say(this.area());
    if ("s" in changed) this.sayRange();
  }

  /** @param {Preferences} prefs */
  sayPreference(prefs) {
    const names = /** @type {(keyof Preferences)[]} */ (Object.keys(PREFERENCE_NAMES));
    const name = names.find((each) => prefs[each] !== this.prefs[each]);
    this.prefs = { ...prefs };
    if (name) this.say(`${PREFERENCE_NAMES[name]}: ${prefs[name] ? "on" : "off"}`);
  }

  range() {
    const { app } = this;
    const { s, e } = app.view.target;
    if (app.whole) return `The whole trace, ${formatDuration(e - s)}`;
    return `${formatDuration(e - s)} from ${momentText(app, s)}`;
  }

  area() {
    const { area } = this.app.state;
    if (!area) return "No area";
    const length = formatDuration(area.end - area.start);
    return `Area of ${length} from ${momentText(this.app, area.start)}`;
  }

  marks() {
    const last = this.app.state.marks.at(-1);
    return last === undefined ? "No marks" : `Mark at ${momentText(this.app, last)}`;
  }
}
