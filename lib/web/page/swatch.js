// SPDX-License-Identifier: BSD-3-Clause
// The sample of a class's colour in lists and tables.

import { h } from "./dom.js";
import { classVar } from "./colors.js";

/** @param {string} name */
export function swatch(name) {
  return h("span", {
    class: "swatch",
    "aria-hidden": "true",
    style: { backgroundColor: classVar(name) },
  });
}
