// SPDX-License-Identifier: BSD-3-Clause
// The panel of the selected span: what it is, what caused it and what it caused.

import { linkButton } from "./copy.js";
import { button, fill, h, iconButton, nodesOf } from "./dom.js";
import {
  link,
  spanLink,
  rowLink,
  goroutineLink,
  goroutineTitle,
  goroutinePage,
  functionOf,
  addressWith,
} from "./links.js";
import { stackList, stackText } from "./stack.js";
import { appTitlesSwitch, titleFrame } from "./stacktitle.js";
import { recall, remember } from "./nav.js";
import { formatDuration, formatExact, formatCount } from "./format.js";
import { momentText } from "./amounts.js";
import { classTitle } from "./colors.js";
import { swatch } from "./swatch.js";
import { viewerURL } from "./api.js";
import { openTree, treeAddress } from "./tree.js";
import { askWhy } from "./why.js";
import { whySpan } from "./whyaddress.js";

const HIDE_RUNTIME = "gotrace.hide-runtime";
const KEPT = 200;
const NO_STACK = "No stack at the start: the trace has none for this change of state.";
const NO_END_STACK =
  "No stack at the end: another goroutine ended this state, or the trace stopped.";

/** The history of selected spans. */
class Visits {
  /** @type {SpanId[]} */
  list = [];
  at = -1;

  /** @param {SpanId} span */
  note(span) {
    const here = this.list[this.at];
    if (here && here.track === span.track && here.index === span.index) return;
    this.list.splice(this.at + 1);
    this.list.push({ track: span.track, index: span.index });
    if (this.list.length > KEPT) this.list.shift();
    this.at = this.list.length - 1;
  }

  /**
   * Moves by a step and returns the span there, or null at either end.
   * @param {number} step
   */
  go(step) {
    const target = this.list[this.at + step];
    if (target) this.at += step;
    return target ?? null;
  }

  /** @param {number} step */
  has(step) {
    return this.list[this.at + step] !== undefined;
  }
}

/**
 * @param {string} label
 * @param {...Child} content
 */
function term(label, ...content) {
  const shown = nodesOf(content);
  return shown.length > 0 ? [h("dt", {}, label), h("dd", {}, shown)] : null;
}

/** Sections that can be folded. Which of them are folded is kept from one selection to the next. */
class Folds {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * @param {string} key
   * @param {Child} title
   * @param {...Child} content
   */
  section(key, title, ...content) {
    const details = h(
      "details",
      { class: "fold", open: !this.app.state.shut.includes(key) },
      h("summary", {}, title),
      content,
    );
    details.addEventListener("toggle", () => {
      const others = this.app.state.shut.filter((each) => each !== key);
      const shut = details.open ? others : [...others, key];
      if (shut.length !== this.app.state.shut.length) this.app.set({ shut }, { push: false });
    });
    return details;
  }
}

