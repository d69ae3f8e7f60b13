// SPDX-License-Identifier: BSD-3-Clause
// What every page says of the trace: its name, and what of it could not be read.

import { h } from "./dom.js";
import { getJSON } from "./api.js";

const AGAIN = 1000;

/** Puts the trace's name and, where something is wrong with it, a banner below an element. */
export async function startBanner(element) {
  const name = h("span", { class: "trace-name muted" });
  const banner = h("div", { class: "banner", role: "status", hidden: true });
  element.after(banner);
  element.append(name);
  await refresh(name, banner);
}

async function refresh(name, banner) {
  const trace = await getJSON("/api/trace").catch(() => null);
  if (!trace) return;
  name.textContent = `${trace.name} · ${trace.header}`;
  const repairs = trace.repairs?.length ?? 0;
  const parts = [
    trace.error && `The trace is damaged: ${trace.error}. What was good before that is shown.`,
    repairs > 0 && `${repairs} ${repairs === 1 ? "repair was" : "repairs were"} made, so some times may be off.`,
  ].filter(Boolean);
  banner.textContent = parts.join(" ");
  banner.hidden = parts.length === 0;
  if (!trace.progress?.done) setTimeout(() => refresh(name, banner), AGAIN);
}
