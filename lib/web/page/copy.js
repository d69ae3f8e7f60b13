// SPDX-License-Identifier: BSD-3-Clause
// Copies links to what is shown, and commands that fetch the same data.

import { messageOf, viewerURL } from "./api.js";
import { copyButton, copyText } from "./dom.js";
import { place } from "./place.js";

/**
 * Quotes a text as a word for a POSIX shell, so that no character in it is special.
 * @param {string} text
 */
function shellWord(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The command that fetches the data of a request. A file is saved under a name that is not taken
 * from the trace.
 * @param {string} path
 * @param {QueryValues} [parameters]
 * @param {string} [file]
 */
export function curlCommand(path, parameters = {}, file = "") {
  const url = place.link(viewerURL(path, parameters));
  const output = file === "" ? "" : ` --output ${shellWord(file)}`;
  return `curl --silent --show-error --fail --globoff${output} ${shellWord(url)}`;
}

/**
 * A button that copies the command that fetches data. `what` describes what the command prints.
 * @param {string} what
 * @param {() => string} command
 * @param {Attributes} [attributes]
 */
export function curlButton(what, command, attributes = {}) {
  return copyButton("Copy as curl", command, {
    title: `Copy a command line that prints ${what} (Shift+Y)`,
    data: { copy: "curl" },
    hidden: !place.hasServer,
    ...attributes,
  });
}

/**
 * A text that lists what is missing in a link; empty if the link is complete.
 * @param {string[]} tooLong
 */
function lackOf(tooLong) {
  return tooLong.length > 0 ? `what is too long (${[...new Set(tooLong)].join(", ")})` : "";
}

/**
 * A button that copies a link, and says if the link had no room for a part of the state.
 * @param {string} label
 * @param {() => { text: string, tooLong: string[] }} link
 * @param {Attributes} [attributes]
 */
export function linkButton(label, link, attributes) {
  const text = () => {
    const { text: address, tooLong } = link();
    return { text: address, without: lackOf(tooLong) };
  };
  return copyButton(label, text, attributes);
}

/**
 * Copies a text, and says what was copied or that it failed.
 * @param {string} text
 * @param {string} what
 * @param {(text: string) => void} say
 */
async function copySaying(text, what, say) {
  try {
    say((await copyText(text)) ? `${what} copied.` : "Copying failed: the browser refused it.");
  } catch (error) {
    say(`Copying failed: ${messageOf(error)}.`);
  }
}

/**
 * Copies a link, and says which parts of the state it has no room for.
 * @param {{ text: string, tooLong: string[] }} link
 * @param {(text: string) => void} say
 */
export function copyLink({ text, tooLong }, say) {
  const without = lackOf(tooLong);
  return copySaying(text, without ? `Link, without ${without},` : "Link", say);
}

/**
 * Copies the command that fetches what a part of the page shows.
 * @param {string} command
 * @param {(text: string) => void} say
 */
export function copyCurl(command, say) {
  if (!place.hasServer) return say("There is no server here that curl could ask.");
  return copySaying(command, "curl command", say);
}
