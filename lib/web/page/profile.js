// SPDX-License-Identifier: BSD-3-Clause
// /io, /block, /syscall, /sched and the corresponding pages for regions: flame graphs of the
// reasons for which goroutines waited.

import { pageName, viewerURL } from "./api.js";
import { curlButton, curlCommand } from "./copy.js";
import { h, fill } from "./dom.js";
import { AddressTable } from "./address.js";
import { ask, askWithBar, passOn } from "./analysis.js";
import { flameGraph } from "./flame.js";
import { formatCount, formatDuration } from "./format.js";
import { PROFILE_PAGES } from "./nav.js";
import { PageAddress, pageSorts } from "./pagestate.js";
import { place } from "./place.js";
import { FLAME_FIELDS } from "./state.js";

/**
 * For each kind of profile: the title, the meaning of the widths, and the predicate of the sentence
 * for an empty graph, whose subject is "No goroutine".
 * @type {Record<string, [title: string, lead: string, done: string]>}
 */
const KINDS = {
  io: ["Network blocking", "Time that goroutines waited for the network", "waited for the network"],
  block: [
    "Synchronization blocking",
    "Time that goroutines waited for channels, locks, condition variables and each other",
    "waited for another",
  ],
  syscall: [
    "System calls",
    "Time that goroutines were in system calls",
    "spent long in a system call",
  ],
  sched: [
    "Scheduler latency",
    "Time that goroutines were ready to run and waited for a proc",
    "waited for a proc",
  ],
};
const PARAMETERS = ["name", "type", "pc", "latmin", "latmax"];
const LOOK = new AddressTable(FLAME_FIELDS);

/** Which waits a page counts: all of them, or those that `go tool trace` counts. */
/** @type {Record<string, { label: string, about: string, title: string }>} */
const WAITS = {
  all: {
    label: "All waits",
    about: "All waits are counted.",
    title:
      "Every wait, also of goroutines that did not run before, and without an end. " +
      "One that a new goroutine begins with counts for the stack that created it, and one that " +
      "no goroutine ended for the waiter's own stack",
  },
  go: {
    label: "As Go counts",
    about:
      "Only what go tool trace counts: not from before a goroutine first ran, nor without an end.",
    title: "As go tool trace and gotrace pprof count, to the nanosecond",
  },
};

/**
 * Whether the modes of a flame graph ask for frames by line.
 * @param {string} modes
 */
function linesOf(modes) {
  return modes.split(",").includes("lines") ? 1 : 0;
}

/** @param {URLSearchParams} parameters */
function waitsOf(parameters) {
  return parameters.get("waits") === "go" ? "go" : "all";
}

/**
 * @param {URLSearchParams} parameters
 * @param {QueryValues} [more]
 */
function profileParameters(parameters, more) {
  return passOn(parameters, PARAMETERS, { waits: waitsOf(parameters), ...more });
}

/**
 * The parameters for the address of a profile page. A page counts all waits unless its address says
 * otherwise. `more` takes precedence over the parameters.
 * @param {URLSearchParams} parameters
 * @param {QueryValues} [more]
 */
function pageParameters(parameters, more = {}) {
  const kept = [...PARAMETERS, "waits", "flame"].filter((name) => !(name in more));
  return passOn(parameters, kept, more);
}

/**
 * The switch between the ways of counting. Each is a link, as it is a part of the address.
 * @param {string} path
 * @param {URLSearchParams} parameters
 */
function waitsSwitch(path, parameters) {
  const current = waitsOf(parameters);
  return h(
    "span",
    { class: "links", role: "group", "aria-label": "What is counted" },
    Object.entries(WAITS).map(([waits, { label, title }]) =>
      h(
        "a",
        {
          class: "button",
          href: viewerURL(
            path,
            pageParameters(parameters, { waits: waits === "go" ? "go" : null }),
          ),
          title,
          "aria-current": waits === current ? "true" : null,
        },
        label,
      ),
    ),
  );
}

/**
 * Describes the goroutines or regions of the profile, with links to them.
 * @param {URLSearchParams} parameters
 * @param {boolean} ofRegions
 */
function scopeText(parameters, ofRegions) {
  const name = parameters.get("name");
  if (!ofRegions)
    return name
      ? [
          ", of ",
          h("a", { href: viewerURL("goroutine", { name }) }, "goroutines"),
          " that start with ",
          h("code", {}, name),
        ]
      : ", of all goroutines";
  const parts = [
    ", in ",
    h("a", { href: viewerURL("userregion", passOn(parameters, PARAMETERS)) }, "regions"),
    parameters.get("type") ? [" ", h("code", {}, parameters.get("type"))] : "",
  ];
  if (parameters.get("latmin")) parts.push(` of at least ${parameters.get("latmin")}`);
  if (parameters.get("latmax")) parts.push(` of at most ${parameters.get("latmax")}`);
  return parts;
}

