/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/pprof_table.h"

#include <string.h>

#include "base/hash.h"

static uint32_t *zeros(struct gt_mem *mem, size_t count)
{
    uint32_t *list = gt_mem_alloc(mem, count * sizeof(*list));
    if (list)
        memset(list, 0, count * sizeof(*list));
    return list;
}

gt_status gt_pprof_table_init(struct gt_pprof_table *table, struct gt_mem *mem,
                              const struct gt_stackset *stacks, uint32_t first_string)
{
    memset(table, 0, sizeof(*table));
    table->mem = mem;
    table->stacks = stacks;
    table->first_string = first_string;
    table->texts = stacks->texts.list.count;
    table->string_ids = zeros(mem, table->texts);
    if (!table->string_ids)
        return gt_mem_failure(mem);
    if (stacks->frames.count == 0)
        return GT_OK;
    table->frames = stacks->frames.count;
    table->location_ids = zeros(mem, table->frames);
    return table->location_ids ? GT_OK : gt_mem_failure(mem);
}

void gt_pprof_table_destroy(struct gt_pprof_table *table)
{
    struct gt_mem *mem = table->mem;
    gt_mem_free(mem, table->location_ids, table->frames * sizeof(*table->location_ids));
    gt_mem_free(mem, table->string_ids, table->texts * sizeof(*table->string_ids));
    gt_mem_free(mem, table->locations, table->location_capacity * sizeof(*table->locations));
    gt_mem_free(mem, table->functions, table->function_capacity * sizeof(*table->functions));
    gt_mem_free(mem, table->strings, table->string_capacity * sizeof(*table->strings));
    gt_index_free(&table->by_function, mem);
}

static gt_status add_string(struct gt_pprof_table *table, uint32_t text)
{
    if (text == 0 || table->string_ids[text] != 0)
        return GT_OK;
    gt_status status = gt_mem_reserve(table->mem, &table->strings, &table->string_capacity,
                                      table->string_count + 1, sizeof(*table->strings));
    if (status != GT_OK)
        return status;
    table->string_ids[text] = table->first_string + (uint32_t) table->string_count;
    table->strings[table->string_count++] = text;
    return GT_OK;
}

static gt_status new_function(struct gt_pprof_table *table, struct gt_pprof_function function,
                              uint64_t hash)
{
    gt_status status = gt_mem_reserve(table->mem, &table->functions, &table->function_capacity,
                                      table->function_count + 1, sizeof(*table->functions));
    if (status == GT_OK)
        status = gt_index_add(&table->by_function, table->mem, hash, table->function_count);
    if (status == GT_OK)
        status = add_string(table, function.name);
    if (status == GT_OK)
        status = add_string(table, function.file);
    if (status == GT_OK)
        table->functions[table->function_count++] = function;
    return status;
}

static gt_status add_function(struct gt_pprof_table *table, struct gt_pprof_function function,
                              uint32_t *id)
{
    uint64_t hash = gt_hash_pair(function.name, function.file, table->stacks->texts.secret);
    struct gt_probe probe = gt_index_probe(&table->by_function, hash);
    while (gt_index_next(&table->by_function, &probe)) {
        const struct gt_pprof_function *known = &table->functions[probe.ordinal];
        if (known->name == function.name && known->file == function.file) {
            *id = probe.ordinal + 1;
            return GT_OK;
        }
    }
    *id = (uint32_t) table->function_count + 1;
    return new_function(table, function, hash);
}

static gt_status add_location(struct gt_pprof_table *table, uint32_t number)
{
    if (table->location_ids[number] != 0)
        return GT_OK;
    const struct gt_stackset_frame *frame = &table->stacks->frames.items[number];
    struct gt_pprof_location location = {number, 0};
    gt_status status = gt_mem_reserve(table->mem, &table->locations, &table->location_capacity,
                                      table->location_count + 1, sizeof(*table->locations));
    if (status == GT_OK)
        status = add_function(table, (struct gt_pprof_function){frame->function, frame->file},
                              &location.function);
    if (status != GT_OK)
        return status;
    table->locations[table->location_count++] = location;
    table->location_ids[number] = (uint32_t) table->location_count;
    return GT_OK;
}

gt_status gt_pprof_table_add(struct gt_pprof_table *table, uint32_t stack)
{
    const struct gt_stackset_stack *known = &table->stacks->stacks.items[stack];
    gt_status status = GT_OK;
    for (size_t i = 0; i < known->count && status == GT_OK; i++)
        status = add_location(table, table->stacks->frame_numbers.items[known->first + i]);
    return status;
}
