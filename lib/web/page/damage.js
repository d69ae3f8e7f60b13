// SPDX-License-Identifier: BSD-3-Clause
// What the banner says of a trace that is damaged.

import { h } from "./dom.js";
import { formatPlural } from "./format.js";

const LISTED = 20;

/**
 * The message of the banner about faults of the trace, or null if there are none.
 * @param {TraceFacts} trace
 * @returns {import("./banner.js").BannerMessage | null}
 */
export function damageMessage(trace) {
  const { error, repairs, repairs_total: total } = trace;
  if (!error && total === 0) return null;
  const broken =
    error && `This trace could not be read to its end; what was read is shown: ${error}.`;
  const repaired = total > 0 && `This trace had to be repaired: ${formatPlural(total, "fault")}.`;
  const list = repairs.slice(0, LISTED).map((text) => h("li", {}, text));
  return {
    text: [broken, repaired].filter(Boolean).join("\n"),
    content: [broken && h("p", {}, broken), repaired && h("p", {}, repaired, h("ul", {}, list))],
    isError: Boolean(error),
  };
}
