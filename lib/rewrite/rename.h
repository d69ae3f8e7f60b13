/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_RENAME_H
#define GT_REWRITE_RENAME_H

#include <stdint.h>

#include <gotrace/types.h>

#include "rewrite/writer.h"

/* What the output has instead of the texts and pcs of the input, if the options ask for that. */

void gt_rewrite_names_init(struct gt_writer *writer);
void gt_rewrite_names_destroy(struct gt_writer *writer);

gt_status gt_rewrite_rename_text(struct gt_writer *writer, uint32_t kind, gt_string *text);
gt_status gt_rewrite_rename_number(struct gt_writer *writer, uint64_t *pc);

/*
 * Replaces a text of the input, which is of the kind `kind`, by the one that the options' function
 * returns. That remains valid until the next generation begins.
 */
static inline gt_status gt_rewrite_rename(struct gt_writer *writer, uint32_t kind, gt_string *text)
{
    return writer->options.text ? gt_rewrite_rename_text(writer, kind, text) : GT_OK;
}

/* Replaces a pc of the input by its number. */
static inline gt_status gt_rewrite_rename_pc(struct gt_writer *writer, uint64_t *pc)
{
    return writer->options.flags & GT_WRITER_ANONYMOUS ? gt_rewrite_rename_number(writer, pc)
                                                       : GT_OK;
}

/* Forgets the texts, because another generation begins. */
void gt_rewrite_names_clear(struct gt_writer *writer);

#endif
