// SPDX-License-Identifier: BSD-3-Clause
// The traces that the host shows, as a bar of tabs, and the ways to open another one: a button, the
// command palette, and a file that is dropped on the page.

import { ApiError, askHost, holdRequests, messageOf, pageName } from "./api.js";
import { byId, button, fill, h, iconButton } from "./dom.js";
import { PAGES } from "./nav.js";
import { registerCommands } from "./palette.js";
import { sendFile } from "./upload.js";

/* Browsers take a longer time, in milliseconds, for one that is over. */
const LONGEST_WAIT = 2 ** 31 - 1;
const CANNOT = "This server does not open traces from the page: it may be reached by others.";

/** @typedef {{ id: number, path: string, name: string }} OtherTrace */
/**
 * `every` is how often the host adds a trace by itself, in ms, or 0.
 * @typedef {{ traces: OtherTrace[], can_open: boolean, limit: number, every?: number }} TraceList
 */

/**
 * The last part of a file's name.
 * @param {string} name
 */
function shortName(name) {
  return name === "-" ? "standard input" : (name.split("/").pop() ?? name);
}

/** The name of this page if it also makes sense for another trace, else that of the timeline. */
function samePage() {
  return PAGES.some(({ path }) => path === pageName()) ? pageName() : "";
}

class Traces {
  /** @type {TraceList} */
  list = { traces: [], can_open: false, limit: 0 };
  bar = h("nav", { class: "trace-tabs", "aria-label": "Traces", hidden: true });
  note = h("div", { class: "open-note", role: "status", hidden: true });
  target = h("div", { class: "drop-target", hidden: true }, h("p", {}, "Drop traces to open them"));
  /** @type {HTMLInputElement} */
  picker = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    "aria-label": "Traces to open",
    change: () => this.openPicked(),
  });
  /** Opens the picker where there is no bar. */
  opener = button("Open…", () => this.pick(), {
    hidden: true,
    title: "Open a trace: choose a file, or drop one on the page",
  });
  /** @type {AbortController | null} */
  running = null;
  /** Runs where the host opens traces by itself. */
  timer = 0;

  /** @param {string} address where the host answers for its traces */
  constructor(address) {
    this.address = new URL(address, location.href);
  }

  async start() {
    byId("top").prepend(this.bar);
    byId("top-actions").prepend(this.opener);
    document.body.append(this.note, this.target, this.picker);
    this.listen();
    await this.refresh();
  }

  listen() {
    addEventListener("focus", () => this.refresh());
    addEventListener("dragover", (event) => this.onDrag(event));
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) this.target.hidden = true;
    });
    addEventListener("drop", (event) => this.onDrop(event));
  }

  /** Requests the list of traces. If the host does not answer, the list remains unchanged. */
  async refresh() {
    const list = await askHost(this.address).catch(() => null);
    const every = list?.every ?? this.list?.every;
    clearTimeout(this.timer);
    if (every) this.timer = setTimeout(() => this.refresh(), Math.min(every, LONGEST_WAIT));
    if (!list) return;
    this.list = list;
    this.show();
    registerCommands(this.commands());
  }

  /**
   * The address of a trace. A host may mount its traces anywhere, but only on its own site.
   * @param {OtherTrace} trace
   */
  addressOf(trace) {
    return new URL(trace.path, this.address);
  }

  /** @param {OtherTrace} trace */
  isCurrent(trace) {
    const { origin, pathname } = this.addressOf(trace);
    const folder = location.pathname.slice(0, location.pathname.lastIndexOf("/") + 1);
    return origin === location.origin && pathname === folder;
  }

  show() {
    const { traces, can_open: canOpen } = this.list;
    const several = traces.length > 1;
    this.bar.hidden = !several;
    this.opener.hidden = several || !canOpen;
    if (!several) return;
    const open = iconButton("+", "Open a trace…", () => this.pick());
    fill(
      this.bar,
      h(
        "ul",
        {},
        traces.map((trace) => this.tab(trace)),
      ),
      canOpen && open,
    );
    this.bar.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {OtherTrace} trace */
  tab(trace) {
    const { can_open: canOpen } = this.list;
    const name = shortName(trace.name);
    return h(
      "li",
      { class: "trace-tab" },
      h(
        "a",
        {
          href: new URL(samePage(), this.addressOf(trace)).href,
          title: trace.name,
          "aria-current": this.isCurrent(trace) ? "page" : null,
        },
        name,
      ),
      canOpen && iconButton("✕", `Close ${name}`, () => this.close(trace)),
    );
  }

  commands() {
    const { traces, can_open: canOpen } = this.list;
    const others = traces.filter((trace) => !this.isCurrent(trace));
    const own = canOpen
      ? [{ id: "open-trace", group: "Trace", title: "Open a trace…", run: () => this.pick() }]
      : [];
    return [
      ...own,
      ...others.map((trace) => ({
        id: `trace-${trace.id}`,
        group: "Trace",
        title: `Show ${shortName(trace.name)}`,
        run: () => location.assign(new URL(samePage(), this.addressOf(trace))),
        when: () => this.list.traces.some(({ id }) => id === trace.id),
      })),
    ];
  }

  pick() {
    this.picker.value = "";
    this.picker.click();
  }

  openPicked() {
    this.openFiles([...(this.picker.files ?? [])]);
  }

  /** @param {DragEvent} event */
  onDrag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = this.list.can_open ? "copy" : "none";
    this.target.hidden = !this.list.can_open;
  }

  /** @param {DragEvent} event */
  onDrop(event) {
    this.target.hidden = true;
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (this.list.can_open) this.openFiles([...event.dataTransfer.files]);
    else this.say(CANNOT);
  }

  /**
   * Sends files to the host one after another, and goes to the last one that it has opened.
   * @param {File[]} files
   */
  async openFiles(files) {
    if (this.running) return;
    /** @type {OtherTrace | null} */
    let last = null;
    /** @type {string[]} */
    const failed = [];
    this.running = new AbortController();
    for (const file of files) {
      try {
        last = await this.openFile(file, this.running.signal);
      } catch (error) {
        failed.push(`${file.name}: ${messageOf(error)}`);
      }
      if (this.running.signal.aborted) break;
    }
    this.running = null;
    this.note.hidden = true;
    await this.refresh();
    if (failed.length > 0) this.say(`Not opened: ${failed.join("; ")}`);
    else if (last) location.assign(this.addressOf(last));
  }

  /**
   * @param {File} file
   * @param {AbortSignal} signal
   * @returns {Promise<OtherTrace>}
   */
  openFile(file, signal) {
    const { limit } = this.list;
    if (file.size > limit) throw new ApiError(413, `more than ${limit} bytes`);
    const address = new URL(this.address);
    address.searchParams.set("name", file.name);
    return sendFile(address, file, signal, (fraction) => this.showProgress(file.name, fraction));
  }

  /**
   * @param {string} name
   * @param {number} fraction
   */
  showProgress(name, fraction) {
    const bar = h("progress", {
      max: "1",
      value: String(fraction),
      "aria-label": `Sending ${name}`,
    });
    const cancel = button("Cancel", () => this.running?.abort(), { class: "button small" });
    const text = fraction < 1 ? `Sending ${name}` : `Opening ${name}`;
    this.note.hidden = false;
    if (this.note.dataset.text === text && this.note.querySelector("progress"))
      this.note.querySelector("progress")?.setAttribute("value", String(fraction));
    else fill(this.note, h("span", {}, text), bar, cancel);
    this.note.dataset.text = text;
  }

  /**
   * Shows a message until it is closed.
   * @param {string} text
   */
  say(text) {
    delete this.note.dataset.text;
    this.note.hidden = false;
    const close = iconButton("✕", "Close", () => {
      this.note.hidden = true;
    });
    fill(this.note, h("span", { class: "error" }, text), close);
  }

  /** @param {OtherTrace} trace */
  async close(trace) {
    const address = new URL(this.address);
    address.searchParams.set("id", String(trace.id));
    const next = this.list.traces.find(({ id }) => id !== trace.id);
    const release = this.isCurrent(trace) ? await holdRequests() : () => {};
    try {
      await askHost(address, "DELETE");
    } catch (error) {
      release();
      this.say(`Not closed: ${messageOf(error)}`);
      await this.refresh();
      return;
    }
    if (this.isCurrent(trace) && next) {
      location.assign(this.addressOf(next));
      return;
    }
    release();
    await this.refresh();
  }
}

/** @type {Traces | null} */
let traces = null;

/**
 * Shows the other traces of the host, if the host has given the address of their list.
 * @param {string | undefined} address
 */
export function startTabs(address) {
  if (!address || traces) return;
  traces = new Traces(address);
  traces.start();
}
