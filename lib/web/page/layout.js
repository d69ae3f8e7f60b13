// SPDX-License-Identifier: BSD-3-Clause
// Lays out the rows on the screen and their lanes. Only visible rows are laid out. The scroll
// position is a row's number plus a fraction of its height, so rows may differ in height without
// the heights of a million rows being known.

import { Pins } from "./pins.js";
import { rowName } from "./rows.js";

/** @typedef {typeof NORMAL} Measures */

const NORMAL = {
  state: 18,
  other: 14,
  range: 7,
  pad: 2,
  gap: 1,
  header: 22,
  folded: 44,
  text: 11,
  least: 22,
};
const TALLEST = 44;
const COMPACT = {
  state: 8,
  other: 6,
  range: 4,
  pad: 1,
  gap: 0,
  header: 14,
  folded: 24,
  text: 0,
  least: 10,
};
const AHEAD = 20;

/**
 * The sizes of rows and lanes. If there are few rows, they are taller.
 * @param {App} app
 * @param {number} height
 */
export function measuresFor(app, height) {
  if (app.prefs.compact) return COMPACT;
  if (!app.rows.known || app.rows.total === 0 || app.rows.lists("goroutine")) return NORMAL;
  const state = Math.min(TALLEST, Math.floor((height * 0.7) / app.rows.total) - 6);
  return state > NORMAL.state
    ? { ...NORMAL, state, pad: 3, least: state + 6, text: state > 26 ? 12 : 11 }
    : NORMAL;
}

/**
 * Lanes of ranges are low, since they are mostly empty.
 * @param {Lane} lane
 * @param {Measures} measures
 */
function laneHeight(lane, measures) {
  if (lane.kind === "range") return measures.range;
  return lane.kind === "state" || lane.kind === "task" ? measures.state : measures.other;
}

/** @typedef {{ item: LayoutItem, lane: PlacedLane }} TrackPlace */

