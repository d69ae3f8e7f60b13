// SPDX-License-Identifier: BSD-3-Clause
// The plot of the mutator utilization over the length of the window, which has a logarithmic axis.

import { h, fill } from "./dom.js";
import { formatDuration, formatShare } from "./format.js";

const SPACE = { left: 58, right: 18, top: 14, bottom: 46 };
const SVG = "http://www.w3.org/2000/svg";

// The position of elements that are not visible.
const OUTSIDE = -10;

/**
 * @param {Element} node
 * @param {Record<string, string | number>} attributes
 */
function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

class Scale {
  /**
   * @param {MmuPoint[]} curve
   * @param {number} width
   * @param {number} height
   */
  constructor(curve, width, height) {
    this.from = Math.log10(curve[0][0]);
    this.to = Math.max(this.from + 1e-9, Math.log10(curve[curve.length - 1][0]));
    this.right = width - SPACE.right;
    this.bottom = height - SPACE.bottom;
  }

  /** @param {number} window */
  x(window) {
    return (
      SPACE.left +
      ((Math.log10(window) - this.from) / (this.to - this.from)) * (this.right - SPACE.left)
    );
  }

  /** @param {number} share */
  y(share) {
    return SPACE.top + (1 - share) * (this.bottom - SPACE.top);
  }

  /**
   * The length of window at an x, limited to those of the curve.
   * @param {number} x
   */
  window(x) {
    const power =
      this.from + ((x - SPACE.left) / (this.right - SPACE.left)) * (this.to - this.from);
    return 10 ** Math.min(this.to, Math.max(this.from, power));
  }

  /** The powers of ten in the range of the curve. */
  decades() {
    const list = [];
    for (let power = Math.ceil(this.from - 1e-9); power <= this.to + 1e-9; power++)
      list.push(10 ** power);
    return list;
  }
}

/** @param {Scale} scale */
function shareAxis(scale) {
  return [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const y = scale.y(share);
    return [
      s("line", { class: "grid-line", x1: SPACE.left, x2: scale.right, y1: y, y2: y }),
      s(
        "text",
        { class: "axis-text", x: SPACE.left - 8, y: y + 4, "text-anchor": "end" },
        `${share * 100} %`,
      ),
    ];
  });
}

/** @param {Scale} scale */
function windowAxis(scale) {
  const lines = scale.decades().flatMap((window) => {
    const x = scale.x(window);
    const minor = [2, 5]
      .map((times) => times * window)
      .filter((each) => Math.log10(each) < scale.to)
      .map((each) =>
        s("line", {
          class: "grid-line minor",
          x1: scale.x(each),
          x2: scale.x(each),
          y1: SPACE.top,
          y2: scale.bottom,
        }),
      );
    return [
      s("line", { class: "grid-line", x1: x, x2: x, y1: SPACE.top, y2: scale.bottom }),
      ...minor,
      s(
        "text",
        { class: "axis-text", x, y: scale.bottom + 18, "text-anchor": "middle" },
        formatDuration(window),
      ),
    ];
  });
  return [
    ...lines,
    s(
      "text",
      {
        class: "axis-text axis-name",
        x: (SPACE.left + scale.right) / 2,
        y: scale.bottom + 38,
        "text-anchor": "middle",
      },
      "Length of the window",
    ),
  ];
}

/**
 * The points of a line. `at` is the index of the value: 1 is the minimum, percentiles follow.
 * @param {MmuPoint[]} curve
 * @param {Scale} scale
 * @param {number} at
 */
function pointsOf(curve, scale, at) {
  return curve
    .map((point) => `${scale.x(point[0]).toFixed(1)},${scale.y(point[at]).toFixed(1)}`)
    .join(" ");
}

/**
 * @param {MmuPoint[]} curve
 * @param {Scale} scale
 * @param {string[]} names
 */
