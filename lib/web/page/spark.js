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
function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/**
 * The steps of the values as commands of an SVG path; the largest value is at 0, and 0 at 1.
 * @param {number[]} values
 * @param {number} most
 */
function steps(values, most) {
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
 * A curve with a line below it, which says what the value is at the pointer, or else the largest
 * one. The arrow keys go from bin to bin.
 * @param {SparkOptions} options
 */
export function sparkline({ label, values, href, text }) {
  const most = Math.max(0, ...values);
  const highest = values.indexOf(most);
  const cursor = h("i", { class: "spark-cursor" });
  const caption = h("span", { class: "spark-text", "aria-live": "polite" });
  const link = h("a", { class: "spark", href: href(highest) }, picture(values, most), cursor);
  let at = highest;
  const show = (/** @type {number} */ bin) => {
    at = bin;
    link.href = href(bin);
    link.setAttribute("aria-label", `${label}: ${text(bin)}. Show it on the timeline`);
    cursor.style.left = `${(100 * (bin + 0.5)) / values.length}%`;
    caption.textContent = text(bin);
  };
  link.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = link.getBoundingClientRect();
    const bin = Math.floor(((clientX - left) / width) * values.length);
    show(Math.min(values.length - 1, Math.max(0, bin)));
  });
  link.addEventListener("pointerleave", () => show(highest));
  link.addEventListener("blur", () => show(highest));
  link.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(move(at, values.length));
  });
  show(highest);
  return h(
    "figure",
    { class: "spark-figure" },
    link,
    h("figcaption", {}, h("span", {}, label), caption),
  );
}