export class Layout {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {LayoutItem[]} */
    this.items = [];
    /** @type {Map<number, TrackPlace>} */
    this.tracks = new Map();
    /**
     * For each track, all positions at which it is shown: a goroutine may have several rows in a
     * task's tree.
     * @type {Map<number, TrackPlace[]>}
     */
    this.places = new Map();
    /** @type {Set<string>} */
    this.hidden = new Set();
    this.height = 0;
    this.measures = NORMAL;
    this.pins = new Pins(app);
    this.first = 0;
    this.last = 0;
    this.complete = false;
  }

  /** The height above the rows that scroll with the page. */
  get pinnedHeight() {
    return this.pins.height;
  }

  /** @param {Row | null} row */
  rowHeight(row) {
    const { measures } = this;
    if (!row) return measures.least;
    if (this.hidden.size > 0 && this.hidden.has(rowName(row))) return 0;
    if (row.header) {
      const isTall = row.members > 1 && this.app.rows.isFolded(row);
      return isTall ? measures.folded : measures.header;
    }
    let height = 2 * measures.pad + (row.lanes.length - 1) * measures.gap;
    for (const lane of row.lanes) height += laneHeight(lane, measures);
    return Math.max(measures.least, height);
  }

  /** @param {number} index */
  heightAt(index) {
    return this.rowHeight(this.app.rows.at(index));
  }

  /**
   * Lays out the visible rows; `height` is the height of their canvas.
   * @param {number} height
   */
  compute(height) {
    const { app } = this;
    this.height = height;
    this.measures = measuresFor(app, height);
    this.hidden = new Set(app.state.hide);
    this.items = [];
    this.tracks = new Map();
    this.places = new Map();
    this.placePinned();
    this.first = Math.floor(app.state.y);
    // Whole pixels: those of a link, whose digits are few, would otherwise be rounded another way.
    const into = Math.round((app.state.y - this.first) * this.heightAt(this.first));
    this.last = this.placeRows(this.first, this.pinnedHeight - into);
    app.rows.followRange();
    this.complete = app.rows.need(this.first, this.last + AHEAD);
  }

  placePinned() {
    const placed = this.pins.compute(
      this.app.rows.pins(),
      (row) => this.rowHeight(row),
      this.height,
    );
    for (const { row, y, height } of placed) this.place(row, row.shown, y, height, true);
  }

  /**
   * @param {number} first
   * @param {number} top
   */
  placeRows(first, top) {
    const { rows } = this.app;
    let y = top;
    let index = first;
    for (; y < this.height && index < rows.total; index++) {
      const row = rows.at(index);
      const height = this.rowHeight(row);
      if (height > 0) this.place(row, index, y, height, false);
      y += height;
    }
    return Math.max(first, index - 1);
  }

  /**
   * Places a row and its lanes. If a track is shown on a pinned row, its position is that on the
   * pinned row.
   * @param {Row | null} row
   * @param {number} index
   * @param {number} y
   * @param {number} height
   * @param {boolean} pinned
   */
  place(row, index, y, height, pinned) {
    /** @type {LayoutItem} */
    const item = { row, index, y, height, pinned, lanes: [] };
    this.items.push(item);
    if (!row || row.header) return;
    const { measures } = this;
    let at =
      y +
      Math.max(
        measures.pad,
        row.lanes.length === 1 ? Math.floor((height - measures.state) / 2) : 0,
      );
    for (const lane of row.lanes) {
      const placed = { ...lane, y: at, height: laneHeight(lane, measures) };
      item.lanes.push(placed);
      const seen = !pinned || (at < this.pins.room && at + placed.height > 0);
      if (seen) this.placeTrack({ item, lane: placed });
      at += placed.height + measures.gap;
    }
  }

  /** @param {TrackPlace} place */
  placeTrack(place) {
    const { track } = place.lane;
    const places = this.places.get(track);
    if (places) places.push(place);
    else this.places.set(track, [place]);
    if (!places) this.tracks.set(track, place);
  }

  /**
   * The vertical region in which the pinned rows are visible, or the other rows.
   * @param {boolean} pinned
   * @returns {[top: number, bottom: number]}
   */
  region(pinned) {
    return pinned ? [0, this.pins.room] : [this.pinnedHeight, this.height];
  }

  /**
   * The vertical extent of the visible part of a row.
   * @param {LayoutItem} item
   * @returns {[top: number, bottom: number]}
   */
  extentOf(item) {
    const [top, bottom] = this.region(item.pinned);
    return [Math.max(top, item.y), Math.min(bottom, item.y + item.height)];
  }

  /**
   * Whether a row is completely visible.
   * @param {LayoutItem} item
   */
  isWhole(item) {
    const [top, bottom] = this.extentOf(item);
    return bottom - top >= item.height;
  }

  /**
   * The track of the first lane of a row that is on the screen; null if there is none.
   * @param {ViewName} view
   * @param {number | null} id
   */
  firstTrackOf(view, id) {
    const item = this.items.find(
      ({ row, lanes }) => row?.id === id && row.view === view && lanes.length > 0,
    );
    return item ? item.lanes[0].track : null;
  }

  /**
   * The vertical middle of a track's lane; null if it is out of sight.
   * @param {number} track
   */
  middleOf(track) {
    const placed = this.tracks.get(track);
    if (!placed) return null;
    const [top, bottom] = this.region(placed.item.pinned);
    const middle = placed.lane.y + placed.lane.height / 2;
    return middle >= top && (middle <= bottom || !placed.item.pinned) ? middle : null;
  }

  /**
   * The row at a vertical position. Pinned rows cover the others.
   * @param {number} y
   */
  itemAt(y) {
    const pinned = y < this.pinnedHeight;
    const inside = (/** @type {LayoutItem} */ item) => {
      const [top, bottom] = this.extentOf(item);
      return item.pinned === pinned && y >= top && y < bottom;
    };
    return this.items.find(inside) ?? null;
  }

  /**
   * @param {LayoutItem} item
   * @param {number} y
   */
  laneAt(item, y) {
    const { gap, pad } = this.measures;
    return (
      item.lanes.find((lane) => y >= lane.y - pad && y < lane.y + lane.height + gap) ??
      item.lanes.at(-1) ??
      null
    );
  }

  /** The tracks on the screen, those of pinned rows first. */
  visibleTracks() {
    return [...this.tracks.keys()];
  }

  /** The tracks of rows just above and below the screen, as far as those rows are known. */
  nearTracks() {
    const { rows } = this.app;
    const count = Math.min(24, this.items.length);
    const tracks = [];
    for (let i = 1; i <= count; i++) {
      for (const index of [this.last + i, this.first - i]) {
        const row = index >= 0 && index < rows.total ? rows.at(index) : null;
        for (const lane of row?.lanes ?? []) tracks.push(lane.track);
      }
    }
    return tracks;
  }

  /** The furthest scroll position, at which the last rows are at the bottom. */
  furthest() {
    const { total } = this.app.rows;
    let left = this.height - this.pinnedHeight;
    let index = total;
    while (index > 0 && left > 0) {
      const height = this.heightAt(index - 1);
      if (height > left) return index - left / height;
      left -= height;
      index--;
    }
    return index;
  }
}
