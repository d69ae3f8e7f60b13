// SPDX-License-Identifier: BSD-3-Clause
// The panel of notes: a list in which notes are visited, edited and deleted, and the import and
// export of files.

import { messageOf } from "./api.js";
import { saveFile } from "./csv.js";
import { button, fill, h } from "./dom.js";
import { formatCount, formatPlural } from "./format.js";
import { link } from "./links.js";
import { notesOfText, notesText } from "./notefile.js";
import { LONGEST_NOTE, cleanText } from "./noteaddress.js";
import { noteKey } from "./notechange.js";
import { NoteKeeper } from "./notekeeper.js";
import { notePlace } from "./notes.js";

/**
 * A text that says where the notes are stored, or why they are not stored, and the label of a
 * button for it, if there is one.
 * @param {NoteKeeper} keeper
 * @returns {[text: string, action?: string]}
 */
function keepingText({ facts, trouble, canSave, isDirty, isSaving, unsaved }) {
  const name = facts?.name || "the server";
  if (trouble !== "" && canSave)
    return [`Not saved in ${name}: ${trouble}. This browser keeps the changes.`, "Save again"];
  if (trouble !== "") return [`Only in the link: ${trouble}.`];
  if (!facts) return [""];
  if (!facts.is_kept)
    return ["Only in the link, as this trace has no file for notes. Export saves them."];
  if (!canSave)
    return [`From ${name}, which cannot be changed. Your changes are only in the link.`];
  if (isSaving || isDirty) return [`Saving in ${name} …`];
  if (unsaved.length > 0)
    return [
      `Saved in ${name}, except for ${formatPlural(unsaved.length, "note")} of the link.`,
      "Save",
    ];
  return [`Saved in ${name}.`];
}

export class NotesPanel {
  keeping = h("p", { class: "note note-keeping", role: "status" });
  message = h("p", { class: "note", "aria-live": "polite" });
  list = h("ul", { class: "note-list" });
  picker = h("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    "aria-label": "A file with notes",
  });
  /**
   * The note that is being written, the one that it replaces, if any, and the text so far, which
   * stays if the list changes meanwhile.
   * @type {{ note: Note, old: Note | null, text: string } | null}
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
    this.element = h(
      "div",
      { class: "area notes" },
      this.tools,
      this.message,
      this.keeping,
      this.list,
    );
    this.keeper = new NoteKeeper(app);
    app.notes.keeper = this.keeper;
    app.on("notes", () => this.showKeeping());
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

  /** Shows where the notes are stored, as soon as the server has reported it. */
  showKeeping() {
    const [text, action] = keepingText(this.keeper);
    if (this.keeping.dataset.text === text) return;
    this.keeping.dataset.text = text;
    this.keeping.classList.toggle("error", this.keeper.trouble !== "");
    fill(this.keeping, text, action && " ", action && button(action, () => this.keeper.save()));
  }

  /** @param {string} text */
  say(text) {
    this.message.textContent = text;
  }

  /**
   * Begins a note on a place or, without one, on the default place of notes.js.
   * @param {Note} [place]
   */
  add(place) {
    this.draft = { note: place ?? this.app.notes.place(), old: null, text: "" };
    this.open();
    this.render();
  }

  /** @param {Note} note */
  edit(note) {
    this.draft = { note, old: note, text: note.text };
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
    const clean = cleanText(text);
    if (!draft) return;
    const old = draft.old && noteKey(draft.old);
    const others = this.app.state.notes.filter((each) => noteKey(each) !== old);
    this.draft = null;
    try {
      if (clean !== "") this.app.notes.set([...others, { ...draft.note, text: clean }]);
    } catch (error) {
      this.draft = draft;
      this.say(`The note cannot be added: ${messageOf(error)}.`);
    }
    this.render();
    if (!this.draft) this.focusFirst();
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
    field.value = this.draft?.text ?? "";
    field.addEventListener("input", () => {
      if (this.draft) this.draft.text = field.value;
    });
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
