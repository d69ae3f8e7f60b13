// SPDX-License-Identifier: BSD-3-Clause
// /usertask: the tasks of one type and what happened in each.

import { h, fill } from "./dom.js";
import { ask, askListWithBar, passOn } from "./analysis.js";
import { pagedTable } from "./paged.js";
import { formatDuration, formatCount, formatPlural } from "./format.js";
import { durationCell } from "./timebar.js";
import { LATENCY_FIELDS, filteredAddress, filterForm, largeHistogram } from "./latency.js";
import {
  columnTime,
  goroutineRowLink,
  nameOr,
  rangeAround,
  taskRowLink,
  timelineAddress,
} from "./names.js";
import { treeAddress } from "./tree.js";
import { whyTask } from "./whyaddress.js";

const FIELDS = [...LATENCY_FIELDS, { name: "logtext", label: "Log contains" }];
const SHOWN = 6;
const PINNED = 50;

/**
 * A row for an event. The time since the previous event shows where a task was delayed.
 * @param {TaskFacts} task
 * @param {TaskEvent} event
 * @param {number} last
 */
function eventRow(task, event, last) {
  const length = task.end - task.start;
  const place = length > 0 ? Math.min(1, Math.max(0, (event.time - task.start) / length)) : 0;
  const range = rangeAround(task);
  return h(
    "tr",
    {},
    h("td", { class: "number" }, columnTime(event.time)),
    h("td", { class: "number" }, `+${formatDuration(event.time - last)}`),
    h(
      "td",
      { class: "place-cell" },
      h("span", { class: "place" }, h("i", { style: { left: `${100 * place}%` } })),
    ),
    h("td", {}, goroutineRowLink(event.goroutine, range)),
    h("td", { class: "event-text" }, event.text),
  );
}

/** @param {TaskFacts} task */
function eventTable(task) {
  let last = task.events[0]?.time ?? task.start;
  const rows = task.events.map((event) => {
    const row = eventRow(task, event, last);
    last = event.time;
    return row;
  });
  const heads = [
    ["When", "number"],
    ["Since the previous", "number"],
    ["In the task", ""],
    ["Goroutine", ""],
    ["Event", ""],
  ];
  return h(
    "table",
    { class: "grid inner" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)),
      ),
    ),
    h("tbody", {}, rows),
  );
}

/**
 * The details that are shown below a task that is opened.
 * @param {TaskFacts} task
 */
function details(task) {
  const left = task.events_total - task.events.length;
  const children =
    task.children_total > 0 &&
    h(
      "p",
      {},
      `${formatPlural(task.children_total, "subtask")}: `,
      task.children.slice(0, PINNED).map((id) => [taskRowLink(id), " "]),
      task.children_total > PINNED && "…",
    );
  return [
    children,
    task.events.length > 0
      ? eventTable(task)
      : h("p", { class: "muted" }, "Nothing happened in it within the trace."),
    left > 0 && h("p", { class: "muted" }, `${formatCount(left)} more events are not listed.`),
  ];
}

/**
 * Links to the task on the timeline and to its goroutines, which are pinned there in the task's
 * range.
 * @param {TaskFacts} task
 */
function timelineLinks(task) {
  const pin = task.goroutines
    .slice(0, PINNED)
    .map((id) => `goroutine:${id}`)
    .join(",");
  return [
    h(
      "a",
      {
        href: timelineAddress({ view: "task", focustask: task.id }),
        title: "The task's row on the timeline",
      },
      "task",
    ),
    " ",
    h(
      "a",
      { href: treeAddress(task), title: "Its subtasks and goroutines on the timeline" },
      "tree",
    ),
    " ",
    task.complete && [
      h(
        "a",
        {
          href: timelineAddress({
            view: "goroutine",
            ...rangeAround(task),
            pin,
            why: whyTask(task.id),
            tab: "why",
            panel: 1,
          }),
          title: "What its time was spent on, and waited for",
        },
        "why?",
      ),
      " ",
    ],
    task.goroutines.length > 0 &&
      h(
        "a",
        {
          href: timelineAddress({ view: "goroutine", ...rangeAround(task), pin }),
          title: "Its goroutines on the timeline, in the task's range",
        },
        "goroutines",
      ),
  ];
}

/** @param {TaskFacts} task */
function goroutineLinks(task) {
  const range = rangeAround(task);
  const left = task.goroutines.length - SHOWN;
  return [
    task.goroutines.slice(0, SHOWN).map((id) => [goroutineRowLink(id, range), " "]),
    left > 0 && h("span", { class: "muted" }, `and ${formatCount(left)} more`),
  ];
}

/**
 * @param {boolean} known
 * @param {number} time
 */
function timeCell(known, time) {
  return known
    ? columnTime(time)
    : h("span", { class: "muted", title: "Not within the trace" }, "–");
}

