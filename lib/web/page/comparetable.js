// SPDX-License-Identifier: BSD-3-Clause
// The table of /compare: what differs, the worst first. Each line leads to what it is about.

import { viewerURL } from "./api.js";
import { shareOf } from "./amounts.js";
import { h } from "./dom.js";
import { formatBytes, formatCount, formatDuration } from "./format.js";
import { sortableGrid } from "./grid.js";
import { addressWith, link } from "./links.js";
import { pageSorts } from "./pagestate.js";
import { isRuntimeFrame } from "./stack.js";

/** @typedef {Difference & { index: number }} Row A difference with its number at the host. */

const SIDES = /** @type {const} */ (["before", "after"]);

/** From this factor on, a change is given as a factor. */
const MANY = 10;

/** What a verdict means, for the pointer. */
const VERDICTS = {
  worse: "It needs more than before",
  better: "It needs less than before",
  changed: "It differs, which is neither good nor bad",
  added: "It is only in the traces after the change",
  removed: "It is only in the traces before the change",
  noise: "It may be chance, or is too small to matter",
};

/**
 * The pages of waits, by what the waits are for.
 * @type {Record<string, string>}
 */
const WAIT_PAGES = { scheduler: "sched", syscall: "syscall", blocked: "block" };

/**
 * A figure with its unit.
 * @param {Difference} difference
 * @param {number} value
 */
export function figureText({ statistic, measure }, value) {
  if (statistic === "rate") return `${formatCount(value)}/s`;
  if (measure === "allocated") return `${formatBytes(value)}/s`;
  return formatDuration(value) + (statistic === "per-second" ? "/s" : "");
}

/**
 * @param {Difference} difference
 * @param {number} value
 */
function signedText(difference, value) {
  const sign = value < 0 ? "\u2212" : "+";
  return `${sign}${figureText(difference, Math.abs(value))}`;
}

/**
 * The change in percent, or by which factor.
 * @param {Difference} difference
 */
export function changeText({ before, after }) {
  if (!(before > 0)) return after > 0 ? "new" : "0 %";
  if (!(after > 0)) return "gone";
  if (after >= MANY * before) return `× ${formatCount(Math.round(after / before))}`;
  const sign = after < before ? "\u2212" : "+";
  return `${sign}${shareOf(Math.abs(after - before), before)}`;
}

/**
 * How much the figure has changed for sure.
 * @param {Difference} difference
 */
export function intervalText(difference) {
  const { low, high } = difference;
  if (low === undefined || high === undefined) return "too few";
  return `${signedText(difference, low)} to ${signedText(difference, high)}`;
}

/**
 * The functions of a stack, the leaf first.
 * @param {Difference} difference
 */
export function functionsOf({ subject, name }) {
  return subject === "stack" ? name.split(";").reverse() : [];
}

/**
 * The first function outside of the runtime, and its caller.
 * @param {Difference} difference
 */
function endsOf(difference) {
  const functions = functionsOf(difference);
  const outside = functions.filter((name) => !isRuntimeFrame(name));
  const [leaf = functions[0], caller = ""] = outside;
  return { leaf, caller };
}

/**
 * What a line is about, in words that are short enough for a table.
 * @param {Difference} difference
 */
export function titleOf(difference) {
  const { subject, measure, detail, label } = difference;
  if (subject !== "stack") return label;
  const { leaf, caller } = endsOf(difference);
  const where = caller === "" ? leaf : `${leaf} from ${caller}`;
  return `${[measure, detail].filter((text) => text !== "").join(" ")} at ${where}`;
}

/**
 * The page of a trace that shows what a difference is about, and its parameters.
 * @param {Difference} difference
 * @returns {[path: string, parameters: QueryValues]}
 */
