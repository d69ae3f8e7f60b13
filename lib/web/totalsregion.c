/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/time.h"
#include "web/totals.h"

/*
 * The properties that distinguish types of regions. It must have no padding, as its bytes are
 * used as a dictionary's key.
 */
struct region_key {
    uint64_t pc, line;
    uint32_t type, function, file, zero;
};

static struct gt_totals_region_type *totals_region_add_type(struct gt_totals *totals,
                                                            const struct region_key *key)
{
    if (totals->region_types.count == GT_TOTALS_REGION_TYPES_MAX ||
        gt_array_reserve(totals->mem, &totals->region_types, 1) != GT_OK)
        return NULL;
    struct gt_totals_region_type *type = &totals->region_types.items[totals->region_types.count++];
    *type = (struct gt_totals_region_type){.type = key->type,
                                           .function = key->function,
                                           .file = key->file,
                                           .pc = key->pc,
                                           .records.mem = totals->mem,
                                           .line = key->line};
    return type;
}

/* Returns the type of a region. Returns NULL if memory runs out. */
static struct gt_totals_region_type *totals_region_find_type(struct gt_totals *totals,
                                                             const gt_region_summary *region)
{
    struct region_key key = {.pc = region->frame.pc, .line = region->frame.line};
    uint32_t number;
    if (!gt_dictionary_put(&totals->names, region->type, &key.type) ||
        !gt_dictionary_put(&totals->names, region->frame.function, &key.function) ||
        !gt_dictionary_put(&totals->names, region->frame.file, &key.file) ||
        !gt_dictionary_put(&totals->region_keys, (gt_string){(const char *) &key, sizeof(key)},
                           &number))
        return NULL;
    /* Numbers of keys begin with 1, because number 0 is that of the empty text, and no key is
     * empty. */
    if (number <= totals->region_types.count)
        return &totals->region_types.items[number - 1];
    return totals_region_add_type(totals, &key);
}

bool gt_totals_add_region(struct gt_totals *totals, const gt_region_summary *region)
{
    struct gt_totals_region_type *type = totals_region_find_type(totals, region);
    struct gt_record_place previous = {0, 0};
    if (!type)
        return false;
    /* A region that inherited its task is not one of the task's own regions. */
    if (!region->inherited) {
        uint32_t task = gt_totals_task_number(totals, region->task);
        if (task == 0)
            return false;
        struct gt_record_place *last = &totals->tasks.items[task - 1].last_region;
        previous = *last;
        last->type = (uint64_t) (type - totals->region_types.items) + 1;
        last->at = type->records.size;
    }
    return gt_record_put_region(&type->records, &totals->names, region, previous, totals->start);
}

int64_t gt_totals_region_length(const struct gt_totals *totals,
                                const struct gt_record_region *region)
{
    int64_t begin = region->begin != GT_RECORD_NONE ? region->begin : 0;
    return gt_time_minus(region->end != GT_RECORD_NONE ? region->end : totals->end, begin);
}

static bool totals_region_measure(const struct gt_totals *totals,
                                  struct gt_totals_region_type *type)
{
    struct gt_distribution distribution = {0};
    struct gt_record_region record;
    struct gt_unpack unpack = {&type->records, 0};
    bool good = true;
    gt_pack_trim(&type->records);
    while (good && !gt_unpack_is_end(&unpack)) {
        gt_record_get_region(&unpack, &record);
        int64_t length = gt_totals_region_length(totals, &record);
        good = gt_histogram_add(&type->lengths.histogram, totals->mem, length) &&
               gt_distribution_add(&distribution, totals->mem, length);
    }
    gt_totals_measure(&type->lengths, totals->mem, &distribution);
    return good;
}

bool gt_totals_finish_regions(struct gt_totals *totals)
{
    for (size_t i = 0; i < totals->region_types.count; i++) {
        if (!totals_region_measure(totals, &totals->region_types.items[i]))
            return false;
    }
    gt_dictionary_free(&totals->region_keys);
    return true;
}

static void totals_region_free_type(struct gt_totals_region_type *type)
{
    gt_pack_free(&type->records);
    gt_histogram_free(&type->lengths.histogram, type->records.mem);
}

void gt_totals_free_regions(struct gt_totals *totals)
{
    for (size_t i = 0; i < totals->region_types.count; i++)
        totals_region_free_type(&totals->region_types.items[i]);
    gt_array_free(totals->mem, &totals->region_types);
    gt_dictionary_free(&totals->region_keys);
}
