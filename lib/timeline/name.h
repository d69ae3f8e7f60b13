/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_NAME_H
#define GT_TIMELINE_NAME_H

#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"

struct gt_timeline;

/* The buffer in which names are composed, one at a time. */
struct gt_tl_name {
    GT_ARRAY(char) text;
};

/* Each function appends to the name. A lack of memory is noted in the timeline. */
void gt_tl_name_string(struct gt_timeline *timeline, gt_string string);
void gt_tl_name_number(struct gt_timeline *timeline, uint64_t number);
void gt_tl_name_hex(struct gt_timeline *timeline, uint64_t number);
void gt_tl_name_signed(struct gt_timeline *timeline, int64_t number);

/* Appends " (TEXT)". */
void gt_tl_name_in_parentheses(struct gt_timeline *timeline, gt_string text);

/* Returns the name, which is valid until something is appended to the next one. */
gt_string gt_tl_name_take(struct gt_timeline *timeline);

#endif
