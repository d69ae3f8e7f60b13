/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_NAME_H
#define GT_TIMELINE_NAME_H

#include <stdint.h>

#include <gotrace/types.h>

#include "base/array.h"
#include "base/mem.h"

/* The buffer in which names are composed, one at a time. */
struct gt_tl_name {
    struct gt_mem *mem;
    gt_status status; /* the first lack of memory */
    GT_ARRAY(char) text;
};

/* A string literal as a gt_string. */
#define GT_TL_STRING(literal) ((gt_string){(literal), sizeof(literal) - 1})

void gt_tl_name_init(struct gt_tl_name *name, struct gt_mem *mem);
void gt_tl_name_destroy(struct gt_tl_name *name);

/* Each function appends to the name. A lack of memory is noted in `status`. */
void gt_tl_name_string(struct gt_tl_name *name, gt_string string);
void gt_tl_name_number(struct gt_tl_name *name, uint64_t number);
void gt_tl_name_hex(struct gt_tl_name *name, uint64_t number);
void gt_tl_name_signed(struct gt_tl_name *name, int64_t number);

/* Appends " (TEXT)". */
void gt_tl_name_in_parentheses(struct gt_tl_name *name, gt_string text);

/* Returns the name, which is valid until something is appended to the next one. */
gt_string gt_tl_name_take(struct gt_tl_name *name);

#endif
