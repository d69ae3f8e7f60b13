// SPDX-License-Identifier: BSD-3-Clause
// A table of up to millions of rows, which the server sorts and sends a page at a time.

import { AddressTable, flagField, listField, numberField, numberOf, textField } from "./address.js";
import { curlButton, curlCommand } from "./copy.js";
import { h, fill, button } from "./dom.js";
import { getPart, messageOf } from "./api.js";
import { cellClass, headClass, scrolling } from "./grid.js";
import { formatCount } from "./format.js";
import { PageAddress } from "./pagestate.js";

const PAGE = 100;
/** The largest number of elements of a row that can be opened. */
const DETAILS = 10;

/**
 * The part of a table's state that the address stores: its order, its page, and the numbers of the
 * open rows on the page.
 * @typedef {{ sort: string, desc: boolean, first: number, open: number[] }} PagedState
 */

/**
 * @param {string} prefix
 * @param {string} usual
 * @param {boolean} rising
 */
function pagedAddress(prefix, usual, rising) {
  const parse = (/** @type {string} */ text) => numberOf(text, 0, PAGE * DETAILS);
  /** @type {{ [Name in keyof PagedState]: import("./address.js").Field<PagedState[Name]> }} */
  const fields = {
    sort: { ...textField(`${prefix}sort`, "the order of the table"), usual },
    desc: flagField(`${prefix}desc`, "the order of the table", !rising),
    first: numberField(`${prefix}first`, "the page of the table", 0, Number.MAX_SAFE_INTEGER),
    open: listField(`${prefix}open`, "the open rows", parse),
  };
  return new PageAddress(new AddressTable(fields));
}

/** The buttons that turn pages. A long table has them at both ends. */
class Pager {
  /**
   * @param {(pages: number) => void} turn
   * @param {Child[]} [tools]
   */
  constructor(turn, tools = []) {
    this.where = h("span", { class: "pager-where" });
    this.buttons = [
      button("First", () => turn(-Infinity)),
      button("Previous", () => turn(-1)),
      button("Next", () => turn(1)),
      button("Last", () => turn(Infinity)),
    ];
    this.element = h(
      "div",
      { class: "pager" },
      this.where,
      this.buttons,
      h("span", { class: "spring" }),
      tools,
    );
  }

  /**
   * @param {number} first
   * @param {number} count
   * @param {number} total
   */
  show(first, count, total) {
    this.where.textContent =
      total === 0
        ? "None"
        : count === total
          ? `All ${formatCount(total)}`
          : `${formatCount(first + 1)} to ${formatCount(first + count)} of ${formatCount(total)}`;
    for (const [i, each] of this.buttons.entries()) {
      each.hidden = count === total;
      each.disabled = i < 2 ? first === 0 : first + count >= total;
    }
  }
}

/**
 * @template Entry
 * @typedef {object} PagedColumn
 * @property {Child} label
 * @property {(row: Entry) => Child} cell
 * @property {string} [sort] The name by which the server sorts by this column.
 * @property {boolean} [first] Whether the table is sorted by it unless the address says otherwise.
 * @property {boolean} [number]
 * @property {string} [class]
 * @property {string} [about]
 */

/** @typedef {{ sort?: string, desc: number, first: number, count: number }} PageQuery */

/**
 * @template Entry
 * @typedef {(query: PageQuery) => Promise<{ total: number, rows: Entry[] }>} LoadPage
 */

/**
 * The details that are shown below a row that is opened.
 * @template Entry
 * @typedef {object} PagedDetails
 * @property {string} label
 * @property {(row: Entry) => Child} about
 * @property {(row: Entry) => Child} content
 */

/**
 * Tools above the table, the text for an empty table, and the details that a row opens. `prefix` is
 * put before the names of the parameters in the address, `rising` makes the usual order ascending,
 * and `source` is the request whose command can be copied.
 * @template Entry
 * @typedef {{
 *   tools?: Child[], empty?: string, more?: PagedDetails<Entry>, prefix?: string, rising?: boolean,
 *   source?: PagedSource,
 * }} PagedOptions
 */

