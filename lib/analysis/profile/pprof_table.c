/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/pprof_table.h"

#include <string.h>

#include "base/hash.h"

gt_status gt_pprof_table_init(struct gt_pprof_table *table, struct gt_mem *mem,
                              const struct gt_stackset *stacks, uint32_t first_string)
{
    memset(table, 0, sizeof(*table));
    table->mem = mem;
    table->stacks = stacks;
    table->first_string = first_string;
    table->texts = stacks->texts.list.count;
    table->string_ids = gt_mem_zeros(mem, table->texts * sizeof(uint32_t));
    if (!table->string_ids)
        return gt_mem_failure(mem);
    if (stacks->frames.count == 0)
        return GT_OK;
    table->frames = stacks->frames.count;
    table->location_ids = gt_mem_zeros(mem, table->frames * sizeof(uint32_t));
    return table->location_ids ? GT_OK : gt_mem_failure(mem);
}

void gt_pprof_table_destroy(struct gt_pprof_table *table)
{
    struct gt_mem *mem = table->mem;
    gt_mem_free(mem, table->location_ids, table->frames * sizeof(*table->location_ids));
    gt_mem_free(mem, table->string_ids, table->texts * sizeof(*table->string_ids));
    gt_array_free(mem, &table->locations);
    gt_array_free(mem, &table->functions);
    gt_array_free(mem, &table->strings);
    gt_index_free(&table->by_function, mem);
}

static gt_status pprof_string_add(struct gt_pprof_table *table, uint32_t text)
{
    if (text == 0 || table->string_ids[text] != 0)
        return GT_OK;
    table->string_ids[text] = table->first_string + (uint32_t) table->strings.count;
    return gt_array_add(table->mem, &table->strings, text);
}

/* Sets `*id` to the id of the function, which it gets now if it has none. */
static gt_status pprof_function_add(struct gt_pprof_table *table, struct gt_pprof_function function,
                                    uint32_t *id)
{
    uint64_t hash = gt_hash_pair(function.name, function.file, table->stacks->texts.secret);
    const struct gt_pprof_function *known;
    GT_INDEX_FIND(known, &table->functions, &table->by_function, hash,
                  known->name == function.name && known->file == function.file);
    *id = (uint32_t) gt_array_index(&table->functions, known) + 1;
    if (known)
        return GT_OK;
    gt_status status = pprof_string_add(table, function.name);
    if (status == GT_OK)
        status = pprof_string_add(table, function.file);
    return status == GT_OK
               ? gt_index_append(&table->by_function, &table->functions, table->mem, hash, function)
               : status;
}

static gt_status pprof_location_add(struct gt_pprof_table *table, uint32_t number)
{
    if (table->location_ids[number] != 0)
        return GT_OK;
    const struct gt_stackset_frame *frame = &table->stacks->frames.items[number];
    struct gt_pprof_location location = {number, 0};
    gt_status status = gt_array_reserve(table->mem, &table->locations, 1);
    if (status == GT_OK)
        status = pprof_function_add(table, (struct gt_pprof_function){frame->function, frame->file},
                                    &location.function);
    if (status != GT_OK)
        return status;
    table->locations.items[table->locations.count++] = location;
    table->location_ids[number] = (uint32_t) table->locations.count;
    return GT_OK;
}

gt_status gt_pprof_table_add(struct gt_pprof_table *table, uint32_t stack)
{
    const struct gt_stackset_stack *known = &table->stacks->stacks.items[stack];
    gt_status status = GT_OK;
    for (size_t i = 0; i < known->count && status == GT_OK; i++)
        status = pprof_location_add(table, table->stacks->frame_numbers.items[known->first + i]);
    return status;
}
