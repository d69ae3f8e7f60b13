/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_REWRITE_STATES_H
#define TESTS_REWRITE_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* A state that a goroutine enters. */
struct states_step {
    int64_t goroutine;
    uint64_t number; /* of the step in the trace */
    int64_t time;    /* since the first event; 0 if the trace began so */
    gt_go_state state;
    char reason[40];
    uint64_t stack; /* a hash of the frames; 0: none */
    bool is_first;
};

enum {
    STATES_COUNTS = 24
};

/*
 * What a trace says of goroutines, in the form of Go 1.21: system calls that do not block are left
 * out, and so is the end of a goroutine in a system call.
 */
struct states {
    struct states_step *steps; /* by goroutine, then in the order of time */
    size_t count;
    uint64_t counts[STATES_COUNTS]; /* of other events, by what they say */
    uint64_t texts;                 /* a sum of hashes of what other events say */
    uint64_t labels;
    int64_t last; /* the time of the last event, without the last Sync */
};

/* Reads a trace. It must be readable to its end unless `is_damaged`. */
void states_read(struct states *states, const void *data, size_t size, bool is_damaged);
void states_free(struct states *states);

/*
 * Asserts that both are the same, but for reasons that the format lacks, and times: those of the
 * copy are `shift` later, and a few nanoseconds more where events of the copy have the same time.
 */
void states_expect_same(const struct states *input, const struct states *copy, int64_t shift);

#endif
