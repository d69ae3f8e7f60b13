// SPDX-License-Identifier: BSD-3-Clause
// The entry point of all pages except the timeline.

import { messageOf, pageName } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { startNav } from "./nav.js";
import { startPageKeys } from "./pagekeys.js";
import { pageLink } from "./pagestate.js";
import { place } from "./place.js";
import { loadSourceTemplate } from "./sourcelink.js";
import { startTraceInfo } from "./traceinfo.js";

/** @typedef {(main: HTMLElement, parameters: URLSearchParams) => Promise<unknown>} PageBuilder */

const PROFILES = () => import("./profile.js").then((module) => module.profilePage);

/** The pages by name. Each is a function that fills an element. */
/** @type {Record<string, () => Promise<PageBuilder>>} */
const PAGES = {
  report: () => import("./report.js").then((module) => module.reportPage),
  compare: () => import("./comparepage.js").then((module) => module.comparePage),
  goroutines: () => import("./groups.js").then((module) => module.groupsPage),
  goroutine: () => import("./group.js").then((module) => module.groupPage),
  usertasks: () => import("./tasks.js").then((module) => module.tasksPage),
  usertask: () => import("./task.js").then((module) => module.taskPage),
  userregions: () => import("./regions.js").then((module) => module.regionsPage),
  userregion: () => import("./region.js").then((module) => module.regionPage),
  search: () => import("./searchtable.js").then((module) => module.searchPage),
  contention: () => import("./contention.js").then((module) => module.contentionPage),
  gc: () => import("./gcpage.js").then((module) => module.gcPage),
  mmu: () => import("./mmu.js").then((module) => module.mmuPage),
  io: PROFILES,
  block: PROFILES,
  syscall: PROFILES,
  sched: PROFILES,
  regionio: PROFILES,
  regionblock: PROFILES,
  regionsyscall: PROFILES,
  regionsched: PROFILES,
};

/** A link away from a page that has nothing to show. */
function wayOut() {
  const path = document.querySelector(".nav [aria-current=page]")?.getAttribute("href");
  const up = path && path !== pageName() ? path : "./";
  return h("a", { class: "button", href: up }, up === "./" ? "To the timeline" : "All of them");
}

/**
 * @param {HTMLElement} main
 * @param {unknown} error
 */
function showFailure(main, error) {
  fill(
    main,
    h(
      "div",
      { class: "empty", role: "alert" },
      h("p", { class: "error" }, `This cannot be shown: ${messageOf(error)}.`),
      h(
        "p",
        {},
        wayOut(),
        " ",
        h("button", { type: "button", class: "button", click: () => place.reload() }, "Try again"),
      ),
    ),
  );
}

async function startPage() {
  const main = byId("page");
  startNav(byId("nav"), byId("top-actions"), pageLink);
  startPageKeys(main);
  startTraceInfo();
  main.focus({ preventScroll: true });
  main.setAttribute("aria-busy", "true");
  try {
    await loadSourceTemplate().catch(() => {});
    const page = await PAGES[pageName()]();
    await page(main, new URLSearchParams(place.search));
  } catch (error) {
    showFailure(main, error);
  }
  main.removeAttribute("aria-busy");
  document.body.dataset.ready = "1";
}

startPage();