/**
 * @param {TaskFacts} task
 * @param {number} whole
 */
function lengthBar(task, whole) {
  const share = Math.max(0.2, (100 * task.duration) / whole);
  return h(
    "span",
    { class: "stacked" },
    h("span", {
      style: {
        flexBasis: `${share}%`,
        backgroundColor: task.complete ? "var(--class-task)" : "var(--faint)",
      },
    }),
  );
}

/**
 * @param {number} whole
 * @param {boolean} manyTypes
 * @returns {import("./paged.js").PagedColumn<TaskFacts>[]}
 */
function taskColumns(whole, manyTypes) {
  return [
    { label: "Task", sort: "id", cell: (task) => taskRowLink(task.id) },
    ...(manyTypes
      ? [{ label: "Type", cell: (/** @type {TaskFacts} */ task) => nameOr(task.name, "(no name)") }]
      : []),
    { label: "Parent", cell: (task) => (task.parent ? taskRowLink(task.parent) : "") },
    {
      label: "Start",
      sort: "start",
      number: true,
      cell: (task) => timeCell(task.has_start, task.start),
    },
    { label: "End", number: true, cell: (task) => timeCell(task.has_end, task.end) },
    {
      label: "Complete",
      about: "Begun and ended within the trace",
      cell: (task) => (task.complete ? "yes" : h("span", { class: "badge" }, "no")),
    },
    {
      label: "Length",
      class: "bar-cell",
      about: "Relative to the longest",
      cell: (task) => lengthBar(task, whole),
    },
    {
      label: "Duration",
      sort: "duration",
      first: true,
      number: true,
      about: "Within the trace",
      cell: (task) => durationCell(task.duration),
    },
    { label: "Regions", number: true, cell: (task) => formatCount(task.regions) },
    { label: "Goroutines", cell: goroutineLinks },
    { label: "Show", class: "nowrap", cell: timelineLinks },
  ];
}

/**
 * The server's parameters for those of the page.
 * @param {URLSearchParams} parameters
 * @param {QueryValues} more
 */
function taskParameters(parameters, more) {
  return {
    name: parameters.get("type"),
    ...passOn(parameters, ["complete", "latmin", "latmax", "logtext"], more),
  };
}

/**
 * Links for all tasks, the complete ones, and the incomplete ones.
 * @param {URLSearchParams} parameters
 */
function completeSwitch(parameters) {
  const now = parameters.get("complete");
  const choice = (/** @type {string | null} */ value, /** @type {string} */ label) =>
    h(
      "a",
      {
        class: "button",
        href: filteredAddress(parameters, { complete: value }),
        "aria-current": now === value ? "true" : null,
      },
      label,
    );
  return h(
    "span",
    { class: "links", role: "group", "aria-label": "Which tasks" },
    choice(null, "All"),
    choice("1", "Complete"),
    choice("0", "Incomplete"),
  );
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function taskPage(element, parameters) {
  const type = parameters.get("type");
  document.title = `Tasks ${type ?? ""} · gotrace`;
  const types = await askListWithBar(element, "api/tasks", (answer) => answer.types);
  if (type !== null && !types.some((each) => each.name === type)) {
    throw new Error(`no task is of type ${type || "(no name)"}`);
  }
  const longest = await ask(
    "api/task",
    taskParameters(parameters, { sort: "duration", desc: 1, first: 0, count: 1 }),
  );
  const load = async (/** @type {import("./paged.js").PageQuery} */ page) => {
    const answer = await ask("api/task", taskParameters(parameters, page));
    return { total: answer.total, rows: answer.tasks };
  };
  const table = pagedTable(
    "Tasks",
    taskColumns(Math.max(1, longest.tasks[0]?.duration ?? 1), type === null),
    load,
    {
      more: {
        label: "Events",
        about: (task) => formatPlural(task.events_total, "event"),
        content: details,
      },
      empty: "No task matches.",
      source: { path: "api/task", parameters: (page) => taskParameters(parameters, page) },
    },
  );
  fill(
    element,
    h("h1", {}, type === null ? "User tasks" : type || "(no name)"),
    h(
      "p",
      { class: "lead" },
      type === null ? "All tasks of the trace." : "Tasks of one type. ",
      type !== null && h("a", { href: "usertasks" }, "All types"),
    ),
    type !== null &&
      largeHistogram(
        types.find((each) => each.name === type),
        parameters,
        (from, to) =>
          filteredAddress(parameters, { complete: 1, latmin: `${from}ns`, latmax: `${to}ns` }),
      ),
    h(
      "div",
      { class: "tools" },
      completeSwitch(parameters),
      filterForm(parameters, FIELDS, ["type", "complete"]),
    ),
    table.element,
  );
  return table.show();
}
