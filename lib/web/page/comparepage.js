// SPDX-License-Identifier: BSD-3-Clause
// /compare: what differs between the traces of the host before and after a change.

import { askHost, getJSON } from "./api.js";
import {
  AddressTable,
  choiceField,
  flagField,
  numberField,
  textField,
  timeField,
} from "./address.js";
import { CompareFlame } from "./compareflame.js";
import { spreadFigure } from "./comparespread.js";
import {
  changeText,
  differenceTable,
  figureText,
  intervalText,
  functionsOf,
  isOn,
  subjectAddress,
  titleOf,
  verdictChip,
} from "./comparetable.js";
import { CompareTimes } from "./comparetimes.js";
import { curlButton } from "./copy.js";
import { button, debounced, fill, h } from "./dom.js";
import { formatCount, formatDuration, formatPlural } from "./format.js";
import { scrolling } from "./grid.js";
import { functionName } from "./names.js";
import { PageAddress } from "./pagestate.js";
import { FLAME_FIELDS, FLAME_KINDS, VIEWS } from "./state.js";

/** @typedef {import("./comparetable.js").Row} Row */

const KINDS = FLAME_KINDS.map(([kind]) => kind);
/** A host compares fewer traces. */
const TRACES = 1000;
const PAUSE = 150;

const TABLE = new AddressTable({
  about: textField("about", "the difference that is shown"),
  all: flagField("all", "whether noise is listed", false),
  which: choiceField("which", "which differences are listed", ["", "names", "stacks"], ""),
  match: textField("match", "the filter of the table"),
  before: numberField("before", "the trace before the change", 0, TRACES),
  after: numberField("after", "the trace after the change", 0, TRACES),
  kind: choiceField("kind", "the kind of flame graph", ["", ...KINDS], ""),
  s: timeField("s", "the range of the timelines"),
  e: timeField("e", "the range of the timelines"),
  view: choiceField("view", "the rows of the timelines", VIEWS, "proc"),
  rows: textField("rows", "the filter of the timelines"),
  ...FLAME_FIELDS,
});

/**
 * The flame graph that tells more about a measure.
 * @type {Record<string, string>}
 */
const KIND_OF = {
  running: "running",
  assist: "running",
  scheduler: "runnable",
  blocked: "waiting",
  syscall: "syscall",
};

/** @param {string} name */
function shortName(name) {
  return name.split("/").pop() ?? name;
}

/**
 * The name of a trace, with its folder if another trace has the same name.
 * @param {ComparedTrace} trace
 * @param {ComparedTrace[]} all
 */
function traceName({ name }, all) {
  const same = all.filter((other) => shortName(other.name) === shortName(name));
  return same.length > 1 ? name.split("/").slice(-2).join("/") : shortName(name);
}

class ComparePage {
  address = new PageAddress(TABLE);
  /** @type {Row[]} */
  rows = [];
  about = h("div", { class: "compare-about" });
  table = differenceTable(
    () => this.linked(),
    (row) => this.choose(row),
  );
  filter = h("input", {
    type: "search",
    class: "field",
    placeholder: "Filter the differences",
    "aria-label": "Filter the differences",
    autocomplete: "off",
    spellcheck: "false",
  });
  empty = h("p", { class: "empty", hidden: true });
  more = button("Also noise", () => this.toggleAll(), { "aria-pressed": "false" });

  /**
   * @param {URL} host where the host answers for the comparison
   * @param {Comparison} facts
   */
  constructor(host, facts) {
    this.host = host;
    this.facts = facts;
    const { state } = this.address;
    this.flame = new CompareFlame(
      () => ({ ...state, kind: this.kind() }),
      (patch) => this.address.set(/** @type {Partial<typeof state>} */ (patch)),
      () => this.chosen(),
    );
    const range =
      state.s !== null && state.e !== null ? { s: state.s, e: state.e, whole: false } : {};
    this.times = new CompareTimes(
      { whole: true, ...range, view: /** @type {ViewName} */ (state.view), filter: state.rows },
      (shown) => this.keepShown(shown),
    );
    this.filter.value = state.match;
    const find = debounced(() => {
      this.address.set({ match: this.filter.value });
      this.showTable();
    }, PAUSE);
    this.filter.addEventListener("input", find);
    this.take(facts);
  }

