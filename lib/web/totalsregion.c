/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "web/totals.h"

/* What tells types apart, without gaps, as its bytes are a name. */
struct region_key {
    uint64_t pc, line;
    uint32_t type, function, file, zero;
};

static struct totals_region_type *add_type(struct totals *totals, const struct region_key *key)
{
    if (totals->region_type_count == TOTALS_REGION_TYPES_MAX)
        return NULL;
    if (totals->region_type_count == totals->region_type_capacity) {
        size_t capacity = 2 * totals->region_type_capacity + 16;
        struct totals_region_type *types = realloc(totals->region_types, capacity * sizeof(*types));
        if (types == NULL)
            return NULL;
        totals->region_types = types;
        totals->region_type_capacity = capacity;
    }
    struct totals_region_type *type = &totals->region_types[totals->region_type_count++];
    *type = (struct totals_region_type){.type = key->type,
                                        .function = key->function,
                                        .file = key->file,
                                        .pc = key->pc,
                                        .line = key->line};
    return type;
}

/* The type of a region; NULL where there is no memory. */
static struct totals_region_type *find_type(struct totals *totals, const gt_region_summary *region)
{
    struct region_key key = {.pc = region->frame.pc, .line = region->frame.line};
    uint32_t number;
    if (!dictionary_put(&totals->names, region->type, &key.type) ||
        !dictionary_put(&totals->names, region->frame.function, &key.function) ||
        !dictionary_put(&totals->names, region->frame.file, &key.file) ||
        !dictionary_put(&totals->region_keys, (gt_string){(const char *) &key, sizeof(key)},
                        &number))
        return NULL;
    if (number < totals->region_type_count)
        return &totals->region_types[number];
    return add_type(totals, &key);
}

bool totals_add_region(struct totals *totals, const gt_region_summary *region)
{
    struct totals_region_type *type = find_type(totals, region);
    struct record_place previous = {0, 0};
    if (type == NULL)
        return false;
    /* Those that are inherited do not belong to the task. */
    if (!region->inherited) {
        uint32_t task = totals_task_number(totals, region->task);
        if (task == 0)
            return false;
        struct record_place *last = &totals->tasks[task - 1].last_region;
        previous = *last;
        last->type = (uint64_t) (type - totals->region_types) + 1;
        last->at = type->records.size;
    }
    return record_put_region(&type->records, &totals->names, region, previous, totals->start);
}

int64_t totals_region_length(const struct totals *totals, const struct record_region *region)
{
    int64_t begin = region->begin != RECORD_NONE ? region->begin : 0;
    return (region->end != RECORD_NONE ? region->end : totals->end) - begin;
}

static bool measure(const struct totals *totals, struct totals_region_type *type)
{
    struct spread spread = {0};
    struct record_region record;
    struct unpack unpack = {&type->records, 0};
    bool good = true;
    pack_trim(&type->records);
    while (good && !unpack_is_end(&unpack)) {
        record_get_region(&unpack, &record);
        int64_t length = totals_region_length(totals, &record);
        good = histogram_add(&type->lengths.histogram, length) && spread_add(&spread, length);
    }
    totals_measure(&type->lengths, &spread);
    return good;
}

bool totals_finish_regions(struct totals *totals)
{
    for (size_t i = 0; i < totals->region_type_count; i++) {
        if (!measure(totals, &totals->region_types[i]))
            return false;
    }
    dictionary_free(&totals->region_keys);
    return true;
}

static void free_type(struct totals_region_type *type)
{
    pack_free(&type->records);
    histogram_free(&type->lengths.histogram);
}

void totals_free_regions(struct totals *totals)
{
    for (size_t i = 0; i < totals->region_type_count; i++)
        free_type(&totals->region_types[i]);
    free(totals->region_types);
    dictionary_free(&totals->region_keys);
}
