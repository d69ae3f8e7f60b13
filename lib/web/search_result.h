/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_RESULT_H
#define GT_WEB_SEARCH_RESULT_H

/* A result as an answer shows it: a hit with the texts that the store has for it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/dictionary.h"
#include "web/json.h"
#include "web/search_hits.h"
#include "web/stacktitle.h"

/* A frame of the title of a stack. `function` and `file` are numbers of texts in the dictionary. */
struct gt_search_frame {
    uint32_t function, file;
    uint64_t line, pc;
};

/* The texts are copies, because an answer is written after the store's lock has been released. */
struct gt_search_result {
    const struct gt_hit *hit;
    /* The numbers of the texts in the dictionary. */
    uint32_t title, detail;
    int64_t row_id;
    /* The title of the stack at which it begins, if it has one; see gt_stacktitle_find. */
    struct gt_search_frame frames[GT_STACKTITLE_MAX];
    size_t frame_count, outside;
};

/*
 * Sets `*result` to a hit, and adds its texts to the dictionary. The caller holds the store's lock.
 * Returns false if memory runs out.
 */
bool gt_search_result_make(struct gt_search_result *result, const struct gt_hit *hit,
                           const struct gt_store *store, struct gt_dictionary *texts);

/* Whether the result has a row. */
bool gt_search_result_has_row(const struct gt_search_result *result);

/* Writes the result as an object. */
void gt_search_result_write(struct gt_json *json, const struct gt_search_result *result,
                            const struct gt_dictionary *texts);

#endif
