// SPDX-License-Identifier: BSD-3-Clause
// A table of up to millions of rows, which the server sorts and sends a page at a time.

import { h, fill, button } from "./dom.js";
import { getPart, messageOf } from "./api.js";
import { cellClass } from "./grid.js";
import { formatCount } from "./format.js";

const PAGE = 100;

/**
 * Stores the table's state in the address, so that it can be linked to. Defaults are left out.
 * @param {Record<string, string | number | null>} values
 */
function rememberPage(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  history.replaceState(null, "", url);
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
 * @property {string} [sort] What the server calls its order.
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
 * What is shown below a row that is opened.
 * @template Entry
 * @typedef {object} PagedDetails
 * @property {string} label
 * @property {(row: Entry) => Child} about
 * @property {(row: Entry) => Child} content
 */

/**
 * Tools above the table, the text for an empty table, and the details that a row opens. `prefix` is
 * put before the names of the parameters in the address, and `rising` makes the usual order
 * ascending.
 * @template Entry
 * @typedef {{
 *   tools?: Child[], empty?: string, more?: PagedDetails<Entry>, prefix?: string, rising?: boolean,
 * }} PagedOptions
 */

/** @template Entry */
class PagedTable {
  body = h("tbody");
  note = h("p", { class: "empty", role: "status", hidden: true });
  asked = 0;
  total = 0;

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
    this.usual = columns.find((column) => column.first)?.sort;
    this.prefix = options.prefix ?? "";
    this.rising = options.rising ?? false;
    const asked = new URLSearchParams(location.search);
    const get = (/** @type {string} */ name) => asked.get(`${this.prefix}${name}`);
    this.sort = get("sort") || this.usual;
    this.descending = get("desc") === null ? !this.rising : get("desc") !== "0";
    this.first = Math.max(0, Number.parseInt(get("first") ?? "0", 10) || 0);
    this.heads = this.columns.map((column) => this.head(column));
    this.allButton = options.more
      ? button("Open all", () => this.openAll(), { "aria-pressed": "false" })
      : null;
    this.upper = new Pager((pages) => this.turn(pages), [this.allButton, options.tools ?? []]);
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
      this.table,
      this.note,
      this.lower.element,
    );
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
    return h(
      "th",
      { scope: "col", class: column.number ? "number" : "", title: column.about },
      label,
    );
  }

  mark() {
    for (const [i, column] of this.columns.entries()) {
      if (!column.sort) continue;
      const order = this.descending ? "descending" : "ascending";
      this.heads[i].setAttribute("aria-sort", column.sort === this.sort ? order : "none");
    }
  }

  /** @param {string} sort */
  sortBy(sort) {
    this.descending = sort === this.sort ? !this.descending : true;
    this.sort = sort;
    this.first = 0;
    return this.show();
  }

  /** @param {number} pages */
  turn(pages) {
    const last = Math.max(0, Math.ceil(this.total / PAGE) - 1) * PAGE;
    this.first = Math.min(last, Math.max(0, this.first + pages * PAGE));
    this.element.scrollIntoView({ block: "start" });
    return this.show();
  }

  async show() {
    const asked = ++this.asked;
    this.mark();
    this.element.setAttribute("aria-busy", "true");
    try {
      const order = { sort: this.sort, desc: this.descending ? 1 : 0 };
      const { total, rows } = await getPart(
        (part) => this.load({ ...order, ...part }),
        this.first,
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
    const isUsual = this.sort === this.usual;
    rememberPage({
      [`${this.prefix}sort`]: isUsual ? null : (this.sort ?? null),
      [`${this.prefix}desc`]:
        isUsual && this.descending !== this.rising ? null : Number(this.descending),
      [`${this.prefix}first`]: this.first || null,
    });
    fill(
      this.body,
      rows.map((row) => this.row(row)),
    );
    for (const pager of [this.upper, this.lower]) pager.show(this.first, rows.length, total);
    this.lower.element.hidden = rows.length < 20 || rows.length === total;
    this.table.hidden = total === 0;
    this.note.hidden = total > 0;
    fill(this.note, this.empty);
    if (this.allButton?.getAttribute("aria-pressed") === "true") this.openAll(true);
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
 * A table whose rows are loaded by `load`. The result has `element`, show() and sortBy(sort).
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
 * Loads all rows of such a list for a file, but at most `most`.
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
