// SPDX-License-Identifier: BSD-3-Clause
// Determines what lies at a point of the page: the row, the lane, the time and the item.

import { CLASSES } from "./colors.js";
import { byId } from "./dom.js";
import { firstItemAfter } from "./lane.js";
import { levelFor } from "./tiles.js";

/**
 * @param {number} track
 * @param {TileItems} tile
 * @param {number} i
 * @returns {Item}
 */
function readItem(track, tile, i) {
  const count = tile.words[i * 10 + 4];
  const index = tile.words[i * 10 + 5];
  const shares = tile.shares.slice(i * 40 + 24, i * 40 + 40);
  return {
    track,
    start: tile.times[i * 5],
    end: tile.times[i * 5 + 1],
    count,
    index,
    cls: CLASSES[count === 1 ? shares[0] : shares.indexOf(Math.max(...shares))],
    label: count === 1 ? (tile.labels?.get(index) ?? null) : null,
    shares,
  };
}

/**
 * The item at a time, or the nearest one at most `reach` ns away.
 * @param {App} app
 * @param {number} track
 * @param {number} time
 * @param {number} reach
 */
export function itemAt(app, track, time, reach) {
  /** @type {Item | null} */
  let best = null;
  let distance = reach;
  const consider = (/** @type {TileItems} */ tile) => {
    const i = firstItemAfter(tile, time);
    for (const each of [i - 1, i]) {
      if (each < 0 || each >= tile.count) continue;
      const away = Math.max(tile.times[each * 5] - time, time - tile.times[each * 5 + 1], 0);
      if (away > distance || (best && away === distance)) continue;
      distance = away;
      best = readItem(track, tile, each);
    }
  };
  app.tiles.cover(
    track,
    levelFor(app.view.nsPerPixel),
    Math.max(0, time - reach),
    Math.max(0, time) + reach + 1,
    consider,
    () => {},
  );
  return best;
}

/**
 * Returns the row, the lane, the time and the item at a point of the page; null if the point is
 * outside of the rows.
 * @param {App} app
 * @param {number} clientX
 * @param {number} clientY
 */
export function hitAt(app, clientX, clientY) {
  const box = byId("rows-box").getBoundingClientRect();
  const names = byId("labels-box").getBoundingClientRect();
  const [x, y] = [clientX - box.left, clientY - box.top];
  if (clientX < names.left || x > box.width || y < 0 || y > box.height) return null;
  const place = app.layout.itemAt(y);
  const inLabels = x < 0;
  /** @type {Hit} */
  const hit = {
    row: place?.row ?? null,
    place,
    lane: null,
    track: null,
    time: app.view.time(x),
    item: null,
    x,
    y,
    inLabels,
  };
  if (!place?.row || place.row.header) return hit;
  hit.lane = app.layout.laneAt(place, y);
  hit.track = hit.lane?.track ?? null;
  const inLane = hit.lane && y >= hit.lane.y - 2 && y <= hit.lane.y + hit.lane.height + 2;
  if (hit.lane && inLane && !inLabels)
    hit.item = itemAt(app, hit.lane.track, hit.time, app.view.nsPerPixel * 2 * app.view.dpr);
  return hit;
}
