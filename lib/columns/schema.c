/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/schema.h"

#define SCHEMA_COLUMN(name, kind, optional, rises, meaning)  {#name, GT_PQ_##kind, optional, rises},
#define SCHEMA_MEANING(name, kind, optional, rises, meaning) meaning,
#define SCHEMA_LISTS(NAME, name, meaning)                                                          \
    static const struct gt_pq_column schema_columns_##name[] = {GT_TABLE_##NAME(SCHEMA_COLUMN)};   \
    static const char *const schema_meanings_##name[] = {GT_TABLE_##NAME(SCHEMA_MEANING)};

GT_TABLES(SCHEMA_LISTS)

#define SCHEMA_TABLE(NAME, name, meaning)                                                          \
    {#name,                                                                                        \
     meaning,                                                                                      \
     {schema_columns_##name, GT_COLUMN_COUNT_##NAME, "gotrace.schema", GT_SCHEMA_VERSION},         \
     schema_meanings_##name},

const struct gt_table_about gt_table_list[] = {GT_TABLES(SCHEMA_TABLE)};
