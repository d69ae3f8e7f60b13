// SPDX-License-Identifier: BSD-3-Clause
// Fetches the data of a range of time at a resolution. It asks for more than the visible range, so
// that panning finds the data already there; the previous answer is shown until the next one
// arrives.

import { isAbort } from "./api.js";

const PADDING = 0.5;
const PAUSE = 40;
const STALE = 1000;

/**
 * A range of time at a resolution. `final` says whether the trace has been read completely.
 * @typedef {object} WantedRange
 * @property {number} start
 * @property {number} end
 * @property {number} bins
 * @property {string} key
 * @property {boolean} final
 */

/**
 * A range that was requested. `span` is the length of the range that was visible at that time.
 * @typedef {{ start: number, end: number, span: number, key: string, final: boolean }} AskedRange
 */

/** @template Data */
export class RangeFeed {
  /**
   * `fetch` asks the server for the data of a range; `onData` is called when they have arrived.
   * @param {(range: WantedRange, signal: AbortSignal) => Promise<Data>} fetch
   * @param {() => void} onData
   */
  constructor(fetch, onData) {
    this.fetch = fetch;
    this.onData = onData;
    /** @type {Data | null} */
    this.data = null;
    /** @type {(AskedRange & { at: number }) | null} */
    this.loaded = null;
    /** @type {AskedRange | null} */
    this.asked = null;
    /** @type {WantedRange | null} */
    this.wanted = null;
    this.timer = 0;
    /** @type {AbortController | null} */
    this.controller = null;
  }

  /**
   * Sets what is visible. `bins` is the resolution over that range; `key` identifies everything
   * else that the data depend on.
   * @param {number} start
   * @param {number} end
   * @param {number} bins
   */
  want(start, end, bins, key = "", final = true) {
    const wanted = { start, end, bins, key, final };
    this.wanted = wanted;
    if (this.serves(wanted) || this.timer) return;
    if (this.controller && this.asked?.key === key && this.covers(this.asked, wanted)) return;
    this.timer = setTimeout(() => this.load(), this.data ? PAUSE : 0);
  }

  /**
   * @param {AskedRange} range
   * @param {WantedRange} wanted
   */
  covers(range, { start, end }) {
    const ratio = range.span / (end - start);
    return range.start <= start && range.end >= end && ratio > 0.6 && ratio < 1.7;
  }

  /** @param {WantedRange} wanted */
  serves(wanted) {
    const { loaded } = this;
    if (!loaded || loaded.key !== wanted.key || !this.covers(loaded, wanted)) return false;
    return loaded.final || performance.now() - loaded.at < STALE;
  }

  async load() {
    this.timer = 0;
    if (!this.wanted) return;
    this.controller?.abort();
    const controller = (this.controller = new AbortController());
    const { start, end, bins, key, final } = this.wanted;
    const span = end - start;
    const asked = { start: start - span * PADDING, end: end + span * PADDING, span, key, final };
    this.asked = asked;
    try {
      const data = await this.fetch(
        { ...asked, bins: Math.ceil(bins * (1 + 2 * PADDING)) },
        controller.signal,
      );
      this.data = data;
      this.loaded = { ...asked, at: performance.now() };
      this.onData();
    } catch (error) {
      if (!isAbort(error)) this.loaded = { ...asked, final: false, at: performance.now() };
    } finally {
      if (this.controller === controller) this.controller = null;
    }
  }

  /** The data, if they belong to this key. */
  get(key = "") {
    return this.loaded?.key === key ? this.data : null;
  }

  clear() {
    this.data = null;
    this.loaded = null;
  }

  /** Forgets the data, and those that were requested. */
  restart() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.controller?.abort();
    this.controller = null;
    this.asked = null;
    this.clear();
  }
}
