// SPDX-License-Identifier: BSD-3-Clause
// The types of the page's modules: the server's answers, and the structures that modules share.
// For `tsc --checkJs` only; the viewer does not serve this file. Times are nanoseconds since the
// start of the trace. A track is the server's number of one lane of one row.

type ViewName = "proc" | "thread" | "goroutine" | "task";

/** Time in nanoseconds by the class of its spans, such as "running". */
type ClassTimes = Record<string, number>;

// What the server answers.

interface Progress {
  done: boolean;
  fraction: number;
  events: number;
  /** The trace is still being recorded. */
  live: boolean;
  /** How long ago the newest event was, in ns; null if the trace does not say that. */
  lag: number | null;
  /** The recording can be stopped from here. */
  can_stop: boolean;
}

/** Repairs that differ in numbers only, and the times of the first and the last of them. */
interface RepairKind {
  text: string;
  count: number;
  first: number;
  last: number;
}

/** A time in which it is not known what the row of a track did. */
interface LossFacts {
  track: number;
  start: number;
  end: number;
}

/** A file that the server makes: its label in a menu, its request, and its name. */
interface Download {
  label: string;
  path: string;
  query: QueryValues;
  file: string;
}

interface TraceFacts {
  name: string;
  source_url?: string;
  traces_url?: string;
  perfetto_url?: string;
  comparison_url?: string;
  header: string;
  start: string | null;
  gomaxprocs: number;
  progress: Progress;
  /** How the recording has ended, "running" if the program ended meanwhile, or null if unknown. */
  ending: "stopped" | "running" | null;
  error: string | null;
  repairs: string[];
  repairs_total: number;
  repair_kinds: RepairKind[];
  /** The repairs of further kinds. */
  repairs_others: number;
  duration: number;
  /** Which part of a recording this is, or 0, and how much was let go before it, in ns. */
  epoch: number;
  dropped: number;
  /** What the timeline takes, and what the server's process does, which may not be known. */
  memory: number;
  process_memory: number | null;
  counts: Record<string, number>;
}

/** The notes that the host keeps. */
interface NotesFacts {
  is_kept: boolean;
  name: string;
  can_change: boolean;
  revision: string;
  error: string | null;
  notes: unknown[];
}

interface SpanId {
  track: number;
  index: number;
}

interface GoroutineRef {
  id: number;
  title: string;
}

interface StackFrame {
  function: string;
  file: string;
  line: number;
  pc: string;
}

/** What a goroutine did at a time; `span` is the one in which it did so, if that is known. */
interface SpanEvent {
  goroutine: GoroutineRef;
  time: number;
  span: SpanId | null;
  stack?: StackFrame[];
}

/** A log message or a CPU sample. */
interface SpanMark {
  kind: "log" | "sample";
  time: number;
  text: string;
  stack: StackFrame[];
}

interface SpanPart {
  name: string;
  class: string;
  start: number;
  end: number;
  span: SpanId | null;
}

interface RowRef {
  view: ViewName;
  id: number;
  title: string;
}

interface SpanFacts extends SpanId {
  start: number;
  end: number;
  class: string;
  name: string;
  row: RowRef;
  goroutine: GoroutineRef | null;
  proc: number | null;
  thread: number | null;
  stack: StackFrame[];
  end_stack: StackFrame[];
  previous: SpanId | null;
  next: SpanId | null;
  states?: SpanId | null;
  creator: SpanEvent | null;
  by: SpanEvent | null;
  wakes: SpanEvent[];
  wakes_total: number;
  marks: SpanMark[];
  marks_total: number;
  inside: SpanPart[];
}

interface Lane {
  track: number;
  kind: string;
}

