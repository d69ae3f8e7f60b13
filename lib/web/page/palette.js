// SPDX-License-Identifier: BSD-3-Clause
// The command palette, and the registry of its commands.

import { h, fill } from "./dom.js";
import { recall, remember } from "./nav.js";

/** @type {Map<string, Command>} */
const commands = new Map();
const RECENT = "gotrace.commands";
/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/**
 * Adds commands to the palette. A command replaces one with the same id.
 * @param {Command[]} list
 */
export function registerCommands(list) {
  for (const command of list) commands.set(command.id, command);
}

export function allCommands() {
  return [...commands.values()];
}

/**
 * How well a title matches what was typed: the letters must occur in this order, and those at the
 * beginning of words count most. Negative if it does not match.
 * @param {string} title
 * @param {string} typed
 */
function score(title, typed) {
  const text = title.toLowerCase();
  const whole = text.indexOf(typed);
  if (whole >= 0) return 1000 - whole + (whole === 0 || text[whole - 1] === " " ? 500 : 0);
  let at = -1;
  let points = 0;
  for (const letter of typed.replace(/\s+/g, "")) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return -1;
    points += next === at + 1 ? 5 : text[next - 1] === " " ? 8 : -1;
    at = next;
  }
  return points;
}

/** @returns {string[]} */
function recent() {
  try {
    const list = JSON.parse(recall(RECENT) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** @param {string} id */
function noteUse(id) {
  remember(RECENT, JSON.stringify([id, ...recent().filter((other) => other !== id)].slice(0, 5)));
}

/**
 * The commands that match, best first. If nothing is typed, recently used ones come first.
 * @param {string} typed
 */
function matching(typed) {
  const list = allCommands().filter((command) => command.when?.() ?? true);
  if (typed === "") {
    const last = recent();
    const rank = (/** @type {Command} */ command) =>
      last.includes(command.id) ? last.indexOf(command.id) : last.length;
    return list
      .map((command, i) => ({ command, rank: rank(command), i }))
      .sort((a, b) => a.rank - b.rank || a.i - b.i)
      .map(({ command }) => command);
  }
  return list
    .map((command) => ({ command, points: score(`${command.group} ${command.title}`, typed) }))
    .filter(({ points }) => points >= 0)
    .sort((a, b) => b.points - a.points)
    .map(({ command }) => command);
}

class Palette {
  /** @type {Command[]} */
  found = [];
  at = 0;

  constructor() {
    this.input = h("input", {
      type: "text",
      class: "palette-input",
      role: "combobox",
      placeholder: "Type a command",
      "aria-label": "Command",
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      "aria-autocomplete": "list",
      autocomplete: "off",
      spellcheck: "false",
      input: () => this.update(),
    });
    this.list = h("ul", {
      class: "palette-list",
      id: "palette-list",
      role: "listbox",
      "aria-label": "Commands",
    });
    this.dialog = h(
      "dialog",
      { class: "overlay palette", "aria-label": "Command palette" },
      this.input,
      this.list,
    );
    this.dialog.addEventListener("keydown", (event) => this.onKey(event));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  /** @param {string} typed */
  open(typed) {
    if (this.dialog.open) return;
    this.input.value = typed;
    this.dialog.showModal();
    this.update();
    this.input.focus();
  }

  update() {
    this.found = matching(this.input.value.trim().toLowerCase());
    this.at = 0;
    fill(
      this.list,
      this.found.map((command, i) => this.option(command, i)),
    );
    if (this.found.length === 0)
      fill(this.list, h("li", { class: "empty" }, "No command matches."));
    this.mark();
    this.list.scrollTop = 0;
  }

  /**
   * @param {Command} command
   * @param {number} i
   */
  option(command, i) {
    return h(
      "li",
      {
        role: "option",
        id: `palette-${i}`,
        click: () => this.run(command),
        pointermove: () => {
          this.at = i;
          this.mark();
        },
      },
      h("span", { class: "palette-group" }, command.group),
      h("span", { class: "palette-title" }, command.title),
      command.keys && h("kbd", {}, command.keys),
    );
  }

  mark() {
    for (const [i, option] of this.list.querySelectorAll("[role=option]").entries()) {
      option.setAttribute("aria-selected", String(i === this.at));
    }
    this.input.setAttribute(
      "aria-activedescendant",
      this.found.length > 0 ? `palette-${this.at}` : "",
    );
  }

  /** @param {number} step */
  move(step) {
    const { length } = this.found;
    if (length === 0) return;
    this.at = (this.at + step + length) % length;
    this.mark();
    this.list.children[this.at].scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    event.stopPropagation();
    if (event.key in STEPS) this.move(STEPS[event.key]);
    else if (event.key === "Enter" && this.found[this.at]) this.run(this.found[this.at]);
    else return;
    event.preventDefault();
  }

  /** @param {Command} command */
  run(command) {
    this.dialog.close();
    noteUse(command.id);
    command.run();
  }
}

/** @type {Palette | null} */
let palette = null;

/** Opens the palette, optionally with some text typed into it. */
export function openPalette(typed = "") {
  palette ??= new Palette();
  palette.open(typed);
}
