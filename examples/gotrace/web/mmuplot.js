// SPDX-License-Identifier: BSD-3-Clause
// The curve of mutator utilization over windows, whose sizes are on a logarithmic axis.

import { h } from "./dom.js";
import { formatDuration, formatShare } from "./format.js";

const WIDTH = 900;
const HEIGHT = 380;
const LEFT = 52;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 34;
const SVG = "http://www.w3.org/2000/svg";

function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

class Scale {
  constructor(curve) {
    this.from = Math.log10(curve[0][0]);
    this.to = Math.max(this.from + 1e-9, Math.log10(curve[curve.length - 1][0]));
  }

  x(window) {
    return LEFT + ((Math.log10(window) - this.from) / (this.to - this.from)) * (WIDTH - LEFT - RIGHT);
  }

  y(share) {
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  }

  window(x) {
    return 10 ** (this.from + ((x - LEFT) / (WIDTH - LEFT - RIGHT)) * (this.to - this.from));
  }
}

function axes(scale) {
  const parts = [];
  for (let share = 0; share <= 1.001; share += 0.25) {
    const y = scale.y(share);
    parts.push(s("line", { class: "grid-line", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
      s("text", { class: "axis-text", x: LEFT - 8, y: y + 4, "text-anchor": "end" }, `${Math.round(share * 100)} %`));
  }
  for (let power = Math.ceil(scale.from - 1e-9); power <= scale.to + 1e-9; power++) {
    const x = scale.x(10 ** power);
    parts.push(s("line", { class: "grid-line", x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }),
      s("text", { class: "axis-text", x, y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, formatDuration(10 ** power)));
  }
  return parts;
}

/** `at` says which value of a point is drawn: 1 is the minimum. */
function line(curve, scale, at, kind) {
  const points = curve.filter((point) => typeof point[at] === "number")
    .map((point) => `${scale.x(point[0]).toFixed(1)},${scale.y(point[at]).toFixed(1)}`);
  return s("polyline", { class: `curve ${kind}`, points: points.join(" ") });
}

/** The values of the point of the curve at or before a window, the least first. */
function valueAt(curve, window) {
  const after = curve.findIndex((point) => point[0] > window);
  return curve[Math.max(0, (after < 0 ? curve.length : after) - 1)];
}

function mark(svg, scale, curve, options) {
  const cursor = s("line", { class: "cursor-line", y1: TOP, y2: HEIGHT - BOTTOM, x1: -10, x2: -10 });
  const label = s("text", { class: "axis-text", y: TOP + 12 });
  svg.append(cursor, label);
  const windowOf = (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    return Math.min(10 ** scale.to, Math.max(10 ** scale.from, scale.window(x)));
  };
  svg.addEventListener("pointermove", (event) => {
    const window = windowOf(event);
    const x = scale.x(window);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    label.setAttribute("x", x > WIDTH / 2 ? x - 6 : x + 6);
    label.setAttribute("text-anchor", x > WIDTH / 2 ? "end" : "start");
    label.textContent = `${formatDuration(window)}: ${formatShare(valueAt(curve, window)[1])}`;
  });
  svg.addEventListener("click", (event) => options.pick(windowOf(event)));
}

/** Sizes that can be chosen without a pointer. */
function sizes(scale, pick) {
  const buttons = [];
  for (let power = Math.ceil(scale.from); power <= scale.to; power++) {
    buttons.push(h("button", { type: "button", class: "button", click: () => pick(10 ** power) }, formatDuration(10 ** power)));
  }
  return h("p", { class: "tools" }, "Worst windows of ", buttons);
}

/** `answer` is that of /api/mmu; `options` are {percentiles, pick(window)}. */
export function mmuPlot(answer, options) {
  const curve = answer.curve;
  if (curve.length === 0) return h("p", { class: "note" }, "The trace is too short for a curve.");
  const scale = new Scale(curve);
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Minimum mutator utilization by window" });
  svg.append(...axes(scale));
  const extra = options.percentiles ? curve[0].length - 2 : 0;
  for (let i = 0; i < extra; i++) svg.append(line(curve, scale, 2 + i, `percentile percentile-${i}`));
  svg.append(line(curve, scale, 1, "minimum"));
  mark(svg, scale, curve, options);
  return h("div", {}, svg, sizes(scale, options.pick));
}
