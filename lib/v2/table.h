/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_TABLE_H
#define GT_V2_TABLE_H

#include "v2/v2.h"

/* Clears the table of the previous generation, and frees what else the caller has no use for. */
void gt_v2_table_expire(struct gt_v2 *v2);

/* Prepares a table for the next generation in v2->table. That of the previous one stays. */
gt_status gt_v2_table_start(struct gt_v2 *v2);

void gt_v2_tables_destroy(struct gt_v2 *v2);

#endif
