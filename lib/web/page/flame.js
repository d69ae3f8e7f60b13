// SPDX-License-Identifier: BSD-3-Clause
// A flame graph on a canvas, with the root at the top. The timeline's panel and the profile pages
// use it.

import { button, context2D, copyButton, copyText, fill, h } from "./dom.js";
import {
  foldedText,
  frameKey,
  frameWithKey,
  layoutFlame,
  matchNodes,
  nodeAt,
  stackOf,
} from "./flamelayout.js";
import { drawFlame, frameLabel, frameTitle, ROW } from "./flamedraw.js";
import { differenceOf, leafFirst, nodesOf, withoutRuntime } from "./flametree.js";
import { sourceAddress } from "./sourcelink.js";
import { openMenu } from "./menu.js";
import { flameTable } from "./flametable.js";
import { shareOf, formatAmount } from "./amounts.js";

const ZOOM_TIME = 140;

/**
 * A predicate for a search: text within slashes is a regular expression, other text a substring.
 * @param {string} text
 */
function matcher(text) {
  const expression = /^\/(.+)\/?$/.exec(text.replace(/\/$/, ""));
  if (expression) {
    try {
      const pattern = new RegExp(expression[1], "i");
      return (/** @type {string} */ name) => pattern.test(name);
    } catch {
      return () => false;
    }
  }
  const part = text.toLowerCase();
  return (/** @type {string} */ name) => name.toLowerCase().includes(part);
}

/** @typedef {{ from: number, to: number }} FlameView */

/**
 * Options: the unit ("ns" or "samples"; by default that of the data), the text for a graph without
 * time, and further entries for a frame's menu.
 * @typedef {object} FlameOptions
 * @property {string} [unit]
 * @property {string} [empty]
 * @property {(name: string) => MenuEntry[]} [entries]
 * @property {() => FlameLook} look Returns how the graph must be shown.
 * @property {(change: Partial<FlameLook>) => void} onLook Called when the user changes how the
 * graph is shown.
 * @property {import("./grid.js").SortKeeper} [sorts]
 * @property {FlameBase | null} [base] The data with which those of the graph are compared.
 */

/**
 * The other side of a comparison: its data, the factor for its amounts, and the names of both
 * sides.
 * @typedef {{ data: FlameFacts, scale: number, names: [before: string, after: string] }} FlameBase
 */

/**
 * The modes in which the tree can be shown. "lines" needs another answer of the server.
 * @type {[mode: string, label: string, about: string][]}
 */
const SHAPES = [
  ["leaf", "Leaf first", "Turn the tree around: from where the time was spent to the callers"],
  ["app", "No runtime", "Hide frames of the runtime; their time goes to their callers"],
  ["lines", "Lines", "Tell frames of one function apart by their lines"],
];

/** The mode in which the table is shown instead of the graph. */
const TABLE = "table";
const MODES = [...SHAPES.map(([mode]) => mode), TABLE];

class FlameGraph {
  canvas = h("canvas", {
    tabindex: "0",
    role: "application",
    "aria-label": "Flame graph",
    "aria-roledescription": "flame graph",
    "aria-keyshortcuts": "ArrowUp ArrowDown ArrowLeft ArrowRight Enter Escape",
  });
  context = context2D(this.canvas);
  space = h("div", { class: "flame-space" }, this.canvas);
  scroller = h("div", { class: "flame-scroll" }, this.space);
  tip = h("div", { class: "flame-tip", role: "tooltip", hidden: true });
  status = h("output", { class: "flame-status", "aria-live": "polite" });
  empty = h("div", { class: "empty", hidden: true });
  input = h("input", {
    type: "search",
    class: "field",
    placeholder: "Find function or /regex/",
    "aria-label": "Find function",
    spellcheck: "false",
    autocomplete: "off",
  });
  matched = h("span", { class: "flame-matched", "aria-live": "polite" });
  reset = button("Reset zoom", () => this.zoom(0), { disabled: true });
  toggle = button("Table", () => this.toggleTable(), { "aria-pressed": "false" });
  copier = copyButton("Copy", () => this.copied(), {
    title: "The selected frame's stack, or all stacks in folded form",
  });
  /** @type {Set<string>} */
  modes = new Set();
  modeButtons = SHAPES.map(([mode, label, about]) =>
    button(label, () => this.toggleShape(mode), { title: about, "aria-pressed": "false" }),
  );
  extra = h("span", { class: "flame-extra" });
  tools = h(
    "div",
    { class: "flame-tools" },
    this.input,
    this.matched,
    this.reset,
    this.toggle,
    h("span", { class: "flame-modes", role: "group", "aria-label": "Shape" }, this.modeButtons),
    this.copier,
    this.extra,
  );

