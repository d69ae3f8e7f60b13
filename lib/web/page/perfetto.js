// SPDX-License-Identifier: BSD-3-Clause
// Opens the timeline in Perfetto: in a page that the host of the viewer has chosen. Nothing is sent
// to any other page.

import { getPieces } from "./api.js";
import { formatBytes } from "./format.js";

/* A page can hold a file of this size as one piece, and Perfetto takes several times as much. */
const MOST = 2 ** 30;
const PATIENCE = 60000;
const INTERVAL = 200;

/**
 * The address of Perfetto's page; null if the host has set none. It checks the address as well;
 * here it matters that it cannot be a script.
 * @param {App} app
 */
export function perfettoAddress(app) {
  const text = app.trace?.perfetto_url ?? "";
  if (!/^https?:/.test(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The page in the window takes no file. */
class WindowError extends Error {}

/**
 * Resolves when the page in a window answers, so that it can take a file.
 * @param {Window} target
 * @param {string} origin
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function untilReady(target, origin, signal) {
  const end = performance.now() + PATIENCE;
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (target.closed) reject(new WindowError("The window of Perfetto was closed."));
      else if (performance.now() > end) reject(new WindowError(`${origin} does not answer.`));
      else target.postMessage("PING", origin);
    }, INTERVAL);
    addEventListener(
      "message",
      ({ source, origin: from, data }) => {
        if (source === target && from === origin && data === "PONG") resolve();
      },
      { signal },
    );
    signal.addEventListener("abort", () => clearInterval(timer));
  });
}

/**
 * Loads a file, unless it is too large for a page, and says how far that has come.
 * @param {App} app
 * @param {Download} download
 * @param {AbortSignal} signal
 */
async function loadFile(app, { path, query }, signal) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  let size = 0;
  let said = 0;
  for await (const piece of getPieces(path, query, { signal })) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > MOST)
      throw new Error(`This is more than ${formatBytes(MOST)}: export it, or a shorter area.`);
    if (size - said < MOST / 64) continue;
    said = size;
    app.status.say(`Loading for Perfetto: ${formatBytes(size)}`);
  }
  return new Blob(pieces).arrayBuffer();
}

/**
 * Opens a file of the viewer in Perfetto. The window is opened at once, as browsers allow that only
 * while they handle what the user did.
 * @param {App} app
 * @param {Download} download
 */
export async function openInPerfetto(app, download) {
  const address = perfettoAddress(app);
  const target = address && window.open(address, "_blank");
  if (!address || !target) {
    app.status.say("The browser did not open a window for Perfetto.");
    return;
  }
  const stop = new AbortController();
  const { origin } = address;
  const title = `${app.trace.name.split("/").at(-1)} · gotrace`;
  app.status.say("Loading for Perfetto …");
  try {
    const loading = loadFile(app, download, stop.signal);
    const [buffer] = await Promise.all([loading, untilReady(target, origin, stop.signal)]);
    if (target.closed) throw new WindowError("The window of Perfetto was closed.");
    const perfetto = { buffer, title, fileName: download.file, keepApiOpen: false };
    target.postMessage({ perfetto }, origin, [buffer]);
    app.status.say("Opened in Perfetto.");
  } catch (error) {
    if (error instanceof WindowError) app.status.say(error.message);
    else {
      target.close();
      app.report(error);
    }
  } finally {
    stop.abort();
  }
}
