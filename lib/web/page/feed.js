// SPDX-License-Identifier: BSD-3-Clause
// Data of a range of time at some resolution. More than is shown is asked for, so that panning
// finds it there; the last answer is drawn until a better one has come.

const PADDING = 0.5;
const PAUSE = 40;
const STALE = 1000;

export class RangeFeed {
  /** fetch(start, end, bins, key, signal) gives the data; onData is called when it has come. */
  constructor(fetch, onData) {
    this.fetch = fetch;
    this.onData = onData;
    this.data = null;
    this.loaded = null;
    this.final = true;
    this.timer = 0;
    this.controller = null;
  }

  /** Says what is shown; `bins` is the resolution over that range, `key` all else that matters. */
  want(start, end, bins, key = "", final = true) {
    this.wanted = { start, end, bins, key, final };
    if (this.serves() || this.timer) return;
    if (this.controller && this.asked.key === key && this.covers(this.asked)) return;
    this.timer = setTimeout(() => this.load(), this.data ? PAUSE : 0);
  }

  covers(range) {
    const { start, end } = this.wanted;
    const ratio = range.span / (end - start);
    return range.start <= start && range.end >= end && ratio > 0.6 && ratio < 1.7;
  }

  serves() {
    const { loaded, wanted } = this;
    if (!loaded || loaded.key !== wanted.key || !this.covers(loaded)) return false;
    return loaded.final || performance.now() - loaded.at < STALE;
  }

  async load() {
    this.timer = 0;
    this.controller?.abort();
    const controller = (this.controller = new AbortController());
    const { start, end, bins, key, final } = this.wanted;
    const span = end - start;
    const asked = { start: start - span * PADDING, end: end + span * PADDING, span, key, final };
    this.asked = asked;
    try {
      const data = await this.fetch(
        asked.start,
        asked.end,
        Math.ceil(bins * (1 + 2 * PADDING)),
        key,
        controller.signal,
      );
      this.data = data;
      this.loaded = { ...asked, at: performance.now() };
      this.onData();
    } catch (error) {
      if (error.name !== "AbortError")
        this.loaded = { ...asked, final: false, at: performance.now() };
    } finally {
      if (this.controller === controller) this.controller = null;
    }
  }

  /** The data, if it is of that key. */
  get(key = "") {
    return this.loaded?.key === key ? this.data : null;
  }

  clear() {
    this.data = null;
    this.loaded = null;
  }
}
