// SPDX-License-Identifier: BSD-3-Clause
// /contention: where goroutines waited, and who ended their waits.

import { viewerURL } from "./api.js";
import { ask, askWithBar, passOn } from "./analysis.js";
import { fill, h } from "./dom.js";
import { formatCount, formatDuration } from "./format.js";
import { LatencyAxis, axisLabels, latencyHistogram } from "./histogram.js";
import { largeHistogram } from "./latency.js";
import { goroutineRowLink, rangeAround, timelineAddress } from "./names.js";
import { pagedTable } from "./paged.js";
import { place } from "./place.js";
import { stackList } from "./stack.js";
import { pageTitles } from "./pagestate.js";
import { durationCell } from "./timebar.js";

/** @typedef {import("./paged.js").PageQuery} PageQuery */

/** The classes of waits to choose from. The first is shown unless the address says otherwise. */
const CLASSES = [
  { name: "between", label: "Locks and channels", about: "Waits for other goroutines" },
  { name: "sync", label: "Locks", about: "Mutexes, wait groups and condition variables" },
  { name: "chan", label: "Channels", about: "Channels and select" },
  { name: "net", label: "Network", about: "Waits for the network" },
  { name: "sleep", label: "Sleep", about: "Waits for a timer" },
  { name: "gc", label: "GC", about: "Waits for the garbage collector" },
  { name: "other", label: "Other", about: "Waits for other reasons" },
  { name: "all", label: "All", about: "Waits for any reason" },
];
const PARAMETERS = ["class", "reason"];
const NOBODY = "no goroutine";
const EXPLANATION =
  "A row stands for two places in the program: where goroutines waited, and what the goroutine " +
  "that ended the wait was doing. For a lock, the latter is who held it.";

/** @param {URLSearchParams} parameters */
function classOf(parameters) {
  return CLASSES.find(({ name }) => name === parameters.get("class")) ?? CLASSES[0];
}

/**
 * @param {URLSearchParams} parameters
 * @param {PageQuery} page
 */
function pairParameters(parameters, page) {
  return {
    ...passOn(parameters, ["reason"], { class: classOf(parameters).name }),
    ...page,
  };
}

/**
 * The address of the longest wait on the timeline, with the rows of both goroutines.
 * @param {ContentionPair} pair
 */
function longestAddress({ longest }) {
  const { start, end, goroutine, ended_by: other } = longest;
  const pinned = [goroutine, other].filter((id) => id !== null);
  return timelineAddress({
    view: "goroutine",
    goid: goroutine,
    ...rangeAround(longest),
    area: `${start}-${end}`,
    pin: pinned.map((id) => `goroutine:${id}`).join(","),
  });
}

/** @param {ContentionPair} pair */
function longestCell(pair) {
  return h(
    "a",
    { href: longestAddress(pair), title: "Show the longest wait on the timeline" },
    durationCell(pair.max),
  );
}

/**
 * The address of a search for the waits of a pair in a range of durations.
 * @param {ContentionPair} pair
 * @param {number} from
 * @param {number} to
 */
function waitsAddress(pair, from, to) {
  const leaf = pair.waiter[0]?.function;
  const parts = [
    `reason:"${pair.reason.replaceAll('"', "")}"`,
    leaf ? `stack:"${leaf.replaceAll('"', "")}"` : "",
    from > 0 ? `dur>${from - 1}ns` : "",
    `dur<${to + 1}ns`,
  ];
  return timelineAddress({ view: "goroutine", q: parts.filter((part) => part !== "").join(" ") });
}

/** @param {ContentionPair} pair */
function details(pair) {
  const { longest } = pair;
  return [
    h(
      "p",
      {},
      h("a", { href: longestAddress(pair) }, "The longest wait"),
      `, ${formatDuration(pair.max)}, was that of `,
      goroutineRowLink(longest.goroutine, rangeAround(longest)),
      longest.ended_by === null
        ? "; no goroutine ended it."
        : ["; ", goroutineRowLink(longest.ended_by, rangeAround(longest)), " ended it."],
    ),
    h(
      "div",
      { class: "stack-pair" },
      stackList("Waited at", pair.waiter),
      stackList("Ended by", pair.unblocker, "No goroutine: the network, a timer or the runtime."),
    ),
    largeHistogram(pair, new URLSearchParams(), (from, to) => waitsAddress(pair, from, to)),
  ];
}

/**
 * @param {{ axis: LatencyAxis }} shared
 * @param {HTMLElement} labels
 * @param {ReturnType<typeof pageTitles>} titles
 * @returns {import("./paged.js").PagedColumn<ContentionPair>[]}
 */
