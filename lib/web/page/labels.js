// SPDX-License-Identifier: BSD-3-Clause
// The column of names at the left, with a small bar of each row's time by class.

import { CLASSES, palette } from "./colors.js";
import { formatCount } from "./format.js";
import { rowName } from "./rows.js";
import { Surface } from "./surface.js";
import { isBranch, toggleTree } from "./tree.js";

const BAR = 44;
const INDENT = 10;
const DEEPEST = 8;
const SIGN = 13;

/**
 * Splits a title such as "G12 main.worker" into the id and the name, which are drawn differently.
 * @param {string} title
 */
function splitTitle(title) {
  const space = title.indexOf(" ");
  return /^G\d+ /.test(title) ? [title.slice(0, space), title.slice(space + 1)] : [title, ""];
}

export class Labels extends Surface {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    super(canvas, { alpha: false });
    this.app = app;
    /** @type {Map<string, number>} */
    this.widths = new Map();
    canvas.addEventListener("click", (event) => this.click(event));
    canvas.addEventListener("dblclick", (event) => this.doubleClick(event));
  }

  /** @param {MouseEvent} event */
  itemOf(event) {
    return this.app.layout.itemAt(event.clientY - this.canvas.getBoundingClientRect().top);
  }

  /**
   * A click on a header folds its group; a click on a name focuses its row.
   * @param {MouseEvent} event
   */
  click(event) {
    const item = this.itemOf(event);
    if (!item?.row) return;
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    if (item.row.header) this.app.rows.toggleGroup(item.index);
    else this.app.focusRow(item.row);
    if (this.unfolds(item.row) && x < this.indentOf(item.row, item.pinned) + SIGN)
      toggleTree(this.app, item.row);
  }

  /**
   * Whether a row has a sign that unfolds it: in the view of tasks each of them, and within a tree
   * those with something below them.
   * @param {Row} row
   */
  unfolds(row) {
    return row.view === "task" && (this.app.rows.tree === null || isBranch(row));
  }

  /**
   * The x at which the name of a row begins, or the sign before it.
   * @param {Row} row
   * @param {boolean} pinned
   */
  indentOf(row, pinned) {
    const grouped = this.app.state.group && this.app.state.view === "goroutine" && !pinned;
    return 8 + Math.min(row.depth ?? 0, DEEPEST) * INDENT + (grouped ? 10 : 0);
  }

  /** @param {MouseEvent} event */
  doubleClick(event) {
    const row = this.itemOf(event)?.row;
    if (row && !row.header) this.app.zoomTo(row.start, row.end);
  }

  draw() {
    const { context, app, width, height, dpr } = this;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.fillStyle = palette.bg;
    context.fillRect(0, 0, width, height);
    context.textBaseline = "middle";
    for (const item of app.layout.items) if (!item.pinned) this.drawRow(item);
    if (app.layout.pinnedHeight > 0) this.drawPinned();
  }

  drawPinned() {
    const { context, app, width } = this;
    const bottom = app.layout.pinnedHeight;
    context.fillStyle = palette.bgRaised;
    context.fillRect(0, 0, width, bottom);
    context.save();
    context.beginPath();
    context.rect(0, 0, width, app.layout.pins.room);
    context.clip();
    for (const item of app.layout.items) if (item.pinned) this.drawRow(item);
    context.restore();
    context.fillStyle = palette.lineStrong;
    context.fillRect(0, bottom - 2, width, 2);
  }

  /** @param {LayoutItem} item */
  drawRow(item) {
    const { context, width, app } = this;
    const { row, y, height } = item;
    const chosen = row && !row.header && app.focus === rowName(row);
    const hovered = app.hover?.row === row;
    if (row?.header || chosen || (row && hovered)) {
      context.fillStyle = chosen
        ? palette.accentSoft
        : row.header
          ? palette.bgRaised
          : palette.hover;
      context.fillRect(0, y, width, height - 1);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, y + height - 1, width, 1);
    if (row?.header) this.drawHeader(item, row);
    else if (row) this.drawName(item, row);
    else this.drawUnknown(item);
  }

  /** @param {LayoutItem} item */
  drawUnknown({ y, height }) {
    this.context.fillStyle = palette.line;
    this.context.fillRect(10, y + height / 2 - 3, 90, 6);
  }

  /** @param {number} height */
  fontSize(height) {
    return Math.max(8, Math.min(12, height - 2));
  }

  /**
   * @param {LayoutItem} item
   * @param {Row} row
   */
  drawHeader({ y, height }, row) {
    const { context } = this;
    const size = this.fontSize(height - 2);
    const middle = y + height / 2;
    context.fillStyle = palette.muted;
    context.font = `${size - 3}px ${palette.font}`;
    context.fillText(this.app.rows.isFolded(row) ? "▶" : "▼", 7, middle);
    const count = formatCount(row.members);
    context.font = `600 ${size}px ${palette.font}`;
    const left = this.drawBar(row.time, middle, height);
    context.fillStyle = palette.fg;
    this.cut(row.title || "(unknown function)", 20, middle, left - 34 - count.length * 7);
    context.font = `${size - 1}px ${palette.font}`;
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.fillText(count, left - 8, middle);
    context.textAlign = "left";
  }

  /**
   * @param {LayoutItem} item
   * @param {Row} row
   */
  drawName({ y, height, lanes, pinned }, row) {
    const { context } = this;
    const lane = lanes[0];
    const middle = lane && lanes.length > 1 ? lane.y + lane.height / 2 : y + height / 2;
    const size = this.fontSize(lane ? Math.max(lane.height, 10) : height);
    const left = this.drawBar(row.time, middle, lane?.height ?? height);
    let x = this.indentOf(row, pinned);
    if (row.view === "task") x = this.drawSign(row, x, middle, size);
    if (pinned) x = this.drawPin(x, middle);
    const [id, name] = splitTitle(row.title);
    context.font = `${name ? 550 : 500} ${size}px ${palette.font}`;
    context.fillStyle = palette.fg;
    const room = left - 8 - x;
    const used = this.cut(id, x, middle, room);
    if (!name || used + 20 > room) return;
    context.font = `${size}px ${palette.font}`;
    context.fillStyle = palette.muted;
    this.cut(name, x + used + 6, middle, room - used - 6);
  }

  /**
   * Draws the sign that folds or unfolds a task, and returns where its name begins.
   * @param {Row} row
   * @param {number} x
   * @param {number} middle
   * @param {number} size
   */
  drawSign(row, x, middle, size) {
    const { context, app } = this;
    const isOpen = app.rows.tree !== null && !app.rows.isFolded(row);
    context.fillStyle = palette.muted;
    context.font = `${size - 3}px ${palette.font}`;
    if (this.unfolds(row)) context.fillText(isOpen ? "▼" : "▶", x, middle);
    return x + SIGN;
  }

  /**
   * @param {number} x
   * @param {number} middle
   */
  drawPin(x, middle) {
    this.context.fillStyle = palette.accent;
    this.context.fillRect(x, middle - 4, 3, 8);
    return x + 8;
  }

  /** @param {string} text */
  measure(text) {
    const key = `${this.context.font}|${text}`;
    let width = this.widths.get(key);
    if (width !== undefined) return width;
    if (this.widths.size > 5000) this.widths.clear();
    width = this.context.measureText(text).width;
    this.widths.set(key, width);
    return width;
  }

  /**
   * Draws a text. If it does not fit, it is shortened in the middle, since the end of a long name
   * says more than its middle.
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {number} room
   */
  cut(text, x, y, room) {
    const width = this.measure(text);
    if (width <= room) {
      this.context.fillText(text, x, y);
      return width;
    }
    let length = Math.max(1, Math.floor((text.length * room) / width) - 1);
    const half = Math.ceil(length * 0.4);
    let shown = `${text.slice(0, half)}…${text.slice(text.length - (length - half))}`;
    while (length > 3 && this.measure(shown) > room) {
      length--;
      shown = `${text.slice(0, half)}…${text.slice(text.length - (length - half))}`;
    }
    if (room > 14) this.context.fillText(shown, x, y);
    return room;
  }

  /**
   * Draws the bar of a row's time by class, a summary of the whole row.
   * @param {ClassTimes} time
   * @param {number} middle
   * @param {number} height
   */
  drawBar(time, middle, height) {
    const { context, width } = this;
    const left = width - BAR - 8;
    const total = Object.values(time ?? {}).reduce((sum, each) => sum + each, 0);
    if (total <= 0 || width < 120) return total <= 0 ? width : width - 4;
    const thick = Math.min(7, height - 2);
    let x = left;
    CLASSES.forEach((name, i) => {
      const part = ((time[name] ?? 0) / total) * BAR;
      if (part <= 0) return;
      context.fillStyle = palette.css[i];
      context.fillRect(x, middle - thick / 2, Math.max(part, 0.6), thick);
      x += part;
    });
    return left;
  }
}
