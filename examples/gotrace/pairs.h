/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PAIRS_H
#define PAIRS_H

/* Who unblocked whom, as rows of a table. */

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
    /* Owned texts that cells point to. */
    char **texts;
    size_t text_count;
};

/*
 * Collects the pairs of `latency` by stack, or by the innermost function outside of package
 * runtime, and sorts them by count. A structure of zeros is empty. Returns false if there is not
 * enough memory.
 */
bool pairs_collect(struct pairs *pairs, const gt_latency *latency, bool by_stack);

void pairs_free(struct pairs *pairs);

#endif
