/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_TEXT_H
#define GT_ANALYSIS_SUMMARY_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/mem.h"

/* A copy of a text of the trace; texts that are equal have one. The bytes follow. */
struct gt_text {
    gt_string string;
    uint64_t hash;
    uint64_t users;
    uint32_t is_name; /* counted for GT_SUMMARY_MAX_NAMES */
};

/*
 * All of them. One without users stays for those who may come, until such are more
 * than those with users: names come again and again.
 */
struct gt_texts {
    struct gt_mem *mem;
    struct gt_text **slots;
    size_t mask; /* slots - 1, a power of two less one; 0 where there are none */
    size_t count;
    size_t unused;
    uint64_t secret;
};

void gt_texts_init(struct gt_texts *texts, struct gt_mem *mem);
void gt_texts_destroy(struct gt_texts *texts);

/* The copy of `string`, which has one more user. NULL: no memory, see mem->failure. */
struct gt_text *gt_texts_use(struct gt_texts *texts, gt_string string);

/* There is one user less. `text` may be NULL. */
void gt_texts_leave(struct gt_texts *texts, struct gt_text *text);

/* Below 0, 0 or above, by bytes. */
int gt_text_order(gt_string a, gt_string b);

#endif
