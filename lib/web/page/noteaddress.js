// SPDX-License-Identifier: BSD-3-Clause
// Parses notes from untrusted sources: addresses and files.

import { TIME_LIMIT, itemText, numberOf, parseItemText } from "./address.js";

export const LONGEST_NOTE = 2000;

/**
 * The text of a note in the form in which it is stored: without space at its ends, and with U+FFFD
 * instead of control characters and unpaired surrogates, which are not valid in files.
 * @param {string} text
 */
export function cleanText(text) {
  const lines = text.replaceAll(/\r\n?/g, "\n");
  return lines.replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, "\u{fffd}").trim();
}

/** @param {unknown} value */
function isTime(value) {
  return typeof value === "number" && value >= -TIME_LIMIT && value <= TIME_LIMIT;
}

/**
 * Converts a value from an untrusted source to a note; null if it is not a valid note.
 * @param {unknown} value
 * @returns {Note | null}
 */
export function noteFrom(value) {
  if (typeof value !== "object" || value === null) return null;
  const { time, end = null, row = "", text } = /** @type {Record<string, unknown>} */ (value);
  if (!isTime(time) || (end !== null && !isTime(end))) return null;
  if (typeof row !== "string" || !/^([a-z]{1,20}:-?\d{1,20})?$/.test(row)) return null;
  if (typeof text !== "string" || text.length > LONGEST_NOTE) return null;
  const clean = cleanText(text);
  if (clean === "") return null;
  const last = end === null ? null : Math.round(Number(end));
  const note = { time: Math.round(Number(time)), end: last, row, text: clean };
  return note.end !== null && note.end < note.time ? null : note;
}

/**
 * Formats a note for the address: time-end@row~text. The end and the row may be missing.
 * @param {Note} note
 */
export function noteAddress({ time, end, row, text }) {
  const range = end === null ? `${time}` : `${time}-${end}`;
  return `${range}${row === "" ? "" : `@${row}`}~${itemText(text)}`;
}

/** @param {string} address */
export function parseNoteAddress(address) {
  const parts = /^(-?\d+)(?:-(-?\d+))?(?:@([a-z]+:-?\d+))?~(.+)$/s.exec(address);
  const text = parts && parseItemText(parts[4]);
  if (!parts || text === null) return null;
  const time = numberOf(parts[1], -TIME_LIMIT, TIME_LIMIT);
  const end = parts[2] === undefined ? null : numberOf(parts[2], -TIME_LIMIT, TIME_LIMIT);
  return noteFrom({ time, end, row: parts[3] ?? "", text });
}
