/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/lastseen.h"

void gt_last_seen_init(struct gt_last_seen *seen, struct gt_mem *mem)
{
    *seen = (struct gt_last_seen){.mem = mem};
    gt_idmap_init(&seen->ids, mem);
}

void gt_last_seen_free(struct gt_last_seen *seen)
{
    if (!seen->mem)
        return;
    gt_array_free(seen->mem, &seen->list);
    gt_idmap_destroy(&seen->ids);
    seen->mem = NULL;
}

bool gt_last_seen_note(struct gt_last_seen *seen, int64_t id, int64_t time)
{
    size_t number = gt_idmap_get_number(&seen->ids, (uint64_t) id);
    if (number != 0) {
        seen->list.items[number - 1].time = time;
        return true;
    }
    struct gt_last_seen_thread thread = {id, time};
    if (gt_array_add(seen->mem, &seen->list, thread) != GT_OK)
        return false;
    return gt_idmap_put_number(&seen->ids, (uint64_t) id, seen->list.count) == GT_OK;
}
