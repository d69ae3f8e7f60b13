// SPDX-License-Identifier: BSD-3-Clause
// The timeline as one of two in a page that compares traces: what one shows, the other one shows
// too. The page around the frames passes the messages on; see comparetimes.js.

import { place } from "./place.js";

/**
 * What both timelines show: a range, or the whole trace, and the rows.
 * @typedef {{ s: number, e: number, whole: boolean, view: ViewName, filter: string }} Shown
 */

/**
 * What a timeline tells the page around it.
 * @typedef {{ gotrace: "ready", duration: number } | { gotrace: "moved", shown: Shown }} Told
 */

/**
 * What the page tells a timeline. The extent is the duration of the longest trace, so that a time
 * has the same place in both timelines.
 * @typedef {{ gotrace: "extent", extent: number } |
 *   { gotrace: "move", shown: Partial<Shown> }} Asked
 */

/** Whether this document is a frame of a page of the viewer that compares traces. */
function isCompanion() {
  // Of a page of another site the element is not known.
  return place.hasServer && window.frameElement?.classList.contains("companion") === true;
}

/** @param {App} app */
function shownBy(app) {
  const { s, e, view, filter } = app.state;
  return { s: s ?? 0, e: e ?? app.view.whole, whole: app.whole, view, filter };
}

class Companion {
  /** The other timeline's change is being made here, so that it is not told again. */
  isFollowing = false;
  told = "";
  duration = 0;
  /** The page has answered, so that it knows this timeline, and what the other one shows. */
  isKnown = false;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    document.body.classList.add("is-companion");
    addEventListener("message", (event) => this.onMessage(event));
    app.on("state", () => this.changed());
    app.on("trace", () => this.ready());
  }

  /** @param {Told} message */
  tell(message) {
    window.parent.postMessage(message, location.origin);
  }

  ready() {
    const { duration } = this.app.view;
    if (duration === this.duration) return;
    this.duration = duration;
    this.tell({ gotrace: "ready", duration });
  }

  changed() {
    if (!this.isKnown || this.isFollowing) return;
    const shown = shownBy(this.app);
    const text = JSON.stringify(shown);
    if (text === this.told) return;
    this.told = text;
    this.tell({ gotrace: "moved", shown });
  }

  /** @param {MessageEvent} event */
  onMessage({ origin, source, data }) {
    if (origin !== location.origin || source !== window.parent || this.duration === 0) return;
    const message = /** @type {Asked} */ (data);
    this.isFollowing = true;
    if (message?.gotrace === "extent") this.widen(message.extent);
    if (message?.gotrace === "move") this.follow(message.shown);
    this.isFollowing = false;
    this.isKnown = true;
    this.told = JSON.stringify(shownBy(this.app));
  }

  /** @param {number} extent */
  widen(extent) {
    this.app.view.extent = extent;
    if (this.app.whole) this.app.set({ s: null, e: null }, { push: false, glide: false });
  }

  /** @param {Partial<Shown>} shown */
  follow({ s, e, whole, view, filter }) {
    const { app } = this;
    const rows = {
      ...(view !== undefined && view !== app.state.view && { view }),
      ...(filter !== undefined && filter !== app.state.filter && { filter }),
    };
    if (Object.keys(rows).length > 0) app.set(rows, { push: false });
    if (whole) app.set({ s: null, e: null }, { push: false, glide: false });
    else if (s !== undefined && e !== undefined) app.set({ s, e }, { push: false, glide: false });
  }
}

/** @param {App} app */
export function startCompanion(app) {
  if (isCompanion()) new Companion(app);
}
