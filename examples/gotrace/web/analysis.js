// SPDX-License-Identifier: BSD-3-Clause
// Asking for what needs another pass over the trace: the server answers at once, with how far
// it has come.

import { h, fill } from "./dom.js";

const AGAIN = 250;

function pause(time) {
  return new Promise((resolve) => { setTimeout(resolve, time); });
}

async function failure(response) {
  const text = await response.text();
  try {
    return new Error(JSON.parse(text).error);
  } catch {
    return new Error(`${response.status} ${response.statusText}`);
  }
}

/** Waits for an analysis; `progress` is called with 0 to 1 while it runs. */
export async function ask(url, progress = () => {}) {
  for (;;) {
    const response = await fetch(url);
    if (!response.ok) throw await failure(response);
    const answer = await response.json();
    if (response.status !== 202) return answer;
    progress(answer.progress ?? 0);
    await pause(AGAIN);
  }
}

/** The same, with a bar in an element that whoever called fills when it is there. */
export async function askWithBar(element, url) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Analysing the trace" });
  const text = h("span", { class: "muted" }, "Analysing the trace…");
  fill(element, h("p", { class: "waiting" }, bar, text));
  return ask(url, (share) => {
    bar.value = share;
    text.textContent = `Analysing the trace… ${Math.round(share * 100)} %`;
  });
}
