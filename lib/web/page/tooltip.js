// SPDX-License-Identifier: BSD-3-Clause
// The tooltip: at once what the tile knows, and a moment later what only the server does.

import { getJSON } from "./api.js";
import { CLASSES, classTitle, classVar } from "./colors.js";
import { h, fill } from "./dom.js";
import { formatCount, formatDuration, formatShare } from "./format.js";
import { isRuntimeFrame } from "./stack.js";

const PAUSE = 25;
const KEPT = 400;
const OFFSET = 14;

export class Tooltip {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.cache = new Map();
    this.timer = 0;
    this.key = null;
  }

  hide() {
    clearTimeout(this.timer);
    this.key = null;
    this.element.hidden = true;
  }

  show(hit, x, y) {
    if (hit?.inLabels) {
      this.showRow(hit.row, x, y);
      return;
    }
    const pause = hit && !hit.item ? this.collectorAt(hit.time) : null;
    if (!this.app.prefs.tooltips || (!hit?.item && !pause)) {
      this.hide();
      return;
    }
    const key = pause
      ? `${pause.cls}.${pause.start}`
      : `${hit.track}.${hit.item.index}.${hit.item.count}`;
    if (key !== this.key) this.change(key, pause ? { item: pause } : hit);
    this.place(x, y);
  }

  /** A row's name in full, as there is seldom room for it, and where its time went. */
  showRow(row, x, y) {
    if (!row || !this.app.prefs.tooltips) {
      this.hide();
      return;
    }
    const key = `row.${row.title}`;
    if (key !== this.key) {
      clearTimeout(this.timer);
      this.key = key;
      this.element.hidden = false;
      fill(this.element, this.row(row));
    }
    this.place(x, y);
  }

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

  share(name, text) {
    const swatch = h("i", { class: "swatch", style: { background: classVar(name) } });
    return h("div", { class: "tip-line" }, swatch, " ", classTitle(name), " ", h("b", {}, text));
  }

  /** Beside the bars: the pause or the cycle of the collector that is tinted there. */
  collectorAt(time) {
    const data = this.app.prefs.overlay && this.app.collector.get();
    if (!data) return null;
    const find = (list) => list.find(([start, end]) => time >= start && time < end);
    const stw = find(data.stw);
    const found = stw ?? find(data.gc);
    if (!found) return null;
    const [start, end, share, name] = found;
    return {
      cls: stw ? "stw" : "gc",
      start,
      end,
      label: share < 0.999 ? `${formatShare(share)} of this time` : (name ?? null),
      count: 1,
      known: true,
    };
  }

  change(key, hit) {
    clearTimeout(this.timer);
    this.key = key;
    this.element.hidden = false;
    const { item } = hit;
    if (item.count > 1) {
      fill(this.element, this.merged(item));
      return;
    }
    const known = this.cache.get(key);
    fill(this.element, known ? this.span(known) : this.brief(item));
    if (!known && !item.known)
      this.timer = setTimeout(() => this.load(key, hit.track, item.index), PAUSE);
  }

  async load(key, track, index) {
    try {
      const span = await getJSON("api/span", { track, index });
      if (this.cache.size >= KEPT) this.cache.clear();
      if (this.app.trace.progress.done) this.cache.set(key, span);
      if (key === this.key) fill(this.element, this.span(span));
    } catch {
      // The tooltip then says what the tile knows.
    }
  }

  head(cls, title, duration) {
    return h(
      "div",
      { class: "tip-head" },
      h("i", { class: "swatch", style: { background: classVar(cls) } }),
      title,
      h("span", { class: "tip-time" }, formatDuration(duration)),
    );
  }

  brief(item) {
    return [
      this.head(item.cls, classTitle(item.cls), item.end - item.start),
      item.label && h("div", { class: "tip-line" }, item.label),
    ];
  }

  /** The shares of a merged bar, the largest first. */
  merged(item) {
    const parts = [...item.shares]
      .map((share, i) => [CLASSES[i], share / 255])
      .filter(([, share]) => share > 0);
    parts.sort((a, b) => b[1] - a[1]);
    return [
      h(
        "div",
        { class: "tip-head" },
        `${formatCount(item.count)} spans`,
        h("span", { class: "tip-time" }, formatDuration(item.end - item.start)),
      ),
      parts.slice(0, 5).map(([name, share]) => this.share(name, formatShare(share))),
    ];
  }

  /** The name of a span, unless something else in the tooltip says the same. */
  title(span) {
    const title = classTitle(span.class);
    const { name } = span;
    const said =
      !name || name === span.goroutine?.title || title.toLowerCase().includes(name.toLowerCase());
    return said ? title : `${title} · ${name}`;
  }

  span(span) {
    const stack = span.stack ?? [];
    const frame = stack.find((each) => !isRuntimeFrame(each.function ?? "")) ?? stack[0];
    return [
      this.head(span.class, this.title(span), span.end - span.start),
      span.goroutine && h("div", { class: "tip-line" }, h("b", {}, span.goroutine.title)),
      frame && h("div", { class: "tip-line tip-frame" }, frame.function || frame.pc),
      span.by && h("div", { class: "tip-line" }, "by ", h("b", {}, span.by.goroutine?.title ?? "")),
    ];
  }

  /** Beside the pointer, and never beyond the window. */
  place(x, y) {
    const { element } = this;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = x + OFFSET + width > innerWidth - 4 ? x - OFFSET - width : x + OFFSET;
    const top = y + OFFSET + 6 + height > innerHeight - 4 ? y - OFFSET - height : y + OFFSET + 6;
    const [to, down] = [left, top].map((edge) => Math.max(4, Math.round(edge)));
    element.style.transform = `translate(${to}px, ${down}px)`;
  }
}
