// SPDX-License-Identifier: BSD-3-Clause
// Transformations of the nodes of a flame graph before they are laid out: hiding frames of the
// runtime, inverting the tree, and merging two trees into one that shows their difference.

import { isRuntimeFrame } from "./stack.js";

/**
 * The nodes of an answer, each with its place.
 * @param {FlameFacts | null} data
 * @returns {FlameNode[]}
 */
export function nodesOf(data) {
  const { nodes = [], places = [], files = [] } = data ?? {};
  return nodes.map(([parent, name, self, total], i) => {
    const [file, line] = places[i] ?? [-1, 0];
    return [parent, name, self, total, files[file] ?? "", line];
  });
}

/** Builds a tree. Siblings with equal names and lines are merged. */
class TreeMaker {
  /** @param {FlameNode} root */
  constructor(root) {
    /** @type {FlameNode[]} */
    this.nodes = [[0, root[1], 0, 0, "", 0, 0]];
    /** @type {Map<string, number>} */
    this.known = new Map();
  }

  /**
   * Returns the child of a node with the name and the line of `node`. The child is added if there
   * is none.
   * @param {number} parent
   * @param {FlameNode} node
   */
  child(parent, node) {
    const key = `${parent} ${node[5] ?? 0} ${node[1]}`;
    let at = this.known.get(key);
    if (at === undefined) {
      at = this.nodes.length;
      this.nodes.push([parent, node[1], 0, 0, node[4] ?? "", node[5] ?? 0, 0]);
      this.known.set(key, at);
    }
    return at;
  }
}

/**
 * Adds the own amount of each node to all of its ancestors. Parents come before their children.
 * @param {FlameNode[]} nodes
 */
function addUp(nodes) {
  for (const node of nodes) node[3] = node[2];
  for (let i = nodes.length - 1; i > 0; i--) nodes[nodes[i][0]][3] += nodes[i][3];
  return nodes;
}

/**
 * The tree without frames of the runtime, whose time is attributed to their callers.
 * @param {FlameNode[]} nodes
 */
export function withoutRuntime(nodes) {
  if (nodes.length === 0) return nodes;
  const maker = new TreeMaker(nodes[0]);
  const places = new Int32Array(nodes.length);
  nodes.forEach((node, i) => {
    if (i > 0) {
      const above = places[node[0]];
      places[i] = isRuntimeFrame(node[1]) ? above : maker.child(above, node);
    }
    maker.nodes[places[i]][2] += node[2];
  });
  return addUp(maker.nodes);
}

/**
 * Whether a node stands for a state such as [wait_chan], which has stacks of its own.
 * @param {FlameNode} node
 */
function isState(node) {
  return node[0] === 0 && node[1].startsWith("[");
}

/**
 * The inverted tree, which leads from the function in which the time was spent to its callers.
 * @param {FlameNode[]} nodes
 */
export function leafFirst(nodes) {
  if (nodes.length === 0) return nodes;
  const maker = new TreeMaker(nodes[0]);
  for (let i = 0; i < nodes.length; i++) {
    if (nodes[i][2] === 0) continue;
    const path = [];
    for (let at = i; at > 0; at = nodes[at][0]) path.push(nodes[at]);
    const state = path.length > 0 && isState(path[path.length - 1]) ? path.pop() : undefined;
    let place = state ? maker.child(0, state) : 0;
    for (const node of path) place = maker.child(place, node);
    maker.nodes[place][2] += nodes[i][2];
  }
  return addUp(maker.nodes);
}

/**
 * Merges two trees. The amounts of a node are the sums of both sides, so that nodes of only one
 * side are included; the last element of a node is its total in `before`. The amounts of `before`
 * are multiplied by `scale`.
 * @param {FlameNode[]} before
 * @param {FlameNode[]} after
 */
export function differenceOf(before, after, scale = 1) {
  const root = after[0] ?? before[0];
  if (!root) return [];
  const maker = new TreeMaker(root);
  /** @type {number[]} */
  const own = [0];
  for (const [nodes, factor] of /** @type {[FlameNode[], number][]} */ ([
    [before, scale],
    [after, 1],
  ])) {
    const places = new Int32Array(nodes.length);
    nodes.forEach((node, i) => {
      if (i > 0) places[i] = maker.child(places[node[0]], node);
      maker.nodes[places[i]][2] += node[2] * factor;
      if (nodes === before) own[places[i]] = (own[places[i]] ?? 0) + node[2] * factor;
    });
  }
  const result = addUp(maker.nodes);
  result.forEach((node, i) => (node[6] = own[i] ?? 0));
  for (let i = result.length - 1; i > 0; i--) {
    const above = result[result[i][0]];
    above[6] = (above[6] ?? 0) + (result[i][6] ?? 0);
  }
  return result;
}
