// SPDX-License-Identifier: BSD-3-Clause
// The viewer in an element of a page: a frame with what `gotrace page -o DIR` writes, which gets
// the trace as a message.

/** How long the page may take to load, in ms. */
const PATIENCE = 30000;

export class Viewer {
  /**
   * @param {Element} element
   * @param {URL} page
   */
  constructor(element, page) {
    this.frame = document.createElement("iframe");
    this.frame.title = "The viewer of traces";
    this.frame.style.cssText = "border: 0; width: 100%; height: 100%; display: block";
    this.origin = page.protocol === "file:" ? "*" : page.origin;
    this.ready = this.answer("ready");
    this.frame.src = page.href;
    element.replaceChildren(this.frame);
  }

  /**
   * Waits for a message of the page, of this name.
   * @param {string} name
   */
  answer(name) {
    return new Promise((resolve, reject) => {
      const fail = () => end(() => reject(new Error("the viewer's page does not answer")));
      const timer = setTimeout(fail, PATIENCE);
      const listener = (/** @type {MessageEvent} */ { source, data }) => {
        if (source !== this.frame.contentWindow) return;
        if (data?.gotrace === name) end(() => resolve(data));
        else if (data?.gotrace === "failed") end(() => reject(new Error(data.message)));
      };
      const end = (/** @type {() => void} */ then) => {
        clearTimeout(timer);
        removeEventListener("message", listener);
        then();
      };
      addEventListener("message", listener);
    });
  }

  /**
   * @param {Blob} file
   * @param {string} [name]
   */
  async open(file, name = file instanceof File ? file.name : "trace") {
    await this.ready;
    const opened = this.answer("opened");
    this.frame.contentWindow?.postMessage({ gotrace: "open", file, name }, this.origin);
    await opened;
  }

  close() {
    this.frame.remove();
  }
}

/**
 * @param {Element} element
 * @param {Blob} file
 * @param {{ page?: string | URL, name?: string, address?: string }} [options]
 */
export async function mount(element, file, { page = "gotrace/", name, address = "" } = {}) {
  const url = new URL(page, document.baseURI);
  url.hash = address;
  const viewer = new Viewer(element, url);
  await viewer.open(file, name);
  return viewer;
}