export class Detail {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.visits = new Visits();
    this.folds = new Folds(app);
    this.span = null;
    this.element = h("div", { class: "detail" });
    this.element.addEventListener("toggle", () => this.noteOpen(), { capture: true });
    app.state.runtime ??= recall(HIDE_RUNTIME) !== "1";
    app.on("selection", (span, restored) => {
      if (!restored && app.state.open.length > 0) app.set({ open: [] }, { push: false });
      this.show(span);
    });
    app.on("state", (_, patch) => {
      if ("tf" in patch || "origin" in patch || "titles" in patch) this.render();
    });
    this.show(app.selection);
  }

  /** @param {SpanFacts | null} span */
  show(span) {
    this.span = span;
    if (span) this.visits.note(span);
    this.render();
  }

  /**
   * Goes back (-1) or forward (1) in the history of selections.
   * @param {number} step
   */
  visit(step) {
    const target = this.visits.go(step);
    if (target) this.app.select(target.track, target.index);
  }

  render() {
    const { activeElement } = document;
    const focused =
      activeElement instanceof HTMLElement && this.element.contains(activeElement)
        ? activeElement.dataset.focus
        : null;
    fill(this.element, this.span ? this.content(this.span) : this.nothing());
    /** @type {HTMLElement | null} */
    const again = focused ? this.element.querySelector(`[data-focus="${focused}"]`) : null;
    again?.focus();
    const open = new Set(this.app.state.open);
    for (const [i, stack] of this.markStacks().entries()) if (open.has(i)) stack.open = true;
  }

  /** The stacks of logs and samples, which can be opened. */
  markStacks() {
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const found = this.element.querySelectorAll(".inline-stack");
    return [...found];
  }

  /** Stores in the state which of the stacks are open. */
  noteOpen() {
    const open = this.markStacks().flatMap((stack, i) => (stack.open ? [i] : []));
    if (open.join() !== this.app.state.open.join()) this.app.set({ open }, { push: false });
  }

  nothing() {
    return h(
      "div",
      { class: "empty" },
      h(
        "p",
        {},
        "Nothing is selected. Click a span to see its stacks, what led to it and what it woke.",
      ),
      h(
        "p",
        { class: "note" },
        "With the keyboard: ",
        h("kbd", {}, "/"),
        " search, ",
        h("kbd", {}, "G"),
        " go to a goroutine, ",
        h("kbd", {}, ","),
        " ",
        h("kbd", {}, "."),
        " previous and next span, ",
        h("kbd", {}, "?"),
        " all keys.",
      ),
      this.visits.has(0) && h("p", {}, this.historyButtons()),
    );
  }

  /** @param {SpanFacts} span */
  content(span) {
    return [
      this.heading(span),
      h(
        "div",
        { class: "detail-columns" },
        h("div", { class: "detail-facts" }, this.facts(span), this.lists(span)),
        h("div", { class: "detail-stacks" }, this.stacks(span)),
      ),
    ];
  }

  /** @param {SpanFacts} span */
  heading(span) {
    return h(
      "header",
      { class: "detail-head" },
      h("h3", {}, swatch(span.class), spanTitle(span)),
      h("span", { class: "detail-duration" }, formatDuration(span.end - span.start)),
      h(
        "span",
        { class: "detail-tools" },
        this.historyButtons(),
        this.neighbour(span.previous, "previous", "‹ Previous", ","),
        this.neighbour(span.next, "next", "Next ›", "."),
        this.button("zoom", "Zoom to", "F", () => this.app.zoomTo(span.start, span.end)),
        span.row?.view === "task" && this.treeLink(span.row.id, span),
        this.button("why", "Why?", "B", () => askWhy(this.app, whySpan(span))),
        this.button("area", "Select as area", "R", () => this.app.run("area-of-selection")),
        this.button("note", "Add note", "N", () => this.addNote(span)),
        linkButton("Copy link", () => this.app.link(), { data: { focus: "copy" } }),
      ),
    );
  }

  /**
   * @param {number} id
   * @param {TimeRange} range
   */
  treeLink(id, { start, end }) {
    return link(
      treeAddress({ id, start, end }),
      () => openTree(this.app, id),
      { class: "button", title: "Its subtasks and goroutines (U)", data: { focus: "tree" } },
      "Open as tree",
    );
  }

  /** @param {SpanFacts} span */
  addNote({ start, end, row }) {
    this.app.run("note", { time: start, end, row: `${row.view}:${row.id}`, text: "" });
  }

  historyButtons() {
    return [
      this.historyButton(-1, "←", "Back to the previous selection", "<"),
      this.historyButton(1, "→", "Forward", ">"),
    ];
  }

  /**
   * @param {number} step
   * @param {string} sign
   * @param {string} name
   * @param {string} key
   */
  historyButton(step, sign, name, key) {
    return iconButton(sign, name, () => this.visit(step), {
      key,
      disabled: !this.visits.has(step),
      data: { focus: `history${step}` },
    });
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {string} keys
   * @param {() => unknown} run
   */
  button(key, label, keys, run) {
    return button(label, run, { title: `${label} (${keys})`, data: { focus: key } });
  }

  /**
   * @param {SpanId | null} span
   * @param {string} key
   * @param {string} label
   * @param {string} keys
   */
  neighbour(span, key, label, keys) {
    const { app } = this;
    if (!span) return h("span", { class: "button", "aria-disabled": "true" }, label);
    return link(
      addressWith({ sel: `${span.track}.${span.index}` }),
      () => app.select(span.track, span.index),
      { class: "button", title: `${label} on this row (${keys})`, data: { focus: key } },
      label,
    );
  }

  /** @param {SpanFacts} span */
  facts(span) {
    const { app } = this;
    const { row } = span;
    const time = (/** @type {number} */ ns) => h("span", { class: "time" }, momentText(app, ns));
    const by = byOf(span);
    return h(
      "dl",
      { class: "facts" },
      term(isState(span) ? "State" : "Kind", classTitle(span.class), typePage(span)),
      isState(span) && reasonOf(span) && term("Reason", reasonOf(span)),
      term("Start", time(span.start)),
      term("End", time(span.end)),
      term("Duration", formatExact(span.end - span.start)),
      span.goroutine && term("Goroutine", this.goroutine(span.goroutine)),
      row && row.view !== "goroutine" && term("Row", rowLink(app, row.view, row.id, row.title)),
      known(span.proc) && term("Proc", rowLink(app, "proc", span.proc, `P${span.proc}`)),
      known(span.thread) && term("Thread", rowLink(app, "thread", span.thread, `M${span.thread}`)),
      span.states && term("As a state", spanLink(app, span.states, "on the goroutine's row")),
      by && term(byLabel(span), this.event(by)),
      span.creator && term("Created by", this.event(span.creator)),
    );
  }

  /**
   * The goroutine of an event, with a link to the span in which it happened.
   * @param {SpanEvent} event
   */
  event({ goroutine, span, time }) {
    const at = `at ${momentText(this.app, time)}`;
    return [goroutineLink(this.app, goroutine), span && [" ", spanLink(this.app, span, at)]];
  }

  /** @param {GoroutineRef} goroutine */
  goroutine(goroutine) {
    const title = goroutineTitle(goroutine);
    const name = functionOf(title);
    const attributes = {
      href: goroutinePage(title),
      class: "aside-link",
      title: `All goroutines of ${name}`,
    };
    return [
      goroutineLink(this.app, goroutine),
      name !== "" && h("a", attributes, "all with this function"),
    ];
  }

  /** @param {SpanFacts} span */
  lists(span) {
    const wakes = span.wakes ?? [];
    const inside = span.inside ?? [];
    const marks = span.marks ?? [];
    return [
      wakes.length > 0 &&
        this.folds.section(
          "wakes",
          countedTitle("Woke or created", wakes.length, span.wakes_total),
          h(
            "ol",
            { class: "links" },
            wakes.map((wake) => this.wake(wake, span)),
          ),
        ),
      inside.length > 0 &&
        this.folds.section(
          "inside",
          countedTitle("Regions and ranges inside", inside.length),
          h(
            "ol",
            { class: "links" },
            inside.map((part) => this.part(part)),
          ),
        ),
      marks.length > 0 &&
        this.folds.section(
          "marks",
          countedTitle("Logs and samples", marks.length, span.marks_total),
          appTitlesSwitch(this.app),
          h(
            "ol",
            { class: "links" },
            marks.map((mark) => this.mark(mark, span)),
          ),
        ),
    ];
  }

  /**
   * A time within a span, relative to its start. The title has the time in full.
   * @param {number} time
   * @param {SpanFacts} span
   */
  moment(time, span) {
    return h(
      "span",
      { class: "time", title: momentText(this.app, time) },
      `+${formatDuration(time - span.start)}`,
    );
  }

  /**
   * @param {SpanEvent} wake
   * @param {SpanFacts} span
   */
  wake(wake, span) {
    const title = goroutineTitle(wake.goroutine);
    return h(
      "li",
      {},
      this.moment(wake.time, span),
      wake.span ? spanLink(this.app, wake.span, title) : goroutineLink(this.app, wake.goroutine),
    );
  }

  /** @param {SpanPart} part */
  part(part) {
    const name = part.name || classTitle(part.class);
    return h(
      "li",
      {},
      h("span", { class: "time" }, formatDuration(part.end - part.start)),
      swatch(part.class),
      part.span ? spanLink(this.app, part.span, name) : name,
    );
  }

  /**
   * A log message, or a CPU sample, which is described by its stack's title.
   * @param {SpanMark} mark
   * @param {SpanFacts} span
   */
  mark(mark, span) {
    const frame = titleFrame(mark.stack, this.app.state.titles);
    const text = mark.text || frame?.function || "sample";
    return h(
      "li",
      {},
      this.moment(mark.time, span),
      h("span", { class: `mark mark-${mark.kind}` }, mark.kind === "log" ? "log" : "CPU"),
      mark.stack?.length > 0
        ? h(
            "details",
            { class: "inline-stack" },
            h("summary", {}, text),
            stackList("Stack", mark.stack),
          )
        : h("span", {}, text),
    );
  }

  /** @param {SpanFacts} span */
  stacks(span) {
    const hidden = this.app.state.runtime === false;
    const node = h("div", { class: hidden ? "stacks hides-runtime" : "stacks" });
    const box = h("input", { type: "checkbox", checked: hidden, data: { focus: "runtime" } });
    box.addEventListener("change", () => {
      remember(HIDE_RUNTIME, box.checked ? "1" : "0");
      this.app.set({ runtime: !box.checked }, { push: false });
      node.classList.toggle("hides-runtime", box.checked);
    });
    const toggle = h("label", { class: "check" }, box, "Hide runtime frames");
    fill(
      node,
      h("div", { class: "stacks-head" }, h("h4", {}, "Stacks"), toggle),
      h(
        "div",
        { class: "stack-pair" },
        stackList("At start", span.stack, NO_STACK),
        stackList(endTitle(span), span.end_stack, NO_END_STACK),
      ),
      h("div", { class: "stack-pair" }, this.otherStacks(span)),
    );
    return node;
  }

  /**
   * The stacks of other goroutines that led to this span.
   * @param {SpanFacts} span
   */
  otherStacks(span) {
    return [
      !enderOf(span) && eventStack(byLabel(span), byOf(span)),
      eventStack("Created by", span.creator),
    ];
  }
}

