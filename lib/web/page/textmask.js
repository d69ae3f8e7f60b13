// SPDX-License-Identifier: BSD-3-Clause
// Texts as masks of coverage, made once and then blended by the painter. Hundreds of names are
// on a screen; drawing each anew in every frame would cost more than all the bars.

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
   * To be called at the begin of a frame: how many new masks it may make.
   * @param {number} count
   */
  allow(count) {
    this.budget = count;
    this.short = false;
  }

  /**
   * The mask of a text, or null when this frame has made enough of them: `short` is then set.
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

  /** The older half goes; a Map keeps the order in which its keys came. */
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
