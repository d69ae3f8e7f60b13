// SPDX-License-Identifier: BSD-3-Clause
// The bar that leads to all pages, and the theme, which all pages share.

import { pageName } from "./api.js";
import { h } from "./dom.js";

export const PAGES = [
  { path: "./", label: "Timeline", about: "All procs, threads, goroutines and tasks over time" },
  {
    path: "goroutines",
    label: "Goroutines",
    about: "Goroutines by start function",
    also: ["goroutine"],
  },
  { path: "usertasks", label: "Tasks", about: "User tasks and their latency", also: ["usertask"] },
  {
    path: "userregions",
    label: "Regions",
    about: "User regions and their latency",
    also: ["userregion"],
  },
  { path: "mmu", label: "MMU", about: "Minimum mutator utilization: what the collector leaves" },
  {
    path: "io",
    label: "Network",
    about: "Where goroutines waited for the network",
    also: ["regionio"],
  },
  {
    path: "block",
    label: "Sync",
    about: "Where goroutines waited for each other",
    also: ["regionblock"],
  },
  {
    path: "syscall",
    label: "Syscalls",
    about: "Where goroutines were in system calls",
    also: ["regionsyscall"],
  },
  {
    path: "sched",
    label: "Scheduler",
    about: "Where goroutines waited to be run",
    also: ["regionsched"],
  },
];

const THEMES = ["auto", "light", "dark"];
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const STORED = "gotrace.theme";

/** Storage may be forbidden by the user; the page then merely forgets. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing is lost but the habit.
  }
}

export function currentTheme() {
  const stored = recall(STORED);
  return THEMES.includes(stored) ? stored : "auto";
}

/** Sets the theme here, and through the storage in all other open pages. */
export function setTheme(theme) {
  remember(STORED, theme);
  applyTheme(theme);
}

function applyTheme(theme) {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of document.querySelectorAll(".nav-theme")) showTheme(button, theme);
  window.dispatchEvent(new CustomEvent("themechange", { detail: theme }));
}

export function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length];
  setTheme(theme);
  return theme;
}

function showTheme(button, theme) {
  button.textContent = SIGNS[theme];
  button.title = `Theme: ${theme}`;
  button.setAttribute("aria-label", `Theme: ${theme}. Change`);
}

function themeButton() {
  const button = h("button", { type: "button", class: "nav-theme icon-button", click: nextTheme });
  showTheme(button, currentTheme());
  return button;
}

function isCurrent(page) {
  const here = ["", "trace"].includes(pageName()) ? "./" : pageName();
  return here === page.path || (page.also ?? []).includes(here);
}

/**
 * Puts the bar into an element, and the theme's button into `actions` if that is given. All are
 * plain links, so that they open in another tab as any link does.
 */
export function startNav(element, { actions } = {}) {
  const links = PAGES.map((page) =>
    h(
      "a",
      {
        href: page.path,
        title: page.about,
        class: "nav-link",
        "aria-current": isCurrent(page) ? "page" : null,
      },
      page.label,
    ),
  );
  const bar = h("nav", { class: "nav", "aria-label": "Pages" }, links);
  element.append(bar);
  (actions ?? bar).append(themeButton());
}

applyTheme(currentTheme());
window.addEventListener("storage", (event) => {
  if (event.key === STORED) applyTheme(currentTheme());
});
