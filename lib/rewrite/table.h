/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_TABLE_H
#define GT_REWRITE_TABLE_H

#include <stdint.h>

#include "rewrite/writer.h"

/*
 * The tables of a generation. A text or a stack is added when an event first names it. If nothing
 * is being written, the ids are 0.
 */

gt_status gt_rewrite_text(struct gt_writer *writer, gt_string text, uint64_t *id);
gt_status gt_rewrite_stack(struct gt_writer *writer, const gt_event *event, gt_stack stack,
                           uint64_t *id);

/* Adds a CPU sample. */
gt_status gt_rewrite_sample(struct gt_writer *writer, const struct gt_rewrite_event *e);

/* Empties the tables, for a generation that begins. */
gt_status gt_rewrite_tables_begin(struct gt_writer *writer);

/* Writes what is left of the tables. */
gt_status gt_rewrite_tables_flush(struct gt_writer *writer);

void gt_rewrite_tables_free(struct gt_writer *writer);

#endif