  /** @type {FlameFacts | null} */
  data = null;
  tree = layoutFlame([]);
  /**
   * How the graph is shown.
   * @type {FlameLook}
   */
  look = { flame: "", zoom: "", frame: "", find: "" };
  unit = "ns";
  root = 0;
  selected = -1;
  hovered = -1;
  view = { from: 0, to: 1 };
  query = "";
  /** @type {Uint8Array | null} */
  matches = null;
  /** @type {FrameRequestCallback | null} */
  animation = null;
  waiting = false;

  /**
   * @param {HTMLElement} element
   * @param {FlameFacts | null} data
   * @param {FlameOptions} options
   */
  constructor(element, data, options) {
    this.options = options;
    this.look = { ...options.look() };
    this.table = flameTable((name) => this.searchFor(name), options.sorts);
    this.element = h(
      "div",
      { class: "flame" },
      this.tools,
      this.scroller,
      this.table.element,
      this.empty,
      this.status,
      this.tip,
    );
    element.append(this.element);
    this.showModes();
    this.listen();
    this.update(data);
  }

  /** The selected frame's stack or, if none is selected, all stacks that are shown. */
  copied() {
    return this.selected > 0
      ? `${stackOf(this.tree, this.selected).join("\n")}\n`
      : foldedText(this.tree, this.root);
  }

