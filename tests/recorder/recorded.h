/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RECORDER_RECORDED_H
#define TESTS_RECORDER_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>
#include <gotrace/recorder.h>

/* Of functions that have a frame of their own in the stacks that are recorded. */
#ifdef __clang__
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED __attribute__((noinline, noclone))
#endif

/* A trace that a recorder writes to memory. Starts as zeros. */
struct recorded {
    uint8_t *data;
    size_t size, capacity;
    uint64_t calls;
    /* The call, counted from 1, that fails; 0: none does. */
    uint64_t fail_at;
    /* The N of "go 1.N trace" by whose rules the trace is checked; 0: 26. */
    uint32_t version;
};

/* A gt_write_fn whose user_data is a struct recorded. */
int recorded_write(void *user_data, const void *data, size_t size);

void recorded_free(struct recorded *trace);

/* Asserts that our reader and the validator accept the trace. Returns the number of its events. */
uint64_t recorded_check(const struct recorded *trace);

/* The same, and that Go's reader prints the same events, if $GT_PEER names `go tool trace`. */
uint64_t recorded_check_by_peer(const struct recorded *trace);

/* Opens the trace for reading. */
gt_reader *recorded_open(const struct recorded *trace);

/*
 * A letter for each state of a goroutine, by its number: Nothing, Runnable, eXecuting, Waiting,
 * System call. The first one is for a state that is not known.
 */
extern const char recorded_letters[];

/* How many generations the trace has. */
unsigned recorded_generations(const struct recorded *trace);

/* Opens a recorder whose generations the test ends itself. */
gt_recorder *recorded_recorder(void);

/* How many samples the recorder had no room for. */
uint64_t recorded_lost_samples(const gt_recorder *recorder);

/* Registers a text. */
gt_rec_text recorded_text(gt_recorder *recorder, const char *text);

#endif
