// SPDX-License-Identifier: BSD-3-Clause
// The functions of a flame graph as a table: the same data for who wants numbers, or reads the
// page rather than sees it.

import { h, fill } from "./dom.js";
import { sumFunctions } from "./flamelayout.js";
import { packageEnd, frameTitle } from "./flamedraw.js";
import { shareOf, formatAmount } from "./amounts.js";

const SHOWN = 500;

class FlameTable {
  constructor(onPick) {
    this.onPick = onPick;
    this.sort = "self";
    this.sums = [];
    this.test = null;
    this.body = h("tbody");
    this.heads = {
      self: this.head("self", "Self"),
      total: this.head("total", "Total"),
      name: this.head("name", "Function"),
    };
    this.note = h("p", { class: "note" });
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

  head(key, label) {
    return h(
      "th",
      { scope: "col", class: key === "name" ? "" : "number" },
      h("button", { type: "button", class: "sort", click: () => this.sortBy(key) }, label),
    );
  }

  sortBy(key) {
    this.sort = key;
    this.render();
  }

  show(tree, root, unit) {
    this.tree = tree;
    this.root = root;
    this.unit = unit;
    this.stale = true;
    this.render();
  }

  filter(test) {
    this.test = test;
    this.render();
  }

  /** Nothing is summed for a table that is not shown. */
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
    const rows = this.sums.filter((sum) => !this.test || this.test(sum.name));
    rows.sort(
      (a, b) =>
        (this.sort === "name" ? 0 : b[this.sort] - a[this.sort]) || (a.name < b.name ? -1 : 1),
    );
    fill(
      this.body,
      rows.slice(0, SHOWN).map((sum) => this.row(sum)),
    );
    const more = rows.length - SHOWN;
    this.note.textContent =
      more > 0 ? `${more} more functions are not listed; search narrows the list.` : "";
  }

  row(sum) {
    const whole = this.tree.total[this.root];
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

/** A table of self and total per function; onPick(name) when one is chosen. */
export function flameTable(onPick) {
  return new FlameTable(onPick);
}
