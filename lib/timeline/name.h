/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_NAME_H
#define GT_TIMELINE_NAME_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "timeline/texts.h"

struct gt_timeline;

/* A name that is being put together: there is one at a time. */
struct gt_tl_name {
    char *data;
    size_t size;
    size_t capacity;
};

/* Each adds to the name, and notes where there is no memory for it. */
void gt_tl_name_string(struct gt_timeline *timeline, gt_string string);
void gt_tl_name_text(struct gt_timeline *timeline, const struct gt_tl_text *text);
void gt_tl_name_number(struct gt_timeline *timeline, uint64_t number);
void gt_tl_name_hex(struct gt_timeline *timeline, uint64_t number);
void gt_tl_name_signed(struct gt_timeline *timeline, int64_t number);

/* The name, good until the next one is begun, which this lets begin. */
gt_string gt_tl_name_take(struct gt_timeline *timeline);

#endif
