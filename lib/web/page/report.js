// SPDX-License-Identifier: BSD-3-Clause
// /report: what is wrong with the program, the worst first.

import { viewerURL } from "./api.js";
import { AddressTable, listField, numberOf } from "./address.js";
import { askWithBar } from "./analysis.js";
import { curlButton, curlCommand } from "./copy.js";
import { fill, h } from "./dom.js";
import { showFindingCount } from "./findings.js";
import { formatBytes, formatCount, formatDuration, formatPlural } from "./format.js";
import { scrolling } from "./grid.js";
import { functionName, rangeAround, timelineAddress } from "./names.js";
import { PageAddress, pageTitles } from "./pagestate.js";
import { place } from "./place.js";
import { sparkline } from "./spark.js";
import { stackList } from "./stack.js";

/** @typedef {ReturnType<typeof pageTitles>} Titles */

/**
 * The pages that tell more about a finding: their addresses and what they are called.
 * @type {Record<string, [path: string, label: string, parameters?: QueryValues][]>}
 */
const MORE = {
  "blocked-on-lock": [["contention", "Contention", { class: "sync" }]],
  "lock-convoy": [["contention", "Contention", { class: "sync" }]],
  "blocked-on-channel": [["contention", "Contention", { class: "chan" }]],
  "goroutine-stuck": [["goroutines", "Goroutines"]],
  "goroutine-growth": [["goroutines", "Goroutines"]],
  "goroutine-churn": [["goroutines", "Goroutines"]],
  "scheduler-latency": [["sched", "Scheduler"]],
  "network-wakeup": [["sched", "Scheduler"]],
  "cpu-saturated": [["sched", "Scheduler"]],
  "cpu-idle-with-work": [["sched", "Scheduler"]],
  "slow-syscall": [["syscall", "Syscalls"]],
  "gc-cpu": [
    ["gc", "GC"],
    ["mmu", "MMU"],
  ],
  "gc-assist": [["gc", "GC"]],
  "gc-too-often": [["gc", "GC"]],
  "gc-stop-the-world": [["gc", "GC"]],
  "task-outlier": [["usertasks", "Tasks"]],
  "region-outlier": [["userregions", "Regions"]],
};

/** The stacks that are open, by their number on the page; a report has at most some hundreds. */
const TABLE = new AddressTable({
  open: listField("open", "the open stacks", (text) => numberOf(text, 0, 1000)),
});

/** The number of bins of a curve that the timeline shows on either side of the chosen one. */
const BESIDE = 2;

/**
 * A figure with its unit. What the figure counts is told by its measure.
 * @param {number} figure
 * @param {string} unit
 */
function figureText(figure, unit) {
  if (unit === "ns") return formatDuration(figure);
  if (unit === "%") return `${figure.toFixed(1)} %`;
  return unit === "bytes" ? formatBytes(figure) : formatCount(figure);
}

/**
 * The link to the example of a finding, with the row of its goroutine if it has one.
 * @param {FindingExample} example
 */
function exampleText({ goroutine, start, end }) {
  const range = { start, end: Math.max(end, start + 1) };
  const address = timelineAddress({
    ...(goroutine === null ? { view: "proc" } : { view: "goroutine", goid: goroutine }),
    ...rangeAround(range, 0.5),
    area: `${range.start}-${range.end}`,
  });
  return [
    h(
      "a",
      { class: "button small", href: address },
      goroutine === null ? "Example on the timeline" : `Example on the timeline: G${goroutine}`,
    ),
    h(
      "span",
      { class: "muted" },
      `at ${formatDuration(start)}, for ${formatDuration(end - start)}`,
    ),
  ];
}

/** @param {Finding} finding */
function links({ name, example }) {
  return h(
    "div",
    { class: "finding-links" },
    example && exampleText(example),
    (MORE[name] ?? []).map(([path, label, parameters]) =>
      h("a", { class: "button small", href: viewerURL(path, parameters) }, label),
    ),
  );
}

/**
 * @param {FindingCurve} curve
 * @param {ReportBins} bins
 */
function curveFigure({ measure, unit, view, values }, { width }) {
  const value = (/** @type {number} */ bin) =>
    unit === "ns" || unit === "%" ? figureText(values[bin], unit) : formatCount(values[bin]);
  return sparkline({
    label: measure,
    values,
    href: (bin) =>
      timelineAddress({
        view,
        s: Math.max(0, (bin - BESIDE) * width),
        e: (bin + 1 + BESIDE) * width,
        area: `${bin * width}-${(bin + 1) * width}`,
      }),
    text: (bin) => `${value(bin)} at ${formatDuration(bin * width)}`,
  });
}

