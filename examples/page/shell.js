// SPDX-License-Identifier: BSD-3-Clause
// The page around the viewer: takes a trace, starts the engine with it, and shows the viewer's
// pages in a frame. Their files come from the engine as well.

/** @typedef {import("./engine.js").Answer} Reply */

const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml" };
/** A file that an HTML or CSS file of the viewer names, and a module that another one imports. */
const NAMED = /(?<=")static\/\w+\/([\w.]+)(?=")/g;
const IMPORTED_CSS = /(?<=@import (?:url\()?")([\w.]+\.css)(?=")/g;
const IMPORTED =
  /(?<=^(?:import|export)\b[^;]*?"|^(?!\s*[*/])[^\n]*\bimport\(")\.\/([\w.]+)(?=")/gm;

/** How many characters of base64 are decoded at a time: a multiple of four. */
const PIECE = 1 << 20;
/** The first bytes of compressed files. */
const GZIP = "31,139,";
const ZSTD = "40,181,47,253";
/** Why a trace is not shown that nobody waits for any more. */
const OTHER = "another trace was opened meanwhile";

/** @param {string} id */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * The bytes of a block of the page in base64. They are decoded in pieces, so that large ones do not
 * need the memory several times.
 * @param {string} id
 */
function embedded(id) {
  const text = (element(id)?.textContent ?? "").trim();
  const pieces = [];
  for (let i = 0; i < text.length; i += PIECE)
    pieces.push(Uint8Array.from(atob(text.slice(i, i + PIECE)), (digit) => digit.charCodeAt(0)));
  return new Blob(pieces);
}

/** @param {Blob} file */
function unpacked(file) {
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/**
 * The trace of a file, which may be compressed.
 * @param {Blob} file
 */
async function traceOf(file) {
  const magic = new Uint8Array(await file.slice(0, 4).arrayBuffer()).join();
  if (magic === ZSTD)
    throw new Error("it is compressed with zstd, which browsers cannot undo; 'zstd -d' can");
  if (!magic.startsWith(GZIP)) return file;
  return unpacked(file).catch(() => {
    throw new Error("it cannot be decompressed");
  });
}

/** The engine of a trace, in a Worker. */
class Engine {
  constructor() {
    const url = URL.createObjectURL(
      new Blob([element("worker").textContent ?? ""], { type: "text/javascript" }),
    );
    this.worker = new Worker(url);
    this.next = 1;
    /** @type {Map<number, { resolve: (reply: Reply) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    /** @type {string | null} */
    this.broken = null;
    this.worker.onmessage = ({ data }) => this.onMessage(data);
    this.worker.onerror = (event) => this.onError(event.message);
    this.opened = new Promise((resolve, reject) => {
      this.onOpened = resolve;
      this.onFailed = reject;
    });
  }

  /** @param {any} data */
  onMessage(data) {
    if (data.opened) this.onOpened(true);
    else if (data.failed) this.onFailed(new Error(data.failed));
    else {
      this.waiting.get(data.id)?.resolve(data);
      this.waiting.delete(data.id);
    }
  }

  /**
   * The module has ended: at the limit of its memory, for example.
   * @param {string} message
   */
  onError(message) {
    this.broken = `The viewer's engine has ended: ${message}`;
    this.onFailed(new Error(this.broken));
    for (const { reject } of this.waiting.values()) reject(new TypeError(this.broken));
    this.waiting.clear();
    showNote(`${this.broken}. For traces that are too large for a browser there are gotrace view,
      and gotrace cut, which saves a part as a trace.`);
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {Blob} file
   * @param {string} name
   */
  open(module, file, name) {
    this.worker.postMessage({ module, file, name });
    return this.opened;
  }

  /**
   * @param {string} address
   * @param {AbortSignal | null} [signal]
   * @returns {Promise<Reply>}
   */
  ask(address, signal) {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      if (this.broken) throw new TypeError(this.broken);
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => {
        if (this.waiting.delete(id)) this.worker.postMessage({ cancel: id });
        reject(signal.reason);
      });
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, address });
    });
  }

  close() {
    this.worker.terminate();
  }
}

