// SPDX-License-Identifier: BSD-3-Clause
// Requests tiles: those on the screen first, from the middle outwards, then those around it. Only a
// few requests are in flight at a time, so that the answers still match what is visible.

import { getTiles, isAbort } from "./api.js";
import { connection } from "./connection.js";
import { levelFor, tileSpan } from "./tiles.js";

const BATCH = 128;
const FLIGHTS = 4;
const RETRY = 1000;

/**
 * The range to be shown, the tracks on the screen, the tracks near it, and the end of the trace.
 * @typedef {object} WantedTiles
 * @property {number} s
 * @property {number} e
 * @property {number} level
 * @property {number[]} tracks
 * @property {number[]} near
 * @property {number} end
 */

/**
 * A request for one tile of several tracks. It is urgent if the tracks are on the screen.
 * @typedef {object} Flight
 * @property {number} level
 * @property {number} index
 * @property {number[]} tracks
 * @property {boolean} urgent
 * @property {AbortController} controller
 */

export class TileLoader {
  /**
   * `onTiles` is called when tiles have arrived, `onError` when a request has failed.
   * @param {import("./tiles.js").TileCache} cache
   * @param {() => void} onTiles
   * @param {(error: unknown) => void} onError
   */
  constructor(cache, onTiles, onError) {
    this.cache = cache;
    this.onTiles = onTiles;
    this.onError = onError;
    /** @type {Set<Flight>} */
    this.flights = new Set();
    /** @type {Flight[]} */
    this.queue = [];
    this.quietUntil = 0;
    this.urgent = false;
  }

  /**
   * Sets the range to be shown, the tracks on the screen, those near it, and the end of the trace,
   * beyond which there are no tiles.
   * @param {{ s: number, e: number }} range
   * @param {number} nsPerPixel
   * @param {number[]} tracks
   * @param {number[]} near
   * @param {number} end
   */
  want(range, nsPerPixel, tracks, near, end) {
    this.wanted = { ...range, level: levelFor(nsPerPixel), tracks, near, end };
    this.dropObsolete(this.wanted);
    this.plan(this.wanted);
    this.start();
  }

  /** Forgets what was requested. */
  restart() {
    for (const flight of this.flights) flight.controller.abort();
    this.queue = [];
    this.wanted = undefined;
  }

  /** @param {WantedTiles} wanted */
  indexes({ s, e, level, end }) {
    const span = tileSpan(level);
    const first = Math.max(0, Math.floor(s / span));
    const last = Math.floor(Math.min(e, Math.max(end, 1)) / span);
    const middle = (s + e) / 2 / span - 0.5;
    const list = [];
    for (let i = first; i <= last; i++) list.push(i);
    return list.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  }

  /**
   * Aborts requests for another level or for times that are no longer visible.
   * @param {WantedTiles} wanted
   */
  dropObsolete({ level, s, e, tracks }) {
    const span = tileSpan(level);
    const shown = new Set(tracks);
    for (const flight of this.flights) {
      const beside =
        flight.index < Math.floor(s / span) - 1 || flight.index > Math.floor(e / span) + 1;
      const unseen = flight.urgent && !flight.tracks.some((track) => shown.has(track));
      if (flight.level !== level || beside || unseen) flight.controller.abort();
    }
  }

  /**
   * @param {number} level
   * @param {number} index
   */
  underWay(level, index) {
    const tracks = new Set();
    for (const flight of this.flights) {
      if (flight.level !== level || flight.index !== index) continue;
      for (const track of flight.tracks) tracks.add(track);
    }
    return tracks;
  }

  /** @param {WantedTiles} wanted */
  plan(wanted) {
    const { level, tracks } = wanted;
    this.queue = [];
    for (const index of this.indexes(wanted)) this.enqueue(level, index, tracks, true);
    this.urgent = this.queue.length > 0 || [...this.flights].some((flight) => flight.urgent);
    if (!this.urgent) this.planNeighbours(wanted);
  }

  /**
   * When all visible tiles are there, requests those that panning or scrolling will probably need.
   * @param {WantedTiles} wanted
   */
  planNeighbours(wanted) {
    const { level, tracks, near, s, e, end } = wanted;
    const span = tileSpan(level);
    const indexes = this.indexes(wanted);
    for (const index of indexes) this.enqueue(level, index, near, false);
    for (const index of [Math.floor(e / span) + 1, Math.floor(s / span) - 1]) {
      if (index >= 0 && index * span < end) this.enqueue(level, index, tracks, false);
    }
  }

  /**
   * @param {number} level
   * @param {number} index
   * @param {number[]} tracks
   * @param {boolean} urgent
   */
  enqueue(level, index, tracks, urgent) {
    const now = performance.now();
    const busy = this.underWay(level, index);
    const lacking = tracks.filter(
      (track) => !busy.has(track) && this.cache.lacks(track, level, index, now),
    );
    for (let i = 0; i < lacking.length; i += BATCH) {
      const controller = new AbortController();
      this.queue.push({ level, index, tracks: lacking.slice(i, i + BATCH), urgent, controller });
    }
  }

  start() {
    if (connection.stopped || performance.now() < this.quietUntil) return;
    for (const flight of this.queue.splice(0, FLIGHTS - this.flights.size)) this.fly(flight);
  }

  /** @param {Flight} flight */
  async fly(flight) {
    this.flights.add(flight);
    try {
      const tile = await getTiles(flight.level, flight.index, flight.tracks, {
        signal: flight.controller.signal,
      });
      this.flights.delete(flight);
      this.store(flight, tile);
    } catch (error) {
      this.flights.delete(flight);
      // When the page is left, requests fail at once, and those that replaced them would, too.
      if (!flight.controller.signal.aborted) {
        this.pause(error);
        return;
      }
    }
    this.next(flight.urgent);
  }

  /**
   * @param {Flight} flight
   * @param {{ final: boolean, tracks: Map<number, TileItems> }} answer
   */
  store(flight, { final, tracks }) {
    for (const [track, tile] of tracks)
      this.cache.put(track, flight.level, flight.index, tile, final);
  }

  /**
   * Waits before it repeats a request that has failed. Once requests have stopped, the timeline is
   * drawn again when they continue, and then requests the missing tiles.
   * @param {unknown} error
   */
  pause(error) {
    this.quietUntil = performance.now() + RETRY;
    if (!isAbort(error)) this.onError(error);
    if (!connection.stopped) setTimeout(() => this.onTiles(), RETRY);
  }

  /** @param {boolean} urgent */
  next(urgent) {
    if (urgent) this.onTiles();
    if (this.wanted) this.plan(this.wanted);
    this.start();
  }

  /** The number of unanswered requests for visible tiles. */
  get pending() {
    return (
      [...this.flights].filter((flight) => flight.urgent).length +
      this.queue.filter((each) => each.urgent).length
    );
  }
}
