// SPDX-License-Identifier: BSD-3-Clause
// What the user prefers to see. It is kept by the browser, as it belongs to no trace.

const KEY = "gotrace.timeline";
/** @type {Preferences} */
const DEFAULTS = { tooltips: true, overlay: true, labels: true, compact: false, arrows: false };

export const PREFERENCES = /** @type {(keyof Preferences)[]} */ (Object.keys(DEFAULTS));

/** Storage may be forbidden, or hold what another version wrote. */
export function loadPrefs() {
  const prefs = { ...DEFAULTS };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const name of PREFERENCES) {
      if (typeof stored[name] === "boolean") prefs[name] = stored[name];
    }
  } catch {
    return prefs;
  }
  return prefs;
}

/** @param {Preferences} prefs */
export function savePrefs(prefs) {
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // The choice then holds for this page only.
  }
}
