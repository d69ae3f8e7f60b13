// SPDX-License-Identifier: BSD-3-Clause
// The cache of tiles. If a tile is missing, coarser or finer tiles are drawn instead.

export const BINS = 1024;
export const LEVELS = 53;

const LIMIT = 64 << 20;
const STALE = 1000;
const FINER = 3;

/**
 * The level whose bins are at most a pixel wide.
 * @param {number} nsPerPixel
 */
export function levelFor(nsPerPixel) {
  return Math.max(0, Math.min(LEVELS - 1, Math.floor(Math.log2(nsPerPixel))));
}

/** @param {number} level */
export function tileSpan(level) {
  return BINS * 2 ** level;
}

/**
 * Level and index together fit into the 53 bits of a number: an index at level 0 has 38 bits.
 * @param {number} level
 * @param {number} index
 */
function tileKey(level, index) {
  return level * 2 ** 44 + index;
}

/** @typedef {(tile: CachedTile, from: number, to: number) => void} AddTile */
/** @typedef {(from: number, to: number) => void} AddGap */

export class TileCache {
  constructor() {
    /** @type {Map<number, Map<number, CachedTile>>} */
    this.tracks = new Map();
    this.bytes = 0;
    this.clock = 0;
  }

  /** Must be called once per frame. Tiles used in the same frame have the same age. */
  tick() {
    this.clock++;
  }

  /**
   * @param {number} track
   * @param {number} level
   * @param {number} index
   */
  get(track, level, index) {
    const tile = this.tracks.get(track)?.get(tileKey(level, index));
    if (tile) tile.used = this.clock;
    return tile;
  }

  /**
   * Whether a tile must be requested: it is missing, or comes from a trace that was still being
   * read.
   * @param {number} track
   * @param {number} level
   * @param {number} index
   * @param {number} now
   */
  lacks(track, level, index, now) {
    const tile = this.tracks.get(track)?.get(tileKey(level, index));
    return tile === undefined || (!tile.final && now - tile.at >= STALE);
  }

  /**
   * @param {number} track
   * @param {number} level
   * @param {number} index
   * @param {TileItems} tile
   * @param {boolean} final
   */
  put(track, level, index, tile, final) {
    let tiles = this.tracks.get(track);
    if (!tiles) this.tracks.set(track, (tiles = new Map()));
    const key = tileKey(level, index);
    this.bytes += tile.bytes - (tiles.get(key)?.bytes ?? 0);
    tiles.set(key, Object.assign(tile, { final, at: performance.now(), used: this.clock }));
    if (this.bytes > LIMIT) this.evict();
  }

  clear() {
    this.tracks.clear();
    this.bytes = 0;
  }

  /**
   * Frees a quarter of the cache at a time, so that this does not happen for each tile that
   * arrives.
   */
  evict() {
    const all = [];
    for (const [track, tiles] of this.tracks) {
      for (const [key, tile] of tiles) all.push({ track, key, tile });
    }
    all.sort((a, b) => a.tile.used - b.tile.used);
    for (const { track, key, tile } of all) {
      if (this.bytes < LIMIT * 0.75) break;
      this.remove(track, key, tile);
    }
  }

  /**
   * @param {number} track
   * @param {number} key
   * @param {CachedTile} tile
   */
  remove(track, key, tile) {
    const tiles = this.tracks.get(track);
    tiles?.delete(key);
    if (tiles?.size === 0) this.tracks.delete(track);
    this.bytes -= tile.bytes;
  }

  /**
   * Passes the best available tiles for [from, to) of a track to `add`, in order of time, and
   * ranges without any tile to `none`. Returns whether all tiles were of this level.
   * @param {number} track
   * @param {number} level
   * @param {number} from
   * @param {number} to
   * @param {AddTile} add
   * @param {AddGap} none
   */
  cover(track, level, from, to, add, none) {
    const span = tileSpan(level);
    let complete = true;
    for (let index = Math.max(0, Math.floor(from / span)); index * span < to; index++) {
      const start = Math.max(from, index * span);
      const end = Math.min(to, (index + 1) * span);
      const tile = this.get(track, level, index);
      if (tile) {
        add(tile, start, end);
        continue;
      }
      complete = false;
      this.coverOtherwise(track, level, index, start, end, add, none);
    }
    return complete;
  }

  /**
   * @param {number} track
   * @param {number} level
   * @param {number} index
   * @param {number} start
   * @param {number} end
   * @param {AddTile} add
   * @param {AddGap} none
   */
  coverOtherwise(track, level, index, start, end, add, none) {
    if (!this.tracks.has(track)) none(start, end);
    else if (this.hasFiner(track, level, index, start, end, FINER)) {
      this.cover(track, level - 1, start, end, add, none);
    } else this.coverCoarser(track, level, start, end, add, none);
  }

  /**
   * Whether finer tiles cover the range.
   * @param {number} track
   * @param {number} level
   * @param {number} index
   * @param {number} start
   * @param {number} end
   * @param {number} depth
   */
  hasFiner(track, level, index, start, end, depth) {
    if (level === 0 || depth === 0) return false;
    const span = tileSpan(level - 1);
    for (let child = index * 2; child < index * 2 + 2; child++) {
      if ((child + 1) * span <= start || child * span >= end) continue;
      if (this.get(track, level - 1, child)) continue;
      if (
        !this.hasFiner(
          track,
          level - 1,
          child,
          Math.max(start, child * span),
          Math.min(end, (child + 1) * span),
          depth - 1,
        )
      )
        return false;
    }
    return true;
  }

  /**
   * @param {number} track
   * @param {number} level
   * @param {number} start
   * @param {number} end
   * @param {AddTile} add
   * @param {AddGap} none
   */
  coverCoarser(track, level, start, end, add, none) {
    for (let coarser = level + 1; coarser < LEVELS; coarser++) {
      const tile = this.get(track, coarser, Math.floor(start / tileSpan(coarser)));
      if (!tile) continue;
      add(tile, start, end);
      return;
    }
    none(start, end);
  }
}
