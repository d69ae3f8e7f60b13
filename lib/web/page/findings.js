// SPDX-License-Identifier: BSD-3-Clause
// The number of findings of the report, which the timeline shows beside the link to that page.

import { ask } from "./analysis.js";
import { findIn, h } from "./dom.js";
import { formatCount } from "./format.js";

/** @param {number} count */
export function showFindingCount(count) {
  const link = findIn(document, ".nav-link[href=report]", HTMLAnchorElement);
  link.querySelector(".nav-count")?.remove();
  if (count === 0) return;
  const noun = count === 1 ? "finding" : "findings";
  link.append(
    h(
      "span",
      { class: "nav-count", title: `${formatCount(count)} ${noun}` },
      formatCount(count),
      h("span", { class: "hidden-text" }, ` ${noun}`),
    ),
  );
}

/** Has the report made in the background, and shows how many findings it has. */
export async function countFindings() {
  const { wrong } = await ask("api/report", { count: 0 });
  showFindingCount(wrong);
}
