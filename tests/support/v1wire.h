/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_V1WIRE_H
#define TESTS_SUPPORT_V1WIRE_H

/*
 * Builds the bytes of a trace of Go 1.5 to 1.21, right or wrong, in a struct
 * wire: as there, nothing that is asked for is refused.
 *
 * Arguments are those that Go 1.21 writes; what an older version lacks or has
 * besides is left out or put in. Go 1.5 numbers all its events: events get the
 * numbers 1, 2, 3, ... in the order in which they are written, and setting
 * wire->sequence makes the next event have the number behind it.
 */

#include "support/wire.h"

/* Numbers of the events, as the format has them. */
enum v1_type {
    V1_NONE = 0,
    V1_BATCH = 1,
    V1_FREQUENCY = 2,
    V1_STACK = 3,
    V1_GOMAXPROCS = 4,
    V1_PROC_START = 5,
    V1_PROC_STOP = 6,
    V1_GC_START = 7,
    V1_GC_DONE = 8,
    V1_STW_START = 9,
    V1_STW_DONE = 10,
    V1_SWEEP_START = 11,
    V1_SWEEP_DONE = 12,
    V1_GO_CREATE = 13,
    V1_GO_START = 14,
    V1_GO_END = 15,
    V1_GO_STOP = 16,
    V1_GO_SCHED = 17,
    V1_GO_PREEMPT = 18,
    V1_GO_SLEEP = 19,
    V1_GO_BLOCK = 20,
    V1_GO_UNBLOCK = 21,
    V1_GO_BLOCK_SEND = 22,
    V1_GO_BLOCK_RECV = 23,
    V1_GO_BLOCK_SELECT = 24,
    V1_GO_BLOCK_SYNC = 25,
    V1_GO_BLOCK_COND = 26,
    V1_GO_BLOCK_NET = 27,
    V1_GO_SYS_CALL = 28,
    V1_GO_SYS_EXIT = 29,
    V1_GO_SYS_BLOCK = 30,
    V1_GO_WAITING = 31,
    V1_GO_IN_SYSCALL = 32,
    V1_HEAP_ALLOC = 33,
    V1_HEAP_GOAL = 34,
    V1_TIMER_GOROUTINE = 35,
    V1_FUTILE_WAKEUP = 36,
    V1_STRING = 37,
    V1_GO_START_LOCAL = 38,
    V1_GO_UNBLOCK_LOCAL = 39,
    V1_GO_SYS_EXIT_LOCAL = 40,
    V1_GO_START_LABEL = 41,
    V1_GO_BLOCK_GC = 42,
    V1_MARK_ASSIST_START = 43,
    V1_MARK_ASSIST_DONE = 44,
    V1_TASK_CREATE = 45,
    V1_TASK_END = 46,
    V1_REGION = 47,
    V1_LOG = 48,
    V1_CPU_SAMPLE = 49,
    V1_TYPES = 50
};

/* An event's arguments in Go 1.21. */
struct v1_spec {
    /* The header's number from which on the event is there. */
    unsigned since;
    /* How many there are, dt included. */
    unsigned count;
    /* The first one is dt. */
    int timed;
};

/* By type; Batch, Stack and String are written by functions of their own. */
extern const struct v1_spec v1_specs[V1_TYPES];

/* The versions that there are. */
#define V1_VERSIONS 8
extern const unsigned v1_versions[V1_VERSIONS];

/* Begins a batch; `ticks` is the time that its first event's dt is added to. */
void v1_batch(struct wire *wire, uint64_t proc, uint64_t ticks);

/*
 * An event with its arguments, dt first where it has one. The number in a
 * GoSysExit of Go 1.5 is its own where it is given as 0.
 */
void v1_event(struct wire *wire, unsigned type, const uint64_t *args, size_t count);

#define V1_EVENT(wire, type, ...)                                                                  \
    v1_event((wire), (type), (const uint64_t[]){__VA_ARGS__},                                      \
             sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* An event with just these arguments behind its first byte, or behind their length with code 3. */
void v1_raw(struct wire *wire, unsigned code, unsigned type, const uint64_t *args, size_t count);

#define V1_RAW(wire, code, type, ...)                                                              \
    v1_raw((wire), (code), (type), (const uint64_t[]){__VA_ARGS__},                                \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* The same with the code that goes with their number. */
void v1_plain(struct wire *wire, unsigned type, const uint64_t *args, size_t count);

/* Returns how many numbers an event has in a version, including dt; not for a stack. */
size_t v1_count(unsigned version, unsigned type);

void v1_string(struct wire *wire, uint64_t id, const char *text);
void v1_string_sized(struct wire *wire, uint64_t id, const void *data, size_t size);

struct v1_frame {
    uint64_t pc;
    uint64_t function;
    uint64_t file;
    uint64_t line;
};

/* A stack, leaf first; before Go 1.7 only of the frames' pcs. */
void v1_stack(struct wire *wire, uint64_t id, const struct v1_frame *frames, size_t count);

/* A stack of one frame. */
void v1_stack_one(struct wire *wire, uint64_t id, struct v1_frame frame);

/* A log entry, with dt 1. */
void v1_log(struct wire *wire, uint64_t task, uint64_t key, uint64_t stack, const char *message);
void v1_log_sized(struct wire *wire, uint64_t task, uint64_t key, uint64_t stack, const void *data,
                  size_t size);

/*
 * Begins a trace as the runtime does: proc 0 on thread 5 with goroutine 1
 * running, and one tick a nanosecond. Its first event is at V1_TICKS + 1 and has
 * the time 0; its last, the first Gomaxprocs, has the time 3, and the next
 * sequence number of goroutine 1 is 2.
 */
void v1_start(struct wire *wire, unsigned version);

/* The same without the Gomaxprocs: goroutines that were there before can be added. */
void v1_start_open(struct wire *wire, unsigned version);

#define V1_TICKS 1000u

/* What v1_start makes: a Sync, a proc and a goroutine. */
#define V1_START_EVENTS 3

/* The same with goroutines 2, which waits, 3, which can run, and 4, which is in a system call. */
void v1_start_four(struct wire *wire, unsigned version);

/* What it makes: these goroutines too. */
#define V1_FOUR_EVENTS 6

/* Creates goroutine `id` and says that it waits, each with dt 1; its next number is 2. */
void v1_waiting(struct wire *wire, uint64_t id);

#endif
