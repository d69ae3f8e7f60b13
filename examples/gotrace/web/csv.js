// SPDX-License-Identifier: BSD-3-Clause
// Tables as files.

import { h } from "./dom.js";

function cell(value) {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of values as CSV, RFC 4180. */
export function csvText(rows) {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A button that saves what `rows()` gives. */
export function csvButton(name, rows) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([csvText(rows())], { type: "text/csv" }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return h("button", { type: "button", class: "button", click: save }, "CSV");
}