/**
 * The stack of another goroutine's event, if it has one.
 * @param {string} label
 * @param {SpanEvent | null} event
 */
function eventStack(label, event) {
  if (!event?.stack || event.stack.length === 0) return null;
  return stackList(`${label} ${goroutineTitle(event.goroutine)}`, event.stack);
}

/**
 * The goroutine that ended a wait, if the stack at its end is that goroutine's; otherwise null.
 * @param {SpanFacts} span
 */
function enderOf(span) {
  const by = byOf(span);
  if (!span.class.startsWith("wait") || !by?.stack || by.stack.length === 0) return null;
  return stackText(by.stack) === stackText(span.end_stack) ? by.goroutine : null;
}

/** @param {SpanFacts} span */
function endTitle(span) {
  const ender = enderOf(span);
  return ender ? `At end, of ${goroutineTitle(ender)}` : "At end";
}

/**
 * A link to the page of a task's or region's type.
 * @param {SpanFacts} span
 */
function typePage(span) {
  if (!span.name || !["task", "region"].includes(span.class)) return null;
  const href = viewerURL(`user${span.class}`, { type: span.name });
  return h("a", { href, class: "aside-link" }, "all of this type");
}

/** @param {number | null | undefined} id */
function known(id) {
  return id !== null && id !== undefined;
}

