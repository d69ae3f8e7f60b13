// SPDX-License-Identifier: BSD-3-Clause
// Keeps what a panel shows in step with what it is about, at the cost of one request at a time.

import { debounced } from "./dom.js";
import { getJSON } from "./api.js";

const PAUSE = 180;

/**
 * Calls show(answer) for the latest query(); null from it means that nothing is to be asked. A
 * request that a newer one overtakes is aborted. Only while it is active does it ask: what is
 * not looked at costs the server nothing.
 */
export class LiveQuery {
  constructor({ query, show, fail, busy }) {
    this.query = query;
    this.show = show;
    this.fail = fail;
    this.busy = busy;
    this.active = false;
    this.key = null;
    this.abort = null;
    this.pending = false;
    this.start = debounced(() => this.fetch(), PAUSE);
  }

  setActive(active) {
    this.active = active;
    if (!active && this.pending) this.drop();
  }

  /** To be called whenever something has changed that may concern the query. */
  check(version = "") {
    if (!this.active) return;
    const query = this.query();
    const key = query === null ? null : `${query} ${version}`;
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
    const abort = new AbortController();
    this.abort = abort;
    this.busy(true);
    try {
      const answer = await getJSON(this.query(), {}, { signal: abort.signal });
      if (this.abort === abort) this.show(answer);
    } catch (error) {
      if (this.abort === abort) this.failed(error);
    }
    if (this.abort !== abort) return;
    this.abort = null;
    this.pending = false;
    this.busy(false);
  }

  /** The key is forgotten, so that the next change tries again. */
  failed(error) {
    this.key = null;
    this.fail(error);
  }
}
