// SPDX-License-Identifier: BSD-3-Clause
// A task as a tree of rows: the task, the goroutines that worked for it, and its subtasks. The rows
// come from the server as any other listing; what is special about them is here.

import { getJSON } from "./api.js";
import { palette } from "./colors.js";
import { timelineAddress } from "./names.js";

/** The space at both sides of a task when its tree is opened, as a share of the task's duration. */
const PADDING = 0.03;
/** The opacity of the veil over the times in which goroutines did not work for the task. */
const FADED = 0.62;

/**
 * Whether a row of the tree has others below it.
 * @param {Row} row
 */
export function isBranch(row) {
  return !row.header && (row.inside ?? 0) > 0;
}

/**
 * The address of the tree of a task, in the task's time.
 * @param {TimeRange & { id: number }} task
 */
export function treeAddress({ id, start, end }) {
  const room = Math.max(100, (end - start) * PADDING);
  const range = { s: Math.max(0, Math.floor(start - room)), e: Math.ceil(end + room) };
  return timelineAddress({ view: "task", tree: id, ...range });
}

/**
 * Shows a task as a tree, and its time.
 * @param {App} app
 * @param {number} id
 */
export async function openTree(app, id) {
  try {
    const { start, end } = await getJSON("api/row", { view: "task", id });
    app.set({ view: "task", tree: id, filter: "", area: null, y: 0 });
    app.zoomTo(start, end, { padding: PADDING });
    app.speech.say(`Task ${id} as a tree`);
  } catch (error) {
    app.report(error);
  }
}

/**
 * Shows all tasks again, at the one that was open.
 * @param {App} app
 */
export async function closeTree(app) {
  const { tree } = app.rows;
  if (tree === null) return;
  app.set({ tree: null, filter: "" });
  await app.reveal({ view: "task", row_id: tree });
}

/**
 * Opens the tree of a row's task or, within a tree, folds or unfolds what is below the row.
 * @param {App} app
 * @param {RowRef | null} row
 */
export async function toggleTree(app, row) {
  if (row?.view !== "task") {
    app.status.say("Only tasks unfold. 4 shows the tasks of the trace.");
    return;
  }
  if (app.rows.tree === null) await openTree(app, row.id);
  else await app.rows.toggleRow(row);
}

/**
 * Fades the times in which goroutines did not work for the task, on the rows of a tree.
 * @param {App} app
 * @param {CanvasRenderingContext2D} context
 */
export function fadeOthers({ layout, view }, context) {
  context.fillStyle = palette.bg;
  context.globalAlpha = FADED;
  for (const item of layout.items) {
    const worked = item.row?.worked;
    // If not all times are known, those that are missing must not look idle.
    if (!worked || worked.length < (item.row?.worked_total ?? 0)) continue;
    const [top, bottom] = layout.extentOf(item);
    let from = 0;
    for (const [start, end] of [...worked, [Infinity, Infinity]]) {
      const [left, right] = [Math.max(0, from), Math.min(view.width, view.x(start))];
      if (right > left && bottom > top) context.fillRect(left, top, right - left, bottom - top - 1);
      from = view.x(end);
    }
  }
  context.globalAlpha = 1;
}