/**
 * Whether a span is a state, which may have a reason. Regions, ranges and tasks have names instead.
 * @param {SpanFacts} span
 */
function isState(span) {
  return !["region", "task", "range", "gc", "stw"].includes(span.class);
}

/**
 * The reason of a state; empty if it has none. The server names a state without a reason after its
 * class, and a span on a proc or thread after the goroutine.
 * @param {SpanFacts} span
 */
function reasonOf(span) {
  if (span.row && span.row.view !== "goroutine") return "";
  return /^(running|runnable|waiting|syscall|syscall, blocked)$/i.test(span.name ?? "")
    ? ""
    : span.name;
}

/** @param {SpanFacts} span */
function spanTitle(span) {
  if (!isState(span)) return span.name || classTitle(span.class);
  const more = span.row && span.row.view !== "goroutine" ? span.name : reasonOf(span);
  return more ? `${classTitle(span.class).split(":")[0]}: ${more}` : classTitle(span.class);
}

/** @param {SpanFacts} span */
function byLabel(span) {
  return span.class === "runnable" || span.class.startsWith("wait")
    ? "Unblocked by"
    : "Made ready by";
}

/**
 * The event that led to a span; null if that is its creation, which is listed separately.
 * @param {SpanFacts} span
 */
function byOf(span) {
  const { by, creator } = span;
  return by && creator && by.time === creator.time && by.goroutine.id === creator.goroutine.id
    ? null
    : by;
}

/**
 * @param {string} title
 * @param {number} shown
 */
function countedTitle(title, shown, total = shown) {
  const count =
    total > shown ? `${formatCount(shown)} of ${formatCount(total)}` : formatCount(shown);
  return [title, h("span", { class: "count" }, count)];
}
