// SPDX-License-Identifier: BSD-3-Clause
// The commands of the palette that all pages have.

import { PAGES, isCurrent, setTheme } from "./nav.js";
import { place } from "./place.js";

const THEMES = [
  ["auto", "Same as the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** The commands that open the other pages and set the theme. */
export function pageCommands() {
  return [
    ...PAGES.filter((page) => !isCurrent(page)).map(({ path, label }) => ({
      id: `page-${path}`,
      group: "Page",
      title: label,
      run: () => place.go(path),
    })),
    ...THEMES.map(([theme, title]) => ({
      id: `theme-${theme}`,
      group: "Theme",
      title,
      run: () => setTheme(theme),
    })),
  ];
}
