// SPDX-License-Identifier: BSD-3-Clause
// /userregion: regions of one type, with where their time went.

import { h, fill } from "./dom.js";
import { ask, askWithBar } from "./analysis.js";
import { pagedTable } from "./paged.js";
import { TIMES, timeBar, timeLegend } from "./timebar.js";
import { formatDuration, formatTime } from "./format.js";

const PARAMETERS = ["type", "pc", "latmin", "latmax"];

function onTimeline(region) {
  const pad = Math.max(1000, (region.end - region.start) / 10);
  const range = { s: Math.max(0, Math.floor(region.start - pad)), e: Math.ceil(region.end + pad) };
  return h("a", { href: `/?${new URLSearchParams({ view: "goroutine", filter: `g${region.goroutine}`, ...range })}`, title: "Show it on the timeline" }, formatTime(region.start));
}

function task(region) {
  return region.task ? h("a", { href: `/trace?focustask=${region.task}` }, `${region.task}`) : "";
}

function columns(whole) {
  return [
    { label: "Start", sort: "start", number: true, cell: onTimeline },
    { label: "Goroutine", sort: "goroutine", cell: (region) => h("a", { href: `/trace?goid=${region.goroutine}` }, `G${region.goroutine}`) },
    { label: "Task", cell: task },
    { label: "Time by state", class: "bar", cell: (region) => timeBar(region.time, whole) },
    ...TIMES.map((time) => ({ label: time.label, sort: time.key, number: true, about: time.about, cell: (region) => formatDuration(region.time[time.key]) })),
    { label: "Total", sort: "total", first: true, number: true, cell: (region) => formatDuration(region.time.total) },
  ];
}

function address(parameters, page) {
  const query = new URLSearchParams(page);
  for (const name of PARAMETERS) {
    if (parameters.get(name)) query.set(name, parameters.get(name));
  }
  return `/api/region?${query}`;
}

export async function regionPage(element, parameters) {
  const type = parameters.get("type") ?? "";
  document.title = `Regions ${type} · gotrace`;
  const longest = await askWithBar(element, address(parameters, { sort: "total", desc: 1, first: 0, count: 1 }));
  const table = pagedTable("Regions", columns(Math.max(1, longest.regions[0]?.time.total ?? 1)), async (page) => {
    const answer = await ask(address(parameters, page));
    return { total: answer.total, rows: answer.regions };
  });
  const limits = ["latmin", "latmax"].filter((name) => parameters.get(name)).map((name) => `${name === "latmin" ? "at least" : "at most"} ${parameters.get(name)}`);
  fill(element, h("h1", {}, `Regions ${type || "(no name)"}`), h("p", { class: "lead" }, limits.join(", ")), timeLegend(), table.element);
  return table.show();
}
