// SPDX-License-Identifier: BSD-3-Clause
// Links into the timeline. Each has a real address, which can be copied or opened in a new tab; a
// plain click is handled within the page.

import { viewerURL } from "./api.js";
import { h, isPlainClick } from "./dom.js";
import { place } from "./place.js";
import { rangeText } from "./state.js";

/**
 * The page's address with some parameters changed; null removes one.
 * @param {Record<string, string | null>} parameters
 */
export function addressWith(parameters) {
  const url = new URL(place.pathname + place.search, "http://viewer.invalid/");
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/**
 * A link that calls `follow` on a plain click.
 * @param {string} href
 * @param {() => unknown} follow
 * @param {Attributes} attributes
 * @param {...Child} children
 */
export function link(href, follow, attributes, ...children) {
  const onClick = (/** @type {MouseEvent} */ event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    follow();
  };
  return h("a", { href, click: onClick, ...attributes }, children);
}

/**
 * A link that selects a span and brings it into view.
 * @param {App} app
 * @param {SpanId} span
 * @param {...Child} children
 */
export function spanLink(app, span, ...children) {
  const href = addressWith({ sel: `${span.track}.${span.index}`, tab: null });
  return link(href, () => app.select(span.track, span.index), { class: "span-link" }, children);
}

/**
 * A link that shows a row in its view and keeps the range of time.
 * @param {App} app
 * @param {ViewName} view
 * @param {number} id
 * @param {...Child} children
 */
export function rowLink(app, view, id, ...children) {
  const parameter = view === "goroutine" ? "goid" : "focustask";
  const href =
    view === "goroutine" || view === "task"
      ? viewerURL("trace", { [parameter]: id })
      : addressWith({ view, sel: null });
  return link(href, () => app.reveal({ view, row_id: id }), { class: "row-link" }, children);
}

/**
 * A link that starts a search within a range of time. The text is quoted, since it may contain
 * spaces.
 * @param {App} app
 * @param {string} field
 * @param {string} text
 * @param {TimeRange} range
 * @param {...Child} children
 */
export function searchLink(app, field, text, range, ...children) {
  const query = `${field}:"${text.replaceAll('"', "")}"`;
  const attributes = { class: "quiet-link", title: `Search for ${query} in this time` };
  const address = addressWith({ q: query, within: rangeText(range) });
  const follow = () => {
    app.run("search", query);
    app.set({ within: { ...range, tracks: null } }, { push: false });
  };
  return link(address, follow, attributes, children);
}

/**
 * A goroutine's title, as it is shown everywhere.
 * @param {GoroutineRef} goroutine
 */
export function goroutineTitle(goroutine) {
  return goroutine.title || `G${goroutine.id}`;
}

/**
 * @param {App} app
 * @param {GoroutineRef} goroutine
 */
export function goroutineLink(app, goroutine) {
  return rowLink(app, "goroutine", goroutine.id, goroutineTitle(goroutine));
}

/**
 * The start function in a title such as "G12 main.worker"; empty if it is not known.
 * @param {string} title
 */
export function functionOf(title) {
  const space = title.indexOf(" ");
  return space < 0 ? "" : title.slice(space + 1);
}

/**
 * The address of the page of all goroutines with the same start function.
 * @param {string} title
 */
export function goroutinePage(title) {
  return viewerURL("goroutine", { name: functionOf(title) });
}
