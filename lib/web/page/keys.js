// SPDX-License-Identifier: BSD-3-Clause
// The keys of the timeline, and the actions that they run.

import { byId, isTyping } from "./dom.js";
import { rowName } from "./rows.js";
import { VIEWS } from "./state.js";

import { PREFERENCES } from "./prefs.js";
import { closeTree, toggleTree } from "./tree.js";

const ZOOM = 1.5;
const PAN = 0.15;
const FASTER = 3;
const HOLD = 160;

/**
 * Actions by key. A letter stands for both cases, unless the key with Shift has its own action.
 * @type {Record<string, string>}
 */
const KEYS = {
  f: "fit",
  r: "area-of-selection",
  b: "why",
  m: "mark",
  n: "note",
  "shift+m": "clear-marks",
  h: "hide",
  "shift+h": "show-all",
  p: "pin",
  c: "compact",
  l: "labels",
  x: "labels",
  o: "overlay",
  t: "tooltips",
  e: "arrows",
  g: "goto",
  u: "tree",
  "shift+u": "tree-close",
  q: "panel",
  v: "live",
  "shift+v": "live-pause",
  0: "home",
  Home: "home",
  z: "home",
  "[": "follow-back",
  "]": "follow-forth",
  ".": "next",
  ",": "previous",
  "/": "search",
  "?": "help",
  1: "view-proc",
  2: "view-thread",
  3: "view-goroutine",
  4: "view-task",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  ArrowRight: "next",
  ArrowLeft: "previous",
  ArrowUp: "up",
  ArrowDown: "down",
  Escape: "escape",
  PageDown: "page-down",
  PageUp: "page-up",
  "shift+p": "pins-only",
  y: "copy-link",
  "shift+y": "copy-curl",
  "shift+PageDown": "pins-down",
  "shift+PageUp": "pins-up",
  Enter: "fit",
  "ctrl+z": "undo",
  "ctrl+y": "redo",
  "ctrl+shift+z": "redo",
  "ctrl+shift+p": "palette",
  "shift+F10": "menu",
  ContextMenu: "menu",
};

/** @type {Record<string, string>} */
const MOTIONS = { w: "zoom-in", s: "zoom-out", a: "pan-left", d: "pan-right" };

/** @param {KeyboardEvent} event */
function keyName(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = /^[a-z]$/.test(key) || key.length > 1;
  const parts = [
    (event.ctrlKey || event.metaKey) && "ctrl",
    event.shiftKey && letter && "shift",
    key,
  ];
  return parts.filter(Boolean).join("+");
}

/**
 * Whether the focused element handles this key itself.
 * @param {KeyboardEvent} event
 */
function isTaken(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (isTyping(target) || target.closest("dialog, [role=menu]")) return true;
  const plain = [
    "Enter",
    " ",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "PageUp",
    "PageDown",
  ].includes(event.key);
  return (
    plain &&
    target.closest(
      "button, a, summary, [role=tab], [role=slider], [role=separator], [role=scrollbar], " +
        "#panel, input",
    ) !== null
  );
}