  /** @param {import("./companion.js").Shown} shown */
  keepShown({ s, e, whole, view, filter }) {
    const range = whole ? { s: null, e: null } : { s, e };
    this.address.set({ ...range, view, rows: filter });
  }

  /** @param {Comparison} facts */
  take({ first, differences }) {
    differences.forEach((difference, i) => {
      this.rows[first + i] = { ...difference, index: first + i };
    });
  }

  /**
   * Requests the differences up to a number that are not there yet.
   * @param {number} end
   */
  async request(end) {
    while (this.rows.length < end) {
      const address = new URL(this.host);
      address.searchParams.set("first", String(this.rows.length));
      const before = this.rows.length;
      this.take(await askHost(address));
      if (this.rows.length === before) return;
    }
  }

  /** The traces of each side that the flame graph is of: one, or all. */
  chosen() {
    const { state } = this.address;
    const pick = (/** @type {ComparedTrace[]} */ list, /** @type {number} */ number) => {
      const one = list[number - 1];
      return (one ? [one] : list).map(({ path }) => this.pathOf(path));
    };
    const { before_traces: before, after_traces: after } = this.facts;
    return { before: pick(before, state.before), after: pick(after, state.after) };
  }

  /** The address of a trace, relative to which its pages are. */
  pathOf(/** @type {string} */ path) {
    return new URL(path, this.host).href;
  }

  /** The trace of each side that links lead to, and whose timelines are shown. */
  linked() {
    const { before, after } = this.chosen();
    return { before: before[0], after: after[0] };
  }

  /** The difference that is shown: that of the address or the first one. */
  shown() {
    const { about } = this.address.state;
    return this.rows.find(({ label }) => label === about) ?? this.rows[0] ?? null;
  }

  kind() {
    return this.address.state.kind || (KIND_OF[this.shown()?.measure ?? ""] ?? "wall");
  }

  /** @param {Row} row */
  choose(row) {
    this.address.set({ about: row.label, kind: "" });
    this.showTable();
    this.showAbout();
    this.flame.show();
    if (row.subject === "goroutine") this.times.move({ view: "goroutine", filter: row.name });
    if (row.subject === "task") this.times.move({ view: "task", filter: row.name });
  }

  async toggleAll() {
    this.address.set({ all: !this.address.state.all });
    await this.showAll();
  }

  async showAll() {
    const { all } = this.address.state;
    this.more.setAttribute("aria-pressed", String(all));
    if (all) await this.request(this.facts.total);
    this.showTable();
  }

  showTable() {
    const { all, match, which } = this.address.state;
    const { told } = this.facts;
    const wanted = match.toLowerCase();
    const listed = this.rows.filter(
      ({ index, label, verdict, subject }) =>
        (all || index < told) &&
        (which === "" || (which === "stacks") === (subject === "stack")) &&
        `${verdict} ${label}`.toLowerCase().includes(wanted),
    );
    this.table.show(listed);
    this.markShown();
    this.table.element.hidden = listed.length === 0;
    this.empty.hidden = listed.length > 0;
    this.empty.textContent =
      match !== "" || this.address.state.which !== ""
        ? "No difference is of this kind or has this in its name."
        : "Nothing differs by more than chance explains.";
  }

  /** Marks the row of the difference that is shown. */
  markShown() {
    const shown = this.shown();
    for (const link of this.table.element.querySelectorAll("td.name a")) {
      const isShown = shown !== null && link.getAttribute("title")?.split("\n")[0] === shown.label;
      link.closest("tr")?.classList.toggle("is-chosen", isShown);
      if (isShown) link.setAttribute("aria-current", "true");
    }
  }

  async showAbout() {
    const row = this.shown();
    if (!row) {
      fill(this.about);
      return;
    }
    const address = new URL("comparison/buckets", this.host);
    address.searchParams.set("index", String(row.index));
    /** @type {ComparedBuckets} */
    const buckets = await askHost(address);
    if (row !== this.shown()) return;
    const traces = this.linked();
    const spread = spreadFigure(
      buckets,
      (side, from, to) => subjectAddress(row, traces[side], { from, to }),
      row.label,
    );
    const stack = functionsOf(row).map((name) => h("li", {}, functionName(name)));
    fill(
      this.about,
      h("h2", {}, verdictChip(row.verdict), " ", titleOf(row)),
      this.line(row),
      stack.length > 0 && h("ol", { class: "compare-stack" }, stack),
      spread,
    );
  }

