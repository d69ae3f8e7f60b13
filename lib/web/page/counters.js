// SPDX-License-Identifier: BSD-3-Clause
// The counters above the rows: heap, goroutines and threads as areas over time, and their values at
// the pointer.

import { getJSON } from "./api.js";
import { palette } from "./colors.js";
import {
  areaColors,
  largest,
  paintAreas,
  paintLine,
  paintScale,
  sampleAt,
  samplesByColumn,
} from "./counterplot.js";
import { byId, h } from "./dom.js";
import { RangeFeed } from "./feed.js";
import { formatBytes, formatCount } from "./format.js";
import { Raster } from "./raster.js";
import { Surface } from "./surface.js";

/** @typedef {import("./counterplot.js").AreaColors} AreaColors */

/** @typedef {[key: CounterKey, title: string, color: string]} StripArea */
/** @typedef {CounterFacts & { until: number }} CounterData */

/**
 * @typedef {object} Strip
 * @property {string} name
 * @property {(value: number) => string} format
 * @property {StripArea[]} areas
 * @property {StripArea} [line]
 */

/**
 * The strips. The areas of a strip are stacked; its line is drawn on top and is not part of the
 * stack.
 * @type {Strip[]}
 */
const STRIPS = [
  {
    name: "Heap",
    format: formatBytes,
    areas: [["heap", "heap", "--class-region"]],
    line: ["goal", "goal", "--class-stw"],
  },
  {
    name: "Goroutines",
    format: formatCount,
    areas: [
      ["running", "running", "--class-running"],
      ["runnable", "runnable", "--class-runnable"],
      ["gc_waiting", "waiting for GC", "--class-gc"],
    ],
  },
  {
    name: "Threads",
    format: formatCount,
    areas: [
      ["threads_running", "running", "--class-running"],
      ["threads_syscall", "in system calls", "--class-syscall"],
    ],
    line: ["gomaxprocs", "GOMAXPROCS", "--fg"],
  },
];

/** @param {Strip} strip */
function partsOf({ areas, line }) {
  return line ? [...areas, line] : areas;
}

