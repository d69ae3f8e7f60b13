// SPDX-License-Identifier: BSD-3-Clause
// A small curve over the whole trace, each point of which is a link to that time of the timeline.

import { h } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * The bin that `move` leads to for a key of the keyboard.
 * @type {Record<string, (bin: number, count: number) => number>}
 */
const MOVES = {
  ArrowLeft: (bin) => Math.max(0, bin - 1),
  ArrowRight: (bin, count) => Math.min(count - 1, bin + 1),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/**
 * The steps of the values as commands of an SVG path; the largest value is at 0, and 0 at 1.
 * @param {number[]} values
 * @param {number} most
 */
export function steps(values, most) {
  return values
    .map((value, i) => `V${(1 - (most > 0 ? value / most : 0)).toFixed(4)}H${i + 1}`)
    .join("");
}

/**
 * @param {number[]} values
 * @param {number} most
 */
function picture(values, most) {
  const path = steps(values, most);
  const svg = shape("svg", {
    viewBox: `0 0 ${values.length} 1`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  svg.append(
    shape("path", { class: "spark-fill", d: `M0,1${path}V1Z` }),
    shape("path", { class: "spark-line", d: `M0,${path.slice(1, path.indexOf("H"))}${path}` }),
  );
  return svg;
}

/**
 * What a curve shows: its values by bin, the address of a bin, and the text that says what the
 * value of a bin is.
 * @typedef {{
 *   label: string, values: number[], href: (bin: number) => string, text: (bin: number) => string,
 * }} SparkOptions
 */

/**
 * What is shown bin by bin: the number of bins, the one to begin with, the address of a bin, what
 * is in it, what the link does, and the picture.
 * @typedef {{
 *   label: string, count: number, usual: number, href: (bin: number) => string,
 *   text: (bin: number) => string, does: string, picture: Element,
 * }} BinOptions
 */

/**
 * A picture of bins, each of which is a link, with a line below it that says what is in the bin at
 * the pointer. The arrow keys go from bin to bin.
 * @param {BinOptions} options
 */
export function binLinks({ label, count, usual, href, text, does, picture: drawn }) {
  const cursor = h("i", { class: "spark-cursor" });
  const caption = h("span", { class: "spark-text", "aria-live": "polite" });
  const link = h("a", { class: "spark", href: href(usual) }, drawn, cursor);
  let at = usual;
  const show = (/** @type {number} */ bin) => {
    at = bin;
    link.href = href(bin);
    link.setAttribute("aria-label", `${label}: ${text(bin)}. ${does}`);
    cursor.style.left = `${(100 * (bin + 0.5)) / count}%`;
    caption.textContent = text(bin);
  };
  link.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = link.getBoundingClientRect();
    const bin = Math.floor(((clientX - left) / width) * count);
    show(Math.min(count - 1, Math.max(0, bin)));
  });
  link.addEventListener("pointerleave", () => show(usual));
  link.addEventListener("blur", () => show(usual));
  link.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(move(at, count));
  });
  show(usual);
  return { link, caption };
}

/**
 * A curve with a line below it, which says what the value is at the pointer, or else the largest
 * one.
 * @param {SparkOptions} options
 */
export function sparkline({ label, values, href, text }) {
  const most = Math.max(0, ...values);
  const { link, caption } = binLinks({
    label,
    count: values.length,
    usual: values.indexOf(most),
    href,
    text,
    does: "Show it on the timeline",
    picture: picture(values, most),
  });
  return h(
    "figure",
    { class: "spark-figure" },
    link,
    h("figcaption", {}, h("span", {}, label), caption),
  );
}
