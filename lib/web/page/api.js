// SPDX-License-Identifier: BSD-3-Clause
// The addresses of what the viewer serves, and all requests to it.

import { connection } from "./connection.js";
import { place } from "./place.js";

const SILENT = "the server does not answer";
const MAGIC = 0x31545447;
const ITEM = 40;

/** A request that failed. The status is 0 if the server did not answer. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * The part of a recording that the page shows, if parts are let go: the number by which the server
 * tells it from others, or 0, and how much of the recording was before it.
 */
let epoch = 0;
let dropped = 0;

/**
 * Must be called when the facts of the trace tell another epoch.
 * @param {number} number
 * @param {number} before
 */
export function setEpoch(number, before) {
  epoch = number;
  dropped = before;
}

/** The number of the epoch; 0 if the trace is whole. */
export function currentEpoch() {
  return epoch;
}

/** Whether a request failed because what it asked for was let go. */
export function isLetGo(/** @type {unknown} */ error) {
  return error instanceof ApiError && error.status === 410;
}

/** The endpoints whose answers do not depend on the epoch. */
const LASTING = new Set(["api/trace", "api/live", "api/notes"]);

/**
 * The parameter by which an address remains right, or is refused, when something is let go.
 * @param {string} path
 * @returns {[name: string, value: number] | null}
 */
function epochParameter(path) {
  if (path === "trace") return dropped > 0 ? ["from", dropped] : null;
  const isBound = path === "jsontrace" || (path.startsWith("api/") && !LASTING.has(path));
  return epoch > 0 && isBound ? ["epoch", epoch] : null;
}

/**
 * The address of a page, an endpoint or a file of the viewer. All pages lie in the viewer's root
 * folder, so an address is relative to the page's own location: a server may mount the viewer below
 * any path. Parameters that are null or undefined are left out.
 * @param {string} path
 * @param {QueryValues} [params]
 */
export function viewerURL(path, params = {}) {
  if (path.startsWith("/")) throw new Error(`${path} does not lie in the viewer's folder`);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined) continue;
    query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const parameter = epochParameter(path);
  if (parameter) query.set(parameter[0], String(parameter[1]));
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? path : `${path}?${text}`;
}

/** The last part of the page's path, such as "goroutines"; the timeline's is empty or "trace". */
export function pageName() {
  return place.pathname.slice(place.pathname.lastIndexOf("/") + 1);
}

/**
 * Whether a request failed because the page itself aborted it.
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {Response} response */
async function failure(response) {
  let message = `${response.status} ${response.statusText}`;
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // The body is not JSON, so another program, such as a proxy, has answered.
  }
  return new ApiError(response.status, message);
}

/**
 * Resolves after `time` milliseconds.
 * @param {number} time
 */
export function pause(time) {
  return new Promise((resolve) => {
    setTimeout(resolve, time);
  });
}

/** How long holdRequests waits for answers, in ms. */
const HOLD_PATIENCE = 1000;

/**
 * The requests of the page that have no answer yet.
 * @type {Set<Promise<Response>>}
 */
const unanswered = new Set();
/** @type {Promise<void> | null} */
let held = null;

/**
 * Makes further requests wait until the function that it resolves to is called, and waits for the
 * answers to earlier ones. For closing the page's own trace: whatever is asked of it afterwards
 * would fail.
 */
export async function holdRequests() {
  let release = () => {};
  held = new Promise((resolve) => {
    release = () => {
      held = null;
      resolve();
    };
  });
  await Promise.race([Promise.allSettled(unanswered), pause(HOLD_PATIENCE)]);
  return release;
}

/**
 * How long a failed request waits until it counts, in ms. A browser ends the requests of a document
 * that is being left before it ends the document's scripts, and timers do not fire any more then.
 */
const LEAVING = 100;

/**
 * @param {string | URL} address
 * @param {RequestInit} options
 */
