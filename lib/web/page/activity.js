// SPDX-License-Identifier: BSD-3-Clause
// The activity of the members of folded groups over time, which is drawn as stacked areas in the
// headers of these groups, and the numbers at the pointer.

import { getJSON } from "./api.js";
import { CLASS_INDEX, CLASSES, palette, SHADES } from "./colors.js";
import { largest, paintAreas, paintScale, samplesByColumn } from "./counterplot.js";
import { RangeFeed } from "./feed.js";
import { formatMean } from "./format.js";

/** The limits of a request. */
const HEADERS = 32;
const BINS = 1024;

/** @typedef {{ cls: string, series: CounterSeries }} ClassSeries */

/**
 * The members of a group over time. `complete` is false if the server could not count them in time.
 * @typedef {object} GroupActivity
 * @property {ClassSeries[]} classes
 * @property {number} end
 * @property {number} width
 * @property {boolean} complete
 */

/**
 * @param {number[]} values
 * @param {number[]} times
 */
function seriesOf(values, times) {
  return { t: times, min: values, max: values, mean: values };
}

/**
 * @param {ActivityFacts} facts
 * @param {ActivityFacts["headers"][number]} header
 * @returns {GroupActivity}
 */
function activityOf({ start, end, width, bins }, header) {
  const times = Array.from({ length: bins }, (_, i) => start + i * width);
  const classes = CLASSES.filter((cls) => header.classes[cls]).map((cls) => ({
    cls,
    series: seriesOf(header.classes[cls], times),
  }));
  return { classes, end, width, complete: header.complete };
}

/**
 * The headers that must be requested again: the server did not count them because the headers
 * before them had taken too long. A first header that was not counted exceeds the limit by itself,
 * so it is not requested again.
 * @param {ActivityFacts} facts
 * @param {number[]} asked
 */
function uncounted(facts, asked) {
  const done = new Set(facts.headers.filter(({ complete }) => complete).map(({ at }) => at));
  const known = new Set(facts.headers.map(({ at }) => at));
  return asked.slice(1).filter((at) => known.has(at) && !done.has(at));
}

export class Activity {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {{ text: string, top: number }[]} */
    this.scales = [];
    /** @type {RangeFeed<Map<string, GroupActivity>>} */
    this.feed = new RangeFeed(
      (range, signal) => this.fetch(range, signal),
      () => app.invalidate("rows", "labels"),
    );
  }

  /** The headers of folded groups on the screen, by their positions in the listing. */
  headers() {
    const { layout, rows } = this.app;
    return layout.items
      .filter(({ row }) => row?.header && rows.isFolded(row))
      .map(({ index }) => rows.listingIndex(index));
  }

  /** Requests what the headers on the screen need. */
  want() {
    const { rows, trace, view } = this.app;
    const headers = this.headers();
    if (headers.length === 0) return;
    const { s, e } = view.target;
    const key = JSON.stringify([rows.signature, rows.shownRange, headers]);
    this.feed.want(s, e, Math.ceil(view.width / 2), key, trace.progress.done);
  }

  /**
   * @param {import("./feed.js").WantedRange} range
   * @param {AbortSignal} signal
   */
  async fetch({ start, end, bins, key }, signal) {
    const { rows, trace } = this.app;
    const listing = { ...rows.query(), ...JSON.parse(rows.shownRange) };
    const from = Math.max(0, Math.floor(start));
    const to = Math.max(from + 1, Math.min(Math.ceil(end), trace.duration));
    /** @type {number[]} */
    const headers = JSON.parse(key)[2];
    const query = { ...listing, from, to, bins: Math.min(bins, BINS) };
    /** @type {Map<string, GroupActivity>} */
    const groups = new Map();
    for (let left = headers; left.length > 0; ) {
      const some = left.slice(0, HEADERS);
      const facts = await getJSON("api/activity", { ...query, headers: some }, { signal });
      for (const header of facts.headers) groups.set(header.title, activityOf(facts, header));
      left = [...uncounted(facts, some), ...left.slice(HEADERS)];
    }
    return groups;
  }

  /**
   * The activity of a group, as far as it is loaded. It may be that of a range other than the
   * visible one.
   * @param {Row} row
   * @returns {GroupActivity | null}
   */
  of(row) {
    return this.feed.data?.get(row.title) ?? null;
  }

  /**
   * Paints the areas of a folded group between two lines of pixels. They are scaled to the largest
   * number of members on the screen.
   * @param {import("./raster.js").Raster} raster
   * @param {Row} row
   * @param {number} top
   * @param {number} bottom
   */
  paint(raster, row, top, bottom) {
    const group = this.of(row);
    if (!group || group.classes.length === 0) return;
    const stack = group.classes.map(({ series }) => series);
    const colors = group.classes.map(({ cls }) => {
      const color = palette.solid[CLASS_INDEX[cls] * SHADES];
      return { soft: color, strong: color };
    });
    const samples = samplesByColumn(stack[0], this.app.view, raster.width, group.end);
    const most = largest(stack, null, samples);
    if (most > 0) paintAreas(raster, stack, colors, samples, bottom, (bottom - top) / most);
    this.scales.push({ text: formatMean(most), top });
  }

  /**
   * Writes the scale of each area that was painted since the last call: the number of members that
   * its full height stands for.
   * @param {CanvasRenderingContext2D} context
   */
  paintScales(context) {
    const { dpr, width } = this.app.view;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    for (const { text, top } of this.scales.splice(0)) paintScale(context, text, width, top / dpr);
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  /**
   * The number of members in each class at a time, without the classes that have none; null if it
   * is not known.
   * @param {Row} row
   * @param {number} time
   */
  at(row, time) {
    const group = this.of(row);
    const start = group?.classes[0]?.series.t[0] ?? 0;
    if (!group || time < start || time > group.end) return null;
    const i = Math.floor((time - start) / group.width);
    const counts = group.classes
      .map(({ cls, series }) => ({ cls, count: series.mean[i] ?? 0 }))
      .filter(({ count }) => count > 0);
    return { counts, width: group.width, complete: group.complete };
  }
}
