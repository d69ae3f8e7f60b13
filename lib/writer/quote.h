/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_QUOTE_H
#define GT_WRITER_QUOTE_H

#include <gotrace/types.h>

#include "writer/out.h"

/*
 * Puts text as Go's encoding/json has it between quotes: with <, >, & and the line
 * separators of JavaScript escaped, and U+FFFD for each byte that is not UTF-8.
 */
void gt_json_put_text(struct gt_json_out *out, gt_string text);

/* The same with quotes around it. Leaves room for GT_JSON_PIECE bytes. */
void gt_json_put_string(struct gt_json_out *out, gt_string text);

#endif
