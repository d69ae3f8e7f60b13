/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/feed.h"
#include "support/probe.h"

/*
 * The functions of a fuzz target, with the names of libFuzzer. The first is input_prepare, unless a
 * target has one of its own, for what takes long: the limit of time is for each input.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Lets failed assertions abort. Outside of a test they would only exit. Returns 0. */
int input_prepare(void);

/* The last bytes of an input choose how the others are used. All zeros choose the simplest way. */
#define INPUT_CHOICES 8

/* What fails outside of the library. */
enum input_trouble {
    TROUBLE_NONE,
    TROUBLE_ALLOCATION,
    TROUBLE_ALLOCATIONS,
    TROUBLE_LIMIT,
    TROUBLE_READ,
    TROUBLES
};

struct input {
    /* A block of exactly its size, so that tools find accesses beyond it. */
    uint8_t *data;
    size_t size;
    /* For the target. */
    uint8_t flags;
    uint8_t pick;
    /* The trace is read from a callback in pieces of these sizes, in turn. */
    int pieces;
    size_t steps[2];
    enum input_trouble trouble;
    /* The allocation or the byte at which the failure happens, or the limit. */
    uint64_t at;
};

/* Returns 0 if `data` is too short for the choices. Leaves `head` bytes of room before the copy. */
int input_take(struct input *input, const uint8_t *data, size_t size, size_t head);
void input_free(struct input *input);

/* Makes allocations fail if the input says so. */
void input_probe(const struct input *input, struct probe *probe);

/* Returns the limit that the input chooses, or 0. */
uint64_t input_limit(const struct input *input);

/*
 * Asserts that all memory was freed, and that no more was held than the limit and than a reader may
 * hold for `bytes` bytes; 0 for other objects.
 */
void input_check_memory(const struct input *input, const struct probe *probe, uint64_t bytes);

/* Asserts that a failure is due to what the input made fail. */
void input_check_failure(const struct input *input, const struct probe *probe, gt_status status);

/* Makes `feed` deliver the bytes as the input says. */
void input_feed(const struct input *input, struct feed *feed);

/* Returns 1 for a status that is about memory or the source instead of the trace. */
int input_is_trouble(gt_status status);

#endif
