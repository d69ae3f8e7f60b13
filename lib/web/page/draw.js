// SPDX-License-Identifier: BSD-3-Clause
// Draws the rows: bars and their names in software, then the times of garbage collection over all
// of them.

import { CLASS_INDEX, palette } from "./colors.js";
import { context2D } from "./dom.js";
import { LanePainter } from "./lane.js";
import { Raster } from "./raster.js";
import { TextMasks } from "./textmask.js";
import { levelFor } from "./tiles.js";

const NEW_TEXTS = 150;
const GC_TINT = 0.13;
const STW_TINT = 0.27;
const FAINTEST = 0.12;

/**
 * What determines the shade of a bar, so that neighbours in a lane differ: the goroutine or the
 * name.
 * @param {PlacedLane} lane
 * @param {ViewName} view
 */
function shadesFor(lane, view) {
  if (lane.kind === "state") return view === "goroutine" ? "none" : "goroutine";
  return lane.kind === "range" ? "none" : "name";
}

export class Drawing {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    this.context = context2D(canvas, { alpha: false, willReadFrequently: true });
    this.raster = new Raster();
    this.lane = new LanePainter();
    this.masks = new TextMasks(palette.font);
    this.level = 0;
    this.complete = false;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.raster.resize(width, height);
    this.lane.resize(width);
  }

  /** Draws everything. Returns whether all tiles were available. */
  draw() {
    const { layout, view, tiles } = this.app;
    tiles.tick();
    this.masks.allow(NEW_TEXTS);
    this.level = levelFor(view.nsPerPixel);
    this.complete = true;
    this.raster.band(0, this.raster.height, palette.pixelBg);
    for (const item of layout.items) if (!item.pinned) this.drawRow(item);
    this.drawPinned();
    this.context.putImageData(this.raster.image, 0, 0);
    this.drawCollector();
    return this.complete;
  }

  drawPinned() {
    const { layout, view } = this.app;
    if (layout.pinnedHeight === 0) return;
    const bottom = Math.round(layout.pinnedHeight * view.dpr);
    this.raster.band(0, bottom, palette.pixelRaised);
    this.raster.clip(0, Math.round(layout.pins.room * view.dpr));
    for (const item of layout.items) if (item.pinned) this.drawRow(item);
    this.raster.clip(0, this.raster.height);
    this.raster.band(bottom - 2, 2, palette.pixelLineStrong);
  }

  /** @param {LayoutItem} item */
  drawRow(item) {
    const { dpr } = this.app.view;
    const top = Math.round(item.y * dpr);
    const bottom = Math.round((item.y + item.height) * dpr);
    if (item.row?.header) this.raster.band(top, bottom - top, palette.pixelRaised);
    for (const lane of item.lanes) {
      const y = Math.round(lane.y * dpr);
      const height = Math.round((lane.y + lane.height) * dpr) - y;
      this.drawLane(lane, y, height, item.pinned ? palette.pixelRaised : palette.pixelBg);
    }
    this.raster.band(bottom - 1, 1, palette.pixelLine);
  }

  /**
   * @param {PlacedLane} lane
   * @param {number} y
   * @param {number} height
   * @param {number} background
   */
  drawLane(lane, y, height, background) {
    const { view, tiles, state, trace } = this.app;
    const painter = this.lane;
    painter.begin(view, height, background, shadesFor(lane, state.view));
    const end = Math.min(view.e, Math.max(trace.duration, 1));
    if (end > Math.max(0, view.s)) {
      const exact = tiles.cover(
        lane.track,
        this.level,
        Math.max(0, view.s),
        end,
        (tile, from, to) => painter.add(tile, from, to),
        (from, to) => painter.missing(from, to),
      );
      this.complete &&= exact;
    }
    painter.finish(this.raster, y);
    if (this.app.prefs.labels) this.drawTexts(painter, y, height);
  }

  /**
   * @param {LanePainter} painter
   * @param {number} y
   * @param {number} height
   */
  drawTexts(painter, y, height) {
    const { view, layout } = this.app;
    const size = Math.min(Math.round(layout.measures.text * view.dpr), height - 3);
    if (size < 8) return;
    for (const each of painter.texts) {
      const room = each.right - each.left;
      if (room < painter.textRoom) continue;
      const mask = this.masks.get(each.text, size);
      if (!mask) continue;
      const x = each.left + Math.round(4 * view.dpr);
      const top = y + Math.round((height - mask.height) / 2);
      this.raster.text(mask, x, top, each.right - 3, palette.text[each.color]);
    }
  }

  /**
   * Tints the times of garbage collection. The tint lies over the bars, so that they stay visible.
   */
  drawCollector() {
    const { app, context } = this;
    const data = app.prefs.overlay && app.collector.get();
    if (!data) return;
    this.tint(data.gc, app.view, GC_TINT, palette.css[CLASS_INDEX.gc]);
    this.tint(data.stw, app.view, STW_TINT, palette.css[CLASS_INDEX.stw]);
    context.globalAlpha = 1;
  }

  /**
   * Tints periods of time. One shorter than a pixel is drawn fainter, since many of them side by
   * side would otherwise hide the bars.
   * @param {GcPeriod[]} list
   * @param {import("./view.js").View} view
   * @param {number} strength
   * @param {string} color
   */
  tint(list, view, strength, color) {
    const { context, canvas } = this;
    const scale = 1 / view.nsPerPixel;
    context.fillStyle = color;
    for (const [start, end, share] of list) {
      if (end < view.s || start > view.e) continue;
      const left = Math.round((start - view.s) * scale);
      const exact = (end - start) * scale;
      const width = Math.max(1, Math.round((end - view.s) * scale) - left);
      context.globalAlpha = strength * Math.max(FAINTEST, Math.min(1, exact) * share);
      context.fillRect(left, 0, width, canvas.height);
    }
  }
}
