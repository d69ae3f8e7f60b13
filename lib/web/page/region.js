// SPDX-License-Identifier: BSD-3-Clause
// /userregion: the regions of one type and how their time was spent.

import { viewerURL } from "./api.js";
import { h, fill } from "./dom.js";
import { ask, askListWithBar, passOn } from "./analysis.js";
import { pagedTable } from "./paged.js";
import { TIMES, timeBar, timeColumns } from "./timebar.js";
import { LATENCY_FIELDS, filteredAddress, filterForm, largeHistogram } from "./latency.js";
import {
  columnTime,
  goroutineRowLink,
  nameOr,
  rangeAround,
  taskRowLink,
  timelineAddress,
} from "./names.js";
import { INHERITED, REGION_PROFILES, isInherited, regionPlace, typeName } from "./regions.js";
import { whyGoroutine } from "./whyaddress.js";

/** @typedef {import("./timebar.js").TimeInfo} TimeInfo */

const PARAMETERS = ["type", "pc", "latmin", "latmax"];

/** @param {RegionFacts} region */
function startCell(region) {
  if (!region.has_start) return h("span", { class: "muted", title: "Before the trace" }, "–");
  const place = { view: "goroutine", goid: region.goroutine, ...rangeAround(region) };
  const why = whyGoroutine(region.goroutine, region);
  return [
    h(
      "a",
      { href: timelineAddress(place), title: "Show it on the timeline" },
      columnTime(region.start),
    ),
    " ",
    h(
      "a",
      {
        href: timelineAddress({ ...place, why, tab: "why", panel: 1 }),
        title: "What its time was spent on, and waited for",
      },
      "why?",
    ),
  ];
}

/**
 * The task of a region. Task 0 stands for no task.
 * @param {RegionFacts} region
 */
function taskCell(region) {
  return region.task > 0 && Number.isSafeInteger(region.task) ? taskRowLink(region.task) : "";
}

/**
 * @param {number} whole
 * @param {boolean} manyTypes
 * @param {TimeInfo[]} times
 * @returns {import("./paged.js").PagedColumn<RegionFacts>[]}
 */
function regionColumns(whole, manyTypes, times) {
  return [
    { label: "Start", sort: "start", number: true, cell: startCell },
    ...(manyTypes
      ? [
          {
            label: "Type",
            cell: (/** @type {RegionFacts} */ region) => nameOr(region.type, "(no name)"),
          },
        ]
      : []),
    {
      label: "Goroutine",
      sort: "goroutine",
      cell: (region) => goroutineRowLink(region.goroutine, rangeAround(region)),
    },
    { label: "Task", sort: "task", cell: taskCell },
    { label: "Time by state", class: "bar-cell", cell: (region) => timeBar(region.time, whole) },
    ...timeColumns(times),
    {
      label: "End",
      cell: (region) =>
        !region.has_end &&
        h("span", { class: "badge", title: "It does not end within the trace" }, "open"),
    },
  ];
}

/**
 * @param {URLSearchParams} parameters
 * @param {QueryValues} [more]
 */
function regionParameters(parameters, more) {
  return passOn(parameters, PARAMETERS, more);
}

/**
 * @param {RegionType[]} types
 * @param {URLSearchParams} parameters
 */
function typeOf(types, parameters) {
  const pc = parameters.get("pc")?.replace(/^0x/, "").toLowerCase();
  return types.find(
    (each) => each.type === parameters.get("type") && (!pc || each.pc === `0x${pc}`),
  );
}

/** @param {RegionType | undefined} type */
function leadLine(type) {
  const parts = !type
    ? []
    : isInherited(type)
      ? [INHERITED, ". "]
      : [
          "Regions that begin in ",
          h("code", {}, type.function || "(unknown)"),
          " ",
          regionPlace(type),
          ". ",
        ];
  return h("p", { class: "lead" }, parts, h("a", { href: "userregions" }, "All types"));
}

/**
 * @param {HTMLElement} element
 * @param {URLSearchParams} parameters
 */
export async function regionPage(element, parameters) {
  const name = parameters.get("type");
  document.title = `Regions ${name ?? ""} · gotrace`;
  const types = await askListWithBar(element, "api/regions", (answer) => answer.types);
  const type = typeOf(types, parameters);
  if (name !== null && !type) throw new Error(`no region is of type ${name || "(no name)"} there`);
  const longest = await ask(
    "api/region",
    regionParameters(parameters, { sort: "total", desc: 1, first: 0, count: 1 }),
  );
  const load = async (/** @type {import("./paged.js").PageQuery} */ page) => {
    const answer = await ask("api/region", regionParameters(parameters, page));
    return { total: answer.total, rows: answer.regions };
  };
  const most = await ask(
    "api/region",
    regionParameters(parameters, { sort: "unknown", desc: 1, first: 0, count: 1 }),
  );
  const times = TIMES.filter(({ key }) => key !== "unknown" || most.regions[0]?.time.unknown > 0);
  const table = pagedTable(
    "Regions",
    regionColumns(Math.max(1, longest.regions[0]?.time.total ?? 1), name === null, times),
    load,
    {
      empty: "No region matches.",
      source: { path: "api/region", parameters: (page) => regionParameters(parameters, page) },
    },
  );
  const graphs = REGION_PROFILES.map(({ path, label }) =>
    h("a", { class: "button", href: viewerURL(path, regionParameters(parameters)) }, label),
  );
  fill(
    element,
    h("h1", {}, name === null ? "User regions" : type ? typeName(type) : name || "(no name)"),
    leadLine(type),
    h(
      "p",
      { class: "links" },
      h("span", { class: "muted" }, "Flame graphs of their waits:"),
      graphs,
    ),
    largeHistogram(type, parameters, (from, to) =>
      filteredAddress(parameters, { latmin: `${from}ns`, latmax: `${to}ns` }),
    ),
    filterForm(parameters, LATENCY_FIELDS, ["type", "pc"]),
    table.element,
  );
  return table.show();
}
