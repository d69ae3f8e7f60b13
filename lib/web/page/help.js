// SPDX-License-Identifier: BSD-3-Clause
// The dialog that lists all keys.

import { h, fill, iconButton } from "./dom.js";

/**
 * An entry of the help. Several keys are alternatives.
 * @typedef {[keys: string[], about: string]} HelpEntry
 */
/** @type {[title: string, entries: HelpEntry[]][]} */
const SECTIONS = [
  [
    "Move",
    [
      [["W", "S"], "Zoom in and out at the pointer; with Shift faster"],
      [["A", "D"], "Pan left and right; with Shift faster"],
      [["Ctrl+wheel", "pinch"], "Zoom in and out at the pointer"],
      [["Shift+wheel", "middle drag", "Space+drag"], "Pan"],
      [["wheel", "Page Up", "Page Down"], "Scroll the rows"],
      [["Shift+Page Up", "Shift+Page Down"], "Scroll the pinned rows, as the wheel does over them"],
      [["Ctrl+drag"], "Zoom to the range that is dragged"],
      [["double click", "Ctrl+click"], "Zoom to a span"],
      [["F", "Enter"], "Zoom to the selection or area; again: back to where it was"],
      [["0", "Home"], "Show the whole trace"],
      [["V"], "While a trace is being recorded: follow its newest part, or not"],
      [["Shift+V"], "While a trace is being recorded: pause the drawing, or continue"],
      [["Ctrl+Z", "Ctrl+Y"], "Undo and redo navigation, as the browser's back and forward do"],
    ],
  ],
  [
    "Select",
    [
      [["click"], "Select a span"],
      [["drag"], "Select an area and measure it; on the axis, of all rows"],
      [["R"], "Make the time of the selected span the area"],
      [["M", "Shift+M"], "Set a mark to measure from; clear all marks"],
      [["B"], "Why? What the selected span or the area waited for"],
      [["N"], "Add a note to the area, the selected span, or the time at the pointer"],
      [["←", "→", ",", "."], "Previous and next span on the row"],
      [["↑", "↓"], "Row above and below"],
      [["[", "]"], "Follow the arrows: what led to this span, and what it led to"],
      [["<", ">"], "Back and forward through the selections"],
      [["right click", "Shift+F10"], "Menu of a span or a row"],
      [["Alt+click"], "On the axis: set the origin of relative times"],
      [["Esc"], "Close what is open; then clear the area, the selection, the marks"],
    ],
  ],
  [
    "Find",
    [
      [["/"], "Search"],
      [["Enter", "Shift+Enter"], "In the search field: next and previous result"],
      [["G"], "Go to a goroutine by its number"],
      [["Ctrl+Shift+P", "Ctrl+K"], "Command palette; also with > in the search field"],
      [["drop a file"], "Open it as a further trace; it may be compressed"],
    ],
  ],
  [
    "View",
    [
      [["1", "2", "3", "4"], "By proc, by thread, goroutines, tasks"],
      [["U", "Shift+U"], "Unfold a task as a tree, or fold within it; show all tasks again"],
      [["P", "Shift+P"], "Pin the row; show only pinned rows, or all again"],
      [["H", "Shift+H"], "Hide the row; show all hidden rows"],
      [["C"], "Compact rows"],
      [["click"], "On the header of a group: fold it, to see what its goroutines do, or unfold it"],
      [["O"], "Garbage collection and stop-the-world over all rows"],
      [["E"], "All arrows"],
      [["L"], "Names on the bars"],
      [["T"], "Tooltips"],
      [["Q"], "Panel"],
      [["Y"], "Copy a link that shows the same; on all pages"],
      [["Shift+Y"], "Copy the curl command that fetches what is shown; on all pages with data"],
      [["?"], "This help"],
    ],
  ],
  [
    "Flame graph",
    [
      [["↑", "↓", "←", "→"], "Move between frames"],
      [["Enter", "click"], "Zoom to a frame"],
      [["Esc", "Backspace"], "Zoom out"],
      [["Home"], "Go to the root"],
      [["/"], "Find functions"],
    ],
  ],
];

/**
 * @param {HelpEntry} entry
 * @param {string} typed
 */
function matches(entry, typed) {
  const [keys, text] = entry;
  return (
    typed === "" ||
    text.toLowerCase().includes(typed) ||
    keys.some((key) => key.toLowerCase() === typed)
  );
}

/**
 * Renders a key combination such as "Ctrl+Z" as one key cap per key.
 * @param {string} key
 */
function caps(key) {
  return h(
    "span",
    { class: "keys" },
    key.split(/(?<=.)\+/).map((part) => h("kbd", {}, part)),
  );
}

/** @param {HelpEntry} entry */
function entryRow([keys, text]) {
  return h("div", { class: "help-entry" }, h("dt", {}, keys.map(caps)), h("dd", {}, text));
}

class Help {
  constructor() {
    this.input = h("input", {
      type: "search",
      class: "field",
      placeholder: "Find a key or what it does",
      "aria-label": "Find keys",
      input: () => this.update(),
      autocomplete: "off",
      spellcheck: "false",
    });
    this.body = h("div", { class: "help-body" });
    const close = iconButton("×", "Close", () => this.dialog.close());
    this.dialog = h(
      "dialog",
      { class: "overlay help", "aria-labelledby": "help-title" },
      h("header", {}, h("h2", { id: "help-title" }, "Keyboard and mouse"), this.input, close),
      this.body,
    );
    this.dialog.addEventListener("keydown", (event) => this.onKey(event));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  /**
   * The key that opened the dialog closes it, unless the user is typing into the field.
   * @param {KeyboardEvent} event
   */
  onKey(event) {
    event.stopPropagation();
    if (event.key === "?" && this.input.value === "") {
      event.preventDefault();
      this.dialog.close();
    }
  }

  open() {
    if (this.dialog.open) return;
    this.input.value = "";
    this.update();
    this.dialog.showModal();
    this.input.focus();
  }

  update() {
    const typed = this.input.value.trim().toLowerCase();
    const sections = SECTIONS.map(([title, entries]) => ({
      title,
      entries: entries.filter((entry) => matches(entry, typed)),
    })).filter(({ entries }) => entries.length > 0);
    fill(
      this.body,
      sections.map(({ title, entries }) =>
        h("section", {}, h("h3", {}, title), h("dl", {}, entries.map(entryRow))),
      ),
    );
    if (sections.length === 0) fill(this.body, h("p", { class: "empty" }, "No key does that."));
  }
}

/** @type {Help | null} */
let help = null;

export function openHelp() {
  help ??= new Help();
  help.open();
}