function curves(curve, scale, names) {
  const [left, right] = [SPACE.left, scale.right].map((x) => `${x},${scale.bottom}`);
  const fillPoints = `${left} ${pointsOf(curve, scale, 1)} ${right}`;
  return [
    s("polygon", { class: "curve-fill", points: fillPoints }),
    ...names.map((_, i) =>
      s("polyline", {
        class: `curve percentile percentile-${i}`,
        points: pointsOf(curve, scale, 2 + i),
      }),
    ),
    s("polyline", { class: "curve minimum", points: pointsOf(curve, scale, 1) }),
  ];
}

/**
 * The values at a length of window, interpolated between the neighbouring points.
 * @param {MmuPoint[]} curve
 * @param {number} window
 */
function valuesAt(curve, window) {
  const after = curve.findIndex((point) => point[0] >= window);
  if (after <= 0) return curve[after < 0 ? curve.length - 1 : 0];
  const [a, b] = [curve[after - 1], curve[after]];
  const share = (Math.log(window) - Math.log(a[0])) / (Math.log(b[0]) - Math.log(a[0]));
  return a.map((value, i) => value + (b[i] - value) * share);
}

export class MmuPlot {
  legend = h("p", { class: "legend" });
  holder = h("div", { class: "mmu-curves" });
  buttons = h("p", { class: "tools" });
  element = h("div", { class: "mmu-plot" }, this.legend, this.holder, this.buttons);
  label = h("div", { class: "mmu-value", hidden: true });
  chosen = s("line", { class: "chosen-line" });
  cursor = s("line", { class: "cursor-line" });
  dot = s("circle", { class: "cursor-dot", r: 4 });
  svg = s("svg", {
    tabindex: 0,
    role: "slider",
    "aria-label": "Window length; Enter lists the worst windows",
    "aria-valuemin": 0,
  });
  /** @type {MmuPoint[]} */
  curve = [];
  /** @type {string[]} */
  names = [];
  /** @type {Scale | null} */
  scale = null;
  /** The width of the plot when it was last drawn. */
  drawn = 0;
  /**
   * The length of window for which the worst ones are listed, and the one at the pointer.
   * @type {number | null}
   */
  marked = null;
  /** @type {number | null} */
  pointed = null;

