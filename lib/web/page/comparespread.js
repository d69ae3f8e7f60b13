// SPDX-License-Identifier: BSD-3-Clause
// The distributions of both sides of a comparison over each other, on a logarithmic axis.

import { h } from "./dom.js";
import { formatCount, formatDuration, formatShare } from "./format.js";
import { scrolling } from "./grid.js";
import { LatencyAxis, axisLabels } from "./histogram.js";
import { binLinks, shape, steps } from "./spark.js";

/** @typedef {{ count: number, shares: number[], counts: number[], buckets: Bucket[] }} Side */

const BINS = 96;
/** @type {[label: string, part: number][]} */
const QUANTILES = [
  ["p50", 0.5],
  ["p90", 0.9],
  ["p99", 0.99],
];

/**
 * Divides buckets among the bins of an axis: a bucket counts for each bin by the part of it, on the
 * axis, that lies there.
 * @param {Bucket[]} buckets
 * @param {LatencyAxis} axis
 * @returns {Side}
 */
function sideOf(buckets, axis) {
  const counts = new Array(BINS).fill(0);
  let total = 0;
  for (const [from, to, count] of buckets) {
    const left = axis.at(from) * BINS;
    const right = Math.max(axis.at(to + 1) * BINS, left + 1e-6);
    total += count;
    for (let bin = Math.min(BINS - 1, Math.floor(left)); bin < BINS && bin < right; bin++) {
      const part = Math.min(right, bin + 1) - Math.max(left, bin);
      counts[bin] += (count * Math.max(0, part)) / (right - left);
    }
  }
  return { count: total, counts, shares: counts.map((each) => each / Math.max(1, total)), buckets };
}

/**
 * The duration that a part of all does not exceed, which lies in the middle of a bucket.
 * @param {Side} side
 * @param {number} part
 */
function quantile({ buckets, count }, part) {
  let below = 0;
  for (const [from, to, some] of buckets) {
    below += some;
    if (below >= count * part) return (from + to) / 2;
  }
  return null;
}

/**
 * The heights are square roots, so that a few slow ones are visible beside many fast ones.
 * @param {Side} before
 * @param {Side} after
 */
function picture(before, after) {
  const heights = (/** @type {Side} */ side) => side.shares.map(Math.sqrt);
  const most = Math.max(...heights(before), ...heights(after));
  const path = (/** @type {Side} */ side) => steps(heights(side), most);
  const svg = shape("svg", {
    viewBox: `0 0 ${BINS} 1`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  svg.append(
    shape("path", { class: "spread-fill is-before", d: `M0,1${path(before)}V1Z` }),
    shape("path", { class: "spread-fill is-after", d: `M0,1${path(after)}V1Z` }),
    shape("path", { class: "spread-line is-before", d: `M0,1${path(before)}V1` }),
    shape("path", { class: "spread-line is-after", d: `M0,1${path(after)}V1` }),
  );
  return svg;
}

/**
 * @param {Side} before
 * @param {Side} after
 */
function quantileTable(before, after) {
  const text = (/** @type {Side} */ side, /** @type {number} */ part) =>
    formatDuration(quantile(side, part));
  const row = (/** @type {string} */ label, /** @type {string} */ name, /** @type {Side} */ side) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("i", { class: `spread-key is-${name}` }), label),
      h("td", { class: "number" }, formatCount(side.count)),
      QUANTILES.map(([, part]) => h("td", { class: "number" }, text(side, part))),
    );
  return h(
    "table",
    { class: "percentiles" },
    h("caption", { class: "hidden-text" }, "Both distributions in numbers"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        ["Count", ...QUANTILES.map(([label]) => label)].map((label) =>
          h("th", { scope: "col", class: "number" }, label),
        ),
      ),
    ),
    h("tbody", {}, row("Before", "before", before), row("After", "after", after)),
  );
}

/**
 * The distributions. `href` returns the address of what is in a range on a side; it is that of
 * the side after the change, unless only the other one has something there.
 * @param {ComparedBuckets} buckets
 * @param {(side: "before" | "after", from: number, to: number) => string} href
 * @param {string} label
 */
export function spreadFigure(buckets, href, label) {
  const both = [...buckets.before, ...buckets.after];
  if (both.length === 0) return null;
  const axis = new LatencyAxis([/** @type {LatencyFacts} */ ({ histogram: both })]);
  const before = sideOf(buckets.before, axis);
  const after = sideOf(buckets.after, axis);
  const time = (/** @type {number} */ bin) =>
    Math.round(10 ** (axis.from + ((axis.to - axis.from) * bin) / BINS));
  const text = (/** @type {number} */ bin) =>
    `${formatDuration(time(bin))} to ${formatDuration(time(bin + 1))}: ` +
    `${formatShare(before.shares[bin])} before, ${formatShare(after.shares[bin])} after`;
  const { link, caption } = binLinks({
    label,
    count: BINS,
    usual: after.shares.indexOf(Math.max(...after.shares)),
    href: (bin) =>
      href(
        after.counts[bin] > 0 || before.counts[bin] === 0 ? "after" : "before",
        time(bin),
        time(bin + 1),
      ),
    text,
    does: "Show what took as long",
    picture: picture(before, after),
  });
  link.classList.add("is-large");
  return h(
    "div",
    { class: "spread" },
    h(
      "figure",
      { class: "spark-figure" },
      link,
      axisLabels(axis, 9),
      h("figcaption", {}, h("span", {}, "Heights are square roots of the shares"), caption),
    ),
    scrolling(quantileTable(before, after)),
  );
}