/**
 * Returns what says what a subject of a finding is: a group of goroutines, with what else tells it
 * from others.
 * @param {string} finding
 * @returns {(subject: FindingSubject) => Child}
 */
function subjectName(finding) {
  return ({ group, detail }) => {
    const start =
      group !== "" &&
      h("a", { href: viewerURL("goroutine", { name: group }) }, functionName(group));
    const what =
      finding === "task-outlier"
        ? h("a", { href: viewerURL("usertask", { type: detail }) }, detail || "(no name)")
        : detail;
    return [what, what !== "" && start && " in ", start, what === "" && !start && "not named"];
  };
}

/**
 * The row below a subject, with its stacks.
 * @param {FindingSubject} subject
 * @param {number} columns
 */
function stacksRow({ stack, ended_by: other }, columns) {
  const lists = [
    stack.length > 0 && stackList("Stack", stack),
    other.length > 0 && stackList("Ended by", other),
  ];
  return h(
    "tr",
    { class: "more" },
    h("td", { colSpan: columns }, h("div", { class: "stack-pair" }, lists)),
  );
}

/**
 * The control that shows the stacks of a subject in a row below its own.
 * @param {FindingSubject} subject
 */
function stacksOpener(subject) {
  if (subject.stack.length + subject.ended_by.length === 0) return false;
  const opener = h("details", { class: "opener" }, h("summary", {}, "Stacks"));
  opener.addEventListener("toggle", () => {
    const row = opener.closest("tr");
    const below = row?.nextElementSibling;
    const isShown = below?.classList.contains("more") ?? false;
    if (!opener.open && isShown) below?.remove();
    if (opener.open && !isShown) row?.after(stacksRow(subject, row.cells.length));
  });
  return opener;
}

/**
 * @param {Finding} finding
 * @param {Titles} titles
 * @returns {import("./paged.js").PagedColumn<FindingSubject>[]}
 */
function subjectColumns({ name, unit, subjects }, titles) {
  const some = (/** @type {"stack" | "ended_by"} */ key) =>
    subjects.some((subject) => subject[key].length > 0);
  const columns = [
    {
      label: "Figure",
      number: true,
      cell: (/** @type {FindingSubject} */ { figure }) => figureText(figure, unit),
    },
    {
      label: "Times",
      number: true,
      cell: (/** @type {FindingSubject} */ { count }) => formatCount(count),
    },
    { label: "About", class: "name", cell: subjectName(name) },
    some("stack") && {
      label: "At",
      cell: (/** @type {FindingSubject} */ { stack }) => titles.cell(stack, "no stack"),
    },
    some("ended_by") && {
      label: "Ended by",
      cell: (/** @type {FindingSubject} */ { ended_by: other }) => titles.cell(other, "–"),
    },
    (some("stack") || some("ended_by")) && {
      label: "Stacks",
      class: "nowrap",
      cell: stacksOpener,
    },
    subjects.some(({ group }) => group !== "") && {
      label: "Rows",
      cell: (/** @type {FindingSubject} */ { group }) =>
        group !== "" &&
        h(
          "a",
          {
            href: timelineAddress({ view: "goroutine", filter: group }),
            title: `${group} on the timeline`,
          },
          "timeline",
        ),
    },
  ];
  return columns.filter((column) => column !== false);
}

/**
 * @param {Finding} finding
 * @param {Titles} titles
 */
function subjectTable(finding, titles) {
  const columns = subjectColumns(finding, titles);
  const kind = (/** @type {{ number?: boolean, class?: string }} */ column) =>
    [column.number && "number", column.class].filter(Boolean).join(" ");
  return scrolling(
    h(
      "table",
      { class: "grid" },
      h("caption", {}, `What ${finding.name} is about`),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column) => h("th", { scope: "col", class: kind(column) }, column.label)),
        ),
      ),
      h(
        "tbody",
        {},
        finding.subjects.map((subject) =>
          h(
            "tr",
            {},
            columns.map((column) => h("td", { class: kind(column) }, column.cell(subject))),
          ),
        ),
      ),
    ),
  );
}

