// SPDX-License-Identifier: BSD-3-Clause
// Synchronises the notes with the server, which stores them for example in a file beside the trace:
// reads them, adds the notes of the link, and stores the user's changes. Other windows may do the
// same at the same time.

import { ApiError, getJSON, messageOf, postText } from "./api.js";
import { connection } from "./connection.js";
import { formatPlural } from "./format.js";
import { noteFrom } from "./noteaddress.js";
import { changedNotes, isChange, mergedNotes, noteChange, notesBeyond } from "./notechange.js";
import { NoteDraft } from "./notedraft.js";
import { notesText } from "./notefile.js";
import { MOST_NOTES } from "./notes.js";

/**
 * The time in ms for which changes are collected before they are stored, and the delay before a
 * failed request is repeated.
 */
const PAUSE = 400;
const RETRY = 2000;
/** The number of attempts to store the notes while other windows store theirs. */
const TRIES = 10;
/** Browsers send no more than 64 KiB for a page that is being closed. */
const PARTING = 20000;

/**
 * The notes of an answer. Throws if one of them is invalid, because storing the notes would drop
 * it.
 * @param {unknown[]} list
 */
function notesOf(list) {
  const notes = list.map((each) => noteFrom(each));
  const good = notes.filter((note) => note !== null);
  if (good.length < notes.length) throw new Error("it has notes that this page does not know");
  return good;
}

