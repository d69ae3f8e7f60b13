/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_TABLE_H
#define GT_V2_TABLE_H

#include "v2/v2.h"

/*
 * Clears the table of the previous generation, and frees other data that the caller can no longer
 * use.
 */
void gt_v2_table_expire(struct gt_v2 *v2);

/*
 * Prepares a table for the next generation in v2->table. The table of the previous generation
 * remains.
 */
gt_status gt_v2_table_start(struct gt_v2 *v2);

/*
 * Makes a table that was filled elsewhere that of the next generation, as gt_v2_table_start does.
 * Does not set the error.
 */
gt_status gt_v2_table_take(struct gt_v2 *v2, struct gt_table *table);

/* Undoes gt_v2_table_take: v2->table becomes `before`, which it was, and is no longer `table`. */
void gt_v2_table_return(struct gt_v2 *v2, struct gt_table *before);

void gt_v2_tables_destroy(struct gt_v2 *v2);

#endif
