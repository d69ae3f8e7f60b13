// SPDX-License-Identifier: BSD-3-Clause
// /usertask: tasks of one type, with what happened in each.

import { h, fill } from "./dom.js";
import { ask, askWithBar } from "./analysis.js";
import { pagedTable } from "./paged.js";
import { formatDuration, formatTime, formatCount } from "./format.js";

const FILTERS = [
  ["latmin", "At least", "such as 10ms"],
  ["latmax", "At most", "such as 1s"],
  ["logtext", "Log contains", ""],
];

function rangeLink(task, ...children) {
  const pad = Math.max(1000, (task.end - task.start) / 10);
  const query = new URLSearchParams({ view: "task", s: Math.max(0, Math.floor(task.start - pad)), e: Math.ceil(task.end + pad), filter: String(task.id) });
  return h("a", { href: `/?${query}` }, children);
}

/** What was logged, with the time since the one before: where a task got stuck shows. */
function eventList(task) {
  let last = task.start;
  const rows = task.events.map((event) => {
    const since = event.time - last;
    last = event.time;
    return h("tr", {}, h("td", { class: "number" }, formatTime(event.time)), h("td", { class: "number" }, `+${formatDuration(since)}`),
      h("td", {}, h("a", { href: `/trace?goid=${event.goroutine}` }, `G${event.goroutine}`)), h("td", {}, event.text));
  });
  const table = h("table", { class: "grid inner" }, h("thead", {}, h("tr", {}, ["When", "Elapsed", "Goroutine", "Event"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows));
  return h("details", {}, h("summary", {}, `${formatCount(task.events.length)} events`), table);
}

function people(task) {
  const shown = task.goroutines.slice(0, 8).map((id) => [h("a", { href: `/trace?goid=${id}` }, `G${id}`), " "]);
  return [shown, task.goroutines.length > 8 ? `and ${task.goroutines.length - 8} more` : ""];
}

const COLUMNS = [
  { label: "Task", sort: "id", cell: (task) => rangeLink(task, `${task.id}`) },
  { label: "Type", cell: (task) => task.name },
  { label: "Start", sort: "start", number: true, cell: (task) => formatTime(task.start) },
  { label: "Duration", sort: "duration", first: true, number: true, cell: (task) => formatDuration(task.end - task.start) },
  { label: "Complete", cell: (task) => (task.complete ? "yes" : "no") },
  { label: "Goroutines", cell: people },
  { label: "Regions", number: true, cell: (task) => formatCount(task.regions) },
  { label: "Show", cell: (task) => [h("a", { href: `/trace?taskid=${task.id}` }, "goroutines"), " ", h("a", { href: `/trace?focustask=${task.id}` }, "timeline")] },
  { label: "Events", cell: eventList },
];

function filterForm(parameters) {
  const hidden = ["type", "complete"].filter((name) => parameters.has(name))
    .map((name) => h("input", { type: "hidden", name, value: parameters.get(name) }));
  const fields = FILTERS.map(([name, label, example]) => h("label", {}, `${label} `,
    h("input", { class: "field", name, value: parameters.get(name) ?? "", placeholder: example })));
  return h("form", { class: "tools", method: "get", action: "/usertask" }, hidden, fields, h("button", { class: "button" }, "Filter"));
}

/** The server's names for the parameters of the page. */
function query(parameters, more) {
  const all = new URLSearchParams(more);
  if (parameters.has("type")) all.set("name", parameters.get("type"));
  for (const name of ["complete", "latmin", "latmax", "logtext"]) {
    if (parameters.get(name)) all.set(name, parameters.get(name));
  }
  return all;
}

export async function taskPage(element, parameters) {
  const type = parameters.get("type");
  document.title = `Tasks ${type ?? ""} · gotrace`;
  await askWithBar(element, `/api/task?${query(parameters, { first: 0, count: 1 })}`);
  const table = pagedTable("Tasks", COLUMNS, async (page) => {
    const answer = await ask(`/api/task?${query(parameters, page)}`);
    return { total: answer.total, rows: answer.tasks };
  });
  fill(element, h("h1", {}, type === null ? "User tasks" : `Tasks ${type || "(no name)"}`), filterForm(parameters), table.element);
  return table.show();
}
