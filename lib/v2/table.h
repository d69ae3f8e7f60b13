/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_TABLE_H
#define GT_V2_TABLE_H

#include "v2/v2.h"

/* Clears the table of the generation that is over, or keeps it for the caller. */
void gt_v2_table_retire(struct gt_v2 *v2);

/* Prepares a table for the next generation in v2->table. */
gt_status gt_v2_table_start(struct gt_v2 *v2);

void gt_v2_tables_destroy(struct gt_v2 *v2);

#endif
