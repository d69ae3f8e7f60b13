// SPDX-License-Identifier: BSD-3-Clause
// Texts as masks of coverage, which are rendered once and then blended by the painter. Rendering
// hundreds of names anew in each frame would cost more than all the bars.

import { context2D } from "./dom.js";

const KEPT = 4000;
const LONGEST = 120;

/** @typedef {{ width: number, height: number, alpha: Uint8Array }} TextMask */

export class TextMasks {
  /** @param {string} family */
  constructor(family) {
    this.family = family;
    /** @type {Map<string, TextMask>} */
    this.masks = new Map();
    this.canvas = document.createElement("canvas");
    this.canvas.width = 1200;
    this.canvas.height = 64;
    this.context = context2D(this.canvas, { willReadFrequently: true });
    this.budget = 0;
    this.short = false;
  }

  /**
   * Must be called at the start of a frame. Sets how many new masks the frame may render.
   * @param {number} count
   */
  allow(count) {
    this.budget = count;
    this.short = false;
  }

  /**
   * The mask of a text. If the frame has rendered as many as it may, this is null and `short` is
   * set.
   * @param {string} text
   * @param {number} size
   */
  get(text, size) {
    const key = `${size}|${text}`;
    const found = this.masks.get(key);
    if (found) return found;
    if (this.budget-- <= 0) {
      this.short = true;
      return null;
    }
    if (this.masks.size >= KEPT) this.forget();
    const mask = this.make(text.slice(0, LONGEST), size);
    this.masks.set(key, mask);
    return mask;
  }

  /** Drops the older half. A Map keeps its keys in the order of insertion. */
  forget() {
    let left = KEPT / 2;
    for (const key of this.masks.keys()) {
      if (left-- <= 0) break;
      this.masks.delete(key);
    }
  }

  /**
   * @param {string} text
   * @param {number} size
   */
  make(text, size) {
    const { context, canvas } = this;
    context.font = `${size}px ${this.family}`;
    const width = Math.max(
      1,
      Math.min(canvas.width, Math.ceil(context.measureText(text).width) + 1),
    );
    const height = Math.ceil(size * 1.36);
    context.clearRect(0, 0, width, height);
    context.fillStyle = "#fff";
    context.textBaseline = "alphabetic";
    context.fillText(text, 0, Math.round(size * 1.03));
    const data = context.getImageData(0, 0, width, height).data;
    const alpha = new Uint8Array(width * height);
    for (let i = 0; i < alpha.length; i++) alpha[i] = data[i * 4 + 3];
    return { width, height, alpha };
  }
}
