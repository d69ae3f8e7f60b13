// SPDX-License-Identifier: BSD-3-Clause
// A picture of the timeline as it is on the screen: a title, the axis, counters, the rows with
// their names, and the legend.

import { CLASSES, classTitle, palette } from "./colors.js";
import { context2D } from "./dom.js";
import { Drawing } from "./draw.js";
import { formatDuration, formatExact } from "./format.js";
import { Raster } from "./raster.js";
import { SvgContext } from "./svgcontext.js";

/** @typedef {import("./surface.js").Surface & { draw: () => unknown }} Part */
/** @typedef {CanvasRenderingContext2D | SvgContext} Context */

/**
 * A name on a bar, with its top left corner and the right end of its room.
 * @typedef {object} PlacedText
 * @property {string} text
 * @property {number} size
 * @property {number} x
 * @property {number} y
 * @property {number} right
 * @property {number[]} color
 */

const TITLE = 26;
const LEGEND_LINE = 18;
const LEGEND_ENTRY = 190;
const SIZE = 12;

/** The classes that the legend explains: those of rows, then what is marked over all of them. */
const LEGEND = CLASSES.map((name, i) => ({ title: classTitle(name), i }));

/**
 * The positions of the parts of the timeline in the picture, in CSS pixels.
 * @param {App} app
 */
function arrange(app) {
  const left = app.labels.width;
  const width = left + app.view.width;
  const counters = app.counters.height;
  const top = TITLE + app.axis.height;
  const rows = top + counters;
  const columns = Math.max(1, Math.floor((width - 16) / LEGEND_ENTRY));
  const legend = rows + app.height;
  const height = legend + 12 + Math.ceil(LEGEND.length / columns) * LEGEND_LINE;
  return { left, width, top, rows, columns, legend, height };
}

/**
 * The size of the picture in pixels.
 * @param {App} app
 */
export function pictureSize(app) {
  const { width, height } = arrange(app);
  const { dpr } = app.view;
  return { width: Math.round(width * dpr), height: Math.round(height * dpr) };
}

/** @param {App} app */
function titleText(app) {
  const { s, e } = app.view;
  const name = (app.trace.name ?? "").split("/").at(-1);
  return `${name}: ${formatDuration(e - s)} from ${formatExact(Math.max(0, s))}`;
}

/**
 * Draws what is not on a canvas: the title, the names and values of counters, and the legend.
 * @param {App} app
 * @param {Context} context
 */
function drawTexts(app, context) {
  const { width, top, left, columns, legend, height } = arrange(app);
  context.textBaseline = "middle";
  context.fillStyle = palette.fg;
  context.font = `600 ${SIZE}px ${palette.font}`;
  context.fillText(titleText(app), 8, TITLE / 2);
  context.font = `${SIZE - 1}px ${palette.font}`;
  const names = [...document.querySelectorAll("#counters-label .counter:not([hidden])")];
  const room = app.counters.height / Math.max(1, names.length);
  for (const [i, row] of names.entries()) {
    const middle = top + (i + 0.5) * room;
    context.fillStyle = palette.muted;
    context.fillText(row.querySelector(".counter-name")?.textContent ?? "", 8, middle);
  }
  context.fillStyle = palette.line;
  for (const y of [TITLE - 1, top - 1, legend]) context.fillRect(0, y, width, 1);
  context.fillRect(left - 1, TITLE, 1, height - TITLE - (height - legend));
  for (const [n, { title, i }] of LEGEND.entries()) {
    const x = 8 + (n % columns) * LEGEND_ENTRY;
    const y = legend + 12 + Math.floor(n / columns) * LEGEND_LINE;
    context.fillStyle = palette.css[i];
    context.fillRect(x, y, 10, 10);
    context.fillStyle = palette.fg;
    context.fillText(title, x + 16, y + 5);
  }
}

/**
 * The canvases in the order in which they lie over each other, with their boxes.
 * @param {App} app
 * @returns {[part: Part | Drawing, box: Box][]}
 */
function partsOf(app) {
  const { left, top, rows } = arrange(app);
  const { width } = app.view;
  /** @type {(x: number, y: number, width: number, height: number) => Box} */
  const box = (x, y, w, height) => ({ x, y, width: w, height, pinned: false });
  return [
    [app.axis, box(left, TITLE, width, app.axis.height)],
    [app.counters, box(left, top, width, app.counters.height)],
    [app.labels, box(0, rows, left, app.height)],
    [app.drawing, box(left, rows, width, app.height)],
    [app.overlay, box(left, rows, width, app.height)],
  ];
}

