// SPDX-License-Identifier: BSD-3-Clause
// Heap, goroutines and threads over time, as areas, with their values at the pointer.

import { getJSON } from "./api.js";
import { palette } from "./colors.js";
import {
  areaColors,
  largest,
  paintAreas,
  paintLine,
  sampleAt,
  samplesByColumn,
} from "./counterplot.js";
import { RangeFeed } from "./feed.js";
import { formatBytes, formatCount } from "./format.js";
import { Raster } from "./raster.js";

/** Each strip stacks its areas; a line is drawn over them by itself. */
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
  },
];

export class Counters {
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    this.raster = new Raster();
    this.feed = new RangeFeed(
      (start, end, bins, key, signal) =>
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
    this.build(document.getElementById("counters-label"));
    this.readColors();
    app.on("colors", () => this.readColors());
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.colors = new Map();
    for (const strip of STRIPS) {
      for (const [key, , name] of [...strip.areas, ...(strip.line ? [strip.line] : [])]) {
        this.colors.set(key, areaColors(style.getPropertyValue(name).trim(), palette.bg));
      }
    }
  }

  build(label) {
    this.values = new Map();
    for (const [i, strip] of STRIPS.entries()) {
      const row = document.createElement("div");
      row.className = "counter";
      if (i === 0) row.append(this.collapseButton());
      const name = document.createElement("span");
      name.className = "counter-name";
      name.textContent = strip.name;
      const values = document.createElement("span");
      values.className = "counter-values";
      for (const each of [...strip.areas, ...(strip.line ? [strip.line] : [])])
        values.append(this.valueField(each));
      row.append(name, values);
      label.append(row);
    }
  }

  collapseButton() {
    const button = document.createElement("button");
    button.id = "counters-collapse";
    button.type = "button";
    button.textContent = "▼";
    button.setAttribute("aria-label", "Counters");
    button.setAttribute("aria-expanded", "true");
    button.addEventListener("click", () => {
      const collapsed = document.getElementById("timeline").classList.toggle("is-collapsed");
      button.textContent = collapsed ? "▶" : "▼";
      button.setAttribute("aria-expanded", String(!collapsed));
    });
    return button;
  }

  valueField([key, title, color]) {
    const field = document.createElement("span");
    field.title = title;
    const swatch = document.createElement("i");
    swatch.className = "swatch";
    swatch.style.background = `var(${color})`;
    const text = document.createElement("span");
    field.append(swatch, text);
    this.values.set(key, text);
    return field;
  }

  resize(dpr) {
    const box = this.canvas.parentElement.getBoundingClientRect();
    Object.assign(this, { width: box.width, height: box.height, dpr });
    this.canvas.width = Math.round(box.width * dpr);
    this.canvas.height = Math.max(1, Math.round(box.height * dpr));
    this.raster.resize(Math.max(1, this.canvas.width), this.canvas.height);
    const rows = document.querySelectorAll("#counters-label .counter");
    const collapsed = box.height < 40;
    rows.forEach((row, i) => (row.hidden = collapsed && i > 0));
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

  /** The scale goes by what is on the screen, so that small changes are seen when zoomed in. */
  paintStrip(strip, data, top, bottom) {
    const { app, raster } = this;
    raster.band(bottom - 1, 1, palette.pixelLine);
    const areas = strip.areas.filter(([key]) => data[key]?.t?.length > 0);
    if (areas.length === 0) return 0;
    const stack = areas.map(([key]) => data[key]);
    const line = strip.line && data[strip.line[0]]?.t?.length > 0 ? data[strip.line[0]] : null;
    const samples = samplesByColumn(stack[0], app.view, raster.width, data.until);
    const most = largest(stack, line, samples);
    const scale = most > 0 ? (bottom - top - 5 * this.dpr) / most : 0;
    paintAreas(
      raster,
      stack,
      areas.map(([key]) => this.colors.get(key)),
      samples,
      bottom - 1,
      scale,
    );
    if (line)
      paintLine(raster, line, this.colors.get(strip.line[0]).strong, samples, bottom - 1, scale);
    return most;
  }

  drawScales(strips, room) {
    const { context, width, dpr } = this;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.font = `10px ${palette.font}`;
    context.textBaseline = "top";
    context.textAlign = "right";
    strips.forEach((strip, i) => {
      const text = strip.format(Math.round(this.scales[i]));
      const y = i * room + 3;
      context.globalAlpha = 0.75;
      context.fillStyle = palette.bg;
      context.fillRect(width - context.measureText(text).width - 7, y - 1, 100, 13);
      context.globalAlpha = 1;
      context.fillStyle = palette.muted;
      context.fillText(text, width - 4, y);
    });
    context.textAlign = "left";
  }

  drawCursor() {
    const { app, context, height } = this;
    if (app.cursor === null || app.cursor === undefined) return;
    context.globalAlpha = 0.45;
    context.fillStyle = palette.fg;
    context.fillRect(Math.round(app.view.x(app.cursor)), 0, 1, height);
    context.globalAlpha = 1;
  }

  /** At the pointer, or else at the right edge. */
  showValues(data) {
    const { app } = this;
    const time = app.cursor ?? Math.min(app.view.e, app.trace.duration);
    for (const strip of STRIPS) {
      for (const [key] of [...strip.areas, ...(strip.line ? [strip.line] : [])]) {
        const series = data?.[key];
        const value = series?.t?.length > 0 ? series.mean[sampleAt(series, time)] : null;
        const text =
          value === null || value === undefined
            ? "–"
            : strip.format(key === "heap" || key === "goal" ? Math.round(value) : value);
        const field = this.values.get(key);
        if (field.textContent !== text) field.textContent = text;
      }
    }
  }
}
