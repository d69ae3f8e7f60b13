// SPDX-License-Identifier: BSD-3-Clause
// Log messages and CPU samples on the rows: logs are flags with their text, samples are ticks below
// the bar.

import { getJSON } from "./api.js";
import { palette } from "./colors.js";
import { RangeFeed } from "./feed.js";

const ROOM = 50;
const CROWDED = 14;
/** The distance in pixels from the pole or tick of a log within which the pointer is on the log. */
const REACH = 3;
/** The size of a flag, and where its text begins. */
const FLAG = 7;
const TEXT = 9;

/**
 * A log on the screen, with the box within which the pointer is on the log.
 * @typedef {object} PlacedLog
 * @property {Mark} mark
 * @property {number} left
 * @property {number} right
 * @property {number} top
 * @property {number} bottom
 */

export class Marks {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /**
     * The logs that were drawn last, from right to left.
     * @type {PlacedLog[]}
     */
    this.logs = [];
    this.feed = new RangeFeed(
      ({ start, end, bins, key }, signal) =>
        getJSON(
          "api/marks",
          {
            start: Math.max(0, Math.floor(start)),
            end: Math.ceil(end),
            bins: Math.min(bins, 2000),
            view: app.state.view,
            tracks: key,
          },
          { signal },
        ).then((answer) => answer.marks.sort((a, b) => a.time - b.time)),
      () => app.invalidate("overlay"),
    );
  }

  /**
   * Draws the marks, unless the trace has neither logs nor samples.
   * @param {CanvasRenderingContext2D} context
   */
  draw(context) {
    const { app } = this;
    this.logs = [];
    const { counts, progress } = app.trace;
    if (progress.done && !counts.logs && !counts.samples) return;
    const key = app.layout.visibleTracks().slice(0, 256).join(",");
    if (key === "") return;
    const { s, e } = app.view.target;
    this.feed.want(s, e, Math.ceil(app.view.width / 3), key, progress.done);
    this.drawMarks(context, this.feed.data ?? []);
  }

  /**
   * The log at a point of the rows.
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    return (
      this.logs.find((log) => x >= log.left && x <= log.right && y >= log.top && y <= log.bottom)
        ?.mark ?? null
    );
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Mark[]} marks
   */
  drawMarks(context, marks) {
    const { view, layout } = this.app;
    /** @type {Map<PlacedLane, number>} */
    const ends = new Map();
    context.font = `10.5px ${palette.font}`;
    context.textBaseline = "middle";
    for (let i = marks.length - 1; i >= 0; i--) {
      const mark = marks[i];
      if (mark.time < view.s || mark.time > view.e) continue;
      for (const place of layout.places.get(mark.track) ?? [])
        this.drawMark(context, mark, place, ends);
    }
  }

  /**
   * Draws a mark at one of the positions of its track, if that is visible.
   * @param {CanvasRenderingContext2D} context
   * @param {Mark} mark
   * @param {import("./layout.js").TrackPlace} place
   * @param {Map<PlacedLane, number>} ends
   */
  drawMark(context, mark, { item, lane }, ends) {
    const { view, layout } = this.app;
    const [top, bottom] = layout.region(item.pinned);
    if (lane.y < top || lane.y + FLAG > bottom) return;
    const x = view.x(mark.time);
    if (mark.kind === "sample") this.drawSample(context, x, lane);
    else this.drawLog(context, x, lane, mark, ends);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {PlacedLane} lane
   */
  drawSample(context, x, lane) {
    context.fillStyle = palette.fg;
    context.globalAlpha = 0.75;
    context.fillRect(Math.round(x), lane.y + lane.height - 3, 1, 4);
    context.globalAlpha = 1;
  }

  /**
   * Draws a log's flag. Logs are drawn from the last to the first, so that the space up to the next
   * flag is known. Crowded logs become ticks, and their text is shown in the view of goroutines
   * only.
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {PlacedLane} lane
   * @param {Mark} mark
   * @param {Map<PlacedLane, number>} ends
   */
  drawLog(context, x, lane, mark, ends) {
    const next = ends.get(lane) ?? Infinity;
    ends.set(lane, x);
    const top = lane.y - REACH;
    const placed = { mark, left: x - REACH, right: x + REACH, top, bottom: lane.y + FLAG };
    this.logs.push(placed);
    context.fillStyle = palette.dark ? "#ffd866" : "#7a4b00";
    if (next - x < CROWDED || mark.count > 1) {
      context.fillRect(Math.round(x), lane.y - 1, 1.5, 3);
      return;
    }
    placed.right = x + FLAG;
    placed.bottom = lane.y + lane.height;
    context.fillRect(Math.round(x), lane.y - 1, 1, lane.height + 2);
    context.beginPath();
    context.moveTo(x, lane.y - 1);
    context.lineTo(x + FLAG, lane.y + 2);
    context.lineTo(x, lane.y + 5);
    context.fill();
    const room = Math.min(next - x, 260) - 14;
    const { prefs } = this.app;
    if (room >= ROOM && lane.height >= 12 && prefs.labels && this.app.rows.lists("goroutine"))
      placed.right = x + TEXT + this.drawText(context, mark.text, x + TEXT, lane, room);
  }

  /**
   * Returns the width of the text.
   * @param {CanvasRenderingContext2D} context
   * @param {string} text
   * @param {number} x
   * @param {PlacedLane} lane
   * @param {number} room
   */
  drawText(context, text, x, lane, room) {
    const width = Math.min(room, context.measureText(text).width + 8);
    context.fillStyle = palette.panel;
    context.globalAlpha = 0.88;
    context.fillRect(x - 2, lane.y + 1, width, lane.height - 2);
    context.globalAlpha = 1;
    context.fillStyle = palette.fg;
    context.save();
    context.beginPath();
    context.rect(x - 2, lane.y, width, lane.height);
    context.clip();
    context.fillText(text, x + 2, lane.y + lane.height / 2 + 0.5);
    context.restore();
    return width;
  }
}
