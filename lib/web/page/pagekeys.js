// SPDX-License-Identifier: BSD-3-Clause
// Keys of the pages beside the timeline: to the filter, and from row to row of a table.

import { isTyping } from "./dom.js";

const FILTERS = ["#page input[type=search]", "#search"];
const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** The link or button in the same column of the next row that has one. */
function neighbour(element, step) {
  const cell = element.closest("td");
  const body = cell?.closest("tbody");
  if (!body || body.closest(".grid") !== cell.closest(".grid")) return null;
  for (let row = cell.parentElement; row; ) {
    row = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    const found = row?.cells[cell.cellIndex]?.querySelector("a, button");
    if (found) return found;
  }
  return null;
}

/** From nowhere in particular the first step goes into the table. */
function nextTarget(main, step) {
  const at = document.activeElement;
  if (at?.closest("#page td")) return neighbour(at, step);
  return at === main || at === document.body ? main.querySelector(".grid tbody td a") : null;
}

/** Arrows scroll where there are no rows to go to, and where the graph has them for itself. */
function onKey(main, event) {
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
    FILTERS.map((filter) => document.querySelector(filter))
      .find(Boolean)
      ?.focus();
    return;
  }
  const target = event.key in STEPS ? nextTarget(main, STEPS[event.key]) : null;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

export function startPageKeys(main) {
  document.addEventListener("keydown", (event) => onKey(main, event));
}
