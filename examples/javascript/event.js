// SPDX-License-Identifier: BSD-3-Clause
// Events: views of what an instance of the module has read.

/** @typedef {import("./host.js").Instance} Instance */

/** The most events that the module passes at a time, and the layout of its arrays and details. */
const EVENTS = 4096;
const DETAIL_WORDS = 32;
const DETAIL_TEXTS = 48;
const FRAME_SIZE = 32;

/** The names of the kinds, as Go has them, by number. */
export const KINDS = [
  "Bad",
  "Sync",
  "Metric",
  "Label",
  "StackSample",
  "RangeBegin",
  "RangeActive",
  "RangeEnd",
  "TaskBegin",
  "TaskEnd",
  "RegionBegin",
  "RegionEnd",
  "Log",
  "StateTransition",
  "Experimental",
];
const RESOURCES = ["None", "Goroutine", "Proc", "Thread"];
const GO_STATES = ["Undetermined", "NotExist", "Runnable", "Running", "Waiting", "Syscall"];
const PROC_STATES = ["Undetermined", "NotExist", "Running", "Idle"];
const PROC = 2;
const VALUE_NUMBER = 1;

/** How a recording has ended. @typedef {"stopped" | "running"} Ending */
/** By the number of gt_ending. @type {(Ending | null)[]} */
const ENDINGS = [null, "stopped", "running"];

/** What the module returns instead of a number of events. */
const FAILED = -2;

/** A trace that cannot be read, or not any further. */
export class TraceError extends Error {}

/** Reads the events of one instance. */
export class Cursor {
  /**
   * @param {Instance} instance
   * @param {boolean} isFed
   * @param {boolean} isLenient
   * @param {(ending: Ending | null) => void} tellEnding is called at the end
   */
  constructor(instance, isFed, isLenient, tellEnding) {
    this.instance = instance;
    this.tellEnding = tellEnding;
    this.functions = instance.functions;
    this.columns = this.functions.trace_columns();
    /** @type {ArrayBuffer | null} */
    this.buffer = null;
    /** Counts the calls that make earlier events outdated. */
    this.serial = 0;
    if (this.functions.trace_open(Number(isFed), Number(isLenient)) !== 0) throw this.failure();
  }

  failure() {
    return new TraceError(this.instance.textAt(this.functions.trace_error()));
  }

  /** Makes the views anew after the memory has grown. */
  refresh() {
    const { buffer } = this.instance.memory;
    if (this.buffer === buffer) return;
    const doubles = (/** @type {number} */ at) =>
      new Float64Array(buffer, this.columns + 8 * EVENTS * at, EVENTS);
    const bytes = (/** @type {number} */ at) =>
      new Uint8Array(buffer, this.columns + EVENTS * (5 * 8 + at), EVENTS);
    this.buffer = /** @type {ArrayBuffer} */ (buffer);
    this.view = new DataView(buffer);
    this.all = {
      time: doubles(0),
      thread: doubles(1),
      proc: doubles(2),
      goroutine: doubles(3),
      resource: doubles(4),
      kind: bytes(0),
      resourceKind: bytes(1),
      from: bytes(2),
      to: bytes(3),
    };
  }

  /**
   * Reads events by `call`. Returns their number, 0 at the end, or -1 if more bytes are needed.
   * @param {"trace_next" | "trace_next_batch"} call
   */
  advance(call) {
    this.serial++;
    const count = this.functions[call]();
    if (count === FAILED) throw this.failure();
    if (count === 0) this.tellEnding(ENDINGS[this.functions.trace_ending()] ?? null);
    this.refresh();
    return count;
  }

  /** The time of the first event, in nanoseconds of the runtime's clock. */
  get firstTime() {
    return BigInt(this.functions.trace_first_time());
  }

  /** The events that were read last, and all further ones until more bytes are needed. */
  *events() {
    for (let count; (count = this.advance("trace_next")) > 0; )
      for (let i = 0; i < count; i++) yield new Event(this, i);
  }

  /** The same as arrays. */
  *batches() {
    for (let count; (count = this.advance("trace_next_batch")) > 0; ) yield this.batch(count);
  }

  /** @param {number} count */
  batch(count) {
    const all = /** @type {any} */ (this.all);
    /** @type {any} */
    const batch = { count, firstTime: this.firstTime };
    for (const name of Object.keys(all)) batch[name] = all[name].subarray(0, count);
    return batch;
  }

  /**
   * Appends bytes to the input, or ends it with null.
   * @param {Uint8Array | null} bytes
   */
  feed(bytes) {
    if (!bytes) {
      this.functions.trace_finish();
      return;
    }
    const address = this.instance.put(bytes);
    const status = this.functions.trace_feed(address, bytes.length);
    this.functions.memory_free(address);
    if (status !== 0) throw new TraceError("there is not enough memory");
  }

  /**
   * @param {number} address of the details
   * @param {number} index
   */
  textOf(address, index) {
    const view = /** @type {DataView} */ (this.view);
    const at = address + DETAIL_TEXTS + 8 * index;
    return this.instance.text(view.getUint32(at, true), view.getUint32(at + 4, true));
  }

  /**
   * @param {number} address
   * @param {number} index
   */
  valueOf(address, index) {
    const view = /** @type {DataView} */ (this.view);
    return view.getUint32(address + DETAIL_WORDS + 4, true) === VALUE_NUMBER
      ? view.getFloat64(address + 8 * index, true)
      : this.textOf(address, index);
  }
}

