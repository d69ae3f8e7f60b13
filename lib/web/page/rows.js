// SPDX-License-Identifier: BSD-3-Clause
// The listing of rows, which may have millions of entries and is loaded in pages as they become
// visible. A row's position in the listing comes from the server; folded groups are left out of
// what is shown.

import { ask } from "./analysis.js";
import { ApiError, getJSON, getPart } from "./api.js";
import { isBranch } from "./tree.js";

const PAGE = 128;
const KEPT = 64;
const STALE = 1000;
const REST = 120;

/**
 * The order of a view if the user has not chosen one.
 * @param {ViewName} view
 */
export function defaultSort(view) {
  return view === "proc" || view === "thread" ? "id" : "start";
}

/** @param {RowRef} row */
export function rowName(row) {
  return `${row.view}:${row.id}`;
}

/** @typedef {{ rows: Row[], final: boolean, at: number, used: number }} LoadedPage */

/**
 * A pinned row; null until it is known.
 * @typedef {{ row: LocatedRow | null, final: boolean, at: number }} Pin
 */

/**
 * The name under which the fold of a row is stored.
 * @param {Row} row
 */
function foldName(row) {
  return row.header ? row.title : rowName(row);
}

/**
 * How many rows are hidden if a row is folded.
 * @param {Row} row
 */
function rowsBelow(row) {
  return row.header ? row.members : (row.inside ?? 0);
}

/**
 * Whether the server has answered that the requested object does not exist.
 * @param {unknown} error
 */
function isUnknown(error) {
  return error instanceof ApiError && error.status === 404;
}

