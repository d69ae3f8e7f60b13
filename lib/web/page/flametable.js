// SPDX-License-Identifier: BSD-3-Clause
// The functions of a flame graph as a table, for users who want numbers or use a screen reader.

import { h, fill } from "./dom.js";
import { sumFunctions } from "./flamelayout.js";
import { packageEnd, frameTitle } from "./flamedraw.js";
import { shareOf, formatAmount } from "./amounts.js";
import { ownSorts } from "./grid.js";

const SHOWN = 500;
/** The table's name among those whose order is kept. */
const NAME = "frames";

/** @typedef {"self" | "total" | "name"} FlameSort */

class FlameTable {
  body = h("tbody");
  note = h("p", { class: "note" });
  /** @type {FunctionTotal[]} */
  sums = [];
  /** @type {((name: string) => boolean) | null} */
  test = null;
  /** @type {FlameTree | null} */
  tree = null;
  root = 0;
  unit = "ns";
  stale = false;

  /**
   * @param {(name: string) => void} onPick
   * @param {import("./grid.js").SortKeeper} sorts
   */
  constructor(onPick, sorts) {
    this.onPick = onPick;
    this.sorts = sorts;
    this.heads = {
      self: this.head("self", "Self"),
      total: this.head("total", "Total"),
      name: this.head("name", "Function"),
    };
    this.element = h(
      "div",
      { class: "flame-table", tabindex: "0" },
      h(
        "table",
        { class: "grid" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            this.heads.self,
            h("th", { scope: "col", class: "number" }, "%"),
            this.heads.total,
            h("th", { scope: "col", class: "number" }, "%"),
            this.heads.name,
          ),
        ),
        this.body,
      ),
      this.note,
    );
  }

  /**
   * @param {FlameSort} key
   * @param {string} label
   */
  head(key, label) {
    return h(
      "th",
      { scope: "col", class: key === "name" ? "" : "number" },
      h("button", { type: "button", class: "sort", click: () => this.sortBy(key) }, label),
    );
  }

  /** @param {FlameSort} key */
  sortBy(key) {
    this.sorts.put(NAME, key === "self" ? null : key);
    this.render();
  }

  /** @returns {FlameSort} */
  get sort() {
    const kept = this.sorts.get(NAME);
    return kept === "total" || kept === "name" ? kept : "self";
  }

  /**
   * @param {FlameTree} tree
   * @param {number} root
   * @param {string} unit
   */
  show(tree, root, unit) {
    this.tree = tree;
    this.root = root;
    this.unit = unit;
    this.stale = true;
    this.render();
  }

  /** @param {((name: string) => boolean) | null} test */
  filter(test) {
    this.test = test;
    this.render();
  }

  /** Sums up the functions and shows them, but only while the table is visible. */
  render() {
    if (!this.tree || this.element.offsetParent === null) return;
    if (this.stale) this.sums = sumFunctions(this.tree, this.root);
    this.stale = false;
    for (const [key, head] of Object.entries(this.heads)) {
      head.setAttribute(
        "aria-sort",
        key !== this.sort ? "none" : key === "name" ? "ascending" : "descending",
      );
    }
    const { sort, test } = this;
    const whole = this.tree.total[this.root];
    const rows = this.sums.filter((sum) => !test || test(sum.name));
    rows.sort((a, b) => (sort === "name" ? 0 : b[sort] - a[sort]) || (a.name < b.name ? -1 : 1));
    fill(
      this.body,
      rows.slice(0, SHOWN).map((sum) => this.row(sum, whole)),
    );
    const more = rows.length - SHOWN;
    this.note.textContent =
      more > 0 ? `${more} more functions are not listed; search narrows the list.` : "";
  }

  /**
   * @param {FunctionTotal} sum
   * @param {number} whole
   */
  row(sum, whole) {
    const title = frameTitle(sum.name);
    const split = packageEnd(title);
    return h(
      "tr",
      {},
      h("td", { class: "number" }, formatAmount(sum.self, this.unit)),
      h("td", { class: "number muted" }, shareOf(sum.self, whole)),
      h("td", { class: "number" }, formatAmount(sum.total, this.unit)),
      h("td", { class: "number muted" }, shareOf(sum.total, whole)),
      h(
        "td",
        {},
        h(
          "button",
          { type: "button", class: "plain", title: sum.name, click: () => this.onPick(sum.name) },
          h("span", { class: "muted" }, title.slice(0, split)),
          title.slice(split),
        ),
      ),
    );
  }
}

/**
 * A table of self and total per function. `onPick` is called with the name of a function that is
 * clicked.
 * @param {(name: string) => void} onPick
 * @param {import("./grid.js").SortKeeper} [sorts]
 */
export function flameTable(onPick, sorts = ownSorts()) {
  return new FlameTable(onPick, sorts);
}
