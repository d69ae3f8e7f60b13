// SPDX-License-Identifier: BSD-3-Clause
// Names of functions and links to the timeline, as the pages show them.

import { viewerURL } from "./api.js";
import { h } from "./dom.js";
import { packageEnd } from "./flamedraw.js";
import { formatTime } from "./format.js";

/**
 * A function's name with its package in a weaker colour.
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
 * A name, or a placeholder if it is empty.
 * @param {string} name
 * @param {string} otherwise
 */
export function nameOr(name, otherwise) {
  return name === "" ? h("span", { class: "muted" }, otherwise) : name;
}

/**
 * A time for a column, in which all have the same number of decimals.
 * @param {number} ns
 */
export function columnTime(ns) {
  const [whole, fraction = ""] = formatTime(ns).slice(0, -2).split(".");
  return `${whole}.${fraction.padEnd(9, "0")} s`;
}

/**
 * The range of something with some space around it, as parameters of the timeline.
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
 * A link to a goroutine's row on the timeline, optionally in a range of time.
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
