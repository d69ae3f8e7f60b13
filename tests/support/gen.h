/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_GEN_H
#define TESTS_SUPPORT_GEN_H

/*
 * Makes the bytes of a trace of Go 1.22 or later from a description of what
 * happens:
 *
 *     struct reading r = {0};
 *     struct gen g = {0};
 *
 *     gen_begin(&g, 26);
 *     gen_generation(&g, 1);
 *     gen_running(&g, 5, 0, 1);
 *     gen_go_create(&g, 2, GEN_STACK(&g, {"main.work", "main.go", 7}), 0);
 *     gen_go_block(&g, "chan receive", 0);
 *     gen_go_start(&g, 2);
 *     gen_read(&g, &r);
 *
 * On thread 5, goroutine 1 runs with proc 0, creates goroutine 2 and blocks;
 * then goroutine 2 starts. gen_events.h has the events.
 *
 * What a description does not say comes out right: batches begin where they
 * have to and are split at the format's limit, each event is one unit of time
 * after the one before it, sequence numbers follow on each other, and a
 * generation has its clock, the stacks and strings that it names, and its end.
 *
 * Nothing that is said is refused, so any rule can be broken:
 *   - `faults` leaves parts of a generation out, or makes them wrong;
 *   - `time`, `dt` and `clock` may be set to anything at any time;
 *   - gen_seq gives an event another sequence number;
 *   - `wire` takes whatever the functions of wire.h write, and its widths and
 *     wire_batch_end_size hold for batches of gen_ too. An event of gen_ begins
 *     a batch of its own where another's is open by then.
 */

#include "support/reading.h"

#include "support/wire.h"
#include <stdbool.h>

/*
 * The faults of a generation. Those of the clock take effect when it is written, all others when
 * the generation ends.
 */
enum gen_fault {
    GEN_NO_FREQUENCY = 1 << 0,
    GEN_TWO_FREQUENCIES = 1 << 1,
    GEN_NO_SNAPSHOT = 1 << 2,
    GEN_TWO_SNAPSHOTS = 1 << 3,
    GEN_NO_STRINGS = 1 << 4,
    GEN_NO_STACKS = 1 << 5,
    /* The last one is written twice. */
    GEN_STRING_TWICE = 1 << 6,
    GEN_STACK_TWICE = 1 << 7,
    /* The last one claims a byte or frame more than it has. */
    GEN_STRING_CLAIM = 1 << 8,
    GEN_STACK_CLAIM = 1 << 9,
    /* Batches are not split. */
    GEN_LARGE_BATCHES = 1 << 10,
    /* The generation does not end with byte 52 in Go 1.26. */
    GEN_NO_END = 1 << 11
};

/*
 * The clock of a generation. Since Go 1.25 it is written when the generation begins, with a
 * snapshot that is `dt` after `time`; before that it is written when the generation ends, and has
 * only `frequency` and `time`.
 */
struct gen_clock {
    /* The default is one unit per nanosecond. */
    uint64_t frequency;
    /* 0: the time at which the generation began. Each generation resets it to 0. */
    uint64_t time;
    uint64_t monotonic;
    uint64_t seconds;
    uint64_t nanoseconds;
};

/* The name of a function, its file and line. Each such place gets a made-up pc. */
struct gen_frame {
    const char *function;
    const char *file;
    uint64_t line;
};

/* Numbers by id: sequence numbers, and the procs of threads. */
struct gen_number {
    uint64_t id;
    uint64_t value;
};

struct gen_numbers {
    struct gen_number *list;
    size_t count;
};

/* Starts as all zeros. */
struct gen {
    /* Callers may set or write to these. */
    struct wire wire;
    /* The time of the last event, in units of the clock. */
    uint64_t time;
    /* How much later the next event is. */
    uint64_t dt;
    struct gen_clock clock;
    /* Bits of enum gen_fault. */
    unsigned faults;

    /*
     * Callers may read these: the last generation, the last thread, and the offset of the last
     * event.
     */
    uint64_t generation;
    uint64_t thread;
    size_t event_at;

    /* The rest is private. A generation is open. */
    int in_generation;
    /* The generation's strings and stacks; the first of the list has id 1. */
    struct gen_text *strings;
    size_t string_count;
    struct gen_stack *stacks;
    size_t stack_count;
    struct gen_numbers go_seqs;
    struct gen_numbers proc_seqs;
    struct gen_numbers procs;
    uint64_t gc_seq;
    uint64_t start_time;
    /* The number that gen_seq set, if any. */
    uint64_t seq;
    bool has_seq;
    /* The content and the place of the last batch. */
    unsigned open;
    size_t open_at;
};

/* Begins a trace: writes its header. */
void gen_begin(struct gen *gen, unsigned version);

/* Ends the open generation, if any, and begins another. */
void gen_generation(struct gen *gen, uint64_t number);

/* Ends the open generation: writes its stacks and strings, and whatever else its version needs. */
void gen_end(struct gen *gen);

/* Ends the trace, opens it for reading, and frees the generator. */
void gen_read(struct gen *gen, struct reading *reading);

/* Frees all; the generator is as new. */
void gen_free(struct gen *gen);

/* The next events happen on this thread; WIRE_NONE: on none. */
void gen_on(struct gen *gen, uint64_t thread);

/* The same, in a new batch that has this time. */
void gen_on_at(struct gen *gen, uint64_t thread, uint64_t time);

/* Returns the id of a text in this generation, 0 for the empty one. Copies the text. */
uint64_t gen_string(struct gen *gen, const char *text);
uint64_t gen_string_sized(struct gen *gen, const void *data, size_t size);

/*
 * Returns the id of a stack, leaf first, in this generation; 0 for one without frames. If an event
 * takes two stacks, get their ids first: C does not define which argument is evaluated first.
 */
uint64_t gen_stack(struct gen *gen, const struct gen_frame *frames, size_t count);

#define GEN_STACK(gen, ...)                                                                        \
    gen_stack((gen), (const struct gen_frame[]){__VA_ARGS__},                                      \
              sizeof((const struct gen_frame[]){__VA_ARGS__}) / sizeof(struct gen_frame))

/* Writes a CPU sample with the time of the next event. */
void gen_sample(struct gen *gen, uint64_t thread, uint64_t proc, uint64_t goroutine,
                uint64_t stack);

/* A batch of an experiment, with this content. */
void gen_experiment(struct gen *gen, unsigned experiment, const void *data, size_t size);

/* Writes an event of any type with its arguments after dt. */
void gen_event(struct gen *gen, unsigned type, const uint64_t *args, size_t count);

/* An event without arguments. */
void gen_bare(struct gen *gen, unsigned type);

#define GEN_EVENT(gen, type, ...)                                                                  \
    gen_event((gen), (type), (const uint64_t[]){__VA_ARGS__},                                      \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Returns the number for `id`; adds it as `initial` if there is none. */
uint64_t *gen_number(struct gen_numbers *numbers, uint64_t id, uint64_t initial);

#endif
