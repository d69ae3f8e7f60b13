// SPDX-License-Identifier: BSD-3-Clause
// Draws what is above the rows and changes with the pointer: the selection, areas, marks and the
// crosshair. It has its own canvas, so that the bars are not repainted when the pointer moves.

import { runnerOf } from "./arrows.js";
import { palette } from "./colors.js";
import { formatDuration } from "./format.js";
import { Surface } from "./surface.js";
import { fadeOthers } from "./tree.js";

/** The distance of the lines that hatch the area. */
const HATCH = 14;

export class Overlay extends Surface {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    super(canvas);
    this.app = app;
    /**
     * The area that is being dragged, and the vertical extent of its rows.
     * @type {{ area: AreaRange, extent: [top: number, bottom: number] } | null}
     */
    this.drag = null;
  }

  draw() {
    const { context, app, dpr } = this;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.drawGrid();
    this.drawElsewhere();
    if (app.rows.tree !== null) fadeOthers(app, context);
    app.losses.draw(context);
    app.marks.draw(context);
    this.drawHighlights();
    this.drawArea();
    app.trail.draw(context);
    app.notes.draw(context);
    app.arrows.draw(context);
    this.drawSelection();
    this.drawRulers();
    this.drawCross();
  }

  /** Draws lines at the steps of the axis, which help to compare distant rows. */
  drawGrid() {
    const { context, app } = this;
    context.fillStyle = palette.fg;
    context.globalAlpha = palette.dark ? 0.07 : 0.06;
    for (const time of app.axis.ticks(app.axis.step()))
      context.fillRect(Math.round(app.view.x(time)), 0, 1, this.height);
    context.globalAlpha = 1;
  }

  /** Marks rows whose spans lie entirely to the left or right of the screen. */
  drawElsewhere() {
    const { context, app } = this;
    const { s, e } = app.view;
    context.fillStyle = palette.faint;
    context.font = `10px ${palette.font}`;
    context.textBaseline = "middle";
    for (const item of app.layout.items) {
      const { row, y, height } = item;
      if (!row || row.header || !app.layout.isWhole(item)) continue;
      if (row.end < s) context.fillText("◀", 3, y + height / 2);
      else if (row.start > e) context.fillText("▶", this.width - 13, y + height / 2);
    }
  }

  /**
   * The box of a span on the screen, at least two pixels wide; null if it is not visible.
   * @param {number} track
   * @param {number} start
   * @param {number} end
   */
  boxOf(track, start, end) {
    const place = this.app.layout.tracks.get(track);
    return place ? this.boxAt(place, start, end) : null;
  }

  /**
   * The box of a span at one of the positions at which its track is shown.
   * @param {import("./layout.js").TrackPlace} place
   * @param {number} start
   * @param {number} end
   */
  boxAt({ item, lane }, start, end) {
    const { app } = this;
    const left = Math.max(-4, app.view.x(start));
    const right = Math.min(this.width + 4, app.view.x(end));
    if (right < -3 || left > this.width + 3) return null;
    return {
      x: left,
      width: Math.max(2, right - left),
      y: lane.y,
      height: lane.height,
      pinned: item.pinned,
    };
  }

  /**
   * Clips to the region in which the pinned rows are visible, or the other rows.
   * @param {boolean} pinned
   */
  clipFor(pinned) {
    const { context } = this;
    const [top, bottom] = this.app.layout.region(pinned);
    context.save();
    context.beginPath();
    context.rect(0, top, this.width, bottom - top);
    context.clip();
  }

  /**
   * @param {Box} box
   * @param {string} color
   * @param {number} lineWidth
   */
  outline(box, color, lineWidth) {
    const { context } = this;
    this.clipFor(box.pinned);
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.strokeRect(
      box.x - lineWidth / 2,
      box.y - lineWidth / 2,
      box.width + lineWidth,
      box.height + lineWidth,
    );
    context.restore();
  }

  drawHighlights() {
    for (const each of this.app.highlighted) {
      const box = each.track !== null && this.boxOf(each.track, each.start, each.end);
      if (box) this.outline(box, palette.warn, 2);
    }
  }

  /**
   * Outlines the selected span and, in the views by proc and thread, the row on which its goroutine
   * ran.
   */
  drawSelection() {
    const { selection, layout, rows } = this.app;
    if (!selection) return;
    const box = this.boxOf(selection.track, selection.start, selection.end);
    if (box) this.outlineTwice(box);
    const view = rows.statesView;
    if (view === selection.row?.view) return;
    const track = layout.firstTrackOf(view, runnerOf(selection, view));
    const other = track !== null && this.boxOf(track, selection.start, selection.end);
    if (other) this.outlineTwice(other);
  }

  /**
   * Outlines a box with two lines of contrasting colours, which are visible on any bar.
   * @param {Box} box
   */
  outlineTwice(box) {
    this.outline(
      { ...box, x: box.x - 1, y: box.y - 1, width: box.width + 2, height: box.height + 2 },
      palette.bg,
      1.5,
    );
    this.outline(box, palette.dark ? "#fff" : "#000", 1.5);
  }

  drawArea() {
    const { context, app } = this;
    const { area } = this.drag ?? app.state;
    if (!area) return;
    const left = app.view.x(area.start);
    const right = app.view.x(area.end);
    const extent = this.areaExtent(area);
    const [top, bottom] = extent ?? [0, this.height];
    context.fillStyle = context.strokeStyle = palette.accent;
    context.globalAlpha = extent ? 1 : 0.4;
    context.fillRect(left, top, 1, bottom - top);
    context.fillRect(right - 1, top, 1, bottom - top);
    if (extent) this.hatch(left, right, top, bottom);
    context.globalAlpha = 1;
    const y = Math.min(bottom - 22, Math.max(top + 4, 4));
    if (extent) this.drawSpanLabel(area.start, area.end, y, palette.accent);
  }

  /**
   * Hatches a box and draws its upper and lower edges. The lines are thin and far apart, so that
   * the bars below keep the colours of the legend.
   * @param {number} left
   * @param {number} right
   * @param {number} top
   * @param {number} bottom
   */
  hatch(left, right, top, bottom) {
    const { context } = this;
    const [from, to] = [Math.max(-1, left), Math.min(this.width + 1, right)];
    const height = bottom - top;
    context.fillRect(from, top, to - from, 1);
    context.fillRect(from, bottom - 1, to - from, 1);
    context.save();
    context.beginPath();
    context.rect(from, top, to - from, height);
    context.clip();
    context.globalAlpha = 0.5;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = Math.floor((from - height) / HATCH) * HATCH; x < to; x += HATCH) {
      context.moveTo(x, bottom);
      context.lineTo(x + height, top);
    }
    context.stroke();
    context.restore();
  }

  /**
   * The vertical extent of the area's tracks on the screen. Null if none of them is visible, in
   * which case only the area's time is shown.
   * @param {AreaRange} area
   */
  areaExtent(area) {
    if (this.drag?.extent) return this.drag.extent;
    if (!area.tracks) return [0, this.height];
    let top = Infinity;
    let bottom = -Infinity;
    for (const track of area.tracks) {
      const item = this.app.layout.tracks.get(track)?.item;
      if (!item) continue;
      const [above, below] = this.app.layout.extentOf(item);
      top = Math.min(top, above);
      bottom = Math.max(bottom, below);
    }
    return bottom > top ? [top, bottom] : null;
  }

  /**
   * Labels the time between two points, with lines to both if there is space.
   * @param {number} start
   * @param {number} end
   * @param {number} y
   * @param {string} color
   */
  drawSpanLabel(start, end, y, color) {
    const { context, app } = this;
    const [left, right] = [app.view.x(start), app.view.x(end)];
    const middle = (Math.max(0, left) + Math.min(this.width, right)) / 2;
    if (right < 0 || left > this.width) return;
    this.tag(formatDuration(end - start), middle, y, color);
    if (right - left < 140) return;
    context.globalAlpha = 0.6;
    context.fillStyle = color;
    context.fillRect(left + 4, y + 9, middle - left - 50, 1);
    context.fillRect(middle + 46, y + 9, right - middle - 50, 1);
    context.globalAlpha = 1;
  }

  /**
   * A short text on a coloured background. `side` says which of its edges x is: -1 the right one, 1
   * the left one; 0 stands for its middle.
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {string} color
   */
  tag(text, x, y, color, side = 0) {
    const { context } = this;
    context.font = `600 11.5px ${palette.font}`;
    const width = context.measureText(text).width + 12;
    const left = Math.max(2, Math.min(this.width - width - 2, x - (width * (1 - side)) / 2));
    context.fillStyle = color;
    context.beginPath();
    context.roundRect(left, y, width, 18, 4);
    context.fill();
    context.fillStyle = palette.bg;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillText(text, left + 6, y + 9.5);
  }

  /** Draws the marks, with the time from each to the next. */
  drawRulers() {
    const { context, app } = this;
    const marks = [...app.state.marks].sort((a, b) => a - b);
    context.fillStyle = palette.warn;
    for (const time of marks) context.fillRect(Math.round(app.view.x(time)), 0, 1.5, this.height);
    for (let i = 1; i < marks.length; i++) {
      this.drawSpanLabel(
        marks[i - 1],
        marks[i],
        this.height - 24 - ((i - 1) % 3) * 20,
        palette.warn,
      );
    }
  }

  drawCross() {
    const { context, app } = this;
    if (app.cursor === null) return;
    const x = Math.round(app.view.x(app.cursor));
    if (x < 0 || x > this.width) return;
    context.globalAlpha = 0.45;
    context.fillStyle = palette.fg;
    context.fillRect(x, 0, 1, this.height);
    context.globalAlpha = 1;
    const last = app.state.marks.at(-1);
    if (last !== undefined && app.measuring && Math.abs(app.view.x(last) - x) > 2) {
      this.drawSpanLabel(
        Math.min(last, app.cursor),
        Math.max(last, app.cursor),
        this.height - 46,
        palette.muted,
      );
    }
  }
}
