// SPDX-License-Identifier: BSD-3-Clause
// Context menus of spans and rows, at the pointer or at the keyboard's position.

import { h } from "./dom.js";

/** @type {{ element: HTMLElement, focus: Element | null } | null} */
let open = null;

/** @param {HTMLElement} menu */
function items(menu) {
  /** @type {NodeListOf<HTMLElement>} */
  const list = menu.querySelectorAll("[role=menuitem]:not([aria-disabled=true])");
  return [...list];
}

/**
 * @param {HTMLElement} menu
 * @param {number} step
 */
function moveFocus(menu, step) {
  const list = items(menu);
  const at = list.findIndex((item) => item === document.activeElement);
  list[(at + step + list.length) % list.length]?.focus();
}

/**
 * Moves the focus to the next item that begins with a letter.
 * @param {HTMLElement} menu
 * @param {string} letter
 */
function focusLetter(menu, letter) {
  const list = items(menu);
  const at = list.findIndex((item) => item === document.activeElement);
  const later = [...list.slice(at + 1), ...list.slice(0, at + 1)];
  later.find((item) => item.innerText.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}

/** @param {Element | null} element */
function click(element) {
  if (element instanceof HTMLElement) element.click();
}

/** @param {KeyboardEvent} event */
function onMenuKey(event) {
  const menu = open?.element;
  if (!menu) return;
  if (event.key === "Tab" || event.key === "Escape") closeMenu();
  else if (event.key === "ArrowDown") moveFocus(menu, 1);
  else if (event.key === "ArrowUp") moveFocus(menu, -1);
  else if (event.key === "Home") items(menu)[0]?.focus();
  else if (event.key === "End") items(menu).at(-1)?.focus();
  else if (event.key === "Enter" || event.key === " ") click(document.activeElement);
  else if (event.key.length === 1) focusLetter(menu, event.key);
  event.preventDefault();
  event.stopPropagation();
}

/** @param {MenuEntry} item */
function menuItem(item) {
  const disabled = item.disabled ? "true" : null;
  const content = [
    h("span", { class: "menu-label" }, item.label),
    item.keys && h("kbd", {}, item.keys),
  ];
  const run = () => {
    if (item.disabled) return;
    closeMenu();
    item.run?.();
  };
  if (item.href && !item.disabled) {
    return h(
      "a",
      {
        role: "menuitem",
        tabindex: "-1",
        href: item.href,
        download: item.download ?? null,
        click: () => closeMenu(),
      },
      content,
    );
  }
  return h(
    "div",
    { role: "menuitem", tabindex: "-1", "aria-disabled": disabled, click: run },
    content,
  );
}

/**
 * Places a menu so that it lies inside the window.
 * @param {HTMLElement} element
 * @param {number} x
 * @param {number} y
 */
function placeMenu(element, x, y) {
  element.style.left = `${Math.max(4, Math.min(x, innerWidth - element.offsetWidth - 4))}px`;
  element.style.top = `${Math.max(4, Math.min(y, innerHeight - element.offsetHeight - 4))}px`;
}

/** @param {Event} event */
function onOutside(event) {
  const inside = event.target instanceof Node && open?.element.contains(event.target);
  if (!inside) closeMenu({ refocus: false });
}

/**
 * The entries without those that a condition left out, with separators only between entries.
 * @param {MenuList} entries
 */
function tidy(entries) {
  /** @type {(MenuEntry | null)[]} */
  const list = [];
  for (const entry of entries) {
    if (entry) list.push(entry);
    else if (entry === null && list.length > 0 && list.at(-1) !== null) list.push(null);
  }
  if (list.at(-1) === null) list.pop();
  return list;
}

/**
 * Opens a menu. When the menu closes, the focus returns to the element that had it before.
 * @param {number} x
 * @param {number} y
 * @param {string} title
 * @param {MenuList} entries
 */
export function openMenu(x, y, title, entries) {
  closeMenu();
  const element = h(
    "div",
    { class: "menu", role: "menu", "aria-label": title, keydown: onMenuKey },
    h("div", { class: "menu-title", role: "presentation" }, title),
    tidy(entries).map((item) => (item ? menuItem(item) : h("div", { role: "separator" }))),
  );
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  open = { element, focus: document.activeElement };
  (document.querySelector("main") ?? document.body).append(element);
  placeMenu(element, x, y);
  items(element)[0]?.focus();
  for (const name of ["pointerdown", "wheel"]) addEventListener(name, onOutside, { capture: true });
  addEventListener("blur", onLeave);
  addEventListener("resize", onLeave);
}

function onLeave() {
  closeMenu();
}

export function closeMenu({ refocus = true } = {}) {
  if (!open) return;
  const { element, focus } = open;
  open = null;
  for (const name of ["pointerdown", "wheel"])
    removeEventListener(name, onOutside, { capture: true });
  removeEventListener("blur", onLeave);
  removeEventListener("resize", onLeave);
  element.remove();
  if (refocus && focus instanceof HTMLElement) focus.focus({ preventScroll: true });
}