/** @param {Finding} finding */
function figureLine({ figure, unit, measure, share, whole }) {
  return h(
    "p",
    { class: "finding-figure" },
    h("b", {}, figureText(figure, unit)),
    ` ${measure}`,
    whole !== "" && ["; ", h("b", {}, `${share.toFixed(1)} %`), ` ${whole}`],
  );
}

/**
 * How much worse a finding is than what counts as a fault.
 * @param {number} excess
 */
function weight(excess) {
  const times = excess < 10 ? excess.toFixed(1) : formatCount(Math.round(excess));
  return h(
    "span",
    { class: "finding-weight", title: "By this the findings are sorted" },
    `${times} × the threshold`,
  );
}

/**
 * @param {Finding} finding
 * @param {ReportBins} bins
 * @param {Titles} titles
 */
function findingSection(finding, bins, titles) {
  const { name, sentence, advice, excess, curve, subjects, wrong } = finding;
  return h(
    "section",
    { class: wrong ? "finding" : "finding is-good", id: name, "aria-labelledby": `${name}-title` },
    h(
      "header",
      {},
      h("h2", { id: `${name}-title` }, sentence),
      h("a", { class: "finding-name", href: `#${name}`, title: "Link to this finding" }, name),
      wrong && weight(excess),
    ),
    h(
      "div",
      { class: "finding-body" },
      h(
        "div",
        {},
        figureLine(finding),
        h("p", { class: "finding-advice" }, advice),
        links(finding),
      ),
      curve && curve.values.length > 0 && curveFigure(curve, bins),
    ),
    subjects.length > 0 && wrong && subjectTable(finding, titles),
  );
}

/** @param {ReportFacts} report */
function leadLine({ wrong, events, duration, goroutines, procs }) {
  return h(
    "p",
    { class: "lead" },
    h("b", {}, wrong === 0 ? "No findings" : formatPlural(wrong, "finding")),
    ` in ${formatPlural(events, "event")} of ${formatDuration(duration)}, `,
    `${formatPlural(goroutines, "goroutine")}, GOMAXPROCS ${procs || "–"}. `,
    wrong > 0 && h("span", { class: "muted" }, "The worst comes first."),
  );
}

/** @param {ReportFacts} report */
function lookedFor({ wrong, looked_for: names }) {
  const list = h(
    "ul",
    { class: "finding-kinds" },
    names.map((name) => h("li", {}, name)),
  );
  return wrong === 0
    ? h(
        "div",
        { class: "finding-none" },
        h("p", {}, "The trace shows none of the faults that are looked for:"),
        list,
      )
    : h("details", {}, h("summary", {}, "What was looked for"), list);
}

/** Goes to the finding that the address names, which was not there when the page was loaded. */
function goToFinding() {
  const name = decodeURIComponent(place.hash.slice(1));
  if (name !== "" && document.getElementById(name)) place.scrollToHash();
}

/**
 * Keeps in the address which stacks are open. The result opens those again.
 * @param {HTMLElement} list
 */
function keepOpen(list) {
  const address = new PageAddress(TABLE);
  const openers = () => [
    .../** @type {NodeListOf<HTMLDetailsElement>} */ (list.querySelectorAll("details.opener")),
  ];
  const note = () => {
    const open = openers().flatMap((each, i) => (each.open ? [i] : []));
    if (open.join() !== address.state.open.join()) address.set({ open });
  };
  list.addEventListener("toggle", note, { capture: true });
  return () => {
    const open = new Set(address.state.open);
    for (const [i, opener] of openers().entries()) opener.open = open.has(i);
  };
}

/** @param {HTMLElement} element */
export async function reportPage(element) {
  document.title = "Report · gotrace";
  const report = await askWithBar(element, "api/report");
  const list = h("div", { class: "findings" });
  const titles = pageTitles(() => show());
  const reopen = keepOpen(list);
  const show = () => {
    fill(
      list,
      report.findings.map((finding) => findingSection(finding, report.bins, titles)),
    );
    reopen();
  };
  show();
  showFindingCount(report.wrong);
  const hasStacks = report.findings.some(({ subjects }) =>
    subjects.some(({ stack }) => stack.length > 0),
  );
  fill(
    element,
    h("h1", {}, "Report"),
    leadLine(report),
    h(
      "div",
      { class: "tools" },
      hasStacks && titles.element,
      h("span", { class: "spring" }),
      curlButton("the report", () => curlCommand("api/report")),
    ),
    report.wrong === 0 && lookedFor(report),
    list,
    report.wrong > 0 && lookedFor(report),
  );
  goToFinding();
}
