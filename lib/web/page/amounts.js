// SPDX-License-Identifier: BSD-3-Clause
// Formats amounts of time or of samples, shares of a whole, and points in time.

import {
  formatDuration,
  formatCount,
  formatShare,
  formatTime,
  formatExact,
  formatUTC,
} from "./format.js";

/**
 * @param {number} value
 * @param {string} unit
 */
export function formatAmount(value, unit) {
  if (unit === "ns") return formatDuration(value);
  return `${formatCount(value)} ${value === 1 ? unit.replace(/s$/, "") : unit}`;
}

/**
 * The share of a part in a whole. It is 0 if the whole is 0.
 * @param {number} part
 * @param {number} whole
 */
export function shareOf(part, whole) {
  return formatShare(whole > 0 ? part / whole : 0);
}

/**
 * A point in time with all its digits, in the format that the user has chosen for the timeline's
 * axis.
 * @param {App} app
 * @param {number} ns
 */
export function momentText(app, ns) {
  const { tf, origin } = app.state;
  if (tf === "utc") return formatUTC(app.trace?.start, ns);
  if (tf === "rel" && origin !== null)
    return `${ns < origin ? "" : "+"}${formatExact(ns - origin)}`;
  return formatTime(ns);
}

/**
 * A text that says that an answer is estimated from a sample of the spans; empty if it is exact.
 * @param {boolean | undefined} approximate
 * @param {number} [spans]
 */
export function estimateNote(approximate, spans = 0) {
  if (!approximate) return "";
  return `≈ of ${formatCount(spans)} spans: estimated from a sample until all are examined.`;
}
