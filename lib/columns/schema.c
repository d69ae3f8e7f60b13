/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/schema.h"

#include "base/sized.h"

#define SCHEMA_COLUMN(name, kind, unit, optional, rises, meaning)                                  \
    {#name, GT_PQ_##kind, optional, rises},
#define SCHEMA_DESCRIPTION(name, kind, unit, optional, rises, meaning)                             \
    {#name,                                                                                        \
     meaning,                                                                                      \
     GT_COLUMN_##kind,                                                                             \
     GT_COLUMN_UNIT_##unit,                                                                        \
     ((optional) ? GT_COLUMN_OPTIONAL : 0) | ((rises) ? GT_COLUMN_RISES : 0),                      \
     0},
#define SCHEMA_LISTS(NAME, name, level, meaning)                                                   \
    static const struct gt_pq_column schema_columns_##name[] = {GT_SCHEMA_##NAME(SCHEMA_COLUMN)};  \
    static const gt_column_description schema_descriptions_##name[] = {                            \
        GT_SCHEMA_##NAME(SCHEMA_DESCRIPTION)};

GT_TABLES(SCHEMA_LISTS)

#define SCHEMA_TABLE(NAME, name, level, meaning)                                                   \
    {{sizeof(gt_table_description), #name, meaning, GT_TABLE_LEVEL_##level,                        \
      GT_COLUMN_COUNT_##NAME, schema_descriptions_##name},                                         \
     {schema_columns_##name, GT_COLUMN_COUNT_##NAME, "gotrace.schema", GT_SCHEMA_VERSION}},

const struct gt_table_about gt_table_list[] = {GT_TABLES(SCHEMA_TABLE)};

gt_status gt_table_describe(uint32_t table, gt_table_description *description)
{
    if (!gt_struct_fits(description, GT_UP_TO(gt_table_description, columns)))
        return GT_ERR_INVALID_ARGUMENT;
    if (table >= GT_TABLE_COUNT)
        return GT_ERR_NOT_AVAILABLE;
    gt_struct_give(description, &gt_table_list[table].description,
                   sizeof(gt_table_list[table].description));
    return GT_OK;
}
