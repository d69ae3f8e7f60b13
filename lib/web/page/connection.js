// SPDX-License-Identifier: BSD-3-Clause
// Whether the server still answers. Parts of the page repeat requests that have failed; if the
// server has given no answer for a while, all requests stop until the user tries again.

/** How long requests are repeated, in ms since the first one that got no answer. */
const PATIENCE = 10000;

class Connection {
  constructor() {
    this.patience = PATIENCE;
    /** Since when no request was answered, or null if the last one was. */
    /** @type {number | null} */
    this.silentSince = null;
    /** Requests have stopped. */
    this.stopped = false;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /**
   * Calls `listener` when the server begins to be silent, when requests have stopped because of
   * that, and when they may go on.
   * @param {() => void} listener
   */
  onChange(listener) {
    this.listeners.add(listener);
  }

  /** A request was answered, or the user wants requests to go on. */
  resume() {
    if (this.silentSince === null) return;
    this.silentSince = null;
    this.stopped = false;
    this.tell();
  }

  /** A request got no answer. */
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
   * Resolves when requests may go on, which is at once unless they have stopped.
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

/** The connection of this page, of which there is one. */
export const connection = new Connection();
