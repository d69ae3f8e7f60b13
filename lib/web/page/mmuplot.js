// SPDX-License-Identifier: BSD-3-Clause
// The curve of mutator utilization over windows, whose sizes are on a logarithmic axis.

import { h, fill } from "./dom.js";
import { formatDuration, formatShare } from "./format.js";

const SPACE = { left: 58, right: 18, top: 14, bottom: 46 };
const SVG = "http://www.w3.org/2000/svg";

function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

class Scale {
  constructor(curve, width, height) {
    this.from = Math.log10(curve[0][0]);
    this.to = Math.max(this.from + 1e-9, Math.log10(curve[curve.length - 1][0]));
    this.right = width - SPACE.right;
    this.bottom = height - SPACE.bottom;
  }

  x(window) {
    return (
      SPACE.left +
      ((Math.log10(window) - this.from) / (this.to - this.from)) * (this.right - SPACE.left)
    );
  }

  y(share) {
    return SPACE.top + (1 - share) * (this.bottom - SPACE.top);
  }

  /** The window at an x, within the curve. */
  window(x) {
    const power =
      this.from + ((x - SPACE.left) / (this.right - SPACE.left)) * (this.to - this.from);
    return 10 ** Math.min(this.to, Math.max(this.from, power));
  }

  /** The powers of ten within the curve. */
  decades() {
    const list = [];
    for (let power = Math.ceil(this.from - 1e-9); power <= this.to + 1e-9; power++)
      list.push(10 ** power);
    return list;
  }
}

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

/** `at` says which value of a point is drawn: 1 is the minimum. */
function pointsOf(curve, scale, at) {
  return curve
    .map((point) => `${scale.x(point[0]).toFixed(1)},${scale.y(point[at]).toFixed(1)}`)
    .join(" ");
}

function curves(curve, scale, names) {
  const [left, right] = [SPACE.left, scale.right].map((x) => `${x},${scale.bottom}`);
  const fillPoints = `${left} ${pointsOf(curve, scale, 1)} ${right}`;
  return [
    s("polygon", { class: "curve-fill", points: fillPoints }),
    ...names.map((name, i) =>
      s("polyline", {
        class: `curve percentile percentile-${i}`,
        points: pointsOf(curve, scale, 2 + i),
      }),
    ),
    s("polyline", { class: "curve minimum", points: pointsOf(curve, scale, 1) }),
  ];
}

/** The values at a window, between those of the points beside it. */
function valuesAt(curve, window) {
  const after = curve.findIndex((point) => point[0] >= window);
  if (after <= 0) return curve[after < 0 ? curve.length - 1 : 0];
  const [a, b] = [curve[after - 1], curve[after]];
  const share = (Math.log(window) - Math.log(a[0])) / (Math.log(b[0]) - Math.log(a[0]));
  return a.map((value, i) => value + (b[i] - value) * share);
}

export class MmuPlot {
  /** `pick(window)` is called when a size is chosen. */
  constructor(pick) {
    this.pick = pick;
    this.marked = null;
    this.legend = h("p", { class: "legend" });
    this.holder = h("div", { class: "mmu-curves" });
    this.buttons = h("p", { class: "tools" });
    this.element = h("div", { class: "mmu-plot" }, this.legend, this.holder, this.buttons);
    new ResizeObserver(() => this.draw()).observe(this.holder);
  }

  show(answer, percentiles) {
    this.curve = answer.curve;
    this.names = percentiles ? (answer.percentiles ?? []).map((each) => `p${each}`) : [];
    this.drawn = 0;
    this.draw();
    this.fillButtons();
    const entry = (kind, label) =>
      h("span", { class: "legend-entry" }, h("span", { class: `line-sample ${kind}` }), label);
    fill(
      this.legend,
      this.curve.length > 0 && [
        entry("minimum", "Minimum"),
        this.names.map((name, i) => entry(`percentile-${i}`, name)),
      ],
    );
  }

  /** In pixels of the page, so that text is as large as all other. */
  draw() {
    const width = this.holder.clientWidth;
    if (!this.curve || width === 0 || width === this.drawn) return;
    this.drawn = width;
    if (this.curve.length === 0) {
      fill(this.holder, h("p", { class: "empty" }, "The trace has no time for a curve."));
      return;
    }
    const height = this.holder.clientHeight;
    this.scale = new Scale(this.curve, width, height);
    this.build(width, height);
    this.mark(this.marked);
  }

  build(width, height) {
    this.chosen = s("line", {
      class: "chosen-line",
      y1: SPACE.top,
      y2: this.scale.bottom,
      x1: -10,
      x2: -10,
    });
    this.cursor = s("line", {
      class: "cursor-line",
      y1: SPACE.top,
      y2: this.scale.bottom,
      x1: -10,
      x2: -10,
    });
    this.dot = s("circle", { class: "cursor-dot", r: 4, cx: -10, cy: -10 });
    this.label = h("div", { class: "mmu-value", hidden: true });
    this.svg = s(
      "svg",
      {
        width,
        height,
        tabindex: 0,
        role: "slider",
        "aria-label": "Window of the curve; Enter shows the worst",
        "aria-valuemin": 0,
        "aria-valuemax": this.curve.length - 1,
        "aria-valuenow": 0,
      },
      ...shareAxis(this.scale),
      ...windowAxis(this.scale),
      ...curves(this.curve, this.scale, this.names),
      this.chosen,
      this.cursor,
      this.dot,
    );
    this.listen();
    fill(this.holder, this.svg, this.label);
  }

  listen() {
    const windowOf = (event) =>
      this.scale.window(event.clientX - this.svg.getBoundingClientRect().left);
    this.svg.addEventListener("pointermove", (event) => this.point(windowOf(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("click", (event) => this.pick(windowOf(event)));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** Says what the curves are at a window. */
  point(window) {
    this.pointed = window;
    this.label.hidden = window === null;
    const values = window === null ? null : valuesAt(this.curve, window);
    const x = values ? this.scale.x(window) : -10;
    for (const name of ["x1", "x2"]) this.cursor.setAttribute(name, x);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", values ? this.scale.y(values[1]) : -10);
    if (!values) return;
    fill(
      this.label,
      h("b", {}, formatDuration(Math.round(window))),
      h("span", {}, `minimum ${formatShare(values[1])}`),
      this.names.map((name, i) => h("span", {}, `${name} ${formatShare(values[2 + i])}`)),
    );
    const left = x > this.scale.right / 2;
    Object.assign(this.label.style, {
      left: left ? "auto" : `${x + 10}px`,
      right: left ? `${this.holder.clientWidth - x + 10}px` : "auto",
    });
  }

  key(event) {
    const last = this.curve.length - 1;
    const at = this.curve.findIndex((point) => point[0] >= (this.pointed ?? 0) - 0.5);
    const next = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.pick(this.pointed ?? this.curve[0][0]);
    else if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    else this.stepTo(Math.min(last, Math.max(0, next)));
    event.preventDefault();
  }

  stepTo(index) {
    this.point(this.curve[index][0]);
    this.svg.setAttribute("aria-valuenow", index);
    this.svg.setAttribute("aria-valuetext", this.label.innerText.replaceAll("\n", ", "));
  }

  /** Shows which size the list is of. */
  mark(window) {
    this.marked = window;
    if (window === null || !this.scale) return;
    const x = this.scale.x(window);
    for (const name of ["x1", "x2"]) this.chosen.setAttribute(name, x);
    for (const each of this.buttons.querySelectorAll("button"))
      each.setAttribute("aria-pressed", String(Number(each.value) === window));
  }

  /** The powers of ten with their minimum: the curve as numbers, and without a pointer. */
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
