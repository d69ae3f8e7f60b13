/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_COLUMNS_SCHEMA_H
#define GT_COLUMNS_SCHEMA_H

#include "parquet/parquet.h"

/*
 * The tables that are made of traces. Each column is x(name, kind, is optional, rises, meaning).
 * Columns keep their order for ever, and new ones come last.
 */

/* clang-format off */

#define GT_TABLE_TRACES(x) \
    x(trace_id, STRING, 0, 0, "a hash of the bytes of the trace, as 32 hexadecimal digits") \
    x(file, STRING, 0, 0, "the name of the file") \
    x(bytes, INT64, 0, 0, "its size, decompressed") \
    x(go_version, INT32, 0, 0, "the N of the header's 'go 1.N trace'") \
    x(start_ns, INT64, 0, 0, "the time of the first event") \
    x(duration_ns, INT64, 0, 0, "from the first event to the last") \
    x(wall_offset_ns, INT64, 1, 0, "what to add to a time for the wall clock since 1970") \
    x(started_at, TIMESTAMP, 1, 0, "the wall-clock time of the first event") \
    x(events, INT64, 0, 0, "the number of events") \
    x(generations, INT32, 0, 0, "the number of generations") \
    x(gomaxprocs, INT32, 1, 0, "the last value of GOMAXPROCS") \
    x(goroutines, INT64, 0, 0, "the number of goroutines") \
    x(host, STRING, 1, 0, "the host, as --host gave it") \
    x(meta, STRING, 0, 0, "a JSON object with what --meta gave") \
    x(repairs, INT64, 0, 0, "how many times damage was repaired") \
    x(error, STRING, 1, 0, "why reading ended before the end of the trace")

#define GT_TABLE_GENERATIONS(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(generation, INT64, 0, 0, "its number in the trace") \
    x(start_ns, INT64, 0, 1, "the time of its Sync") \
    x(wall_offset_ns, INT64, 1, 0, "what to add to its times for the wall clock since 1970")

#define GT_TABLE_GOROUTINES(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(goroutine, INT64, 0, 0, "its id") \
    x(function, STRING, 1, 0, "the function that it starts with") \
    x(system, BOOLEAN, 0, 0, "it is one of the runtime's own, or its function is not known") \
    x(created_ns, INT64, 0, 0, "when it was created; of an older one the Sync before it appears") \
    x(started_ns, INT64, 1, 0, "when it first ran") \
    x(ended_ns, INT64, 1, 0, "when it ended or began to wait for ever; NULL: never") \
    x(existed, BOOLEAN, 0, 0, "it existed before the trace") \
    x(creator, INT64, 1, 0, "the goroutine that created it") \
    x(creation_stack, INT64, 1, 0, "the stack that created it") \
    x(execution_ns, INT64, 0, 0, "running") \
    x(sched_wait_ns, INT64, 0, 0, "runnable, waiting for a proc") \
    x(syscall_ns, INT64, 0, 0, "in a system call or in C, with its proc") \
    x(syscall_block_ns, INT64, 0, 0, "in a system call or in C, without its proc") \
    x(block_ns, INT64, 0, 0, "waiting") \
    x(unknown_ns, INT64, 0, 0, "the rest of the total") \
    x(total_ns, INT64, 0, 0, "all its time in the trace")

