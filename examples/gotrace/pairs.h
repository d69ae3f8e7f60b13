/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PAIRS_H
#define PAIRS_H

/*
 * Who unblocked whom, as rows of a table.
 */

#include <stdbool.h>

#include <gotrace/latency.h>

#include "table.h"

enum {
    /* Count, time, waiter and unblocker. */
    PAIR_COLUMNS = 4
};

struct pairs {
    struct table_cell *cells;
    size_t count;
    /* Texts that cells point to, so that they can be freed. */
    char **texts;
    size_t text_count;
};

/*
 * Takes the pairs of `latency`, in order: by stack, or by function, which is the innermost
 * one outside of package runtime. False: no memory. Starts as all zeros.
 */
bool pairs_collect(struct pairs *pairs, const gt_latency *latency, bool by_stack);

void pairs_free(struct pairs *pairs);

#endif