  listen() {
    const { canvas } = this;
    this.input.addEventListener("input", () => this.find(this.input.value));
    this.input.addEventListener("keydown", (event) => this.onInputKey(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    canvas.addEventListener("click", (event) => this.onClick(event));
    canvas.addEventListener("contextmenu", (event) => this.onMenu(event));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
    canvas.addEventListener("blur", () => this.draw());
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    window.addEventListener("themechange", () => this.draw());
  }

  /**
   * Shows other data. The look is kept as far as the data contain the frames that it names.
   * @param {FlameFacts | null} data
   * @param {Partial<FlameOptions>} [options]
   */
  update(data, options = {}) {
    Object.assign(this.options, options);
    this.data = data;
    this.unit = this.options.unit ?? data?.unit ?? "ns";
    this.tree = layoutFlame(this.shape());
    this.hovered = -1;
    this.tip.hidden = true;
    this.space.style.height = `${this.tree.levels.length * ROW + 2}px`;
    this.scroller.scrollTop = 0;
    this.showEmpty();
    this.restore();
    this.table.show(this.tree, this.root, this.unit);
    this.say(Math.max(this.selected, 0));
  }

  /** Restores the zoom, the selected frame and the search from the look. */
  restore() {
    const { tree } = this;
    this.look = { ...this.options.look() };
    const { zoom, frame, find } = this.look;
    this.root = zoom === "" ? 0 : Math.max(0, frameWithKey(tree, zoom));
    this.selected = frame === "" ? -1 : frameWithKey(tree, frame);
    const from = tree.x[this.root] ?? 0;
    this.view = { from, to: from + (tree.total[this.root] || 1) };
    this.animation = null;
    this.reset.disabled = this.root === 0;
    if (this.selected > 0) this.scrollTo(this.selected);
    if (this.input.value !== find) this.input.value = find;
    this.search(find);
  }

  /** Must be called after the look may have changed. */
  follow() {
    const { flame, zoom, frame, find } = this.options.look();
    if (flame !== this.look.flame) {
      this.look.flame = flame;
      this.showModes();
      this.update(this.data);
    } else if (zoom !== this.look.zoom || frame !== this.look.frame || find !== this.look.find)
      this.restore();
  }

  /** @param {Partial<FlameLook>} patch */
  change(patch) {
    Object.assign(this.look, patch);
    this.options.onLook(patch);
  }

  /** The nodes to lay out: the nodes of the data, transformed according to the modes. */
  shape() {
    const { base } = this.options;
    const shaped = (/** @type {FlameFacts | null} */ data) => {
      const nodes = nodesOf(data);
      const shown = this.modes.has("app") ? withoutRuntime(nodes) : nodes;
      return this.modes.has("leaf") ? leafFirst(shown) : shown;
    };
    return base && this.data
      ? differenceOf(shaped(base.data), shaped(this.data), base.scale)
      : shaped(this.data);
  }

  /** Shows which modes are on. */
  showModes() {
    const wanted = new Set(this.look.flame.split(","));
    this.modes = new Set(MODES.filter((mode) => wanted.has(mode)));
    SHAPES.forEach(([mode], i) =>
      this.modeButtons[i].setAttribute("aria-pressed", String(this.modes.has(mode))),
    );
    this.element.classList.toggle("shows-table", this.modes.has(TABLE));
    this.toggle.setAttribute("aria-pressed", String(this.modes.has(TABLE)));
  }

  /** @param {string} mode */
  toggleMode(mode) {
    if (!this.modes.delete(mode)) this.modes.add(mode);
    this.change({ flame: MODES.filter((each) => this.modes.has(each)).join(",") });
    this.showModes();
  }

  /** @param {string} mode */
  toggleShape(mode) {
    this.toggleMode(mode);
    this.update(this.data);
  }

  /** Shows a text instead of an empty graph, which would look like an error. */
  showEmpty() {
    const nothing = !(this.tree.total[0] > 0);
    this.element.classList.toggle("is-empty", nothing);
    this.empty.hidden = !nothing;
    if (nothing)
      fill(
        this.empty,
        this.options.empty ?? "There is nothing here: no stack was recorded for it.",
      );
  }

  toggleTable() {
    this.toggleMode(TABLE);
    if (this.modes.has(TABLE)) this.table.show(this.tree, this.root, this.unit);
    this.draw();
  }

  /** @param {string} name */
  searchFor(name) {
    this.input.value = name;
    this.find(name);
  }

  /**
   * Searches for what the user has typed.
   * @param {string} text
   */
  find(text) {
    this.change({ find: text });
    this.search(text);
  }

  /** @param {string} text */
  search(text) {
    this.query = text;
    const found = text === "" ? null : matchNodes(this.tree, matcher(text), this.root);
    this.matches = found?.matches ?? null;
    const whole = this.tree.total[this.root];
    this.matched.textContent = found ? `${shareOf(found.time, whole)} matched` : "";
    this.table.filter(text === "" ? null : matcher(text));
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  onInputKey(event) {
    if (event.key === "Escape" && this.input.value !== "") {
      this.searchFor("");
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter") {
      this.select(this.nextMatch(event.shiftKey ? -1 : 1));
      event.preventDefault();
    }
  }

  /** @param {number} step */
  nextMatch(step) {
    const { count } = this.tree;
    for (let k = 1; this.matches && k <= count; k++) {
      const i = (Math.max(this.selected, 0) + step * k + count * 2) % count;
      if (this.matches[i]) return i;
    }
    return this.selected;
  }

  /** @param {MouseEvent} event */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const depth = Math.floor((event.clientY - box.top + this.scroller.scrollTop) / ROW);
    const share = (event.clientX - box.left) / box.width;
    const x = this.view.from + share * (this.view.to - this.view.from);
    return nodeAt(this.tree, depth, x);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    this.hover(this.at(event));
    if (this.hovered >= 0) this.placeTip(event.clientX, event.clientY);
  }

  /** @param {number} node */
  hover(node) {
    if (node === this.hovered) return;
    this.hovered = node;
    this.canvas.style.cursor = node >= 0 ? "pointer" : "default";
    this.tip.hidden = node < 0;
    if (node >= 0) fill(this.tip, this.describe(node));
    this.draw();
  }

  /** @param {number} node */
  describe(node) {
    const { tree } = this;
    const share = (/** @type {number} */ of) => shareOf(tree.total[node], tree.total[of]);
    const line = (/** @type {string} */ label, /** @type {string} */ value) =>
      h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, value));
    return [
      h("div", { class: "flame-name" }, node === 0 ? "all" : frameTitle(tree.name[node])),
      tree.file[node] !== "" && h("div", { class: "muted" }, this.placeOf(node)),
      h(
        "table",
        {},
        tree.before
          ? this.changes(node).map(([label, value]) => line(label, value))
          : [
              line("total", formatAmount(tree.total[node], this.unit)),
              line("self", formatAmount(tree.self[node], this.unit)),
            ],
        line("of all", share(0)),
        this.root > 0 && line("of the zoomed frame", share(this.root)),
        node > 0 && line("of its caller", share(tree.parent[node])),
      ),
    ];
  }

