// SPDX-License-Identifier: BSD-3-Clause

export interface MountOptions {
  /** The address of the page that `gotrace page -o DIR` wrote; the default is "gotrace/". */
  page?: string | URL;
  /** The name that the viewer shows; the default is that of a File. */
  name?: string;
  /** The page of the viewer to begin with, such as "report". */
  address?: string;
}

/** A viewer in an element of a page. */
export class Viewer {
  private constructor();
  readonly frame: HTMLIFrameElement;
  /** Shows another trace instead. */
  open(file: Blob, name?: string): Promise<void>;
  close(): void;
}

/**
 * Shows a trace in an element, in a frame that fills it. Rejects if the page does not answer, or the
 * file is no trace.
 */
export function mount(element: Element, file: Blob, options?: MountOptions): Promise<Viewer>;
