// SPDX-License-Identifier: BSD-3-Clause
// Arrows between spans. Those of the selected span come from its details; those of all rows on the
// screen are requested when the user turns them on.

import { getJSON } from "./api.js";
import { palette } from "./colors.js";
import { RangeFeed } from "./feed.js";

const MOST = 1500;
const MOST_STUBS = 3;
const HEAD = 6;
const STUB = 30;
const APART = 20;
const KEPT = 500;

/** @typedef {{ color: string, alpha: number, width: number }} ArrowStyle */
/** @typedef {{ time: number, y: number }} ArrowPoint */

/**
 * The id of the goroutine, proc or thread that a span belongs to; a task has none.
 * @param {SpanFacts} span
 * @param {ViewName} view
 */
export function runnerOf(span, view) {
  if (view === "goroutine") return span.goroutine?.id ?? null;
  return view === "task" ? null : span[view];
}

export class Arrows {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, { proc?: number | null, thread?: number | null }>} */
    this.runners = new Map();
    /** The number of stubs on the left and on the right, which keeps their names apart. */
    this.stubs = { "-1": 0, 1: 0 };
    this.feed = new RangeFeed(
      ({ start, end, key }, signal) =>
        getJSON(
          "api/arrows",
          {
            start: Math.max(0, Math.floor(start)),
            end: Math.ceil(end),
            tracks: key,
            max: MOST,
          },
          { signal },
        ),
      () => app.invalidate("overlay"),
    );
  }

  /** @param {CanvasRenderingContext2D} context */
  draw(context) {
    if (this.app.prefs.arrows) this.drawAll(context);
    if (this.app.selection) this.drawSelected(context, this.app.selection);
  }

  /**
   * The vertical middle of a track's lane; null if it is not on the screen.
   * @param {number | null | undefined} track
   */
  yOf(track) {
    return track === null || track === undefined ? null : this.app.layout.middleOf(track);
  }

  /** @param {CanvasRenderingContext2D} context */
  drawAll(context) {
    const { app } = this;
    // In the tree of a task there are rows of tasks as well, between which there are no arrows.
    const tracks = app.layout
      .visibleTracks()
      .filter((track) => app.layout.tracks.get(track)?.item.row?.view === app.rows.statesView);
    const key = tracks.slice(0, 256).join(",");
    if (key === "") return;
    const { s, e } = app.view.target;
    this.feed.want(s, e, Math.ceil(app.view.width), key, app.trace.progress.done);
    const style = { color: palette.fg, alpha: 0.4, width: 1 };
    for (const { from, to } of this.feed.data?.arrows ?? []) {
      const [y0, y1] = [this.yOf(from.track), this.yOf(to.track)];
      if (y0 === null || y1 === null || to.time < app.view.s || from.time > app.view.e) continue;
      this.line(context, { time: from.time, y: y0 }, { time: to.time, y: y1 }, style);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {SpanFacts} selection
   */
  drawSelected(context, selection) {
    const { layout, rows } = this.app;
    const y =
      this.yOf(selection.track) ??
      this.yOf(layout.firstTrackOf(rows.statesView, runnerOf(selection, rows.statesView)));
    if (y === null) return;
    const style = { color: palette.accent, alpha: 1, width: 1.75 };
    this.stubs = { "-1": 0, 1: 0 };
    this.drawCauses(context, selection, y, style);
    const wakes = selection.wakes ?? [];
    for (const wake of wakes) this.drawWake(context, wake, y, wakes.length <= MOST_STUBS, style);
  }

  /**
   * Draws what led to the selected span. The creator is shown for the goroutine's first span only,
   * since for all later ones it lies far in the past.
   * @param {CanvasRenderingContext2D} context
   * @param {SpanFacts} selection
   * @param {number} y
   * @param {ArrowStyle} style
   */
  drawCauses(context, selection, y, style) {
    const { by, creator, previous } = selection;
    if (by) this.drawCause(context, selection, by, y, style);
    const same = by && creator && by.time === creator.time;
    if (creator && !previous && !same) this.drawCause(context, selection, creator, y, style);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {SpanFacts} selection
   * @param {SpanEvent} cause
   * @param {number} y
   * @param {ArrowStyle} style
   */
  drawCause(context, selection, cause, y, style) {
    const to = { time: Math.max(selection.start, Math.min(cause.time, selection.end)), y };
    const from = this.yOf(cause.span?.track) ?? this.yOfRunner(cause.span);
    if (from === null) this.stub(context, to, `${cause.goroutine?.title ?? ""} →`, -1, style);
    else this.line(context, { time: cause.time, y: from }, to, style);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {SpanEvent} wake
   * @param {number} y
   * @param {boolean} few
   * @param {ArrowStyle} style
   */
  drawWake(context, wake, y, few, style) {
    const to = this.yOf(wake.span?.track) ?? this.yOfRunner(wake.span);
    const from = { time: wake.time, y };
    if (to !== null) this.line(context, from, { time: wake.time, y: to }, style);
    else if (few) this.stub(context, from, `→ ${wake.goroutine?.title ?? ""}`, 1, style);
  }

  /**
   * The row on which a goroutine's span ran, in the views by proc and by thread. The server is
   * asked for it once.
   * @param {SpanId | null | undefined} span
   */
  yOfRunner(span) {
    const { view } = this.app.state;
    if (!span || (view !== "proc" && view !== "thread")) return null;
    const key = `${span.track}.${span.index}`;
    const known = this.runners.get(key);
    if (!known) this.locate(key, span);
    const id = known?.[view] ?? null;
    return id === null ? null : this.yOf(this.app.layout.firstTrackOf(view, id));
  }

  /**
   * @param {string} key
   * @param {SpanId} span
   */
  async locate(key, { track, index }) {
    if (this.runners.size > KEPT) this.runners.clear();
    this.runners.set(key, {});
    try {
      const { proc, thread } = await getJSON("api/span", { track, index });
      this.runners.set(key, { proc, thread });
      this.app.invalidate("overlay");
    } catch {
      // The arrow remains a stub with a name.
    }
  }

  /**
   * Draws a curve that leaves and arrives horizontally, along the axis of time.
   * @param {CanvasRenderingContext2D} context
   * @param {ArrowPoint} from
   * @param {ArrowPoint} to
   * @param {ArrowStyle} style
   */
  line(context, from, to, { color, alpha, width }) {
    const { view } = this.app;
    const within = (/** @type {number} */ x) => Math.max(-3000, Math.min(view.width + 3000, x));
    const [x0, x1] = [within(view.x(from.time)), within(view.x(to.time))];
    const bend = Math.max(14, Math.min(60, Math.abs(x1 - x0) / 2));
    context.globalAlpha = alpha;
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x0, from.y);
    context.bezierCurveTo(x0 + bend, from.y, x1 - bend, to.y, x1 - HEAD, to.y);
    context.stroke();
    this.head(context, x1, to.y);
    context.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {number} y
   */
  head(context, x, y) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - HEAD - 1, y - HEAD * 0.7);
    context.lineTo(x - HEAD - 1, y + HEAD * 0.7);
    context.fill();
  }

  /**
   * Draws the end of an arrow whose other end is not on the screen, with the name of that end.
   * `side` is -1 for what comes before and 1 for what comes after.
   * @param {CanvasRenderingContext2D} context
   * @param {ArrowPoint} at
   * @param {string} text
   * @param {-1 | 1} side
   * @param {ArrowStyle} style
   */
  stub(context, at, text, side, { color }) {
    const { app } = this;
    const x = app.view.x(at.time);
    if (x < -10 || x > app.view.width + 10) return;
    const reach = STUB + APART * this.stubs[side]++;
    const up = at.y - app.layout.pinnedHeight > reach + 30 ? -1 : 1;
    const far = { x: x + side * STUB * 0.6, y: at.y + up * reach };
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = 1.75;
    context.beginPath();
    context.moveTo(far.x, far.y);
    context.quadraticCurveTo(far.x, at.y, x - (side < 0 ? HEAD : 0), at.y);
    context.stroke();
    if (side < 0) this.head(context, x, at.y);
    app.overlay.tag(text, far.x + side * -8, far.y - 9, color, side);
  }
}
