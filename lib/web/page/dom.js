// SPDX-License-Identifier: BSD-3-Clause
// Building of elements. Text always goes in as text nodes: names come from the trace and may
// hold anything.

/**
 * The page's element with an id; every id that is asked for is in the page's HTML.
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
 * The first element of a kind that a selector finds in a node which contains one.
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
 * Events are given as properties that are functions, the rest as attributes or properties.
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
 * The children without those that a condition left out.
 * @param {Child} child
 * @returns {(Node | string)[]}
 */
export function nodesOf(child) {
  if (child === null || child === undefined || child === false) return [];
  if (Array.isArray(child)) return child.flatMap(nodesOf);
  return [typeof child === "number" ? String(child) : child];
}

/**
 * Makes an element; children are nodes, texts, lists of them, or nothing.
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
 * Replaces all that an element holds.
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
 * A button with a sign; its name is for those who do not see that, and tells its key.
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
 * True where letters are typed, so that keys must not be taken for commands.
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

/**
 * Copies text. The clipboard's own interface is missing where the page is not served from the local
 * host, which a forwarded port with another name is; there a hidden field has to do.
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
 * A button that copies what `text()` gives and says so for a moment.
 * @param {string} label
 * @param {() => string} text
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

/**
 * A plain click, which the page may follow itself; all others are the browser's.
 * @param {MouseEvent} event
 */
export function isPlainClick(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
