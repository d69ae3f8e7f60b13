// SPDX-License-Identifier: BSD-3-Clause
// Requests for tiles: what is on the screen first, from the middle outwards, then what lies next
// to it. Few at a time, so that what is asked for is still what is looked at when it comes.

import { getTiles } from "./api.js";
import { levelFor, tileSpan } from "./tiles.js";

const BATCH = 128;
const FLIGHTS = 4;
const RETRY = 1000;

export class TileLoader {
  /** onTiles is called when something has come; onAnswer with each request's error or null. */
  constructor(cache, onTiles, onAnswer) {
    this.cache = cache;
    this.onTiles = onTiles;
    this.onAnswer = onAnswer;
    this.flights = new Set();
    this.queue = [];
    this.quietUntil = 0;
    this.wanted = null;
  }

  /**
   * What is wanted: the range that will be shown, the tracks on the screen, those next to it,
   * and the end of the trace, beyond which nothing is.
   */
  want(range, nsPerPixel, tracks, near, end) {
    this.wanted = { ...range, level: levelFor(nsPerPixel), tracks, near, end };
    this.dropObsolete();
    this.plan();
    this.start();
  }

  indexes({ s, e, level, end }) {
    const span = tileSpan(level);
    const first = Math.max(0, Math.floor(s / span));
    const last = Math.floor(Math.min(e, Math.max(end, 1)) / span);
    const middle = (s + e) / 2 / span - 0.5;
    const list = [];
    for (let i = first; i <= last; i++) list.push(i);
    return list.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  }

  /** What is under way for another level or time would come in vain. */
  dropObsolete() {
    const { level, s, e } = this.wanted;
    const span = tileSpan(level);
    const shown = new Set(this.wanted.tracks);
    for (const flight of this.flights) {
      const beside =
        flight.index < Math.floor(s / span) - 1 || flight.index > Math.floor(e / span) + 1;
      const unseen = flight.urgent && !flight.tracks.some((track) => shown.has(track));
      if (flight.level !== level || beside || unseen) flight.controller.abort();
    }
  }

  underWay(level, index) {
    const tracks = new Set();
    for (const flight of this.flights) {
      if (flight.level !== level || flight.index !== index) continue;
      for (const track of flight.tracks) tracks.add(track);
    }
    return tracks;
  }

  plan() {
    const { level, tracks } = this.wanted;
    this.queue = [];
    for (const index of this.indexes(this.wanted)) this.enqueue(level, index, tracks, true);
    this.urgent = this.queue.length > 0 || [...this.flights].some((flight) => flight.urgent);
    if (!this.urgent) this.planNeighbours();
  }

  /** When all is there: what a pan or a scroll is likely to bring next. */
  planNeighbours() {
    const { level, tracks, near, s, e, end } = this.wanted;
    const span = tileSpan(level);
    const indexes = this.indexes(this.wanted);
    for (const index of indexes) this.enqueue(level, index, near, false);
    for (const index of [Math.floor(e / span) + 1, Math.floor(s / span) - 1]) {
      if (index >= 0 && index * span < end) this.enqueue(level, index, tracks, false);
    }
  }

  enqueue(level, index, tracks, urgent) {
    const now = performance.now();
    const busy = this.underWay(level, index);
    const lacking = tracks.filter(
      (track) => !busy.has(track) && this.cache.lacks(track, level, index, now),
    );
    for (let i = 0; i < lacking.length; i += BATCH) {
      this.queue.push({ level, index, tracks: lacking.slice(i, i + BATCH), urgent });
    }
  }

  start() {
    if (performance.now() < this.quietUntil) return;
    while (this.flights.size < FLIGHTS && this.queue.length > 0) this.fly(this.queue.shift());
  }

  async fly(flight) {
    flight.controller = new AbortController();
    this.flights.add(flight);
    try {
      const tile = await getTiles(flight.level, flight.index, flight.tracks, {
        signal: flight.controller.signal,
      });
      this.store(flight, tile);
      this.onAnswer(null);
    } catch (error) {
      if (error.name !== "AbortError") this.pause(error);
    } finally {
      this.flights.delete(flight);
      this.next(flight.urgent);
    }
  }

  store(flight, { final, tracks }) {
    for (const [track, tile] of tracks)
      this.cache.put(track, flight.level, flight.index, tile, final);
  }

  /** A server that fails is not asked again at once. */
  pause(error) {
    this.onAnswer(error);
    this.quietUntil = performance.now() + RETRY;
    setTimeout(() => this.onTiles(), RETRY);
  }

  next(urgent) {
    if (urgent) this.onTiles();
    this.plan();
    this.start();
  }

  /** Requests for what is on the screen that are still to be answered. */
  get pending() {
    return (
      [...this.flights].filter((flight) => flight.urgent).length +
      this.queue.filter((each) => each.urgent).length
    );
  }
}
