/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_WIRE_H
#define TESTS_SUPPORT_WIRE_H

/*
 * Builds the bytes of a trace in memory, right or wrong: no call is refused, so that tests can
 * break every rule of the format. `size` is always the offset of the next byte. The size of a batch
 * is filled in when the batch ends; its varint has `size_width` bytes from the start, so that
 * offsets within the batch do not move.
 */

#include <stddef.h>
#include <stdint.h>

/* All ones: no thread, proc or goroutine. */
#define WIRE_NONE UINT64_MAX

/* What the runtime pads the sizes of batches to. */
#define WIRE_SIZE_WIDTH 10

/* Numbers of the wire's events, as the format has them. */
enum wire_type {
    EV_NONE = 0,
    EV_EVENT_BATCH = 1,
    EV_STACKS = 2,
    EV_STACK = 3,
    EV_STRINGS = 4,
    EV_STRING = 5,
    EV_CPU_SAMPLES = 6,
    EV_CPU_SAMPLE = 7,
    EV_FREQUENCY = 8,
    EV_PROCS_CHANGE = 9,
    EV_PROC_START = 10,
    EV_PROC_STOP = 11,
    EV_PROC_STEAL = 12,
    EV_PROC_STATUS = 13,
    EV_GO_CREATE = 14,
    EV_GO_CREATE_SYSCALL = 15,
    EV_GO_START = 16,
    EV_GO_DESTROY = 17,
    EV_GO_DESTROY_SYSCALL = 18,
    EV_GO_STOP = 19,
    EV_GO_BLOCK = 20,
    EV_GO_UNBLOCK = 21,
    EV_GO_SYSCALL_BEGIN = 22,
    EV_GO_SYSCALL_END = 23,
    EV_GO_SYSCALL_END_BLOCKED = 24,
    EV_GO_STATUS = 25,
    EV_STW_BEGIN = 26,
    EV_STW_END = 27,
    EV_GC_ACTIVE = 28,
    EV_GC_BEGIN = 29,
    EV_GC_END = 30,
    EV_GC_SWEEP_ACTIVE = 31,
    EV_GC_SWEEP_BEGIN = 32,
    EV_GC_SWEEP_END = 33,
    EV_GC_MARK_ASSIST_ACTIVE = 34,
    EV_GC_MARK_ASSIST_BEGIN = 35,
    EV_GC_MARK_ASSIST_END = 36,
    EV_HEAP_ALLOC = 37,
    EV_HEAP_GOAL = 38,
    EV_GO_LABEL = 39,
    EV_USER_TASK_BEGIN = 40,
    EV_USER_TASK_END = 41,
    EV_USER_REGION_BEGIN = 42,
    EV_USER_REGION_END = 43,
    EV_USER_LOG = 44,
    EV_GO_SWITCH = 45,
    EV_GO_SWITCH_DESTROY = 46,
    EV_GO_CREATE_BLOCKED = 47,
    EV_GO_STATUS_STACK = 48,
    EV_EXPERIMENTAL_BATCH = 49,
    EV_SYNC = 50,
    EV_CLOCK_SNAPSHOT = 51,
    EV_END_OF_GENERATION = 52,
    EV_SPAN = 128,
    EV_SPAN_ALLOC = 129,
    EV_SPAN_FREE = 130,
    EV_HEAP_OBJECT = 131,
    EV_HEAP_OBJECT_ALLOC = 132,
    EV_HEAP_OBJECT_FREE = 133,
    EV_GOROUTINE_STACK = 134,
    EV_GOROUTINE_STACK_ALLOC = 135,
    EV_GOROUTINE_STACK_FREE = 136
};

/* How many arguments the events of a thread have, including dt; 0 for unknown types. */
extern const uint8_t wire_event_counts[256];

/* A goroutine's state in GoStatus and GoStatusStack. */
enum wire_go_status {
    GO_BAD = 0,
    GO_RUNNABLE = 1,
    GO_RUNNING = 2,
    GO_SYSCALL = 3,
    GO_WAITING = 4
};

/* A proc's state in ProcStatus. */
enum wire_proc_status {
    PROC_BAD = 0,
    PROC_RUNNING = 1,
    PROC_IDLE = 2,
    PROC_SYSCALL = 3,
    PROC_ABANDONED = 4
};

