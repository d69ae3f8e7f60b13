// SPDX-License-Identifier: BSD-3-Clause
// Draws SVG through the calls of a canvas's context that the timeline uses. Lengths are in CSS
// pixels; texts stay texts, and an image becomes rectangles of equal colour.

import { context2D } from "./dom.js";
import { unpack } from "./colors.js";

const probe = context2D(document.createElement("canvas"));

/** The distance from the point of a text down to its baseline, in units of the font size. */
/** @type {Record<string, number>} */
const BASELINES = { middle: 0.35, top: 0.85, alphabetic: 0, bottom: -0.2 };
/** @type {Record<string, string>} */
const ANCHORS = { right: "end", center: "middle", end: "end" };

/** @param {number} value */
function round(value) {
  return Number(value.toFixed(2));
}

/**
 * A text as a part of XML. Characters that XML does not allow are replaced.
 * @param {string} text
 */
export function xmlText(text) {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * An image as rectangles, by colour: the runs of a line continue those of the line above.
 * @param {ImageData} image
 * @returns {Map<number, number[][]>}
 */
function rectanglesOf({ width, height, data }) {
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  /** @type {Map<number, number[][]>} */
  const found = new Map();
  /** @type {Map<string, number[]>} */
  let above = new Map();
  for (let y = 0; y < height; y++) {
    /** @type {Map<string, number[]>} */
    const here = new Map();
    for (let x = 0, next; x < width; x = next) {
      const word = words[y * width + x];
      next = x + 1;
      while (next < width && words[y * width + next] === word) next++;
      const key = `${x},${next},${word}`;
      let box = above.get(key);
      if (!box) {
        box = [x, y, next - x, 0];
        const boxes = found.get(word);
        if (boxes) boxes.push(box);
        else found.set(word, [box]);
      }
      box[3]++;
      here.set(key, box);
    }
    above = here;
  }
  return found;
}

/** The state of drawing that save() stores and restore() brings back. */
class Style {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign = "left";
  textBaseline = "alphabetic";
}

export class SvgContext extends Style {
  /** @type {string[]} */
  parts = [];
  /** @type {{ style: Style, clips: number }[]} */
  saved = [];
  path = "";
  scale = 1;
  clips = 0;

  /**
   * `prefix` makes ids unique among the parts of a file.
   * @param {number} dpr
   * @param {string} prefix
   */
  constructor(dpr, prefix) {
    super();
    this.dpr = dpr;
    this.prefix = prefix;
  }

  /** @param {number[]} values */
  numbers(...values) {
    return values.map((value) => round(value * this.scale)).join(" ");
  }

  /** @param {number} scale */
  setTransform(scale) {
    this.scale = scale / this.dpr;
  }

  /** @param {string} color */
  paint(color, name = "fill") {
    const alpha = this.globalAlpha < 1 ? ` ${name}-opacity="${round(this.globalAlpha)}"` : "";
    return ` ${name}="${xmlText(String(color))}"${alpha}`;
  }

  clearRect() {
    this.parts.length = 0;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  fillRect(x, y, width, height) {
    this.parts.push(`<path d="${this.box(x, y, width, height)}"${this.paint(this.fillStyle)}/>`);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  box(x, y, width, height) {
    const [across, down, back] = [width, height, -width].map((value) => this.numbers(value));
    return `M${this.numbers(x, y)}h${across}v${down}h${back}z`;
  }

  beginPath() {
    this.path = "";
  }

  closePath() {
    this.path += "z";
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    this.path += `M${this.numbers(x, y)}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  lineTo(x, y) {
    this.path += `L${this.numbers(x, y)}`;
  }

  /** @param {number[]} points */
  quadraticCurveTo(...points) {
    this.path += `Q${this.numbers(...points)}`;
  }

  /** @param {number[]} points */
  bezierCurveTo(...points) {
    this.path += `C${this.numbers(...points)}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  rect(x, y, width, height) {
    this.path += this.box(x, y, width, height);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {number} radius
   */
  roundRect(x, y, width, height, radius) {
    const r = Math.min(radius, width / 2, height / 2);
    const corner = (/** @type {number} */ dx, /** @type {number} */ dy) =>
      `a${this.numbers(r, r)} 0 0 1 ${this.numbers(dx, dy)}`;
    const [across, down] = [width - 2 * r, height - 2 * r];
    this.path += `M${this.numbers(x + r, y)}h${this.numbers(across)}${corner(r, r)}`;
    this.path += `v${this.numbers(down)}${corner(-r, r)}h${this.numbers(-across)}`;
    this.path += `${corner(-r, -r)}v${this.numbers(-down)}${corner(r, -r)}z`;
  }

  fill() {
    if (this.path) this.parts.push(`<path d="${this.path}"${this.paint(this.fillStyle)}/>`);
  }

  stroke() {
    if (!this.path) return;
    const width = ` stroke-width="${this.numbers(this.lineWidth)}"`;
    this.parts.push(
      `<path d="${this.path}" fill="none"${this.paint(this.strokeStyle, "stroke")}${width}/>`,
    );
  }

  clip() {
    const id = `${this.prefix}${this.parts.length}`;
    this.parts.push(
      `<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`,
    );
    this.clips++;
  }

  save() {
    const style = new Style();
    for (const name of Object.keys(style)) Reflect.set(style, name, Reflect.get(this, name));
    this.saved.push({ style, clips: this.clips });
  }

  restore() {
    const saved = this.saved.pop();
    if (!saved) return;
    Object.assign(this, saved.style);
    for (; this.clips > saved.clips; this.clips--) this.parts.push("</g>");
  }

  /** @param {string} text */
  measureText(text) {
    probe.font = this.font;
    return probe.measureText(text);
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   */
  fillText(text, x, y) {
    const [, weight, size, family] = /^(?:(\w+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [];
    const base = y + (BASELINES[this.textBaseline] ?? 0) * Number(size ?? 10);
    const anchor = ANCHORS[this.textAlign];
    const attributes = [
      `x="${this.numbers(x)}" y="${this.numbers(base)}"`,
      `font-size="${this.numbers(Number(size ?? 10))}" font-family="${xmlText(family ?? "")}"`,
      weight && `font-weight="${weight}"`,
      anchor && `text-anchor="${anchor}"`,
    ];
    this.parts.push(
      `<text ${attributes.filter(Boolean).join(" ")}${this.paint(this.fillStyle)}>` +
        `${xmlText(text)}</text>`,
    );
  }

  /** @param {ImageData} image */
  putImageData(image) {
    for (const [word, boxes] of rectanglesOf(image)) {
      const d = boxes.map(([x, y, width, height]) => this.box(x, y, width, height)).join("");
      const [r, g, b] = unpack(word);
      this.parts.push(`<path d="${d}" fill="rgb(${r},${g},${b})"/>`);
    }
  }

  /**
   * Places what another context has drawn, cut to a box.
   * @param {SvgContext} other
   * @param {Box} box
   */
  place(other, { x, y, width, height }) {
    this.parts.push(
      `<svg x="${this.numbers(x)}" y="${this.numbers(y)}" width="${this.numbers(width)}" ` +
        `height="${this.numbers(height)}">`,
      ...other.parts,
      "</svg>",
    );
  }

  /**
   * The whole file.
   * @param {number} width
   * @param {number} height
   */
  file(width, height) {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" ` +
      `viewBox="0 0 ${round(width)} ${round(height)}" shape-rendering="crispEdges" ` +
      `xml:space="preserve">\n${this.parts.join("\n")}\n</svg>\n`
    );
  }
}
