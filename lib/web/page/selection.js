// SPDX-License-Identifier: BSD-3-Clause
// The selected span: its details, and the navigation to other spans.

import { ApiError, getJSON } from "./api.js";
import { classTitle } from "./colors.js";
import { formatDuration, formatExact } from "./format.js";
import { rowName } from "./rows.js";

/**
 * Describes a span in one sentence.
 * @param {SpanFacts} span
 */
function summaryOf(span) {
  const what = span.name ? `${classTitle(span.class)}, ${span.name}` : classTitle(span.class);
  const who = span.goroutine && span.row.view !== "goroutine" ? `, ${span.goroutine.title}` : "";
  const length = formatDuration(span.end - span.start);
  return `${span.row.title}: ${what}${who}, ${length} at ${formatExact(span.start)}`;
}

export class Selection {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.asked = 0;
    /** @type {{ s: number, e: number } | null} */
    this.before = null;
    /**
     * The steps from spans to their causes, so that the user can go back.
     * @type {{ from: SpanId, to: SpanId, middle: number }[]}
     */
    this.trail = [];
  }

  /**
   * Fetches a span. Returns null if a newer request has replaced this one.
   * @param {QueryValues} parameters
   */
  async fetch(parameters) {
    const ticket = ++this.asked;
    try {
      const span = await getJSON("api/span", parameters);
      return ticket === this.asked ? span : null;
    } catch (error) {
      if (ticket === this.asked && !(error instanceof ApiError && error.status === 404))
        this.app.report(error);
      return null;
    }
  }

  /**
   * @param {number} track
   * @param {number} index
   */
  async select(track, index, { reveal = true, zoom = true } = {}) {
    const span = await this.fetch({ track, index });
    if (span) await this.take(span, { reveal, zoom });
    return span;
  }

  /**
   * Selects a span and brings a time to the middle of the screen.
   * @param {SpanId} place
   * @param {number} time
   */
  async selectAround({ track, index }, time) {
    const span = await this.select(track, index, { reveal: false });
    if (!span) return null;
    this.center(time);
    await this.app.reveal(this.placeOf(span));
    return span;
  }

  /**
   * Selects the span of a track at a time, for merged bars, which do not identify a span.
   * @param {number} track
   * @param {number} time
   */
  async selectAt(track, time) {
    const span = await this.fetch({ track, at: Math.max(0, Math.round(time)) });
    if (span) await this.take(span, { reveal: false });
    return span;
  }

  /**
   * Selects the span of a track at a time, or the nearest one if there is none, so that keys reach
   * every row.
   * @param {number} track
   * @param {number} time
   */
  async selectNear(track, time) {
    const span = await this.fetch({ track, at: Math.max(0, Math.round(time)), near: 1 });
    if (!span) return null;
    await this.take(span, { reveal: false });
    const { s, e } = this.app.view.target;
    if (span.end <= s || span.start >= e) this.center(span.start);
    return span;
  }

  /** @param {SpanFacts} span */
  async take(span, { reveal = false, zoom = false, push = true, restored = false }) {
    const { app } = this;
    app.selection = span;
    app.set({ sel: { track: span.track, index: span.index } }, { push });
    app.speech.say(summaryOf(span));
    app.emit("selection", span, restored);
    if (reveal) await this.reveal(span, zoom);
    else if (!restored || app.focus === null) app.focusRow(span.row);
  }

  /**
   * Moves no further than needed to make the span visible.
   * @param {SpanFacts} span
   * @param {boolean | undefined} zoom
   */
  async reveal(span, zoom) {
    const { app } = this;
    const { s, e } = app.view.target;
    const pixels = ((span.end - span.start) / (e - s)) * app.view.width;
    const length = span.end - span.start;
    const seen =
      span.end > s && span.start < e && (span.start >= s || span.end <= e || length > e - s);
    if (zoom && pixels < 2) app.zoomTo(span.start, span.end, { padding: 4 });
    else if (!seen) this.center(length > e - s ? span.start : (span.start + span.end) / 2);
    await app.reveal(this.placeOf(span));
  }

  /**
   * The row of a span. In the views by proc and thread this is the row on which it ran, if it did.
   * @param {SpanFacts} span
   */
  placeOf(span) {
    const { view } = this.app.state;
    const runner = view === "proc" || view === "thread" ? span[view] : null;
    if (runner !== null && runner !== undefined) return { view, row_id: runner };
    return { view: span.row?.view, row_id: span.row?.id };
  }

  /** @param {number} time */
  center(time) {
    const { s, e } = this.app.view.target;
    const half = (e - s) / 2;
    this.app.set({ s: time - half, e: time + half });
  }

  clear() {
    const { app } = this;
    this.asked++;
    app.selection = null;
    app.speech.say("Nothing is selected");
    app.set({ sel: null });
    app.emit("selection", null);
  }

  /** Restores the selection after the state was taken from the address, perhaps the first one. */
  async restore(restored = false) {
    const { sel } = this.app.state;
    const { selection } = this.app;
    if (!sel) {
      if (selection) this.forget();
      return;
    }
    if (selection?.track === sel.track && selection.index === sel.index) return;
    const span = await this.fetch({ track: sel.track, index: sel.index });
    if (span) await this.take(span, { push: false, restored });
  }

  forget() {
    this.app.selection = null;
    this.app.emit("selection", null);
  }

  /**
   * Goes to the next (1) or previous (-1) span on the row. If none is selected, selects a visible
   * one.
   * @param {number} direction
   */
  async step(direction) {
    const { app } = this;
    if (!app.selection) {
      await this.selectSomething();
      return;
    }
    const to = direction > 0 ? app.selection.next : app.selection.previous;
    if (to) await this.select(to.track, to.index, { zoom: false });
  }

  /** Selects a span in the middle of the screen, on the focused row or the first one. */
  async selectSomething() {
    const { app } = this;
    const items = app.layout.items.filter((item) => item.lanes.length > 0);
    const item = items.find((each) => each.row && rowName(each.row) === app.focus) ?? items[0];
    if (item) await this.selectNear(item.lanes[0].track, (app.state.s + app.state.e) / 2);
  }

  /**
   * Goes to the lane above or below, at the same time.
   * @param {number} direction
   */
  async move(direction) {
    const { app } = this;
    const { selection } = app;
    const from = selection && app.layout.tracks.get(selection.track);
    if (!from) {
      await this.selectSomething();
      return;
    }
    const time = Math.max(
      selection.start,
      Math.min((app.state.s + app.state.e) / 2, selection.end - 1),
    );
    const lane = from.item.lanes[from.item.lanes.indexOf(from.lane) + direction];
    const target = lane
      ? { track: lane.track, index: from.item.index }
      : this.laneBeside(from.item, direction);
    if (!target) return;
    const span = await this.selectNear(target.track, time);
    if (span && !lane) app.scroller.show(target.index);
  }

  /**
   * @param {LayoutItem} item
   * @param {number} direction
   */
  laneBeside(item, direction) {
    const { rows, layout } = this.app;
    for (let index = item.index + direction; index >= 0 && index < rows.total; index += direction) {
      const row = rows.at(index);
      if (!row) return null;
      if (row.header || layout.rowHeight(row) === 0 || row.lanes.length === 0) continue;
      const lane = row.lanes[direction > 0 ? 0 : row.lanes.length - 1];
      return { track: lane.track, index };
    }
    return null;
  }

  /**
   * Follows the chain of causes: back to what led to this span, or on to what it led to.
   * @param {number} direction
   */
  async follow(direction) {
    const { selection } = this.app;
    if (!selection) return;
    const { track, index } = selection;
    const last = this.trail.at(-1);
    if (last?.to.track !== track || last.to.index !== index) this.trail = [];
    await (direction < 0 ? this.followBack(selection) : this.followForth(selection));
  }

  /** @param {SpanFacts} selection */
  async followBack(selection) {
    const { track, index, by, creator } = selection;
    const cause = by?.span ? by : creator;
    if (!cause?.span) {
      this.app.status.say("Nothing is known to have led to this span.");
      return;
    }
    const { s, e } = this.app.view.target;
    const step = { from: { track, index }, to: cause.span, middle: (s + e) / 2 };
    if (await this.selectAround(cause.span, cause.time)) this.trail.push(step);
  }

  /**
   * Goes to a span that this one has caused. A span may have woken many goroutines; if the user
   * came from one of them, it is the one that is selected again.
   * @param {SpanFacts} selection
   */
  async followForth(selection) {
    const step = this.trail.pop();
    const wake = selection.wakes?.[0];
    if (step) await this.selectAround(step.from, step.middle);
    else if (wake?.span) await this.selectAround(wake.span, wake.time);
    else this.app.status.say("This span woke no goroutine.");
  }

  /**
   * Zooms to the selection or the area. If it is what is visible already, goes back to the range
   * before.
   */
  fit() {
    const { app } = this;
    const range = app.selection ?? app.state.area;
    if (!range) return;
    const padding = Math.max(range.end - range.start, 1) * (range === app.selection ? 0.1 : 0);
    const wanted = app.view.clamp(
      range.start - padding,
      Math.max(range.end, range.start + 1) + padding,
    );
    const { s, e } = app.view.target;
    const there = Math.abs(wanted.s - s) + Math.abs(wanted.e - e) < (e - s) * 0.001;
    if (there && this.before) {
      app.set(this.before);
      return;
    }
    this.before = { s, e };
    app.set(wanted);
  }

  /** Makes the time of the selected span the area. */
  toArea() {
    const { app } = this;
    if (!app.selection) return;
    app.set({ area: { start: app.selection.start, end: app.selection.end, tracks: null } });
  }
}