/** Zooms and pans continuously while a key is held. */
class Motion {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, { since: number, fast: boolean }>} */
    this.held = new Map();
    window.addEventListener("blur", () => this.held.clear());
  }

  /**
   * @param {string} key
   * @param {boolean} fast
   */
  press(key, fast) {
    if (this.held.has(key)) return;
    this.held.set(key, { since: performance.now(), fast });
    this.app.run(MOTIONS[key], fast);
    if (this.held.size === 1) this.loop();
  }

  /** @param {string} key */
  release(key) {
    this.held.delete(key);
  }

  /** Repeats the motions of the keys that are held long enough; a short press is a single step. */
  loop() {
    let last = performance.now();
    const turn = (/** @type {number} */ now) => {
      const elapsed = Math.min(50, Math.max(0, now - last));
      last = now;
      for (const [key, { since, fast }] of this.held) {
        if (now - since > HOLD) this.go(MOTIONS[key], (elapsed / 1000) * (fast ? FASTER : 1));
      }
      if (this.held.size > 0) requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  /**
   * @param {string} name
   * @param {number} seconds
   */
  go(name, seconds) {
    const { app } = this;
    if (name === "zoom-in") zoom(app, Math.exp(-2.6 * seconds), false);
    else if (name === "zoom-out") zoom(app, Math.exp(2.6 * seconds), false);
    else pan(app, (name === "pan-left" ? -1 : 1) * 0.9 * seconds, false);
  }
}

/**
 * Zooms around the pointer or, if it is elsewhere, around the middle.
 * @param {App} app
 * @param {number} factor
 */
function zoom(app, factor, glide = true) {
  const { s, e } = app.view.target;
  const at = app.cursor !== null && app.cursor >= s && app.cursor <= e ? app.cursor : (s + e) / 2;
  app.input.zoomAt(at, factor, glide);
}

/**
 * @param {App} app
 * @param {number} share
 */
function pan(app, share, glide = true) {
  const { s, e } = app.view.target;
  app.set({ s: s + (e - s) * share, e: e + (e - s) * share }, { glide });
}

/**
 * The row that an action applies to: the given one, the one under the pointer, the focused one or
 * that of the selection.
 * @param {App} app
 * @param {Row | undefined} row
 */
function rowFor(app, row) {
  if (row) return row;
  if (app.hover?.row && !app.hover.row.header) return app.hover.row;
  return app.focused ?? app.selection?.row ?? null;
}

/**
 * @param {string[]} list
 * @param {string} name
 */
function toggleName(list, name) {
  return list.includes(name) ? list.filter((each) => each !== name) : [...list, name];
}

/**
 * Pins a row, which becomes the last one and is brought into sight, or unpins it.
 * @param {App} app
 * @param {Row | undefined} given
 */
function pinRow(app, given) {
  const row = rowFor(app, given);
  if (!row) return;
  const list = toggleName(app.state.pin, rowName(row));
  const added = list.length > app.state.pin.length;
  app.set({ pin: list, ...(added && { pinY: list.length }) });
}

/**
 * Shows only the pinned rows of the view, or all rows again.
 * @param {App} app
 */
function toggleOnly(app) {
  if (app.rows.pinNames().length > 0) app.set({ only: !app.state.only, pinY: 0 });
  else app.status.say("No row of this view is pinned. P pins the row at the pointer.");
}

/**
 * @param {App} app
 * @param {Row | undefined} given
 */
function hide(app, given) {
  const row = rowFor(app, given);
  if (!row) return;
  const name = rowName(row);
  app.set({
    hide: toggleName(app.state.hide, name),
    pin: app.state.pin.filter((each) => each !== name),
  });
}

/** @param {App} app */
function mark(app) {
  const time = Math.round(app.cursor ?? app.selection?.start ?? (app.state.s + app.state.e) / 2);
  app.measuring = true;
  app.set({ marks: [...app.state.marks, time] });
}

/** @param {App} app */
function clearMarks(app) {
  app.measuring = false;
  if (app.state.marks.length > 0) app.set({ marks: [] });
}

/**
 * Undoes one thing at a time: measuring, the area, the selection, the highlights, the marks.
 * @param {App} app
 */
function escape(app) {
  if (app.measuring) app.measuring = false;
  else if (app.state.area) app.set({ area: null });
  else if (app.selection) app.selecting.clear();
  else if (app.highlighted.length > 0) app.highlights([]);
  else if (app.state.marks.length > 0) clearMarks(app);
  app.invalidate("overlay");
}

/**
 * Opens the menu at the position of the keyboard: the selected span or the focused row.
 * @param {App} app
 */
function menu(app) {
  const box = byId("rows-box").getBoundingClientRect();
  const placed = app.selection && app.layout.tracks.get(app.selection.track);
  const x =
    box.left +
    (app.selection ? Math.max(8, Math.min(box.width - 8, app.view.x(app.selection.start) + 4)) : 8);
  const y = box.top + (placed ? placed.lane.y + placed.lane.height : 20);
  app.emit("menu", { x, y, hit: app.hit(x, y - 2), selection: app.selection });
}

/** @param {App} app */
function actionsOf(app) {
  /** @type {Record<string, Action>} */
  const list = {
    "zoom-in": (/** @type {boolean} */ fast) => zoom(app, 1 / (fast ? ZOOM ** FASTER : ZOOM)),
    "zoom-out": (/** @type {boolean} */ fast) => zoom(app, fast ? ZOOM ** FASTER : ZOOM),
    "pan-left": (/** @type {boolean} */ fast) => pan(app, -PAN * (fast ? FASTER : 1)),
    "pan-right": (/** @type {boolean} */ fast) => pan(app, PAN * (fast ? FASTER : 1)),
    fit: () => app.selecting.fit(),
    home: () => app.set({ s: null, e: null }),
    undo: () => app.undo(),
    redo: () => app.redo(),
    next: () => app.selecting.step(1),
    previous: () => app.selecting.step(-1),
    up: () => app.selecting.move(-1),
    down: () => app.selecting.move(1),
    "page-down": () => app.scroller.page(1),
    "page-up": () => app.scroller.page(-1),
    "pins-down": () => app.layout.pins.page(1),
    "pins-up": () => app.layout.pins.page(-1),
    "follow-back": () => app.selecting.follow(-1),
    "follow-forth": () => app.selecting.follow(1),
    "area-of-selection": () => app.selecting.toArea(),
    mark: () => mark(app),
    "clear-marks": () => clearMarks(app),
    pin: (/** @type {Row | undefined} */ row) => pinRow(app, row),
    "pins-only": () => toggleOnly(app),
    hide: (/** @type {Row | undefined} */ row) => hide(app, row),
    tree: () => toggleTree(app, rowFor(app, undefined)),
    "tree-close": () => closeTree(app),
    "show-all": () => app.set({ hide: [] }),
    escape: () => escape(app),
    menu: () => menu(app),
  };
  for (const name of PREFERENCES) list[name] = () => app.togglePref(name);
  for (const view of VIEWS) list[`view-${view}`] = () => app.set({ view, tree: null });
  return list;
}

/**
 * @param {App} app
 * @param {Motion} motion
 * @param {KeyboardEvent} event
 */
function onKeyDown(app, motion, event) {
  if (event.defaultPrevented || event.isComposing || isTaken(event)) return;
  if (event.key === " ") {
    event.preventDefault();
    app.input.space = true;
    app.input.canvas.classList.add("is-pannable");
    return;
  }
  const letter = event.key.toLowerCase();
  if (letter in MOTIONS && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    motion.press(letter, event.shiftKey);
    return;
  }
  const name = KEYS[keyName(event)];
  if (!name || event.altKey || !app.actions.has(name)) return;
  event.preventDefault();
  app.run(name);
}

/**
 * @param {App} app
 * @param {Motion} motion
 * @param {KeyboardEvent} event
 */
function onKeyUp(app, motion, event) {
  motion.release(event.key.toLowerCase());
  if (event.key !== " ") return;
  app.input.space = false;
  app.input.canvas.classList.remove("is-pannable");
}

/**
 * Registers the actions and listens for their keys.
 * @param {App} app
 */
export function startKeys(app) {
  const motion = new Motion(app);
  for (const [name, fn] of Object.entries(actionsOf(app))) app.actions.set(name, fn);
  document.addEventListener("keydown", (event) => onKeyDown(app, motion, event));
  document.addEventListener("keyup", (event) => onKeyUp(app, motion, event));
}
