// SPDX-License-Identifier: BSD-3-Clause
// Paints a flame graph that has been laid out. Only frames on the screen are visited, and adjacent
// frames too narrow to be told apart are painted as one, so the cost depends on the screen, not on
// the tree.

import { firstNodeAfter } from "./flamelayout.js";
import { parseColor, classTitle, classVar, CLASS_INDEX } from "./colors.js";

export const ROW = 19;
const NARROW = 0.7;
const FONT = "11px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/**
 * The input of drawFlame(). `root` is the node that is zoomed to, and `top` is the scroll position.
 * @typedef {object} FlameScene
 * @property {FlameTree} tree
 * @property {{ from: number, to: number }} view
 * @property {number} root
 * @property {Uint8Array | null} matches
 * @property {number} hovered
 * @property {number} selected
 * @property {number} width
 * @property {number} height
 * @property {number} top
 * @property {boolean} focused
 * @property {boolean} lines Whether frames have their line beside the name.
 */

/** @typedef {{ theme: ReturnType<typeof themeOf>, scale: number, letter: number }} PaintingFacts */

/**
 * A scene with values that are computed for each drawing: the colours, the pixels per unit of x,
 * and the width of a letter.
 * @typedef {FlameScene & PaintingFacts} Painting
 */

/** @type {Map<string, string>} */
const colours = new Map();
/** @type {Map<string, string>} */
const contrasts = new Map();

/**
 * FNV-1a, which gives a name the same colour in every graph.
 * @param {string} text
 */
function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/**
 * The index at which the package part of a function's name ends: after the first dot that follows
 * the path.
 * @param {string} name
 */
export function packageEnd(name) {
  if (name.startsWith("[") || name.startsWith("(")) return 0;
  const path = name.lastIndexOf("/", name.includes("[") ? name.indexOf("[") : undefined);
  const dot = name.indexOf(".", path + 1);
  return dot < 0 ? 0 : dot + 1;
}

/**
 * The colour of a function: the package determines the hue, the function the shade. Frames of the
 * runtime are grey.
 * @param {string} name
 * @param {boolean} dark
 */
function colourOf(name, dark) {
  const key = dark ? `d${name}` : name;
  let colour = colours.get(key);
  if (colour !== undefined) return colour;
  const owner = name.slice(0, packageEnd(name));
  const shade = (hash(name) % 9) - 4;
  const quiet = owner === "" || /^(runtime[./]|internal\/runtime\/)/.test(owner);
  const hue = quiet ? 220 : ((hash(owner) >>> 9) % 24) * 15;
  const strength = quiet ? 8 : dark ? 34 : 58;
  const light = (dark ? 33 : 80) + shade;
  colour = `hsl(${hue} ${strength}% ${light}%)`;
  colours.set(key, colour);
  return colour;
}

/**
 * The class of a frame such as [wait_chan], which groups the stacks of one state; or null.
 * @param {string} name
 */
function stateClassOf(name) {
  const inner = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : "";
  return inner in CLASS_INDEX ? inner : null;
}

/**
 * A frame's name as it is displayed.
 * @param {string} name
 */
export function frameTitle(name) {
  const state = stateClassOf(name);
  return state ? classTitle(state) : name;
}

/**
 * The change of a node compared with the other side, from -1 (it has disappeared) to 1 (it is new).
 * @param {FlameTree} tree
 * @param {number} i
 */
export function changeOf(tree, i) {
  const before = tree.before?.[i] ?? 0;
  const both = tree.total[i];
  return both > 0 ? (both - 2 * before) / both : 0;
}

/**
 * The colour of a change: blue for less and red for more, which colour-blind eyes tell apart, and
 * grey for about the same. The stronger the change, the more it differs from grey in lightness.
 * @param {number} change
 * @param {boolean} dark
 */
export function changeColor(change, dark) {
  const strength = Math.round(Math.sqrt(Math.abs(change)) * 10);
  const hue = change < 0 ? 215 : 14;
  const light = dark ? 26 + strength * 1.6 : 90 - strength * 2.4;
  return `hsl(${hue} ${strength * (dark ? 6 : 8)}% ${light}%)`;
}

/**
 * A frame's title, with its line if that is wanted and known.
 * @param {FlameTree} tree
 * @param {number} i
 * @param {boolean} lines
 */
export function frameLabel(tree, i, lines) {
  const title = frameTitle(tree.name[i]);
  return lines && tree.line[i] > 0 ? `${title}:${tree.line[i]}` : title;
}

/**
 * @param {Painting} scene
 * @param {number} i
 */
function fillOf(scene, i) {
  const name = scene.tree.name[i];
  if (scene.tree.before) return changeColor(changeOf(scene.tree, i), scene.theme.dark);
  const state = stateClassOf(name);
  if (!state) return colourOf(name, scene.theme.dark);
  const variable = classVar(state).slice(4, -1);
  return scene.theme.style.getPropertyValue(variable).trim();
}

/**
 * The page's colours. They are read for each drawing, since the theme may have changed.
 * @param {HTMLCanvasElement} canvas
 */
function themeOf(canvas) {
  const style = getComputedStyle(canvas);
  const value = (/** @type {string} */ name, /** @type {string} */ otherwise) =>
    style.getPropertyValue(name).trim() || otherwise;
  return {
    style,
    text: value("--fg", "#111"),
    accent: value("--accent", "#06c"),
    blank: value("--line", "#ccc"),
    quiet: value("--faint", "#888"),
    dark: isDark(value("--bg", "#fff")),
  };
}

