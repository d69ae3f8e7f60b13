// SPDX-License-Identifier: BSD-3-Clause
// Helpers for elements. Text is always inserted as text nodes, because names come from the trace
// and may contain markup.

/**
 * The page's element with this id, which must exist and be of the given kind.
 * @overload
 * @param {string} id
 * @returns {HTMLElement}
 */
/**
 * @template {Element} Kind
 * @overload
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
/**
 * @param {string} id
 * @param {new () => Element} [kind]
 */
export function byId(id, kind = HTMLElement) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`the page has no ${kind.name} with id ${id}`);
  return node;
}

/**
 * The first element in `node` that matches a selector, which must exist and be of the given kind.
 * @template {Element} Kind
 * @param {ParentNode} node
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function findIn(node, selector, kind) {
  const found = node.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`there is no ${kind.name} at ${selector}`);
  return found;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function context2D(canvas, settings) {
  const context = canvas.getContext("2d", settings);
  if (!context) throw new Error("the browser does not draw on canvases");
  return context;
}

/**
 * Sets an attribute of h(): a function becomes a listener, other values properties or attributes.
 * @param {HTMLElement} node
 * @param {string} name
 * @param {unknown} value
 */
function assign(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") {
    node.addEventListener(name, /** @type {EventListener} */ (value));
  } else if (name === "class") node.className = String(value);
  else if (name === "style") Object.assign(node.style, value);
  else if (name === "data") Object.assign(node.dataset, value);
  else if (name in node && typeof value !== "string") Object.assign(node, { [name]: value });
  else node.setAttribute(name, value === true ? "" : String(value));
}

/**
 * A child as a flat list of nodes and strings, without those that a condition left out.
 * @param {Child} child
 * @returns {(Node | string)[]}
 */
export function nodesOf(child) {
  if (child === null || child === undefined || child === false) return [];
  if (Array.isArray(child)) return child.flatMap(nodesOf);
  return [typeof child === "number" ? String(child) : child];
}

/**
 * Creates an element. Children are nodes, strings, nested lists, or null and false, which are left
 * out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) assign(node, name, value);
  node.append(...nodesOf(children));
  return node;
}

/**
 * Replaces the content of an element.
 * @template {Element} Kind
 * @param {Kind} node
 * @param {...Child} children
 * @returns {Kind}
 */
export function fill(node, ...children) {
  node.replaceChildren(...nodesOf(children));
  return node;
}

/**
 * @param {Child} label
 * @param {() => unknown} click
 * @param {Attributes} [attributes]
 */
export function button(label, click, attributes = {}) {
  return h("button", { type: "button", class: "button", click, ...attributes }, label);
}

/**
 * A button with a symbol. Its accessible name and its tooltip say what it does, the latter with the
 * key.
 * @param {string} sign
 * @param {string} name
 * @param {() => unknown} click
 * @param {Attributes & { key?: string }} [options]
 */
export function iconButton(sign, name, click, { key, ...attributes } = {}) {
  const title = key ? `${name} (${key})` : name;
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": name, title, click, ...attributes },
    sign,
  );
}

/**
 * Whether an element takes text input, so that keys are not commands.
 * @param {EventTarget | null} target
 */
export function isTyping(target) {
  return (
    target instanceof Element &&
    target.closest(
      "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]",
    ) !== null
  );
}

/**
 * Calls `action` once there has been no call for `delay` ms.
 * @param {() => unknown} action
 * @param {number} delay
 */
export function debounced(action, delay) {
  let timer = 0;
  const run = () => {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  };
  run.cancel = () => clearTimeout(timer);
  return run;
}

/** How long a button says that it has copied something, in ms. */
const CONFIRMED = 1200;

/**
 * Copies text to the clipboard. The clipboard API exists only on secure origins such as the local
 * host; elsewhere, as behind a forwarded port, a hidden text field is copied from instead.
 * @param {string} text
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

/**
 * A button that copies what `text` returns, and confirms it for a moment. `without` says what the
 * text lacks; it is empty if the text is complete.
 * @param {string} label
 * @param {() => string | { text: string, without: string }} text
 * @param {Attributes} [attributes]
 */
export function copyButton(label, text, attributes = {}) {
  const copier = h(
    "button",
    {
      type: "button",
      class: "button",
      ...attributes,
      click: async () => {
        const found = text();
        const { text: whole, without } =
          typeof found === "string" ? { text: found, without: "" } : found;
        const done = await copyText(whole);
        const said = done && without ? "Copied in part" : done ? "Copied" : "Copying failed";
        copier.textContent = said;
        byId("live").textContent = done && without ? `Copied, without ${without}` : said;
        setTimeout(() => {
          copier.textContent = label;
        }, CONFIRMED);
      },
    },
    label,
  );
  return copier;
}

/**
 * Whether a click has no modifier, so that the page may handle it; the browser handles all others.
 * @param {MouseEvent} event
 */
export function isPlainClick(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
