// SPDX-License-Identifier: BSD-3-Clause
// /usertasks: types of tasks, with their latencies.

import { viewerURL } from "./api.js";
import { h, fill } from "./dom.js";
import { askWithBar } from "./analysis.js";
import { sortableGrid } from "./grid.js";
import { latencyColumns } from "./latency.js";
import { formatCount } from "./format.js";
import { nameOr } from "./names.js";

/**
 * @param {TaskType} type
 * @param {QueryValues} [parameters]
 */
function listAddress(type, parameters = {}) {
  return viewerURL("usertask", { type: type.name, ...parameters });
}

/**
 * A number of tasks, and the way to them.
 * @param {"count" | "complete" | "open"} key
 * @param {string} about
 * @param {number | null} complete
 */
function counted(key, about, complete) {
  const value = (/** @type {TaskType} */ type) =>
    key === "open" ? type.count - type.complete : type[key];
  const cell = (/** @type {TaskType} */ type) =>
    value(type) === 0
      ? h("span", { class: "zero" }, "0")
      : h(
          "a",
          { href: listAddress(type, complete === null ? {} : { complete }) },
          formatCount(value(type)),
        );
  return {
    key,
    label: { count: "Tasks", complete: "Complete", open: "Incomplete" }[key],
    number: true,
    about,
    value,
    cell,
  };
}

/**
 * @param {TaskType[]} types
 * @returns {import("./grid.js").GridColumn<TaskType>[]}
 */
function columnsFor(types) {
  return [
    {
      key: "name",
      label: "Task type",
      class: "name",
      cell: (type) => h("a", { href: listAddress(type) }, nameOr(type.name, "(no name)")),
    },
    counted("count", "All that the trace tells of", null),
    counted("complete", "Begun and ended within the trace", 1),
    counted("open", "Begun before the trace, or not ended in it", 0),
    ...latencyColumns(types, "complete tasks", (type, from, to) =>
      listAddress(type, { complete: 1, latmin: `${from}ns`, latmax: `${to}ns` }),
    ),
  ];
}

function empty() {
  return h(
    "div",
    { class: "empty" },
    h("p", {}, "The trace has no tasks."),
    h(
      "p",
      {},
      "A program makes them with ",
      h("code", {}, "trace.NewTask"),
      " of package ",
      h("code", {}, "runtime/trace"),
      ": each is an operation, such as a request, that may go through several goroutines.",
    ),
  );
}

/** @param {HTMLElement} element */
export async function tasksPage(element) {
  document.title = "Tasks · gotrace";
  const { types } = await askWithBar(element, "api/tasks");
  const head = h("h1", {}, "User tasks");
  if (types.length === 0) return fill(element, head, empty());
  const grid = sortableGrid("Tasks by type", columnsFor(types), { key: "count", descending: true });
  const kinds = types.length === 1 ? "type" : "types";
  const all = types.reduce((sum, type) => sum + type.count, 0);
  fill(
    element,
    head,
    h(
      "p",
      { class: "lead" },
      `${formatCount(all)} tasks of ${formatCount(types.length)} ${kinds}. ` +
        "A bar of a histogram opens the tasks that took so long.",
    ),
    grid.element,
  );
  return grid.show(types);
}
