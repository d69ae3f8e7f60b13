// SPDX-License-Identifier: BSD-3-Clause
// What the pages of tasks and regions share: columns of latencies, the large histogram, the filter
// form, and the pages of types.

import { pageName, viewerURL } from "./api.js";
import { curlButton, curlCommand } from "./copy.js";
import { fill, h } from "./dom.js";
import { formatCount } from "./format.js";
import { scrolling, sortableGrid } from "./grid.js";
import { LatencyAxis, axisLabels, latencyHistogram } from "./histogram.js";
import { pageSorts } from "./pagestate.js";
import { durationCell } from "./timebar.js";

/** @typedef {(from: number, to: number) => string} BarHref */
/** @typedef {{ name: string, label: string, example?: string, short?: boolean }} FilterField */

/** @type {Record<string, number>} */
const UNITS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/** The filter fields that every list has. */
export const LATENCY_FIELDS = [
  { name: "latmin", label: "At least", example: "such as 10ms", short: true },
  { name: "latmax", label: "At most", example: "such as 1s", short: true },
];

/**
 * Parses a duration in Go's syntax to ns; returns `otherwise` if the text is not a duration. The
 * server's parser is stricter.
 * @param {string | null} text
 * @param {number} otherwise
 */
export function parseDuration(text, otherwise) {
  const parts = [...(text ?? "").matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  if (/^\d+$/.test(text ?? "")) return Number(text);
  return parts.length === 0
    ? otherwise
    : parts.reduce((sum, [, value, unit]) => sum + Number(value) * UNITS[unit], 0);
}

/**
 * @param {PercentileKey} key
 * @param {string} label
 * @param {string} about
 */
function percentile(key, label, about) {
  return {
    key,
    label,
    number: true,
    about,
    cell: (/** @type {LatencyFacts} */ type) =>
      type.histogram.length > 0 ? durationCell(type[key]) : "–",
  };
}

/**
 * The columns of a table of types. `href` returns the address of the entries in a bar.
 * @template {LatencyFacts & { name?: string, type?: string }} Type
 * @param {Type[]} types
 * @param {string} what
 * @param {(type: Type, from: number, to: number) => string} href
 */
export function latencyColumns(types, what, href) {
  const axis = new LatencyAxis(types);
  const bars = (/** @type {Type} */ type) =>
    latencyHistogram(type, axis, {
      href: (from, to) => href(type, from, to),
      label: `Latency of ${type.name ?? type.type}; arrow keys go from bar to bar`,
    });
  return [
    {
      key: "histogram",
      label: ["Latency", axisLabels(axis, 4)],
      class: "histogram-cell",
      value: (/** @type {Type} */ type) => type.p50,
      cell: bars,
      about: "Logarithmic axis; heights are square roots of the counts. Sorts by the median",
    },
    percentile("p50", "p50", `Half of the ${what} took no longer`),
    percentile("p95", "p95", `95 % of the ${what} took no longer`),
    percentile("p99", "p99", `99 % of the ${what} took no longer`),
    percentile("max", "Longest", `The longest of the ${what}`),
  ];
}

/**
 * The histogram of one type at full width. Bars outside of the requested limits are pale.
 * @param {LatencyFacts | undefined} type
 * @param {URLSearchParams} parameters
 * @param {BarHref} href
 */
export function largeHistogram(type, parameters, href) {
  if (!type || type.histogram.length === 0) return null;
  const axis = new LatencyAxis([type]);
  const plot = latencyHistogram(type, axis, {
    href,
    kind: "large",
    label: "Latency; arrow keys go from bar to bar",
    min: parseDuration(parameters.get("latmin"), 0),
    max: parseDuration(parameters.get("latmax"), Infinity),
  });
  const value = (/** @type {PercentileKey} */ key, /** @type {string} */ label) => [
    h("dt", {}, label),
    h("dd", {}, type.approximate && key !== "max" && "≈ ", durationCell(type[key])),
  ];
  return h(
    "figure",
    { class: "latency" },
    h("div", { class: "latency-plot" }, plot, axisLabels(axis, 9)),
    h(
      "dl",
      {},
      value("p50", "p50"),
      value("p95", "p95"),
      value("p99", "p99"),
      value("max", "Longest"),
    ),
  );
}

/**
 * A form with filter fields. The parameters in `kept` are passed on unchanged.
 * @param {URLSearchParams} parameters
 * @param {FilterField[]} fields
 * @param {string[]} kept
 */
export function filterForm(parameters, fields, kept) {
  const hidden = kept
    .filter((name) => parameters.has(name))
    .map((name) => h("input", { type: "hidden", name, value: parameters.get(name) }));
  const inputs = fields.map(({ name, label, example = "", short }) =>
    h(
      "label",
      { class: "labelled" },
      label,
      h("input", {
        class: short ? "field short" : "field",
        type: "search",
        name,
        value: parameters.get(name) ?? "",
        placeholder: example,
        spellcheck: "false",
        autocomplete: "off",
      }),
    ),
  );
  const clear = Object.fromEntries(kept.map((name) => [name, parameters.get(name)]));
  const asked = fields.some(({ name }) => parameters.get(name));
  return h(
    "form",
    { class: "tools", method: "get", action: pageName() },
    hidden,
    inputs,
    h("button", { class: "button" }, "Filter"),
    asked && h("a", { class: "button", href: viewerURL(pageName(), clear) }, "Clear"),
  );
}

/**
 * The address of the same page with some parameters changed; null removes one.
 * @param {URLSearchParams} parameters
 * @param {Record<string, string | number | null>} changes
 */
export function filteredAddress(parameters, changes) {
  const query = new URLSearchParams(parameters);
  for (const name of ["first", "sort", "desc"]) query.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, String(value));
  }
  return `${pageName()}?${query}`;
}