/** The engine of the trace that is shown. @type {Engine | null} */
let engine = null;

/** The viewer's own files, as URLs of the browser's. They are the same for all traces. */
class Files {
  /** @type {Map<string, Promise<string>>} */
  urls = new Map();

  /** @param {string} path */
  async text(path) {
    if (!engine) throw new TypeError("there is no trace");
    return new TextDecoder().decode((await engine.ask(path)).body);
  }

  /**
   * Replaces the names of files by their URLs.
   * @param {string} text
   * @param {RegExp} pattern
   */
  async linked(text, pattern) {
    const names = [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];
    const urls = new Map(
      await Promise.all(
        names.map(async (name) => /** @type {const} */ ([name, await this.url(name)])),
      ),
    );
    return text.replace(pattern, (_, name) => /** @type {string} */ (urls.get(name)));
  }

  /** @param {string} name */
  url(name) {
    const known = this.urls.get(name) ?? this.make(name);
    this.urls.set(name, known);
    return known;
  }

  /** @param {string} name */
  async make(name) {
    const ending = /** @type {keyof typeof TYPES} */ (name.split(".").at(-1));
    let text = await this.text(`static/${name}`);
    if (ending === "js") text = await this.linked(text, IMPORTED);
    if (ending === "css") text = await this.linked(text, IMPORTED_CSS);
    return URL.createObjectURL(new Blob([text], { type: TYPES[ending] }));
  }

  /**
   * The document of a page of the viewer.
   * @param {string} path
   */
  async page(path) {
    const name = ["", "trace"].includes(path) ? "timeline.html" : "page.html";
    return this.linked(await this.text(`static/${name}`), NAMED);
  }
}

/** The module, which is the same for all traces. @type {Promise<WebAssembly.Module> | null} */
let compiling = null;
const files = new Files();
/** The number of the document in the frame. Entries of the history know theirs. */
let shown = 0;
/** @type {((state: any) => void) | null} */
let onTravel = null;

/** @param {string} text */
function showNote(text) {
  const note = element("note");
  note.hidden = text === "";
  note.textContent = text;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** The address of the viewer's page, behind the '#'. */
function currentAddress() {
  return location.href.split("#").slice(1).join("#").replace(/^\/+/, "");
}

/** @param {Window} view */
function listenForFiles(view) {
  view.addEventListener("dragover", (event) => event.preventDefault());
  view.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    event.preventDefault();
    if (file) startViewer(file, file.name);
  });
}

/**
 * What the page in a frame uses: see PageHost in lib/web/page/place.js. Each frame has its own. A
 * page that has been left may still run for a moment; what it does to the address then is ignored,
 * as the address is another page's.
 */
class Host {
  /** @param {number} number that of the frame's document */
  constructor(number) {
    this.number = number;
  }

  get isShown() {
    return this.number === shown;
  }

  get address() {
    return currentAddress();
  }

  get state() {
    return history.state?.state ?? null;
  }

  /** @param {string} address */
  go(address) {
    if (!this.isShown) return;
    history.pushState(null, "", `#${address}`);
    showPage();
  }

  /**
   * @param {string} address
   * @param {unknown} state
   */
  push(address, state) {
    if (this.isShown) history.pushState({ shown, state }, "", `#${address}`);
  }

  /**
   * @param {string} address
   * @param {unknown} state
   */
  replace(address, state) {
    if (this.isShown) history.replaceState({ shown, state }, "", `#${address}`);
  }

  reload() {
    if (this.isShown) showPage();
  }

  /** @param {(state: any) => void} listener */
  onTravel(listener) {
    if (this.isShown) onTravel = listener;
  }

  /** @param {string} address */
  link(address) {
    return `${location.href.replace(/#.*/s, "")}#${address}`;
  }

