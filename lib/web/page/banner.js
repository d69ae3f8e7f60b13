// SPDX-License-Identifier: BSD-3-Clause
// The banner below the toolbars: what is wrong with the trace or with the connection. A message
// that was closed leaves an icon behind, which shows it again.

import { button, fill, h, iconButton } from "./dom.js";
import { connection } from "./connection.js";

/**
 * A message of the banner. `text` identifies it: one that was closed is shown again only if its
 * text has changed.
 * @typedef {object} BannerMessage
 * @property {string} text
 * @property {Child} content
 * @property {boolean} isError
 */

export class Banner {
  /** @type {Map<string, BannerMessage>} */
  messages = new Map();
  /** @type {Map<string, string>} the texts of the messages that were closed */
  closed = new Map();
  icon = iconButton("⚠", "Show the problems", () => this.reopen(), {
    class: "icon-button banner-icon",
    hidden: true,
  });

  /**
   * @param {HTMLElement} box
   * @param {HTMLElement} tools where the icon is put
   */
  constructor(box, tools) {
    this.box = box;
    tools.prepend(this.icon);
    connection.onChange(() => this.showConnection());
  }

  /**
   * Sets the message of a source of problems, or removes it.
   * @param {string} source
   * @param {BannerMessage | null} message
   */
  set(source, message) {
    if (this.messages.get(source)?.text === message?.text) return;
    if (message) this.messages.set(source, message);
    else this.messages.delete(source);
    this.show();
  }

  /** Says that requests are repeated, or that they have stopped and how they go on. */
  showConnection() {
    const { stopped, silentSince } = connection;
    if (silentSince === null) {
      this.closed.delete("server");
      this.set("server", null);
      return;
    }
    const said = stopped
      ? "The server does not answer, and is no longer asked. What is shown may be incomplete."
      : "The server does not answer; it is asked again. What is shown may be incomplete.";
    const again = button("Try again", () => connection.resume(), { class: "button small" });
    this.set("server", { text: said, content: [said, stopped && [" ", again]], isError: true });
  }

  close() {
    for (const [source, { text }] of this.messages) this.closed.set(source, text);
    this.show();
    this.icon.focus();
  }

  reopen() {
    this.closed.clear();
    this.show();
    this.box.querySelector("button")?.focus();
  }

  show() {
    const all = [...this.messages];
    const open = all.filter(([source, { text }]) => this.closed.get(source) !== text);
    this.box.hidden = open.length === 0;
    this.icon.hidden = open.length === all.length;
    this.icon.title = `Show again: ${all.map(([, { text }]) => text.split("\n")[0]).join(" ")}`;
    this.box.classList.toggle(
      "is-error",
      open.some(([, { isError }]) => isError),
    );
    fill(
      this.box,
      h(
        "div",
        {},
        open.map(([source, { content }]) => h("div", { data: { source } }, content)),
      ),
      h("button", { type: "button", "aria-label": "Close", click: () => this.close() }, "✕"),
    );
  }
}