export class Counters extends Surface {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    super(canvas, { alpha: false, willReadFrequently: true });
    this.app = app;
    this.colors = /** @type {Record<CounterKey, AreaColors>} */ ({});
    /** The elements that show the values. */
    this.values = /** @type {Record<CounterKey, HTMLElement>} */ ({});
    /** @type {number[]} */
    this.scales = [];
    this.raster = new Raster();
    this.feed = new RangeFeed(
      ({ start, end, bins }, signal) =>
        getJSON(
          "api/counters",
          {
            start: Math.max(0, Math.floor(start)),
            end: Math.max(1, Math.ceil(Math.min(end, app.trace.duration))),
            bins: Math.max(2, Math.min(bins, 4096)),
          },
          { signal },
        ).then((data) => ({ ...data, until: app.trace.duration })),
      () => app.invalidate("counters"),
    );
    this.build(byId("counters-label"));
    this.readColors();
    app.on("colors", () => this.readColors());
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const strip of STRIPS) {
      for (const [key, , name] of partsOf(strip)) {
        this.colors[key] = areaColors(style.getPropertyValue(name).trim(), palette.bg);
      }
    }
  }

  /** @param {HTMLElement} label */
  build(label) {
    for (const [i, strip] of STRIPS.entries()) {
      const values = partsOf(strip).map((part) => this.valueField(part));
      label.append(
        h(
          "div",
          { class: "counter" },
          i === 0 && this.collapseButton(),
          h("span", { class: "counter-name" }, strip.name),
          h("span", { class: "counter-values" }, values),
        ),
      );
    }
  }

  collapseButton() {
    const button = h("button", { type: "button", id: "counters-collapse" }, "▼");
    button.setAttribute("aria-label", "Counters");
    const show = (/** @type {boolean} */ shown) => {
      byId("timeline").classList.toggle("is-collapsed", !shown);
      button.textContent = shown ? "▼" : "▶";
      button.setAttribute("aria-expanded", String(shown));
    };
    const { app } = this;
    button.addEventListener("click", () =>
      app.set({ counters: !app.state.counters }, { push: false }),
    );
    app.on("state", (_, changed) => {
      if (changed.counters !== undefined) show(changed.counters);
    });
    show(app.state.counters);
    return button;
  }

  /** @param {StripArea} area */
  valueField([key, title, color]) {
    const text = h("span");
    this.values[key] = text;
    const mark = h("i", { class: "swatch", style: { background: `var(${color})` } });
    return h("span", { title }, mark, text);
  }

  /**
   * @override
   * @param {number} dpr
   */
  resize(dpr) {
    super.resize(dpr);
    this.raster.resize(this.canvas.width, this.canvas.height);
    const collapsed = this.height < 40;
    for (const [i, row] of document.querySelectorAll("#counters-label .counter").entries()) {
      row.toggleAttribute("hidden", collapsed && i > 0);
    }
  }

  draw() {
    const { app, width, height } = this;
    if (!width) return;
    const { s, e } = app.view.target;
    this.feed.want(s, e, Math.ceil((width * this.dpr) / 2), "", app.trace.progress.done);
    const data = this.feed.data;
    const strips = height < 40 ? STRIPS.slice(0, 1) : STRIPS;
    const room = this.raster.height / strips.length;
    this.raster.band(0, this.raster.height, palette.pixelBg);
    this.scales = strips.map((strip, i) =>
      data ? this.paintStrip(strip, data, Math.round(i * room), Math.round((i + 1) * room)) : 0,
    );
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.putImageData(this.raster.image, 0, 0);
    this.drawScales(strips, height / strips.length);
    this.drawCursor();
    this.showValues(data);
  }

  /**
   * Paints a strip. It is scaled to the values on the screen, so that small changes become visible
   * when the user zooms in.
   * @param {Strip} strip
   * @param {CounterData} data
   * @param {number} top
   * @param {number} bottom
   */
  paintStrip(strip, data, top, bottom) {
    const { app, raster } = this;
    raster.band(bottom - 1, 1, palette.pixelLine);
    const areas = strip.areas.filter(([key]) => data[key].t.length > 0);
    if (areas.length === 0) return 0;
    const stack = areas.map(([key]) => data[key]);
    const lineKey = strip.line?.[0];
    const line = lineKey && data[lineKey].t.length > 0 ? data[lineKey] : null;
    const samples = samplesByColumn(stack[0], app.view, raster.width, data.until);
    const most = largest(stack, line, samples);
    const scale = most > 0 ? (bottom - top - 5 * this.dpr) / most : 0;
    paintAreas(
      raster,
      stack,
      areas.map(([key]) => this.colors[key]),
      samples,
      bottom - 1,
      scale,
    );
    if (lineKey && line)
      paintLine(raster, line, this.colors[lineKey].strong, samples, bottom - 1, scale);
    return most;
  }

  /**
   * @param {Strip[]} strips
   * @param {number} room
   */
  drawScales(strips, room) {
    const { context, width, dpr } = this;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    strips.forEach((strip, i) => {
      paintScale(context, strip.format(Math.round(this.scales[i])), width, i * room + 3);
    });
  }

  drawCursor() {
    const { app, context, height } = this;
    if (app.cursor === null) return;
    context.globalAlpha = 0.45;
    context.fillStyle = palette.fg;
    context.fillRect(Math.round(app.view.x(app.cursor)), 0, 1, height);
    context.globalAlpha = 1;
  }

  /**
   * Shows the values at the pointer, or at the right edge if the pointer is elsewhere.
   * @param {CounterData | null} data
   */
  showValues(data) {
    const { app } = this;
    const time = app.cursor ?? Math.min(app.view.e, app.trace.duration);
    for (const strip of STRIPS) {
      for (const [key] of partsOf(strip)) {
        const series = data?.[key];
        const value = series && series.t.length > 0 ? series.mean[sampleAt(series, time)] : null;
        const text =
          value === null
            ? "–"
            : strip.format(key === "heap" || key === "goal" ? Math.round(value) : value);
        const field = this.values[key];
        if (field.textContent !== text) field.textContent = text;
      }
    }
  }
}
