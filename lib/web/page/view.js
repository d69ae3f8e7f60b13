// SPDX-License-Identifier: BSD-3-Clause
// The visible range of time. It moves smoothly to its target, so that the eye can follow; requests
// are always made for the target.

const GLIDE = 120;
const SETTLE = 30;
const LEAST = 10;

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

export class View {
  constructor() {
    this.s = 0;
    this.e = 1;
    this.target = { s: 0, e: 1 };
    this.duration = 1;
    /** What can be shown at least even if the trace is shorter, as beside a longer one. */
    this.extent = 0;
    this.width = 1;
    this.dpr = 1;
    this.began = 0;
    this.last = 0;
  }

  /** Nanoseconds per device pixel. */
  get nsPerPixel() {
    return (this.e - this.s) / (this.width * this.dpr);
  }

  /** The end of what is shown as a whole. */
  get whole() {
    return Math.max(this.duration, this.extent);
  }

  get moving() {
    return this.began !== 0;
  }

  /** @param {number} time */
  x(time) {
    return ((time - this.s) / (this.e - this.s)) * this.width;
  }

  /** @param {number} x */
  time(x) {
    return this.s + (x / this.width) * (this.e - this.s);
  }

  /**
   * The nearest range that may be shown: it has a minimum length, extends little beyond the trace,
   * and at least half of it lies in the trace.
   * @param {number} s
   * @param {number} e
   */
  clamp(s, e) {
    const { whole } = this;
    const beyond = whole * 0.02 + 20;
    const most = whole + 2 * beyond;
    const range = Math.min(Math.max(e - s, LEAST), most);
    const slack = Math.min(beyond, range / 2);
    const middle = (s + e) / 2;
    let start = e - s === range ? s : middle - range / 2;
    start = Math.min(Math.max(start, -slack), whole + slack - range);
    return { s: start, e: start + range };
  }

  /**
   * @param {number} s
   * @param {number} e
   */
  jump(s, e) {
    this.target = { s, e };
    this.s = s;
    this.e = e;
    this.began = 0;
  }

  /**
   * @param {number} s
   * @param {number} e
   */
  glide(s, e) {
    if (still.matches) {
      this.jump(s, e);
      return;
    }
    this.target = { s, e };
    if (this.began === 0) this.last = performance.now();
    this.began = performance.now();
  }

  /**
   * Moves towards the target. Returns whether anything moved. Both ends move by the same share of
   * their distance, so what is under the pointer stays there.
   * @param {number} now
   */
  step(now) {
    if (this.began === 0) return false;
    const share = 1 - Math.exp(-Math.max(0, now - this.last) / SETTLE);
    this.last = now;
    this.s += (this.target.s - this.s) * share;
    this.e += (this.target.e - this.e) * share;
    const pixel = (this.target.e - this.target.s) / this.width;
    const near = Math.abs(this.s - this.target.s) + Math.abs(this.e - this.target.e) < pixel * 0.3;
    if (near || now - this.began > GLIDE * 1.5) this.jump(this.target.s, this.target.e);
    return true;
  }
}
