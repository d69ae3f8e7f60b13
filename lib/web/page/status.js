// SPDX-License-Identifier: BSD-3-Clause
// The status of the page: progress, problems with the trace, and the line at the bottom.

import { ApiError, messageOf } from "./api.js";
import { Banner } from "./banner.js";
import { byId, findIn } from "./dom.js";
import { formatBytes, formatDuration, formatPlural } from "./format.js";
import { endingText, repairMessage } from "./repairs.js";

const SHOWN = 5000;

/**
 * @param {string} id
 * @param {string} text
 */
function setText(id, text) {
  const node = byId(id);
  if (node.textContent !== text) node.textContent = text;
}

const MEMORY_TITLE =
  "Memory of the process that is resident, or without a server that of the viewer's engine, and " +
  "the part of it that the timeline takes";

/** @param {TraceFacts} trace */
function memoryText({ memory, process_memory: resident }) {
  const timeline = `timeline ${formatBytes(memory)}`;
  return resident ? `process ${formatBytes(resident)} · ${timeline}` : timeline;
}

export class Status {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.banner = new Banner(byId("banner"), byId("top-actions"));
    this.note = "";
    this.reading = "";
    this.timer = 0;
    app.on("trace", (trace) => this.show(trace));
  }

  /**
   * Shows a message for a moment.
   * @param {string} text
   */
  say(text) {
    clearTimeout(this.timer);
    this.note = text;
    this.app.speech.say(text);
    this.timer = setTimeout(() => {
      this.note = "";
      this.draw();
    }, SHOWN);
    this.draw();
  }

  /**
   * The banner says that the server does not answer; other errors are shown for a moment.
   * @param {unknown} error
   */
  error(error) {
    console.error(error);
    if (!(error instanceof ApiError && error.status === 0)) this.say(messageOf(error));
  }

  /** @param {TraceFacts} trace */
  show(trace) {
    const name = trace.name.split("/").at(-1) ?? "";
    document.title = name ? `${name} · gotrace` : "gotrace";
    this.showTrace(trace, name);
    this.showProgress(trace.progress);
    this.banner.set("trace", repairMessage(trace));
  }

  /**
   * @param {TraceFacts} trace
   * @param {string} name
   */
  showTrace(trace, name) {
    const { counts } = trace;
    const parts = [
      name,
      trace.header,
      formatDuration(trace.duration),
      formatPlural(counts.events, "event"),
      formatPlural(counts.goroutines, "goroutine"),
      `GOMAXPROCS ${trace.gomaxprocs || "–"}`,
      trace.dropped > 0 && `the first ${formatDuration(trace.dropped)} were let go`,
      endingText(trace) && "ending unknown",
    ];
    setText("status-trace", parts.filter(Boolean).join("  ·  "));
    byId("status-trace").title = [trace.name, endingText(trace)].filter(Boolean).join("\n");
  }

  /** @param {Progress} progress */
  showProgress({ done, fraction, events, live }) {
    const bar = byId("progress");
    bar.hidden = done || live;
    if (live) this.reading = `recording, ${formatPlural(events, "event")}`;
    if (done || live) return;
    const percent = Math.floor(fraction * 100);
    bar.setAttribute("aria-valuenow", String(percent));
    findIn(bar, "i", HTMLElement).style.transform = `scaleX(${Math.max(0.01, fraction)})`;
    this.reading = `reading ${percent} %, ${formatPlural(events, "event")}`;
  }

  draw() {
    const { app } = this;
    if (!app.trace) return;
    const { view, state, trace } = app;
    setText("status-cursor", app.cursor === null ? "" : app.axis.full(app.cursor));
    const area = app.overlay.drag?.area ?? state.area;
    const shown = `${formatDuration(view.e - view.s)} shown`;
    setText(
      "status-range",
      area ? `${formatDuration(area.end - area.start)} in the area · ${shown}` : shown,
    );
    const load = trace.progress.done ? memoryText(trace) : this.reading;
    setText("status-load", this.note || load);
    byId("status-load").title = this.note || !trace.progress.done ? "" : MEMORY_TITLE;
  }
}
