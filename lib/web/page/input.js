// SPDX-License-Identifier: BSD-3-Clause
// Handles the pointer on the timeline: selecting, measuring, panning and zooming.

import { byId } from "./dom.js";

/**
 * A drag that began when the button was pressed. `range` is the area it covered, set when it ends.
 * @typedef {object} Drag
 * @property {string} gesture
 * @property {Point} began
 * @property {Point} last
 * @property {number} time
 * @property {boolean} moved
 * @property {AreaRange | null} range
 */

const CLICK = 4;
const LINE = 18;
const FASTEST = 0.4;
const EDGE = 18;

/**
 * The zoom factor for a wheel event. Browsers report a pinch as many small turns with Ctrl.
 * @param {WheelEvent} event
 */
function zoomFactor(event) {
  const turn = event.deltaMode === 1 ? event.deltaY * LINE : event.deltaY;
  const limited = Math.max(-120, Math.min(120, turn));
  return Math.exp(
    Math.max(-FASTEST, Math.min(FASTEST, limited * (Math.abs(turn) < 30 ? 0.01 : 0.0035))),
  );
}

export class Input {
  /**
   * @param {App} app
   * @param {HTMLCanvasElement} canvas
   */
  constructor(app, canvas) {
    this.app = app;
    this.canvas = canvas;
    /** @type {Map<number, Point>} */
    this.pointers = new Map();
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {{ clientX: number, clientY: number } | null} */
    this.pointer = null;
    this.space = false;
    const box = byId("rows-box");
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.cancel(event));
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", (event) => this.zoomToItem(event));
    canvas.addEventListener("auxclick", (event) => event.preventDefault());
    canvas.addEventListener("mousedown", (event) => event.button === 1 && event.preventDefault());
    for (const each of [box, byId("labels-box")]) {
      each.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
      each.addEventListener("contextmenu", (event) => this.menu(event));
    }
    byId("labels").addEventListener("pointermove", (event) => this.hover(event));
    byId("labels").addEventListener("pointerleave", () => this.leave());
    this.startAxis(byId("axis"));
  }

  /** @param {MouseEvent} event */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /**
   * The gesture that a press begins. A finger always pans, since touch screens have no other way
   * to.
   * @param {PointerEvent} event
   */
  gestureOf(event) {
    if (event.button === 1 || this.space || event.pointerType === "touch") return "pan";
    if (event.button !== 0) return null;
    return event.ctrlKey || event.metaKey ? "zoom" : "area";
  }

  /** @param {PointerEvent} event */
  press(event) {
    const gesture = this.gestureOf(event);
    if (!gesture) return;
    if (event.button === 1) event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.place(event));
    const at = this.place(event);
    this.beginDrag(gesture, at);
    this.app.tooltip.hide();
  }

  /**
   * @param {string} gesture
   * @param {Point} at
   */
  beginDrag(gesture, at) {
    const time = this.app.view.time(at.x);
    this.drag = { gesture, began: at, last: at, time, moved: false, range: null };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.place(event);
    if (this.pointers.size === 2 && this.pointers.has(event.pointerId)) this.pinch(event, at);
    else if (this.drag) this.dragTo(this.drag, at);
    this.hover(event);
  }

  /**
   * @param {Drag} drag
   * @param {Point} at
   */
  dragTo(drag, at) {
    drag.moved ||= Math.hypot(at.x - drag.began.x, at.y - drag.began.y) > CLICK;
    if (!drag.moved) return;
    this.app.tooltip.hide();
    if (drag.gesture === "pan") this.panTo(drag, at);
    else this.rangeTo(drag, at);
    drag.last = at;
  }

  /**
   * @param {Drag} drag
   * @param {Point} at
   */
  panTo(drag, at) {
    const { app } = this;
    this.canvas.classList.add("is-panning");
    const { s, e } = app.view.target;
    const by = ((drag.last.x - at.x) / app.view.width) * (e - s);
    app.set({ s: s + by, e: e + by }, { glide: false });
    if (drag.last.y !== at.y) this.scrollAt(drag.began.y, drag.last.y - at.y);
  }

  /**
   * Extends the area from where the drag began, over whole rows.
   * @param {Drag} drag
   * @param {Point} at
   */
  rangeTo(drag, at) {
    const { app } = this;
    const time = app.view.time(Math.max(0, Math.min(app.view.width, at.x)));
    const whole = (/** @type {number} */ each) =>
      Math.round(Math.max(0, Math.min(app.view.duration, each)));
    /** @type {AreaRange} */
    const area = {
      start: whole(Math.min(drag.time, time)),
      end: whole(Math.max(drag.time, time)),
      tracks: null,
    };
    const zoom = drag.gesture === "zoom";
    this.canvas.classList.toggle("is-zooming", zoom);
    const rows = zoom
      ? null
      : this.rowsBetween(Math.min(drag.began.y, at.y), Math.max(drag.began.y, at.y));
    if (rows) area.tracks = rows.tracks;
    app.overlay.drag = { area, extent: rows?.extent ?? [0, app.height] };
    app.invalidate("overlay");
  }

  /**
   * @param {number} top
   * @param {number} bottom
   */
  rowsBetween(top, bottom) {
    const { layout } = this.app;
    const items = layout.items.filter((item) => {
      const [above, below] = layout.extentOf(item);
      return above < bottom && below > top && above < below && item.lanes.length > 0;
    });
    if (items.length === 0) return null;
    const extents = items.map((item) => layout.extentOf(item));
    /** @type {[top: number, bottom: number]} */
    const extent = [
      Math.min(...extents.map(([above]) => above)),
      Math.max(...extents.map(([, below]) => below)),
    ];
    return {
      tracks: items.flatMap((item) => item.lanes.map((lane) => lane.track)),
      extent,
    };
  }

  /**
   * @param {PointerEvent} event
   * @param {Point} at
   */
  pinch(event, at) {
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const before = this.pointers.get(event.pointerId);
    if (!other || !before) return;
    const was = Math.max(8, Math.hypot(before.x - other.x, before.y - other.y));
    const is = Math.max(8, Math.hypot(at.x - other.x, at.y - other.y));
    this.pointers.set(event.pointerId, at);
    this.zoomAt(this.app.view.time((at.x + other.x) / 2), was / is, false);
    if (this.drag) Object.assign(this.drag, { moved: true, last: other, gesture: "pinch" });
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { drag, app } = this;
    this.pointers.delete(event.pointerId);
    this.endDrag();
    if (!drag) return;
    if (!drag.moved) this.click(event, drag);
    else if (drag.gesture === "area" && drag.range) app.set({ area: drag.range });
    else if (drag.gesture === "zoom" && drag.range) app.zoomTo(drag.range.start, drag.range.end);
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    this.pointers.delete(event.pointerId);
    this.endDrag();
  }

  endDrag() {
    const { app, drag } = this;
    if (drag) drag.range = app.overlay.drag?.area ?? null;
    this.drag = null;
    app.overlay.drag = null;
    this.canvas.classList.remove("is-panning", "is-zooming");
    app.invalidate("overlay");
  }

  /**
   * Selects the item at the pointer. For a merged bar this is the span at that time.
   * @param {PointerEvent} event
   * @param {Drag} drag
   */
  async click(event, drag) {
    const { app } = this;
    const hit = app.hit(event.clientX, event.clientY);
    if (drag.gesture === "zoom") {
      this.zoomToItem(event);
      return;
    }
    if (hit?.place?.row?.header) app.rows.toggleGroup(hit.place.index);
    if (!hit?.item) {
      this.clickEmpty(hit);
      return;
    }
    const { track, index, count } = hit.item;
    if (count === 1) await app.select(track, index, { reveal: false });
    else await app.selecting.selectAt(track, hit.time);
  }

  /**
   * Handles a click beside the items. A click on the sign at an edge of the screen moves to the
   * spans of the row.
   * @param {Hit | null} hit
   */
  clickEmpty(hit) {
    const { app } = this;
    const row = hit?.row && !hit.row.header ? hit.row : null;
    const x = hit?.x ?? 0;
    if (row) app.focusRow(row);
    if (row && x < EDGE && row.end < app.view.s) app.selecting.center(row.end);
    else if (row && x > app.view.width - EDGE && row.start > app.view.e)
      app.selecting.center(row.start);
    else if (app.selection) app.selecting.clear();
  }

  /** @param {MouseEvent} event */
  zoomToItem(event) {
    const item = this.app.hit(event.clientX, event.clientY)?.item;
    if (item) this.app.zoomTo(item.start, item.end, { padding: item.count === 1 ? 0.1 : 0.5 });
  }

  /** @param {MouseEvent} event */
  hover(event) {
    this.pointer = { clientX: event.clientX, clientY: event.clientY };
    this.track();
  }

  /** Updates what is under the pointer, which may also change because the rows moved. */
  track() {
    const { app, pointer } = this;
    if (!pointer) return;
    const { hover: before, cursor } = app;
    const hit = app.hit(pointer.clientX, pointer.clientY);
    app.hover = hit;
    app.cursor = hit && !hit.inLabels ? hit.time : null;
    if (before?.row !== hit?.row) app.invalidate("labels");
    if (app.cursor !== cursor) app.invalidate("overlay", "axis", "counters");
    if (this.drag?.moved) return;
    app.tooltip.show(hit, pointer.clientX, pointer.clientY);
    app.emit("hover", hit);
  }

  leave() {
    const { app } = this;
    this.pointer = null;
    app.hover = null;
    app.cursor = null;
    app.tooltip.hide();
    app.emit("hover", null);
    app.invalidate("overlay", "axis", "counters", "labels");
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const { app } = this;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? LINE : 1;
    if (event.ctrlKey || event.metaKey)
      this.zoomAt(app.view.time(Math.max(0, this.place(event).x)), zoomFactor(event));
    else if (event.shiftKey) this.pan((event.deltaY || event.deltaX) * lines);
    else {
      if (event.deltaX !== 0) this.pan(event.deltaX * lines);
      if (event.deltaY !== 0) this.scrollAt(this.place(event).y, event.deltaY * lines);
    }
  }

  /**
   * Scrolls the rows at a vertical position: the pinned rows, if they can be scrolled, or the
   * others.
   * @param {number} y
   * @param {number} pixels
   */
  scrollAt(y, pixels) {
    const { layout, scroller } = this.app;
    if (layout.pins.scrollsAt(y)) layout.pins.by(pixels);
    else scroller.by(pixels);
  }

  /** @param {number} pixels */
  pan(pixels) {
    const { app } = this;
    const { s, e } = app.view.target;
    const by = (pixels / app.view.width) * (e - s);
    app.set({ s: s + by, e: e + by }, { glide: Math.abs(pixels) > 40 });
  }

  /**
   * Zooms by a factor around a time, which keeps its position.
   * @param {number} time
   * @param {number} factor
   */
  zoomAt(time, factor, glide = true) {
    const { s, e } = this.app.view.target;
    const most = this.app.view.duration * 1.04 + 40;
    const limited = Math.min(Math.max(factor, 10 / (e - s)), Math.max(1, most / (e - s)));
    this.app.set({ s: time - (time - s) * limited, e: time + (e - time) * limited }, { glide });
  }

  /** @param {MouseEvent} event */
  menu(event) {
    event.preventDefault();
    const hit = this.app.hit(event.clientX, event.clientY);
    this.app.tooltip.hide();
    this.app.emit("menu", {
      x: event.clientX,
      y: event.clientY,
      hit,
      selection: this.app.selection,
    });
  }

  /**
   * Handles the pointer on the axis: a drag selects the time of all rows, and Alt-click sets the
   * origin.
   * @param {HTMLElement} axis
   */
  startAxis(axis) {
    const { app } = this;
    axis.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const at = this.place(event);
      if (event.altKey) {
        app.set({
          origin: app.state.origin === null ? Math.round(app.view.time(at.x)) : null,
          tf: "rel",
        });
        return;
      }
      axis.setPointerCapture(event.pointerId);
      this.beginDrag(event.ctrlKey || event.metaKey ? "zoom" : "all", at);
    });
    axis.addEventListener("pointermove", (event) => {
      if (this.drag) this.dragAxis(this.drag, this.place(event));
      app.cursor = app.view.time(this.place(event).x);
      app.tooltip.showNote(app.cursor, event.clientX, event.clientY);
      app.invalidate("overlay", "axis", "counters");
    });
    axis.addEventListener("pointerup", () => {
      const { drag } = this;
      this.endDrag();
      if (drag?.range && drag.gesture === "all") app.set({ area: { ...drag.range, tracks: null } });
      else if (drag?.range) app.zoomTo(drag.range.start, drag.range.end);
    });
    axis.addEventListener("pointerleave", () => this.leave());
    axis.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoomAt(app.view.time(this.place(event).x), zoomFactor(event));
      },
      { passive: false },
    );
  }

  /**
   * @param {Drag} drag
   * @param {Point} at
   */
  dragAxis(drag, at) {
    const { app } = this;
    drag.moved ||= Math.abs(at.x - drag.began.x) > CLICK;
    if (!drag.moved) return;
    this.rangeTo(drag, at);
    if (!app.overlay.drag) return;
    app.overlay.drag.area.tracks = null;
    app.overlay.drag.extent = [0, app.height];
  }
}
