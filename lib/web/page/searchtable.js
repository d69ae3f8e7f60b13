// SPDX-License-Identifier: BSD-3-Clause
// /search: the results of a search as a table in any order, with the distribution of their
// durations.

import { getJSON, viewerURL } from "./api.js";
import { h, fill } from "./dom.js";
import { passOn } from "./analysis.js";
import { classTitle } from "./colors.js";
import { formatCount, formatDuration } from "./format.js";
import { LATENCY_FIELDS, filteredAddress, filterForm, largeHistogram } from "./latency.js";
import { columnTime, nameOr, rangeAround, timelineAddress } from "./names.js";
import { pagedTable } from "./paged.js";
import { lanesText } from "./scope.js";
import { kindTitle } from "./searchkinds.js";
import { pageTitles } from "./pagestate.js";
import { durationCell } from "./timebar.js";

const SCOPE = ["start", "end", "tracks", "tree"];
const PARAMETERS = ["q", ...SCOPE, "latmin", "latmax"];
const FIELDS = [
  { name: "q", label: "Search for", example: "such as state:waiting dur>1ms" },
  ...LATENCY_FIELDS,
];

/**
 * The address of a result on the timeline or, for a function, of the states that it is in.
 * @param {SearchResult} result
 */
function resultAddress(result) {
  const { kind, view, row_id, track, index, start, end, title } = result;
  const range = rangeAround({ start, end });
  if (kind === "function") return viewerURL("search", { q: `stack:"${title}"` });
  if (kind === "task") return timelineAddress({ view, focustask: row_id });
  if (track === null || kind === "goroutine") {
    return timelineAddress(view === null ? range : { view, goid: row_id, ...range });
  }
  return timelineAddress({ view, sel: `${track}.${index}`, ...range });
}

/** @param {SearchResult} result */
function nameCell(result) {
  const about = result.kind === "function" ? "States with it on their stack" : "On the timeline";
  const name = nameOr(classTitle(result.title), "(no name)");
  return h("a", { href: resultAddress(result), title: about }, name);
}

/**
 * @param {ReturnType<typeof pageTitles>} titles
 * @returns {import("./paged.js").PagedColumn<SearchResult>[]}
 */
const columnsOf = (titles) => [
  { label: "Kind", cell: ({ kind }) => kind },
  { label: "Name", sort: "name", class: "name", cell: nameCell },
  { label: "In", class: "name", cell: ({ detail }) => detail },
  {
    label: "At",
    about: "The stack at which it begins",
    cell: ({ stack }) => titles.cell(stack),
  },
  {
    label: "Start",
    sort: "start",
    number: true,
    cell: ({ kind, start }) => kind !== "function" && columnTime(start),
  },
  {
    label: "Duration",
    sort: "duration",
    first: true,
    number: true,
    cell: ({ kind, start, end }) =>
      kind !== "function" && kind !== "log" && durationCell(end - start),
  },
];

/**
 * How many results of each kind there are, and their time. Each is a link to these alone.
 * @param {SearchTable} answer
 * @param {URLSearchParams} parameters
 */
function kindLinks({ kinds }, parameters) {
  const text = parameters.get("q") ?? "";
  const chosen = /(^|\s)kind:/.test(text);
  return Object.entries(kinds).map(([kind, { count, time }]) => {
    const what = `${kindTitle(kind)}: ${formatCount(count)}`;
    const label = time > 0 ? `${what}, ${formatDuration(time)} in total` : what;
    const href = filteredAddress(parameters, { q: `${text} kind:${kind}` });
    return chosen ? h("span", {}, label) : h("a", { class: "button", href }, label);
  });
}

/** @param {URLSearchParams} parameters */
function scopeLine(parameters) {
  if (!SCOPE.some((name) => parameters.has(name))) return null;
  const [start, end] = [Number(parameters.get("start")), Number(parameters.get("end"))];
  const lanes = parameters.get("tracks")?.split(",").length;
  const tree = parameters.get("tree");
  const all = tree === null ? "" : ` in the tree of task ${tree}`;
  const where = lanes ? ` on ${lanesText(lanes)}` : all;
  const range =
    parameters.has("end") && end > start
      ? ` in ${formatDuration(end - start)} from ${columnTime(start)}`
      : "";
  const whole = Object.fromEntries(SCOPE.map((name) => [name, null]));
  return h(
    "p",
    { class: "lead" },
    `Only what lies${range}${where}, at least partly; durations are whole. `,
    h("a", { href: filteredAddress(parameters, whole) }, "Search the whole trace"),
  );
}

/**
 * Says that the table ends before the last result.
 * @param {SearchTable} answer
 */
function limitLine({ total, listed }) {
  return (
    listed < total &&
    h(
      "p",
      { class: "lead" },
      `The table has the first ${formatCount(listed)} of ${formatCount(total)} results in its ` +
        "order. Sums and the histogram are of all.",
    )
  );
}

/**
 * @param {HTMLElement} summary
 * @param {SearchTable} answer
 * @param {URLSearchParams} parameters
 */
function showSummary(summary, answer, parameters) {
  fill(
    summary,
    h("p", { class: "links kinds" }, kindLinks(answer, parameters)),
    largeHistogram(answer, parameters, (from, to) =>
      filteredAddress(parameters, { latmin: `${from}ns`, latmax: `${to}ns` }),
    ),
    limitLine(answer),
  );
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function searchPage(element, parameters) {
  const text = parameters.get("q") ?? "";
  document.title = `Search ${text} · gotrace`;
  const summary = h("div", {});
  const title = "Save the first million results as CSV, times in ns";
  const csv = h("a", { class: "button", download: "search.csv", title }, "CSV");
  const head = [h("h1", {}, "Search"), filterForm(parameters, FIELDS, SCOPE)];
  if (text.trim() === "") {
    fill(element, head, h("p", { class: "empty" }, "There is nothing to search for yet."));
    return;
  }
  const load = async (/** @type {import("./paged.js").PageQuery} */ page) => {
    const answer = await getJSON("api/search/table", passOn(parameters, PARAMETERS, { ...page }));
    const { sort, desc } = page;
    csv.href = viewerURL("api/search.csv", passOn(parameters, PARAMETERS, { sort, desc }));
    showSummary(summary, answer, parameters);
    return { total: answer.listed, rows: answer.results };
  };
  const titles = pageTitles(() => table.redraw());
  const table = pagedTable("Results", columnsOf(titles), load, {
    tools: [titles.element, csv],
    empty: "Nothing was found.",
    source: {
      path: "api/search/table",
      parameters: (page) => passOn(parameters, PARAMETERS, { ...page }),
    },
  });
  const address = timelineAddress({ q: text });
  const timeline = h("a", { class: "button", href: address }, "On the timeline");
  fill(element, head, h("p", { class: "links" }, timeline), scopeLine(parameters), summary);
  element.append(table.element);
  await table.show();
}