/** A row of the listing. The header of a group has only a title, its members and their time. */
interface Row {
  header?: boolean;
  members: number;
  view: ViewName;
  id: number;
  title: string;
  name: string;
  label: string;
  start: number;
  end: number;
  depth: number;
  lanes: Lane[];
  time: ClassTimes;
  /** In the tree of a task: the number of rows below this one. */
  inside?: number;
  /** For goroutines in it: the times of work for the task, some of them if there are many. */
  worked?: [start: number, end: number][];
  worked_total?: number;
  regions?: number;
  logs?: number;
  created?: boolean;
}

/** A row that was asked for by its id; `position` is -1 if the filter leaves it out. */
interface FoundRow extends Row {
  position: number;
}

/** A row with its place in the whole listing and among the rows shown; -1 if it has none. */
interface LocatedRow extends FoundRow {
  listing: number;
  shown: number;
}

interface RowPage {
  total: number;
  rows: Row[];
}

interface Mark {
  kind: "log" | "sample";
  time: number;
  track: number;
  text: string;
  count: number;
  index: number;
}

interface MarkFacts {
  kind: "log" | "sample";
  time: number;
  goroutine: GoroutineRef | null;
  category: string;
  message: string;
  task: { id: number; title?: string } | null;
  stack: StackFrame[];
}

interface ArrowEnd {
  track: number;
  time: number;
}

interface Arrow {
  from: ArrowEnd;
  to: ArrowEnd;
}

/** Start, end, the share of the time between them, and a name if there is one such period. */
type GcPeriod = [start: number, end: number, share: number, name?: string | null];

interface GcFacts {
  gc: GcPeriod[];
  stw: GcPeriod[];
}

/** How many members of groups are in each class, as means over bins of `width` ns. */
interface ActivityFacts {
  start: number;
  end: number;
  width: number;
  bins: number;
  headers: {
    at: number;
    title: string;
    members: number;
    complete: boolean;
    classes: Record<string, number[]>;
  }[];
}

/** The samples of a counter: times, and the values around each. */
interface CounterSeries {
  t: number[];
  min: number[];
  max: number[];
  mean: number[];
}

type CounterKey =
  | "heap"
  | "goal"
  | "running"
  | "runnable"
  | "gc_waiting"
  | "threads_running"
  | "threads_syscall"
  | "gomaxprocs";

type CounterFacts = Record<CounterKey, CounterSeries>;

interface MinimapFacts {
  bins: number;
  start: number;
  end: number;
  classes: Record<string, number[]>;
  gc: number[];
  stw: number[];
}

