// SPDX-License-Identifier: BSD-3-Clause
// The interval whose critical path is asked for, as the address of the timeline has it: the kind of
// what it is, and which one.

import { areaText, parseBase, placeText } from "./state.js";
import { scopeParameters } from "./scope.js";

/** @param {SpanId} span */
export function whySpan({ track, index }) {
  return `span:${track}.${index}`;
}

/** @param {number} id */
export function whyTask(id) {
  return `task:${id}`;
}

/**
 * A goroutine in a range of time.
 * @param {number} id
 * @param {TimeRange} range
 */
export function whyGoroutine(id, { start, end }) {
  return `goroutine:${id}.${Math.floor(start)}.${Math.ceil(end)}`;
}

/** @param {Scope} scope */
export function whyArea(scope) {
  return `area:${placeText(scope)}:${areaText(scope)}`;
}

/**
 * The parameters of the request, or null if the text names no interval.
 * @param {string} text
 * @returns {QueryValues | null}
 */
export function whyQuery(text) {
  const split = text.indexOf(":");
  const [kind, which] = [text.slice(0, split), text.slice(split + 1)];
  if (kind === "area") {
    const area = parseBase(which);
    return area && scopeParameters({ ...area, tree: area.tree ?? null, whole: false });
  }
  if (!/^-?\d+(\.\d+)*$/.test(which)) return null;
  const [first, second, third] = which.split(".");
  if (kind === "task" && second === undefined) return { task: first };
  if (kind === "span" && second !== undefined) return { track: first, index: second };
  if (kind !== "goroutine" || (second !== undefined && third === undefined)) return null;
  return { goroutine: first, start: second ?? null, end: third ?? null };
}
