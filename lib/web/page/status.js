// SPDX-License-Identifier: BSD-3-Clause
// The status of the page: progress, problems with the trace, and the line at the bottom.

import { ApiError, messageOf } from "./api.js";
import { byId, fill, findIn, h } from "./dom.js";
import { formatBytes, formatDuration, formatPlural } from "./format.js";

const SHOWN = 5000;

/**
 * @param {string} id
 * @param {string} text
 */
function setText(id, text) {
  const node = byId(id);
  if (node.textContent !== text) node.textContent = text;
}

export class Status {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.dismissed = "";
    this.note = "";
    this.offline = false;
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

  /** @param {unknown} error */
  error(error) {
    console.error(error);
    if (error instanceof ApiError && error.status === 0)
      this.offline = this.banner(
        ["The server does not answer; what is shown may be incomplete."],
        true,
      );
    else this.say(messageOf(error));
  }

  /**
   * Called after each request: reports when the server stops answering, and when it answers again.
   * @param {unknown} error
   */
  answered(error) {
    if (error) this.error(error);
    else if (this.offline) {
      this.offline = false;
      this.show(this.app.trace);
    }
  }

  /** @param {TraceFacts} trace */
  show(trace) {
    const name = trace.name.split("/").at(-1) ?? "";
    document.title = name ? `${name} · gotrace` : "gotrace";
    this.showTrace(trace, name);
    this.showProgress(trace.progress);
    const { repairs } = trace;
    if (trace.error)
      this.banner(
        [trace.error, ...repairs],
        true,
        "This trace could not be read to its end; what was read is shown.",
      );
    else if (repairs.length > 0) this.banner(repairs, false, "This trace had to be repaired:");
    else this.banner([], false);
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
    ];
    setText("status-trace", parts.filter(Boolean).join("  ·  "));
    byId("status-trace").title = trace.name;
  }

  /** @param {Progress} progress */
  showProgress({ done, fraction, events }) {
    const bar = byId("progress");
    bar.hidden = done;
    if (done) return;
    const percent = Math.floor(fraction * 100);
    bar.setAttribute("aria-valuenow", String(percent));
    findIn(bar, "i", HTMLElement).style.transform = `scaleX(${Math.max(0.01, fraction)})`;
    this.reading = `reading ${percent} %, ${formatPlural(events, "event")}`;
  }

  /**
   * Shows a banner. One that the user has closed stays closed until the text changes.
   * @param {string[]} lines
   * @param {boolean} isError
   */
  banner(lines, isError, title = "") {
    const text = lines.join("\n");
    const box = byId("banner");
    if (text === "" || text === this.dismissed) {
      box.hidden = true;
      return true;
    }
    if (box.dataset.text === text && !box.hidden) return true;
    box.dataset.text = text;
    box.hidden = false;
    box.classList.toggle("is-error", isError);
    const list = title
      ? h(
          "ul",
          {},
          lines.map((line) => h("li", {}, line)),
        )
      : lines.join(" ");
    const close = () => {
      this.dismissed = text;
      box.hidden = true;
    };
    fill(
      box,
      h("div", {}, title && h("b", {}, title), list),
      h("button", { type: "button", "aria-label": "Close", click: close }, "✕"),
    );
    return true;
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
    const load = trace.progress.done ? formatBytes(trace.memory) : this.reading;
    setText("status-load", this.note || load);
  }
}
