// SPDX-License-Identifier: BSD-3-Clause
// Scrolling through the rows. The scroll bar is not the browser's, which would need an element as
// high as all rows; this exceeds its limits for a million rows.

import { rowName } from "./rows.js";
import { Scrollbar } from "./scrollbar.js";

export class Scroller {
  /**
   * @param {App} app
   * @param {HTMLElement} element
   */
  constructor(app, element) {
    this.app = app;
    this.furthest = 0;
    this.bar = new Scrollbar(element, {
      by: (pixels) => this.by(pixels),
      to: (share) => this.to(share * this.furthest),
    });
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
    if (layout.items.some((item) => item.index === index && layout.isWhole(item))) return;
    this.app.set({ y: index }, { push: false });
    this.app.layoutNow();
    this.by(Math.round(20 - (layout.height - layout.pinnedHeight) / 2));
  }

  /** Scrolls so that a panel that opens does not cover the selected or focused row. */
  keepSelected() {
    const { layout, selection, focus, height } = this.app;
    const item = selection
      ? layout.tracks.get(selection.track)?.item
      : layout.items.find(
          (each) => focus && each.row && !each.row.header && rowName(each.row) === focus,
        );
    if (item?.pinned) {
      this.app.layoutNow();
      if (item.row) layout.pins.reveal(item.row);
    } else if (item && item.y + item.height > height) this.by(item.y + item.height - height + 8);
  }

  /** After a layout, limits the position once the rows are known, and shows it. */
  update() {
    const { layout, rows, state } = this.app;
    this.furthest = layout.furthest();
    if (this.app.placed && rows.known && layout.complete && state.y > this.furthest) {
      this.app.set({ y: this.furthest }, { push: false });
    }
    const seen = this.furthest > 0 ? Math.max(1, rows.total - this.furthest) / rows.total : 1;
    const height = layout.height - (layout.pins.scrolls ? layout.pinnedHeight : 0);
    this.bar.show(this.furthest > 0 ? state.y / this.furthest : 0, seen, height);
  }
}
