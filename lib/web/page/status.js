// SPDX-License-Identifier: BSD-3-Clause
// What the page says of itself: progress, what is wrong with the trace, and the line below.

import { h, fill } from "./dom.js";
import { formatBytes, formatCount, formatDuration } from "./format.js";

const SHOWN = 5000;

const element = (id) => document.getElementById(id);

function setText(id, text) {
  const node = element(id);
  if (node.textContent !== text) node.textContent = text;
}

function plural(count, word) {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

export class Status {
  constructor(app) {
    this.app = app;
    this.dismissed = "";
    this.note = "";
    this.offline = false;
    this.timer = 0;
    app.on("trace", (trace) => this.show(trace));
  }

  /** Says something for a moment. */
  say(text) {
    clearTimeout(this.timer);
    this.note = text;
    this.timer = setTimeout(() => {
      this.note = "";
      this.draw();
    }, SHOWN);
    this.draw();
  }

  error(error) {
    console.error(error);
    if (error.status === 0)
      this.offline = this.banner(
        ["The server does not answer; what is shown may be incomplete."],
        true,
      );
    else this.say(error.message);
  }

  /** Whether the last request was answered: the page says when the server is gone, or back. */
  answered(error) {
    if (error) this.error(error);
    else if (this.offline) {
      this.offline = false;
      this.show(this.app.trace);
    }
  }

  show(trace) {
    const name = trace.name.split("/").at(-1);
    document.title = name ? `${name} · gotrace` : "gotrace";
    this.showTrace(trace, name);
    this.showProgress(trace.progress);
    const repairs = trace.repairs ?? [];
    if (trace.error)
      this.banner(
        [trace.error, ...repairs],
        true,
        "This trace could not be read to its end; what was read is shown.",
      );
    else if (repairs.length > 0) this.banner(repairs, false, "This trace had to be repaired:");
    else this.banner([], false);
  }

  showTrace(trace, name) {
    const { counts } = trace;
    const parts = [
      name,
      trace.header,
      formatDuration(trace.duration),
      plural(counts.events, "event"),
      plural(counts.goroutines, "goroutine"),
      `GOMAXPROCS ${trace.gomaxprocs || "–"}`,
    ];
    setText("status-trace", parts.filter(Boolean).join("  ·  "));
    element("status-trace").title = trace.name;
  }

  showProgress({ done, fraction, events }) {
    const bar = element("progress");
    bar.hidden = done;
    if (done) return;
    const percent = Math.floor(fraction * 100);
    bar.setAttribute("aria-valuenow", percent);
    bar.querySelector("i").style.transform = `scaleX(${Math.max(0.01, fraction)})`;
    this.reading = `reading ${percent} %, ${plural(events, "event")}`;
  }

  /** A banner that was closed stays so until it has something else to say. */
  banner(lines, isError, title = "") {
    const text = lines.join("\n");
    const box = element("banner");
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
    const cursor = app.cursor !== null && app.cursor !== undefined;
    setText("status-cursor", cursor ? app.axis.full(app.cursor) : "");
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
