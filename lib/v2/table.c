/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/table.h"

#include <string.h>

/* The tables of generations: one that is reused for each of them, or one for each. */

static void v2_table_clear(struct gt_v2 *v2, struct gt_table *table)
{
    gt_strings_clear(&table->strings, &v2->names);
    gt_stacks_clear(&table->stacks);
    memset(&table->clock, 0, sizeof(table->clock));
    table->experiments.count = 0;
    table->generation = 0;
    table->ordinal = 0;
}

static void v2_table_destroy(struct gt_v2 *v2, struct gt_table *table)
{
    if (!table)
        return;
    gt_strings_destroy(&table->strings, &v2->names);
    gt_stacks_destroy(&table->stacks);
    gt_array_free(v2->mem, &table->experiments);
    gt_mem_free(v2->mem, table, sizeof(*table));
}

static struct gt_table *v2_table_create(struct gt_v2 *v2)
{
    struct gt_table *table = gt_mem_alloc(v2->mem, sizeof(*table));
    if (!table)
        return NULL;
    memset(table, 0, sizeof(*table));
    gt_strings_init(&table->strings, v2->mem);
    gt_stacks_init(&table->stacks, v2->mem);
    return table;
}

/* With keep, only the table of a generation that was not delivered is freed. */
void gt_v2_table_retire(struct gt_v2 *v2)
{
    if (v2->keep) {
        if (v2->table && v2->table->ordinal > v2->generations)
            v2_table_destroy(v2, v2->table);
        v2->table = NULL;
        return;
    }
    if (v2->table)
        v2_table_clear(v2, v2->table);
    gt_names_sweep(&v2->names);
}

gt_status gt_v2_table_start(struct gt_v2 *v2)
{
    uint32_t ordinal = v2->generations + 1;
    if (ordinal == 0)
        return gt_mem_fail(v2->mem, GT_ERR_LIMIT);
    if (v2->keep && gt_mem_reserve(v2->mem, &v2->tables, &v2->tables_capacity, ordinal,
                                   sizeof(struct gt_table *)) != GT_OK)
        return gt_mem_failure(v2->mem);
    if (!v2->table)
        v2->table = v2_table_create(v2);
    if (!v2->table)
        return gt_mem_failure(v2->mem);
    v2->table->ordinal = ordinal;
    if (v2->keep)
        v2->tables[ordinal - 1] = v2->table;
    return GT_OK;
}

void gt_v2_tables_destroy(struct gt_v2 *v2)
{
    gt_v2_table_retire(v2);
    for (uint32_t i = 0; v2->keep && i < v2->generations; i++)
        v2_table_destroy(v2, v2->tables[i]);
    gt_mem_free(v2->mem, v2->tables, v2->tables_capacity * sizeof(struct gt_table *));
    v2_table_destroy(v2, v2->table);
    v2->table = NULL;
    v2->tables = NULL;
}
