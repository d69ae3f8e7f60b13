// SPDX-License-Identifier: BSD-3-Clause
// The addresses of source files, which the host of the viewer chooses.

import { getJSON, setEpoch } from "./api.js";

/* The host checks the template as well; here it matters that a link cannot be a script. */
const SCHEME =
  /^(https?|cursor|goland|idea|jetbrains|subl|txmt|vscode|vscode-insiders|vscodium|windsurf|zed):/;

let template = "";

/** @param {string} text */
export function setSourceTemplate(text) {
  template = SCHEME.test(text) ? text : "";
}

/**
 * Asks the server for the template and the epoch, for pages that do not show the trace's facts
 * themselves.
 */
export async function loadSourceTemplate() {
  const trace = await getJSON("api/trace");
  setSourceTemplate(trace.source_url ?? "");
  setEpoch(trace.epoch, trace.dropped);
}

/**
 * A path for a URL. Slashes and the colon of a drive stay.
 * @param {string} path
 */
function escapedPath(path) {
  return path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
}

/**
 * The address of a line of a source file, or null if there is none.
 * @param {string | undefined} file
 * @param {number | undefined} line
 */
export function sourceAddress(file, line) {
  if (template === "" || !file) return null;
  const path = escapedPath(file);
  /** @type {Record<string, string>} */
  const values = {
    "{file}": path,
    "{path}": path.replace(/^\/+/, ""),
    "{line}": String(Math.max(line ?? 0, 1)),
  };
  return template.replace(/\{(file|path|line)\}/g, (name) => values[name]);
}