/**
 * Links to the other profiles of the same goroutines or regions.
 * @param {string} path
 * @param {URLSearchParams} parameters
 * @param {boolean} ofRegions
 */
function kindLinks(path, parameters, ofRegions) {
  return PROFILE_PAGES.map(({ path: kind, label }) => {
    const other = ofRegions ? `region${kind}` : kind;
    return h(
      "a",
      {
        class: "button",
        href: viewerURL(other, pageParameters(parameters)),
        "aria-current": other === path ? "page" : null,
      },
      label,
    );
  });
}

/**
 * Fills in the functions to choose from. They take another analysis, so they arrive after the
 * graph.
 * @param {HTMLSelectElement} select
 * @param {string} chosen
 */
async function fillFunctions(select, chosen) {
  const { groups } = await ask("api/groups");
  const options = groups
    .filter((group) => group.name !== "")
    .sort((a, b) => b.time.total - a.time.total)
    .map((group) =>
      h(
        "option",
        { value: group.name, selected: group.name === chosen },
        `${group.name} (${formatCount(group.count)})`,
      ),
    );
  fill(select, h("option", { value: "" }, "All goroutines"), options);
}

/**
 * @param {string} path
 * @param {URLSearchParams} parameters
 */
function functionSelect(path, parameters) {
  const chosen = parameters.get("name") ?? "";
  const select = h(
    "select",
    { class: "select function-select", "aria-label": "Goroutines" },
    h("option", { value: chosen }, chosen || "All goroutines"),
  );
  select.addEventListener("change", () => {
    const name = select.value || null;
    place.go(viewerURL(path, pageParameters(parameters, { name })));
  });
  fillFunctions(select, chosen).catch(() => {});
  return select;
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function profilePage(element, parameters) {
  const path = pageName();
  const ofRegions = path.startsWith("region");
  const [title, lead, done] = KINDS[path.replace(/^region/, "")];
  document.title = `${title} · gotrace`;
  const address = new PageAddress(LOOK);
  const data = await askWithBar(
    element,
    "api/profile",
    profileParameters(parameters, { kind: path, lines: linesOf(address.state.flame) }),
  );
  const raw = h(
    "a",
    {
      class: "button",
      href: viewerURL(path, profileParameters(parameters, { raw: 1 })),
      download: `${path}.pb`,
      title: "Save for go tool pprof",
    },
    "pprof",
  );
  const holder = h("div", { class: "flame-holder" });
  const kinds = h("span", { class: "links" });
  const waits = h("span", {});
  element.classList.add("fills");
  fill(
    element,
    h("h1", {}, title),
    h(
      "p",
      { class: "lead" },
      data.total > 0 && h("b", {}, formatDuration(data.total), " "),
      lead,
      scopeText(parameters, ofRegions),
      ". ",
      h("span", { class: "muted" }, WAITS[waitsOf(parameters)].about),
    ),
    h("div", { class: "tools" }, kinds, !ofRegions && functionSelect(path, parameters), waits),
    holder,
  );
  showLinks();
  const graph = flameGraph(holder, null, {
    look: () => address.state,
    onLook: (patch) => changeLook(patch),
    sorts: pageSorts(),
  });
  const curl = curlButton("this graph", () =>
    curlCommand(
      "api/profile",
      profileParameters(parameters, { kind: path, lines: linesOf(address.state.flame) }),
    ),
  );
  fill(graph.extra, raw, curl);
  const shown = {
    empty: `No ${ofRegions ? "goroutine in these regions" : "goroutine"} ${done}.`,
    unit: data.unit ?? "ns",
  };
  graph.update(data, shown);

  /** Shows the links to other profiles, which keep the shape of the graph. */
  function showLinks() {
    parameters.set("flame", address.state.flame);
    fill(kinds, kindLinks(path, parameters, ofRegions));
    fill(waits, waitsSwitch(path, parameters));
  }

  /** @param {Partial<FlameLook>} patch */
  async function changeLook(patch) {
    const before = linesOf(address.state.flame);
    address.set(patch);
    if ("flame" in patch) showLinks();
    const lines = linesOf(address.state.flame);
    if (lines === before) return;
    const query = profileParameters(parameters, { kind: path, lines });
    graph.update(await ask("api/profile", query), shown);
  }
}