#define GT_TABLE_GOROUTINE_STATES(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(goroutine, INT64, 0, 0, "the goroutine") \
    x(function, STRING, 1, 0, "the function that it starts with, if that is known by then") \
    x(state, STRING, 0, 0, "Runnable, Running, Waiting or Syscall") \
    x(reason, STRING, 1, 0, "why it changed to this state, in the runtime's words") \
    x(start_ns, INT64, 0, 1, "when the state began") \
    x(duration_ns, INT64, 0, 0, "how long it lasted") \
    x(cut, INT32, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(proc, INT32, 1, 0, "of Running and Syscall: the proc on which it began") \
    x(thread, INT64, 1, 0, "of Running and Syscall: the thread on which it began") \
    x(stack_id, INT64, 1, 0, "the goroutine's stack when the state began") \
    x(unblocked_by, INT64, 1, 0, "of Waiting: the goroutine that ended it") \
    x(unblocker_stack, INT64, 1, 0, "of Waiting: the stack that ended it") \
    x(lost_proc_ns, INT64, 1, 0, "of Syscall: for how long it had no proc") \
    x(region_id, INT64, 1, 0, "the innermost region that was open when it began") \
    x(task_id, INT64, 1, 0, "the task of that region")

#define GT_TABLE_PROC_STATES(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(proc, INT32, 0, 0, "the proc") \
    x(state, STRING, 0, 0, "Running or Idle") \
    x(start_ns, INT64, 0, 1, "when the state began") \
    x(duration_ns, INT64, 0, 0, "how long it lasted") \
    x(cut, INT32, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(thread, INT64, 1, 0, "of Running: the thread that took it")

#define GT_TABLE_REGIONS(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(region_id, INT64, 0, 0, "a number in the trace, from 1") \
    x(parent_region, INT64, 1, 0, "the region of the same goroutine that it is in") \
    x(goroutine, INT64, 0, 0, "the goroutine") \
    x(task_id, INT64, 1, 0, "the task that it belongs to") \
    x(type, STRING, 0, 0, "the name given to trace.StartRegion") \
    x(start_ns, INT64, 0, 0, "when it began") \
    x(started_at, TIMESTAMP, 1, 0, "the wall-clock time of that") \
    x(duration_ns, INT64, 0, 0, "how long it lasted") \
    x(cut, INT32, 0, 0, "1: it began before the trace; 2: it goes on after it; 3: both") \
    x(depth, INT32, 0, 0, "how many regions of the goroutine it is in") \
    x(stack_id, INT64, 1, 0, "the stack that began it") \
    x(execution_ns, INT64, 0, 0, "running") \
    x(sched_wait_ns, INT64, 0, 0, "runnable, waiting for a proc") \
    x(syscall_ns, INT64, 0, 0, "in a system call or in C, with its proc") \
    x(syscall_block_ns, INT64, 0, 0, "in a system call or in C, without its proc") \
    x(block_ns, INT64, 0, 0, "waiting")

#define GT_TABLE_LOGS(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(time_ns, INT64, 0, 1, "when it was logged") \
    x(logged_at, TIMESTAMP, 1, 0, "the wall-clock time of that") \
    x(goroutine, INT64, 1, 0, "the goroutine") \
    x(task_id, INT64, 1, 0, "the task") \
    x(category, STRING, 1, 0, "the category") \
    x(message, STRING, 0, 0, "the message") \
    x(stack_id, INT64, 1, 0, "the stack")

#define GT_TABLE_METRICS(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(time_ns, INT64, 0, 1, "when it changed") \
    x(name, STRING, 0, 0, "its name in Go's package runtime/metrics") \
    x(value, INT64, 0, 0, "its new value")

#define GT_TABLE_SAMPLES(x) \
    x(trace_id, STRING, 0, 0, "the trace") \
    x(time_ns, INT64, 0, 1, "when the CPU profiler took it") \
    x(goroutine, INT64, 1, 0, "the goroutine") \
    x(proc, INT32, 1, 0, "the proc") \
    x(thread, INT64, 1, 0, "the thread") \
    x(stack_id, INT64, 1, 0, "the stack")

#define GT_TABLE_STACKS(x) \
    x(trace_id, STRING, 0, 0, "a trace that has it; it is the same in others") \
    x(stack_id, INT64, 0, 0, "a hash of its functions, files and lines, the same in all traces") \
    x(frames, INT32, 0, 0, "the number of frames") \
    x(leaf, STRING, 0, 0, "the function of the innermost frame") \
    x(root, STRING, 0, 0, "the function of the outermost frame") \
    x(own, STRING, 1, 0, "the innermost function that is not of the standard library") \
    x(folded, STRING, 0, 0, "all functions, the outermost first, with semicolons in between")

#define GT_TABLE_FRAMES(x) \
    x(trace_id, STRING, 0, 0, "a trace that has the stack; it is the same in others") \
    x(stack_id, INT64, 0, 0, "the stack") \
    x(position, INT32, 0, 0, "0 for the innermost frame") \
    x(function, STRING, 0, 0, "the function") \
    x(file, STRING, 0, 0, "the source file") \
    x(line, INT32, 0, 0, "the line in it")

/* Calls x(NAME, name, meaning) for each table. */
#define GT_TABLES(x) \
    x(TRACES, traces, "a row for each trace") \
    x(GENERATIONS, generations, "the generations of traces, and their clocks") \
    x(GOROUTINES, goroutines, "goroutines, and how they spent their time") \
    x(GOROUTINE_STATES, goroutine_states, "each state of each goroutine, from begin to end") \
    x(PROC_STATES, proc_states, "each state of each proc, from begin to end") \
    x(REGIONS, regions, "regions of runtime/trace, and how their goroutines spent them") \
    x(LOGS, logs, "log messages of runtime/trace") \
    x(METRICS, metrics, "values of metrics, such as the size of the heap") \
    x(SAMPLES, samples, "samples of the CPU profiler") \
    x(STACKS, stacks, "the stacks that other tables name") \
    x(FRAMES, frames, "the frames of these stacks")

/* clang-format on */

/* GT_TABLE_IN_TRACES and so on. */
enum gt_table_id {
#define GT_TABLE_ID(NAME, name, meaning) GT_TABLE_IN_##NAME,
    GT_TABLES(GT_TABLE_ID)
#undef GT_TABLE_ID
    GT_TABLE_COUNT
};

/* GT_COLUMN_TRACES_file and so on: the index of a column in its table. */
#define GT_COLUMN_OF_TRACES(name, kind, optional, rises, meaning)      GT_COLUMN_TRACES_##name,
#define GT_COLUMN_OF_GENERATIONS(name, kind, optional, rises, meaning) GT_COLUMN_GENERATIONS_##name,
#define GT_COLUMN_OF_GOROUTINES(name, kind, optional, rises, meaning)  GT_COLUMN_GOROUTINES_##name,
#define GT_COLUMN_OF_GOROUTINE_STATES(name, kind, optional, rises, meaning)                        \
    GT_COLUMN_GOROUTINE_STATES_##name,
#define GT_COLUMN_OF_PROC_STATES(name, kind, optional, rises, meaning) GT_COLUMN_PROC_STATES_##name,
#define GT_COLUMN_OF_REGIONS(name, kind, optional, rises, meaning)     GT_COLUMN_REGIONS_##name,
#define GT_COLUMN_OF_LOGS(name, kind, optional, rises, meaning)        GT_COLUMN_LOGS_##name,
#define GT_COLUMN_OF_METRICS(name, kind, optional, rises, meaning)     GT_COLUMN_METRICS_##name,
#define GT_COLUMN_OF_SAMPLES(name, kind, optional, rises, meaning)     GT_COLUMN_SAMPLES_##name,
#define GT_COLUMN_OF_STACKS(name, kind, optional, rises, meaning)      GT_COLUMN_STACKS_##name,
#define GT_COLUMN_OF_FRAMES(name, kind, optional, rises, meaning)      GT_COLUMN_FRAMES_##name,
#define GT_TABLE_COLUMN_IDS(NAME, name, meaning)                                                   \
    enum {                                                                                         \
        GT_TABLE_##NAME(GT_COLUMN_OF_##NAME) GT_COLUMN_COUNT_##NAME                                \
    };
GT_TABLES(GT_TABLE_COLUMN_IDS)
#undef GT_TABLE_COLUMN_IDS

/* The version of the schema, which grows when the meaning of a column changes. */
#define GT_SCHEMA_VERSION "1"

struct gt_table_about {
    const char *name;
    const char *meaning;
    struct gt_pq_schema schema;
    /* The meaning of each column. */
    const char *const *meanings;
};

/* All tables, by gt_table_id. */
extern const struct gt_table_about gt_table_list[];

#endif
