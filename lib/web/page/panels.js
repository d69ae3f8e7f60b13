// SPDX-License-Identifier: BSD-3-Clause
// The panel of the timeline page: its tabs, the side where it is docked, and whether it is visible.

import { byId, fill, h, iconButton, isTyping } from "./dom.js";
import { Detail } from "./detail.js";
import { Area } from "./area.js";
import { Compare } from "./compare.js";
import { FlamePanel } from "./flamepanel.js";
import { NotesPanel } from "./notespanel.js";
import { Search } from "./search.js";
import { openSpanMenu } from "./spanmenu.js";
import { Why } from "./why.js";
import { openHelp } from "./help.js";
import { openPalette } from "./palette.js";
import { registerAll } from "./commands.js";
import { classTitle } from "./colors.js";
import { formatDuration } from "./format.js";
import { startNav, recall, remember, showComparison } from "./nav.js";
import { setSourceTemplate } from "./sourcelink.js";
import { DOCKS } from "./state.js";
import { startTabs } from "./tabs.js";

const STORED = "gotrace.panel";

/**
 * The panel's settings in the browser's storage. The size is stored for each side of docking.
 * @typedef {object} StoredPanel
 * @property {string} [dock]
 * @property {string} [tab]
 * @property {boolean | null} [visible]
 * @property {Record<string, string>} [size]
 */

