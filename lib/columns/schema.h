/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_COLUMNS_SCHEMA_H
#define GT_COLUMNS_SCHEMA_H

#include <gotrace/columns.h>

#include "parquet/parquet.h"

/*
 * The tables that are made of traces. Each column is x(name, kind, unit, is optional, rises,
 * meaning). Columns keep their order for ever, and new ones come last.
 */

/* clang-format off */

#define GT_SCHEMA_TRACES(x) \
    x(trace_id, STRING, NONE, 0, 0, "a hash of the bytes of the trace, as 32 hexadecimal digits") \
    x(file, STRING, NONE, 0, 0, "the name of the file") \
    x(bytes, INT64, BYTES, 0, 0, "its size, decompressed") \
    x(go_version, INT32, NONE, 0, 0, "the N of the header's 'go 1.N trace'") \
    x(start_ns, INT64, NANOSECONDS, 0, 0, "the time of the first event") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "from the first event to the last") \
    x(wall_offset_ns, INT64, NANOSECONDS, 1, 0, "what to add to a time for the wall clock since 1970") \
    x(started_at, TIMESTAMP, MICROSECONDS, 1, 0, "the wall-clock time of the first event") \
    x(events, INT64, NONE, 0, 0, "the number of events") \
    x(generations, INT32, NONE, 0, 0, "the number of generations") \
    x(gomaxprocs, INT32, NONE, 1, 0, "the last value of GOMAXPROCS") \
    x(goroutines, INT64, NONE, 0, 0, "the number of goroutines") \
    x(host, STRING, NONE, 1, 0, "the host, as --host gave it") \
    x(meta, STRING, NONE, 0, 0, "a JSON object with what --meta gave") \
    x(repairs, INT64, NONE, 0, 0, "how many times damage was repaired") \
    x(error, STRING, NONE, 1, 0, "why reading ended before the end of the trace")

#define GT_SCHEMA_GENERATIONS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(generation, INT64, NONE, 0, 0, "its number in the trace") \
    x(start_ns, INT64, NANOSECONDS, 0, 1, "the time of its Sync") \
    x(wall_offset_ns, INT64, NANOSECONDS, 1, 0, "what to add to its times for the wall clock since 1970")

#define GT_SCHEMA_GOROUTINES(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(goroutine, INT64, NONE, 0, 0, "its id") \
    x(function, STRING, NONE, 1, 0, "the function that it starts with") \
    x(system, BOOLEAN, NONE, 0, 0, "it is one of the runtime's own, or its function is not known") \
    x(created_ns, INT64, NANOSECONDS, 0, 0, "when it was created; of an older one the Sync before it appears") \
    x(started_ns, INT64, NANOSECONDS, 1, 0, "when it first ran") \
    x(ended_ns, INT64, NANOSECONDS, 1, 0, "when it ended or began to wait for ever; NULL: never") \
    x(existed, BOOLEAN, NONE, 0, 0, "it existed before the trace") \
    x(creator, INT64, NONE, 1, 0, "the goroutine that created it") \
    x(creation_stack, INT64, NONE, 1, 0, "the stack that created it") \
    x(execution_ns, INT64, NANOSECONDS, 0, 0, "running") \
    x(sched_wait_ns, INT64, NANOSECONDS, 0, 0, "runnable, waiting for a proc") \
    x(syscall_ns, INT64, NANOSECONDS, 0, 0, "in a system call or in C, with its proc") \
    x(syscall_block_ns, INT64, NANOSECONDS, 0, 0, "in a system call or in C, without its proc") \
    x(block_ns, INT64, NANOSECONDS, 0, 0, "waiting") \
    x(unknown_ns, INT64, NANOSECONDS, 0, 0, "the rest of the total") \
    x(total_ns, INT64, NANOSECONDS, 0, 0, "all its time in the trace")

