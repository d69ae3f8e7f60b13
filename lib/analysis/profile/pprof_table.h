/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_PPROF_TABLE_H
#define GT_ANALYSIS_PROFILE_PPROF_TABLE_H

#include "analysis/stackset.h"

/* A function: its name and file, by number in the stack set. */
struct gt_pprof_function {
    uint32_t name;
    uint32_t file;
};

/* A frame, and its function. */
struct gt_pprof_location {
    uint32_t frame;
    uint32_t function;
};

/*
 * The locations, functions and strings of a profile, each with an id in the order in which
 * its samples need them. Ids of locations and functions begin with 1, as the format has it;
 * the string with id 0 is empty, and those with the next ids are not of the trace.
 */
struct gt_pprof_table {
    struct gt_mem *mem;
    const struct gt_stackset *stacks;
    uint32_t *location_ids; /* by frame; 0: none */
    uint32_t *string_ids;   /* by text; 0: none */
    size_t frames;          /* how many the former has */
    size_t texts;           /* how many the latter has */
    struct gt_pprof_location *locations;
    size_t location_count;
    size_t location_capacity;
    struct gt_pprof_function *functions;
    size_t function_count;
    size_t function_capacity;
    struct gt_index by_function;
    uint32_t *strings; /* texts */
    size_t string_count;
    size_t string_capacity;
    uint32_t first_string; /* the id of the first of them */
};

gt_status gt_pprof_table_init(struct gt_pprof_table *table, struct gt_mem *mem,
                              const struct gt_stackset *stacks, uint32_t first_string);
void gt_pprof_table_destroy(struct gt_pprof_table *table);

/* Gives ids to the frames of a stack, and to what belongs to them. */
gt_status gt_pprof_table_add(struct gt_pprof_table *table, uint32_t stack);

#endif
