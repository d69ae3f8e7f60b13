// SPDX-License-Identifier: BSD-3-Clause
// Lays out the tree of a flame graph. Nodes are renumbered in preorder, so that a subtree is a
// range of numbers and the nodes of one depth are ordered by x; drawing and searching then work on
// plain arrays.

/**
 * The children of all nodes as linked lists. Nodes without a valid parent are not linked and
 * thereby left out.
 * @param {FlameNode[]} nodes
 */
function linkChildren(nodes) {
  const first = new Int32Array(nodes.length).fill(-1);
  const next = new Int32Array(nodes.length).fill(-1);
  for (let i = nodes.length - 1; i > 0; i--) {
    const parent = nodes[i][0];
    if (!(parent >= 0 && parent < nodes.length) || parent === i) continue;
    next[i] = first[parent];
    first[parent] = i;
  }
  return { first, next };
}

/**
 * A node's children, the widest first.
 * @param {FlameNode[]} nodes
 * @param {{ first: Int32Array, next: Int32Array }} links
 * @param {number} node
 */
function sortedChildren(nodes, links, node) {
  const children = [];
  for (let child = links.first[node]; child >= 0; child = links.next[child]) children.push(child);
  return children.sort((a, b) => nodes[b][3] - nodes[a][3] || (nodes[a][1] < nodes[b][1] ? -1 : 1));
}

/**
 * @param {number} count
 * @returns {FlameTree}
 */
function emptyLayout(count) {
  return {
    count: 0,
    parent: new Int32Array(count),
    last: new Int32Array(count),
    depth: new Int32Array(count),
    x: new Float64Array(count),
    total: new Float64Array(count),
    self: new Float64Array(count),
    name: [],
    file: [],
    line: new Int32Array(count),
    before: null,
    levels: [],
  };
}

/**
 * @param {FlameTree} tree
 * @param {FlameNode} node
 * @param {number} parent
 * @param {number} x
 */
function placeNode(tree, node, parent, x) {
  const i = tree.count++;
  const depth = parent < 0 ? 0 : tree.depth[parent] + 1;
  tree.parent[i] = parent;
  tree.depth[i] = depth;
  tree.x[i] = x;
  tree.name.push(node[1]);
  tree.self[i] = node[2];
  tree.file.push(node[4] ?? "");
  tree.line[i] = node[5] ?? 0;
  if (tree.before) tree.before[i] = node[6] ?? 0;
  tree.total[i] = node[3];
  (tree.levels[depth] ??= []).push(i);
  return i;
}

/**
 * Lays out nodes of [parent, function, self, total, ...]. It does not recurse, since the depth
 * comes from the input.
 * @param {FlameNode[]} nodes
 */
export function layoutFlame(nodes) {
  const tree = emptyLayout(nodes.length);
  if (nodes.length === 0) return tree;
  if (nodes[0][6] !== undefined && nodes.some((node) => node[6])) {
    tree.before = new Float64Array(nodes.length);
  }
  const links = linkChildren(nodes);
  const stack = [{ node: 0, parent: -1, x: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, parent, x } = next;
    const i = placeNode(tree, nodes[node], parent, x);
    const children = sortedChildren(nodes, links, node);
    let at = x + children.reduce((sum, child) => sum + nodes[child][3], 0);
    for (let k = children.length - 1; k >= 0; k--) {
      at -= nodes[children[k]][3];
      stack.push({ node: children[k], parent: i, x: at });
    }
  }
  closeSubtrees(tree);
  return tree;
}

/**
 * Sets last[i] to the first number after the subtree of i.
 * @param {FlameTree} tree
 */
function closeSubtrees(tree) {
  for (let i = 0; i < tree.count; i++) tree.last[i] = i + 1;
  for (let i = tree.count - 1; i > 0; i--) {
    const parent = tree.parent[i];
    tree.last[parent] = Math.max(tree.last[parent], tree.last[i]);
  }
}

