// SPDX-License-Identifier: BSD-3-Clause
// The state of the pages other than the timeline, which their addresses store. The other parameters
// of an address say what a page is about; they stay as they are.

import { AddressTable, queryText } from "./address.js";
import { keepSorts } from "./grid.js";
import { place } from "./place.js";
import { stackCell, titlesSwitch } from "./stacktitle.js";
import { sortsField, titlesField } from "./state.js";

/** @type {PageAddress<object>[]} */
const parts = [];

/**
 * A part of the state, with a table of its own.
 * @template {object} State
 */
export class PageAddress {
  /** @param {AddressTable<State>} table */
  constructor(table) {
    this.table = table;
    this.state = table.parse(place.search);
    parts.push(/** @type {PageAddress<object>} */ (/** @type {unknown} */ (this)));
  }

  /** @param {Partial<State>} patch */
  set(patch) {
    Object.assign(this.state, patch);
    place.replace(null, pageAddress(false).text);
  }
}

/** @param {boolean} complete */
function pageAddress(complete) {
  const query = new URLSearchParams(place.search);
  for (const { table } of parts) for (const name of table.names()) query.delete(name);
  const tooLong = parts.flatMap(({ table, state }) => table.write(state, query, complete));
  return { text: place.pathname + queryText(query), tooLong };
}

/** The address that reproduces this page in any browser. */
export function pageLink() {
  const { text, tooLong } = pageAddress(true);
  return { text: place.link(text), tooLong };
}

/** @type {import("./grid.js").SortKeeper | null} */
let sorts = null;

/** Keeps the order of the page's tables in its address. */
export function pageSorts() {
  if (sorts) return sorts;
  const address = new PageAddress(new AddressTable({ sorts: sortsField() }));
  sorts = keepSorts(
    () => address.state.sorts,
    (list) => address.set({ sorts: list }),
  );
  return sorts;
}

/**
 * The titles of a page's tables, which its address stores. `show` shows the tables again.
 * @param {() => void} show
 */
export function pageTitles(show) {
  const address = new PageAddress(new AddressTable({ titles: titlesField() }));
  const change = (/** @type {import("./stacktitle.js").Titles} */ titles) => {
    address.set({ titles });
    show();
  };
  return {
    element: titlesSwitch(address.state.titles, change),
    cell: (/** @type {StackFrame[] | undefined} */ frames, otherwise = "") =>
      stackCell(frames, address.state.titles, otherwise),
  };
}