  /**
   * The amounts of both sides of a comparison, and their difference.
   * @param {number} node
   * @returns {[label: string, value: string][]}
   */
  changes(node) {
    const { tree, unit } = this;
    const [before, after] = this.options.base?.names ?? ["A", "B"];
    const was = tree.before?.[node] ?? 0;
    const is = Math.max(0, tree.total[node] - was);
    const sign = is >= was ? "+" : "\u2212";
    const part = was > 0 ? `, ${sign}${shareOf(Math.abs(is - was), was)}` : ", new";
    return [
      [before, formatAmount(was, unit)],
      [after, formatAmount(is, unit)],
      ["change", `${sign}${formatAmount(Math.abs(is - was), unit)}${part}`],
    ];
  }

  /**
   * The file of a node with its line, if all its frames have the same.
   * @param {number} node
   */
  placeOf(node) {
    const { file, line } = this.tree;
    return line[node] > 0 ? `${file[node]}:${line[node]}` : `${file[node]}, several lines`;
  }

  /**
   * The entry of the menu that opens the source file of a node, if the host says where files are.
   * @param {number} node
   */
  sourceEntry(node) {
    const href = sourceAddress(this.tree.file[node], this.tree.line[node]);
    if (!href) return false;
    const open = () => h("a", { href, target: "_blank", rel: "noopener" }).click();
    return { label: `Open ${this.placeOf(node).split("/").pop()}`, run: open };
  }

  /**
   * Places the tooltip beside the pointer and inside the window.
   * @param {number} x
   * @param {number} y
   */
  placeTip(x, y) {
    const { tip } = this;
    const left = Math.min(x + 14, innerWidth - tip.offsetWidth - 8);
    const below = y + 18 + tip.offsetHeight < innerHeight;
    tip.style.left = `${Math.max(left, 8)}px`;
    tip.style.top = `${below ? y + 18 : Math.max(y - tip.offsetHeight - 10, 8)}px`;
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const node = this.at(event);
    if (node < 0) return;
    this.select(node);
    if (!event.ctrlKey && !event.metaKey) this.zoom(node === this.root ? this.outer() : node);
  }

  /**
   * Opens the menu of the frame at the pointer or, from the keyboard, of the selected one.
   * @param {MouseEvent} event
   */
  onMenu(event) {
    const node = event.button === 2 ? this.at(event) : Math.max(this.selected, 0);
    event.preventDefault();
    if (node < 0 || !(this.tree.total[0] > 0)) return;
    this.hover(-1);
    this.select(node);
    const name = node === 0 ? "all" : frameTitle(this.tree.name[node]);
    openMenu(event.clientX, event.clientY, name, [
      { label: "Zoom to frame", keys: "Enter", run: () => this.zoom(node) },
      this.root > 0 && { label: "Reset zoom", run: () => this.zoom(0) },
      {
        label: "Highlight this function everywhere",
        run: () => this.searchFor(this.tree.name[node]),
      },
      this.sourceEntry(node),
      { label: "Copy name", run: () => copyText(name) },
      { label: "Copy stack", run: () => copyText(this.copied()) },
      ...(this.options.entries?.(this.tree.name[node]) ?? []),
    ]);
  }

  /** The frame to zoom out to: the nearest caller that is wider, so that the view changes. */
  outer() {
    const { tree } = this;
    let node = this.root;
    while (node > 0 && tree.total[tree.parent[node]] <= tree.total[this.root])
      node = tree.parent[node];
    return node > 0 ? tree.parent[node] : 0;
  }

  /** @param {number} node */
  select(node) {
    this.selected = node;
    this.change({ frame: node >= 0 ? frameKey(this.tree, node) : "" });
    if (node >= 0) {
      this.bringIntoView(node);
      this.say(node);
    }
    this.draw();
  }

  /** @param {number} node */
  scrollTo(node) {
    const top = this.tree.depth[node] * ROW;
    const { scroller } = this;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    const height = scroller.clientHeight;
    if (top + ROW > scroller.scrollTop + height) scroller.scrollTop = top + ROW - height;
  }

  /** @param {number} node */
  bringIntoView(node) {
    this.scrollTo(node);
    if (
      this.tree.x[node] >= this.view.to ||
      this.tree.x[node] + this.tree.total[node] <= this.view.from
    )
      this.zoom(0);
  }

