// SPDX-License-Identifier: BSD-3-Clause
// Changes of notes that the server has not stored yet. The browser keeps them, so that nothing is
// lost if the window is closed meanwhile. All traces of a server, and all that were ever served at
// this address, share the browser's storage: the key names the trace, not the tab.

import { noteFrom } from "./noteaddress.js";
import { changedNotes, isChange, notesBeyond } from "./notechange.js";

const PREFIX = "gotrace.notes.";

/**
 * What tells a trace from others: its name alone may be that of a newer recording.
 * @param {TraceFacts} trace
 */
function draftKey({ name, start, duration, counts }) {
  return PREFIX + JSON.stringify([name, start, duration, counts.events]);
}

/** @param {unknown} list */
function notesFrom(list) {
  if (!Array.isArray(list)) return [];
  return list.map((each) => noteFrom(each)).filter((note) => note !== null);
}

/** The draft of a trace that has been loaded to its end. Without storage there is none. */
export class NoteDraft {
  /** @param {TraceFacts} trace */
  constructor(trace) {
    this.key = draftKey(trace);
  }

  /** @returns {import("./notechange.js").NoteChange} */
  load() {
    try {
      const { added, removed } = JSON.parse(localStorage.getItem(this.key) ?? "{}");
      return { added: notesFrom(added), removed: notesFrom(removed) };
    } catch {
      return { added: [], removed: [] };
    }
  }

  /** @param {import("./notechange.js").NoteChange} change */
  store(change) {
    try {
      if (isChange(change)) localStorage.setItem(this.key, JSON.stringify(change));
      else localStorage.removeItem(this.key);
    } catch {
      // The notes are in the link, as far as it has room.
    }
  }

  /**
   * Adds a change to those that this window or another one has left.
   * @param {import("./notechange.js").NoteChange} change
   */
  add({ added, removed }) {
    const old = this.load();
    this.store({
      added: changedNotes(old.added, { added, removed }),
      removed: changedNotes(old.removed, { added: removed, removed: added }),
    });
  }

  /**
   * Drops what has been done, now that the server has stored these notes.
   * @param {Note[]} notes
   */
  settle(notes) {
    const { added, removed } = this.load();
    const gone = notesBeyond(removed, notes);
    this.store({ added: notesBeyond(added, notes), removed: notesBeyond(removed, gone) });
  }
}
