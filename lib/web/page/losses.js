// SPDX-License-Identifier: BSD-3-Clause
// Times in which it is not known what a row did, because data of a damaged trace was lost. They are
// hatched, and are not included in any sum.

import { getJSON } from "./api.js";
import { palette } from "./colors.js";
import { h } from "./dom.js";
import { RangeFeed } from "./feed.js";
import { formatDuration } from "./format.js";

/** The distance of two lines of the hatching, in pixels of the page. */
const STEP = 7;
const LINE = 1.25;

export class Losses {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.feed = new RangeFeed(
      ({ start, end, bins, key }, signal) =>
        getJSON(
          "api/losses",
          {
            start: Math.max(0, Math.floor(start)),
            end: Math.ceil(end),
            bins: Math.min(bins, 4096),
            view: key,
          },
          { signal },
        ).then((answer) => answer.losses),
      () => app.invalidate("overlay"),
    );
  }

  /**
   * The losses on the screen. A trace that was not repaired has none.
   * @returns {LossFacts[]}
   */
  shown() {
    const { app } = this;
    const { repairs_total: repairs, progress } = app.trace;
    const view = app.rows.statesView;
    if (repairs === 0 || view === "task") return [];
    const { s, e } = app.view.target;
    this.feed.want(s, e, Math.ceil(app.view.width), view, progress.done);
    return this.feed.get(view) ?? [];
  }

  /**
   * Fills a box on the screen with diagonal lines, which are aligned across boxes. A canvas pattern
   * would be faster, but the SVG export does not support it.
   * @param {CanvasRenderingContext2D} context
   * @param {Box} box
   */
  hatch(context, { x, y, width, height }) {
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.beginPath();
    for (let at = x - ((x + y) % STEP) - height; at < x + width; at += STEP) {
      context.moveTo(at, y + height);
      context.lineTo(at + height, y);
    }
    context.strokeStyle = palette.muted;
    context.lineWidth = LINE;
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context */
  draw(context) {
    const { overlay, layout } = this.app;
    for (const { track, start, end } of this.shown()) {
      for (const place of layout.places.get(track) ?? []) {
        const box = overlay.boxAt(place, start, end);
        if (!box) continue;
        overlay.clipFor(box.pinned);
        this.hatch(context, box);
        context.restore();
      }
    }
  }

  /**
   * The loss at a time of a track.
   * @param {number | null} track
   * @param {number} time
   */
  at(track, time) {
    if (track === null) return null;
    return (
      this.shown().find((each) => each.track === track && time >= each.start && time < each.end) ??
      null
    );
  }
}

/**
 * The content of a tooltip.
 * @param {LossFacts} loss
 */
export function lossTip({ start, end }) {
  return [
    h(
      "div",
      { class: "tip-head" },
      "Data lost",
      h("span", { class: "tip-time" }, formatDuration(end - start)),
    ),
    h("div", { class: "tip-line" }, "It is not known what happened here; no sum has this time."),
  ];
}
