// SPDX-License-Identifier: BSD-3-Clause
// A canvas that fills its box on the page, at the resolution of the screen.

import { context2D } from "./dom.js";

export class Surface {
  /** Width and height in CSS pixels, and the number of device pixels per CSS pixel. */
  width = 0;
  height = 0;
  dpr = 1;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {CanvasRenderingContext2DSettings} [settings]
   */
  constructor(canvas, settings) {
    this.canvas = canvas;
    this.context = context2D(canvas, settings);
  }

  /**
   * Fits the canvas to the element that contains it.
   * @param {number} dpr
   */
  resize(dpr) {
    const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
    Object.assign(this, { width: box.width, height: box.height, dpr });
    this.canvas.width = Math.max(1, Math.round(box.width * dpr));
    this.canvas.height = Math.max(1, Math.round(box.height * dpr));
  }
}
