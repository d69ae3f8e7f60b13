// SPDX-License-Identifier: BSD-3-Clause
// The navigation bar and the theme, which all pages share.

import { pageName } from "./api.js";
import { linkButton } from "./copy.js";
import { byId, findIn, h } from "./dom.js";

/** @typedef {{ path: string, label: string, about: string, also?: string[] }} Page */

/**
 * The pages with flame graphs of what goroutines waited for.
 * @type {Page[]}
 */
export const PROFILE_PAGES = [
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

/** @type {Page[]} */
export const PAGES = [
  { path: "./", label: "Timeline", about: "All procs, threads, goroutines and tasks over time" },
  { path: "report", label: "Report", about: "What is wrong with the program, the worst first" },
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
  {
    path: "gc",
    label: "GC",
    about: "The cycles of the garbage collector, assists, and stops of the world",
  },
  {
    path: "mmu",
    label: "MMU",
    about: "Minimum mutator utilization: what the garbage collector leaves to the program",
  },
  {
    path: "contention",
    label: "Contention",
    about: "Where goroutines waited, and who ended their waits",
  },
  ...PROFILE_PAGES,
  { path: "search", label: "Search", about: "The results of a search as a table" },
];

const THEMES = ["auto", "light", "dark"];
/** @type {Record<string, string>} */
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const STORED = "gotrace.theme";

/**
 * Reads from the browser's storage, which the user may have disabled.
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the setting is lost when the page is left.
  }
}

export function currentTheme() {
  const stored = recall(STORED);
  return stored !== null && THEMES.includes(stored) ? stored : "auto";
}

/**
 * Sets the theme of this page and, through the storage, of all other open pages.
 * @param {string} theme
 */
export function setTheme(theme) {
  remember(STORED, theme);
  applyTheme(theme);
}

/** @param {string} theme */
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

/**
 * @param {Element} button
 * @param {string} theme
 */
function showTheme(button, theme) {
  button.textContent = SIGNS[theme];
  button.setAttribute("title", `Theme: ${theme}`);
  button.setAttribute("aria-label", `Theme: ${theme}. Change`);
}

function themeButton() {
  const button = h("button", { type: "button", class: "nav-theme icon-button", click: nextTheme });
  showTheme(button, currentTheme());
  return button;
}

/**
 * Whether the given page is the current one, or lists the subject of the current one.
 * @param {Page} page
 */
export function isCurrent(page) {
  const here = ["", "trace"].includes(pageName()) ? "./" : pageName();
  return here === page.path || (page.also ?? []).includes(here);
}

/** @param {Page} page */
function navLink(page) {
  return h(
    "a",
    {
      href: page.path,
      title: page.about,
      class: "nav-link",
      "aria-current": isCurrent(page) ? "page" : null,
    },
    page.label,
  );
}

/**
 * Adds the links to all pages to an element, and the buttons that all pages have to `actions`.
 * `link` returns the address that reproduces the page.
 * @param {HTMLElement} element
 * @param {HTMLElement} actions
 * @param {() => { text: string, tooLong: string[] }} link
 */
export function startNav(element, actions, link) {
  const bar = h("nav", { class: "nav", "aria-label": "Pages" }, PAGES.map(navLink));
  element.append(bar);
  const copier = linkButton("Link", link, {
    class: "button small",
    title: "Copy a link that shows the same (Y)",
    data: { copy: "link" },
  });
  actions.append(copier, themeButton());
  startSkipLink();
}

/**
 * Adds the link to the comparison of the host's traces, if there is one.
 * @param {string | undefined} address where the host answers for it
 */
export function showComparison(address) {
  if (!address || document.querySelector(".nav-link[href=compare]")) return;
  const page = { path: "compare", label: "Compare", about: "What differs between the traces" };
  findIn(document, ".nav", HTMLElement).append(navLink(page));
}

/** The link by which the keyboard skips the bar. It must not become part of the address. */
function startSkipLink() {
  const link = findIn(document, ".skip-link", HTMLAnchorElement);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    byId(link.hash.slice(1)).focus();
  });
}

applyTheme(currentTheme());
window.addEventListener("storage", (event) => {
  if (event.key === STORED) applyTheme(currentTheme());
});
