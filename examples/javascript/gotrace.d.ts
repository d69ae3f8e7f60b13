// SPDX-License-Identifier: BSD-3-Clause

/** The names of the kinds of events, by the numbers in EventBatch.kind. */
export const KINDS: readonly string[];

export type Kind =
  | "Sync"
  | "Metric"
  | "Label"
  | "StackSample"
  | "RangeBegin"
  | "RangeActive"
  | "RangeEnd"
  | "TaskBegin"
  | "TaskEnd"
  | "RegionBegin"
  | "RegionEnd"
  | "Log"
  | "StateTransition"
  | "Experimental";

/** A trace that cannot be read, or not any further; or a command that failed. */
export class TraceError extends Error {}

export interface Resource {
  kind: "None" | "Goroutine" | "Proc" | "Thread";
  /** -1 if there is none. */
  id: number;
}

export interface Frame {
  pc: bigint;
  line: number;
  function: string;
  file: string;
}

/** What an event has besides its members, by its kind. */
export interface EventDetails {
  /** Of a Sync. */
  number?: number;
  clock?: { seconds: number; nanoseconds: number } | null;
  /** Of a Metric, a range, and an event of an experiment. */
  name?: string;
  value?: number | string;
  /** Of a Label. */
  label?: string;
  /** Of a Label and a StateTransition. */
  resource?: Resource;
  /** Of a range: why the world was stopped, and what it belongs to. */
  cause?: string | null;
  scope?: Resource;
  attributeCount?: number;
  /** Of a task, a region and a Log: the id of the task, which is 0 for none. */
  task?: number;
  parent?: number | null;
  /** Of a task and a region. */
  type?: string;
  /** Of a Log. */
  category?: string;
  message?: string;
  /** Of a StateTransition: the states as Go names them, such as "Running". */
  from?: string;
  to?: string;
  reason?: string;
  /** Of an event of an experiment. */
  experiment?: string;
}

/**
 * An event. It is valid until the iterator is asked for the next one: take what you need before.
 * Ids are -1 if there is none, and above 2^53 they are rounded.
 */
export class Event {
  private constructor();
  readonly kind: Kind | "Bad";
  /** Nanoseconds since the first event of the trace. */
  readonly time: number;
  /** Nanoseconds of the clock of Go's runtime. */
  readonly clockTime: bigint;
  readonly thread: number;
  readonly proc: number;
  readonly goroutine: number;
  /** What depends on the kind. It is read anew each time. */
  readonly details: EventDetails;
  /** The attributes of a RangeEnd, such as "bytes swept". */
  readonly attributes: { name: string; value: number | string }[];
  /** The stack of the context, leaf first. */
  readonly stack: Frame[];
  /** The stack of the goroutine or proc whose state a StateTransition changes. */
  readonly resourceStack: Frame[];
  /** The event as `gotrace dump` prints it. */
  toString(): string;
}

/**
 * Members of up to 4096 events as arrays, which are valid until the next batch. Numbers are as in
 * Event; states and kinds are those of the enumerations in gotrace/types.h and gotrace/event.h.
 */
