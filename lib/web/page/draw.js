// SPDX-License-Identifier: BSD-3-Clause
// Draws the rows: bars and their names in software, on a ground that shows the times of garbage
// collection.

import { palette } from "./colors.js";
import { context2D } from "./dom.js";
import { Ground } from "./ground.js";
import { LanePainter } from "./lane.js";
import { Raster } from "./raster.js";
import { TextMasks } from "./textmask.js";
import { levelFor } from "./tiles.js";

const NEW_TEXTS = 150;

/**
 * Selects the property that determines the shade of a bar, the goroutine or the name, so that
 * neighbours in a lane differ.
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
    this.ground = new Ground();
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
    this.ground.resize(width);
  }

  /** Draws everything. Returns whether all tiles were available. */
  draw() {
    const { layout, view, tiles, prefs, collector } = this.app;
    tiles.tick();
    this.masks.allow(NEW_TEXTS);
    this.level = levelFor(view.nsPerPixel);
    this.complete = true;
    this.ground.begin(view, prefs.overlay && collector.get());
    this.raster.lines(0, this.raster.height, this.ground.line(palette.pixelBg));
    for (const item of layout.items) if (!item.pinned) this.drawRow(item);
    this.hatchRows();
    this.drawPinned();
    this.context.putImageData(this.raster.image, 0, 0);
    this.ground.drawEdges(this.context, this.canvas.height);
    this.app.activity.paintScales(this.context);
    return this.complete;
  }

  /** Hatches the marked times down to the last row, not in the empty space below it. */
  hatchRows() {
    const { layout } = this.app;
    const end = layout.items.reduce((most, item) => Math.max(most, item.y + item.height), 0);
    this.hatch(palette.pixelBg, layout.pinnedHeight, end);
  }

  /**
   * @param {number} background
   * @param {number} top
   * @param {number} bottom
   */
  hatch(background, top, bottom) {
    const { dpr } = this.app.view;
    const last = Math.min(this.raster.height, Math.round(bottom * dpr));
    const thick = Math.max(1, Math.round(dpr));
    this.ground.hatch(this.raster, background, [Math.round(top * dpr), last], thick);
  }

  drawPinned() {
    const { layout, view } = this.app;
    if (layout.pinnedHeight === 0) return;
    const bottom = Math.round(layout.pinnedHeight * view.dpr);
    this.raster.lines(0, bottom, this.ground.line(palette.pixelRaised));
    this.raster.clip(0, Math.round(layout.pins.room * view.dpr));
    for (const item of layout.items) if (item.pinned) this.drawRow(item);
    this.raster.clip(0, this.raster.height);
    this.hatch(palette.pixelRaised, 0, layout.pins.room);
    this.raster.band(bottom - 2, 2, palette.pixelLineStrong);
  }

  /** @param {LayoutItem} item */
  drawRow(item) {
    const { dpr } = this.app.view;
    const top = Math.round(item.y * dpr);
    const bottom = Math.round((item.y + item.height) * dpr);
    const ground = this.ground.line(
      item.pinned || item.row?.header ? palette.pixelRaised : palette.pixelBg,
    );
    if (item.row?.header) this.drawHeader(item.row, top, bottom, ground);
    for (const lane of item.lanes) {
      const y = Math.round(lane.y * dpr);
      const height = Math.round((lane.y + lane.height) * dpr) - y;
      this.drawLane(lane, y, height, ground);
    }
    this.raster.band(bottom - 1, 1, palette.pixelLine);
  }

  /**
   * The header of a folded group shows what its members do.
   * @param {Row} row
   * @param {number} top
   * @param {number} bottom
   * @param {Uint32Array} ground
   */
  drawHeader(row, top, bottom, ground) {
    const { activity, rows, view } = this.app;
    this.raster.lines(top, bottom - top, ground);
    if (rows.isFolded(row))
      activity.paint(this.raster, row, top + Math.round(3 * view.dpr), bottom - 1);
  }

  /**
   * @param {PlacedLane} lane
   * @param {number} y
   * @param {number} height
   * @param {Uint32Array} ground
   */
  drawLane(lane, y, height, ground) {
    const { view, tiles, rows, trace } = this.app;
    const painter = this.lane;
    painter.begin(view, height, ground, shadesFor(lane, rows.statesView));
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
}
