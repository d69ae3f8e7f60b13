// SPDX-License-Identifier: BSD-3-Clause
// Amounts of time or samples, their parts of a whole, and moments, as texts.

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
 * A part of nothing is none.
 * @param {number} part
 * @param {number} whole
 */
export function shareOf(part, whole) {
  return formatShare(whole > 0 ? part / whole : 0);
}

/**
 * A point in time, exact, in the form that the timeline's axis has been set to.
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
