// SPDX-License-Identifier: BSD-3-Clause
// Paints a lane from the items of its tiles, in order of time. Items that are wide enough become
// bars of their own. All items within one column of pixels are stacked by class, each in proportion
// to its share of the column's time. Every class present gets at least one pixel, so that nothing
// is lost.

import { CLASSES, palette, SHADES } from "./colors.js";

const N = CLASSES.length;
const WIDE = 3;
const TRACE = 0.02;
const FULL = 0.97;

/**
 * The first item of a tile that ends after a time.
 * @param {TileItems} tile
 * @param {number} time
 */
export function firstItemAfter(tile, time) {
  let low = 0;
  let high = tile.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tile.times[middle * 5 + 1] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class LanePainter {
  constructor() {
    this.sums = new Float64Array(N);
    this.present = 0;
    this.size = 0;
    /** @type {{ index: number, left: number, right: number, text: string, color: number }[]} */
    this.texts = [];
    this.line = new Uint32Array(0);
    this.columns = new Int32Array(0);
    this.heights = new Uint8Array(0);
    this.presents = new Uint16Array(0);
    this.shades = "none";
    this.start = 0;
    this.scale = 1;
    this.height = 0;
    this.textRoom = 0;
    this.mixed = 0;
    this.current = -1;
    this.rest = false;
    this.taken = 0;
  }

  /** @param {number} width */
  resize(width) {
    if (this.size === width) return;
    this.size = width;
    this.line = new Uint32Array(width);
    this.columns = new Int32Array(width);
    this.heights = new Uint8Array(width * N);
    this.presents = new Uint16Array(width);
  }

  /**
   * Begins a lane of this height in pixels on a line of the ground. `shades` says what determines
   * the shade; see shadeOf().
   * @param {import("./view.js").View} view
   * @param {number} height
   * @param {Uint32Array} ground
   * @param {string} shades
   */
  begin(view, height, ground, shades) {
    this.start = view.s;
    this.scale = 1 / view.nsPerPixel;
    this.height = height;
    this.shades = shades;
    this.textRoom = 26 * view.dpr;
    this.line.set(ground);
    this.mixed = 0;
    this.current = -1;
    this.rest = false;
    this.taken = 0;
    this.texts.length = 0;
  }

  /**
   * @param {TileItems} tile
   * @param {number} i
   */
  shadeOf(tile, i) {
    if (this.shades === "goroutine") return tile.words[i * 10 + 8] % SHADES;
    if (this.shades === "name") return tile.words[i * 10 + 7] % SHADES;
    return 0;
  }

  /**
   * Paints the part of a tile that is in [from, to).
   * @param {TileItems} tile
   * @param {number} from
   * @param {number} to
   */
  add(tile, from, to) {
    const { times, words } = tile;
    for (let i = firstItemAfter(tile, from); i < tile.count; i++) {
      const start = times[i * 5];
      const end = times[i * 5 + 1];
      if (start >= to) break;
      const x0 = ((start < from ? from : start) - this.start) * this.scale;
      const x1 = ((end > to ? to : end) - this.start) * this.scale;
      if (words[i * 10 + 4] !== 1) this.addMerged(tile, i, x0, x1);
      else if (x1 - x0 >= WIDE) this.addWide(tile, i, x0, x1, start >= from);
      else this.addThin(tile.shares[i * 40 + 24], x0, x1);
    }
  }

  /**
   * Adds a bar. Its edges are rounded to whole pixels, but a column that it shares with other items
   * is divided between them.
   * @param {TileItems} tile
   * @param {number} i
   * @param {number} x0
   * @param {number} x1
   * @param {boolean} whole
   */
  addWide(tile, i, x0, x1, whole) {
    const cls = tile.shares[i * 40 + 24];
    if (this.rest) this.dropRest();
    if (this.current >= Math.floor(x0))
      this.sumThin(cls, this.current + 1 - Math.max(x0, this.current));
    const first = Math.max(Math.round(x0), this.current + 1);
    this.flush();
    const left = Math.max(first, this.taken, 0);
    const right = Math.min(Math.round(x1), this.size);
    if (right <= left) return;
    const color = cls * SHADES + this.shadeOf(tile, i);
    this.line.fill(palette.solid[color], left, right);
    if (whole && right - left >= 4) this.line[left] = palette.edge[color];
    this.taken = right;
    if (tile.labels && right - left >= 12) this.addText(tile, i, left, right, color);
    if (x1 > right && right < this.size) this.keepRest(cls, right, x1 - right);
  }

  /**
   * Keeps what a wide bar covers of the next column. It counts if thin items follow, and is dropped
   * if another wide bar does.
   * @param {number} cls
   * @param {number} column
   * @param {number} part
   */
  keepRest(cls, column, part) {
    this.sumUp(column);
    this.sumThin(cls, part);
    this.rest = true;
  }

  dropRest() {
    this.sums.fill(0);
    this.present = 0;
    this.current = -1;
    this.rest = false;
  }

  /**
   * @param {number} cls
   * @param {number} part
   */
  sumThin(cls, part) {
    this.sums[cls] += part;
    this.present |= 1 << cls;
  }

  /**
   * Records the text of a bar. A span that extends over several tiles occurs in each, but gets one
   * text.
   * @param {TileItems} tile
   * @param {number} i
   * @param {number} left
   * @param {number} right
   * @param {number} color
   */
  addText(tile, i, left, right, color) {
    const index = tile.words[i * 10 + 5];
    const text = tile.labels?.get(index);
    if (text === undefined) return;
    const last = this.texts.at(-1);
    if (last && last.index === index) last.right = right;
    else this.texts.push({ index, left, right, text, color });
  }

  /**
   * @param {number} cls
   * @param {number} x0
   * @param {number} x1
   */
  addThin(cls, x0, x1) {
    this.rest = false;
    let x = Math.max(x0, this.taken);
    const end = Math.max(x1, x + TRACE);
    while (x < end) {
      const column = Math.floor(x);
      const next = Math.min(column + 1, end);
      this.sumUp(column);
      this.sumThin(cls, next - x);
      x = next;
    }
  }

  /**
   * Adds a merged item. Its shares apply to its whole width.
   * @param {TileItems} tile
   * @param {number} i
   * @param {number} x0
   * @param {number} x1
   */
  addMerged(tile, i, x0, x1) {
    this.rest = false;
    let x = Math.max(x0, this.taken);
    const end = Math.max(x1, x + TRACE);
    while (x < end) {
      const column = Math.floor(x);
      const next = Math.min(column + 1, end);
      this.sumUp(column);
      this.addShares(tile, i, (next - x) / 255);
      x = next;
    }
  }

  /**
   * Adds shares to the column. Most classes are absent from most items, so four shares are tested
   * at once.
   * @param {TileItems} tile
   * @param {number} i
   * @param {number} part
   */
  addShares(tile, i, part) {
    for (let four = 0; four < 4; four++) {
      if (tile.words[i * 10 + 6 + four] === 0) continue;
      const base = i * 40 + 24 + four * 4;
      for (let k = 0; k < 4; k++) {
        const share = tile.shares[base + k];
        if (share === 0) continue;
        this.sums[four * 4 + k] += share * part;
        this.present |= 1 << (four * 4 + k);
      }
    }
  }

  /** @param {number} column */
  sumUp(column) {
    if (column === this.current) return;
    this.flush();
    this.current = column;
  }

  /**
   * Finishes the current column: a single class is painted into the line, several become a stack.
   */
  flush() {
    if (this.rest) this.dropRest();
    const column = this.current;
    if (column < 0) return;
    this.current = -1;
    if (column < this.size && column >= this.taken) {
      const { present } = this;
      const single = 31 - Math.clz32(present);
      if (present === 1 << single && this.sums[single] >= FULL)
        this.line[column] = palette.solid[single * SHADES];
      else if (present !== 0) this.stack(column);
      this.taken = column + 1;
    }
    for (let left = this.present; left !== 0; left &= left - 1)
      this.sums[31 - Math.clz32(left & -left)] = 0;
    this.present = 0;
  }

  /**
   * Computes the heights of a stack. The largest class absorbs the differences that rounding and
   * the minimum of one pixel cause.
   * @param {number} column
   */
  stack(column) {
    const { sums, heights, height } = this;
    const base = this.mixed * N;
    let total = 0;
    let largest = -1;
    let carry = 0;
    let time = 0;
    for (let left = this.present; left !== 0; left &= left - 1) {
      const c = 31 - Math.clz32(left & -left);
      time += sums[c];
      const exact = Math.min(1, sums[c]) * height + carry;
      const pixels = Math.max(1, Math.round(exact));
      carry = exact - pixels;
      heights[base + c] = pixels;
      total += pixels;
      if (largest < 0 || pixels > heights[base + largest]) largest = c;
    }
    if (total > height || time >= FULL)
      heights[base + largest] = Math.max(0, heights[base + largest] + height - total);
    this.presents[this.mixed] = this.present;
    this.columns[this.mixed++] = column;
  }

  /**
   * Marks a period for which no tile has arrived yet.
   * @param {number} from
   * @param {number} to
   */
  missing(from, to) {
    const left = Math.max(0, Math.floor((from - this.start) * this.scale));
    const right = Math.min(this.size, Math.ceil((to - this.start) * this.scale));
    this.flush();
    if (right > left) this.line.fill(palette.pixelMissing, left, right);
    this.taken = Math.max(this.taken, right);
  }

  /**
   * Copies the lane into the raster, with its top at y.
   * @param {import("./raster.js").Raster} raster
   * @param {number} y
   */
  finish(raster, y) {
    this.flush();
    raster.lines(y, this.height, this.line);
    const { solid } = palette;
    const { presents, heights, columns } = this;
    for (let i = 0; i < this.mixed; i++) {
      const column = columns[i];
      let bottom = y + this.height;
      for (let left = presents[i]; left !== 0; left &= left - 1) {
        const c = 31 - Math.clz32(left & -left);
        const pixels = heights[i * N + c];
        bottom -= pixels;
        raster.column(column, bottom, pixels, solid[c * SHADES]);
      }
    }
  }
}
