/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_JSONROWS_H
#define GT_WEB_JSONROWS_H

/*
 * The rows of a part of the trace that is written for another viewer: those that were chosen, and
 * in JSON names only of those in which something happens.
 */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/emitter.h>

#include "base/idmap.h"
#include "store/store.h"
#include "web/query.h"

struct gt_json_rows {
    /* Receives the events. */
    gt_consumer target;
    struct gt_idmap chosen, used;
    /* Whether only chosen rows are shown. */
    bool has_chosen;
};

void gt_json_rows_open(struct gt_json_rows *rows, struct gt_mem *mem);
void gt_json_rows_close(struct gt_json_rows *rows);

/*
 * Chooses the rows of `view`, an enum gt_store_view, that have one of the tracks. Returns false if
 * there is not enough memory.
 */
bool gt_json_rows_choose(struct gt_json_rows *rows, struct gt_store *store, uint32_t view,
                         const struct gt_query_tracks *tracks);

/* Whether the row of a resource is to be shown, as a gt_filter_fn. */
int gt_json_rows_filter(void *user_data, uint64_t resource);

/* Replaces the consumer by one that passes on all but the names of rows without events. */
void gt_json_rows_wrap(struct gt_json_rows *rows, gt_consumer *consumer);

#endif
