/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/gcmeter.h"

#include "base/time.h"
#include "web/record.h"

void gt_gc_meter_init(struct gt_gc_meter *meter, struct gt_mem *mem)
{
    *meter = (struct gt_gc_meter){.mem = mem};
    gt_idmap_init(&meter->numbers, mem);
}

void gt_gc_meter_free(struct gt_gc_meter *meter)
{
    gt_idmap_destroy(&meter->numbers);
    gt_array_free(meter->mem, &meter->list);
}

struct gt_gc_measured *gt_gc_meter_find(const struct gt_gc_meter *meter, int64_t id)
{
    size_t number = gt_idmap_get_number(&meter->numbers, (uint64_t) id);
    return number > 0 ? &meter->list.items[number - 1] : NULL;
}

bool gt_gc_meter_begin(struct gt_gc_meter *meter, int64_t id, int64_t time, uint32_t mode)
{
    struct gt_gc_measured *measured = gt_gc_meter_find(meter, id);
    if (!measured) {
        measured = gt_array_push(meter->mem, &meter->list);
        if (!measured)
            return false;
        *measured = (struct gt_gc_measured){.id = id, .since = GT_RECORD_NONE};
        if (gt_idmap_put_number(&meter->numbers, (uint64_t) id, meter->list.count) != GT_OK)
            return false;
    }
    if (measured->since == GT_RECORD_NONE) {
        measured->since = time;
        measured->mode = mode;
    }
    return true;
}

int64_t gt_gc_meter_end(struct gt_gc_measured *measured, int64_t time)
{
    if (!measured || measured->since == GT_RECORD_NONE)
        return GT_RECORD_NONE;
    int64_t length = gt_time_minus(time, measured->since);
    gt_time_add_to(&measured->time, length);
    measured->count++;
    measured->since = GT_RECORD_NONE;
    return length;
}