/**
 * Draws without the pointer, whose marks belong to the screen only.
 * @param {App} app
 * @param {() => void} draw
 */
function withoutPointer(app, draw) {
  const { cursor, hover } = app;
  Object.assign(app, { cursor: null, hover: null });
  draw();
  Object.assign(app, { cursor, hover });
}

/**
 * A picture as PNG, at the resolution of the screen.
 * @param {App} app
 * @returns {Promise<Blob>}
 */
export function picturePNG(app) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, pictureSize(app));
  const context = context2D(canvas);
  const { dpr } = app.view;
  context.fillStyle = palette.bg;
  context.fillRect(0, 0, canvas.width, canvas.height);
  withoutPointer(app, () => {
    for (const [part, { x, y }] of partsOf(app)) {
      part.draw();
      context.drawImage(part.canvas, Math.round(x * dpr), Math.round(y * dpr));
    }
  });
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  drawTexts(app, context);
  app.invalidate("overlay", "axis", "counters", "labels");
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error("the browser cannot make a PNG of this size")),
    );
  });
}

/** A raster whose texts are kept as texts. */
class TextRaster extends Raster {
  /** @type {PlacedText[]} */
  texts = [];

  /**
   * @override
   * @param {import("./textmask.js").TextMask & { text?: string, size?: number }} mask
   * @param {number} x
   * @param {number} y
   * @param {number} right
   * @param {number[]} color
   */
  text({ text = "", size = 0 }, x, y, right, color) {
    this.texts.push({ text, size, x, y, right, color });
  }
}

/**
 * Draws the rows once more: their bars as rectangles, and the names on them as texts.
 * @param {App} app
 * @param {SvgContext} context
 */
function drawRows(app, context) {
  const drawing = new Drawing(app, document.createElement("canvas"));
  const raster = new TextRaster();
  const none = new Uint8Array(0);
  const masks = {
    short: false,
    allow: () => {},
    get: (/** @type {string} */ text, /** @type {number} */ size) => ({
      text,
      size,
      width: 0,
      height: Math.ceil(size * 1.36),
      alpha: none,
    }),
  };
  drawing.resize(app.drawing.canvas.width, app.drawing.canvas.height);
  raster.resize(app.drawing.canvas.width, app.drawing.canvas.height);
  Object.assign(drawing, { context, raster, masks });
  context.setTransform(1);
  drawing.draw();
  context.setTransform(1);
  context.textBaseline = "alphabetic";
  for (const { text, size, x, y, right, color } of raster.texts) {
    context.font = `${size}px ${palette.font}`;
    context.fillStyle = `rgb(${color.join(",")})`;
    const width = context.measureText(text).width;
    const fits = Math.min(1, Math.max(0, right - x) / Math.max(1, width));
    const shown = fits < 1 ? `${text.slice(0, Math.floor(text.length * fits) - 1)}…` : text;
    if (fits === 1 || text.length * fits > 2)
      context.fillText(shown, x, y + Math.round(size * 1.03));
  }
}

/**
 * Lets a part of the timeline draw into another context.
 * @param {Part} part
 * @param {SvgContext} context
 */
function redirect(part, context) {
  const own = part.context;
  Object.assign(part, { context });
  try {
    part.draw();
  } finally {
    part.context = own;
  }
}

/**
 * A picture as SVG.
 * @param {App} app
 */
export function pictureSVG(app) {
  const { width, height } = arrange(app);
  const { dpr } = app.view;
  const whole = new SvgContext(1, "c");
  whole.fillStyle = palette.bg;
  whole.fillRect(0, 0, width, height);
  withoutPointer(app, () => {
    for (const [i, [part, box]] of partsOf(app).entries()) {
      const context = new SvgContext(dpr, `c${i}-`);
      if (part instanceof Drawing) drawRows(app, context);
      else redirect(part, context);
      whole.place(context, box);
    }
  });
  drawTexts(app, whole);
  app.invalidate("overlay", "axis", "counters", "labels");
  return whole.file(width, height);
}
