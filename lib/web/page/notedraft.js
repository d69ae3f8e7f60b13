// SPDX-License-Identifier: BSD-3-Clause
// Changes of notes that the server has not stored yet. The browser stores them, so that nothing is
// lost if the window is closed before the server has them. All traces of a server, and all traces
// that were ever served at this address, share the browser's storage, so the key identifies the
// trace.

import { noteFrom } from "./noteaddress.js";
import { changedNotes, isChange, notesBeyond } from "./notechange.js";

const PREFIX = "gotrace.notes.";

/**
 * The key that identifies a trace. The name alone is not sufficient, because a newer recording may
 * have the same name.
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

/**
 * The draft for a trace that has been loaded completely. If the browser's storage is disabled, the
 * draft is always empty.
 */
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
      // Without storage, the notes are only in the page's address, as far as it has room.
    }
  }

  /**
   * Adds a change to the changes that this window or another one has stored.
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
   * Removes the changes that are contained in these notes, which the server has stored.
   * @param {Note[]} notes
   */
  settle(notes) {
    const { added, removed } = this.load();
    const gone = notesBeyond(removed, notes);
    this.store({ added: notesBeyond(added, notes), removed: notesBeyond(removed, gone) });
  }
}
