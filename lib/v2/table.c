/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/table.h"

#include <assert.h>
#include <string.h>

/*
 * The tables of generations. Data of a generation stays valid until the call after the one that has
 * returned the next Sync, so two tables are used in turn. With `keep`, each generation has its own
 * table.
 */

static void v2_table_clear(struct gt_v2 *v2, struct gt_table *table)
{
    gt_strings_clear(&table->strings, &v2->names);
    gt_stacks_clear(&table->stacks);
    gt_arena_free(&table->bytes, v2->mem);
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
    gt_arena_free(&table->bytes, v2->mem);
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

void gt_v2_table_expire(struct gt_v2 *v2)
{
    v2->has_expired = false;
    if (v2->previous)
        v2_table_clear(v2, v2->previous);
    gt_names_sweep(&v2->names);
}

/* Makes room for the table of the generation after the newest one. */
static gt_status v2_table_reserve(struct gt_v2 *v2)
{
    uint32_t ordinal = v2->generations + 1;
    if (ordinal == 0)
        return gt_mem_fail(v2->mem, GT_ERR_LIMIT);
    if (v2->keep && gt_mem_reserve(v2->mem, &v2->tables, &v2->tables_capacity, ordinal,
                                   sizeof(struct gt_table *)) != GT_OK)
        return gt_mem_failure(v2->mem);
    return GT_OK;
}

/* Makes `table` that of the newest generation. The caller has reserved its place. */
static void v2_table_enter(struct gt_v2 *v2, struct gt_table *table)
{
    v2->previous = v2->keep ? NULL : v2->table;
    v2->table = table;
    table->ordinal = v2->generations + 1;
    if (v2->keep)
        v2->tables[table->ordinal - 1] = table;
}

gt_status gt_v2_table_start(struct gt_v2 *v2)
{
    gt_status status = v2_table_reserve(v2);
    if (status != GT_OK)
        return status;
    struct gt_table *table = v2->previous ? v2->previous : v2_table_create(v2);
    if (!table)
        return gt_mem_failure(v2->mem);
    assert(table->ordinal == 0);
    v2_table_enter(v2, table);
    return GT_OK;
}

gt_status gt_v2_table_take(struct gt_v2 *v2, struct gt_table *table)
{
    gt_status status = v2_table_reserve(v2);
    if (status != GT_OK)
        return status;
    v2_table_destroy(v2, v2->previous);
    v2_table_enter(v2, table);
    return GT_OK;
}

void gt_v2_table_return(struct gt_v2 *v2, struct gt_table *before)
{
    v2->table = before;
    v2->previous = NULL;
}

void gt_v2_tables_destroy(struct gt_v2 *v2)
{
    /* The newest table may belong to a generation that has not begun. */
    uint32_t kept = v2->keep && v2->table ? v2->table->ordinal - 1 : 0;
    for (uint32_t i = 0; i < kept; i++)
        v2_table_destroy(v2, v2->tables[i]);
    gt_mem_free(v2->mem, v2->tables, v2->tables_capacity * sizeof(struct gt_table *));
    v2_table_destroy(v2, v2->table);
    v2_table_destroy(v2, v2->previous);
    v2->table = v2->previous = NULL;
    v2->tables = NULL;
}