/** Reads the details at an address, by the kind of the event. */
const DETAILS = {
  Sync: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    number: number(cursor, at, 0),
    clock: word(cursor, at, 0)
      ? { seconds: number(cursor, at, 1), nanoseconds: word(cursor, at, 1) }
      : null,
  }),
  Metric: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    name: cursor.textOf(at, 0),
    value: cursor.valueOf(at, 1),
  }),
  Label: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    label: cursor.textOf(at, 0),
    resource: resource(cursor, at),
  }),
  Range: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    name: cursor.textOf(at, 0),
    cause: word(cursor, at, 1) ? cursor.textOf(at, 1) : null,
    scope: resource(cursor, at),
    attributeCount: word(cursor, at, 2),
  }),
  Task: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    task: number(cursor, at, 0),
    parent: number(cursor, at, 1) < 0 ? null : number(cursor, at, 1),
    type: cursor.textOf(at, 0),
  }),
  Region: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    task: number(cursor, at, 0),
    type: cursor.textOf(at, 0),
  }),
  Log: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    task: number(cursor, at, 0),
    category: cursor.textOf(at, 0),
    message: cursor.textOf(at, 1),
  }),
  StateTransition: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => {
    const states = word(cursor, at, 0) === PROC ? PROC_STATES : GO_STATES;
    return {
      resource: resource(cursor, at),
      from: states[word(cursor, at, 1)],
      to: states[word(cursor, at, 2)],
      reason: cursor.textOf(at, 0),
    };
  },
  Experimental: (/** @type {Cursor} */ cursor, /** @type {number} */ at) => ({
    name: cursor.textOf(at, 0),
    experiment: cursor.textOf(at, 1),
  }),
};

/**
 * @param {Cursor} cursor
 * @param {number} at
 * @param {number} index
 */
function number({ view }, at, index) {
  return /** @type {DataView} */ (view).getFloat64(at + 8 * index, true);
}

/**
 * @param {Cursor} cursor
 * @param {number} at
 * @param {number} index
 */
function word({ view }, at, index) {
  return /** @type {DataView} */ (view).getUint32(at + DETAIL_WORDS + 4 * index, true);
}

/**
 * @param {Cursor} cursor
 * @param {number} at
 */
function resource(cursor, at) {
  return { kind: RESOURCES[word(cursor, at, 0)], id: number(cursor, at, 0) };
}

/** An event. It is valid until the next one is read that the iterator has not got yet. */
export class Event {
  /**
   * @param {Cursor} cursor
   * @param {number} index
   */
  constructor(cursor, index) {
    this.cursor = cursor;
    this.serial = cursor.serial;
    this.index = index;
  }

  /** The cursor, while it still has the event. */
  get now() {
    if (this.cursor.serial !== this.serial)
      throw new TraceError("the event is outdated: take what you need before the next one");
    return this.cursor;
  }

  get all() {
    return /** @type {any} */ (this.now.all);
  }

  get kind() {
    return KINDS[this.all.kind[this.index]] ?? "Bad";
  }

  /** Nanoseconds since the first event. */
  get time() {
    return this.all.time[this.index];
  }

  /** Nanoseconds of the runtime's clock. */
  get clockTime() {
    return this.now.firstTime + BigInt(this.time);
  }

  get thread() {
    return this.all.thread[this.index];
  }

  get proc() {
    return this.all.proc[this.index];
  }

  get goroutine() {
    return this.all.goroutine[this.index];
  }

  /** What only events of this kind have. */
  get details() {
    const cursor = this.now;
    const kind = this.kind.replace(/^(Range|Task|Region).*/, "$1");
    const read = DETAILS[/** @type {keyof typeof DETAILS} */ (kind)];
    return read ? read(cursor, cursor.functions.trace_details(this.index)) : {};
  }

  /** The attributes of a range that ends, such as "bytes swept". */
  get attributes() {
    const cursor = this.now;
    const { attributeCount = 0 } = /** @type {any} */ (this.details);
    return Array.from({ length: attributeCount }, (_, i) => {
      const at = cursor.functions.trace_attribute(this.index, i);
      return { name: cursor.textOf(at, 0), value: cursor.valueOf(at, 1) };
    });
  }

  /** The stack of the event's context, leaf first. */
  get stack() {
    return this.frames(0);
  }

  /** The stack of the goroutine or proc that changes its state. */
  get resourceStack() {
    return this.frames(1);
  }

  /** @param {number} ofResource */
  frames(ofResource) {
    const { functions, instance } = this.now;
    const count = functions.trace_stack(this.index, ofResource);
    const start = functions.trace_frames() >>> 0;
    const view = new DataView(instance.memory.buffer);
    const text = (/** @type {number} */ at) =>
      instance.text(view.getUint32(at, true), view.getUint32(at + 4, true));
    return Array.from({ length: count }, (_, i) => {
      const at = start + FRAME_SIZE * i;
      const pc = view.getBigUint64(at, true);
      const line = Number(view.getBigUint64(at + 8, true));
      return { pc, line, function: text(at + 16), file: text(at + 24) };
    });
  }

  /** The event as `gotrace dump` prints it. */
  toString() {
    const { functions, instance } = this.now;
    const size = functions.trace_format(this.index, 0, 0);
    const address = instance.put(new Uint8Array(size + 1));
    functions.trace_format(this.index, address, size + 1);
    const text = instance.text(address, size);
    functions.memory_free(address);
    return text;
  }
}
