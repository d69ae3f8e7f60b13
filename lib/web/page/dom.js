// SPDX-License-Identifier: BSD-3-Clause
// Building of elements. Text always goes in as text nodes: names come from the trace and may
// hold anything.

/** Events are given as properties that are functions, the rest as attributes or properties. */
function assign(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") node.addEventListener(name, value);
  else if (name === "class") node.className = value;
  else if (name === "style") Object.assign(node.style, value);
  else if (name === "data") Object.assign(node.dataset, value);
  else if (name in node && typeof value !== "string") node[name] = value;
  else node.setAttribute(name, value === true ? "" : value);
}

/** So that a child can be left out where it is written. */
function present(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false);
}

/** Makes an element; children are nodes, texts, lists of them, or nothing. */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) assign(node, name, value);
  node.append(...present(children));
  return node;
}

/** Replaces all that an element holds. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
  return node;
}

export function button(label, click, attributes = {}) {
  return h("button", { type: "button", class: "button", click, ...attributes }, label);
}

/** A button with a sign; its name is for those who do not see that, and tells its key. */
export function iconButton(sign, name, click, { key, ...attributes } = {}) {
  const title = key ? `${name} (${key})` : name;
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": name, title, click, ...attributes },
    sign,
  );
}

/** True where letters are typed, so that keys must not be taken for commands. */
export function isTyping(target) {
  return (
    target instanceof Element &&
    target.closest(
      "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]",
    ) !== null
  );
}

/** Calls fn once calls have paused for `delay` ms. */
export function debounced(fn, delay) {
  let timer = 0;
  const run = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...values), delay);
  };
  run.cancel = () => clearTimeout(timer);
  return run;
}

/**
 * Copies text. The clipboard's own interface is missing where the page is not served from the
 * local host, which a forwarded port with another name is; there a hidden field has to do.
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { class: "offscreen", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** A button that copies what `text()` gives and says so for a moment. */
export function copyButton(label, text, attributes = {}) {
  const copier = h(
    "button",
    {
      type: "button",
      class: "button",
      ...attributes,
      click: async () => {
        const done = await copyText(text());
        copier.textContent = done ? "Copied" : "Copying failed";
        setTimeout(() => {
          copier.textContent = label;
        }, 1200);
      },
    },
    label,
  );
  return copier;
}

/** A plain click, which the page may follow itself; all others are the browser's. */
export function isPlainClick(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
