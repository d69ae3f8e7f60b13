// SPDX-License-Identifier: BSD-3-Clause
// Resizing of the column of names, the counters and the panel, by their edges. The browser stores
// the sizes.

import { byId } from "./dom.js";

const KEY = "gotrace.sizes";
const STEP = 16;

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} name
 * @param {number} size
 */
function saveSize(name, size) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...load(), [name]: size }));
  } catch {
    // Without storage the size applies to this page only.
  }
}

/**
 * @typedef {object} Resizer
 * @property {HTMLElement} handle
 * @property {() => "clientX" | "clientY"} axis
 * @property {number} sign
 * @property {number} least
 * @property {() => number} most
 * @property {() => number} current
 * @property {(size: number) => void} set
 * @property {(size: number) => void} done
 */

/**
 * Lets a separator be dragged or moved with the arrow keys. `axis` is the direction of the
 * movement; `sign` is -1 if the size grows against it.
 * @param {Resizer} resizer
 */
function startResizer({ handle, axis, sign, least, most, current, set, done }) {
  const limit = (/** @type {number} */ size) => Math.round(Math.max(least, Math.min(most(), size)));
  const say = () => {
    handle.setAttribute("aria-valuemin", String(least));
    handle.setAttribute("aria-valuemax", String(Math.round(most())));
    handle.setAttribute("aria-valuenow", String(Math.round(current())));
  };
  say();
  handle.addEventListener("focus", say);
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const way = axis();
    const began = event[way];
    const size = current();
    handle.setPointerCapture(event.pointerId);
    handle.classList.add("is-dragging");
    handle.onpointermove = (each) => set(limit(size + sign * (each[way] - began)));
    handle.onpointerup = handle.onpointercancel = () => {
      handle.onpointermove = null;
      handle.classList.remove("is-dragging");
      done(current());
      say();
    };
  });
  handle.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const keys =
      axis() === "clientX"
        ? { ArrowLeft: -STEP, ArrowRight: STEP }
        : { ArrowUp: -STEP, ArrowDown: STEP };
    if (!(event.key in keys)) return;
    event.preventDefault();
    set(limit(current() + sign * keys[event.key]));
    done(current());
    say();
  });
}

/**
 * @param {HTMLElement} timeline
 * @param {Record<string, number>} sizes
 * @param {string} name
 * @param {string} handle
 * @param {"clientX" | "clientY"} axis
 * @param {number} least
 * @param {() => number} most
 */
function startBand(timeline, sizes, name, handle, axis, least, most) {
  const variable = `--${name}`;
  const set = (/** @type {number} */ size) => timeline.style.setProperty(variable, `${size}px`);
  if (Number.isFinite(sizes[name])) set(sizes[name]);
  const current = () => parseFloat(getComputedStyle(timeline).getPropertyValue(variable));
  startResizer({
    handle: byId(handle),
    axis: () => axis,
    sign: 1,
    least,
    most,
    current,
    set,
    done: (size) => saveSize(name, size),
  });
}

/** The panel stores its size itself, since it depends on the side of docking. */
function startPanel() {
  const panel = byId("panel");
  const right = () => document.body.dataset.dock === "right";
  startResizer({
    handle: byId("panel-resizer"),
    axis: () => (right() ? "clientX" : "clientY"),
    sign: -1,
    least: 120,
    most: () => (right() ? innerWidth * 0.7 : innerHeight * 0.75),
    current: () => (right() ? panel.offsetWidth : panel.offsetHeight),
    set: (size) => document.documentElement.style.setProperty("--panel-size", `${size}px`),
    done: () => {},
  });
}

export function startSizes() {
  const timeline = byId("timeline");
  const sizes = load();
  startBand(
    timeline,
    sizes,
    "labels-width",
    "labels-resizer",
    "clientX",
    80,
    () => innerWidth * 0.6,
  );
  startBand(
    timeline,
    sizes,
    "counters-height",
    "counters-resizer",
    "clientY",
    20,
    () => innerHeight * 0.5,
  );
  startPanel();
}
