// SPDX-License-Identifier: BSD-3-Clause
// The kinds of results of a search, in the order in which they are listed.

/** @type {[kind: string, title: string][]} */
export const KINDS = [
  ["goroutine", "Goroutines"],
  ["function", "Functions"],
  ["task", "Tasks"],
  ["region", "Regions"],
  ["log", "Logs"],
  ["range", "Ranges"],
  ["reason", "Reasons"],
  ["state", "States"],
];

/** @param {string} kind */
export function kindTitle(kind) {
  return KINDS.find(([name]) => name === kind)?.[1] ?? kind;
}
