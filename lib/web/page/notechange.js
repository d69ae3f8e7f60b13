// SPDX-License-Identifier: BSD-3-Clause
// Changes of a list of notes. A note has no id and is identified by its content. Editing a note
// therefore removes one note and adds another one, and if two windows edit the same note, both
// versions remain.

/** @typedef {{ added: Note[], removed: Note[] }} NoteChange */

/** @param {Note} note */
export function noteKey(note) {
  return JSON.stringify([note.time, note.end, note.row, note.text]);
}

/**
 * The notes of a list that are not in another one.
 * @param {Note[]} notes
 * @param {Note[]} others
 */
export function notesBeyond(notes, others) {
  const known = new Set(others.map(noteKey));
  return notes.filter((note) => !known.has(noteKey(note)));
}

/**
 * @param {Note[]} from
 * @param {Note[]} to
 * @returns {NoteChange}
 */
export function noteChange(from, to) {
  return { added: notesBeyond(to, from), removed: notesBeyond(from, to) };
}

/** @param {NoteChange} change */
export function isChange({ added, removed }) {
  return added.length > 0 || removed.length > 0;
}

/**
 * The change that undoes a change.
 * @param {NoteChange} change
 * @returns {NoteChange}
 */
export function reversed({ added, removed }) {
  return { added: removed, removed: added };
}

/**
 * A list of notes after a change, in order of time.
 * @param {Note[]} notes
 * @param {NoteChange} change
 */
export function changedNotes(notes, { added, removed }) {
  const rest = notesBeyond(notes, removed);
  return [...rest, ...notesBeyond(added, rest)].sort((a, b) => a.time - b.time);
}

/**
 * A three-way merge: the notes of a window that has changed `base` to `mine`, after another window
 * has changed `base` to `theirs`.
 * @param {Note[]} base
 * @param {Note[]} mine
 * @param {Note[]} theirs
 */
export function mergedNotes(base, mine, theirs) {
  return changedNotes(theirs, noteChange(base, mine));
}
