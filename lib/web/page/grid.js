// SPDX-License-Identifier: BSD-3-Clause
// A small table that is sorted by the page.

import { h, fill } from "./dom.js";

/**
 * The class of a column's cells.
 * @param {{ number?: boolean, class?: string }} column
 */
export function cellClass(column) {
  return [column.number && "number", column.class].filter(Boolean).join(" ");
}

/**
 * The class of a column's head. On a small screen a roomy column is left out.
 * @param {{ number?: boolean, class?: string }} column
 */
export function headClass(column) {
  const isRoomy = column.class?.split(" ").includes("roomy");
  return [column.number && "number", isRoomy && "roomy"].filter(Boolean).join(" ");
}

/**
 * The element in which a wide table scrolls on a small screen.
 * @param {HTMLElement} table
 */
export function scrolling(table) {
  return h("div", { class: "grid-scroll" }, table);
}

/**
 * A column of a grid. `cell` returns what is shown and `value` what rows are sorted by; the default
 * for both is the row's property named by the key.
 * @template {object} Entry
 * @typedef {object} GridColumn
 * @property {string} key
 * @property {Child} label
 * @property {boolean} [number]
 * @property {string} [class]
 * @property {string} [about]
 * @property {(row: Entry) => string | number} [value]
 * @property {(row: Entry) => Child} [cell]
 */

/** @typedef {{ key: string, descending: boolean }} GridSort */

/**
 * Stores the orders of tables by the names of the tables, usually in the address. An order is the
 * key of a column, with the prefix "-" if it is descending; null stands for the default order.
 * @typedef {object} SortKeeper
 * @property {(name: string) => string | null} get
 * @property {(name: string, text: string | null) => void} put
 */

/**
 * Keeps orders in a list of texts such as "states:-time".
 * @param {() => string[]} read
 * @param {(sorts: string[]) => void} write
 * @returns {SortKeeper}
 */
export function keepSorts(read, write) {
  const isOf = (/** @type {string} */ name) => (/** @type {string} */ each) =>
    each.startsWith(`${name}:`);
  return {
    get: (name) =>
      read()
        .find(isOf(name))
        ?.slice(name.length + 1) ?? null,
    put: (name, text) => {
      const others = read().filter((each) => !isOf(name)(each));
      write(text === null ? others : [...others, `${name}:${text}`]);
    },
  };
}

/**
 * Keeps the orders of the timeline's tables in its state.
 * @param {App} app
 */
export function appSorts(app) {
  return keepSorts(
    () => app.state.sorts,
    (sorts) => app.set({ sorts }, { push: false }),
  );
}

/** Keeps the orders of tables for as long as the page is open. */
export function ownSorts() {
  /** @type {string[]} */
  let kept = [];
  return keepSorts(
    () => kept,
    (sorts) => {
      kept = sorts;
    },
  );
}

/** @template {object} Entry */
class Grid {
  /**
   * @param {string} caption
   * @param {GridColumn<Entry>[]} columns
   * @param {GridSort} usual
   * @param {string} name
   * @param {SortKeeper} sorts
   */
  constructor(caption, columns, usual, name, sorts) {
    this.columns = columns;
    /** @type {Entry[]} */
    this.rows = [];
    this.usual = usual;
    this.name = name;
    this.sorts = sorts;
    this.body = h("tbody");
    this.heads = columns.map((column) => this.head(column));
    this.element = h(
      "table",
      { class: "grid" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, this.heads)),
      this.body,
    );
    this.markSort();
  }

  /** @param {GridColumn<Entry>} column */
  head(column) {
    return h(
      "th",
      { scope: "col", class: headClass(column), title: column.about },
      h(
        "button",
        { type: "button", class: "sort", click: () => this.sortBy(column) },
        column.label,
      ),
    );
  }

  /**
   * Sorts by a column. The first click sorts numbers in descending and names in ascending order.
   * @param {GridColumn<Entry>} column
   */
  sortBy(column) {
    const again = this.sort.key === column.key;
    const descending = again ? !this.sort.descending : Boolean(column.number);
    const isUsual = column.key === this.usual.key && descending === this.usual.descending;
    this.sorts.put(this.name, isUsual ? null : `${descending ? "-" : ""}${column.key}`);
    this.render();
  }

  /**
   * The stored order of the table.
   * @returns {GridSort}
   */
  get sort() {
    const kept = this.sorts.get(this.name) ?? "";
    const descending = kept.startsWith("-");
    const key = descending ? kept.slice(1) : kept;
    return this.columns.some((column) => column.key === key) ? { key, descending } : this.usual;
  }

  markSort() {
    for (const [i, column] of this.columns.entries()) {
      const order = this.sort.descending ? "descending" : "ascending";
      this.heads[i].setAttribute("aria-sort", column.key === this.sort.key ? order : "none");
    }
  }

  /** @param {Entry[]} rows */
  show(rows) {
    this.rows = rows;
    this.render();
  }

  /**
   * @param {Entry} row
   * @param {string} key
   * @returns {string | number}
   */
  value(row, key) {
    const column = this.columns.find((other) => other.key === key);
    if (column?.value) return column.value(row);
    /** @type {unknown} */
    const value = Reflect.get(row, key);
    return typeof value === "number" ? value : String(value);
  }

  render() {
    this.markSort();
    const { key, descending } = this.sort;
    const turn = descending ? -1 : 1;
    const sorted = [...this.rows].sort((a, b) => {
      const [x, y] = [this.value(a, key), this.value(b, key)];
      return (x < y ? -1 : x > y ? 1 : 0) * turn;
    });
    fill(
      this.body,
      sorted.map((row) =>
        h(
          "tr",
          {},
          this.columns.map((column) => this.cell(column, row)),
        ),
      ),
    );
  }

  /**
   * @param {GridColumn<Entry>} column
   * @param {Entry} row
   */
  cell(column, row) {
    const content = column.cell ? column.cell(row) : this.value(row, column.key);
    return h("td", { class: cellClass(column) }, content);
  }
}

/**
 * A table that the page sorts. The result has `element` and show(rows).
 * @template {object} Entry
 * @param {string} caption
 * @param {GridColumn<Entry>[]} columns
 * @param {GridSort} usual
 * @param {string} name The table's name among those whose order is kept.
 * @param {SortKeeper} sorts
 */
export function sortableGrid(caption, columns, usual, name, sorts) {
  return new Grid(caption, columns, usual, name, sorts);
}