export interface EventBatch {
  readonly count: number;
  /** The time of the first event of the trace, in nanoseconds of the runtime's clock. */
  readonly firstTime: bigint;
  readonly kind: Uint8Array;
  readonly time: Float64Array;
  readonly thread: Float64Array;
  readonly proc: Float64Array;
  readonly goroutine: Float64Array;
  /** Of a StateTransition: what changes its state (1: a goroutine, 2: a proc), and the states. */
  readonly resource: Float64Array;
  readonly resourceKind: Uint8Array;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** A column of some rows, as Apache Arrow lays it out. It is valid until the next rows. */
export interface Column {
  readonly name: string;
  readonly type: "boolean" | "int32" | "int64" | "timestamp" | "string";
  /**
   * The values: of int32 an Int32Array; of int64, and of timestamp, which counts microseconds since
   * 1970 in UTC, a BigInt64Array; of string an Int32Array of places in `texts`; and of boolean bits,
   * of which each byte has eight, beginning with the lowest.
   */
  readonly values: Int32Array | BigInt64Array | Uint8Array;
  /** A bit for each row that has a value, in the same order, or null if all have. */
  readonly valid: Uint8Array | null;
  /** Of string: each text once. They are decoded when they are asked for. */
  readonly texts: readonly string[];
  /** The value of a row, or null if it has none. */
  get(row: number): boolean | number | bigint | string | null;
}

/** Up to 262,144 rows of a table. */
export interface TableBatch {
  readonly count: number;
  /** The columns by name; docs/columns.md describes them. */
  readonly columns: Readonly<Record<string, Column>>;
}

export interface Options {
  /** Repair a damaged trace as far as possible instead of failing where it is damaged. */
  lenient?: boolean;
}

/** What the command has printed. */
export interface Result {
  code: number;
  output: Uint8Array;
  messages: string;
  /** Files that it has written, by path without a slash at the begin. */
  files: Map<string, Uint8Array>;
}

/** How a recording has ended: it was stopped, or the program ended, or was ended, meanwhile. */
export type Ending = "stopped" | "running";

/** A trace that can be read any number of times. */
export class Trace {
  private constructor();
  /**
   * How the recording has ended, once events or batches were read to the end. It is null before,
   * and if it cannot be told, as of traces of Go 1.25 and before.
   */
  readonly ending: Ending | null;
  /** Its events. A damaged trace gives all good events, and then a TraceError. */
  events(): Generator<Event, void>;
  /** The same as arrays, which is several times as fast. */
  readBatches(): Generator<EventBatch, void>;
  /** What `gotrace stat --json` prints. */
  stat(): Promise<any>;
  /** What `gotrace summary` prints: where goroutines, regions and tasks spent their time. */
  summary(): Promise<{ goroutines: any[]; regions: any[]; tasks: any[] }>;
  /** What `gotrace latency --json` prints, an object a line. */
  latency(): Promise<any[]>;
  /** What `gotrace report --json` prints: what is wrong with the program, the worst first. */
  report(): Promise<any>;
  /** What `gotrace goroutines --json` prints, an object a line. */
  goroutines(): Promise<any[]>;
  /** A profile of `gotrace pprof KIND`, for `go tool pprof`: "net", "sync", "sched", "wall" … */
  pprof(kind: string): Promise<Uint8Array>;
  /** A table of `gotrace columns`, such as "goroutine_states", as a file of Parquet. */
  columns(table: string): Promise<Uint8Array>;
  /**
   * The same rows as typed arrays and dictionaries, in the order in which they come to be. The column
   * trace_id is empty. A damaged trace gives a TraceError, unless it is repaired.
   */
  readTable(table: string): Generator<TableBatch, void>;
  /** Runs any other command but view. The trace is the file /trace, as in run("mmu", "/trace"). */
  run(...args: string[]): Promise<Result>;
  /** Closes the file, in Node. Iterators that were not ended fail, and nothing more can be read. */
  close(): void;
}

/**
 * Opens a trace, which may be compressed by gzip: the path of a file in Node, a Blob, which is what
 * the user of a page chooses, or bytes. The trace stays outside of the module's memory. In a Worker
 * a Blob is read piece by piece, and elsewhere as a whole.
 */
export function open(
  source: string | URL | Blob | ArrayBuffer | Uint8Array,
  options?: Options,
): Promise<Trace>;

/** A trace that is read while its bytes come. */
export interface Reading extends AsyncIterable<Event> {
  /** As that of a Trace. */
  readonly ending: Ending | null;
  readBatches(): AsyncGenerator<EventBatch, void>;
}

/** Reads a trace from a stream: a response's body, a file or a process of Node. */
export function read(
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  options?: Options,
): Reading;