/** @returns {StoredPanel} */
function stored() {
  try {
    return JSON.parse(recall(STORED) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * The content of a tab.
 * @typedef {{ element: HTMLElement, setActive?: (active: boolean) => void }} PanelPart
 */

/**
 * @typedef {object} Tab
 * @property {string} key
 * @property {string} label
 * @property {PanelPart} panel
 * @property {HTMLElement} button
 * @property {HTMLElement} body
 */

export class Panels {
  /**
   * @param {App} app
   * @param {HTMLElement} element
   */
  constructor(app, element) {
    this.app = app;
    this.element = element;
    const kept = stored();
    this.dock = app.state.dock ?? DOCKS.find((dock) => dock === kept.dock) ?? "bottom";
    /** @type {Record<string, string>} */
    this.size = kept.size ?? {};
    this.visible = app.state.panel ?? kept.visible ?? null;
    this.detail = new Detail(app);
    this.area = new Area(app);
    this.flame = new FlamePanel(app);
    this.why = new Why(app);
    this.compare = new Compare(app);
    this.notes = new NotesPanel(app, () => this.show("notes"));
    this.search = new Search(app, byId("search", HTMLInputElement), () => this.show("search"));
    this.tabs = [
      this.makeTab("details", "Details", this.detail),
      this.makeTab("area", "Area", this.area),
      this.makeTab("flame", "Flame graph", this.flame),
      this.makeTab("why", "Why?", this.why),
      this.makeTab("compare", "Compare", this.compare),
      this.makeTab("search", "Search", this.search),
      this.makeTab("notes", "Notes", this.notes),
    ];
    this.dockButton = iconButton("", "Dock", () => this.toggleDock());
    this.build();
    this.tab = "";
    this.started = false;
    this.setDock(this.dock);
    this.choose(this.firstTab(kept.tab));
    this.follow();
  }

  build() {
    const list = h(
      "div",
      {
        class: "tabs",
        role: "tablist",
        "aria-label": "Panel",
        keydown: (event) => this.onTabKey(event),
      },
      this.tabs.map((tab) => tab.button),
    );
    const hide = iconButton("×", "Hide the panel", () => this.setVisible(false), { key: "Q" });
    const bar = h(
      "div",
      { class: "panel-bar" },
      list,
      h("span", { class: "panel-tools" }, this.dockButton, hide),
    );
    fill(
      this.element,
      h("h2", { class: "hidden-text" }, "Panel"),
      bar,
      this.tabs.map((tab) => tab.body),
    );
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", "Panel");
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {PanelPart} panel
   * @returns {Tab}
   */
  makeTab(key, label, panel) {
    const button = h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${key}`,
        "aria-controls": `panel-${key}`,
        click: () => this.choose(key),
      },
      label,
    );
    const body = h(
      "div",
      {
        class: "panel-body",
        role: "tabpanel",
        id: `panel-${key}`,
        "aria-labelledby": `tab-${key}`,
        hidden: true,
        tabindex: "-1",
      },
      panel.element,
    );
    return { key, label, panel, button, body };
  }

  /** @param {KeyboardEvent} event */
  onTabKey(event) {
    const at = this.tabs.findIndex((tab) => tab.key === this.tab);
    const { length } = this.tabs;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowRight: (at + 1) % length,
      ArrowLeft: (at + length - 1) % length,
      Home: 0,
      End: length - 1,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.tabs[targets[event.key]].key);
    this.tabs[targets[event.key]].button.focus();
  }

  /**
   * The tab that is shown first: the tab for what the address refers to, otherwise the stored one.
   * @param {string | undefined} kept
   */
  firstTab(kept) {
    const { sel, area, base, tab: asked } = this.app.state;
    if (asked) return asked;
    if (base) return "compare";
    if (sel) return "details";
    if (area && kept !== "flame") return "area";
    return this.tabs.find((tab) => tab.key === kept)?.key ?? "details";
  }

  /** Switches to the tab that belongs to what the user selects: a span or an area. */
  follow() {
    const { app } = this;
    app.on("selection", (span, restored) => {
      if (span && !restored && !this.searching()) this.choose("details");
      if (span && !restored) this.unhide();
      this.showStatus();
    });
    let area = app.state.area;
    app.on("state", (state, changed) => {
      if (changed.tab) this.choose(changed.tab);
      if (changed.dock && changed.dock !== this.dock) this.setDock(changed.dock);
      if (typeof changed.panel === "boolean" && changed.panel === this.element.hidden)
        this.setVisible(changed.panel, false);
      const fresh =
        state.area && (state.area.start !== area?.start || state.area.end !== area?.end);
      area = state.area;
      if (!fresh || changed.tab) return;
      if (state.base) this.choose("compare");
      else if (this.tab !== "flame") this.choose("area");
      this.unhide();
    });
    app.on("menu", (menu) => openSpanMenu(app, menu));
    this.setVisible(this.visible ?? Boolean(app.state.sel || app.state.area), false);
    this.search.restore(app.state.tab === null);
    this.started = true;
    this.noteState();
  }

  searching() {
    const { input, element } = this.search;
    const { activeElement } = document;
    return this.tab === "search" && (activeElement === input || element.contains(activeElement));
  }

  /** Shows the selection in the status line while the panel is hidden. */
  showStatus() {
    const span = this.app.selection;
    const hidden = this.element.hidden && span;
    fill(byId("status-extra"), hidden && [spanText(span), " ", h("kbd", {}, "Q"), " details"]);
  }

  /** Shows the panel, unless the user has hidden it. */
  unhide() {
    if (this.visible === null) this.setVisible(true, false);
  }

  /** @param {string} key */
  choose(key) {
    if (key === this.tab) return;
    this.tab = key;
    for (const tab of this.tabs) {
      const chosen = tab.key === key;
      tab.button.setAttribute("aria-selected", String(chosen));
      tab.button.tabIndex = chosen ? 0 : -1;
      tab.body.hidden = !chosen;
    }
    this.activate();
    this.keep();
    this.noteState();
  }

  /** Informs the tabs which of them is visible. */
  activate() {
    for (const tab of this.tabs) {
      if (tab.key !== "search")
        tab.panel.setActive?.(this.visible === true && tab.key === this.tab);
    }
  }

  /** @param {string} key */
  show(key) {
    this.choose(key);
    this.setVisible(true);
  }

  /** @param {boolean} visible */
  setVisible(visible, keep = true) {
    const { activeElement } = document;
    if (!visible && activeElement instanceof HTMLElement && this.element.contains(activeElement))
      activeElement.blur();
    this.element.hidden = !visible;
    document.body.dataset.panel = visible ? "shown" : "hidden";
    if (keep || visible) this.visible = visible;
    this.activate();
    this.showStatus();
    if (keep) this.keep();
    this.noteState();
  }

  /** Stores in the state what is shown, once the panel is complete. */
  noteState() {
    const { state } = this.app;
    const shown = { tab: this.tab, panel: !this.element.hidden, dock: this.dock };
    const same =
      shown.tab === state.tab && shown.panel === state.panel && shown.dock === state.dock;
    if (this.started && !same) this.app.set(shown, { push: false });
  }

  toggle() {
    this.setVisible(this.element.hidden);
  }

  /** @param {string} dock */
  setDock(dock) {
    this.dock = dock;
    document.body.dataset.dock = dock;
    const other = dock === "bottom" ? "right" : "bottom";
    this.dockButton.textContent = dock === "bottom" ? "◨" : "⬓";
    this.dockButton.title = `Dock at the ${other}`;
    this.dockButton.setAttribute("aria-label", this.dockButton.title);
    const size = this.size[dock];
    if (size) document.documentElement.style.setProperty("--panel-size", size);
    else document.documentElement.style.removeProperty("--panel-size");
  }

  toggleDock() {
    this.setDock(this.dock === "bottom" ? "right" : "bottom");
    this.keep();
    this.noteState();
  }

  /** Stores the settings. The size is read from the style sheet, where the page sets it. */
  keep() {
    const size = document.documentElement.style.getPropertyValue("--panel-size");
    if (size) this.size[this.dock] = size;
    remember(
      STORED,
      JSON.stringify({ dock: this.dock, tab: this.tab, visible: this.visible, size: this.size }),
    );
  }
}

/** @param {SpanFacts} span */
function spanText(span) {
  return `${span.name || classTitle(span.class)}, ${formatDuration(span.end - span.start)}`;
}

/**
 * Handles the keys that work wherever the focus is.
 * @param {App} app
 * @param {Panels} panels
 * @param {KeyboardEvent} event
 */
function onPanelKey(app, panels, event) {
  if (event.defaultPrevented || event.altKey) return;
  const command = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
  const back = event.key === "<";
  const travel =
    (back || event.key === ">") && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
  if (!command && !travel) return;
  event.preventDefault();
  if (command) app.run("palette");
  else panels.detail.visit(back ? -1 : 1);
}

/**
 * Builds the panel and the navigation bar, and handles the timeline's keys and menus that open
 * something.
 * @param {App} app
 */
export function startPanels(app) {
  setSourceTemplate(app.trace?.source_url ?? "");
  startTabs(app.trace?.traces_url);
  const actions = byId("top-actions");
  startNav(byId("nav"), actions, () => app.link());
  showComparison(app.trace?.comparison_url);
  actions.append(iconButton("?", "Help: all keys", openHelp, { key: "?" }));
  const panels = new Panels(app, byId("panel"));
  registerAll(app, panels, { openHelp, openPalette });
  addEventListener("keydown", (event) => onPanelKey(app, panels, event));
  addEventListener("pagehide", () => panels.keep());
  return panels;
}