/* A trace being written. Starts as all zeros; owns `data`. */
struct wire {
    uint8_t *data;
    size_t size;
    size_t capacity;
    /* The N of the header. */
    unsigned version;
    /* Bytes of the size varint of the batches to come, 1 to 10. */
    unsigned size_width;
    /* The least bytes of all other varints to come; 0 or 1: as few as possible. */
    unsigned width;
    /* Where the open batch's size and content are; 0 where no batch is open. */
    size_t size_at;
    size_t content_at;
    /* The numbers of the last event and of the last in the open batch, of Go 1.5; see v1wire.h. */
    uint64_t sequence;
    uint64_t batch_sequence;
};

/* Drops what was written, and writes the header of "go 1.`version` trace". */
void wire_begin(struct wire *wire, unsigned version);

/* Frees the bytes, and resets the builder. */
void wire_free(struct wire *wire);

void wire_byte(struct wire *wire, unsigned byte);
void wire_bytes(struct wire *wire, const void *data, size_t size);

/* Writes a varint of wire->width bytes, or more if it needs them. */
void wire_varint(struct wire *wire, uint64_t value);

/* Writes a varint of exactly `width` bytes, padded or truncated. */
void wire_varint_wide(struct wire *wire, uint64_t value, unsigned width);

/* Reads a varint of at most 10 bytes, and returns its end, or NULL if it does not end there. */
const uint8_t *wire_varint_take(const uint8_t *p, const uint8_t *end, uint64_t *value);

/*
 * Returns the offset behind the batch, or the end marker of a generation, at an offset of the bytes
 * of a trace of Go 1.22 or later, or 0 if there is none.
 */
size_t wire_batch_after(const uint8_t *data, size_t size, size_t at);

/* Writes a varint that does not end within 10 bytes. */
void wire_varint_overlong(struct wire *wire);

/* Ends the open batch if there is one, and begins one. */
void wire_batch(struct wire *wire, uint64_t gen, uint64_t thread, uint64_t time);

/* The same for a batch of an experiment. */
void wire_experiment(struct wire *wire, unsigned experiment, uint64_t gen, uint64_t thread,
                     uint64_t time);

/* Ends the open batch if there is one: fills in its size. */
void wire_batch_end(struct wire *wire);

/* Ends the open batch if there is one, with a size of the caller's. */
void wire_batch_end_size(struct wire *wire, uint64_t size);

/* An event in the open batch: its number and its arguments, dt first. */
void wire_event(struct wire *wire, unsigned type, const uint64_t *args, size_t count);

#define WIRE_EVENT(wire, type, ...)                                                                \
    wire_event((wire), (type), (const uint64_t[]){__VA_ARGS__},                                    \
               sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/*
 * The status events that make `proc` and `goroutine` run on `thread`, whose
 * batch must be open; 1 unit of time each.
 */
void wire_running(struct wire *wire, uint64_t thread, uint64_t proc, uint64_t goroutine);

/* Begins a batch of strings that no thread owns, and a string in it. */
void wire_strings(struct wire *wire, uint64_t gen);
void wire_string(struct wire *wire, uint64_t id, const char *text);
void wire_string_sized(struct wire *wire, uint64_t id, const void *data, size_t size);

/* Begins a batch of stacks, a stack in it, and one of the frames that follow it. */
void wire_stacks(struct wire *wire, uint64_t gen);
void wire_stack(struct wire *wire, uint64_t id, uint64_t frames);
void wire_frame(struct wire *wire, uint64_t pc, uint64_t function, uint64_t file, uint64_t line);

/* Begins a batch of CPU samples, and a sample in it. */
void wire_samples(struct wire *wire, uint64_t gen);
void wire_sample(struct wire *wire, uint64_t time, uint64_t thread, uint64_t proc,
                 uint64_t goroutine, uint64_t stack);

/*
 * The batch that gives a generation its clock: a frequency before 1.25, a
 * frequency and a clock snapshot since. The snapshot is at `time`; its
 * monotonic clock reads `time`, its wall clock WIRE_WALL_SECONDS and
 * WIRE_WALL_NANOSECONDS.
 */
void wire_sync(struct wire *wire, uint64_t gen, uint64_t time, uint64_t frequency);

#define WIRE_WALL_SECONDS     1700000000u
#define WIRE_WALL_NANOSECONDS 123456789u

/* A frequency of 10^9: one unit of time is one nanosecond. */
#define WIRE_NANOSECONDS 1000000000u

/* Ends the open batch, and since 1.26 the generation with its byte 52. */
void wire_generation_end(struct wire *wire);

#endif
