// SPDX-License-Identifier: BSD-3-Clause
// The pixels of the rows. Painting them in software takes the same time with and without a graphics
// card and is exact to the pixel.

const FADE = 10;

export class Raster {
  image = new ImageData(1, 1);
  /** The image's pixels, as words and as bytes. */
  words = new Uint32Array(this.image.data.buffer);
  bytes = this.image.data;
  width = 1;
  height = 1;
  /** Only the rows of pixels from `top` to `bottom` are painted. */
  top = 0;
  bottom = 1;

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (this.width === width && this.height === height) return;
    this.width = width;
    this.height = height;
    this.clip(0, height);
    this.image = new ImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
    this.bytes = this.image.data;
  }

  /**
   * Limits what is painted from now on to the rows of pixels in [top, bottom).
   * @param {number} top
   * @param {number} bottom
   */
  clip(top, bottom) {
    this.top = Math.max(0, top);
    this.bottom = Math.min(this.height, bottom);
  }

  /**
   * Fills rows of pixels with a colour, over the whole width.
   * @param {number} y
   * @param {number} height
   * @param {number} color
   */
  band(y, height, color) {
    const top = Math.max(this.top, y);
    const bottom = Math.min(this.bottom, y + height);
    if (bottom > top) this.words.fill(color, top * this.width, bottom * this.width);
  }

  /**
   * Copies the same line of pixels into several rows.
   * @param {number} y
   * @param {number} height
   * @param {Uint32Array} line
   */
  lines(y, height, line) {
    const { width, words } = this;
    const top = Math.max(this.top, y);
    const bottom = Math.min(this.bottom, y + height);
    for (let row = top; row < bottom; row++) words.set(line, row * width);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} height
   * @param {number} color
   */
  column(x, y, height, color) {
    const { width, words } = this;
    const bottom = Math.min(this.bottom, y + height);
    for (let at = Math.max(this.top, y) * width + x, end = bottom * width; at < end; at += width)
      words[at] = color;
  }

  /**
   * Blends a text's mask into the image, with its top left corner at (x, y). A text that is cut at
   * `right` fades out there.
   * @param {import("./textmask.js").TextMask} mask
   * @param {number} x
   * @param {number} y
   * @param {number} right
   * @param {number[]} color
   */
  text(mask, x, y, right, [r, g, b]) {
    const { width, bytes } = this;
    const shown = Math.min(mask.width, right - x);
    const fade = shown < mask.width ? FADE : 0;
    const first = Math.max(0, this.top - y);
    const last = Math.min(mask.height, this.bottom - y);
    for (let row = first; row < last; row++) {
      let at = ((y + row) * width + x) * 4;
      const from = row * mask.width;
      for (let i = 0; i < shown; i++, at += 4) {
        let alpha = mask.alpha[from + i];
        if (alpha === 0) continue;
        if (shown - i < fade) alpha = (alpha * (shown - i)) / fade;
        bytes[at] += ((r - bytes[at]) * alpha) / 255;
        bytes[at + 1] += ((g - bytes[at + 1]) * alpha) / 255;
        bytes[at + 2] += ((b - bytes[at + 2]) * alpha) / 255;
      }
    }
  }
}