  /** @param {number} node */
  say(node) {
    const { tree } = this;
    if (!(tree.total[0] > 0)) return fill(this.status);
    if (tree.before) return this.sayChange(node);
    const amount = formatAmount(tree.total[node], this.unit);
    const self = formatAmount(tree.self[node], this.unit);
    return fill(
      this.status,
      h("b", {}, node === 0 ? "all" : frameLabel(tree, node, true)),
      ` ${amount}, ${shareOf(tree.total[node], tree.total[0])} of all; self ${self}`,
    );
  }

  /** @param {number} node */
  sayChange(node) {
    const name = node === 0 ? "all" : frameTitle(this.tree.name[node]);
    const said = this.changes(node).map(([label, value]) => `${label} ${value}`);
    fill(this.status, h("b", {}, name), ` ${said.join("; ")}`);
  }

  /** @param {number} node */
  zoom(node) {
    const { tree } = this;
    if (!(tree.total[0] > 0)) return;
    this.root = node;
    this.change({ zoom: node === 0 ? "" : frameKey(tree, node) });
    const target = { from: tree.x[node], to: tree.x[node] + (tree.total[node] || 1) };
    this.reset.disabled = node === 0;
    this.table.show(tree, node, this.unit);
    this.animate(target);
    this.search(this.query);
  }

  /**
   * Moves the view smoothly, unless the user prefers reduced motion.
   * @param {FlameView} target
   */
  animate(target) {
    const from = { ...this.view };
    const begin = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (/** @type {number} */ now) => {
      if (this.animation !== step) return;
      const part = still ? 1 : Math.min(Math.max((now - begin) / ZOOM_TIME, 0), 1);
      const eased = 1 - (1 - part) ** 3;
      this.view = {
        from: part === 1 ? target.from : from.from + (target.from - from.from) * eased,
        to: part === 1 ? target.to : from.to + (target.to - from.to) * eased,
      };
      this.paint();
      if (part < 1) requestAnimationFrame(step);
    };
    this.animation = step;
    requestAnimationFrame(step);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const taken = this.command(event.key);
    if (!taken) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Handles a key. Returns false for keys without effect, so that for example Escape at the root is
   * left to the page.
   * @param {string} key
   */
  command(key) {
    const node = Math.max(this.selected, 0);
    switch (key) {
      case "ArrowDown":
        return this.move(this.widestChild(node));
      case "ArrowUp":
        return this.move(this.tree.parent[node]);
      case "ArrowLeft":
        return this.move(this.sibling(node, -1));
      case "ArrowRight":
        return this.move(this.sibling(node, 1));
      case "Home":
        return this.move(0);
      case "Enter":
      case " ":
        this.zoom(node);
        return true;
      case "Escape":
      case "Backspace":
        if (this.root === 0) return key === "Backspace";
        this.zoom(this.outer());
        return true;
      case "/":
        this.input.focus();
        this.input.select();
        return true;
      default:
        return false;
    }
  }

  /** @param {number} node */
  move(node) {
    if (node >= 0 && node < this.tree.count) this.select(node);
    return true;
  }

  /** @param {number} node */
  widestChild(node) {
    return node + 1 < this.tree.last[node] ? node + 1 : node;
  }

  /**
   * The neighbour at the same depth, which may have another caller.
   * @param {number} node
   * @param {number} step
   */
  sibling(node, step) {
    const level = this.tree.levels[this.tree.depth[node]] ?? [];
    return level[level.indexOf(node) + step] ?? node;
  }

  /** Requests drawing in the next frame, once however often it is called. */
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  paint() {
    const width = this.scroller.clientWidth;
    const height = Math.min(this.scroller.clientHeight, this.tree.levels.length * ROW + 2);
    if (width === 0 || height <= 0) return;
    drawFlame(this.canvas, this.context, {
      tree: this.tree,
      view: this.view,
      root: this.root,
      matches: this.matches,
      hovered: this.hovered,
      selected: this.selected,
      width,
      height,
      top: this.scroller.scrollTop,
      focused: document.activeElement === this.canvas,
      lines: this.modes.has("lines"),
    });
  }
}

/**
 * Puts a flame graph into an element. `data` is an answer with nodes, or null. The result has
 * update(data, options), search(text), zoom(node), and the elements `tools` and `extra` for more
 * tools.
 * @param {HTMLElement} element
 * @param {FlameFacts | null} data
 * @param {FlameOptions} options
 */
export function flameGraph(element, data, options) {
  return new FlameGraph(element, data, { ...options });
}