/**
 * A page of types: its title, what the types are of, the functions that create them, an
 * explanation, the columns of the table, and the path of the answer with them.
 * @template {LatencyFacts} Type
 * @typedef {object} TypesPage
 * @property {string} title
 * @property {string} noun
 * @property {string[]} makers
 * @property {string} about
 * @property {(types: Type[]) => import("./grid.js").GridColumn<Type>[]} columns
 * @property {string} path
 */

/**
 * Fills a page with a table of types.
 * @template {LatencyFacts} Type
 * @param {HTMLElement} element
 * @param {Type[]} types
 * @param {TypesPage<Type>} page
 */
export function showTypes(element, types, { title, noun, makers, about, columns, path }) {
  const head = h("h1", {}, title);
  if (types.length === 0) {
    fill(element, head, noTypes(noun, makers, about));
    return;
  }
  const usual = { key: "count", descending: true };
  const grid = sortableGrid(`${title} by type`, columns(types), usual, "types", pageSorts());
  const kinds = types.length === 1 ? "type" : "types";
  const all = types.reduce((sum, type) => sum + type.count, 0);
  const lead =
    `${formatCount(all)} ${noun} of ${formatCount(types.length)} ${kinds}. ` +
    `A bar of a histogram opens the ${noun} in that range of latencies.`;
  const curl = curlButton("all types", () => curlCommand(path));
  const line = h("p", { class: "lead" }, lead);
  fill(element, head, h("div", { class: "tools" }, line, h("span", { class: "spring" }), curl));
  element.append(scrolling(grid.element));
  grid.show(types);
}

/**
 * @param {string} noun
 * @param {string[]} makers
 * @param {string} about
 */
function noTypes(noun, makers, about) {
  const names = makers.map((name, i) => [i > 0 && " or ", h("code", {}, name)]);
  return h(
    "div",
    { class: "empty" },
    h("p", {}, `The trace has no ${noun}.`),
    h(
      "p",
      {},
      "A program creates them with ",
      names,
      " of package ",
      h("code", {}, "runtime/trace"),
      `: ${about}.`,
    ),
  );
}
