// SPDX-License-Identifier: BSD-3-Clause
// The pinned rows, which stay above the others. They take at most half of the height, or all of it
// if no other rows are shown. If they need more, they are scrolled separately, and a line below
// them says how many are out of sight.

import { byId } from "./dom.js";
import { Scrollbar } from "./scrollbar.js";

const SHARE = 0.5;
/** The heights of the line that says what is out of sight, and of the line below the pins. */
const NOTE = 17;
const EDGE = 2;

/** @typedef {{ row: LocatedRow, y: number, height: number }} PlacedPin */

export class Pins {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {LocatedRow[]} */
    this.rows = [];
    /**
     * The position of each pin when nothing is scrolled, and the end of the last pin.
     * @type {number[]}
     */
    this.tops = [0];
    /** The height of the region of the pins, and the height of everything above the other rows. */
    this.room = 0;
    this.height = 0;
    this.note = byId("pin-note");
    this.rowsBar = byId("scrollbar");
    this.bar = new Scrollbar(byId("pin-scrollbar"), {
      by: (pixels) => this.by(pixels),
      to: (share) => this.to(share * this.furthest),
    });
  }

  get count() {
    return this.rows.length;
  }

  get total() {
    return this.tops[this.count];
  }

  get furthest() {
    return this.total - this.room;
  }

  get scrolls() {
    return this.furthest > 0;
  }

  /**
   * The pixels that are scrolled. They follow the state rather than the last layout, so that
   * several keys between two frames scroll by all that they ask for.
   */
  get offset() {
    return Math.max(0, Math.min(this.furthest, Math.round(this.offsetOf(this.app.state.pinY))));
  }

  /**
   * Places the pinned rows and returns those that are at least partly in sight. `height` is the
   * height of all rows.
   * @param {LocatedRow[]} rows
   * @param {(row: Row) => number} rowHeight
   * @param {number} height
   */
  compute(rows, rowHeight, height) {
    this.rows = rows.filter((row) => rowHeight(row) > 0);
    this.tops = [0];
    for (const row of this.rows) this.tops.push((this.tops.at(-1) ?? 0) + rowHeight(row));
    const share = this.app.rows.arePinsAlone ? 1 : SHARE;
    const most = Math.floor(height * share);
    const fits = this.total + EDGE <= most;
    this.room = fits ? this.total : Math.max(0, most - NOTE - EDGE);
    this.height = this.total === 0 ? 0 : this.room + (fits ? 0 : NOTE) + EDGE;
    const { offset } = this;
    return this.rows
      .map((row, i) => ({ row, y: this.tops[i] - offset, height: rowHeight(row) }))
      .filter((pin) => pin.y < this.room && pin.y + pin.height > 0);
  }

  /**
   * The pixels above a position, which is the number of a pin plus a fraction of its height.
   * @param {number} position
   */
  offsetOf(position) {
    const index = Math.min(Math.floor(position), this.count);
    const next = this.tops[index + 1] ?? this.tops[index];
    return this.tops[index] + (position - index) * (next - this.tops[index]);
  }

  /** @param {number} pixels */
  by(pixels) {
    this.to(this.offset + pixels);
  }

  /** @param {number} offset */
  to(offset) {
    const at = Math.max(0, Math.min(offset, this.furthest));
    const index = Math.max(
      0,
      this.tops.findLastIndex((top) => top <= at),
    );
    const height = (this.tops[index + 1] ?? Infinity) - this.tops[index];
    const pinY = index + (at - this.tops[index]) / height;
    if (pinY !== this.app.state.pinY) this.app.set({ pinY }, { push: false });
  }

  /**
   * Scrolls no further than needed to bring a pinned row into sight.
   * @param {Row} row
   */
  reveal(row) {
    const index = this.rows.findIndex((each) => each.id === row.id);
    if (index < 0) return;
    const [top, bottom] = [this.tops[index], this.tops[index + 1]];
    this.to(Math.min(top, Math.max(this.offset, bottom - this.room)));
  }

  /** @param {number} direction */
  page(direction) {
    if (this.scrolls) this.by(direction * Math.max(20, this.room - 20));
  }

  /**
   * Whether the wheel and a drag at this height move the pins.
   * @param {number} y
   */
  scrollsAt(y) {
    return this.scrolls && y < this.height;
  }

  /** How many pins are less than half visible, above and below the region. */
  hidden() {
    const { offset } = this;
    const middles = this.tops.slice(1).map((end, i) => (this.tops[i] + end) / 2 - offset);
    return {
      above: middles.filter((middle) => middle < 0).length,
      below: middles.filter((middle) => middle > this.room).length,
    };
  }

  /** Shows, after a layout, what is out of sight. */
  show() {
    const { scrolls, note, bar } = this;
    note.hidden = bar.element.hidden = !scrolls;
    this.rowsBar.style.marginTop = scrolls ? `${this.height}px` : "";
    if (!scrolls) return;
    const { above, below } = this.hidden();
    const parts = [
      `${this.count} pinned`,
      above > 0 && `↑ ${above} above`,
      below > 0 && `↓ ${below} below`,
    ];
    const text = parts.filter(Boolean).join("  ·  ");
    if (note.textContent !== text) note.textContent = text;
    note.style.marginTop = `${this.room}px`;
    bar.element.style.height = `${this.height - EDGE}px`;
    bar.show(this.offset / this.furthest, this.room / this.total, this.height - EDGE);
  }
}
