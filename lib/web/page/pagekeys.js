// SPDX-License-Identifier: BSD-3-Clause
// The keys of all pages except the timeline: to the filter, from row to row of a table, and for
// copying links.

import { byId, isTyping } from "./dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * The link or button in the same column of the next row that has one there.
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
 * The element to focus next. If nothing in particular is focused, this is the table's first link.
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
 * Handles a key. Arrow keys keep scrolling the page if there is no row to move to.
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
  if (event.key.toLowerCase() === "y") {
    /** @type {HTMLElement | null} */
    const copier = document.querySelector(`[data-copy=${event.shiftKey ? "curl" : "link"}]`);
    copier?.click();
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
