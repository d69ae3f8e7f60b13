// SPDX-License-Identifier: BSD-3-Clause
// The tooltip. It first shows what the tile contains, and then details from the server.

import { momentText } from "./amounts.js";
import { getJSON } from "./api.js";
import { CLASSES, classTitle } from "./colors.js";
import { h, fill } from "./dom.js";
import { formatCount, formatDuration, formatMean, formatShare } from "./format.js";
import { lossTip } from "./losses.js";
import { noteKey } from "./notechange.js";
import { noteTip } from "./notes.js";
import { titleFrame } from "./stacktitle.js";
import { swatch } from "./swatch.js";

const PAUSE = 25;
const KEPT = 400;
const OFFSET = 14;
/** How many frames of a log's stack are shown. */
const FRAMES = 6;

export class Tooltip {
  /**
   * @param {App} app
   * @param {HTMLElement} element
   */
  constructor(app, element) {
    this.app = app;
    this.element = element;
    /**
     * The content of the tooltip for each span and log that was loaded.
     * @type {Map<string, () => Child>}
     */
    this.cache = new Map();
    this.timer = 0;
    /** @type {string | null} */
    this.key = null;
  }

  hide() {
    clearTimeout(this.timer);
    this.key = null;
    this.element.hidden = true;
  }

  /**
   * @param {Hit | null} hit
   * @param {number} x
   * @param {number} y
   */
  show(hit, x, y) {
    if (hit?.inLabels) {
      this.showRow(hit.row, x, y);
      return;
    }
    if (hit?.row?.header && this.showActivity(hit.row, hit.time, x, y)) return;
    const item = hit?.item;
    const note = hit && this.app.notes.at(hit.x, hit.y);
    const log = hit && this.app.marks.at(hit.x, hit.y);
    const loss = hit && !item ? this.app.losses.at(hit.track, hit.time) : null;
    const pause = hit && !item ? this.collectorAt(hit.time) : null;
    if (!this.app.prefs.tooltips || (!note && !log && !item && !loss && !pause)) {
      this.hide();
      return;
    }
    if (note) this.setContent(`note.${noteKey(note)}`, () => noteTip(note));
    else if (log) this.showLog(log);
    else if (item) this.showItem(item);
    else if (loss) this.setContent(`loss.${loss.track}.${loss.start}`, () => lossTip(loss));
    else if (pause) this.setContent(`${pause.cls}.${pause.start}`, () => this.brief(pause));
    this.place(x, y);
  }

  /**
   * Shows the note whose flag is at a point of the axis.
   * @param {number} time
   * @param {number} x
   * @param {number} y
   */
  showNote(time, x, y) {
    const note = this.app.notes.atTime(this.app.view.x(time));
    if (!note || !this.app.prefs.tooltips) return this.hide();
    this.setContent(`note.${noteKey(note)}`, () => noteTip(note));
    return this.place(x, y);
  }

  /**
   * Shows a row's full name and how its time was spent.
   * @param {Row | null} row
   * @param {number} x
   * @param {number} y
   */
  showRow(row, x, y) {
    if (!row || !this.app.prefs.tooltips) {
      this.hide();
      return;
    }
    this.setContent(`row.${row.title}`, () => this.row(row));
    this.place(x, y);
  }

  /**
   * Shows how many members of a folded group are in each class at a time. Returns false if that is
   * not known.
   * @param {Row} row
   * @param {number} time
   * @param {number} x
   * @param {number} y
   */
  showActivity(row, time, x, y) {
    const { activity, prefs, rows } = this.app;
    const found = prefs.tooltips && rows.isFolded(row) ? activity.at(row, time) : null;
    if (!found) return false;
    const { counts, width, complete } = found;
    const total = counts.reduce((sum, each) => sum + each.count, 0);
    const line = (/** @type {Child[]} */ ...children) => h("div", { class: "tip-line" }, children);
    this.setContent(`activity.${row.title}.${time}.${total}`, () => [
      h("div", { class: "tip-head" }, row.title),
      complete
        ? line(`${formatMean(total)} of ${formatCount(row.members)} exist`)
        : line("Too much to count at once: zoom in"),
      counts.map(({ cls, count }) => this.share(cls, formatMean(count))),
      complete && line(`means over ${formatDuration(width)}`),
    ]);
    this.place(x, y);
    return true;
  }