export class NoteKeeper {
  /**
   * The server's answer; null until it has arrived.
   * @type {NotesFacts | null}
   */
  facts = null;
  /**
   * The notes that the server had stored at the last answer.
   * @type {Note[]}
   */
  base = [];
  /** The reason why the notes cannot be read or stored, or "". */
  trouble = "";
  /** Whether the user has made changes that are not stored yet. */
  isDirty = false;
  isSaving = false;
  /** Whether a server that was away may be another one, with other traces at these addresses. */
  mayBeOther = false;
  timer = 0;
  /** @type {NoteDraft | null} */
  draft = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { notes } = app.state;
    /**
     * The notes from which the first merge starts: those of the address if the page was reloaded
     * after the server had stored them, otherwise none.
     */
    this.first = app.notes.wereSaved ? notes : [];
    this.last = notes;
    app.on("state", (_, changed) => changed.notes && this.noteChange());
    app.on("trace", () => this.adoptDraft());
    connection.onChange(() => this.onConnection());
    addEventListener("focus", () => this.refresh());
    document.addEventListener("visibilitychange", () => document.hidden && this.part());
    this.start();
  }

  get canSave() {
    return this.facts !== null && this.facts.can_change;
  }

  /** Whether the server has all notes, so that a reload of the page need not bring them. */
  get isSettled() {
    return this.canSave && !isChange(noteChange(this.base, this.app.state.notes));
  }

  async start() {
    await this.ask();
    this.adoptDraft();
  }

  /** Reads the server's notes, and merges them with those of this window. */
  async ask() {
    try {
      const facts = await getJSON("api/notes");
      if (this.facts && facts.name !== this.facts.name)
        throw new Error(`the server has another trace here now, with ${facts.name}`);
      this.mayBeOther = false;
      const theirs = notesOf(facts.notes);
      const known = this.facts ? this.base : this.first;
      this.facts = facts;
      this.trouble = facts.error ?? "";
      if (facts.is_kept && !facts.error) this.take(known, theirs);
    } catch (error) {
      this.fail(error);
    }
    this.tell();
  }

  /**
   * @param {Note[]} known the notes from which those here were made
   * @param {Note[]} theirs
   */
  take(known, theirs) {
    const merged = mergedNotes(known, this.app.state.notes, theirs);
    if (merged.length > MOST_NOTES) {
      this.facts = null;
      throw new Error(`there would be more than ${formatPlural(MOST_NOTES, "note")}`);
    }
    this.base = theirs;
    this.app.notes.take(merged);
  }

  /** Reads the notes that other windows have stored, when the user returns to this window. */
  async refresh() {
    if (!this.facts?.is_kept || this.isSaving || connection.stopped) return;
    const { revision } = this.facts;
    const facts = await getJSON("api/notes").catch(() => null);
    if (facts && facts.revision !== revision && !this.isSaving) await this.ask();
  }

  /** Must be called when the notes in the state have changed. */
  noteChange() {
    const { last } = this;
    this.last = this.app.state.notes;
    if (this.app.notes.isTaking || !isChange(noteChange(last, this.last))) return;
    this.isDirty = true;
    this.trouble = "";
    this.keepDraft();
    this.schedule(PAUSE);
    this.tell();
  }

  /** Takes over the changes that another window or an earlier one could not store. */
  adoptDraft() {
    const { trace } = this.app;
    if (this.draft || !this.canSave || !trace.progress.done) return;
    this.draft = new NoteDraft(trace);
    const change = this.draft.load();
    if (isChange(change)) {
      this.app.notes.take(changedNotes(this.app.state.notes, change));
      this.isDirty = true;
    }
    if (!this.isDirty) return;
    this.keepDraft();
    this.schedule(0);
  }

  keepDraft() {
    this.draft?.add(noteChange(this.base, this.app.state.notes));
  }

  /** @param {number} delay */
  schedule(delay) {
    clearTimeout(this.timer);
    this.timer = this.canSave ? setTimeout(() => this.save(), delay) : 0;
  }

  /** Stores the changes immediately, because the page may be closed soon. */
  part() {
    if (this.timer && !this.isSaving) this.save();
  }

  onConnection() {
    if (connection.silentSince !== null) return;
    if (!this.facts) this.start();
    else if (this.isDirty) this.schedule(0);
  }

  /** Stores all notes of this window, including those of the link. */
  async save() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.isSaving || !this.canSave) return;
    this.isSaving = true;
    this.isDirty = true;
    this.trouble = "";
    this.tell();
    try {
      await this.store(TRIES);
    } catch (error) {
      this.fail(error);
    }
    this.isSaving = false;
    this.tell();
  }

  /**
   * Stores the notes. If another window has stored its notes in the meantime, merges both and tries
   * again.
   * @param {number} tries
   * @returns {Promise<void>}
   */
  async store(tries) {
    if (this.mayBeOther) await this.ask();
    if (this.mayBeOther) return;
    const { notes } = this.app.state;
    const { revision } = /** @type {NotesFacts} */ (this.facts);
    const answer = this.isSettled ? { revision } : await this.post(notes, revision);
    if (answer) {
      this.settle(notes, answer.revision);
      return;
    }
    if (tries === 0) throw new Error("other windows change the notes all the time");
    await this.ask();
    if (this.trouble === "") await this.store(tries - 1);
  }

  /**
   * Resolves to null if the server has other notes than those of the revision.
   * @param {Note[]} notes
   * @param {string} revision
   * @returns {Promise<{ revision: string } | null>}
   */
  async post(notes, revision) {
    const text = notesText(notes);
    const isParting = document.hidden && text.length < PARTING;
    try {
      return await postText("api/notes", { revision }, text, isParting);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null;
      throw error;
    }
  }

  /**
   * @param {Note[]} notes
   * @param {string} revision
   */
  settle(notes, revision) {
    const facts = /** @type {NotesFacts} */ (this.facts);
    this.facts = { ...facts, revision };
    this.base = notes;
    this.draft?.settle(notes);
    this.isDirty = !this.isSettled;
    if (this.isDirty) this.schedule(PAUSE);
    else this.app.notes.markSaved();
  }

  /** @param {unknown} error */
  fail(error) {
    const isAway = error instanceof ApiError && error.status === 0;
    this.trouble = messageOf(error);
    this.mayBeOther ||= isAway;
    if (!isAway || connection.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.facts ? this.save() : this.start()), RETRY);
  }

  tell() {
    this.app.emit("notes");
  }

  /** The notes of this window that the server does not have. */
  get unsaved() {
    return notesBeyond(this.app.state.notes, this.base);
  }
}
