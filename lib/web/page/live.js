// SPDX-License-Identifier: BSD-3-Clause
// Keeps the content of a panel up to date, with at most one request at a time.

import { connection } from "./connection.js";
import { debounced } from "./dom.js";
import { ask } from "./analysis.js";
import { currentEpoch } from "./api.js";

const PAUSE = 180;

/**
 * `query` gives the parameters of the request, or null if there is nothing to ask for. `refine`
 * gives the parameters to change for a better answer, or null if the answer is good.
 * @template {keyof Answers} Path
 * @typedef {object} LiveOptions
 * @property {Path} path
 * @property {() => QueryValues | null} query
 * @property {(answer: Answers[Path]) => QueryValues | null} [refine]
 * @property {(answer: Answers[Path]) => void} show
 * @property {(error: unknown) => void} fail
 * @property {(busy: boolean) => void} busy
 */

/**
 * Calls show(answer) with the answer to the latest query. A newer request aborts the one before
 * it. Only an active query asks, so a panel that is not visible costs the server nothing.
 * @template {keyof Answers} Path
 */
export class LiveQuery {
  /** @param {LiveOptions<Path>} options */
  constructor({ path, query, refine, show, fail, busy }) {
    this.path = path;
    this.query = query;
    this.refine = refine;
    this.show = show;
    this.fail = fail;
    this.busy = busy;
    this.active = false;
    /** @type {string | null} */
    this.key = null;
    /** @type {AbortController | null} */
    this.abort = null;
    // Whether no answer to the current query has been shown yet.
    this.pending = false;
    this.start = debounced(() => this.fetch(), PAUSE);
    // A query that has failed is repeated when requests continue.
    connection.onChange(() => {
      if (connection.silentSince === null && this.key === null) this.check();
    });
  }

  /** @param {boolean} active */
  setActive(active) {
    this.active = active;
    if (!active && (this.pending || this.abort)) this.drop();
  }

  /**
   * Must be called after every change that may affect the query.
   * @param {unknown} [version]
   */
  check(version = "") {
    if (!this.active) return;
    const query = this.query();
    const key = query === null ? null : `${JSON.stringify(query)} ${version} ${currentEpoch()}`;
    if (key === this.key) return;
    this.drop();
    this.key = key;
    this.pending = key !== null;
    if (this.pending) this.start();
  }

  drop() {
    this.start.cancel();
    this.abort?.abort();
    this.abort = null;
    this.key = null;
    this.pending = false;
    this.busy(false);
  }

  async fetch() {
    const query = this.query();
    if (query === null) return;
    const abort = new AbortController();
    this.abort = abort;
    this.busy(true);
    try {
      await this.ask(query, abort);
    } catch (error) {
      if (this.abort === abort) this.failed(error);
    }
    if (this.abort !== abort) return;
    this.abort = null;
    this.busy(false);
  }

  /**
   * Shows the answer, and then the better one that takes longer.
   * @param {QueryValues} query
   * @param {AbortController} abort
   */
  async ask(query, abort) {
    const options = { signal: abort.signal };
    const answer = await ask(this.path, query, undefined, options);
    if (this.abort !== abort) return;
    this.pending = false;
    this.show(answer);
    const changes = this.refine?.(answer) ?? null;
    if (changes === null) return;
    const refined = await ask(this.path, { ...query, ...changes }, undefined, options);
    if (this.abort === abort) this.show(refined);
  }

  /**
   * Forgets the key, so that the next change tries again.
   * @param {unknown} error
   */
  failed(error) {
    this.key = null;
    this.pending = false;
    this.fail(error);
  }
}
