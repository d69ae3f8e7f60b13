// SPDX-License-Identifier: BSD-3-Clause
// A table that the server sorts, a page at a time: there may be a million rows.

import { h, fill, button } from "./dom.js";
import { formatCount } from "./format.js";

const PAGE = 100;

/** In the address, so that a page can be linked to and gone back to; what is usual is left out. */
function remember(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  history.replaceState(null, "", url);
}

/** The buttons that turn pages, of which a long table has some at both ends. */
class Pager {
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

class PagedTable {
  constructor(caption, columns, load, options) {
    this.columns = options.more ? [...columns, this.opener(options.more)] : columns;
    this.load = load;
    this.more = options.more;
    this.empty = options.empty ?? "There are none.";
    this.usual = columns.find((column) => column.first)?.sort;
    this.takePlace();
    this.asked = 0;
    this.total = 0;
    this.build(caption, options.tools);
  }

  /** What the address asks for. */
  takePlace() {
    const at = new URLSearchParams(location.search);
    this.sort = at.get("sort") || this.usual;
    this.descending = at.get("desc") !== "0";
    this.first = Math.max(0, Number.parseInt(at.get("first") ?? "0", 10) || 0);
  }

  build(caption, tools = []) {
    this.heads = this.columns.map((column) => this.head(column));
    this.body = h("tbody");
    this.note = h("p", { class: "empty", role: "status", hidden: true });
    const all = this.more && button("Open all", () => this.openAll(), { "aria-pressed": "false" });
    this.pagers = [
      new Pager((pages) => this.turn(pages), [all, ...tools]),
      new Pager((pages) => this.turn(pages)),
    ];
    this.pagers[0].where.setAttribute("aria-live", "polite");
    this.allButton = all;
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
      this.pagers[0].element,
      this.table,
      this.note,
      this.pagers[1].element,
    );
    this.mark();
  }

  head(column) {
    const label = column.sort
      ? h(
          "button",
          { type: "button", class: "sort", click: () => this.sortBy(column.sort) },
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

  sortBy(sort) {
    this.descending = sort === this.sort ? !this.descending : true;
    this.sort = sort;
    this.first = 0;
    return this.show();
  }

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
      const query = {
        sort: this.sort,
        desc: this.descending ? 1 : 0,
        first: this.first,
        count: PAGE,
      };
      const { total, rows } = await this.load(query);
      if (asked === this.asked) this.fill(total, rows);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
    if (asked === this.asked) this.element.removeAttribute("aria-busy");
  }

  fill(total, rows) {
    this.total = total;
    remember({
      sort: this.sort === this.usual ? null : this.sort,
      desc: this.sort === this.usual && this.descending ? null : Number(this.descending),
      first: this.first || null,
    });
    fill(
      this.body,
      rows.map((row) => this.row(row)),
    );
    this.pagers.forEach((pager) => pager.show(this.first, rows.length, total));
    this.pagers[1].element.hidden = rows.length < 20 || rows.length === total;
    this.table.hidden = total === 0;
    this.note.hidden = total > 0;
    fill(this.note, this.empty);
    if (this.allButton?.getAttribute("aria-pressed") === "true") this.openAll(true);
  }

  fail(error) {
    fill(this.body);
    this.table.hidden = true;
    this.note.hidden = false;
    fill(
      this.note,
      h("span", { class: "error" }, `This cannot be shown: ${error.message}.`),
      " ",
      button("Try again", () => this.show()),
    );
  }

  row(row) {
    return h(
      "tr",
      {},
      this.columns.map((column) => {
        const cell = h("td", {
          class: [column.number && "number", column.class].filter(Boolean).join(" "),
        });
        cell.append(
          ...[column.cell(row, cell)]
            .flat(Infinity)
            .filter((part) => part !== null && part !== undefined && part !== false),
        );
        return cell;
      }),
    );
  }

  /** The column with which a row is unfolded: what is in it goes below, over the whole width. */
  opener({ label, about }) {
    const cell = (row) =>
      h(
        "details",
        { class: "opener", toggle: (event) => this.unfold(event.currentTarget, row) },
        h("summary", {}, about(row)),
      );
    return { label, class: "nowrap", cell };
  }

  unfold(opener, row) {
    const line = opener.closest("tr");
    const below = line.nextElementSibling?.classList.contains("more")
      ? line.nextElementSibling
      : null;
    if (!opener.open) below?.remove();
    else if (!below)
      line.after(
        h(
          "tr",
          { class: "more" },
          h("td", { colSpan: this.columns.length }, this.more.content(row)),
        ),
      );
  }

  openAll(on = this.allButton.getAttribute("aria-pressed") !== "true") {
    this.allButton.setAttribute("aria-pressed", String(on));
    for (const opener of this.body.querySelectorAll(".opener")) opener.open = on;
  }
}

/**
 * Columns are {label, sort?, first?, number?, class?, about?, cell(row)}; `load` is given {sort,
 * desc, first, count} and promises {total, rows}. Options: tools (elements), empty (what to say of
 * no rows), and more {label, about(row), content(row)}: what is shown below a row that is opened.
 * The result has `element`, show() and sortBy(sort).
 */
export function pagedTable(caption, columns, load, options = {}) {
  return new PagedTable(caption, columns, load, options);
}

/** All rows of such a list, for a file: at most `most` of them. */
export async function loadAll(load, say, most = 1000000) {
  const EACH = 10000;
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
