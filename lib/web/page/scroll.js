// SPDX-License-Identifier: BSD-3-Clause
// Scrolling through the rows, with a scroll bar. The browser's own would need an element as high as
// all rows, which exceeds its limits for a million rows.

import { findIn } from "./dom.js";
import { rowName } from "./rows.js";

const LEAST_THUMB = 28;

export class Scroller {
  /**
   * @param {App} app
   * @param {HTMLElement} element
   */
  constructor(app, element) {
    this.app = app;
    this.element = element;
    this.thumb = findIn(element, "i", HTMLElement);
    this.furthest = 0;
    /** The height of the thumb, and the distance that it can move. */
    this.size = 0;
    this.room = 0;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.by(event.deltaY);
      },
      { passive: false },
    );
  }

  /**
   * Scrolls by pixels, using the heights of the rows that are passed.
   * @param {number} pixels
   */
  by(pixels) {
    const { layout, rows, state } = this.app;
    let index = Math.floor(state.y);
    let into = (state.y - index) * layout.heightAt(index) + pixels;
    while (into < 0 && index > 0) into += layout.heightAt(--index);
    for (
      let height = layout.heightAt(index);
      into >= height && index < rows.total - 1;
      height = layout.heightAt(index)
    ) {
      into -= height;
      index++;
    }
    const height = layout.heightAt(index);
    this.to(index + (height > 0 ? Math.max(0, Math.min(into / height, 0.999)) : 0));
  }

  /** @param {number} y */
  to(y) {
    const at = Math.max(0, Math.min(y, this.app.layout.furthest()));
    if (at !== this.app.state.y) this.app.set({ y: at }, { push: false });
  }

  /** @param {number} direction */
  page(direction) {
    const { layout } = this.app;
    this.by(direction * Math.max(40, layout.height - layout.pinnedHeight - 40));
  }

  /**
   * Scrolls a row to the middle, unless it is visible.
   * @param {number} index
   */
  show(index) {
    const { layout } = this.app;
    const item = layout.items.find(
      (each) => each.index === index && (each.pinned || each.y >= layout.pinnedHeight),
    );
    if (item && item.y + item.height <= layout.height) return;
    this.app.set({ y: index }, { push: false });
    this.app.layoutNow();
    this.by(-(layout.height - layout.pinnedHeight) / 2 + 20);
  }

  /** Scrolls so that a panel that opens does not cover the selected or focused row. */
  keepSelected() {
    const { layout, selection, focus, height } = this.app;
    const item = selection
      ? layout.tracks.get(selection.track)?.item
      : layout.items.find(
          (each) => focus && each.row && !each.row.header && rowName(each.row) === focus,
        );
    if (item && !item.pinned && item.y + item.height > height)
      this.by(item.y + item.height - height + 8);
  }

  /** After a layout, limits the position once the rows are known, and draws the thumb. */
  update() {
    const { layout, rows, state } = this.app;
    this.furthest = layout.furthest();
    if (rows.known && layout.complete && state.y > this.furthest) {
      this.app.set({ y: this.furthest }, { push: false });
    }
    const needed = this.furthest > 0;
    this.thumb.hidden = !needed;
    if (!needed) return;
    const shown = Math.max(1, rows.total - this.furthest);
    this.size = Math.max(LEAST_THUMB, (layout.height * shown) / rows.total);
    this.room = layout.height - this.size;
    const part = Math.min(1, state.y / this.furthest);
    this.thumb.style.height = `${this.size}px`;
    this.thumb.style.transform = `translateY(${part * this.room}px)`;
    this.element.setAttribute("aria-valuenow", String(Math.round(part * 100)));
  }

  /**
   * Drags the thumb; a press beside it jumps there first.
   * @param {PointerEvent} event
   */
  press(event) {
    if (event.button !== 0 || this.furthest <= 0) return;
    event.preventDefault();
    const box = this.element.getBoundingClientRect();
    const top = event.clientY - box.top;
    const thumbTop = (this.app.state.y / this.furthest) * this.room;
    const grip = event.target === this.thumb ? top - thumbTop : this.size / 2;
    const move = (/** @type {MouseEvent} */ each) =>
      this.to(((each.clientY - box.top - grip) / this.room) * this.furthest);
    if (event.target !== this.thumb) move(event);
    this.element.setPointerCapture(event.pointerId);
    this.element.classList.add("is-dragging");
    this.element.onpointermove = move;
    this.element.onpointerup = this.element.onpointercancel = () => {
      this.element.onpointermove = null;
      this.element.classList.remove("is-dragging");
    };
  }
}
