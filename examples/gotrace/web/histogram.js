// SPDX-License-Identifier: BSD-3-Clause
// Histograms of latencies. Each bar is a link to what is in it.

import { h } from "./dom.js";
import { formatDuration, formatCount } from "./format.js";

/**
 * `buckets` are [from, to, count], in order; `href(from, to)` says where a bar leads. Heights go by
 * the square root, so that the few that are slow can be seen beside the many that are not.
 */
export function latencyHistogram(buckets, href) {
  const most = Math.max(1, ...buckets.map(([, , count]) => count));
  const bars = buckets.map(([from, to, count]) => {
    const title = `${formatDuration(from)} to ${formatDuration(to)}: ${formatCount(count)}`;
    const height = count === 0 ? 0 : Math.max(6, 100 * Math.sqrt(count / most));
    const fillBar = h("span", { class: "histogram-fill", style: { height: `${height}%` } });
    return count === 0
      ? h("span", { class: "histogram-bar" })
      : h("a", { class: "histogram-bar", href: href(from, to), title, "aria-label": title }, fillBar);
  });
  return h("span", { class: "histogram" }, bars);
}

/** Drops the empty buckets at both ends. */
export function trimBuckets(buckets) {
  let first = buckets.findIndex(([, , count]) => count > 0);
  if (first < 0) first = buckets.length;
  let last = buckets.length;
  while (last > first && buckets[last - 1][2] === 0) last--;
  return buckets.slice(first, last);
}