function pageOf(difference) {
  const { subject, name, measure, detail } = difference;
  if (subject === "task") return ["usertask", { type: name }];
  if (subject === "region") return ["userregion", { type: name }];
  const wait = measure === "blocked" && detail === "network" ? "io" : WAIT_PAGES[measure];
  if (subject === "stack") {
    const find = endsOf(difference).leaf;
    const graph = { view: "goroutine", panel: 1, tab: "flame", kind: "running", find };
    return wait ? [wait, { find }] : ["trace", graph];
  }
  if (subject !== "goroutine") return ["gc", {}];
  return [wait ?? "goroutine", { name }];
}

/**
 * The address of a page of a trace of the host.
 * @param {string} trace
 * @param {string} path
 * @param {QueryValues} parameters
 */
function addressIn(trace, path, parameters) {
  return trace + viewerURL(path, parameters);
}

/**
 * The address of what a difference is about, in a trace. With a range of durations it is that of
 * the tasks or regions in the range.
 * @param {Difference} difference
 * @param {string} trace
 * @param {{ from: number, to: number } | null} range
 */
export function subjectAddress(difference, trace, range = null) {
  const [path, parameters] = pageOf(difference);
  const limits = range ? { latmin: `${range.from}ns`, latmax: `${range.to}ns` } : {};
  const isList = difference.subject === "task" || difference.subject === "region";
  return addressIn(trace, path, isList ? { ...parameters, ...limits } : parameters);
}

/** @param {Difference} difference */
export function isOn(difference, /** @type {"before" | "after"} */ side) {
  return difference[side] > 0 || difference[`${side}_count`] > 0;
}

/**
 * @param {Difference} difference
 * @param {{ before: string, after: string }} traces
 */
function placesCell(difference, traces) {
  return h(
    "span",
    { class: "compare-places" },
    SIDES.map((side) =>
      isOn(difference, side)
        ? h(
            "a",
            {
              href: subjectAddress(difference, traces[side]),
              title: `${difference.name || difference.measure} in the trace ${side} the change`,
            },
            side,
          )
        : h("span", { class: "muted" }, `not ${side}`),
    ),
  );
}

/** @param {Verdict} verdict */
export function verdictChip(verdict) {
  return h("span", { class: `verdict is-${verdict}`, title: VERDICTS[verdict] }, verdict);
}

/**
 * The table. `traces` returns the addresses of the trace of each side that links lead to, and
 * `choose` shows more about a row.
 * @param {() => { before: string, after: string }} traces
 * @param {(row: Row) => void} choose
 */
export function differenceTable(traces, choose) {
  const number = (/** @type {"before" | "after"} */ key, /** @type {string} */ label) => ({
    key,
    label,
    number: true,
    cell: (/** @type {Row} */ row) => figureText(row, row[key]),
  });
  return sortableGrid(
    "What differs, the worst first",
    [
      {
        key: "index",
        label: "Verdict",
        about: "The order is that of the command: worse, better, changed, added, removed",
        cell: (/** @type {Row} */ row) => verdictChip(row.verdict),
      },
      {
        key: "label",
        label: "What",
        class: "name",
        value: (/** @type {Row} */ row) => titleOf(row),
        cell: (/** @type {Row} */ row) =>
          link(
            addressWith({ about: row.label }),
            () => choose(row),
            { title: `${row.label}\nShow its distributions, and its rows on the timelines` },
            titleOf(row),
          ),
      },
      number("before", "Before"),
      number("after", "After"),
      {
        key: "change",
        label: "Change",
        number: true,
        value: (/** @type {Row} */ { before, after }) =>
          before > 0 ? after / before : after > 0 ? Infinity : 1,
        cell: (/** @type {Row} */ row) => changeText(row),
      },
      {
        key: "interval",
        label: "By (95 %)",
        number: true,
        class: "roomy nowrap",
        value: (/** @type {Row} */ { low = 0, high = 0 }) => Math.abs(low + high) / 2,
        cell: (/** @type {Row} */ row) => intervalText(row),
      },
      {
        key: "places",
        label: "Where",
        class: "nowrap",
        value: (/** @type {Row} */ row) => row.subject,
        cell: (/** @type {Row} */ row) => placesCell(row, traces()),
      },
    ],
    { key: "index", descending: false },
    "differences",
    pageSorts(),
  );
}