/**
 * Whether a colour in any CSS notation is dark.
 * @param {string} colour
 */
function isDark(colour) {
  const [red, green, blue] = parseColor(colour);
  return red * 0.3 + green * 0.6 + blue * 0.1 < 128;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 */
function sizeCanvas(canvas, context, width, height) {
  const ratio = devicePixelRatio || 1;
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
}

/**
 * Draws a name, shortened to fit. The package is dropped first, since the function says more.
 * @param {CanvasRenderingContext2D} context
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} letter
 */
function drawName(context, name, x, y, width, letter) {
  const room = Math.floor((width - 7) / letter);
  if (room < 2) return;
  const split = packageEnd(name);
  const alpha = context.globalAlpha;
  let rest = name.slice(split);
  if (name.length <= room) {
    context.globalAlpha = alpha * 0.62;
    context.fillText(name.slice(0, split), x + 4, y);
    context.globalAlpha = alpha;
    context.fillText(rest, x + 4 + split * letter, y);
    return;
  }
  if (rest.length > room) rest = `${rest.slice(0, room - 1)}…`;
  context.fillText(rest, x + 4, y);
}

/**
 * The colour of the text on a frame. Functions' colours go with the theme's text; those of classes
 * may be light or dark.
 * @param {Painting} scene
 * @param {string} fill
 */
function frameTextColor(scene, fill) {
  if (fill.startsWith("hsl")) return scene.theme.text;
  const color = contrasts.get(fill) ?? (isDark(fill) ? "#fff" : "#111");
  contrasts.set(fill, color);
  return color;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Painting} scene
 * @param {number} i
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function drawFrame(context, scene, i, x, y, width) {
  const { tree, theme, matches } = scene;
  const faded = (matches && !matches[i]) || i < scene.root;
  context.globalAlpha = faded ? 0.38 : 1;
  const fill = i === 0 && !tree.before ? theme.blank : fillOf(scene, i);
  context.fillStyle = fill;
  context.fillRect(x, y, Math.max(width - (width > 3 ? 1 : 0), NARROW), ROW - 1);
  if (width > 20) {
    context.fillStyle = frameTextColor(scene, fill);
    drawName(
      context,
      i === 0 ? "all" : frameLabel(tree, i, scene.lines),
      x,
      y + ROW / 2,
      width,
      scene.letter,
    );
  }
  context.globalAlpha = 1;
}

/**
 * Draws the frames of one depth. Runs of narrow frames become one faint bar.
 * @param {CanvasRenderingContext2D} context
 * @param {Painting} scene
 * @param {number[]} level
 * @param {number} y
 */
function drawLevel(context, scene, level, y) {
  const { tree, view, scale, width } = scene;
  /** @type {{ from: number, to: number, matched: boolean } | null} */
  let narrow = null;
  const flush = () => {
    if (!narrow) return;
    context.globalAlpha = narrow.matched ? 0.9 : scene.matches ? 0.18 : 0.38;
    context.fillStyle = narrow.matched ? scene.theme.accent : scene.theme.quiet;
    context.fillRect(narrow.from, y, Math.max(narrow.to - narrow.from, NARROW), ROW - 1);
    context.globalAlpha = 1;
    narrow = null;
  };
  for (let k = firstNodeAfter(tree, level, view.from); k < level.length; k++) {
    const i = level[k];
    if (tree.x[i] >= view.to) break;
    const from = Math.max((tree.x[i] - view.from) * scale, 0);
    const to = Math.min((tree.x[i] + tree.total[i] - view.from) * scale, width);
    if (to - from >= 1.5) {
      flush();
      drawFrame(context, scene, i, from, y, to - from);
    } else if (narrow && from - narrow.to < NARROW) {
      narrow.to = to;
      narrow.matched ||= scene.matches?.[i] === 1;
    } else {
      flush();
      narrow = { from, to, matched: scene.matches?.[i] === 1 };
    }
  }
  flush();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Painting} scene
 * @param {number} i
 * @param {string} colour
 * @param {number} line
 */
function outline(context, scene, i, colour, line) {
  const { tree, view, scale, width } = scene;
  if (i < 0 || i >= tree.count) return;
  const from = Math.max((tree.x[i] - view.from) * scale, 0);
  const to = Math.min((tree.x[i] + tree.total[i] - view.from) * scale, width);
  if (to <= 0 || from >= width) return;
  context.strokeStyle = colour;
  context.lineWidth = line;
  const top = tree.depth[i] * ROW - scene.top;
  context.strokeRect(
    from + line / 2,
    top + line / 2,
    Math.max(to - from - line - 0.5, 1),
    ROW - 1 - line,
  );
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} context
 * @param {FlameScene} given
 */
export function drawFlame(canvas, context, given) {
  sizeCanvas(canvas, context, given.width, given.height);
  context.font = FONT;
  context.textBaseline = "middle";
  const scene = {
    ...given,
    theme: themeOf(canvas),
    scale: given.width / (given.view.to - given.view.from),
    letter: context.measureText("mmmmmmmmmm").width / 10,
  };
  const first = Math.floor(scene.top / ROW);
  const last = Math.min(Math.ceil((scene.top + scene.height) / ROW), scene.tree.levels.length);
  for (let depth = first; depth < last; depth++) {
    drawLevel(context, scene, scene.tree.levels[depth], depth * ROW - scene.top);
  }
  outline(context, scene, scene.hovered, scene.theme.text, 1);
  if (scene.selected > 0 || scene.focused)
    outline(context, scene, Math.max(scene.selected, 0), scene.theme.accent, 2);
}
