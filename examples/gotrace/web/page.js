// SPDX-License-Identifier: BSD-3-Clause
// The entry of all pages but the timeline: which one it is, and what they share.

import { h, fill } from "./dom.js";
import { startNav } from "./nav.js";
import { startBanner } from "./traceinfo.js";

const PROFILES = () => import("./profile.js").then((module) => module.profilePage);

/** By path; each gives a function that fills an element, and returns when it is done. */
const PAGES = {
  "/goroutines": () => import("./groups.js").then((module) => module.groupsPage),
  "/goroutine": () => import("./group.js").then((module) => module.groupPage),
  "/usertasks": () => import("./tasks.js").then((module) => module.tasksPage),
  "/usertask": () => import("./task.js").then((module) => module.taskPage),
  "/userregions": () => import("./regions.js").then((module) => module.regionsPage),
  "/userregion": () => import("./region.js").then((module) => module.regionPage),
  "/mmu": () => import("./mmu.js").then((module) => module.mmuPage),
  "/io": PROFILES,
  "/block": PROFILES,
  "/syscall": PROFILES,
  "/sched": PROFILES,
  "/regionio": PROFILES,
  "/regionblock": PROFILES,
  "/regionsyscall": PROFILES,
  "/regionsched": PROFILES,
};

async function start() {
  const main = document.getElementById("page");
  startNav(document.getElementById("top"));
  startBanner(document.getElementById("top"));
  try {
    const page = await PAGES[location.pathname]();
    await page(main, new URLSearchParams(location.search));
  } catch (error) {
    fill(main, h("p", { class: "note error", role: "alert" }, `This page cannot be shown: ${error.message}`));
  }
  document.body.dataset.ready = "1";
}

start();