interface Percentiles {
  min: number;
  mean: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

interface ClassSum extends Percentiles {
  class: string;
  time: number;
  count: number;
}

interface ReasonSum extends Percentiles {
  reason: string;
  time: number;
  count: number;
}

interface FunctionSum {
  name: string;
  goroutines: number;
  time: ClassTimes;
}

interface AreaFacts {
  approximate: boolean;
  spans: number;
  classes: ClassSum[];
  functions: FunctionSum[];
  reasons: ReasonSum[];
  gc: { time: number };
  stw: { time: number; count: number };
  lost: { time: number; count: number };
}

/** In a difference, the last element is the total before. */
type FlameNode = [
  parent: number,
  name: string,
  self: number,
  total: number,
  file?: string,
  line?: number,
  before?: number,
];

interface FlameFacts {
  unit: string;
  total: number;
  /** The spans of the area, and whether only a sample of them was examined. */
  spans?: number;
  approximate?: boolean;
  nodes: FlameNode[];
  /** Of each node; the file is an index to `files`, and the line 0 if there are several. */
  places?: [file: number, line: number][];
  files?: string[];
}

interface SearchResult {
  kind: string;
  title: string;
  detail: string;
  view: ViewName | null;
  row_id: number;
  track: number | null;
  index: number | null;
  start: number;
  end: number;
  /** The frames of the stack's title, leaf first; see stacktitle.js. */
  stack: StackFrame[];
}

interface SearchAnswer {
  results: SearchResult[];
  total: number;
  kinds?: Record<string, number>;
  /** The spans that might match, and whether only a sample of them was searched. */
  spans?: number;
  approximate?: boolean;
}

/** A page of the table of results; `listed` of them can be paged through. */
interface SearchTable extends LatencyFacts {
  total: number;
  listed: number;
  kinds: Record<string, { count: number; time: number }>;
  results: SearchResult[];
}

type TimeKey = "execution" | "sched_wait" | "syscall" | "syscall_block" | "block" | "unknown";

/** Time by state as Go's summaries divide it. */
type SummaryTimes = Record<TimeKey | "total", number>;

type MeasureKey = "execution" | "sched_wait" | "block" | "total";

interface GoroutineGroup {
  name: string;
  pc: string;
  count: number;
  time: SummaryTimes;
  percentiles: Record<MeasureKey, number[]>;
}

interface GoroutineFacts {
  id: number;
  created: number;
  started: number | null;
  ended: number | null;
  time: SummaryTimes;
  blocks: Record<string, number>;
  ranges: Record<string, number>;
}

type Bucket = [from: number, to: number, count: number];
type PercentileKey = "p50" | "p95" | "p99" | "max";

/** What types of tasks and types of regions have in common. */
interface LatencyFacts extends Record<PercentileKey, number> {
  count: number;
  histogram: Bucket[];
  /** Whether percentiles are rounded. */
  approximate?: boolean;
}

/** The waits at one stack that a goroutine at another one ended. */
interface ContentionPair extends LatencyFacts {
  reason: string;
  class: string;
  total: number;
  longest: { start: number; end: number; goroutine: number; ended_by: number | null };
  waiter: StackFrame[];
  unblocker: StackFrame[];
}

interface ContentionFacts extends Pending {
  time: number;
  waits: number;
  unpaired: number;
  reasons: { reason: string; count: number; total: number }[];
  total: number;
  pairs: ContentionPair[];
}

/** What a finding is about: goroutines with one start function, at one pair of stacks. */
interface FindingSubject {
  group: string;
  detail: string;
  figure: number;
  count: number;
  stack: StackFrame[];
  ended_by: StackFrame[];
}

interface FindingExample extends TimeRange {
  goroutine: number | null;
}

/** What a finding is about over the trace, by bin. */
interface FindingCurve {
  measure: string;
  unit: string;
  view: ViewName;
  values: number[];
}

interface Finding {
  name: string;
  wrong: boolean;
  sentence: string;
  figure: number;
  unit: string;
  measure: string;
  share: number;
  whole: string;
  excess: number;
  example: FindingExample | null;
  advice: string;
  curve: FindingCurve | null;
  subjects: FindingSubject[];
}

interface ReportBins {
  count: number;
  width: number;
}

interface ReportFacts extends Pending {
  wrong: number;
  events: number;
  goroutines: number;
  procs: number;
  duration: number;
  looked_for: string[];
  bins: ReportBins;
  total: number;
  findings: Finding[];
}

/** What the parts of a path and their sums have in common. */
interface WhyWhat {
  group: string;
  where: string;
  reason: string;
  state: string;
  /** The class of spans; empty for a part of which nothing is known. */
  class: string;
}

interface WhyPlace extends TimeRange {
  goroutine: number;
}

interface WhyPart extends WhyWhat, WhyPlace {
  number: number;
  /** The index of its interval. */
  interval: number;
  stack?: StackFrame[];
}

interface WhySum extends WhyWhat {
  time: number;
  count: number;
  longest: WhyPlace;
}

interface WhyFacts extends Pending {
  forgotten: number;
  intervals: WhyPlace[];
  left_out: number;
  time: number;
  sums_total: number;
  sums: WhySum[];
  total: number;
  parts: WhyPart[];
  unit?: string;
  tree_total?: number;
  nodes?: FlameNode[];
  places?: [file: number, line: number][];
  files?: string[];
}

interface TaskType extends LatencyFacts {
  name: string;
  complete: number;
}

interface RegionType extends LatencyFacts {
  type: string;
  function: string;
  file: string;
  line: number;
  pc: string;
}

interface TaskEvent {
  time: number;
  goroutine: number;
  text: string;
}

interface TaskFacts {
  id: number;
  name: string;
  parent: number;
  start: number;
  end: number;
  has_start: boolean;
  has_end: boolean;
  duration: number;
  complete: boolean;
  regions: number;
  events: TaskEvent[];
  events_total: number;
  goroutines: number[];
  children: number[];
  children_total: number;
}

interface RegionFacts {
  goroutine: number;
  task: number;
  type: string;
  start: number;
  end: number;
  has_start: boolean;
  has_end: boolean;
  time: SummaryTimes;
}

/** The length of a window, the least utilization in any, and that at each percentile. */
type MmuPoint = number[];

interface MmuFacts {
  curve: MmuPoint[];
  percentiles: number[];
}

interface MmuWindow {
  time: number;
  utilization: number;
}

type GcWorker = "dedicated" | "fractional" | "idle";

interface GcCause {
  cause: string;
  count: number;
  time: number;
  longest: number;
}

/** The assists of the goroutines with one start function, and how long these ran. */
interface GcAssist {
  name: string;
  goroutines: number;
  time: number;
  running: number;
}

/** What the collector did in the whole trace. The flags say what the trace contains at all. */
interface GcSummary {
  cycles: number;
  stops: number;
  duration: number;
  mark: number;
  sweep: number;
  assist: number;
  work: Record<GcWorker, number>;
  has_workers: boolean;
  has_heap: boolean;
  has_goal: boolean;
  has_swept: boolean;
  causes: GcCause[];
  assists: GcAssist[];
}

/** Bytes; null if they are not known. */
interface GcHeap {
  heap: number | null;
  goal: number | null;
}

/** A cycle of the collector. Times are null if they are not within the trace. */
interface GcCycle {
  number: number;
  start: number | null;
  start_end: number | null;
  mark: number | null;
  mark_end: number | null;
  termination: number | null;
  termination_end: number | null;
  sweep_end: number | null;
  sweep: number;
  sweeps: number;
  swept: number | null;
  reclaimed: number | null;
  before: GcHeap;
  after: GcHeap;
  work: Record<GcWorker, number>;
  assist: number;
  assists: number;
}

interface GcStop {
  start: number | null;
  end: number | null;
  cause: string;
  goroutine: number;
}

/** An answer that takes a pass over the trace: while `pending`, only its progress is there. */
interface Pending {
  pending?: boolean;
  /** Not all of it fitted into the answer. */
  truncated?: boolean;
  progress?: number;
}

/** The answers in JSON by endpoint. */
interface Answers {
  "api/activity": ActivityFacts;
  "api/area": AreaFacts;
  "api/arrows": { arrows: Arrow[] };
  "api/contention": ContentionFacts;
  "api/counters": CounterFacts;
  "api/flame": FlameFacts;
  "api/gc": GcFacts;
  "api/gc/cycles": { total: number; cycles: GcCycle[] };
  "api/gc/stops": { total: number; stops: GcStop[] };
  "api/gc/summary": GcSummary;
  "api/group": { total: number; goroutines: GoroutineFacts[] };
  "api/groups": { total: number; groups: GoroutineGroup[] };
  "api/losses": { losses: LossFacts[] };
  "api/mark": MarkFacts;
  "api/marks": { marks: Mark[] };
  "api/minimap": MinimapFacts;
  "api/mmu": MmuFacts;
  "api/mmu/worst": { windows: MmuWindow[] };
  "api/notes": NotesFacts;
  "api/profile": FlameFacts;
  "api/region": { total: number; regions: RegionFacts[] };
  "api/regions": { total: number; types: RegionType[] };
  "api/report": ReportFacts;
  "api/row": FoundRow;
  "api/rows": RowPage;
  "api/search": SearchAnswer;
  "api/search/table": SearchTable;
  "api/span": SpanFacts;
  "api/task": { total: number; tasks: TaskFacts[] };
  "api/tasks": { total: number; types: TaskType[] };
  "api/trace": TraceFacts;
  "api/why": WhyFacts;
}

/** A trace of a comparison, as the host lists it. */
interface ComparedTrace {
  path: string;
  name: string;
}

interface ComparedSide {
  traces: number;
  time_ns: number;
  pieces: number;
}

type Verdict = "worse" | "better" | "changed" | "added" | "removed" | "noise";

/** A figure before and after the change; see docs/viewer-api.md. */
interface Difference {
  verdict: Verdict;
  label: string;
  subject: "trace" | "goroutine" | "task" | "region" | "stack";
  name: string;
  measure: string;
  detail: string;
  statistic: string;
  before: number;
  after: number;
  before_count: number;
  after_count: number;
  low?: number;
  high?: number;
}

interface Comparison {
  before_traces: ComparedTrace[];
  after_traces: ComparedTrace[];
  before: ComparedSide;
  after: ComparedSide;
  tested: number;
  lost: number;
  /** How many differences are not noise; they come first. */
  told: number;
  total: number;
  first: number;
  differences: Difference[];
}

/** Two distributions: the shortest and the longest duration of a bucket, and its count. */
interface ComparedBuckets {
  before: Bucket[];
  after: Bucket[];
}

// What the modules share.

interface TimeRange {
  start: number;
  end: number;
}

/** A selected range of time, on some tracks or, if they are null, on all rows. */
interface AreaRange extends TimeRange {
  tracks: number[] | null;
}

/**
 * What the user wrote on a time or, with an end, on a range of time, perhaps on one row, which is
 * named as in rows.js. Times are in ns since the start of the trace.
 */
interface Note {
  time: number;
  end: number | null;
  row: string;
  text: string;
}

/** The groups that are folded or, of all, those that are not. */
interface GroupFolds {
  all: boolean;
  names: string[];
}

/** How a flame graph is shown; see flame.js. Frames are named by keys of their stacks. */
interface FlameLook {
  flame: string;
  zoom: string;
  frame: string;
  find: string;
}

/** What the address stores. What the browser remembers too is null until it is known. */
interface AddressState extends FlameLook {
  view: ViewName;
  /** The task whose tree is shown in the view of tasks, or null. */
  tree: number | null;
  /** Both ends of the range of time, or null for the whole trace. */
  s: number | null;
  e: number | null;
  /** How much of the newest part of a live trace is shown, in ns; 0 if the view does not follow
   * it, and null if the address does not say that. */
  live: number | null;
  /** How much of the recording was let go before the time 0, in ns; null if nothing was. */
  from: number | null;
  sel: SpanId | null;
  area: AreaRange | null;
  filter: string;
  sort: string;
  desc: boolean;
  group: boolean;
  idle: boolean;
  tf: string;
  origin: number | null;
  pin: string[];
  /** Only pinned rows are shown, if there are any of the view. */
  only: boolean;
  hide: string[];
  fold: GroupFolds;
  /** The name of the row that keys go to. */
  row: string;
  /** The first row in sight and the first pinned one, each with the fraction that is scrolled. */
  y: number;
  pinY: number;
  marks: number[];
  q: string;
  /** The range of time that is searched, or null for the whole trace. */
  within: AreaRange | null;
  /** The number of the result that is shown, or -1. */
  hit: number;
  /** The kinds whose results are all listed. */
  more: string[];
  /** The interval whose critical path is shown; see whyaddress.js. */
  why: string;
  /** The kind of the flame graph, and of the one that compares. */
  kind: string | null;
  against: string;
  /** The area with which the selected one is compared, and whether by length. */
  base: (AreaRange & { view: ViewName; tree?: number | null }) | null;
  norm: boolean;
  tab: string | null;
  panel: boolean | null;
  dock: string | null;
  show: Preferences | null;
  /** Whether stacks have the frames of the runtime. */
  runtime: boolean | null;
  /** By which frame tables call their stacks; see stacktitle.js. */
  titles: "outside" | "leaf";
  /** The sections of the details that are closed, and the stacks of marks that are open. */
  shut: string[];
  open: number[];
  counters: boolean;
  /** The order of tables; see sortsField(). */
  sorts: string[];
  notes: Note[];
}

/** The state of the timeline once the duration of the trace is known. */
interface TimelineState extends AddressState {
  s: number;
  e: number;
}

type StatePatch = Partial<AddressState> & { whole?: boolean };

type Preferences = Record<"tooltips" | "overlay" | "labels" | "compact" | "arrows", boolean>;

/**
 * A track's part of a tile. An item has 40 bytes, so it is five of the `times`, ten of the `words`
 * and forty of the `shares`; see api.js.
 */
interface TileItems {
  count: number;
  times: Float64Array;
  words: Uint32Array;
  shares: Uint8Array;
  labels: Map<number, string> | null;
  bytes: number;
}

interface CachedTile extends TileItems {
  final: boolean;
  at: number;
  used: number;
}

/**
 * An item of a tile: one span, or several that were merged because they are short. `cls` is its
 * class, or that of the largest share.
 */
interface Item extends TimeRange {
  track: number;
  count: number;
  index: number;
  cls: string;
  label: string | null;
  shares: Uint8Array;
}

interface PlacedLane extends Lane {
  y: number;
  height: number;
}

interface LayoutItem {
  row: Row | null;
  index: number;
  y: number;
  height: number;
  pinned: boolean;
  lanes: PlacedLane[];
}

/** What lies at a point of the timeline. */
interface Hit {
  row: Row | null;
  place: LayoutItem | null;
  lane: PlacedLane | null;
  track: number | null;
  time: number;
  item: Item | null;
  x: number;
  y: number;
  inLabels: boolean;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  pinned: boolean;
}

interface Point {
  x: number;
  y: number;
}

interface Command {
  id: string;
  group: string;
  title: string;
  keys?: string;
  run: (text?: string) => unknown;
  when?: () => boolean;
}

interface MenuEntry {
  label: string;
  keys?: string;
  disabled?: boolean;
  href?: string;
  /** The name of the file that the address is saved as, instead of being opened. */
  download?: string;
  run?: () => unknown;
}

/** Entries that a condition leaves out are falsy; null is a separator. */
type MenuList = (MenuEntry | null | undefined | false | "")[];

interface Scope extends AreaRange {
  view: ViewName;
  /** The task whose tree is meant, unless there are tracks; or null. */
  tree: number | null;
  whole: boolean;
}

interface RequestOptions {
  signal?: AbortSignal;
  priority?: RequestPriority;
}

type QueryValues = Record<string, string | number | boolean | number[] | null | undefined>;

type Child = Node | string | number | null | undefined | false | Child[];

type Listeners = {
  [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown;
};

/** What h() makes of an element: listeners, the class, styles, data, attributes and properties. */
type Attributes = Listeners & { [name: string]: unknown };

/** The layout of a flame graph: nodes in preorder; see flamelayout.js. */
interface FlameTree {
  count: number;
  parent: Int32Array;
  last: Int32Array;
  depth: Int32Array;
  x: Float64Array;
  total: Float64Array;
  self: Float64Array;
  name: string[];
  /** Where a node is; the line is 0 if there are several. */
  file: string[];
  line: Int32Array;
  /** In a difference, the part of the total that was there before; otherwise null. */
  before: Float64Array | null;
  levels: number[][];
}

interface FunctionTotal {
  name: string;
  self: number;
  total: number;
  open: number;
}

/**
 * What a key or a command calls by its name. Each expects another argument, if any, so this is
 * the type of a method, whose parameters TypeScript compares in both directions.
 */
type Action = { run(argument?: unknown): unknown }["run"];

/** A listener of any event of the timeline; see Action for why it is a method's type. */
type Listener = { call(...values: unknown[]): void }["call"];

/** What app.js itself defines. */
interface AppCore {
  state: TimelineState;
  prefs: Preferences;
  selection: SpanFacts | null;
  hover: Hit | null;
  /** The name of the row that keys go to, and the row. */
  readonly focus: string | null;
  focused: Row | RowRef | null;
  cursor: number | null;
  whole: boolean;
  measuring: boolean;
  ready: boolean;
  /** Whether the panel is where it belongs, so that it is known how far rows can be scrolled. */
  placed: boolean;
  highlighted: SearchResult[];
  frames: number[];
  height: number;
  actions: Map<string, Action>;
  view: import("./view.js").View;
  tiles: import("./tiles.js").TileCache;
  on<Name extends keyof AppEvents>(
    event: Name,
    listener: (...values: AppEvents[Name]) => void,
  ): () => void;
  emit<Name extends keyof AppEvents>(event: Name, ...values: AppEvents[Name]): void;
  run(name: string, argument?: unknown): unknown;
  set(patch: StatePatch, options?: { push?: boolean; glide?: boolean }): void;
  select(
    track: number,
    index: number,
    options?: { reveal?: boolean; zoom?: boolean },
  ): Promise<SpanFacts | null>;
  reveal(place: Place): Promise<void>;
  zoomTo(start: number, end: number, options?: { padding?: number }): void;
  undo(): void;
  redo(): void;
  highlights(list: SearchResult[]): void;
  link(changes?: Partial<TimelineState>): { text: string; tooLong: string[] };
  hit(clientX: number, clientY: number): Hit | null;
  focusRow(row: Row | RowRef | null): void;
  togglePref(name: keyof Preferences): void;
  invalidate(...parts: string[]): void;
  layoutNow(): void;
  rowsChanged(): void;
  report(error: unknown): void;
  refreshColors(): void;
}

interface App extends AppCore {
  /** Missing only until the first answer has arrived; nothing is drawn before that. */
  trace: TraceFacts;
  rows: import("./rows.js").Rows;
  layout: import("./layout.js").Layout;
  activity: import("./activity.js").Activity;
  drawing: import("./draw.js").Drawing;
  loader: import("./loader.js").TileLoader;
  livemode: import("./livemode.js").LiveMode;
  collector: import("./feed.js").RangeFeed<GcFacts>;
  labels: import("./labels.js").Labels;
  overlay: import("./overlay.js").Overlay;
  losses: import("./losses.js").Losses;
  notes: import("./notes.js").Notes;
  marks: import("./marks.js").Marks;
  arrows: import("./arrows.js").Arrows;
  trail: import("./trail.js").Trail;
  axis: import("./axis.js").Axis;
  minimap: import("./minimap.js").Minimap;
  counters: import("./counters.js").Counters;
  scroller: import("./scroll.js").Scroller;
  selecting: import("./selection.js").Selection;
  tooltip: import("./tooltip.js").Tooltip;
  input: import("./input.js").Input;
  toolbar: import("./toolbar.js").Toolbar;
  speech: import("./speech.js").Speech;
  status: import("./status.js").Status;
}

/** A row of a view, and a range of time; what is left out stays as it is. */
interface Place {
  view?: ViewName | null;
  row_id?: number | null;
  start?: number | null;
  end?: number;
}

interface MenuRequest {
  x: number;
  y: number;
  hit: Hit | null;
  selection: SpanFacts | null;
}

/** The events of the timeline, with the values that listeners are called with. */
interface AppEvents {
  trace: [trace: TraceFacts];
  state: [state: TimelineState, changed: StatePatch];
  area: [area: AreaRange | null];
  selection: [span: SpanFacts | null, restored?: boolean];
  hover: [hit: Hit | null];
  menu: [request: MenuRequest];
  /** What is known of where the notes are kept has changed. */
  notes: [];
  prefs: [prefs: Preferences];
  rows: [];
  colors: [];
}

interface Window {
  /** For tests, and for those who look at the page in the browser's console. */
  gotrace: App;
}
