// SPDX-License-Identifier: BSD-3-Clause
// /userregions: the types of regions and their latencies.

import { viewerURL } from "./api.js";
import { h } from "./dom.js";
import { askListWithBar } from "./analysis.js";
import { latencyColumns, showTypes } from "./latency.js";
import { formatCount } from "./format.js";
import { functionName } from "./names.js";
import { PROFILE_PAGES } from "./nav.js";

/** The pages with flame graphs of what goroutines waited for in regions. */
export const REGION_PROFILES = PROFILE_PAGES.map(({ path, label }) => ({
  path: `region${path}`,
  label: label.toLowerCase(),
}));

/**
 * The parameters that identify a type, as go tool trace names them, with the pc in hexadecimal.
 * @param {RegionType} type
 */
function identity(type) {
  return { type: type.type, pc: type.pc.replace(/^0x/, "") };
}

/**
 * @param {RegionType} type
 * @param {QueryValues} [parameters]
 */
function regionListAddress(type, parameters = {}) {
  return viewerURL("userregion", { ...identity(type), ...parameters });
}

/** @param {RegionType} type */
function profiles(type) {
  return REGION_PROFILES.map(({ path, label }) => [
    h("a", { href: viewerURL(path, identity(type)) }, label),
    " ",
  ]);
}

/**
 * Describes the regions that a goroutine inherits when it is created within one; they last until it
 * ends.
 */
export const INHERITED = "Goroutines created within a region, until they end";

/**
 * Whether a type stands for inherited regions. The trace has no event for these, so they have no
 * place in the source; a program's own type may lack only its name.
 * @param {RegionType} type
 */
export function isInherited(type) {
  return type.type === "" && type.function === "" && /^0x0*$/.test(type.pc);
}

/** @param {RegionType} type */
export function typeName(type) {
  return isInherited(type) ? "(inherited)" : type.type || "(no name)";
}

/**
 * The place in the source at which regions of a type begin. The title has the complete path.
 * @param {RegionType} type
 */
export function regionPlace(type) {
  if (type.file === "") return "";
  return h(
    "span",
    { class: "muted", title: `${type.file}:${type.line}` },
    `${type.file.split("/").slice(-2).join("/")}:${type.line}`,
  );
}

/**
 * @param {RegionType[]} types
 * @returns {import("./grid.js").GridColumn<RegionType>[]}
 */
function regionTypeColumns(types) {
  return [
    {
      key: "type",
      label: "Region type",
      class: "name",
      cell: (type) =>
        h(
          "a",
          { href: regionListAddress(type) },
          type.type === "" ? h("span", { class: "muted" }, typeName(type)) : type.type,
        ),
    },
    {
      key: "function",
      label: "Begins in",
      class: "name",
      about: "The outermost function of the stack at which it begins",
      cell: (type) =>
        isInherited(type) ? h("span", { class: "muted" }, INHERITED) : functionName(type.function),
    },
    {
      key: "count",
      label: "Regions",
      number: true,
      cell: (type) => h("a", { href: regionListAddress(type) }, formatCount(type.count)),
    },
    ...latencyColumns(types, "regions", (type, from, to) =>
      regionListAddress(type, { latmin: `${from}ns`, latmax: `${to}ns` }),
    ),
    {
      key: "place",
      label: "Place",
      class: "place-name",
      value: (type) => `${type.file}:${type.line}`,
      cell: regionPlace,
    },
    {
      key: "profiles",
      label: "Flame graphs of waits",
      value: () => 0,
      cell: profiles,
    },
  ];
}

/** @param {HTMLElement} element */
export async function regionsPage(element) {
  document.title = "Regions · gotrace";
  const types = await askListWithBar(element, "api/regions", (answer) => answer.types);
  showTypes(element, types, {
    title: "User regions",
    noun: "regions",
    makers: ["trace.WithRegion", "trace.StartRegion"],
    about: "each is a period of time in one goroutine",
    columns: regionTypeColumns,
    path: "api/regions",
  });
}
