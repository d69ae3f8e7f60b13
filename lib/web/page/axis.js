// SPDX-License-Identifier: BSD-3-Clause
// The time axis. Steps are 1, 2 or 5 times a power of ten; times are relative to the trace's start
// or to an origin, or those of the clock. At high zoom the part that all labels share is shown
// once, at the left, and the labels show only the difference.

import { palette } from "./colors.js";
import { byId, findIn } from "./dom.js";
import { formatExact, formatTick, parseStart, placesOf, utcParts } from "./format.js";
import { paintFlag } from "./notes.js";
import { Surface } from "./surface.js";

/** @typedef {import("./format.js").TraceStart} TraceStart */

const ROOM = 110;
const FAR = 20000;

/**
 * The smallest step of 1, 2 or 5 times a power of ten that is at least `ns`.
 * @param {number} ns
 */
export function stepFor(ns) {
  if (ns <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(ns) + 1e-9);
  const factor = [1, 2, 5].find((each) => each * power >= ns * (1 - 1e-9)) ?? 10;
  return factor * power;
}

export class Axis extends Surface {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    super(canvas, { alpha: false });
    this.app = app;
    /** @type {TraceStart | null} */
    this.start = null;
    this.base = byId("axis-base");
    app.on("trace", () => {
      this.start = parseStart(app.trace.start);
      const utc = findIn(document, "#tf option[value=utc]", HTMLOptionElement);
      utc.disabled = this.start === null;
    });
  }

  get format() {
    const { tf } = this.app.state;
    return tf === "utc" && !this.start ? "start" : tf;
  }

  /** The wall clock at the trace's start if the axis shows UTC, otherwise null. */
  get clock() {
    return this.format === "utc" ? this.start : null;
  }

  /**
   * The time that is labelled 0: for relative times the origin or, if none is set, the left edge.
   */
  get zero() {
    const { state, view } = this.app;
    if (this.format === "start") return 0;
    return state.origin ?? (this.format === "rel" ? Math.round(view.s) : 0);
  }

  step() {
    const { view } = this.app;
    return stepFor(((view.e - view.s) / view.width) * ROOM);
  }

  /**
   * The times in sight that are a multiple of a step away from zero; there may be none.
   * @param {number} step
   */
  ticks(step) {
    const { view } = this.app;
    const zero = this.clock ? -(this.clock.ns % step) : this.zero;
    const times = [];
    for (let i = Math.ceil((view.s - zero) / step); zero + i * step <= view.e; i++)
      times.push(zero + i * step);
    return times;
  }

  /**
   * The time that labels are relative to if they would be too long otherwise; 0 if they are not.
   * @param {number} step
   */
  shared(step) {
    const { view } = this.app;
    if (this.format === "rel") return 0;
    const far = Math.max(Math.abs(view.s), Math.abs(view.e)) / step > FAR;
    if (!far) return 0;
    const unit = this.sharedUnit();
    const clock = this.clock?.ns ?? 0;
    return Math.max(0, Math.floor((view.s + clock) / unit) * unit - clock);
  }

  sharedUnit() {
    const { view } = this.app;
    return 10 ** Math.ceil(Math.log10(view.e - view.s) + 1e-9);
  }

  /**
   * @param {number} time
   * @param {number} step
   * @param {number} shared
   */
  label(time, step, shared) {
    const { view } = this.app;
    if (this.clock) return this.utcLabel(this.clock, time, step, shared);
    const value = time - this.zero - shared;
    const text = formatTick(
      value,
      step,
      Math.max(Math.abs(view.s - this.zero - shared), view.e - view.s),
    );
    return shared > 0 || this.format === "rel" ? (value >= 0 ? `+${text}` : text) : text;
  }

  /**
   * @param {TraceStart} clock
   * @param {number} time
   * @param {number} step
   * @param {number} shared
   */
  utcLabel(clock, time, step, shared) {
    if (shared > 0) {
      const text = formatTick(time - shared, step, this.app.view.e - shared);
      return `+${text}`;
    }
    return utcParts(clock, time, placesOf(step)).time;
  }

  /**
   * A time with all its digits, in the chosen format.
   * @param {number} time
   */
  full(time) {
    if (this.clock) return utcParts(this.clock, time).time;
    const value = Math.round(time - this.zero);
    return this.format === "rel" && value >= 0 ? `+${formatExact(value)}` : formatExact(value);
  }

  draw() {
    const { context, width, height, dpr } = this;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.fillStyle = palette.bgRaised;
    context.fillRect(0, 0, width, height);
    const step = this.step();
    const shared = this.shared(step);
    this.drawMinor(step);
    this.drawTicks(step, shared);
    this.drawOrigin();
    this.drawNotes();
    this.drawCursor();
    this.showBase(shared);
  }

  /** @param {number} step */
  drawMinor(step) {
    const { view } = this.app;
    const minor = step / 5;
    if (minor < 1) return;
    this.context.fillStyle = palette.line;
    for (const time of this.ticks(minor))
      this.context.fillRect(Math.round(view.x(time)), this.height - 4, 1, 4);
  }

  /**
   * Draws the steps with their labels; one that would be cut off at the right edge is left out.
   * @param {number} step
   * @param {number} shared
   */
  drawTicks(step, shared) {
    const { context, height, width } = this;
    const { view } = this.app;
    context.font = `11px ${palette.font}`;
    context.textBaseline = "middle";
    for (const time of this.ticks(step)) {
      const x = Math.round(view.x(time));
      context.fillStyle = palette.lineStrong;
      context.fillRect(x, height - 9, 1, 9);
      context.fillStyle = palette.muted;
      const label = this.label(time, step, shared);
      if (x + 5 + context.measureText(label).width <= width)
        context.fillText(label, x + 5, height / 2 + 0.5);
    }
  }

  drawOrigin() {
    const { state, view } = this.app;
    if (state.origin === null) return;
    const { context, height } = this;
    const x = view.x(state.origin);
    context.fillStyle = palette.accent;
    context.beginPath();
    context.moveTo(x - 5, 2);
    context.lineTo(x + 5, 2);
    context.lineTo(x, 9);
    context.fill();
    context.fillRect(Math.round(x), 8, 1, height);
  }

  drawNotes() {
    const { context, width } = this;
    const { state, view } = this.app;
    for (const { time } of state.notes) {
      const x = Math.round(view.x(time));
      if (x > -10 && x <= width) paintFlag(context, x, 1);
    }
  }

  drawCursor() {
    const { app, context, width, height } = this;
    if (app.cursor === null) return;
    const text = this.full(app.cursor);
    context.font = `600 11px ${palette.font}`;
    const room = context.measureText(text).width + 12;
    const x = Math.max(0, Math.min(width - room, app.view.x(app.cursor) - room / 2));
    context.fillStyle = palette.fg;
    context.beginPath();
    context.roundRect(x, 3, room, height - 6, 4);
    context.fill();
    context.fillStyle = palette.bg;
    context.fillText(text, x + 6, height / 2 + 0.5);
  }

  /** @param {number} shared */
  showBase(shared) {
    const { view } = this.app;
    let text = "";
    if (this.clock) {
      const { date, time } = utcParts(
        this.clock,
        shared > 0 ? shared : view.s,
        placesOf(this.sharedUnit()),
      );
      text = shared > 0 ? time : date;
    } else if (shared > 0) text = formatExact(shared);
    else if (this.format === "rel")
      text = `${this.app.state.origin === null ? "left edge" : "origin"} ${formatExact(this.zero)}`;
    if (this.base.textContent !== text) this.base.textContent = this.base.title = text;
  }
}
