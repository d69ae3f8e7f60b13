// SPDX-License-Identifier: BSD-3-Clause
// Notes as a JSON file, which the user exports and imports.

import { noteFrom } from "./noteaddress.js";
import { MOST_NOTES } from "./notes.js";

const VERSION = 1;
/** The longest file that is read, in characters. */
const LONGEST = 1 << 20;

/** @param {Note[]} notes */
export function notesText(notes) {
  return `${JSON.stringify({ version: VERSION, notes }, null, 1)}\n`;
}

/**
 * The notes of a file, and the number of its entries that are not valid notes. Throws if the text
 * is not a file of notes.
 * @param {string} text
 */
export function notesOfText(text) {
  if (text.length > LONGEST) throw new Error("it is longer than 1 MiB");
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  const { version, notes } = /** @type {Record<string, unknown>} */ (value ?? {});
  if (version !== VERSION || !Array.isArray(notes))
    throw new Error(`it is not a file of notes of version ${VERSION}`);
  const good = notes.map((each) => noteFrom(each)).filter((note) => note !== null);
  return { notes: good.slice(0, MOST_NOTES), left: notes.length - good.length };
}