  /** @param {Row} row */
  line(row) {
    const one = /** @type {const} */ (["before", "after"]).find((side) => !isOn(row, side));
    return h(
      "p",
      { class: "lead" },
      h("b", {}, figureText(row, row.before)),
      " before, ",
      h("b", {}, figureText(row, row.after)),
      ` after: ${changeText(row)}. `,
      row.low === undefined
        ? "There is too little of it to say how much of this is chance."
        : `With 95 % confidence the change is ${intervalText(row)}.`,
      one ? ` It is not in the traces ${one} the change.` : "",
    );
  }

  /**
   * The choice of a trace, if a side has several.
   * @param {"before" | "after"} side
   */
  traceSelect(side) {
    const list = this.facts[`${side}_traces`];
    if (list.length < 2) return false;
    const options = [`All ${list.length} traces ${side}`, ...list.map((each) => each.name)];
    const select = h(
      "select",
      { class: "select function-select", "aria-label": `Traces ${side} the change` },
      options.map((label, i) => h("option", { value: String(i) }, label)),
    );
    select.value = String(this.address.state[side]);
    select.addEventListener("change", () => {
      this.address.set({ [side]: Number(select.value) });
      this.showTraces();
    });
    return select;
  }

  /** The choice between names and stacks, both of which the command compares for the page. */
  whichSelect() {
    const options = [
      ["", "Names and stacks"],
      ["names", "Names only"],
      ["stacks", "Stacks only"],
    ];
    const select = h(
      "select",
      { class: "select", "aria-label": "Which differences" },
      options.map(([value, label]) => h("option", { value }, label)),
    );
    select.value = this.address.state.which;
    select.addEventListener("change", () => {
      this.address.set({ which: select.value });
      this.showTable();
    });
    return select;
  }

  /** Shows what depends on the choice of traces. */
  showTraces() {
    const { before_traces: before, after_traces: after } = this.facts;
    const { state } = this.address;
    const all = [...before, ...after];
    const timeline = (/** @type {ComparedTrace[]} */ list, /** @type {number} */ number) => {
      const trace = list[number - 1] ?? list[0];
      return { title: "", name: traceName(trace, all), path: this.pathOf(trace.path) };
    };
    this.times.show([timeline(before, state.before), timeline(after, state.after)]);
    this.flame.show();
    this.showTable();
    this.showAbout();
  }

  lead() {
    const { before, after, told, tested, lost } = this.facts;
    const side = (/** @type {ComparedSide} */ { traces, time_ns: time }) =>
      `${formatPlural(traces, "trace")} of ${formatDuration(time)}`;
    return h(
      "p",
      { class: "lead" },
      h("b", {}, told === 0 ? "No differences" : formatPlural(told, "difference")),
      ` between ${side(before)} before and ${side(after)} after the change; `,
      `${formatCount(tested)} were tested. `,
      lost > 0 && "There are too many names, so that some are left out. ",
      told > 0 && h("span", { class: "muted" }, "The worst comes first."),
    );
  }

  /** @param {HTMLElement} element */
  async start(element) {
    const { all } = this.address.state;
    if (all || this.address.state.about) await this.request(this.facts.total);
    fill(
      element,
      h("h1", {}, "Compare"),
      this.lead(),
      h(
        "div",
        { class: "tools" },
        this.filter,
        this.more,
        this.whichSelect(),
        this.traceSelect("before"),
        this.traceSelect("after"),
        h("span", { class: "spring" }),
        curlButton("the differences", () => `curl -s '${this.host.href}'`),
      ),
      h("div", { class: "compare-table" }, scrolling(this.table.element), this.empty),
      h("section", { class: "compare-part", "aria-label": "The difference" }, this.about),
      this.flame.element,
      this.times.element,
    );
    this.more.setAttribute("aria-pressed", String(all));
    this.showTraces();
  }
}

/** @param {HTMLElement} element */
export async function comparePage(element) {
  document.title = "Compare · gotrace";
  const { comparison_url: url } = await getJSON("api/trace");
  if (!url) throw new Error("there is no comparison");
  const host = new URL(url, location.href);
  await new ComparePage(host, await askHost(host)).start(element);
}