  /** @param {Row} row */
  row(row) {
    const parts = Object.entries(row.time ?? {}).sort((a, b) => b[1] - a[1]);
    const life = row.header
      ? `${formatCount(row.members)} rows`
      : formatDuration(row.end - row.start);
    return [
      h("div", { class: "tip-head" }, row.title, h("span", { class: "tip-time" }, life)),
      row.label && h("div", { class: "tip-line" }, row.label),
      parts.slice(0, 6).map(([name, time]) => this.share(name, formatDuration(time))),
    ];
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  share(name, text) {
    return h(
      "div",
      { class: "tip-line" },
      swatch(name),
      " ",
      classTitle(name),
      " ",
      h("b", {}, text),
    );
  }

  /**
   * The pause or collection cycle that is marked at a time, for the space between bars.
   * @param {number} time
   */
  collectorAt(time) {
    const data = this.app.prefs.overlay && this.app.collector.get();
    if (!data) return null;
    const find = (/** @type {GcPeriod[]} */ list) =>
      list.find(([start, end]) => time >= start && time < end);
    const stw = find(data.stw);
    const found = stw ?? find(data.gc);
    if (!found) return null;
    const [start, end, share, name] = found;
    return {
      cls: stw ? "stw" : "gc",
      start,
      end,
      label: share < 0.999 ? `${formatShare(share)} of this time` : (name ?? null),
    };
  }

  /**
   * Changes the content, unless it already belongs to this key. Returns whether it did.
   * @param {string} key
   * @param {() => Child} content
   */
  setContent(key, content) {
    if (key === this.key) return false;
    clearTimeout(this.timer);
    this.key = key;
    this.element.hidden = false;
    fill(this.element, content());
    return true;
  }

  /** @param {Item} item */
  showItem(item) {
    const { track, index, count } = item;
    const key = `${track}.${index}.${count}`;
    if (count > 1) this.setContent(key, () => this.merged(item));
    else
      this.showLoaded(
        key,
        () => this.brief(item),
        async () => {
          const span = await getJSON("api/span", { track, index });
          return () => this.span(span);
        },
      );
  }

  /** @param {Mark} mark */
  showLog(mark) {
    const { index, count, text, time } = mark;
    this.showLoaded(
      `log.${index}.${count}`,
      () => [this.logHead(time, count), h("div", { class: "tip-line" }, text)],
      async () => {
        const facts = await getJSON("api/mark", { index });
        return () => this.log(facts, count);
      },
    );
  }

  /**
   * Shows the data that the page has immediately, and after a pause those that `load` returns.
   * @param {string} key
   * @param {() => Child} brief
   * @param {() => Promise<() => Child>} load
   */
  showLoaded(key, brief, load) {
    const known = this.cache.get(key);
    if (this.setContent(key, known ?? brief) && !known)
      this.timer = setTimeout(() => this.load(key, load), PAUSE);
  }

  /**
   * @param {string} key
   * @param {() => Promise<() => Child>} load
   */
  async load(key, load) {
    try {
      const content = await load();
      if (this.cache.size >= KEPT) this.cache.clear();
      if (this.app.trace.progress.done) this.cache.set(key, content);
      if (key === this.key) fill(this.element, content());
    } catch {
      // The tooltip keeps what the page already knows.
    }
  }

  /**
   * @param {string} cls
   * @param {string} title
   * @param {number} duration
   */
  head(cls, title, duration) {
    return h(
      "div",
      { class: "tip-head" },
      swatch(cls),
      title,
      h("span", { class: "tip-time" }, formatDuration(duration)),
    );
  }

  /** @param {{ cls: string, label: string | null, start: number, end: number }} item */
  brief(item) {
    return [
      this.head(item.cls, classTitle(item.cls), item.end - item.start),
      item.label && h("div", { class: "tip-line" }, item.label),
    ];
  }

  /**
   * The shares of a merged bar, the largest first.
   * @param {Item} item
   */
  merged(item) {
    const parts = CLASSES.map((name, i) => ({ name, share: item.shares[i] / 255 }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share);
    return [
      h(
        "div",
        { class: "tip-head" },
        `${formatCount(item.count)} spans`,
        h("span", { class: "tip-time" }, formatDuration(item.end - item.start)),
      ),
      parts.slice(0, 5).map(({ name, share }) => this.share(name, formatShare(share))),
    ];
  }

  /**
   * A title for a span, with its name unless that is shown elsewhere in the tooltip.
   * @param {SpanFacts} span
   */
  title(span) {
    const title = classTitle(span.class);
    const { name } = span;
    const said =
      !name || name === span.goroutine?.title || title.toLowerCase().includes(name.toLowerCase());
    return said ? title : `${title} · ${name}`;
  }

  /** @param {SpanFacts} span */
  span(span) {
    const frame = titleFrame(span.stack, this.app.state.titles);
    return [
      this.head(span.class, this.title(span), span.end - span.start),
      span.goroutine && h("div", { class: "tip-line" }, h("b", {}, span.goroutine.title)),
      frame && h("div", { class: "tip-line tip-frame" }, frame.function || frame.pc),
      span.by && h("div", { class: "tip-line" }, "by ", h("b", {}, span.by.goroutine?.title ?? "")),
    ];
  }

  /**
   * @param {number} time
   * @param {number} count
   */
  logHead(time, count) {
    const title = count > 1 ? `${formatCount(count)} logs, the first` : "Log";
    return h(
      "div",
      { class: "tip-head" },
      title,
      h("span", { class: "tip-time" }, momentText(this.app, time)),
    );
  }

  /**
   * @param {MarkFacts} facts
   * @param {number} count
   */
  log(facts, count) {
    const { category, goroutine, message, stack, task, time } = facts;
    const line = (/** @type {Child[]} */ ...children) => h("div", { class: "tip-line" }, children);
    return [
      this.logHead(time, count),
      category && line("category ", h("b", {}, category)),
      message && line(message),
      task && line(h("b", {}, task.title || `Task ${task.id}`)),
      goroutine && line(h("b", {}, goroutine.title)),
      stack
        .slice(0, FRAMES)
        .map((frame) => h("div", { class: "tip-line tip-frame" }, frame.function || frame.pc)),
      stack.length > FRAMES && line(`and ${formatCount(stack.length - FRAMES)} more frames`),
    ];
  }

  /**
   * Places the tooltip beside the pointer and inside the window.
   * @param {number} x
   * @param {number} y
   */
  place(x, y) {
    const { element } = this;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = x + OFFSET + width > innerWidth - 4 ? x - OFFSET - width : x + OFFSET;
    const top = y + OFFSET + 6 + height > innerHeight - 4 ? y - OFFSET - height : y + OFFSET + 6;
    const [to, down] = [left, top].map((edge) => Math.max(4, Math.round(edge)));
    element.style.transform = `translate(${to}px, ${down}px)`;
  }
}
