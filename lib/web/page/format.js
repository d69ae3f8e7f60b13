// SPDX-License-Identifier: BSD-3-Clause
// Formats numbers. Times are whole nanoseconds below 2^53, which a number holds exactly. They are
// split into integers before they are printed, since a division would round the last digits.

/** @type {[unit: string, size: number][]} */
const UNITS = [
  ["s", 1e9],
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
];

/**
 * Removes trailing zeros after the decimal point.
 * @param {string} text
 */
function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * A duration with three or four digits, for tables and labels.
 * @param {number | null | undefined} ns
 */
export function formatDuration(ns) {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return "–";
  const sign = ns < 0 ? "-" : "";
  const value = Math.abs(ns);
  if (value >= 120e9) return sign + formatLong(value);
  const [unit, size] = UNITS.find(([, each]) => value >= each) ?? UNITS[3];
  const scaled = value / size;
  const digits = size === 1 ? (value < 1 ? 2 : 0) : scaled >= 100 ? 1 : scaled >= 10 ? 2 : 3;
  return `${sign}${trimmed(scaled.toFixed(digits))} ${unit}`;
}

/** @param {number} ns */
function formatLong(ns) {
  const whole = ns / 1e9;
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = trimmed((whole % 60).toFixed(hours > 0 ? 0 : 2));
  return hours > 0 ? `${hours} h ${minutes} min ${rest} s` : `${minutes} min ${rest} s`;
}

/**
 * Seconds with this many decimals, exactly: taken from the digits of the integer.
 * @param {number} ns
 * @param {number} digits
 */
function seconds(ns, digits) {
  const whole = Math.round(Math.abs(ns));
  const fraction = String(whole % 1e9)
    .padStart(9, "0")
    .slice(0, digits);
  return `${ns < 0 ? "-" : ""}${Math.floor(whole / 1e9)}${digits > 0 ? `.${fraction}` : ""}`;
}

/**
 * A time in the unit that fits its size, with all digits down to 1 ns.
 * @param {number | null | undefined} ns
 */
export function formatExact(ns) {
  if (ns === null || ns === undefined) return "–";
  const value = Math.round(Math.abs(ns));
  const [unit, size] = UNITS.find(([, each]) => value >= each) ?? UNITS[3];
  const places = Math.round(Math.log10(size));
  const fraction = places > 0 ? `.${String(value % size).padStart(places, "0")}` : "";
  return `${ns < 0 ? "-" : ""}${trimmed(`${Math.floor(value / size)}${fraction}`)} ${unit}`;
}

/**
 * A time since the trace's start in seconds, with all digits down to 1 ns.
 * @param {number} ns
 */
export function formatTime(ns) {
  return `${trimmed(seconds(ns, 9))} s`;
}

/**
 * The number of decimals, in seconds, that labels at this step need.
 * @param {number} step
 */
export function placesOf(step) {
  return Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(Math.max(1, step)) + 1e-9)));
}

/**
 * The label of a tick on an axis with steps of `step` ns, in the unit of the largest time shown.
 * @param {number} ns
 * @param {number} step
 * @param {number} extent
 */
export function formatTick(ns, step, extent) {
  const value = Math.abs(ns);
  if (value === 0) return "0";
  const [unit, size] = UNITS.find(([, each]) => Math.max(value, extent / 8) >= each) ?? UNITS[3];
  const places = Math.max(
    0,
    Math.round(Math.log10(size)) - Math.floor(Math.log10(Math.max(1, step)) + 1e-9),
  );
  const whole = Math.floor(value / size);
  const fraction = String(Math.round(value % size))
    .padStart(Math.round(Math.log10(size)), "0")
    .slice(0, places);
  return `${ns < 0 ? "-" : ""}${places > 0 ? `${whole}.${fraction}` : whole} ${unit}`;
}

/** @typedef {{ seconds: number, ns: number }} TraceStart */

/**
 * The trace's start as whole seconds since 1970 and nanoseconds; null if it is not known.
 * @param {string | null} text
 */
export function parseStart(text) {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(
    text ?? "",
  );
  if (!parts) return null;
  const ms = Date.parse(parts[1] + parts[3]);
  return Number.isNaN(ms)
    ? null
    : { seconds: ms / 1000, ns: Number((parts[2] ?? "0").padEnd(9, "0")) };
}

/**
 * The date and the time of day in UTC, with this many decimals of the second, at `ns` after the
 * start.
 * @param {TraceStart} start
 * @param {number} ns
 */
export function utcParts(start, ns, places = 9) {
  const carry = start.ns + Math.round(ns);
  const date = new Date((start.seconds + Math.floor(carry / 1e9)) * 1000).toISOString();
  const fraction = String(((carry % 1e9) + 1e9) % 1e9)
    .padStart(9, "0")
    .slice(0, places);
  return { date: date.slice(0, 10), time: date.slice(11, 19) + (places > 0 ? `.${fraction}` : "") };
}

/**
 * @param {string | null} startText
 * @param {number} ns
 */
export function formatUTC(startText, ns) {
  const start = parseStart(startText);
  if (!start) return formatTime(ns);
  const { date, time } = utcParts(start, ns);
  return `${date} ${time} UTC`;
}

/** @param {number | null | undefined} bytes */
export function formatBytes(bytes) {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  let value = bytes;
  while (value >= 1024 && i < units.length - 1) {
    value /= 1024;
    i++;
  }
  return `${trimmed(value.toFixed(i === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2))} ${units[i]}`;
}

const counts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** @param {number | null | undefined} n */
export function formatCount(n) {
  return n === null || n === undefined ? "–" : counts.format(n);
}

/**
 * A mean of counts. Small means have more digits, so that they are not rounded to 0.
 * @param {number} mean
 */
export function formatMean(mean) {
  if (mean > 0 && mean < 0.01) return "<0.01";
  return mean < 10 ? trimmed(mean.toFixed(2)) : formatCount(mean);
}

/**
 * A number of things, such as "3 events".
 * @param {number} count
 * @param {string} noun
 */
export function formatPlural(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A share between 0 and 1 as a percentage.
 * @param {number} share
 */
export function formatShare(share) {
  if (!Number.isFinite(share)) return "–";
  const percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  const digits = percent >= 99.95 || percent === 0 ? 0 : 1;
  return `${trimmed(percent.toFixed(digits))} %`;
}
