// SPDX-License-Identifier: BSD-3-Clause
// The differential flame graph of /compare, of all traces of each side or of one of them.

import { ask } from "./analysis.js";
import { getJSON, isAbort, messageOf, pause } from "./api.js";
import { h } from "./dom.js";
import { flameGraph } from "./flame.js";
import { pageSorts } from "./pagestate.js";
import { FLAME_KINDS } from "./state.js";

const POLL = 250;

/**
 * The facts of a trace when it was read to its end.
 * @param {string} trace its address
 * @param {AbortSignal} signal
 * @returns {Promise<TraceFacts>}
 */
async function askWhole(trace, signal) {
  for (;;) {
    const path = /** @type {"api/trace"} */ (`${trace}api/trace`);
    const facts = await getJSON(path, {}, { signal });
    if (facts.progress.done) return facts;
    await pause(POLL);
  }
}

/**
 * The graph of a trace, and how long the trace is.
 * @param {string} trace
 * @param {QueryValues} query
 * @param {AbortSignal} signal
 */
async function askGraph(trace, query, signal) {
  const { duration } = await askWhole(trace, signal);
  const path = /** @type {"api/flame"} */ (`${trace}api/flame`);
  const scope = { view: "goroutine", start: 0, end: Math.ceil(duration) };
  const flame = await ask(path, { ...scope, ...query }, undefined, { signal });
  return { flame, duration };
}

/**
 * Several graphs as one. What is equal in them is merged when the graph is laid out.
 * @param {FlameFacts[]} graphs
 * @returns {FlameFacts}
 */
export function joined(graphs) {
  const [first] = graphs;
  if (graphs.length === 1) return first;
  /** @type {FlameNode[]} */
  const nodes = [];
  /** @type {[file: number, line: number][]} */
  const places = [];
  /** @type {string[]} */
  const files = [];
  for (const graph of graphs) {
    const [offset, firstFile] = [nodes.length, files.length];
    const [root] = graph.nodes;
    graph.nodes.forEach(([parent, name, self, total], i) => {
      if (i === 0 && offset > 0) nodes[0][2] += self;
      const above = parent === 0 ? 0 : parent + offset - (offset > 0 ? 1 : 0);
      if (i > 0 || offset === 0) {
        nodes.push([above, name, self, total]);
        const [file, line] = graph.places?.[i] ?? [-1, 0];
        places.push([file < 0 ? -1 : file + firstFile, line]);
      }
    });
    if (offset > 0 && root) nodes[0][3] += root[3];
    files.push(...(graph.files ?? []));
  }
  const total = graphs.reduce((sum, graph) => sum + graph.total, 0);
  return { unit: first.unit, total, nodes, places, files };
}

/** The kinds of graphs in which the goroutines of the runtime itself wait nearly all the time. */
const IDLE = new Set(["wall", "offcpu", "waiting"]);

/** What the first functions of the runtime's own goroutines, and of the tracer's, begin with. */
const OWN = /^runtime(\/trace)?\./;

/**
 * The graph without the waits of the runtime's own goroutines, which would hide those of the
 * program. Parents come before their children.
 * @param {FlameFacts} graph
 * @param {string} kind
 * @returns {FlameFacts}
 */
export function withoutIdle(graph, kind) {
  if (!IDLE.has(kind)) return graph;
  const isState = (/** @type {string} */ name) => name.startsWith("[");
  const left = graph.nodes.map(() => false);
  /** @type {FlameNode[]} */
  const nodes = graph.nodes.map((node) => [...node]);
  nodes.forEach(([parent, name], i) => {
    const isFirst = parent === 0 || (isState(nodes[parent][1]) && nodes[parent][0] === 0);
    const waits = parent === 0 || nodes[parent][1].startsWith("[wait");
    left[i] = i > 0 && (left[parent] || (isFirst && waits && OWN.test(name)));
  });
  nodes.forEach((node, i) => {
    if (left[i]) node[2] = node[3] = 0;
  });
  return { ...graph, nodes };
}

/** @typedef {{ before: string[], after: string[] }} Traces The addresses of those that count. */

export class CompareFlame {
  select = h(
    "select",
    { class: "select", "aria-label": "What the widths mean" },
    FLAME_KINDS.map(([kind, label, about]) => h("option", { value: kind, title: about }, label)),
  );
  message = h("p", { class: "note", "aria-live": "polite" });
  holder = h("div", { class: "flame-holder compare-flame" });
  element = h(
    "section",
    { class: "compare-part compare", "aria-label": "Flame graph" },
    h("h2", {}, "Where the time went"),
    this.message,
    this.holder,
  );
  /** @type {AbortController | null} */
  abort = null;
  key = "";

  /**
   * @param {() => FlameLook & { kind: string }} look
   * @param {(change: Partial<FlameLook & { kind: string }>) => void} onLook
   * @param {() => Traces} traces
   */
  constructor(look, onLook, traces) {
    this.look = look;
    this.traces = traces;
    this.graph = flameGraph(this.holder, null, {
      empty: "Computing …",
      look,
      onLook: (patch) => {
        onLook(patch);
        if ("flame" in patch) this.show();
      },
      sorts: pageSorts(),
    });
    this.graph.tools.prepend(this.select);
    this.select.addEventListener("change", () => {
      onLook({ kind: this.select.value });
      this.show();
    });
  }

  /** Shows what the look and the traces ask for. */
  show() {
    const { kind, flame } = this.look();
    const lines = flame.split(",").includes("lines") ? 1 : null;
    const traces = this.traces();
    const key = JSON.stringify([kind, lines, traces]);
    this.select.value = kind;
    if (key === this.key) return;
    this.key = key;
    this.abort?.abort();
    this.load(traces, { kind, lines });
  }

  /**
   * @param {Traces} traces
   * @param {QueryValues} query
   */
  async load(traces, query) {
    const abort = new AbortController();
    this.abort = abort;
    this.element.setAttribute("aria-busy", "true");
    try {
      const side = (/** @type {string[]} */ list) =>
        Promise.all(list.map((trace) => askGraph(trace, query, abort.signal)));
      const [before, after] = await Promise.all([side(traces.before), side(traces.after)]);
      if (this.abort === abort) this.draw(before, after);
    } catch (error) {
      if (isAbort(error) || this.abort !== abort) return;
      this.key = "";
      this.message.textContent = `The graphs could not be compared: ${messageOf(error)}`;
    }
    if (this.abort === abort) this.element.removeAttribute("aria-busy");
  }

  /**
   * @param {{ flame: FlameFacts, duration: number }[]} before
   * @param {{ flame: FlameFacts, duration: number }[]} after
   */
  draw(before, after) {
    const time = (/** @type {{ duration: number }[]} */ list) =>
      list.reduce((sum, { duration }) => sum + duration, 0);
    const { kind } = this.look();
    const base = withoutIdle(joined(before.map(({ flame }) => flame)), kind);
    const data = withoutIdle(joined(after.map(({ flame }) => flame)), kind);
    const scale = time(after) / Math.max(1, time(before));
    this.graph.update(data, {
      unit: data.unit,
      empty: "No trace has stacks of this kind.",
      base: { data: base, scale, names: ["before, scaled", "after"] },
    });
    const about =
      "Blue is less than before, red is more. What was before is scaled to the time after.";
    const left = IDLE.has(kind) ? " Waits of the runtime’s own goroutines are left out." : "";
    this.message.textContent = about + left;
  }
}
