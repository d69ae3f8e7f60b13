/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_PPROF_TABLE_H
#define GT_ANALYSIS_PROFILE_PPROF_TABLE_H

#include "analysis/stackset.h"

/* A function. Texts are numbers in the stack set. */
struct gt_pprof_function {
    uint32_t name;
    uint32_t file;
};

/* A frame, by its number in the stack set, and the id of its function. */
struct gt_pprof_location {
    uint32_t frame;
    uint32_t function;
};

/*
 * The locations, functions and strings of a profile. Each gets an id when a sample first needs it.
 * As the format demands, ids of locations and functions start with 1, and the string with id 0 is
 * empty. The ids below `first_string` are for strings that do not come from the trace.
 */
struct gt_pprof_table {
    struct gt_mem *mem;
    const struct gt_stackset *stacks;
    uint32_t *location_ids; /* by frame; 0: it has none */
    uint32_t *string_ids;   /* by text; 0: it has none */
    size_t frames;          /* the number of elements of `location_ids` */
    size_t texts;           /* the number of elements of `string_ids` */
    GT_ARRAY(struct gt_pprof_location) locations;
    GT_ARRAY(struct gt_pprof_function) functions;
    struct gt_index by_function;
    GT_ARRAY(uint32_t) strings; /* texts, in the order of their ids */
    uint32_t first_string;
};

gt_status gt_pprof_table_init(struct gt_pprof_table *table, struct gt_mem *mem,
                              const struct gt_stackset *stacks, uint32_t first_string);
void gt_pprof_table_destroy(struct gt_pprof_table *table);

/* Gives ids to the frames of a stack, their functions and their strings. */
gt_status gt_pprof_table_add(struct gt_pprof_table *table, uint32_t stack);

#endif
