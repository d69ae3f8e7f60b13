// SPDX-License-Identifier: BSD-3-Clause
// Stack traces as lists of frames.

import { h, copyButton } from "./dom.js";
import { packageEnd } from "./flamedraw.js";
import { sourceAddress } from "./sourcelink.js";

/**
 * Whether a frame is the runtime's own, which is rarely of interest, as in stacktitle.c.
 * @param {string} name
 */
export function isRuntimeFrame(name) {
  return /^(runtime\.|internal\/runtime\/|runtime\/internal\/)/.test(name);
}

/**
 * A stack in the format of Go's panics, which other tools can read.
 * @param {StackFrame[]} frames
 */
export function stackText(frames) {
  return frames
    .map((frame) => `${frame.function || frame.pc}\n\t${frame.file || "?"}:${frame.line}\n`)
    .join("");
}

/**
 * The last two parts of a path; titles have the complete path.
 * @param {string} file
 */
function shortFile(file) {
  return file.split("/").slice(-2).join("/");
}

/**
 * The file and line of a frame, as a link if the host has given a template for source files.
 * @param {StackFrame} frame
 * @param {string} place
 */
function placeLink(frame, place) {
  const href = sourceAddress(frame.file, frame.line);
  const title = frame.file ? `${frame.file}:${frame.line}` : "";
  return href
    ? h("a", { class: "frame-place", href, title: `Open ${title}` }, place)
    : h("span", { class: "frame-place", title }, place);
}

/** @param {StackFrame} frame */
function frameItem(frame) {
  const name = frame.function || frame.pc || "?";
  const split = packageEnd(name);
  const place = frame.file ? `${shortFile(frame.file)}:${frame.line}` : (frame.pc ?? "");
  return h(
    "li",
    { class: isRuntimeFrame(name) ? "frame is-runtime" : "frame" },
    h(
      "span",
      { class: "frame-function", title: name },
      h("span", { class: "frame-package" }, name.slice(0, split)),
      name.slice(split),
    ),
    placeLink(frame, place),
  );
}

/**
 * A titled list of frames, leaf first, or a text if there are none.
 * @param {string} title
 * @param {StackFrame[] | null | undefined} frames
 */
export function stackList(title, frames, nothing = "No stack was recorded.") {
  const list = frames ?? [];
  return h(
    "section",
    { class: "stack", "aria-label": title },
    h(
      "header",
      {},
      h("h4", {}, title),
      list.length > 0 &&
        copyButton("Copy", () => stackText(list), {
          class: "button small",
          title: `Copy: ${title}`,
        }),
    ),
    list.length > 0 ? h("ol", {}, list.map(frameItem)) : h("p", { class: "note" }, nothing),
  );
}