  /**
   * @param {string} address
   * @param {AbortSignal | null} [signal]
   */
  async ask(address, signal) {
    if (!engine) throw new TypeError("there is no trace");
    const { status, headers, body } = await engine.ask(address, signal);
    if (status === 0) throw new TypeError("the answer broke off");
    return new Response(body, { status, headers });
  }
}

/** Shows the page of the current address in a new frame. */
async function showPage() {
  if (!engine) return;
  const number = Date.now() + performance.now();
  shown = number;
  onTravel = null;
  history.replaceState({ shown, state: history.state?.state ?? null }, "");
  const content = await files.page(currentAddress().replace(/[?#].*/s, ""));
  if (shown !== number) return;
  const frame = document.createElement("iframe");
  frame.title = "The viewer";
  frame.srcdoc = content;
  Object.assign(frame, { gotraceHost: new Host(number) });
  element("frame").replaceChildren(frame);
  frame.addEventListener("load", () => {
    const view = /** @type {Window} */ (frame.contentWindow);
    view.focus();
    listenForFiles(view);
    const copyTitle = () => {
      document.title = view.document.title;
    };
    new MutationObserver(copyTitle).observe(view.document.head, { childList: true, subtree: true });
    copyTitle();
  });
}

/**
 * Shows a trace instead of the one before. Returns why it cannot, or an empty text.
 * @param {Blob} file
 * @param {string} name
 */
async function startViewer(file, name) {
  compiling ??= unpacked(embedded("module"))
    .then((bytes) => bytes.arrayBuffer())
    .then((bytes) => WebAssembly.compile(bytes));
  element("frame").replaceChildren();
  engine?.close();
  const own = new Engine();
  engine = own;
  showNote("");
  try {
    await own.open(await compiling, await traceOf(file), name);
  } catch (error) {
    own.close();
    if (engine !== own) return OTHER;
    engine = null;
    element("start").hidden = false;
    showNote(`${name}: ${messageOf(error)}`);
    return messageOf(error);
  }
  if (engine !== own) return OTHER;
  element("start").hidden = true;
  await showPage();
  return "";
}

/**
 * Loads the trace that ?url= names.
 * @param {string} address
 */
async function loadTrace(address) {
  const name = address.split(/[?#]/)[0].split("/").at(-1) || address;
  showNote(`Loading ${name} …`);
  try {
    const response = await fetch(new URL(address, location.href));
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    await startViewer(await response.blob(), name);
  } catch (error) {
    showNote(`${address} cannot be loaded: ${messageOf(error)}`);
  }
}

/**
 * Takes a trace from the page around this one, which shows the viewer in a frame: see mount in
 * examples/javascript/viewer.js. The other page is told what becomes of it, and nothing else.
 * @param {MessageEvent} event
 */
async function onMessage({ source, origin, data }) {
  if (source !== window.parent || source === window || data?.gotrace !== "open") return;
  if (!(data.file instanceof Blob)) return;
  const message = await startViewer(data.file, String(data.name));
  const target = origin === "null" ? "*" : origin;
  window.parent.postMessage(
    message === "" ? { gotrace: "opened" } : { gotrace: "failed", message },
    target,
  );
}

function start() {
  const picker = /** @type {HTMLInputElement} */ (element("picker"));
  const address = new URLSearchParams(location.search).get("url");
  const trace = element("trace");
  listenForFiles(window);
  for (const button of document.querySelectorAll("button"))
    button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    const file = picker.files?.[0];
    if (file) startViewer(file, file.name);
    picker.value = "";
  });
  addEventListener("message", onMessage);
  if (window.parent !== window) window.parent.postMessage({ gotrace: "ready" }, "*");
  addEventListener("popstate", (event) => {
    if (event.state?.shown === shown && onTravel) onTravel(event.state.state);
    else showPage();
  });
  if (trace) startViewer(embedded("trace"), trace.dataset.name ?? "trace");
  else if (address) loadTrace(address);
}

start();
