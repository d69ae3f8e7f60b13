/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/feed.h"
#include "support/probe.h"

/* What each fuzz target defines, by libFuzzer's names. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The last bytes of an input choose how the others are used. All zeros are the plainest way. */
#define INPUT_CHOICES 8

/* What goes wrong from outside. */
enum input_trouble {
    TROUBLE_NONE,
    TROUBLE_ALLOCATION,
    TROUBLE_ALLOCATIONS,
    TROUBLE_LIMIT,
    TROUBLE_READ,
    TROUBLES
};

struct input {
    /* A block of its own size, so that tools see what is read beyond it. */
    uint8_t *data;
    size_t size;
    /* For the target to use. */
    uint8_t flags;
    uint8_t pick;
    /* Read from a callback, in pieces of these sizes in turn. */
    int pieces;
    size_t steps[2];
    enum input_trouble trouble;
    /* The allocation or the byte where the trouble comes, or the limit. */
    uint64_t at;
};

/* 0 where `data` is too short for choices. `head` bytes of room are left before what is copied. */
int input_take(struct input *input, const uint8_t *data, size_t size, size_t head);
void input_free(struct input *input);

/* Lets allocations fail as the input says, if it does. */
void input_probe(const struct input *input, struct probe *probe);

/* The limit that it says, or 0. */
uint64_t input_limit(const struct input *input);

/*
 * Asserts that all memory came back, and that no more was held than the limit, and than a
 * reader may of so many bytes; 0 for what is no reader.
 */
void input_check_memory(const struct input *input, const struct probe *probe, uint64_t bytes);

/* Asserts that a failure comes of what the input let fail. */
void input_check_failure(const struct input *input, const struct probe *probe, gt_status status);

/* Makes `feed` give the bytes as the input says. */
void input_feed(const struct input *input, struct feed *feed);

/* 1 for the statuses that say something of memory or the source, not of the trace. */
int input_is_trouble(gt_status status);

#endif
