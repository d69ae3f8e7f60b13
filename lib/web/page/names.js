// SPDX-License-Identifier: BSD-3-Clause
// Names of functions, and places on the timeline, as the pages write and link them.

import { viewerURL } from "./api.js";
import { h } from "./dom.js";
import { packageEnd } from "./flamedraw.js";
import { formatTime } from "./format.js";

/**
 * A function whose package stands back behind its own name.
 * @param {string} name
 */
export function functionName(name) {
  const split = packageEnd(name);
  return h(
    "span",
    { class: "function-name", title: name },
    h("span", { class: "package" }, name.slice(0, split)),
    name.slice(split),
  );
}

/**
 * Of something in the trace that has an empty name, or none.
 * @param {string} name
 * @param {string} otherwise
 */
export function nameOr(name, otherwise) {
  return name === "" ? h("span", { class: "muted" }, otherwise) : name;
}

/**
 * A point in time of a column: with as many digits as all others have.
 * @param {number} ns
 */
export function columnTime(ns) {
  const [whole, fraction = ""] = formatTime(ns).slice(0, -2).split(".");
  return `${whole}.${fraction.padEnd(9, "0")} s`;
}

/**
 * The range of time of something, with some room around it.
 * @param {TimeRange} range
 */
export function rangeAround({ start, end }, share = 0.1) {
  const room = Math.max(100, (end - start) * share);
  return { s: Math.max(0, Math.floor(start - room)), e: Math.ceil(end + room) };
}

/** @param {QueryValues} parameters */
export function timelineAddress(parameters) {
  return viewerURL("trace", parameters);
}

/**
 * A goroutine's row on the timeline, in a range of time if one is given.
 * @param {number} id
 * @param {QueryValues} [range]
 */
export function goroutineRowLink(id, range = {}) {
  return h(
    "a",
    {
      href: timelineAddress({ view: "goroutine", goid: id, ...range }),
      title: `Goroutine ${id} on the timeline`,
    },
    `G${id}`,
  );
}

/** @param {number} id */
export function taskRowLink(id) {
  return h(
    "a",
    { href: timelineAddress({ view: "task", focustask: id }), title: `Task ${id} on the timeline` },
    `${id}`,
  );
}