async function send(address, options) {
  let response;
  if (connection.stopped) throw new ApiError(0, SILENT);
  try {
    response = await place.ask(address, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    await pause(LEAVING);
    connection.failed();
    throw new ApiError(0, SILENT);
  }
  connection.resume();
  if (!response.ok) throw await failure(response);
  return response;
}

/**
 * @param {string} path
 * @param {QueryValues} params
 * @param {RequestOptions} [options]
 */
async function request(path, params, { signal, priority } = {}) {
  if (held) await held;
  const answer = send(viewerURL(path, params), { signal, priority });
  unanswered.add(answer);
  try {
    return await answer;
  } finally {
    unanswered.delete(answer);
  }
}

/**
 * The JSON that the host of the viewer itself answers with. Its addresses need not lie in the
 * viewer's folder.
 * @param {URL} address
 * @param {string} [method]
 */
export async function askHost(address, method = "GET") {
  return (await send(address, { method })).json();
}

/**
 * Sends a text to an endpoint and resolves to the JSON of the answer. With `isParting`, the browser
 * completes the request even if the user leaves the page.
 * @param {string} path
 * @param {QueryValues} params
 * @param {string} text
 * @param {boolean} isParting
 */
export async function postText(path, params, text, isParting) {
  const response = await send(viewerURL(path, params), {
    method: "POST",
    body: text,
    headers: { "Content-Type": "application/octet-stream" },
    keepalive: isParting,
  });
  return response.json();
}

/**
 * The file that an endpoint answers with.
 * @param {string} path
 * @param {QueryValues} params
 */
export async function getBlob(path, params) {
  return (await request(path, params)).blob();
}

/**
 * The pieces of the file that an endpoint answers with, as they come.
 * @param {string} path
 * @param {QueryValues} params
 * @param {RequestOptions} options
 */
export async function* getPieces(path, params, options) {
  const { body } = await request(path, params, options);
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * The JSON that an endpoint answers with. If the server is still working on the answer, it has
 * `pending` set.
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {QueryValues} [params]
 * @param {RequestOptions} [options]
 * @returns {Promise<Answers[Path] & Pending>}
 */
export async function getJSON(path, params = {}, options = {}) {
  const response = await request(path, params, options);
  const answer = await response.json();
  if (response.status === 202) answer.pending = true;
  return answer;
}

/**
 * Reads a track's part of a tile. The items are copied because a Float64Array must begin at a
 * multiple of eight bytes, and so that the memory of each part can be freed by itself.
 * @param {ArrayBuffer} buffer
 * @param {number} offset
 * @param {number} count
 */
function readTrack(buffer, offset, count) {
  const bytes = buffer.slice(offset, offset + count * ITEM);
  return {
    count,
    times: new Float64Array(bytes),
    words: new Uint32Array(bytes),
    shares: new Uint8Array(bytes),
    labels: null,
    bytes: bytes.byteLength + 200,
  };
}

/**
 * @param {DataView} view
 * @param {ArrayBuffer} buffer
 * @param {number} offset
 * @param {Map<number, TileItems>} tracks
 */
function readLabels(view, buffer, offset, tracks) {
  const decoder = new TextDecoder();
  let count = view.getUint32(offset, true);
  let at = offset + 4;
  for (; count > 0; count--) {
    const track = view.getUint32(at, true);
    const length = view.getUint32(at + 8, true);
    const text = decoder.decode(new Uint8Array(buffer, at + 12, length));
    const part = tracks.get(track);
    if (part) (part.labels ??= new Map()).set(view.getUint32(at + 4, true), text);
    at += 12 + length;
  }
}

/**
 * Decodes an answer of api/tiles. Throws if it is not a tile.
 * @param {ArrayBuffer} buffer
 */
export function decodeTile(buffer) {
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) throw new ApiError(0, "not a tile");
  const final = view.getUint32(4, true) === 1;
  /** @type {Map<number, TileItems>} */
  const tracks = new Map();
  let left = view.getUint32(8, true);
  let at = 12;
  for (; left > 0; left--) {
    const count = view.getUint32(at + 4, true);
    tracks.set(view.getUint32(at, true), readTrack(buffer, at + 8, count));
    at += 8 + count * ITEM;
  }
  readLabels(view, buffer, at, tracks);
  return { final, tracks };
}

/**
 * Requests tiles. If an answer has no room for all tracks, it contains the first of them, and the
 * others are requested again.
 * @param {number} level
 * @param {number} index
 * @param {number[]} tracks
 * @param {RequestOptions} options
 */
export async function getTiles(level, index, tracks, options) {
  const ask = async (/** @type {number[]} */ some) => {
    const response = await request("api/tiles", { level, index, tracks: some }, options);
    return decodeTile(await response.arrayBuffer());
  };
  const tile = await ask(tracks);
  for (let got = tile.tracks.size; got > 0; ) {
    const missing = tracks.filter((track) => !tile.tracks.has(track));
    if (missing.length === 0) break;
    const rest = await ask(missing);
    got = rest.tracks.size;
    tile.final &&= rest.final;
    for (const [track, items] of rest.tracks) tile.tracks.set(track, items);
  }
  return tile;
}

/**
 * Loads `count` elements of a list from `first` on, or as many as there are. An answer may have
 * fewer than were requested; the others are requested again.
 * @template Entry
 * @param {(part: { first: number, count: number }) =>
 *   Promise<{ total: number, rows: Entry[] }>} load
 * @param {number} first
 * @param {number} count
 */
export async function getPart(load, first, count) {
  const answer = await load({ first, count });
  const { rows } = answer;
  for (let got = rows.length; got > 0 && rows.length < count; ) {
    if (first + rows.length >= answer.total) break;
    const rest = await load({ first: first + rows.length, count: count - rows.length });
    got = rest.rows.length;
    rows.push(...rest.rows);
  }
  return answer;
}
