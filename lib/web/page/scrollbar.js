// SPDX-License-Identifier: BSD-3-Clause
// A scroll bar for what is scrolled by this page and not by the browser: with a thumb to drag, the
// wheel, and the keys that the browser's own has.

import { findIn } from "./dom.js";

const LEAST_THUMB = 28;
const STEP = 40;

/**
 * What a scroll bar moves: by pixels, or to a share of the way from the first to the last position.
 * @typedef {object} Scrolled
 * @property {(pixels: number) => void} by
 * @property {(share: number) => void} to
 */

export class Scrollbar {
  /**
   * @param {HTMLElement} element
   * @param {Scrolled} scrolled
   */
  constructor(element, scrolled) {
    this.element = element;
    this.scrolled = scrolled;
    this.thumb = findIn(element, "i", HTMLElement);
    /** The share that is scrolled, the height of the thumb, and the distance that it can move. */
    this.share = 0;
    this.size = 0;
    this.room = 0;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /**
   * Shows a position. `seen` is the share of everything that is in sight.
   * @param {number} share
   * @param {number} seen
   * @param {number} height
   */
  show(share, seen, height) {
    const needed = seen < 1;
    this.thumb.hidden = !needed;
    this.element.tabIndex = needed ? 0 : -1;
    this.share = Math.max(0, Math.min(1, share));
    this.size = Math.min(height, Math.max(LEAST_THUMB, height * seen));
    this.room = needed ? height - this.size : 0;
    this.thumb.style.height = `${this.size}px`;
    this.thumb.style.transform = `translateY(${this.share * this.room}px)`;
    this.element.setAttribute("aria-valuenow", String(Math.round(this.share * 100)));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.scrolled.by(event.deltaY);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(STEP, this.element.clientHeight - STEP);
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowUp: () => this.scrolled.by(-STEP),
      ArrowDown: () => this.scrolled.by(STEP),
      PageUp: () => this.scrolled.by(-page),
      PageDown: () => this.scrolled.by(page),
      Home: () => this.scrolled.to(0),
      End: () => this.scrolled.to(1),
    };
    if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  }

  /**
   * Drags the thumb; a press beside it jumps there first.
   * @param {PointerEvent} event
   */
  press(event) {
    if (event.button !== 0 || this.room <= 0) return;
    event.preventDefault();
    const box = this.element.getBoundingClientRect();
    const top = event.clientY - box.top;
    const grip = event.target === this.thumb ? top - this.share * this.room : this.size / 2;
    const move = (/** @type {MouseEvent} */ each) =>
      this.scrolled.to((each.clientY - box.top - grip) / this.room);
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
