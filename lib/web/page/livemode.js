// SPDX-License-Identifier: BSD-3-Clause
// A trace that is still being recorded: the view follows its newest part until the user moves.

import { postText } from "./api.js";
import { byId, findIn } from "./dom.js";
import { formatDuration } from "./format.js";

/** How much of the newest part is shown at first, in ns. */
const USUAL_WIDTH = 10e9;

export class LiveMode {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.tools = byId("live-tools");
    this.paused = false;
    this.stopping = false;
    /** Whether the state of the address is known, and was looked at since the trace is live. */
    this.known = false;
    this.begun = false;
    app.on("trace", (trace) => this.take(trace));
    app.on("state", (_, changed) => {
      if ("live" in changed) this.advance(true);
    });
  }

  /** Whether the trace is still being recorded. */
  get on() {
    return this.app.trace?.progress.live ?? false;
  }

  /** Whether the view follows the newest part. */
  get follows() {
    return this.on && (this.app.state.live ?? 0) > 0;
  }

  /**
   * Decides what is shown of a live trace: the range in the address, the whole trace if that asks
   * for it, or else the newest part.
   */
  adopt() {
    const { app } = this;
    const { state } = app;
    this.known = true;
    if (!this.on) return;
    if (!this.begun) this.begin();
    if (!app.whole) state.live = 0;
    else if (state.live !== 0) state.live = Math.max(state.live ?? USUAL_WIDTH, 1);
    this.advance(false);
  }

  begin() {
    const { actions } = this.app;
    this.begun = true;
    actions.set("live", () => this.toggle());
    actions.set("live-pause", () => this.pause());
    actions.set("live-stop", () => this.stop());
  }

  /**
   * Moves the view to the newest part. A trace that is shorter than the view fills it from the
   * left.
   * @param {boolean} glide
   */
  advance(glide) {
    const { app } = this;
    const { state, view } = app;
    if (this.follows) {
      const width = state.live ?? USUAL_WIDTH;
      const s = Math.max(0, view.duration - width);
      app.whole = false;
      Object.assign(state, { s, e: s + width });
      if (glide) view.glide(s, s + width);
      else view.jump(s, s + width);
      app.invalidate("rows", "axis", "minimap", "counters", "overlay");
    }
    this.show();
  }

  /** @param {TraceFacts} trace */
  take(trace) {
    if (!this.known) return;
    if (trace.progress.live && !this.begun) this.adopt();
    else if (this.follows) this.advance(true);
    if (trace.progress.done) this.end();
    this.show();
  }

  /** What is shown when the recording ends stays there. */
  end() {
    const { app } = this;
    const { actions } = app;
    if (!this.begun) return;
    this.begun = this.paused = this.stopping = false;
    for (const name of ["live", "live-pause", "live-stop"]) actions.delete(name);
    // The address gets the range that is shown.
    app.set({ live: null }, { push: false });
  }

  /**
   * Whether new facts of the trace are to be drawn later, because the user has paused.
   * @param {TraceFacts} trace
   */
  holds(trace) {
    if (!this.paused || trace.progress.done) return false;
    this.showLag(trace.progress);
    return true;
  }

  toggle() {
    const { app } = this;
    if (!this.on) return;
    const { s, e } = app.view.target;
    if (this.paused) this.pause();
    app.set({ live: this.follows ? 0 : e - s });
  }

  pause() {
    if (!this.on) return;
    this.paused = !this.paused;
    this.app.status.say(this.paused ? "Paused; the recording goes on." : "Continued.");
    this.show();
  }

  async stop() {
    if (!this.on || !this.app.trace.progress.can_stop || this.stopping) return;
    this.stopping = true;
    this.paused = false;
    this.show();
    try {
      await postText("api/live", { do: "stop" }, "", false);
    } catch (error) {
      this.stopping = false;
      this.app.report(error);
      this.show();
    }
  }

  show() {
    const { app, tools } = this;
    const button = (/** @type {string} */ name) =>
      findIn(tools, `[data-run=${name}]`, HTMLButtonElement);
    byId("live-group").hidden = !this.on;
    if (!this.on) return;
    button("live").setAttribute("aria-pressed", String(this.follows && !this.paused));
    button("live-pause").setAttribute("aria-pressed", String(this.paused));
    button("live-stop").hidden = !app.trace.progress.can_stop;
    button("live-stop").disabled = this.stopping;
    this.showLag(app.trace.progress);
  }

  /** @param {Progress} progress */
  showLag({ lag }) {
    const behind = lag === null ? "" : `${formatDuration(Math.round(lag / 1e8) * 1e8)} behind`;
    byId("live-lag").textContent = this.stopping
      ? "stopping…"
      : this.paused
        ? `paused · ${behind}`
        : behind;
  }
}
