// SPDX-License-Identifier: BSD-3-Clause
// The minimap of the whole trace: what the procs did, when the garbage collector ran, and the
// visible window, which can be dragged and resized.

import { getJSON } from "./api.js";
import { CLASS_INDEX, CLASSES, palette } from "./colors.js";
import { context2D } from "./dom.js";
import { paintFlag } from "./notes.js";
import { Surface } from "./surface.js";

/** @typedef {"left" | "right" | "window" | "outside"} WindowPart */

const EDGE = 6;
const LEAST = 3;
const MARKS = 4;
const REFRESH = 1000;

export class Minimap extends Surface {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    super(canvas, { alpha: false });
    this.app = app;
    this.picture = document.createElement("canvas");
    /** @type {MinimapFacts | null} */
    this.data = null;
    this.bins = 0;
    this.busy = false;
    this.final = false;
    this.at = -Infinity;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("dblclick", () => app.run("home"));
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    app.on("trace", () => this.refresh());
    app.on("colors", () => this.paint());
  }

  /**
   * @override
   * @param {number} dpr
   */
  resize(dpr) {
    super.resize(dpr);
    this.refresh();
    this.paint();
  }

  /**
   * Fetches the data: at most once per second while the trace is being read, afterwards if the
   * width changes.
   */
  async refresh() {
    const { app } = this;
    const bins = Math.max(16, Math.min(4096, Math.round(this.width)));
    const { done } = app.trace?.progress ?? {};
    const now = performance.now();
    const same = Math.abs(bins - this.bins) < 32 && this.final;
    if (!app.trace || !this.width || this.busy || same || (now - this.at < REFRESH && !done))
      return;
    this.busy = true;
    this.at = now;
    try {
      this.data = await getJSON("api/minimap", { bins });
      this.bins = bins;
      this.final = Boolean(done);
      this.paint();
    } catch (error) {
      app.report(error);
    } finally {
      this.busy = false;
    }
    if (app.trace.progress.done && !this.final) this.refresh();
  }

  /** Forgets that the data are new. The old ones are shown until others arrive. */
  restart() {
    this.at = 0;
    this.final = false;
  }

  /** Paints the data to a canvas of its own, since it changes less often than the window. */
  paint() {
    const { data, picture, canvas } = this;
    if (!data || !this.width) return;
    picture.width = canvas.width;
    picture.height = canvas.height;
    const context = context2D(picture, { alpha: false });
    context.fillStyle = palette.bg;
    context.fillRect(0, 0, picture.width, picture.height);
    this.paintShares(context, data);
    this.paintMarks(context, data, "gc", picture.height - 2 * MARKS * this.dpr);
    this.paintMarks(context, data, "stw", picture.height - MARKS * this.dpr);
    this.app.invalidate("minimap");
  }

  /**
   * The position of a bin. While the trace is being read, the bins may cover less than the
   * duration.
   * @param {MinimapFacts} data
   * @param {number} i
   */
  binX(data, i) {
    const { app, picture } = this;
    const { start, end } = data;
    return ((start + ((end - start) * i) / data.bins) / app.view.duration) * picture.width;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {MinimapFacts} data
   */
  paintShares(context, data) {
    const { picture } = this;
    const room = picture.height - 2 * MARKS * this.dpr - 2;
    const used = new Float64Array(data.bins);
    CLASSES.forEach((name, c) => {
      const shares = data.classes[name];
      if (!shares) return;
      context.fillStyle = palette.css[c];
      for (let i = 0; i < data.bins; i++) {
        if (!(shares[i] > 0)) continue;
        const x = Math.floor(this.binX(data, i));
        const height = shares[i] * room;
        context.fillRect(
          x,
          room + 1 - used[i] - height,
          Math.max(1, Math.ceil(this.binX(data, i + 1)) - x),
          height,
        );
        used[i] += height;
      }
    });
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {MinimapFacts} data
   * @param {"gc" | "stw"} name
   * @param {number} y
   */
  paintMarks(context, data, name, y) {
    const shares = data[name];
    context.fillStyle = palette.css[CLASS_INDEX[name]];
    for (let i = 0; i < shares.length; i++) {
      if (!(shares[i] > 0)) continue;
      const x = Math.floor(this.binX(data, i));
      context.globalAlpha = 0.4 + 0.6 * Math.min(1, shares[i]);
      context.fillRect(
        x,
        y,
        Math.max(1, Math.ceil(this.binX(data, i + 1)) - x),
        MARKS * this.dpr - 1,
      );
    }
    context.globalAlpha = 1;
  }

  /** @param {number} time */
  x(time) {
    return (time / this.app.view.duration) * this.width;
  }

  /** @param {number} x */
  time(x) {
    return (x / this.width) * this.app.view.duration;
  }

  draw() {
    const { context, picture, width, height, dpr } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = palette.bg;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.data && picture.width > 0) context.drawImage(picture, 0, 0);
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.drawHighlights();
    this.drawWindow(width, height);
    for (const { time } of this.app.state.notes) paintFlag(context, Math.round(this.x(time)), 0);
    const { s, e } = this.app.view.target;
    const middle = Math.round((100 * (s + e)) / 2 / this.app.view.duration);
    this.canvas.setAttribute("aria-valuenow", String(middle));
  }

  drawHighlights() {
    const { context } = this;
    context.fillStyle = palette.warn;
    for (const each of this.app.highlighted)
      context.fillRect(this.x((each.start + each.end) / 2) - 1, 0, 2, this.height);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  drawWindow(width, height) {
    const { context } = this;
    const [left, right] = this.windowEdges();
    context.globalAlpha = palette.dark ? 0.55 : 0.5;
    context.fillStyle = palette.dark ? "#000" : "#8d97a5";
    if (left > 0) context.fillRect(0, 0, left, height);
    if (right < width) context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.fillStyle = palette.accent;
    for (const x of [left, right]) {
      context.fillRect(Math.max(0, Math.min(width - 1.5, x - 0.75)), 0, 1.5, height);
      if (right - left < 24) continue;
      context.beginPath();
      context.roundRect(Math.max(0, Math.min(width - 6, x - 3)), height / 2 - 8, 6, 16, 3);
      context.fill();
    }
  }

  windowEdges() {
    const { s, e } = this.app.view;
    const left = this.x(s);
    const right = Math.max(this.x(e), left + LEAST);
    return [left, right];
  }

  /** @param {number} x */
  partAt(x) {
    const [left, right] = this.windowEdges();
    if (Math.abs(x - left) <= EDGE && x < (left + right) / 2) return "left";
    if (Math.abs(x - right) <= EDGE) return "right";
    return x > left && x < right && right - left < this.width - 4 ? "window" : "outside";
  }

  /** @param {MouseEvent} event */
  place(event) {
    return event.clientX - this.canvas.getBoundingClientRect().left;
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const part = this.partAt(this.place(event));
    this.canvas.style.cursor = {
      left: "ew-resize",
      right: "ew-resize",
      window: "grab",
      outside: "crosshair",
    }[part];
  }

  /**
   * Begins a drag: the window moves, its edges resize it, and a drag elsewhere draws a new window.
   * @param {PointerEvent} event
   */
  press(event) {
    if (event.button !== 0) return;
    const { app, canvas } = this;
    const began = this.place(event);
    const part = this.partAt(began);
    const { s, e } = app.view.target;
    let moved = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.onpointermove = (each) => {
      const x = this.place(each);
      moved ||= Math.abs(x - began) > 3;
      if (moved) this.dragTo(part, began, x, s, e);
    };
    canvas.onpointerup = canvas.onpointercancel = () => {
      canvas.onpointermove = null;
      if (!moved && part === "outside") this.center(this.time(began));
    };
  }

  /**
   * @param {WindowPart} part
   * @param {number} began
   * @param {number} x
   * @param {number} s
   * @param {number} e
   */
  dragTo(part, began, x, s, e) {
    const { app } = this;
    const by = this.time(x) - this.time(began);
    const still = { glide: false };
    if (part === "window") app.set({ s: s + by, e: e + by }, still);
    else if (part === "left") app.set({ s: Math.min(s + by, e - 10), e }, still);
    else if (part === "right") app.set({ s, e: Math.max(e + by, s + 10) }, still);
    else app.set({ s: this.time(Math.min(began, x)), e: this.time(Math.max(began, x)) }, still);
  }

  /** @param {number} time */
  center(time) {
    const { s, e } = this.app.view.target;
    this.app.set({ s: time - (e - s) / 2, e: time + (e - s) / 2 });
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const at = this.time(this.place(event));
    this.app.input.zoomAt(at, Math.exp(event.deltaY * 0.002));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const name = {
      ArrowLeft: "pan-left",
      ArrowRight: "pan-right",
      ArrowUp: "zoom-in",
      ArrowDown: "zoom-out",
      Home: "home",
    }[event.key];
    if (!name) return;
    event.preventDefault();
    event.stopPropagation();
    this.app.run(name);
  }
}
