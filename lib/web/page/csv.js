// SPDX-License-Identifier: BSD-3-Clause
// Saves tables as CSV files.

/** @typedef {(say: (text: string) => void) => unknown[][] | Promise<unknown[][]>} CsvSource */

import { messageOf } from "./api.js";
import { h } from "./dom.js";

/**
 * Formats a value. Text that a spreadsheet would evaluate as a formula is quoted.
 * @param {unknown} value
 */
function cell(value) {
  const text =
    typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Formats rows of values as CSV (RFC 4180).
 * @param {unknown[][]} rows
 */
export function csvText(rows) {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function saveFile(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/**
 * A button that saves the rows that `rows` returns or promises. It may report its progress with
 * `say`.
 * @param {string} name
 * @param {CsvSource} rows
 */
export function csvButton(name, rows) {
  const button = h(
    "button",
    { type: "button", class: "button", title: "Save as CSV, times in ns" },
    "CSV",
  );
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      saveFile(
        name,
        csvText(
          await rows((text) => {
            button.textContent = text;
          }),
        ),
        "text/csv",
      );
      button.textContent = "CSV";
    } catch (error) {
      button.textContent = `CSV failed: ${messageOf(error)}`;
    }
    button.disabled = false;
  });
  return button;
}
