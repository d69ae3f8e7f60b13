// SPDX-License-Identifier: BSD-3-Clause
// /goroutine?name=: the goroutines that start with one function.

import { h, fill } from "./dom.js";
import { ask, askWithBar } from "./analysis.js";
import { pagedTable } from "./paged.js";
import { TIMES, timeBar, timeLegend } from "./timebar.js";
import { formatDuration, formatCount } from "./format.js";

const PROFILES = [["io", "Network wait"], ["block", "Synchronization"], ["syscall", "System calls"], ["sched", "Scheduler wait"]];

/** The waits of a goroutine, the longest first. */
function waits(goroutine) {
  const named = (times, note) => Object.entries(times ?? {}).map(([reason, time]) => ({ reason: reason || "(no reason)", time, note }));
  const list = [...named(goroutine.blocks, ""), ...named(goroutine.ranges, "overlaps the rest")].sort((a, b) => b.time - a.time);
  if (list.length === 0) return "";
  return h("details", {}, h("summary", {}, `${list[0].reason} ${formatDuration(list[0].time)}`),
    h("ul", { class: "plain" }, list.map(({ reason, time, note }) => h("li", { title: note }, `${reason}: ${formatDuration(time)}`))));
}

function columns(whole) {
  return [
    { label: "Goroutine", sort: "id", cell: (g) => h("a", { href: `/trace?goid=${g.id}`, title: "Show it on the timeline" }, `G${g.id}`) },
    { label: "Time by state", class: "bar", cell: (g) => timeBar(g.time, whole()) },
    ...TIMES.map((time) => ({ label: time.label, sort: time.key, number: true, about: time.about, cell: (g) => formatDuration(g.time[time.key]) })),
    { label: "Total", sort: "total", first: true, number: true, cell: (g) => formatDuration(g.time.total) },
    { label: "Waits and ranges", class: "waits", cell: waits },
  ];
}

function address(name, query) {
  return `/api/group?${new URLSearchParams({ name, ...query })}`;
}

function links(name) {
  const query = new URLSearchParams({ name });
  const timeline = new URLSearchParams({ view: "goroutine", filter: name });
  return h("p", { class: "links" }, h("a", { href: `/?${timeline}` }, "On the timeline"),
    PROFILES.map(([path, label]) => [" · ", h("a", { href: `/${path}?${query}` }, label)]));
}

export async function groupPage(element, parameters) {
  const name = parameters.get("name") ?? "";
  document.title = `${name || "(unknown)"} · gotrace`;
  const longest = await askWithBar(element, address(name, { sort: "total", desc: 1, first: 0, count: 1 }));
  const whole = Math.max(1, longest.goroutines[0]?.time.total ?? 1);
  const table = pagedTable(`Goroutines of ${name}`, columns(() => whole), async (query) => {
    const answer = await ask(address(name, query));
    return { total: answer.total, rows: answer.goroutines };
  });
  fill(element, h("h1", {}, name || "(unknown)"), h("p", { class: "lead" }, `${formatCount(longest.total)} goroutines start with this function.`),
    links(name), timeLegend(), table.element);
  return table.show();
}
