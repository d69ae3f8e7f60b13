/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_SYNTH_TABLE_H
#define TESTS_BENCH_SYNTH_TABLE_H

/*
 * The strings and stacks of a simulated program, and the ids that a generation
 * gives to those that it uses, in order of first use as in Go's runtime.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "synth_out.h"

#define SYNTH_FUNCTIONS 1500
#define SYNTH_FILES     200
#define SYNTH_STACKS    1400

/* Strings that events name, by their place in the program. */
enum synth_string {
    SYNTH_GOSCHED,
    SYNTH_PREEMPTED,
    SYNTH_CHAN_RECEIVE,
    SYNTH_CHAN_SEND,
    SYNTH_SELECT,
    SYNTH_SYNC,
    SYNTH_NETWORK,
    SYNTH_SLEEP,
    SYNTH_STW_START,
    SYNTH_STW_END,
    SYNTH_GC_LABEL,
    SYNTH_TASK,
    SYNTH_REGION,
    SYNTH_REGION_INNER,
    SYNTH_LOG_KEY,
    SYNTH_FIXED_STRINGS
};

#define SYNTH_STRINGS (SYNTH_FIXED_STRINGS + SYNTH_FUNCTIONS + SYNTH_FILES)

struct synth_table {
    /* Ids in the current generation, 0 where there is none yet. */
    uint32_t string_ids[SYNTH_STRINGS];
    uint32_t stack_ids[SYNTH_STACKS];
    uint32_t last_string;
    uint32_t last_stack;
    struct synth_batch strings;
    struct synth_batch stacks;
};

void synth_table_begin(struct synth_table *table);

uint64_t synth_table_string(struct synth_table *table, struct synth_out *out, unsigned string);

/* A string of its own, as the message of a log mostly is. */
uint64_t synth_table_message(struct synth_table *table, struct synth_out *out, uint64_t number);

uint64_t synth_table_stack(struct synth_table *table, struct synth_out *out, unsigned stack);

/* Writes the generation's tables, and forgets them. */
void synth_table_end(struct synth_table *table, struct synth_out *out);

void synth_table_free(struct synth_table *table);

#endif
