// SPDX-License-Identifier: BSD-3-Clause
// The panel of the selected span: what it is, what led to it, and what came of it.

import { h, fill, button, iconButton, copyButton } from "./dom.js";
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
import { stackList, stackText, isRuntimeFrame } from "./stack.js";
import { recall, remember } from "./nav.js";
import { formatDuration, formatExact, formatCount } from "./format.js";
import { momentText } from "./amounts.js";
import { classTitle } from "./colors.js";
import { swatch } from "./swatch.js";
import { viewerURL } from "./api.js";

const HIDE_RUNTIME = "gotrace.hide-runtime";
const KEPT = 200;
const NO_STACK = "No stack at its begin: the trace has none for this change of state.";
const NO_END_STACK =
  "No stack at its end: it was not the goroutine's own doing, or the trace stopped.";

/** The spans that were selected, to go back and forth between. */
class Visits {
  constructor() {
    this.list = [];
    this.at = -1;
  }

  note(span) {
    const here = this.list[this.at];
    if (here && here.track === span.track && here.index === span.index) return;
    this.list.splice(this.at + 1);
    this.list.push({ track: span.track, index: span.index });
    if (this.list.length > KEPT) this.list.shift();
    this.at = this.list.length - 1;
  }

  /** Moves by a step; null at either end. */
  go(step) {
    const target = this.list[this.at + step];
    if (target) this.at += step;
    return target ?? null;
  }

  has(step) {
    return this.list[this.at + step] !== undefined;
  }
}

function term(label, ...content) {
  const shown = content
    .flat()
    .filter((part) => part !== null && part !== undefined && part !== false);
  return shown.length > 0 ? [h("dt", {}, label), h("dd", {}, shown)] : null;
}

/** A part that can be folded; open or not is kept over selections. */
class Folds {
  constructor() {
    this.closed = new Set();
  }

  section(key, title, ...content) {
    const details = h(
      "details",
      { class: "fold", open: !this.closed.has(key) },
      h("summary", {}, title),
      content,
    );
    details.addEventListener("toggle", () => {
      if (details.open) this.closed.delete(key);
      else this.closed.add(key);
    });
    return details;
  }
}

export class Detail {
  constructor(app) {
    this.app = app;
    this.visits = new Visits();
    this.folds = new Folds();
    this.span = null;
    this.element = h("div", { class: "detail" });
    app.on("selection", (span) => this.show(span));
    app.on("state", (state, patch) => {
      if ("tf" in patch || "origin" in patch) this.render();
    });
    this.show(app.selection);
  }

  show(span) {
    this.span = span;
    if (span) this.visits.note(span);
    this.render();
  }

  /** Back (-1) and forward (1) through what was selected. */
  visit(step) {
    const target = this.visits.go(step);
    if (target) this.app.select(target.track, target.index);
  }

  render() {
    const keep = this.element.contains(document.activeElement)
      ? document.activeElement.dataset.focus
      : null;
    fill(this.element, this.span ? this.content(this.span) : this.nothing());
    if (keep) this.element.querySelector(`[data-focus="${keep}"]`)?.focus();
  }

  nothing() {
    return h(
      "div",
      { class: "empty" },
      h(
        "p",
        {},
        "Nothing is selected. Click a span to see its stacks, what led to it and whom it woke.",
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

  heading(span) {
    return h(
      "header",
      { class: "detail-head" },
      h("h3", {}, swatch(span.class), titleOf(span)),
      h("span", { class: "detail-duration" }, formatDuration(span.end - span.start)),
      h(
        "span",
        { class: "detail-tools" },
        this.historyButtons(),
        this.neighbour(span.previous, "previous", "‹ Previous", ","),
        this.neighbour(span.next, "next", "Next ›", "."),
        this.button("zoom", "Zoom to", "F", () => this.app.zoomTo(span.start, span.end)),
        this.button("area", "Select as area", "R", () => this.app.run("area-of-selection")),
        copyButton("Copy link", () => location.href, { data: { focus: "copy" } }),
      ),
    );
  }

  historyButtons() {
    const to = (step, sign, name, key) =>
      iconButton(sign, name, () => this.visit(step), {
        key,
        disabled: !this.visits.has(step),
        data: { focus: `history${step}` },
      });
    return [to(-1, "←", "Back to the selection before", "<"), to(1, "→", "Forward", ">")];
  }

  button(key, label, keys, run) {
    return button(label, run, { title: `${label} (${keys})`, data: { focus: key } });
  }

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

  facts(span) {
    const { app } = this;
    const { row } = span;
    const time = (t) => h("span", { class: "time" }, momentText(app, t));
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
      byOf(span) && term(byLabel(span), this.event(byOf(span))),
      span.creator && term("Created by", this.event(span.creator)),
    );
  }

  /** Another goroutine's doing: who, and the span in which it did it. */
  event({ goroutine, span, time }) {
    const at = `at ${momentText(this.app, time)}`;
    return [goroutineLink(this.app, goroutine), span && [" ", spanLink(this.app, span, at)]];
  }

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
      name !== "" && h("a", attributes, "all of this function"),
    ];
  }

