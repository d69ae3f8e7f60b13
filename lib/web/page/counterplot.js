// SPDX-License-Identifier: BSD-3-Clause
// Paints a counter's strip column by column. Its cost depends only on the number of columns,
// whereas filling a canvas path of thousands of steps is slow.

import { mix, pack, palette, parseColor } from "./colors.js";

const DASH = 7;
const GAP = 3;

/**
 * The index of the last sample at or before a time.
 * @param {CounterSeries} series
 * @param {number} time
 */
export function sampleAt(series, time) {
  const { t } = series;
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/**
 * Writes the value to which a plot is scaled into its upper right corner.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} right
 * @param {number} y
 */
export function paintScale(context, text, right, y) {
  context.font = `10px ${palette.font}`;
  context.textBaseline = "top";
  context.textAlign = "right";
  const width = context.measureText(text).width + 7;
  context.fillStyle = palette.bg;
  context.fillRect(right - width, y - 1, width, 13);
  context.fillStyle = palette.muted;
  context.fillText(text, right - 4, y);
  context.textAlign = "left";
}

/** @typedef {{ soft: number, strong: number }} AreaColors */

/**
 * The two colours of an area: its fill and the line on top of it.
 * @param {string} color
 * @param {string} background
 */
export function areaColors(color, background) {
  const strong = parseColor(color).slice(0, 3);
  return { soft: pack(mix(parseColor(background), strong, 0.55)), strong: pack(strong) };
}

/**
 * The index of the sample for each column of pixels; -1 beyond the trace's end.
 * @param {CounterSeries} series
 * @param {import("./view.js").View} view
 * @param {number} columns
 * @param {number} end
 */
export function samplesByColumn(series, view, columns, end) {
  const list = new Int32Array(columns).fill(-1);
  const { t } = series;
  if (t.length === 0) return list;
  const step = (view.e - view.s) / columns;
  let i = sampleAt(series, view.s);
  for (let x = 0; x < columns; x++) {
    const time = view.s + (x + 0.5) * step;
    if (time < t[0] || time > end) continue;
    while (i + 1 < t.length && t[i + 1] <= time) i++;
    list[x] = i;
  }
  return list;
}

/**
 * The largest value on the screen: the maximum of a single series, or the sum of stacked ones.
 * @param {CounterSeries[]} stack
 * @param {CounterSeries | null} line
 * @param {Int32Array} samples
 */
export function largest(stack, line, samples) {
  let most = 0;
  let last = -1;
  for (const i of samples) {
    if (i < 0 || i === last) continue;
    last = i;
    let sum = 0;
    for (const each of stack) sum += stack.length === 1 ? each.max[i] : each.mean[i];
    most = Math.max(most, sum, line?.max?.[i] ?? 0);
  }
  return most;
}

/**
 * Paints stacked areas. A value above 0 is at least one pixel high.
 * @param {import("./raster.js").Raster} raster
 * @param {CounterSeries[]} stack
 * @param {AreaColors[]} colors
 * @param {Int32Array} samples
 * @param {number} bottom
 * @param {number} scale
 */
export function paintAreas(raster, stack, colors, samples, bottom, scale) {
  for (let x = 0; x < samples.length; x++) {
    const i = samples[x];
    if (i < 0) continue;
    let y = bottom;
    let sum = 0;
    stack.forEach((series, c) => {
      if (!(series.mean[i] > 0)) return;
      sum += series.mean[i];
      const top = Math.min(y - 1, Math.round(bottom - sum * scale));
      raster.column(x, top, y - top, colors[c].soft);
      raster.column(x, top, 1, colors[c].strong);
      y = top;
    });
  }
}

/**
 * Paints a dashed step line.
 * @param {import("./raster.js").Raster} raster
 * @param {CounterSeries} series
 * @param {number} color
 * @param {Int32Array} samples
 * @param {number} bottom
 * @param {number} scale
 */
export function paintLine(raster, series, color, samples, bottom, scale) {
  let before = -1;
  for (let x = 0; x < samples.length; x++) {
    const i = samples[x];
    if (i < 0) continue;
    const y = Math.round(bottom - series.mean[i] * scale);
    if (before >= 0 && Math.abs(y - before) > 1)
      raster.column(x, Math.min(y, before), Math.abs(y - before), color);
    else if (x % DASH >= GAP) raster.column(x, y, 1, color);
    before = y;
  }
}
