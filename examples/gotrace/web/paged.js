// SPDX-License-Identifier: BSD-3-Clause
// A table that the server sorts, a page at a time: there may be a million rows.

import { h, fill } from "./dom.js";
import { formatCount } from "./format.js";

const PAGE = 100;

/** The parameter of the address, so that a page can be linked to and gone back to. */
function place() {
  return new URLSearchParams(location.search);
}

function remember(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  history.replaceState(null, "", url);
}

class PagedTable {
  constructor(caption, columns, load) {
    this.columns = columns;
    this.load = load;
    const at = place();
    const known = columns.find((column) => column.sort === at.get("sort"));
    this.sort = known ? known.sort : columns.find((column) => column.first)?.sort;
    this.descending = at.get("desc") !== "0";
    this.first = Math.max(0, Number.parseInt(at.get("first") ?? "0", 10) || 0);
    this.total = 0;
    this.asked = 0;
    this.build(caption);
  }

  build(caption) {
    this.heads = this.columns.map((column) => this.head(column));
    this.body = h("tbody");
    this.where = h("span", { class: "muted", "aria-live": "polite" });
    this.before = h("button", { type: "button", class: "button", click: () => this.turn(-1) }, "Previous");
    this.after = h("button", { type: "button", class: "button", click: () => this.turn(1) }, "Next");
    const table = h("table", { class: "grid" }, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, this.heads)), this.body);
    this.element = h("div", { class: "paged" }, h("div", { class: "grid-holder" }, table),
      h("p", { class: "pager" }, this.before, this.after, this.where));
    this.mark();
  }

  head(column) {
    const label = column.sort
      ? h("button", { type: "button", class: "sort", click: () => this.sortBy(column) }, column.label)
      : column.label;
    return h("th", { scope: "col", class: column.number ? "number" : "", title: column.about }, label);
  }

  mark() {
    for (const [i, column] of this.columns.entries()) {
      if (!column.sort) continue;
      const order = this.descending ? "descending" : "ascending";
      this.heads[i].setAttribute("aria-sort", column.sort === this.sort ? order : "none");
    }
  }

  sortBy(column) {
    this.descending = column.sort === this.sort ? !this.descending : true;
    this.sort = column.sort;
    this.first = 0;
    return this.show();
  }

  turn(pages) {
    this.first = Math.max(0, this.first + pages * PAGE);
    return this.show();
  }

  async show() {
    const asked = ++this.asked;
    remember({ sort: this.sort, desc: this.descending ? "1" : "0", first: this.first });
    this.mark();
    const { total, rows } = await this.load({ sort: this.sort, desc: this.descending ? 1 : 0, first: this.first, count: PAGE });
    if (asked !== this.asked) return;
    this.total = total;
    fill(this.body, rows.map((row) => h("tr", {}, this.columns.map((column) =>
      h("td", { class: [column.number && "number", column.class].filter(Boolean).join(" ") }, column.cell(row))))));
    this.showWhere(rows.length);
  }

  showWhere(count) {
    this.where.textContent = count === 0 ? "Nothing"
      : `${formatCount(this.first + 1)} to ${formatCount(this.first + count)} of ${formatCount(this.total)}`;
    this.before.disabled = this.first === 0;
    this.after.disabled = this.first + count >= this.total;
  }
}

/**
 * Columns are {label, sort?, first?, number?, class?, about?, cell(row)}; `load` is given {sort,
 * desc, first, count} and promises {total, rows}. The result has `element` and show().
 */
export function pagedTable(caption, columns, load) {
  return new PagedTable(caption, columns, load);
}
