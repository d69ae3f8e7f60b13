// SPDX-License-Identifier: BSD-3-Clause
// The titles of stacks in tables, and the switch that chooses between two kinds of titles.

import { h } from "./dom.js";
import { functionName } from "./names.js";
import { isRuntimeFrame } from "./stack.js";

/** @typedef {"outside" | "leaf"} Titles */

/**
 * Whether a frame is a function that Go's library waits in, such as sync.(*Mutex).Lock.
 * @param {string} name
 */
function isWaitingFrame(name) {
  return /^(sync\.|internal\/sync\.|internal\/poll\.|time\.|runtime\/)/.test(name);
}

/**
 * The frames of a stack's title: the leaf or, by default, the first frame outside of the runtime;
 * and the first caller of it that is neither in the runtime nor a waiting function of Go's library.
 * @param {StackFrame[]} frames
 * @param {Titles} titles
 * @returns {{ frame: StackFrame | undefined, caller: StackFrame | undefined }}
 */
function stackTitle(frames, titles) {
  const outside = frames.findIndex((frame) => !isRuntimeFrame(frame.function));
  const at = titles === "leaf" ? 0 : Math.max(0, outside);
  const caller = frames
    .slice(at + 1)
    .find((frame) => !isRuntimeFrame(frame.function) && !isWaitingFrame(frame.function));
  return { frame: frames[at], caller };
}

/**
 * The frame that stands for a stack, if it has any.
 * @param {StackFrame[] | null | undefined} frames
 * @param {Titles} titles
 */
export function titleFrame(frames, titles) {
  return stackTitle(frames ?? [], titles).frame;
}

/** @param {StackFrame} frame */
function frameAbout({ function: name, file, line }) {
  return file ? `${name} ${file}:${line}` : name;
}

/** @param {StackFrame} frame */
function frameLine({ line }) {
  return line > 0 && h("span", { class: "muted" }, `:${line}`);
}

/**
 * The title of a stack in two lines: a frame, and its first caller that is not a waiting function
 * of Go's library.
 * @param {StackFrame[] | null | undefined} frames
 * @param {Titles} titles
 * @param {string} otherwise
 */
export function stackCell(frames, titles, otherwise = "") {
  const { frame, caller } = stackTitle(frames ?? [], titles);
  if (!frame) return otherwise !== "" && h("span", { class: "muted" }, otherwise);
  return h(
    "span",
    { class: "stack-title" },
    h(
      "span",
      { title: frameAbout(frame) },
      functionName(frame.function || frame.pc),
      frameLine(frame),
    ),
    caller &&
      h(
        "span",
        { class: "stack-caller", title: frameAbout(caller) },
        "from ",
        functionName(caller.function || caller.pc),
        frameLine(caller),
      ),
  );
}

/**
 * The switch between the titles of stacks. `change` stores the choice and shows it.
 * @param {Titles} titles
 * @param {(titles: Titles) => void} change
 */
export function titlesSwitch(titles, change) {
  const box = h("input", { type: "checkbox", checked: titles === "outside" });
  box.addEventListener("change", () => change(box.checked ? "outside" : "leaf"));
  const title =
    "Stacks are called by their first frame outside of the runtime; otherwise by the innermost one";
  return h("label", { class: "check titles-switch", title }, box, "Skip runtime frames");
}

/**
 * The switch for the tables of the timeline. The panels show their tables again when the state
 * changes.
 * @param {App} app
 */
export function appTitlesSwitch(app) {
  return titlesSwitch(app.state.titles, (titles) => app.set({ titles }, { push: false }));
}
