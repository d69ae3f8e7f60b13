// SPDX-License-Identifier: BSD-3-Clause
// Keys of the pages beside the timeline: to the filter, and from row to row of a table.

import { byId, isTyping } from "./dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * The link or button in the same column of the next row that has one.
 * @param {Element} element
 * @param {number} step
 */
function neighbour(element, step) {
  const cell = element.closest("td");
  const body = cell?.closest("tbody");
  if (!cell || !body || body.closest(".grid") !== cell.closest(".grid")) return null;
  for (let row = cell.closest("tr"); row; ) {
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    row = next instanceof HTMLTableRowElement ? next : null;
    /** @type {HTMLElement | null | undefined} */
    const found = row?.cells[cell.cellIndex]?.querySelector("a, button");
    if (found) return found;
  }
  return null;
}

/**
 * From nowhere in particular the first step goes into the table.
 * @param {HTMLElement} main
 * @param {number} step
 */
function nextTarget(main, step) {
  const at = document.activeElement;
  if (at?.closest("#page td")) return neighbour(at, step);
  /** @type {HTMLElement | null} */
  const first = main.querySelector(".grid tbody td a");
  return at === main || at === document.body ? first : null;
}

/**
 * Arrows scroll where there are no rows to go to, and where the graph has them for itself.
 * @param {HTMLElement} main
 * @param {KeyboardEvent} event
 */
function onPageKey(main, event) {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target)
  )
    return;
  if (event.key === "/") {
    event.preventDefault();
    /** @type {HTMLElement | null} */
    const field = document.querySelector("#page input[type=search]");
    (field ?? byId("search")).focus();
    return;
  }
  const target = event.key in STEPS ? nextTarget(main, STEPS[event.key]) : null;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** @param {HTMLElement} main */
export function startPageKeys(main) {
  document.addEventListener("keydown", (event) => onPageKey(main, event));
}
