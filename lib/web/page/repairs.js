// SPDX-License-Identifier: BSD-3-Clause
// What the pages say of a trace that was repaired, or that its program has not completed.

import { viewerURL } from "./api.js";
import { h } from "./dom.js";
import { formatCount, formatDuration, formatPlural } from "./format.js";

const LISTED = 20;
/** The part of the timeline that a link shows around the time of a repair, in ns. */
const AROUND = 500000;

/**
 * A link to a time of the timeline.
 * @param {number} time
 */
function timeLink(time) {
  const href = viewerURL("trace", { s: Math.max(0, time - AROUND), e: time + AROUND });
  return h("a", { href }, time === 0 ? "the start" : formatDuration(time));
}

/** @param {RepairKind} kind */
function kindItem({ text, count, first, last }) {
  const where = [" at ", timeLink(first)];
  const range = [" from ", timeLink(first), " to ", timeLink(last)];
  return h(
    "li",
    {},
    h("b", {}, formatCount(count)),
    ` × ${text},`,
    count > 1 && last > first ? range : where,
  );
}

/**
 * The repairs by kind, the most frequent kind first, and the complete messages of the first
 * repairs.
 * @param {TraceFacts} trace
 */
function repairList({ repair_kinds: given, repairs_others: others, repairs, repairs_total: all }) {
  const kinds = [...given].sort((a, b) => b.count - a.count);
  const more = kinds.reduce((rest, { count }) => rest - count, all - others);
  return [
    h(
      "ul",
      {},
      kinds.map(kindItem),
      others > 0 && h("li", {}, `${formatPlural(others, "fault")} of other kinds`),
      more > 0 &&
        h("li", {}, `${formatCount(more)} more like ${kinds.length > 1 ? "one of these" : "it"}`),
    ),
    h(
      "details",
      {},
      h("summary", {}, "The first ones in full, with their places in the file"),
      h(
        "ul",
        {},
        repairs.slice(0, LISTED).map((text) => h("li", {}, text)),
      ),
    ),
  ];
}

/**
 * That it cannot be told how the recording has ended, or null if it can, or if something else is
 * said of its end.
 * @param {TraceFacts} trace
 */
export function endingText({ ending, error, progress }) {
  return ending === null && !error && progress.done
    ? "It cannot be told whether the recording was stopped or the program ended."
    : null;
}

/**
 * The message of the banner about faults of the trace and the end of its program, or null if there
 * is nothing to say.
 * @param {TraceFacts} trace
 * @returns {import("./banner.js").BannerMessage | null}
 */
export function repairMessage(trace) {
  const { error, repairs_total: total } = trace;
  const ended =
    trace.ending === "running" && "The program ended, or was ended, while it was recorded.";
  if (!error && total === 0 && !ended) return null;
  const broken =
    error && `This trace could not be read to its end; what was read is shown: ${error}.`;
  const faults = formatPlural(total, "fault");
  const repaired =
    total > 0 && `This trace was repaired: ${faults}. Times that are hatched are not known.`;
  return {
    text: [ended, broken, repaired].filter(Boolean).join("\n"),
    content: [
      ended && h("p", {}, ended),
      broken && h("p", {}, broken),
      repaired && [h("p", {}, repaired), repairList(trace)],
    ],
    isError: Boolean(error),
  };
}
