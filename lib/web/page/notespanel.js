// SPDX-License-Identifier: BSD-3-Clause
// The panel of notes: a list to go to them, to change and to delete them, and their file.

import { messageOf } from "./api.js";
import { saveFile } from "./csv.js";
import { button, fill, h } from "./dom.js";
import { formatCount, formatPlural } from "./format.js";
import { link } from "./links.js";
import { notesOfText, notesText } from "./notefile.js";
import { LONGEST_NOTE } from "./noteaddress.js";
import { noteKey, notePlace } from "./notes.js";

export class NotesPanel {
  message = h("p", { class: "note", "aria-live": "polite" });
  list = h("ul", { class: "note-list" });
  picker = h("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    "aria-label": "A file with notes",
  });
  /**
   * The note that is being written, and the one that it replaces, if any.
   * @type {{ note: Note, old: Note | null } | null}
   */
  draft = null;

  /**
   * `open` brings the panel to the front.
   * @param {App} app
   * @param {() => void} open
   */
  constructor(app, open) {
    this.app = app;
    this.open = open;
    this.tools = h(
      "header",
      { class: "area-head" },
      h("h3", {}, "Notes"),
      h(
        "span",
        { class: "detail-tools" },
        button("Add note", () => this.add(), {
          title: "On the area, the selected span, or else the time at the pointer (N)",
        }),
        button("Export", () => this.exportFile(), { title: "Save the notes as a JSON file" }),
        button("Import", () => this.picker.click(), { title: "Add the notes of a JSON file" }),
        this.picker,
      ),
    );
    this.element = h("div", { class: "area notes" }, this.tools, this.message, this.list);
    this.picker.addEventListener("change", () => this.importFile());
    app.on("state", (_, changed) => {
      if (changed.notes || "tf" in changed) this.render();
    });
    app.actions.set("note", (note) => this.add(/** @type {Note | undefined} */ (note)));
    this.render();
  }

  exportFile() {
    saveFile("notes.json", notesText(this.app.state.notes), "application/json");
    this.say(`${formatPlural(this.app.state.notes.length, "note")} exported.`);
  }

  async importFile() {
    const file = this.picker.files?.[0];
    this.picker.value = "";
    if (!file) return;
    try {
      const { notes, left } = notesOfText(await file.text());
      const fresh = this.app.notes.merge(notes);
      const wrong = left > 0 ? ` ${formatCount(left)} were no notes.` : "";
      this.say(`${formatPlural(fresh, "note")} imported.${wrong}`);
    } catch (error) {
      this.say(`The file cannot be imported: ${messageOf(error)}.`);
    }
  }

  /** @param {string} text */
  say(text) {
    this.message.textContent = text;
  }

  /**
   * Begins a note on a place or, without one, where notes.js says.
   * @param {Note} [place]
   */
  add(place) {
    this.draft = { note: place ?? this.app.notes.place(), old: null };
    this.open();
    this.render();
  }

  /** @param {Note} note */
  edit(note) {
    this.draft = { note, old: note };
    this.render();
  }

  /** @param {Note} note */
  remove(note) {
    const key = noteKey(note);
    this.app.notes.set(this.app.state.notes.filter((each) => noteKey(each) !== key));
    this.say("Note deleted. Ctrl+Z brings it back.");
    this.focusFirst();
  }

  focusFirst() {
    /** @type {HTMLElement | null} */
    const first = this.element.querySelector(".note-list a, .detail-tools button");
    first?.focus();
  }

  /** @param {string} text */
  finish(text) {
    const { draft } = this;
    if (!draft) return;
    this.draft = null;
    const old = draft.old && noteKey(draft.old);
    const others = this.app.state.notes.filter((each) => noteKey(each) !== old);
    if (text.trim() === "") this.render();
    else this.app.notes.set([...others, { ...draft.note, text: text.trim() }]);
    this.focusFirst();
  }

  cancel() {
    this.draft = null;
    this.render();
    this.focusFirst();
  }

  render() {
    const { notes } = this.app.state;
    const { draft } = this;
    const sorted = [...notes].sort((a, b) => a.time - b.time);
    const rows = sorted.map((note) =>
      draft?.old && noteKey(draft.old) === noteKey(note) ? this.editor() : this.row(note),
    );
    fill(this.list, draft && !draft.old && this.editor(), rows);
    if (notes.length === 0 && !draft)
      fill(
        this.list,
        h(
          "li",
          { class: "empty" },
          "There are no notes. ",
          h("kbd", {}, "N"),
          " puts one on the area, the selected span, or the time at the pointer.",
        ),
      );
    this.list.querySelector("textarea")?.focus();
  }

  /** @param {Note} note */
  row(note) {
    const go = () => this.app.notes.go(note);
    return h(
      "li",
      {},
      link(this.app.link().text, go, { class: "note-place" }, notePlace(note)),
      h("span", { class: "note-text" }, note.text),
      h(
        "span",
        { class: "detail-tools" },
        button("Edit", () => this.edit(note)),
        button("Delete", () => this.remove(note)),
      ),
    );
  }

  editor() {
    const note = this.draft?.note ?? { time: 0, end: null, row: "", text: "" };
    const field = h("textarea", {
      class: "field",
      rows: 3,
      maxLength: LONGEST_NOTE,
      "aria-label": `Note, ${notePlace(note)}`,
    });
    field.value = note.text;
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.cancel();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.finish(field.value);
      else return;
      event.preventDefault();
    });
    return h(
      "li",
      {},
      h("span", { class: "note-place" }, notePlace(note)),
      field,
      h(
        "span",
        { class: "detail-tools" },
        button("Done", () => this.finish(field.value), { title: "Keep the note (Ctrl+Enter)" }),
        button("Cancel", () => this.cancel(), { title: "Esc" }),
      ),
    );
  }
}