function pairColumns(shared, labels, titles) {
  const number = (/** @type {"total" | "p50" | "p99"} */ key, /** @type {string} */ label) => ({
    label,
    sort: key,
    number: true,
    cell: (/** @type {ContentionPair} */ pair) => durationCell(pair[key]),
  });
  return [
    { label: "Waited at", cell: (pair) => titles.cell(pair.waiter, "no stack") },
    { label: "Ended by", cell: (pair) => titles.cell(pair.unblocker, NOBODY) },
    { label: "Reason", cell: (pair) => pair.reason || "(no reason)" },
    { ...number("total", "Total"), first: true },
    { label: "Waits", sort: "count", number: true, cell: (pair) => formatCount(pair.count) },
    {
      label: labels,
      class: "histogram-cell",
      about: "Logarithmic axis; heights are square roots of the counts",
      cell: (pair) =>
        latencyHistogram(pair, shared.axis, {
          href: (from, to) => waitsAddress(pair, from, to),
          label: "Durations of the waits; arrow keys go from bar to bar",
        }),
    },
    { ...number("p50", "p50"), class: "roomy" },
    number("p99", "p99"),
    { label: "Longest", sort: "max", number: true, cell: longestCell },
  ];
}

/**
 * The links to the classes of waits.
 * @param {URLSearchParams} parameters
 */
function classLinks(parameters) {
  const current = classOf(parameters);
  return CLASSES.map((each, i) =>
    h(
      "a",
      {
        class: "button",
        href: viewerURL("contention", { class: i === 0 ? null : each.name }),
        title: each.about,
        "aria-current": each === current ? "true" : null,
      },
      each.label,
    ),
  );
}

/**
 * A selection among the reasons of a class.
 * @param {URLSearchParams} parameters
 * @param {ContentionFacts["reasons"]} reasons
 */
function reasonSelect(parameters, reasons) {
  const chosen = parameters.get("reason") ?? "";
  const select = h(
    "select",
    { class: "select", "aria-label": "Reason" },
    h("option", { value: "" }, "All reasons"),
    reasons
      .sort((a, b) => b.total - a.total)
      .map(({ reason, total }) =>
        h("option", { value: reason }, `${reason || "(no reason)"} (${formatDuration(total)})`),
      ),
  );
  select.value = chosen;
  select.addEventListener("change", () => {
    const reason = select.value || null;
    place.go(viewerURL("contention", { ...passOn(parameters, ["class"]), reason }));
  });
  return select;
}

/**
 * @param {ContentionFacts} facts
 * @param {URLSearchParams} parameters
 */
function leadLine(facts, parameters) {
  return h(
    "p",
    { class: "lead" },
    h("b", {}, formatDuration(facts.time)),
    ` in ${formatCount(facts.waits)} waits. ${classOf(parameters).about}. `,
    h("span", { class: "muted" }, EXPLANATION),
    facts.unpaired > 0 &&
      ` There were too many pairs of places: ${formatCount(facts.unpaired)} waits are not shown.`,
  );
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function contentionPage(element, parameters) {
  document.title = "Contention · gotrace";
  const facts = await askWithBar(element, "api/contention", {
    ...passOn(parameters, PARAMETERS),
    class: classOf(parameters).name,
    count: 0,
  });
  const shared = { axis: new LatencyAxis([]) };
  const labels = h("span", {}, "Durations");
  const load = async (/** @type {PageQuery} */ page) => {
    const answer = await ask("api/contention", pairParameters(parameters, page));
    shared.axis = new LatencyAxis(answer.pairs);
    if (answer.pairs.length > 0) fill(labels, "Durations", axisLabels(shared.axis, 4));
    return { total: answer.total, rows: answer.pairs };
  };
  const titles = pageTitles(() => table.redraw());
  const table = pagedTable("Pairs of places", pairColumns(shared, labels, titles), load, {
    tools: [titles.element],
    empty: "No goroutine waited for this, or nobody is known to have ended it.",
    source: { path: "api/contention", parameters: (page) => pairParameters(parameters, page) },
    more: { label: "Stacks", about: () => "both", content: details },
  });
  fill(
    element,
    h("h1", {}, "Contention"),
    leadLine(facts, parameters),
    h(
      "div",
      { class: "tools" },
      h("span", { class: "links" }, classLinks(parameters)),
      reasonSelect(parameters, facts.reasons),
    ),
    table.element,
  );
  return table.show();
}
