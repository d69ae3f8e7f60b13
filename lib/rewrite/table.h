/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_TABLE_H
#define GT_REWRITE_TABLE_H

#include <stdint.h>

#include "rewrite/writer.h"

/*
 * The tables of a generation. A text or a stack is added when an event first refers to it. While
 * events are skipped, all ids are 0.
 */

gt_status gt_rewrite_text(struct gt_writer *writer, gt_string text, uint64_t *id);

/*
 * Works as gt_rewrite_text does, for a text in the table of the input's generation: it has the same
 * address until the generation ends, so most such texts need not be hashed and compared.
 */
gt_status gt_rewrite_table_text(struct gt_writer *writer, gt_string text, uint64_t *id);

/*
 * Sets `*id` to the id of the cause of a stop of the world whose beginning is written. Go's reader
 * looks for the cause in the generation in which the stop ends, by the id that the beginning has.
 * The generations that begin before that therefore have the cause with the same id, which
 * gt_rewrite_causes_keep sees to.
 */
gt_status gt_rewrite_cause(struct gt_writer *writer, struct gt_rewrite_stop *stop, uint64_t *id);

/* Adds the causes of the stops that are open to a generation that has no texts yet. */
gt_status gt_rewrite_causes_keep(struct gt_writer *writer);

gt_status gt_rewrite_stack(struct gt_writer *writer, const gt_event *event, gt_stack stack,
                           uint64_t *id);

/* Adds a CPU sample. */
gt_status gt_rewrite_sample(struct gt_writer *writer, const struct gt_rewrite_event *e);

/* Clears the tables for a new generation. */
gt_status gt_rewrite_tables_begin(struct gt_writer *writer);

/* Forgets where the texts and stacks of the input are, because another reader follows. */
void gt_rewrite_tables_forget_input(struct gt_writer *writer);

/* Returns the number of bytes of strings and stacks of the generation. */
uint64_t gt_rewrite_tables_size(const struct gt_writer *writer);

/* Writes the records that are left in the tables. */
gt_status gt_rewrite_tables_flush(struct gt_writer *writer);

void gt_rewrite_tables_free(struct gt_writer *writer);

#endif