#define GT_SCHEMA_GOROUTINE_STATES(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(goroutine, INT64, NONE, 0, 0, "the goroutine") \
    x(function, STRING, NONE, 1, 0, "the function that it starts with, if that is known by then") \
    x(state, STRING, NONE, 0, 0, "Runnable, Running, Waiting or Syscall") \
    x(reason, STRING, NONE, 1, 0, "why it changed to this state, in the runtime's words") \
    x(start_ns, INT64, NANOSECONDS, 0, 1, "when the state began") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "how long it lasted") \
    x(cut, INT32, NONE, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(proc, INT32, NONE, 1, 0, "of Running and Syscall: the proc on which it began") \
    x(thread, INT64, NONE, 1, 0, "of Running and Syscall: the thread on which it began") \
    x(stack_id, INT64, NONE, 1, 0, "the goroutine's stack when the state began") \
    x(unblocked_by, INT64, NONE, 1, 0, "of Waiting: the goroutine that ended it") \
    x(unblocker_stack, INT64, NONE, 1, 0, "of Waiting: the stack that ended it") \
    x(lost_proc_ns, INT64, NANOSECONDS, 1, 0, "of Syscall: for how long it had no proc") \
    x(region_id, INT64, NONE, 1, 0, "the innermost region that was open when it began") \
    x(task_id, INT64, NONE, 1, 0, "the task of that region")

#define GT_SCHEMA_PROC_STATES(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(proc, INT32, NONE, 0, 0, "the proc") \
    x(state, STRING, NONE, 0, 0, "Running or Idle") \
    x(start_ns, INT64, NANOSECONDS, 0, 1, "when the state began") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "how long it lasted") \
    x(cut, INT32, NONE, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(thread, INT64, NONE, 1, 0, "of Running: the thread that took it")

#define GT_SCHEMA_REGIONS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(region_id, INT64, NONE, 0, 0, "a number in the trace, from 1") \
    x(parent_region, INT64, NONE, 1, 0, "the innermost region of the same goroutine in which it began") \
    x(goroutine, INT64, NONE, 0, 0, "the goroutine") \
    x(task_id, INT64, NONE, 1, 0, "the task that it belongs to") \
    x(type, STRING, NONE, 0, 0, "the name given to trace.StartRegion") \
    x(start_ns, INT64, NANOSECONDS, 0, 0, "when it began") \
    x(started_at, TIMESTAMP, MICROSECONDS, 1, 0, "the wall-clock time of that") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "how long it lasted") \
    x(cut, INT32, NONE, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(depth, INT32, NONE, 0, 0, "in how many regions of the goroutine it began") \
    x(stack_id, INT64, NONE, 1, 0, "the stack that began it") \
    x(execution_ns, INT64, NANOSECONDS, 0, 0, "running") \
    x(sched_wait_ns, INT64, NANOSECONDS, 0, 0, "runnable, waiting for a proc") \
    x(syscall_ns, INT64, NANOSECONDS, 0, 0, "in a system call or in C, with its proc") \
    x(syscall_block_ns, INT64, NANOSECONDS, 0, 0, "in a system call or in C, without its proc") \
    x(block_ns, INT64, NANOSECONDS, 0, 0, "waiting")

#define GT_SCHEMA_RANGES(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(name, STRING, NONE, 0, 0, "what went on, such as stop-the-world or GC mark assist") \
    x(cause, STRING, NONE, 1, 0, "of stop-the-world: why") \
    x(scope, STRING, NONE, 0, 0, "what it went on for: Goroutine, Proc, Thread, or None for the program") \
    x(scope_id, INT64, NONE, 1, 0, "the id of that goroutine, proc or thread") \
    x(start_ns, INT64, NANOSECONDS, 0, 0, "when it began") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "how long it lasted") \
    x(cut, INT32, NONE, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(goroutine, INT64, NONE, 1, 0, "the goroutine on which it was seen first") \
    x(proc, INT32, NONE, 1, 0, "the proc on which it was seen first") \
    x(bytes_swept, INT64, BYTES, 1, 0, "of GC incremental sweep: what it has swept") \
    x(bytes_reclaimed, INT64, BYTES, 1, 0, "of GC incremental sweep: what became free by that")

#define GT_SCHEMA_GC_CYCLES(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(cycle, INT64, NONE, 0, 0, "a number in the trace, from 1") \
    x(started_at, TIMESTAMP, MICROSECONDS, 1, 0, "the wall-clock time of its begin") \
    x(start_ns, INT64, NANOSECONDS, 0, 1, "when marking began") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "how long marking lasted") \
    x(sweep_termination_ns, INT64, NANOSECONDS, 1, 0, "how long the world was stopped for its begin") \
    x(mark_termination_ns, INT64, NANOSECONDS, 1, 0, "how long the world was stopped for its end") \
    x(assist_ns, INT64, NANOSECONDS, 0, 0, "mark assists of goroutines that ended before the next cycle began") \
    x(heap_before, INT64, BYTES, 1, 0, "the bytes of objects in the heap, as last told before") \
    x(goal, INT64, BYTES, 1, 0, "the goal for the heap in bytes, as last told before") \
    x(cut, INT32, NONE, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both")

#define GT_SCHEMA_TASKS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(task_id, INT64, NONE, 0, 0, "the task; what names it after its end has a row of its own, with cut 3") \
    x(parent_task, INT64, NONE, 1, 0, "the task in which it was created") \
    x(type, STRING, NONE, 0, 0, "the name given to trace.NewTask; empty if it is not in the trace") \
    x(start_ns, INT64, NANOSECONDS, 0, 0, "when it began") \
    x(started_at, TIMESTAMP, MICROSECONDS, 1, 0, "the wall-clock time of that") \
    x(duration_ns, INT64, NANOSECONDS, 0, 0, "how long it lasted") \
    x(cut, INT32, NONE, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(goroutine, INT64, NONE, 1, 0, "the goroutine that began it") \
    x(goroutines, INT32, NONE, 0, 0, "how many goroutines have worked on it") \
    x(regions, INT32, NONE, 0, 0, "how many regions belong to it") \
    x(logs, INT32, NONE, 0, 0, "how many log messages belong to it")

#define GT_SCHEMA_LOGS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(time_ns, INT64, NANOSECONDS, 0, 1, "when it was logged") \
    x(logged_at, TIMESTAMP, MICROSECONDS, 1, 0, "the wall-clock time of that") \
    x(goroutine, INT64, NONE, 1, 0, "the goroutine") \
    x(task_id, INT64, NONE, 1, 0, "the task") \
    x(category, STRING, NONE, 1, 0, "the category") \
    x(message, STRING, NONE, 0, 0, "the message") \
    x(stack_id, INT64, NONE, 1, 0, "the stack")

#define GT_SCHEMA_METRICS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(time_ns, INT64, NANOSECONDS, 0, 1, "when it changed") \
    x(name, STRING, NONE, 0, 0, "its name in Go's package runtime/metrics") \
    x(value, INT64, NONE, 0, 0, "its new value")

#define GT_SCHEMA_SAMPLES(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(time_ns, INT64, NANOSECONDS, 0, 1, "when the CPU profiler took it") \
    x(goroutine, INT64, NONE, 1, 0, "the goroutine") \
    x(proc, INT32, NONE, 1, 0, "the proc") \
    x(thread, INT64, NONE, 1, 0, "the thread") \
    x(stack_id, INT64, NONE, 1, 0, "the stack")

#define GT_SCHEMA_WAITS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(function, STRING, NONE, 1, 0, "the function that the goroutines start with") \
    x(state, STRING, NONE, 0, 0, "Runnable, Running, Waiting or Syscall") \
    x(reason, STRING, NONE, 1, 0, "why they changed to this state, in the runtime's words") \
    x(region_type, STRING, NONE, 1, 0, "the innermost region that was open when it began") \
    x(task_type, STRING, NONE, 1, 0, "the task of that region") \
    x(stack_id, INT64, NONE, 1, 0, "the stack when it began") \
    x(unblocker_stack, INT64, NONE, 1, 0, "of Waiting: the stack that ended it") \
    x(count, INT64, NONE, 0, 0, "how many states of goroutine_states with cut = 0 are so") \
    x(sum_ns, INT64, NANOSECONDS, 0, 0, "how long they lasted in all") \
    x(min_ns, INT64, NANOSECONDS, 0, 0, "how long the shortest lasted") \
    x(max_ns, INT64, NANOSECONDS, 0, 0, "how long the longest lasted")

#define GT_SCHEMA_LATENCY(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(kind, STRING, NONE, 0, 0, "what was measured: sched, block, task or region, as gotrace latency has it") \
    x(grouped_by, STRING, NONE, 0, 0, "all, goroutine, reason, task or region") \
    x(name, STRING, NONE, 0, 0, "the function, reason, task or region; empty for all") \
    x(from_ns, INT64, NANOSECONDS, 0, 0, "the shortest duration that counts here") \
    x(to_ns, INT64, NANOSECONDS, 0, 0, "the shortest duration that is too long") \
    x(count, INT64, NONE, 0, 0, "the number of durations in between; all add up over traces")

#define GT_SCHEMA_STACKS(x) \
    x(trace_id, STRING, NONE, 0, 0, "a trace that has it; it is the same in others") \
    x(stack_id, INT64, NONE, 0, 0, "a hash of its functions, files and lines, the same in all traces") \
    x(frames, INT32, NONE, 0, 0, "the number of frames") \
    x(leaf, STRING, NONE, 0, 0, "the function of the innermost frame") \
    x(root, STRING, NONE, 0, 0, "the function of the outermost frame") \
    x(own, STRING, NONE, 1, 0, "the innermost function that is not of the standard library") \
    x(folded, STRING, NONE, 0, 0, "all functions, the outermost first, with semicolons in between")

#define GT_SCHEMA_FRAMES(x) \
    x(trace_id, STRING, NONE, 0, 0, "a trace that has the stack; it is the same in others") \
    x(stack_id, INT64, NONE, 0, 0, "the stack") \
    x(position, INT32, NONE, 0, 0, "0 for the innermost frame") \
    x(function, STRING, NONE, 0, 0, "the function") \
    x(file, STRING, NONE, 0, 0, "the source file") \
    x(line, INT32, NONE, 0, 0, "the line in it")

#define GT_SCHEMA_EVENTS(x) \
    x(trace_id, STRING, NONE, 0, 0, "the trace") \
    x(time_ns, INT64, NANOSECONDS, 0, 1, "when it happened") \
    x(kind, STRING, NONE, 0, 0, "its kind, as gotrace dump prints it") \
    x(goroutine, INT64, NONE, 1, 0, "the goroutine on which it happened") \
    x(proc, INT32, NONE, 1, 0, "the proc on which it happened") \
    x(thread, INT64, NONE, 1, 0, "the thread on which it happened") \
    x(stack_id, INT64, NONE, 1, 0, "its stack") \
    x(name, STRING, NONE, 1, 0, "a metric, range, task, region, label or experiment; the category of a log; the reason of a transition") \
    x(text, STRING, NONE, 1, 0, "the message of a log; the cause of a stop of the world; of transitions and labels, what they are of") \
    x(id, INT64, NONE, 1, 0, "a task, the number of a generation, or the goroutine or proc that changes, has a range or gets a label") \
    x(value, INT64, NONE, 1, 0, "the value of a metric, or the parent of a task") \
    x(from_state, STRING, NONE, 1, 0, "of a transition: the state before") \
    x(to_state, STRING, NONE, 1, 0, "of a transition: the state after")

/*
 * Calls x(NAME, name, level, meaning) for each table. Those of the level FLEET are small and add up
 * over traces; those of the level ASKED are made only if they are asked for.
 */
#define GT_TABLES(x) \
    x(TRACES, traces, FLEET, "a row for each trace") \
    x(GENERATIONS, generations, FULL, "the generations of traces, and their clocks") \
    x(GOROUTINES, goroutines, FULL, "goroutines, and how they spent their time") \
    x(GOROUTINE_STATES, goroutine_states, FULL, "each state of each goroutine, from begin to end") \
    x(PROC_STATES, proc_states, FULL, "each state of each proc, from begin to end") \
    x(RANGES, ranges, FULL, "what the runtime does for a while, such as stop the world") \
    x(GC_CYCLES, gc_cycles, FLEET, "cycles of the garbage collector") \
    x(REGIONS, regions, FULL, "regions of runtime/trace, and how their goroutines spent them") \
    x(TASKS, tasks, FULL, "tasks of runtime/trace") \
    x(LOGS, logs, FULL, "log messages of runtime/trace") \
    x(METRICS, metrics, FULL, "values of metrics, such as the size of the heap") \
    x(SAMPLES, samples, FULL, "samples of the CPU profiler") \
    x(WAITS, waits, FLEET, "states of goroutines, added up by what they were") \
    x(LATENCY, latency, FLEET, "how many durations of gotrace latency are in which range") \
    x(STACKS, stacks, FLEET, "the stacks that other tables name") \
    x(FRAMES, frames, FLEET, "the frames of these stacks") \
    x(EVENTS, events, ASKED, "every event, only if it is asked for")

/* clang-format on */

/* The number of tables; it fails to compile if the values of gt_table are others. */
enum {
#define GT_TABLE_AT(NAME, name, level, meaning) GT_TABLE_AT_##NAME,
    GT_TABLES(GT_TABLE_AT)
#undef GT_TABLE_AT
    GT_TABLE_COUNT
};

#define GT_TABLE_CHECK(NAME, name, level, meaning)                                                 \
    _Static_assert((int) GT_TABLE_AT_##NAME == (int) GT_TABLE_##NAME, "another order of tables");
GT_TABLES(GT_TABLE_CHECK)
#undef GT_TABLE_CHECK

/* GT_COLUMN_TRACES_file and so on: the index of a column in its table. */
#define GT_COLUMN_OF_TRACES(name, kind, unit, optional, rises, meaning) GT_COLUMN_TRACES_##name,
#define GT_COLUMN_OF_GENERATIONS(name, kind, unit, optional, rises, meaning)                       \
    GT_COLUMN_GENERATIONS_##name,
#define GT_COLUMN_OF_GOROUTINES(name, kind, unit, optional, rises, meaning)                        \
    GT_COLUMN_GOROUTINES_##name,
#define GT_COLUMN_OF_GOROUTINE_STATES(name, kind, unit, optional, rises, meaning)                  \
    GT_COLUMN_GOROUTINE_STATES_##name,
#define GT_COLUMN_OF_PROC_STATES(name, kind, unit, optional, rises, meaning)                       \
    GT_COLUMN_PROC_STATES_##name,
#define GT_COLUMN_OF_REGIONS(name, kind, unit, optional, rises, meaning) GT_COLUMN_REGIONS_##name,
#define GT_COLUMN_OF_LOGS(name, kind, unit, optional, rises, meaning)    GT_COLUMN_LOGS_##name,
#define GT_COLUMN_OF_METRICS(name, kind, unit, optional, rises, meaning) GT_COLUMN_METRICS_##name,
#define GT_COLUMN_OF_SAMPLES(name, kind, unit, optional, rises, meaning) GT_COLUMN_SAMPLES_##name,
#define GT_COLUMN_OF_STACKS(name, kind, unit, optional, rises, meaning)  GT_COLUMN_STACKS_##name,
#define GT_COLUMN_OF_FRAMES(name, kind, unit, optional, rises, meaning)  GT_COLUMN_FRAMES_##name,
#define GT_COLUMN_OF_RANGES(name, kind, unit, optional, rises, meaning)  GT_COLUMN_RANGES_##name,
#define GT_COLUMN_OF_GC_CYCLES(name, kind, unit, optional, rises, meaning)                         \
    GT_COLUMN_GC_CYCLES_##name,
#define GT_COLUMN_OF_TASKS(name, kind, unit, optional, rises, meaning)   GT_COLUMN_TASKS_##name,
#define GT_COLUMN_OF_WAITS(name, kind, unit, optional, rises, meaning)   GT_COLUMN_WAITS_##name,
#define GT_COLUMN_OF_LATENCY(name, kind, unit, optional, rises, meaning) GT_COLUMN_LATENCY_##name,
#define GT_COLUMN_OF_EVENTS(name, kind, unit, optional, rises, meaning)  GT_COLUMN_EVENTS_##name,
#define GT_TABLE_COLUMN_IDS(NAME, name, level, meaning)                                            \
    enum {                                                                                         \
        GT_SCHEMA_##NAME(GT_COLUMN_OF_##NAME) GT_COLUMN_COUNT_##NAME                               \
    };
GT_TABLES(GT_TABLE_COLUMN_IDS)
#undef GT_TABLE_COLUMN_IDS

/* The version of the schema, which grows when the meaning of a column changes. */
#define GT_SCHEMA_VERSION "1"

struct gt_table_about {
    gt_table_description description;
    struct gt_pq_schema schema;
};

/* All tables, by gt_table. */
extern const struct gt_table_about gt_table_list[];

#endif
