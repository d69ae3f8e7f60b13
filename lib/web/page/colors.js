// SPDX-License-Identifier: BSD-3-Clause
// The classes of spans and their colours, which the style sheet defines: as CSS variables for
// elements, and as pixels for what is painted on canvases.

import { context2D } from "./dom.js";

/** The classes in the server's order, which is also the order in a stacked bar. */
export const CLASSES = [
  "running",
  "running_gc",
  "syscall",
  "syscall_blocked",
  "runnable",
  "wait_chan",
  "wait_sync",
  "wait_net",
  "wait_sleep",
  "wait_gc",
  "wait_other",
  "region",
  "task",
  "range",
  "gc",
  "stw",
];

/** @type {Record<string, string>} */
const TITLES = {
  running: "Running",
  running_gc: "Running: garbage collector",
  syscall: "System call",
  syscall_blocked: "System call, blocked",
  runnable: "Runnable",
  wait_chan: "Waiting: channel",
  wait_sync: "Waiting: sync",
  wait_net: "Waiting: network",
  wait_sleep: "Waiting: sleep",
  wait_gc: "Waiting: garbage collector",
  wait_other: "Waiting",
  region: "Region",
  task: "Task",
  range: "Range",
  gc: "Garbage collection",
  stw: "Stop the world",
};

/** The number of shades per class, which tell neighbouring spans of one class apart. */
export const SHADES = 4;

/** @type {Record<string, number>} */
export const CLASS_INDEX = Object.fromEntries(CLASSES.map((name, i) => [name, i]));

/** @param {string} name */
export function classTitle(name) {
  return TITLES[name] ?? name;
}

/** @param {string} name */
export function classVar(name) {
  return `var(--class-${name.replaceAll("_", "-")})`;
}

const probe = context2D(document.createElement("canvas"), { willReadFrequently: true });

/**
 * Parses a colour in any CSS notation to [r, g, b, a], by letting the browser paint it.
 * @param {string} text
 */
export function parseColor(text) {
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = text;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data];
}

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * A colour as a word of an ImageData.
 * @param {number[]} color
 */
export function pack([r, g, b]) {
  return (
    (littleEndian
      ? 0xff000000 | (b << 16) | (g << 8) | r
      : (r << 24) | (g << 16) | (b << 8) | 0xff) >>> 0
  );
}

/**
 * The reverse of pack().
 * @param {number} word
 */
export function unpack(word) {
  const parts = [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, word >>> 24];
  return littleEndian ? parts.slice(0, 3) : parts.slice(1).reverse();
}

/**
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} share
 */
export function mix(a, b, share) {
  return [0, 1, 2].map((i) => Math.round(a[i] * (1 - share) + b[i] * share));
}

/**
 * The relative luminance, as WCAG defines it.
 * @param {number[]} color
 */
function luminance(color) {
  const [r, g, b] = color.map((v) =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {number[]} color */
function textColorOn(color) {
  const light = luminance(color);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.058 ? [255, 255, 255] : [16, 20, 26];
}

/**
 * The shades of a colour. They move away from the colour of the text, so that it stays legible.
 * @param {number[]} color
 */
function shadesOf(color) {
  const [red] = textColorOn(color);
  const away = red === 255 ? [0, 0, 0] : [255, 255, 255];
  return [0, 0.18, 0.09, 0.27].map((share) => mix(color, away, share));
}

class Palette {
  // The variables of the style sheet.
  bg = "";
  bgRaised = "";
  panel = "";
  fg = "";
  muted = "";
  faint = "";
  line = "";
  lineStrong = "";
  accent = "";
  accentSoft = "";
  hover = "";
  warn = "";
  font = "";
  dark = false;
  /**
   * The colours of the classes, in the order of CLASSES.
   * @type {string[]}
   */
  css = [];
  // Colours as words of an ImageData.
  pixelBg = 0;
  pixelRaised = 0;
  pixelLine = 0;
  pixelLineStrong = 0;
  pixelMissing = 0;
  /**
   * The colours that mark periods of all rows, as [r, g, b].
   * @type {Record<"gc" | "stw", number[]>}
   */
  marks = { gc: [], stw: [] };
  /** For each class and shade: the colour of a bar, and that of its left edge. */
  solid = new Uint32Array(CLASSES.length * SHADES);
  edge = new Uint32Array(CLASSES.length * SHADES);
  /**
   * The colour of the text on each of these.
   * @type {number[][]}
   */
  text = [];

  constructor() {
    this.read();
  }

  /** Reads the style sheet: at the start, and after each change of the theme. */
  read() {
    const style = getComputedStyle(document.documentElement);
    const get = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    this.bg = get("bg");
    this.bgRaised = get("bg-raised");
    this.panel = get("panel");
    this.fg = get("fg");
    this.muted = get("muted");
    this.faint = get("faint");
    this.line = get("line");
    this.lineStrong = get("line-strong");
    this.accent = get("accent");
    this.accentSoft = get("accent-soft");
    this.hover = get("hover");
    this.warn = get("warn");
    this.font = get("font") || "sans-serif";
    this.css = CLASSES.map((name) => get(`class-${name.replaceAll("_", "-")}`));
    this.readPixels();
  }

  readPixels() {
    const base = this.css.map((color) => parseColor(color).slice(0, 3));
    const background = parseColor(this.bg);
    this.dark = luminance(background.slice(0, 3)) < 0.2;
    this.pixelBg = pack(background);
    this.pixelRaised = pack(parseColor(this.bgRaised));
    this.pixelLine = pack(mix(background, parseColor(this.line), 0.75));
    this.pixelLineStrong = pack(parseColor(this.lineStrong));
    this.pixelMissing = pack(mix(background, parseColor(this.fg), 0.045));
    this.marks = { gc: base[CLASS_INDEX.gc], stw: base[CLASS_INDEX.stw] };
    this.text = [];
    base.forEach((color, i) => this.addShades(color, i));
  }

  /**
   * @param {number[]} color
   * @param {number} index
   */
  addShades(color, index) {
    const ends = this.dark ? 0.45 : 0.28;
    shadesOf(color).forEach((shade, i) => {
      this.solid[index * SHADES + i] = pack(shade);
      this.edge[index * SHADES + i] = pack(mix(shade, [0, 0, 0], ends));
      this.text.push(textColorOn(color));
    });
  }
}

export const palette = new Palette();
