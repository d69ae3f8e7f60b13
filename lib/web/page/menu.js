// SPDX-License-Identifier: BSD-3-Clause
// Context menus: of spans and rows, at the pointer or at the keyboard's place.

import { h } from "./dom.js";

let open = null;

function items(menu) {
  return [...menu.querySelectorAll("[role=menuitem]:not([aria-disabled=true])")];
}

function moveFocus(menu, step) {
  const list = items(menu);
  const at = list.indexOf(document.activeElement);
  list[(at + step + list.length) % list.length]?.focus();
}

/** Typing a letter goes to the next item that begins with it. */
function focusLetter(menu, letter) {
  const list = items(menu);
  const at = list.indexOf(document.activeElement);
  const later = [...list.slice(at + 1), ...list.slice(0, at + 1)];
  later.find((item) => item.textContent.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}

function onKey(event) {
  const menu = open.element;
  if (event.key === "Tab" || event.key === "Escape") closeMenu();
  else if (event.key === "ArrowDown") moveFocus(menu, 1);
  else if (event.key === "ArrowUp") moveFocus(menu, -1);
  else if (event.key === "Home") items(menu)[0]?.focus();
  else if (event.key === "End") items(menu).at(-1)?.focus();
  else if (event.key === "Enter" || event.key === " ") document.activeElement.click();
  else if (event.key.length === 1) focusLetter(menu, event.key);
  event.preventDefault();
  event.stopPropagation();
}

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
      { role: "menuitem", tabindex: "-1", href: item.href, click: () => closeMenu() },
      content,
    );
  }
  return h(
    "div",
    { role: "menuitem", tabindex: "-1", "aria-disabled": disabled, click: run },
    content,
  );
}

/** Inside the window, whatever the corner it was opened in. */
function place(element, x, y) {
  element.style.left = `${Math.max(4, Math.min(x, innerWidth - element.offsetWidth - 4))}px`;
  element.style.top = `${Math.max(4, Math.min(y, innerHeight - element.offsetHeight - 4))}px`;
}

function onOutside(event) {
  if (!open?.element.contains(event.target)) closeMenu({ refocus: false });
}

/**
 * Opens a menu of {label, run | href, keys?, disabled?}; null is a line between. The focus goes
 * back to where it was when the menu closes.
 */
export function openMenu(x, y, title, entries) {
  closeMenu();
  const element = h(
    "div",
    { class: "menu", role: "menu", "aria-label": title, keydown: onKey },
    h("div", { class: "menu-title", role: "presentation" }, title),
    entries.map((item) => (item ? menuItem(item) : h("div", { role: "separator" }))),
  );
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  open = { element, focus: document.activeElement };
  document.body.append(element);
  place(element, x, y);
  items(element)[0]?.focus();
  for (const name of ["pointerdown", "wheel"]) addEventListener(name, onOutside, { capture: true });
  addEventListener("blur", closeMenu);
  addEventListener("resize", closeMenu);
}

export function closeMenu({ refocus = true } = {}) {
  if (!open) return;
  const { element, focus } = open;
  open = null;
  for (const name of ["pointerdown", "wheel"])
    removeEventListener(name, onOutside, { capture: true });
  removeEventListener("blur", closeMenu);
  removeEventListener("resize", closeMenu);
  element.remove();
  if (refocus) focus?.focus?.({ preventScroll: true });
}
