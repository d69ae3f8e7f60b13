// SPDX-License-Identifier: BSD-3-Clause
// The keys of all pages except the timeline: they focus the filter, move from row to row of a
// table, copy links, and open the command palette.

import { byId, isTyping } from "./dom.js";
import { pageCommands } from "./pagecommands.js";
import { openPalette, registerCommands } from "./palette.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };
/** The buttons that copy what the page shows. */
const COPIERS = { link: "[data-copy=link]", curl: "[data-copy=curl]" };

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

/** @param {string} selector */
function clickFirst(selector) {
  document.querySelector(selector)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

function focusSearch() {
  /** @type {HTMLElement | null} */
  const field = document.querySelector("#page input[type=search]");
  (field ?? byId("search")).focus();
}

/** The commands that the palette offers in addition to the links to other pages. */
function ownCommands() {
  return [
    { id: "search", group: "Find", title: "Search or filter", keys: "/", run: focusSearch },
    {
      id: "copy-link",
      group: "Copy",
      title: "Link to what is shown",
      keys: "Y",
      run: () => clickFirst(COPIERS.link),
    },
    {
      id: "copy-curl",
      group: "Copy",
      title: "As curl: the command that fetches this",
      keys: "Shift+Y",
      run: () => clickFirst(COPIERS.curl),
      when: () => document.querySelector(COPIERS.curl) !== null,
    },
  ];
}

/**
 * Whether a key opens the palette, as it does on the timeline.
 * @param {KeyboardEvent} event
 */
function isForPalette({ key, ctrlKey, metaKey, shiftKey, altKey }) {
  const letter = key.toLowerCase();
  return (ctrlKey || metaKey) && !altKey && (shiftKey ? letter === "p" : letter === "k");
}

/**
 * Handles a key. Arrow keys keep scrolling the page if there is no row to move to.
 * @param {HTMLElement} main
 * @param {KeyboardEvent} event
 */
function onPageKey(main, event) {
  if (isForPalette(event)) {
    event.preventDefault();
    openPalette();
    return;
  }
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
    focusSearch();
    return;
  }
  if (event.key.toLowerCase() === "y") {
    clickFirst(event.shiftKey ? COPIERS.curl : COPIERS.link);
    return;
  }
  const target = event.key in STEPS ? nextTarget(main, STEPS[event.key]) : null;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** @param {HTMLElement} main */
export function startPageKeys(main) {
  registerCommands([...ownCommands(), ...pageCommands()]);
  document.addEventListener("keydown", (event) => onPageKey(main, event));
}