export class Rows {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /**
     * The folds for which the gaps were computed, and their names.
     * @type {GroupFolds}
     */
    this.folds = { all: false, names: [] };
    /** @type {Set<string>} */
    this.foldNames = new Set();
    /** Ends once the gaps of all folded groups are known. */
    this.folding = Promise.resolve();
    /** @type {((value?: unknown) => void)[]} */
    this.waiting = [];
    this.timer = 0;
    this.shownRange = "{}";
    this.signature = "";
    this.rangeText = "{}";
    /** @type {Map<number, LoadedPage>} */
    this.pages = new Map();
    /** @type {Map<number, AbortController>} */
    this.flights = new Map();
    /** @type {Map<string, Pin>} */
    this.pinned = new Map();
    /** @type {{ at: number, count: number }[]} */
    this.gaps = [];
    this.listed = 0;
    this.known = false;
    /** The progress of the analysis for which the listing waits; null if it waits for none. */
    this.analysed = /** @type {number | null} */ (null);
  }

  /** The task whose tree is shown, or null. */
  get tree() {
    const { view, tree } = this.app.state;
    return view === "task" ? tree : null;
  }

  /** The view of the rows that have states, for arrows and the like. */
  get statesView() {
    return this.tree === null ? this.app.state.view : "goroutine";
  }

  /**
   * Whether rows of a view are among those listed.
   * @param {string} view
   */
  lists(view) {
    return view === this.app.state.view || (this.tree !== null && view === "goroutine");
  }

  /** The parameters of the listing. If they change, it is another listing. */
  query() {
    const { view, filter, sort, desc, group } = this.app.state;
    if (this.tree !== null) return { view, filter: filter || null, tree: this.tree };
    return {
      view,
      filter: filter || null,
      sort: sort || defaultSort(view),
      desc: desc ? 1 : null,
      group: group && view === "goroutine" ? 1 : null,
    };
  }

  /** The range in which rows must have something, if idle rows are left out. */
  range() {
    const { state, whole } = this.app;
    if (state.idle || whole) return {};
    return { hide_idle: 1, start: Math.max(0, Math.floor(state.s)), end: Math.ceil(state.e) };
  }

  reset() {
    this.signature = "";
    this.pages = new Map();
    this.flights = new Map();
    this.pinned = new Map();
    this.gaps = [];
    this.listed = 0;
    this.known = false;
    this.analysed = null;
    this.rangeText = "{}";
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /**
   * Reloads the listing after the range has changed and come to rest. The old rows are shown until
   * the new ones arrive.
   */
  followRange() {
    if (this.timer || JSON.stringify(this.range()) === this.rangeText) return;
    const before = JSON.stringify(this.range());
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (JSON.stringify(this.range()) !== before) {
        this.followRange();
        return;
      }
      this.rangeText = before;
      for (const page of this.pages.values()) Object.assign(page, { final: false, at: 0 });
      this.app.invalidate("rows");
    }, REST);
  }

  /**
   * Must be called after each change of the state. Returns whether the listing is a different one
   * now.
   */
  update() {
    const signature = JSON.stringify(this.query());
    const same = signature === this.signature;
    const { fold } = this.app.state;
    if (same && fold === this.folds) return false;
    if (!same) {
      for (const controller of this.flights.values()) controller.abort();
      this.reset();
      this.signature = signature;
    }
    this.takeFolds(fold);
    return !same;
  }

  /** @param {GroupFolds} fold */
  takeFolds(fold) {
    this.folds = fold;
    this.foldNames = new Set(fold.names);
    this.findAllGaps();
    if (this.foldsAny) this.folding = this.findFolded().catch((error) => this.app.report(error));
    this.app.invalidate("rows", "labels", "overlay");
  }

  get foldsAny() {
    return this.folds.all || this.folds.names.length > 0;
  }

  /** The names of the pinned rows of the view. */
  pinNames() {
    return this.app.state.pin.filter((name) => this.lists(name.split(":")[0]));
  }

  /** Whether only the pinned rows are shown. Without any, that would show nothing. */
  get arePinsAlone() {
    return this.app.state.only && this.pinNames().length > 0;
  }

  /** The number of rows that can be scrolled through. */
  get total() {
    if (this.arePinsAlone) return 0;
    return this.listed - this.gaps.reduce((sum, gap) => sum + gap.count, 0);
  }

  /**
   * Converts a position among the rows shown to one in the listing.
   * @param {number} shown
   */
  listingIndex(shown) {
    let index = shown;
    for (const gap of this.gaps) {
      if (gap.at > index) break;
      index += gap.count;
    }
    return index;
  }

  /**
   * Converts a position in the listing to one among the rows shown. Members of a folded group have
   * the position of its header.
   * @param {number} listing
   */
  shownIndex(listing) {
    let before = 0;
    for (const gap of this.gaps) {
      if (gap.at > listing) break;
      if (listing < gap.at + gap.count) return gap.at - 1 - before;
      before += gap.count;
    }
    return listing - before;
  }

  /**
   * The row at a position among those shown; null until it is known.
   * @param {number} shown
   */
  at(shown) {
    const index = this.listingIndex(shown);
    const page = this.pages.get(Math.floor(index / PAGE));
    return page?.rows[index % PAGE] ?? null;
  }

  /**
   * Requests what is missing of the rows [first, last]. Returns whether all are known.
   * @param {number} first
   * @param {number} last
   */
  need(first, last) {
    const now = performance.now();
    let complete = this.known;
    for (const page of this.pagesOf(Math.max(0, first), Math.max(0, last))) {
      const found = this.pages.get(page);
      if (found) found.used = now;
      if (!found) complete = false;
      const stale = found && !found.final && now - found.at >= STALE;
      if ((!found || stale) && !this.flights.has(page) && this.flights.size < 3) this.load(page);
    }
    return complete;
  }

  /**
   * The pages of the rows [first, last], which may be far apart because of folded groups.
   * @param {number} first
   * @param {number} last
   */
  pagesOf(first, last) {
    const pages = new Set();
    for (let shown = first; shown <= last; shown++) {
      const index = this.listingIndex(shown);
      if (index > 0 && this.known && index >= this.listed) break;
      pages.add(Math.floor(index / PAGE));
    }
    return pages;
  }

  /** @param {number} page */
  async load(page) {
    const controller = new AbortController();
    const { signature, app, rangeText } = this;
    const final = app.trace.progress.done;
    this.flights.set(page, controller);
    try {
      const query = { ...this.query(), ...JSON.parse(rangeText) };
      const { signal } = controller;
      const answer = await getPart(
        (part) =>
          ask("api/rows", { ...query, ...part }, (share) => this.showProgress(share), { signal }),
        page * PAGE,
        PAGE,
      );
      if (signature === this.signature)
        this.store(page, answer, final && rangeText === this.rangeText, rangeText);
    } catch (error) {
      if (signature === this.signature && isUnknown(error) && this.tree !== null) this.leaveTree();
      else app.report(error);
    } finally {
      if (signature === this.signature) this.flights.delete(page);
    }
  }

  /**
   * Shows all tasks, because the trace does not contain the task whose tree the address requests.
   */
  leaveTree() {
    this.app.status.say(`There is no task ${this.tree} in this trace.`);
    this.app.set({ tree: null }, { push: false });
  }

  /**
   * Reports the progress of the analysis that the tree of a task needs.
   * @param {number} share
   */
  showProgress(share) {
    this.analysed = share;
    this.app.rowsChanged();
  }

  /**
   * @param {number} page
   * @param {RowPage} answer
   * @param {boolean} final
   * @param {string} rangeText
   */
  store(page, { total, rows }, final, rangeText) {
    const now = performance.now();
    const moved = rangeText !== this.shownRange;
    if (moved) this.pages.clear();
    this.shownRange = rangeText;
    this.listed = total;
    this.known = true;
    const { view } = this.app.state;
    this.analysed = null;
    for (const row of rows) row.view ??= view;
    // An answer for an earlier range counts as out of date, so it is requested again immediately.
    const at = rangeText === this.rangeText ? now : -Infinity;
    this.pages.set(page, { rows, final, at, used: now });
    if (this.pages.size > KEPT) this.forget();
    if (moved) this.takeFolds(this.folds);
    else if (this.foldsAny) this.findGaps(page, rows);
    this.app.invalidate("rows", "labels", "overlay");
    this.app.rowsChanged();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  forget() {
    const oldest = [...this.pages].sort((a, b) => a[1].used - b[1].used).slice(0, KEPT / 4);
    for (const [page] of oldest) this.pages.delete(page);
  }

  /**
   * @param {number} page
   * @param {Row[]} rows
   */
  findGaps(page, rows) {
    rows.forEach((row, i) => {
      if (this.isFolded(row)) this.addGap(page * PAGE + i + 1, rowsBelow(row));
    });
  }

  /**
   * @param {number} at
   * @param {number} count
   */
  addGap(at, count) {
    if (count === 0 || this.gaps.some((gap) => gap.at <= at && at < gap.at + gap.count)) return;
    // A gap may contain gaps of rows that were folded before.
    this.gaps = this.gaps.filter((gap) => gap.at < at || gap.at >= at + count);
    this.gaps.push({ at, count });
    this.gaps.sort((a, b) => a.at - b.at);
  }

  /** Finds the gaps of the rows that are known. */
  findAllGaps() {
    this.gaps = [];
    for (const [page, { rows }] of [...this.pages].sort(([a], [b]) => a - b))
      this.findGaps(page, rows);
  }

  /** @param {Row} row */
  isFolded(row) {
    const isNamed = this.foldNames.has(foldName(row));
    return row.header ? this.folds.all !== isNamed : isNamed;
  }

  /**
   * Folds or unfolds what is below the row at a position among the rows shown: the members of a
   * group, or the subtasks and goroutines of a task.
   * @param {number} shown
   */
  toggleGroup(shown) {
    const row = this.at(shown);
    if (row && (row.header || isBranch(row))) this.toggleFold(foldName(row));
  }

  /**
   * Folds or unfolds what is below a row of a tree.
   * @param {RowRef} row
   */
  toggleRow(row) {
    this.toggleFold(rowName(row));
  }

  /** @param {string} name */
  toggleFold(name) {
    const { all, names } = this.folds;
    const others = names.filter((each) => each !== name);
    const fold = { all, names: others.length < names.length ? others : [...names, name] };
    this.app.set({ fold }, { push: false });
  }

  /**
   * Finds the gaps of all folded groups. Only headers are fetched, since each gives the number of
   * its members.
   */
  async findFolded() {
    const { signature, folds, shownRange } = this;
    await this.firstPage();
    for (let index = 0; index < this.listed && this.tree === null; ) {
      const row = await this.header(index);
      const same = signature === this.signature && shownRange === this.shownRange;
      if (!row?.header || !same || folds !== this.folds) break;
      if (this.isFolded(row)) this.addGap(index + 1, row.members);
      index += row.members + 1;
    }
    this.app.invalidate("rows", "labels", "overlay");
  }

  /** Folds all groups. */
  async foldAll() {
    this.app.set({ fold: { all: true, names: [] }, y: 0 }, { push: false });
    await this.folding;
  }

  /** @param {number} index */
  async header(index) {
    const known = this.pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
    if (known) return known;
    const { rows } = await getJSON("api/rows", {
      ...this.query(),
      ...JSON.parse(this.rangeText),
      first: index,
      count: 1,
    });
    return rows[0];
  }

  unfoldAll() {
    this.app.set({ fold: { all: false, names: [] } }, { push: false });
  }

  /**
   * Unfolds a group if it is folded.
   * @param {string} title
   */
  unfold(title) {
    if (this.folds.all !== this.foldNames.has(title)) this.toggleFold(title);
  }

  /**
   * Unfolds all rows of a tree that a row of the listing is below.
   * @param {number} listing
   */
  unfoldAbove(listing) {
    /** @type {Set<string>} */
    const above = new Set();
    for (const [page, { rows }] of this.pages) {
      rows.forEach((row, i) => {
        const at = page * PAGE + i;
        const isAbove = at < listing && listing <= at + rowsBelow(row);
        if (isAbove && isBranch(row)) above.add(foldName(row));
      });
    }
    const names = this.folds.names.filter((name) => !above.has(name));
    if (names.length < this.folds.names.length)
      this.app.set({ fold: { all: this.folds.all, names } }, { push: false });
  }

  /** Resolves once the listing is known. */
  firstPage() {
    if (this.known) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** Resolves once the listing and its folds are known. No row can be scrolled to before that. */
  async listing() {
    await this.firstPage();
    await this.folding;
  }

  /**
   * Finds a row by its id, with its position among the rows shown; -1 if it is filtered out.
   * @param {ViewName} view
   * @param {number} id
   */
  async find(view, id) {
    const query = { ...this.query(), ...JSON.parse(this.rangeText), view, id };
    const row = await ask("api/row", query);
    const shown = row.position < 0 ? -1 : this.shownIndex(row.position);
    return { ...row, view, listing: row.position, shown };
  }

  /** The pinned rows that are known; the others are requested. */
  pins() {
    return this.pinNames()
      .map((name) => this.pin(name))
      .filter((row) => row !== null);
  }

  /** @param {string} name */
  pin(name) {
    const found = this.pinned.get(name);
    const now = performance.now();
    const fresh = found && (found.final || now - found.at < STALE);
    if (!fresh) this.loadPin(name, found?.row ?? null);
    return found?.row ?? null;
  }

  /**
   * @param {string} name
   * @param {LocatedRow | null} row
   */
  async loadPin(name, row) {
    const { signature } = this;
    this.pinned.set(name, { row, final: false, at: performance.now() });
    const [view, id] = name.split(":");
    try {
      const final = this.app.trace.progress.done;
      const found = await this.find(/** @type {ViewName} */ (view), Number(id));
      if (signature !== this.signature) return;
      this.pinned.set(name, { row: found, final, at: performance.now() });
      this.app.invalidate("rows", "labels", "overlay");
      if (row === null && this.arePinsAlone) this.app.emit("area", this.app.state.area);
    } catch {
      this.pinned.set(name, { row, final: true, at: performance.now() });
    }
  }
}
