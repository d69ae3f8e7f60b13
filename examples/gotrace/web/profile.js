// SPDX-License-Identifier: BSD-3-Clause
// /io, /block, /syscall, /sched and those of regions: what goroutines waited for, as a flame graph.

import { h, fill } from "./dom.js";
import { askWithBar } from "./analysis.js";
import { flameGraph } from "./flame.js";

const KINDS = {
  io: ["Network blocking", "Time that goroutines waited for the network."],
  block: ["Synchronization blocking", "Time that goroutines waited for channels, locks, condition variables and each other."],
  syscall: ["System calls", "Time that goroutines were in system calls."],
  sched: ["Scheduler latency", "Time that goroutines were ready to run, and waited for a proc."],
};
const PARAMETERS = ["name", "type", "pc", "latmin", "latmax"];

/** What the profile is of, in words. */
function about(parameters) {
  const parts = [];
  if (parameters.get("name")) parts.push(`of goroutines that start with ${parameters.get("name")}`);
  if (parameters.get("type")) parts.push(`in regions ${parameters.get("type")}`);
  if (parameters.get("latmin")) parts.push(`of at least ${parameters.get("latmin")}`);
  if (parameters.get("latmax")) parts.push(`of at most ${parameters.get("latmax")}`);
  return parts.join(", ");
}

function passed(parameters, more) {
  const query = new URLSearchParams(more);
  for (const name of PARAMETERS) {
    if (parameters.get(name)) query.set(name, parameters.get(name));
  }
  return query;
}

export async function profilePage(element, parameters) {
  const path = location.pathname.slice(1);
  const [title, lead] = KINDS[path.replace(/^region/, "")];
  document.title = `${title} · gotrace`;
  const data = await askWithBar(element, `/api/profile?${passed(parameters, { kind: path })}`);
  const raw = h("a", { class: "button", href: `/${path}?${passed(parameters, { raw: 1 })}`, download: `${path}.pprof` }, "pprof");
  const holder = h("div", { class: "flame-holder" });
  fill(element, h("h1", {}, title), h("p", { class: "lead" }, lead, " ", about(parameters)), holder);
  const graph = flameGraph(holder, null);
  fill(graph.extra, raw);
  graph.update(data, { empty: "The trace has none of it.", unit: data.unit ?? "ns" });
}
