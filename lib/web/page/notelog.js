// SPDX-License-Identifier: BSD-3-Clause
// The changes that the user has made to the notes in this window, so that a step back in the
// browser's history undoes these alone, and not what another window has written meanwhile.

import { changedNotes, isChange, noteChange, reversed } from "./notechange.js";

export class NoteLog {
  /**
   * @param {App} app
   * @param {number} first how many changes there were before the page was loaded
   */
  constructor(app, first) {
    this.app = app;
    this.first = first;
    /**
     * The number of changes that were made and not undone, which each entry of the history stores.
     */
    this.count = first;
    /** @type {import("./notechange.js").NoteChange[]} */
    this.steps = [];
    /** The notes at the last call, with which those of the state are compared. */
    this.known = app.state.notes;
    app.on("state", (state, changed) => {
      if (changed.notes) this.note(state.notes);
    });
  }

  /** @param {Note[]} notes */
  note(notes) {
    const step = noteChange(this.known, notes);
    this.known = notes;
    if (!isChange(step)) return;
    this.steps.length = this.count - this.first;
    this.steps.push(step);
    this.count++;
  }

  /** Forgets the changes, which can no longer be undone. */
  restart() {
    this.first = this.count;
    this.steps = [];
  }

  /**
   * The notes after `count` changes, a number from an entry of the history. Changes that were made
   * before the page was loaded are not in the log and cannot be undone.
   * @param {number} count
   */
  travel(count) {
    const last = this.first + this.steps.length;
    const wanted = Math.min(Math.max(count, this.first), last);
    let { notes } = this.app.state;
    while (this.count > wanted)
      notes = changedNotes(notes, reversed(this.steps[--this.count - this.first]));
    while (this.count < wanted) notes = changedNotes(notes, this.steps[this.count++ - this.first]);
    this.known = notes;
    return notes;
  }
}
