// SPDX-License-Identifier: BSD-3-Clause
// A small table that is sorted in the page.

import { h, fill } from "./dom.js";

class Grid {
  constructor(caption, columns, sort) {
    this.columns = columns;
    this.rows = [];
    this.sort = sort ?? { key: columns[0].key, descending: false };
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

  head(column) {
    return h(
      "th",
      { scope: "col", class: column.number ? "number" : "", title: column.about },
      h(
        "button",
        { type: "button", class: "sort", click: () => this.sortBy(column) },
        column.label,
      ),
    );
  }

  /** The first click on numbers asks for the largest; on names, for the first. */
  sortBy(column) {
    const again = this.sort.key === column.key;
    this.sort = {
      key: column.key,
      descending: again ? !this.sort.descending : Boolean(column.number),
    };
    this.markSort();
    this.render();
  }

  markSort() {
    for (const [i, column] of this.columns.entries()) {
      const order = this.sort.descending ? "descending" : "ascending";
      this.heads[i].setAttribute("aria-sort", column.key === this.sort.key ? order : "none");
    }
  }

  show(rows) {
    this.rows = rows;
    this.render();
  }

  value(row, key) {
    const column = this.columns.find((other) => other.key === key);
    return column.value ? column.value(row) : row[key];
  }

  render() {
    const { key, descending } = this.sort;
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1);
    const sorted = [...this.rows].sort((a, b) => order(this.value(a, key), this.value(b, key)));
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

  cell(column, row) {
    const content = column.cell ? column.cell(row) : this.value(row, column.key);
    return h(
      "td",
      { class: [column.number && "number", column.class].filter(Boolean).join(" ") },
      content,
    );
  }
}

/**
 * A table of columns {key, label, number?, value?(row), cell?(row), about?, class?}. The result
 * has `element` and show(rows).
 */
export function sortableGrid(caption, columns, sort) {
  return new Grid(caption, columns, sort);
}
