// SPDX-License-Identifier: BSD-3-Clause
// The critical path that the panel "Why?" tells, as a trail over the rows: a line on each row where
// the path ran, and between rows where it went on in another goroutine.

import { ask } from "./analysis.js";
import { palette } from "./colors.js";
import { RangeFeed } from "./feed.js";
import { whyQuery } from "./whyaddress.js";

/** The most parts that are drawn at a time: the longest ones on the screen. */
const MOST = 2000;
const WIDTH = 3;

/** @typedef {{ x0: number, x1: number, y: number, part: WhyPart }} TrailStep */

export class Trail {
  /**
   * The steps on the screen, in the order of time.
   * @type {TrailStep[]}
   */
  steps = [];

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.feed = new RangeFeed(
      ({ start, end, key }, signal) =>
        ask(
          "api/why",
          {
            ...whyQuery(key),
            from: Math.floor(start),
            to: Math.ceil(end),
            sort: "time",
            desc: 1,
            stacks: 0,
            count: MOST,
          },
          undefined,
          { signal },
        ),
      () => app.invalidate("overlay"),
    );
  }

  /** @param {CanvasRenderingContext2D} context */
  draw(context) {
    const { app } = this;
    const { why } = app.state;
    this.steps = [];
    // The rows of other views are not goroutines, on which alone a path runs.
    if (why === "" || app.rows.statesView !== "goroutine" || whyQuery(why) === null) return;
    const { s, e } = app.view.target;
    this.feed.want(s, e, 0, why, app.trace.progress.done);
    this.steps = this.place(this.feed.get(why)?.parts ?? []);
    for (const [color, width] of /** @type {[string, number][]} */ ([
      [palette.bg, WIDTH + 2],
      [palette.accent, WIDTH],
    ]))
      this.stroke(context, color, width);
  }

  /**
   * The height at which the trail goes over the row of a goroutine, at the lower edge of its bars,
   * as their names are to be read; null if the row is not on the screen.
   * @param {number} goroutine
   */
  yOf(goroutine) {
    const { layout } = this.app;
    const track = layout.firstTrackOf("goroutine", goroutine);
    const middle = track === null ? null : layout.middleOf(track);
    const height = track === null ? 0 : (layout.tracks.get(track)?.lane.height ?? 0);
    return middle === null ? null : middle + Math.max(0, height / 2 - WIDTH + 1);
  }

  /**
   * The parts whose rows and times are on the screen.
   * @param {WhyPart[]} parts
   */
  place(parts) {
    const { view } = this.app;
    /** @type {Map<number, number | null>} */
    const rows = new Map();
    /** @type {TrailStep[]} */
    const steps = [];
    for (const part of [...parts].sort((a, b) => a.number - b.number)) {
      const { goroutine } = part;
      if (!rows.has(goroutine)) {
        rows.set(goroutine, this.yOf(goroutine));
      }
      const y = rows.get(goroutine) ?? null;
      if (y === null || part.end < view.s || part.start > view.e) continue;
      const x0 = Math.max(-WIDTH, view.x(part.start));
      const x1 = Math.min(view.width + WIDTH, view.x(part.end));
      steps.push({ x0, x1, y, part });
    }
    return steps;
  }

  /**
   * Draws all steps, and lines between those that follow each other on different rows.
   * @param {CanvasRenderingContext2D} context
   * @param {string} color
   * @param {number} width
   */
  stroke(context, color, width) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = context.lineCap = "round";
    context.beginPath();
    /** @type {TrailStep | null} */
    let last = null;
    for (const step of this.steps) {
      const goesOn =
        last?.part.number === step.part.number - 1 && last.part.interval === step.part.interval;
      if (goesOn) context.lineTo(step.x0, step.y);
      else context.moveTo(step.x0, step.y);
      context.lineTo(Math.max(step.x1, step.x0 + 1), step.y);
      last = step;
    }
    context.stroke();
  }
}
