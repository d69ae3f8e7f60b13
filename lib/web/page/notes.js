// SPDX-License-Identifier: BSD-3-Clause
// Keeps and draws the user's notes on times, spans and areas. Their times are in ns since the start
// of the trace.

import { palette } from "./colors.js";
import { h } from "./dom.js";
import { formatDuration, formatPlural, formatTime } from "./format.js";
import { NoteLog } from "./notelog.js";
import { notesBeyond } from "./notechange.js";
import { place } from "./place.js";
import { rowName } from "./rows.js";

/** The largest number of notes on a page. */
export const MOST_NOTES = 1000;
const POLE = 14;
const CLOTH = { width: 9, height: 6 };
const REACH = 5;

/**
 * Describes the place of a note in words.
 * @param {Note} note
 */
export function notePlace({ time, end, row }) {
  const at = formatTime(time);
  const where = row === "" ? "" : `, ${row.replace(":", " ")}`;
  return end === null ? `${at}${where}` : `${formatDuration(end - time)} at ${at}${where}`;
}

export class Notes {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /**
     * The flags on the screen.
     * @type {{ note: Note, x: number, y: number }[]}
     */
    this.flags = [];
    const entry = place.state ?? {};
    this.log = new NoteLog(app, Number(entry.edits) || 0);
    /** Whether the page was reloaded, and the server had all notes of the address before. */
    this.wereSaved = entry.saved === true;
    /** Whether the current change of the notes is not the user's. */
    this.isTaking = false;
    /**
     * The object that synchronises the notes with the server, once its module is loaded.
     * @type {import("./notekeeper.js").NoteKeeper | null}
     */
    this.keeper = null;
  }

  get list() {
    return this.app.state.notes;
  }

  /**
   * Sets the notes after a change by the user. Throws if there are too many.
   * @param {Note[]} notes
   */
  set(notes) {
    if (notes.length > MOST_NOTES)
      throw new Error(`there would be more than ${formatPlural(MOST_NOTES, "note")}`);
    this.app.set({ notes: [...notes].sort((a, b) => a.time - b.time) });
  }

  /**
   * Adds those of the given notes that do not exist yet.
   * @param {Note[]} notes
   */
  merge(notes) {
    const fresh = notesBeyond(notes, this.list);
    if (fresh.length > 0) this.set([...this.list, ...fresh]);
    return fresh.length;
  }

  /**
   * Shows notes that others have changed. The user cannot undo such a change.
   * @param {Note[]} notes
   */
  take(notes) {
    this.isTaking = true;
    this.log.known = notes;
    this.app.set({ notes }, { push: false });
    this.isTaking = false;
  }

  /** The data that an entry of the browser's history stores besides its address. */
  entry() {
    return { edits: this.log.count, saved: this.keeper?.isSettled ?? false };
  }

  /** Remembers for a reload of the page that the server has all notes. */
  markSaved() {
    place.replace({ ...place.state, ...this.entry() });
  }

  /**
   * The place of a new note: the selected span, the area, or else the time at the pointer.
   * @returns {Note}
   */
  place() {
    const { selection, state, cursor, view } = this.app;
    const { area } = state;
    const free = { end: null, row: "", text: "" };
    if (area) return { time: Math.round(area.start), end: Math.round(area.end), row: "", text: "" };
    if (selection)
      return { time: selection.start, end: selection.end, row: rowName(selection.row), text: "" };
    return { ...free, time: Math.round(cursor ?? (view.target.s + view.target.e) / 2) };
  }

  /**
   * Shows the place of a note.
   * @param {Note} note
   */
  async go({ time, end, row }) {
    const { app } = this;
    const { s, e } = app.view.target;
    const last = end ?? time;
    if (last - time > (e - s) * 0.9 || last - time < (e - s) * 0.001)
      app.zoomTo(time, Math.max(last, time + 1000), { padding: end === null ? 50 : 0.3 });
    else if (time < s || last > e) app.selecting.center((time + last) / 2);
    if (row === "" && end !== null) app.set({ area: { start: time, end, tracks: null } });
    const [view, id] = row.split(":");
    if (row !== "") await app.reveal({ view: /** @type {ViewName} */ (view), row_id: Number(id) });
  }

  /**
   * Draws the flags: on the row of a note if it is on the screen, otherwise at the top.
   * @param {CanvasRenderingContext2D} context
   */
  draw(context) {
    const { app } = this;
    const items = new Map(app.layout.items.map((item) => [item.row && rowName(item.row), item]));
    this.flags = [];
    for (const note of this.list) {
      const x = Math.round(app.view.x(note.time));
      if (x < -CLOTH.width || x > app.view.width) continue;
      const item = note.row === "" ? null : items.get(note.row);
      if (note.row !== "" && !item) continue;
      const y = item ? item.y : 0;
      if (note.row === "") this.line(context, x);
      paintFlag(context, x, y);
      this.flags.push({ note, x, y });
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   */
  line(context, x) {
    context.globalAlpha = 0.35;
    context.fillStyle = palette.accent;
    context.fillRect(x, 0, 1, this.app.overlay.height);
    context.globalAlpha = 1;
  }

  /**
   * The note whose flag is at a point of the rows, or null.
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    const found = this.flags.find(
      (flag) =>
        x >= flag.x - REACH &&
        x <= flag.x + CLOTH.width + 2 &&
        y >= flag.y &&
        y <= flag.y + POLE + 2,
    );
    return found?.note ?? null;
  }

  /**
   * The note whose flag is at an x of the axis, or null.
   * @param {number} x
   */
  atTime(x) {
    const near = (/** @type {Note} */ note) => {
      const away = x - this.app.view.x(note.time);
      return away >= -REACH && away <= CLOTH.width + 2;
    };
    return this.list.find(near) ?? null;
  }
}

/**
 * Paints a flag whose pole stands at x.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 */
export function paintFlag(context, x, y) {
  context.fillStyle = palette.bg;
  context.fillRect(x - 1, y, CLOTH.width + 3, CLOTH.height + 2);
  context.fillStyle = palette.accent;
  context.fillRect(x, y + 1, CLOTH.width + 1, CLOTH.height);
  context.fillRect(x, y + 1, 2, POLE - 1);
}

/**
 * The content of a tooltip.
 * @param {Note} note
 */
export function noteTip(note) {
  return [
    h("div", { class: "muted" }, `Note, ${notePlace(note)}`),
    h("div", { class: "note-text" }, note.text),
  ];
}
