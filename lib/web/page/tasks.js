// SPDX-License-Identifier: BSD-3-Clause
// /usertasks: the types of tasks and their latencies.

import { viewerURL } from "./api.js";
import { h } from "./dom.js";
import { askListWithBar } from "./analysis.js";
import { latencyColumns, showTypes } from "./latency.js";
import { formatCount } from "./format.js";
import { nameOr } from "./names.js";

/**
 * @param {TaskType} type
 * @param {QueryValues} [parameters]
 */
function taskListAddress(type, parameters = {}) {
  return viewerURL("usertask", { type: type.name, ...parameters });
}

/**
 * A column with a number of tasks, which links to them.
 * @param {"count" | "complete" | "open"} key
 * @param {string} about
 * @param {number | null} complete
 */
function countColumn(key, about, complete) {
  const value = (/** @type {TaskType} */ type) =>
    key === "open" ? type.count - type.complete : type[key];
  const cell = (/** @type {TaskType} */ type) =>
    value(type) === 0
      ? h("span", { class: "zero" }, "0")
      : h(
          "a",
          { href: taskListAddress(type, complete === null ? {} : { complete }) },
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
function taskTypeColumns(types) {
  return [
    {
      key: "name",
      label: "Task type",
      class: "name",
      cell: (type) => h("a", { href: taskListAddress(type) }, nameOr(type.name, "(no name)")),
    },
    countColumn("count", "All tasks in the trace", null),
    countColumn("complete", "Begun and ended within the trace", 1),
    countColumn("open", "Begun before the trace, or not ended in it", 0),
    ...latencyColumns(types, "complete tasks", (type, from, to) =>
      taskListAddress(type, { complete: 1, latmin: `${from}ns`, latmax: `${to}ns` }),
    ),
  ];
}

/** @param {HTMLElement} element */
export async function tasksPage(element) {
  document.title = "Tasks · gotrace";
  const types = await askListWithBar(element, "api/tasks", (answer) => answer.types);
  showTypes(element, types, {
    title: "User tasks",
    noun: "tasks",
    makers: ["trace.NewTask"],
    about: "each is an operation, such as a request, in which several goroutines may take part",
    columns: taskTypeColumns,
    path: "api/tasks",
  });
}
