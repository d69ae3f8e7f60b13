// SPDX-License-Identifier: BSD-3-Clause
// The user's preferences. The browser stores them, since they do not depend on the trace.

const KEY = "gotrace.timeline";
/** @type {Preferences} */
export const USUAL_PREFERENCES = {
  tooltips: true,
  overlay: true,
  labels: true,
  compact: false,
  arrows: false,
};

export const PREFERENCES = /** @type {(keyof Preferences)[]} */ (Object.keys(USUAL_PREFERENCES));

/** Reads the preferences. Storage may be disabled or contain values of another version. */
export function loadPrefs() {
  const prefs = { ...USUAL_PREFERENCES };
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
    // Without storage the choice applies to this page only.
  }
}