  lists(span) {
    const wakes = span.wakes ?? [];
    const inside = span.inside ?? [];
    const marks = span.marks ?? [];
    return [
      wakes.length > 0 &&
        this.folds.section(
          "wakes",
          counted("Woke or created", wakes.length, span.wakes_total),
          h(
            "ol",
            { class: "links" },
            wakes.map((wake) => this.wake(wake, span)),
          ),
        ),
      inside.length > 0 &&
        this.folds.section(
          "inside",
          counted("Regions and ranges inside", inside.length),
          h(
            "ol",
            { class: "links" },
            inside.map((part) => this.part(part)),
          ),
        ),
      marks.length > 0 &&
        this.folds.section(
          "marks",
          counted("Logs and samples", marks.length, span.marks_total),
          h(
            "ol",
            { class: "links" },
            marks.map((mark) => this.mark(mark, span)),
          ),
        ),
    ];
  }

  /** A time inside a span is told as the way from its start, in full when it is pointed at. */
  moment(time, span) {
    return h(
      "span",
      { class: "time", title: momentText(this.app, time) },
      `+${formatDuration(time - span.start)}`,
    );
  }

  wake(wake, span) {
    const title = goroutineTitle(wake.goroutine);
    return h(
      "li",
      {},
      this.moment(wake.time, span),
      wake.span ? spanLink(this.app, wake.span, title) : goroutineLink(this.app, wake.goroutine),
    );
  }

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

  /** A sample has no text of its own; its leaf says most. */
  mark(mark, span) {
    const leaf =
      mark.stack?.find((frame) => !isRuntimeFrame(frame.function ?? "")) ?? mark.stack?.[0];
    const text = mark.text || leaf?.function || "sample";
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

  stacks(span) {
    const hidden = recall(HIDE_RUNTIME) === "1";
    const node = h("div", { class: hidden ? "stacks hides-runtime" : "stacks" });
    const toggle = h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: hidden,
        data: { focus: "runtime" },
        change: (event) => {
          remember(HIDE_RUNTIME, event.target.checked ? "1" : "0");
          node.classList.toggle("hides-runtime", event.target.checked);
        },
      }),
      "Hide runtime frames",
    );
    fill(
      node,
      h("div", { class: "stacks-head" }, h("h4", {}, "Stacks"), toggle),
      h(
        "div",
        { class: "stack-pair" },
        stackList("At begin", span.stack, NO_STACK),
        stackList(endTitle(span), span.end_stack, NO_END_STACK),
      ),
      h("div", { class: "stack-pair" }, this.otherStacks(span)),
    );
    return node;
  }

  /** The stacks of other goroutines that led here. */
  otherStacks(span) {
    const stack = (label, event) =>
      event?.stack?.length > 0 &&
      stackList(`${label} ${goroutineTitle(event.goroutine)}`, event.stack);
    return [
      !endedByOther(span) && stack(byLabel(span), byOf(span)),
      stack("Created by", span.creator),
    ];
  }
}

/** What ends a wait is mostly done by another goroutine, and then the stack is that one's. */
function endedByOther(span) {
  const by = byOf(span);
  if (!span.class.startsWith("wait") || !(by?.stack?.length > 0)) return false;
  return stackText(by.stack) === stackText(span.end_stack ?? []);
}

function endTitle(span) {
  return endedByOther(span) ? `At end, of ${goroutineTitle(span.by.goroutine)}` : "At end";
}

/** Tasks and regions have pages of their types. */
function typePage(span) {
  if (!span.name || !["task", "region"].includes(span.class)) return null;
  const href = viewerURL(`user${span.class}`, { type: span.name });
  return h("a", { href, class: "aside-link" }, "all of this type");
}

function known(id) {
  return id !== null && id !== undefined;
}

/** States have reasons; regions, ranges and tasks have names. */
function isState(span) {
  return !["region", "task", "range", "gc", "stw"].includes(span.class);
}

/** A state without a reason is named as its class; a run on a proc or thread, as its goroutine. */
function reasonOf(span) {
  if (span.row && span.row.view !== "goroutine") return "";
  return /^(running|runnable|waiting|syscall|syscall, blocked)$/i.test(span.name ?? "")
    ? ""
    : span.name;
}

function titleOf(span) {
  if (!isState(span)) return span.name || classTitle(span.class);
  const more = span.row && span.row.view !== "goroutine" ? span.name : reasonOf(span);
  return more ? `${classTitle(span.class).split(":")[0]}: ${more}` : classTitle(span.class);
}

function byLabel(span) {
  return span.class === "runnable" || span.class.startsWith("wait")
    ? "Unblocked by"
    : "Made ready by";
}

/** Who led to the span; nobody where that was its creation, which is told anyway. */
function byOf(span) {
  const { by, creator } = span;
  return by && creator && by.time === creator.time && by.goroutine.id === creator.goroutine.id
    ? null
    : by;
}

function counted(title, shown, total = shown) {
  const count =
    total > shown ? `${formatCount(shown)} of ${formatCount(total)}` : formatCount(shown);
  return [title, h("span", { class: "count" }, count)];
}