/**
 * The index in `level` of the first node that ends after x.
 * @param {FlameTree} tree
 * @param {number[]} level
 * @param {number} x
 */
export function firstNodeAfter(tree, level, x) {
  let low = 0;
  let high = level.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const i = level[middle];
    if (tree.x[i] + tree.total[i] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The node at a depth and an x, or -1.
 * @param {FlameTree} tree
 * @param {number} depth
 * @param {number} x
 */
export function nodeAt(tree, depth, x) {
  const level = tree.levels[depth];
  if (!level) return -1;
  const at = firstNodeAfter(tree, level, x);
  return at < level.length && tree.x[level[at]] <= x ? level[at] : -1;
}

/**
 * The names from a node up to the root, without the root: leaf first, as in stack traces.
 * @param {FlameTree} tree
 * @param {number} node
 */
export function stackOf(tree, node) {
  const names = [];
  for (let i = node; i > 0; i = tree.parent[i]) names.push(tree.name[i]);
  return names;
}

/**
 * Continues the key of a caller with a frame (FNV-1a).
 * @param {number} key
 * @param {string} text
 */
function keyWith(key, text) {
  let hash = key;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/**
 * A short key of a node. A node with the same stack in another tree has the same key. The key of
 * the root is 0.
 * @param {FlameTree} tree
 * @param {number} node
 */
export function frameKey(tree, node) {
  let key = 0;
  for (const name of stackOf(tree, node).reverse()) key = keyWith(key, `${name}\n`);
  return key.toString(36);
}

/**
 * The node with a key, or -1.
 * @param {FlameTree} tree
 * @param {string} key
 */
export function frameWithKey(tree, key) {
  const wanted = parseInt(key, 36);
  const keys = new Uint32Array(tree.count);
  for (let i = 1; i < tree.count; i++) {
    keys[i] = keyWith(keys[tree.parent[i]], `${tree.name[i]}\n`);
    if (keys[i] === wanted) return i;
  }
  return wanted === 0 && tree.count > 0 ? 0 : -1;
}

/**
 * The nodes that match, and their share of the subtree of `root`. Nodes below a match are part of
 * it, so recursion is not counted twice.
 * @param {FlameTree} tree
 * @param {(name: string) => boolean} test
 */
export function matchNodes(tree, test, root = 0) {
  const matches = new Uint8Array(tree.count);
  for (let i = 1; i < tree.count; i++) matches[i] = test(tree.name[i]) ? 1 : 0;
  let time = 0;
  for (let i = root; i < tree.last[root]; ) {
    if (matches[i]) time += tree.total[i];
    i = matches[i] ? tree.last[i] : i + 1;
  }
  return { matches, time };
}

/**
 * Self and total of each function in the subtree of `root`. Recursive calls count once.
 * @param {FlameTree} tree
 */
export function sumFunctions(tree, root = 0) {
  /** @type {Map<string, FunctionTotal>} */
  const sums = new Map();
  /** @type {{ end: number, sum: FunctionTotal }[]} */
  const callers = [];
  for (let i = Math.max(root, 1); i < tree.last[root]; i++) {
    while (callers.length > 0 && callers[callers.length - 1].end <= i) {
      const left = callers.pop();
      if (left) left.sum.open--;
    }
    const name = tree.name[i];
    const sum = sums.get(name) ?? { name, self: 0, total: 0, open: 0 };
    sums.set(name, sum);
    sum.self += tree.self[i];
    if (sum.open === 0) sum.total += tree.total[i];
    sum.open++;
    callers.push({ end: tree.last[i], sum });
  }
  return [...sums.values()];
}

/**
 * The tree in the folded format of flame graph tools: one stack per line, root first.
 * @param {FlameTree} tree
 */
export function foldedText(tree, root = 0) {
  const lines = [];
  for (let i = root; i < tree.last[root]; i++) {
    if (tree.self[i] > 0)
      lines.push(`${stackOf(tree, i).reverse().join(";")} ${Math.round(tree.self[i])}`);
  }
  return `${lines.join("\n")}\n`;
}
