// SPDX-License-Identifier: BSD-3-Clause
// Where the page is: on a server, or within a page that has the viewer's engine itself
// (examples/page). There each page of the viewer is the document of a frame, which has no address
// of its own: the page around it keeps the address behind '#', and the history, and passes requests
// to the engine.

/**
 * What the page around the frame provides. Addresses are relative to the viewer's folder, such as
 * "goroutines?name=main.main".
 * @typedef {object} PageHost
 * @property {string} address the current one
 * @property {unknown} state what the history stores with it
 * @property {(address: string) => void} go shows another page
 * @property {(address: string, state: unknown) => void} push
 * @property {(address: string, state: unknown) => void} replace
 * @property {() => void} reload
 * @property {(listener: (state: any) => void) => void} onTravel
 * @property {(address: string) => string} link the complete address, for other windows
 * @property {(address: string, signal?: AbortSignal | null) => Promise<Response>} ask
 */

/** The place of a page on a server. */
class ServerPlace {
  /** Whether the viewer has a server that other programs can ask, too. */
  hasServer = true;

  get pathname() {
    return location.pathname;
  }

  get search() {
    return location.search;
  }

  get hash() {
    return location.hash;
  }

  get state() {
    return history.state;
  }

  /**
   * The complete address of a page or an endpoint, for other windows and programs.
   * @param {string} address
   */
  link(address) {
    return new URL(address, location.href).href;
  }

  /** @param {string | URL} address */
  go(address) {
    location.assign(address);
  }

  /** Scrolls to what the fragment of the address names. */
  scrollToHash() {
    location.replace(location.hash);
  }

  reload() {
    location.reload();
  }

  /**
   * Adds an entry to the history.
   * @param {unknown} state
   * @param {string} address
   */
  push(state, address) {
    history.pushState(state, "", address);
  }

  /**
   * Changes the current entry of the history.
   * @param {unknown} state
   * @param {string} [address]
   */
  replace(state, address = "") {
    history.replaceState(state, "", address);
  }

  back() {
    history.back();
  }

  forward() {
    history.forward();
  }

  /** @param {(state: any) => void} listener */
  onTravel(listener) {
    history.scrollRestoration = "manual";
    window.addEventListener("popstate", (event) => listener(event.state));
  }

  /**
   * @param {string | URL} address
   * @param {RequestInit} options
   */
  ask(address, options) {
    return fetch(address, { credentials: "same-origin", ...options });
  }
}

/**
 * The address without the slashes at its begin, which stand for the viewer's folder.
 * @param {string} address
 */
function below(address) {
  return address.replace(/^(\.?\/)+/, "");
}

/** The place of a page in a frame of a page that has the engine. */
class FramePlace {
  hasServer = false;

  /** @param {PageHost} host */
  constructor(host) {
    this.host = host;
    document.addEventListener("click", (event) => this.onClick(event));
    document.addEventListener("auxclick", (event) => this.onClick(event));
    document.addEventListener("submit", (event) => this.onSubmit(event));
  }

  get url() {
    return new URL(this.host.address, "http://viewer.invalid/");
  }

  get pathname() {
    return this.url.pathname;
  }

  get search() {
    return this.url.search;
  }

  get hash() {
    return this.url.hash;
  }

  get state() {
    return /** @type {any} */ (this.host.state);
  }

  /** @param {string} address */
  link(address) {
    return this.host.link(below(address));
  }

  /** @param {string | URL} address */
  go(address) {
    this.host.go(below(String(address)));
  }

  scrollToHash() {
    document.getElementById(decodeURIComponent(this.hash.slice(1)))?.scrollIntoView();
  }

  reload() {
    this.host.reload();
  }

  /**
   * @param {unknown} state
   * @param {string} address
   */
  push(state, address) {
    this.host.push(below(address), state);
  }

  /**
   * @param {unknown} state
   * @param {string} [address]
   */
  replace(state, address = "") {
    this.host.replace(address === "" ? this.host.address : below(address), state);
  }

  back() {
    history.back();
  }

  forward() {
    history.forward();
  }

  /** @param {(state: any) => void} listener */
  onTravel(listener) {
    this.host.onTravel(listener);
  }

  /**
   * @param {string | URL} address
   * @param {RequestInit} options
   */
  ask(address, options) {
    return this.host.ask(below(String(address)), options.signal);
  }

  /**
   * Follows a link, as the browser would on a server.
   * @param {MouseEvent} event
   */
  onClick(event) {
    const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const address = anchor?.getAttribute("href") ?? "";
    if (!anchor || event.defaultPrevented || event.button > 1 || /^[a-z]+:/i.test(address)) return;
    event.preventDefault();
    const file = anchor.getAttribute("download");
    if (file !== null) this.save(below(address), file);
    else if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey)
      window.open(this.link(address), "_blank", "noopener");
    else if (address.startsWith("#")) {
      this.replace(this.state, this.host.address.replace(/#.*/s, "") + address);
      this.scrollToHash();
    } else this.go(address);
  }

  /** @param {SubmitEvent} event */
  onSubmit(event) {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) query.set(name, String(value));
    this.go(`${form.getAttribute("action")}?${query}`);
  }

  /**
   * Saves an answer as a file.
   * @param {string} address
   * @param {string} file its name, unless the answer has one
   */
  async save(address, file) {
    const response = await this.host.ask(address);
    const header = response.headers.get("Content-Disposition") ?? "";
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(await response.blob());
    anchor.download = file || (/filename="([^"]+)"/.exec(header)?.[1] ?? "download");
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
  }
}

/** The page around the frame, which gives it to the frame's element. */
const host = /** @type {{ gotraceHost?: PageHost } | null} */ (window.frameElement)?.gotraceHost;

/** The place of this page. */
export const place = host ? new FramePlace(host) : new ServerPlace();