  /**
   * `pick` is called with the length of window that the user chooses.
   * @param {(window: number) => void} pick
   */
  constructor(pick) {
    this.pick = pick;
    new ResizeObserver(() => this.draw()).observe(this.holder);
    this.svg.addEventListener("pointermove", (event) => this.point(this.windowAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("click", (event) => {
      const window = this.windowAt(event);
      if (window !== null) this.pick(window);
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * @param {MmuFacts} answer
   * @param {boolean} percentiles
   */
  show(answer, percentiles) {
    this.curve = answer.curve;
    this.names = percentiles ? answer.percentiles.map((each) => `p${each}`) : [];
    this.drawn = 0;
    this.draw();
    this.fillButtons();
    const entry = (/** @type {string} */ kind, /** @type {string} */ label) =>
      h("span", { class: "legend-entry" }, h("span", { class: `line-sample ${kind}` }), label);
    fill(
      this.legend,
      this.curve.length > 0 && [
        entry("minimum", "Minimum"),
        this.names.map((name, i) => entry(`percentile-${i}`, name)),
      ],
    );
  }

  /** Draws the plot at the size of its holder, so that its text has the same size as other text. */
  draw() {
    const width = this.holder.clientWidth;
    if (width === 0 || width === this.drawn) return;
    this.drawn = width;
    if (this.curve.length === 0) {
      this.scale = null;
      fill(this.holder, h("p", { class: "empty" }, "The trace is too short for a curve."));
      return;
    }
    const height = this.holder.clientHeight;
    this.scale = new Scale(this.curve, width, height);
    this.build(this.scale, width, height);
    this.point(null);
    this.mark(this.marked);
  }

  /**
   * @param {Scale} scale
   * @param {number} width
   * @param {number} height
   */
  build(scale, width, height) {
    const attributes = {
      width,
      height,
      "aria-valuemax": this.curve.length - 1,
      "aria-valuenow": 0,
    };
    setAttributes(this.svg, attributes);
    for (const line of [this.chosen, this.cursor])
      setAttributes(line, { y1: SPACE.top, y2: scale.bottom, x1: OUTSIDE, x2: OUTSIDE });
    this.svg.replaceChildren(
      ...shareAxis(scale),
      ...windowAxis(scale),
      ...curves(this.curve, scale, this.names),
      this.chosen,
      this.cursor,
      this.dot,
    );
    fill(this.holder, this.svg, this.label);
  }

  /** @param {MouseEvent} event */
  windowAt(event) {
    const x = event.clientX - this.svg.getBoundingClientRect().left;
    return this.scale?.window(x) ?? null;
  }

  /**
   * Shows the values at a length of window; null hides them.
   * @param {number | null} window
   */
  point(window) {
    const { scale } = this;
    this.pointed = window;
    this.label.hidden = window === null;
    if (window === null || !scale) {
      setAttributes(this.cursor, { x1: OUTSIDE, x2: OUTSIDE });
      setAttributes(this.dot, { cx: OUTSIDE, cy: OUTSIDE });
      return;
    }
    const values = valuesAt(this.curve, window);
    const x = scale.x(window);
    setAttributes(this.cursor, { x1: x, x2: x });
    setAttributes(this.dot, { cx: x, cy: scale.y(values[1]) });
    fill(
      this.label,
      h("b", {}, formatDuration(Math.round(window))),
      h("span", {}, `minimum ${formatShare(values[1])}`),
      this.names.map((name, i) => h("span", {}, `${name} ${formatShare(values[2 + i])}`)),
    );
    const left = x > scale.right / 2;
    Object.assign(this.label.style, {
      left: left ? "auto" : `${x + 10}px`,
      right: left ? `${this.holder.clientWidth - x + 10}px` : "auto",
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.curve.length - 1;
    if (last < 0) return;
    const at = this.curve.findIndex((point) => point[0] >= (this.pointed ?? 0) - 0.5);
    /** @type {Record<string, number>} */
    const targets = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: 0,
      End: last,
    };
    const known = event.key in targets && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === "Enter" || event.key === " ") this.pick(this.pointed ?? this.curve[0][0]);
    else if (known) this.stepTo(Math.min(last, Math.max(0, targets[event.key])));
    else return;
    event.preventDefault();
  }

  /** @param {number} index */
  stepTo(index) {
    this.point(this.curve[index][0]);
    this.svg.setAttribute("aria-valuenow", String(index));
    this.svg.setAttribute("aria-valuetext", this.label.innerText.replaceAll("\n", ", "));
  }

  /**
   * Marks the length of window for which the worst ones are listed.
   * @param {number | null} window
   */
  mark(window) {
    this.marked = window;
    if (window === null || !this.scale) return;
    const x = this.scale.x(window);
    setAttributes(this.chosen, { x1: x, x2: x });
    for (const each of this.buttons.querySelectorAll("button"))
      each.setAttribute("aria-pressed", String(Number(each.value) === window));
  }

  /** Fills the buttons: the powers of ten with their minimum, which work without a pointer. */
  fillButtons() {
    const sizes = this.curve.length > 0 ? new Scale(this.curve, 1, 1).decades() : [];
    fill(
      this.buttons,
      sizes.length > 0 && h("span", { class: "muted" }, "Worst windows of"),
      sizes.map((window) =>
        h(
          "button",
          {
            type: "button",
            class: "button",
            value: String(Math.round(window)),
            click: () => this.pick(window),
            title: "The minimum, and where it is",
          },
          formatDuration(window),
          h("span", { class: "muted" }, formatShare(valuesAt(this.curve, window)[1])),
        ),
      ),
    );
    this.mark(this.marked);
  }
}
