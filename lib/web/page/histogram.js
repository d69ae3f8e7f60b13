// SPDX-License-Identifier: BSD-3-Clause
// Histograms of latencies over a logarithmic axis. Each bar links to the entries in it.

import { h } from "./dom.js";
import { formatDuration, formatCount } from "./format.js";

/**
 * The address to which a bar links, the histogram's label, and the range of latencies outside of
 * which bars are pale.
 * @typedef {object} HistogramOptions
 * @property {(from: number, to: number) => string} href
 * @property {string} label
 * @property {string} [kind]
 * @property {number} [min]
 * @property {number} [max]
 */

/** @type {PercentileKey[]} */
const MARKED = ["p50", "p95", "p99"];
const LEAST = 7;

/**
 * An axis from the power of ten below the shortest latency to the one above the longest. A latency
 * of 0 is placed before 1 ns.
 */
export class LatencyAxis {
  /** @param {LatencyFacts[]} types */
  constructor(types) {
    const filled = types.flatMap((type) => type.histogram.filter(([, , count]) => count > 0));
    const first = Math.min(...filled.map(([from]) => from));
    const last = Math.max(...filled.map(([, to]) => to), 1);
    this.from = filled.length === 0 ? 0 : first < 1 ? -0.3 : Math.floor(Math.log10(first));
    this.to = Math.max(Math.ceil(Math.log10(last + 1) - 1e-9), this.from + 1);
  }

  /**
   * The position of a time, from 0 to 1.
   * @param {number} ns
   */
  at(ns) {
    const place = ns < 1 ? this.from : (Math.log10(ns) - this.from) / (this.to - this.from);
    return Math.min(1, Math.max(0, ns < 1 ? 0 : place));
  }

  /**
   * The powers of ten to label, at most `most` of them.
   * @param {number} most
   */
  ticks(most) {
    const step = Math.ceil((this.to - this.from) / most);
    const list = [];
    for (let power = Math.ceil(this.from); power <= this.to; power += step) list.push(10 ** power);
    return list;
  }
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(2)}%`;
}

/**
 * The labels of the axis. The first and the last are aligned to its ends.
 * @param {LatencyAxis} axis
 * @param {number} most
 */
export function axisLabels(axis, most) {
  return h(
    "span",
    { class: "histogram-axis", "aria-hidden": "true" },
    axis.ticks(most).map((ns) => {
      const at = axis.at(ns);
      const align = at < 0.02 ? "0" : at > 0.98 ? "-100%" : "-50%";
      return h(
        "span",
        { style: { left: percent(at), transform: `translateX(${align})` } },
        formatDuration(ns),
      );
    }),
  );
}

/**
 * A bar. Its height is the square root of the count, so that a few slow entries are visible beside
 * many fast ones; for the pointer it is as tall as the plot.
 * @param {Bucket} bucket
 * @param {LatencyAxis} axis
 * @param {number} most
 * @param {HistogramOptions} options
 */
function bar([from, to, count], axis, most, options) {
  const title = `${formatDuration(from)} to ${formatDuration(to + 1)}: ${formatCount(count)}`;
  const left = axis.at(from);
  const within = from >= (options.min ?? 0) && to <= (options.max ?? Infinity);
  return h(
    "a",
    {
      class: within ? "histogram-bar" : "histogram-bar is-outside",
      href: options.href(from, to),
      title,
      "aria-label": title,
      tabindex: "-1",
      style: { left: percent(left), width: percent(Math.max(0.004, axis.at(to + 1) - left)) },
    },
    h("span", {
      class: "histogram-fill",
      style: { height: `${Math.max(LEAST, 100 * Math.sqrt(count / most))}%` },
    }),
  );
}

/**
 * @param {LatencyFacts} type
 * @param {LatencyAxis} axis
 */
function marks(type, axis) {
  return MARKED.map((name) =>
    h("span", {
      class: `histogram-mark ${name}`,
      "aria-hidden": "true",
      style: { left: percent(axis.at(type[name])) },
    }),
  );
}

/**
 * Moves the focus from bar to bar with the arrow keys, so that the histogram is a single tab stop.
 * @param {KeyboardEvent} event
 */
function onHistogramKey(event) {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof Element)) return;
  const bars = [...event.currentTarget.querySelectorAll("a")];
  const next = bars[bars.findIndex((each) => each === document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * A histogram of the latencies of a type, with marks at its percentiles.
 * @param {LatencyFacts} type
 * @param {LatencyAxis} axis
 * @param {HistogramOptions} options
 */
export function latencyHistogram(type, axis, options) {
  const filled = type.histogram.filter(([, , count]) => count > 0);
  const most = Math.max(1, ...filled.map(([, , count]) => count));
  const bars = filled.map((bucket) => bar(bucket, axis, most, options));
  if (bars.length > 0) bars[0].tabIndex = 0;
  return h(
    "span",
    {
      class: `histogram ${options.kind ?? ""}`,
      role: "group",
      "aria-label": options.label,
      keydown: onHistogramKey,
    },
    filled.length > 1 && marks(type, axis),
    bars,
  );
}
