// SPDX-License-Identifier: BSD-3-Clause
// Whether the server still answers. Parts of the page repeat requests that have failed; if the
// server has given no answer for a while, all requests stop until the user tries again.

/** How long requests are repeated, in ms since the first one that got no answer. */
const PATIENCE = 10000;

class Connection {
  constructor() {
    this.patience = PATIENCE;
    /**
     * The time of the first of the requests that got no answer, or null if the last request was
     * answered.
     */
    /** @type {number | null} */
    this.silentSince = null;
    /** Requests have stopped. */
    this.stopped = false;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /**
   * Calls `listener` when the server stops answering, when requests have therefore stopped, and
   * when they may continue.
   * @param {() => void} listener
   */
  onChange(listener) {
    this.listeners.add(listener);
  }

  /** Must be called when a request was answered, or when the user wants requests to continue. */
  resume() {
    if (this.silentSince === null) return;
    this.silentSince = null;
    this.stopped = false;
    this.tell();
  }

  /** Must be called when a request got no answer. */
  failed() {
    const now = performance.now();
    const began = this.silentSince === null;
    this.silentSince ??= now;
    const stops = !this.stopped && now - this.silentSince >= this.patience;
    this.stopped ||= stops;
    if (began || stops) this.tell();
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /**
   * Resolves when requests may be sent. This is immediate unless requests have stopped.
   * @returns {Promise<void>}
   */
  ready() {
    if (!this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const listener = () => {
        if (this.stopped) return;
        this.listeners.delete(listener);
        resolve();
      };
      this.listeners.add(listener);
    });
  }
}

/** The only connection of this page. */
export const connection = new Connection();