/**
 * The request for a table, whose command can be copied.
 * @typedef {{ path: string, parameters: (page: PageQuery) => QueryValues }} PagedSource
 */

/** @template Entry */
class PagedTable {
  body = h("tbody");
  note = h("p", { class: "empty", role: "status", hidden: true });
  asked = 0;
  total = 0;
  /** @type {Entry[]} */
  rows = [];

  /**
   * @param {string} caption
   * @param {PagedColumn<Entry>[]} columns
   * @param {LoadPage<Entry>} load
   * @param {PagedOptions<Entry>} options
   */
  constructor(caption, columns, load, options) {
    this.columns = options.more ? [...columns, this.opener(options.more)] : columns;
    this.load = load;
    this.more = options.more;
    this.empty = options.empty ?? "There are none.";
    const usual = columns.find((column) => column.first)?.sort ?? "";
    this.address = pagedAddress(options.prefix ?? "", usual, options.rising ?? false);
    this.heads = this.columns.map((column) => this.head(column));
    this.allButton = options.more
      ? button("Open all", () => this.openAll(), { "aria-pressed": "false" })
      : null;
    const tools = [this.allButton, options.tools ?? [], this.curlButton(options.source)];
    this.upper = new Pager((pages) => this.turn(pages), tools);
    this.lower = new Pager((pages) => this.turn(pages));
    this.upper.where.setAttribute("aria-live", "polite");
    this.table = h(
      "table",
      { class: "grid" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, this.heads)),
      this.body,
    );
    this.element = h(
      "div",
      { class: "paged" },
      this.upper.element,
      scrolling(this.table),
      this.note,
      this.lower.element,
    );
    this.body.addEventListener("toggle", () => this.noteOpen(), { capture: true });
    this.mark();
  }

  /** @param {PagedColumn<Entry>} column */
  head(column) {
    const label = column.sort
      ? h(
          "button",
          { type: "button", class: "sort", click: () => this.sortBy(column.sort ?? "") },
          column.label,
        )
      : column.label;
    return h("th", { scope: "col", class: headClass(column), title: column.about }, label);
  }

  /** @param {PagedSource | undefined} source */
  curlButton(source) {
    if (!source) return null;
    const command = () => {
      const { sort, desc, first } = this.address.state;
      const page = { sort: sort || undefined, desc: desc ? 1 : 0, first, count: PAGE };
      return curlCommand(source.path, source.parameters(page));
    };
    return curlButton("this page of the table", command);
  }

  mark() {
    for (const [i, column] of this.columns.entries()) {
      if (!column.sort) continue;
      const { sort, desc } = this.address.state;
      const order = desc ? "descending" : "ascending";
      this.heads[i].setAttribute("aria-sort", column.sort === sort ? order : "none");
    }
  }

  /** @param {string} sort */
  sortBy(sort) {
    const { state } = this.address;
    const desc = sort === state.sort ? !state.desc : true;
    this.address.set({ sort, desc, first: 0, open: [] });
    return this.show();
  }

  /** @param {number} pages */
  turn(pages) {
    const last = Math.max(0, Math.ceil(this.total / PAGE) - 1) * PAGE;
    const first = Math.min(last, Math.max(0, this.address.state.first + pages * PAGE));
    this.address.set({ first, open: [] });
    this.element.scrollIntoView({ block: "start" });
    return this.show();
  }

  async show() {
    const asked = ++this.asked;
    this.mark();
    this.element.setAttribute("aria-busy", "true");
    try {
      const { sort, desc, first } = this.address.state;
      const order = { sort: sort || undefined, desc: desc ? 1 : 0 };
      const { total, rows } = await getPart(
        (part) => this.load({ ...order, ...part }),
        first,
        PAGE,
      );
      if (asked === this.asked) this.fill(total, rows);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
    if (asked === this.asked) this.element.removeAttribute("aria-busy");
  }

  /**
   * @param {number} total
   * @param {Entry[]} rows
   */
  fill(total, rows) {
    this.total = total;
    this.rows = rows;
    fill(
      this.body,
      rows.map((row) => this.row(row)),
    );
    for (const pager of [this.upper, this.lower])
      pager.show(this.address.state.first, rows.length, total);
    this.lower.element.hidden = rows.length < 20 || rows.length === total;
    this.table.hidden = total === 0;
    this.note.hidden = total > 0;
    fill(this.note, this.empty);
    if (this.allButton?.getAttribute("aria-pressed") === "true") this.openAll(true);
    else this.reopen();
  }

  /** Shows the same rows again, after a change that affects the content of their cells. */
  redraw() {
    this.fill(this.total, this.rows);
  }

  /**
   * The elements of the rows that can be opened, in the order in which the address numbers them.
   */
  openers() {
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const found = this.body.querySelectorAll(":scope > tr:not(.more) details");
    return [...found];
  }

  reopen() {
    const open = new Set(this.address.state.open);
    for (const [i, opener] of this.openers().entries()) if (open.has(i)) opener.open = true;
  }

  /** Stores in the address which elements are open. */
  noteOpen() {
    const all = this.openers();
    const open = all.map((each, i) => (each.open ? i : -1)).filter((i) => i >= 0);
    if (open.join() !== this.address.state.open.join()) this.address.set({ open });
  }

  /** @param {unknown} error */
  fail(error) {
    fill(this.body);
    this.table.hidden = true;
    this.note.hidden = false;
    fill(
      this.note,
      h("span", { class: "error" }, `This cannot be shown: ${messageOf(error)}.`),
      " ",
      button("Try again", () => this.show()),
    );
  }

  /** @param {Entry} row */
  row(row) {
    return h(
      "tr",
      {},
      this.columns.map((column) => h("td", { class: cellClass(column) }, column.cell(row))),
    );
  }

  /**
   * The column with the control that opens a row. Its details are shown in a row below, over the
   * whole width.
   * @param {PagedDetails<Entry>} details
   * @returns {PagedColumn<Entry>}
   */
  opener({ label, about }) {
    const cell = (/** @type {Entry} */ row) => {
      const opener = h("details", { class: "opener" }, h("summary", {}, about(row)));
      opener.addEventListener("toggle", () => this.unfold(opener, row));
      return opener;
    };
    return { label, class: "nowrap", cell };
  }

  /**
   * @param {HTMLDetailsElement} opener
   * @param {Entry} row
   */
  unfold(opener, row) {
    const line = opener.closest("tr");
    if (!line) return;
    const below = line.nextElementSibling?.classList.contains("more")
      ? line.nextElementSibling
      : null;
    if (!opener.open) below?.remove();
    else if (!below)
      line.after(
        h(
          "tr",
          { class: "more" },
          h("td", { colSpan: this.columns.length }, this.more?.content(row)),
        ),
      );
  }

  openAll(on = this.allButton?.getAttribute("aria-pressed") !== "true") {
    this.allButton?.setAttribute("aria-pressed", String(on));
    for (const opener of this.body.querySelectorAll("details.opener"))
      opener.toggleAttribute("open", on);
  }
}

/**
 * A table whose rows are loaded by `load`. The result has `element`, show(),
 * redraw() and sortBy(sort).
 * @template Entry
 * @param {string} caption
 * @param {PagedColumn<Entry>[]} columns
 * @param {LoadPage<Entry>} load
 * @param {PagedOptions<Entry>} [options]
 */
export function pagedTable(caption, columns, load, options = {}) {
  return new PagedTable(caption, columns, load, options);
}

/**
 * Loads all rows of a list for a file, but at most `most`.
 * @template Entry
 * @param {(page: { first: number, count: number }) => ReturnType<LoadPage<Entry>>} load
 * @param {(text: string) => void} say
 * @returns {Promise<Entry[]>}
 */
export async function loadAll(load, say, most = 1000000) {
  const EACH = 10000;
  /** @type {Entry[]} */
  const all = [];
  for (let total = 1; all.length < Math.min(total, most); ) {
    const answer = await load({ first: all.length, count: EACH });
    if (answer.rows.length === 0) break;
    total = answer.total;
    all.push(...answer.rows);
    say(`CSV ${Math.floor((100 * all.length) / total)} %`);
  }
  return all;
}
