// SPDX-License-Identifier: BSD-3-Clause
// The ground of the rows: their background, in which the times of garbage collection and of stops
// of the world are hatched. Bars cover it, so that they keep the colours of the legend.

import { CLASS_INDEX, mix, pack, palette, unpack } from "./colors.js";

/** The opacity of the colour of a mark: between the lines of the hatching, and on these lines. */
const TINT = { gc: 0.1, stw: 0.3 };
const LINE = { gc: 0.55, stw: 0.9 };
/** The distance of the lines in CSS pixels, and the direction in which they lean. */
const STEP = { gc: 7, stw: 4 };
const LEAN = { gc: 1, stw: -1 };
const FAINTEST = 0.15;
/** Periods of at least this width, in CSS pixels, have their edges drawn across the bars. */
const ROOM = 7;

/** @typedef {"gc" | "stw"} GroundMark */
/** @typedef {{ x: number, color: string }} GroundEdge */

const MARKS = /** @type {GroundMark[]} */ (["gc", "stw"]);

export class Ground {
  constructor() {
    /** How much of each column is in a marked period, from 0 to 1. */
    this.shares = { gc: new Float32Array(0), stw: new Float32Array(0) };
    /**
     * The ground's pixels by the colour of the background.
     * @type {Map<number, Uint32Array>}
     */
    this.lines = new Map();
    /** @type {GroundEdge[]} */
    this.edges = [];
    this.width = 0;
  }

  /** @param {number} width */
  resize(width) {
    this.width = width;
    for (const name of MARKS) this.shares[name] = new Float32Array(width);
  }

  /**
   * Begins a frame. Without data nothing is marked.
   * @param {import("./view.js").View} view
   * @param {GcFacts | null | false} data
   */
  begin(view, data) {
    this.lines.clear();
    this.edges = [];
    for (const name of MARKS) {
      this.shares[name].fill(0);
      if (data) this.addPeriods(view, data[name], name);
    }
  }

  /**
   * Marks periods of time. One shorter than a pixel is fainter, since many of them side by side
   * would otherwise look like one long period.
   * @param {import("./view.js").View} view
   * @param {GcPeriod[]} list
   * @param {GroundMark} name
   */
  addPeriods(view, list, name) {
    const shares = this.shares[name];
    const color = palette.css[CLASS_INDEX[name]];
    const scale = 1 / view.nsPerPixel;
    for (const [start, end, share] of list) {
      if (end < view.s || start > view.e) continue;
      const left = Math.round((start - view.s) * scale);
      const exact = (end - start) * scale;
      const right = Math.max(left + 1, Math.round((end - view.s) * scale));
      const part = Math.max(FAINTEST, Math.min(1, exact) * share);
      for (let x = Math.max(0, left); x < Math.min(this.width, right); x++)
        shares[x] = Math.max(shares[x], part);
      if (exact >= ROOM * view.dpr) this.edges.push({ x: left, color }, { x: right - 1, color });
    }
  }

  /**
   * A line of pixels of the ground with this background.
   * @param {number} background
   */
  line(background) {
    const known = this.lines.get(background);
    if (known) return known;
    const line = new Uint32Array(this.width).fill(background);
    for (const name of MARKS) this.blend(line, name, TINT[name]);
    this.lines.set(background, line);
    return line;
  }

  /**
   * Mixes the colour of a mark into the columns of its periods.
   * @param {Uint32Array} line
   * @param {GroundMark} name
   * @param {number} strength
   */
  blend(line, name, strength) {
    const shares = this.shares[name];
    for (let x = 0; x < this.width; x++)
      if (shares[x] > 0)
        line[x] = pack(mix(unpack(line[x]), palette.marks[name], strength * shares[x]));
  }

  /**
   * Hatches the marked periods in the rows of pixels [top, bottom), where the ground with this
   * background is still seen, with lines of `thick` pixels.
   * @param {import("./raster.js").Raster} raster
   * @param {number} background
   * @param {[top: number, bottom: number]} rows
   * @param {number} thick
   */
  hatch({ words }, background, [top, bottom], thick) {
    const ground = this.line(background);
    for (const name of MARKS) {
      const step = STEP[name] * thick;
      const columns = this.hatchedColumns(name, step, thick);
      if (columns.every((list) => list.length === 0)) continue;
      const marked = ground.slice();
      this.blend(marked, name, LINE[name]);
      for (let row = top; row < bottom; row++) {
        const at = row * this.width;
        const list = columns[(((row * LEAN[name]) % step) + step) % step];
        for (let i = 0; i < list.length; i++) {
          const x = list[i];
          if (words[at + x] === ground[x]) words[at + x] = marked[x];
        }
      }
    }
  }

  /**
   * The columns of marked periods that lines of the hatching cross, for each of the `step` rows of
   * pixels after which the pattern repeats.
   * @param {GroundMark} name
   * @param {number} step
   * @param {number} thick
   */
  hatchedColumns(name, step, thick) {
    const shares = this.shares[name];
    /** @type {number[][]} */
    const columns = Array.from({ length: step }, () => []);
    for (let x = 0; x < this.width; x++) {
      if (shares[x] === 0) continue;
      for (let part = 0; part < thick; part++) columns[(((part - x) % step) + step) % step].push(x);
    }
    return columns;
  }

  /**
   * Draws the edges of periods across all rows, a pixel of the screen wide.
   * @param {CanvasRenderingContext2D} context
   * @param {number} height
   */
  drawEdges(context, height) {
    for (const { x, color } of this.edges) {
      context.fillStyle = color;
      context.fillRect(x, 0, 1, height);
    }
  }
}
