/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/futile.h"

#include "base/idmap.h"
#include "base/pool.h"
#include "v1/merge.h"
#include "v1/repair.h"

/* An event that belongs to a goroutine's wakeup. */
struct link {
    struct link *next;
    uint64_t index;
};

/* The last wakeup of a goroutine. */
struct wakeup {
    struct link *links;
    bool futile;
};

struct gt_v1_search {
    struct gt_v1 *v1;
    struct gt_idmap wakeups; /* by goroutine */
    struct gt_pool link_pool;
};

static void v1_wakeup_clear(struct gt_v1_search *search, struct wakeup *wakeup)
{
    while (wakeup->links) {
        struct link *link = wakeup->links;
        wakeup->links = link->next;
        gt_pool_give(&search->link_pool, link);
    }
}

static struct wakeup *v1_wakeup_get(struct gt_v1_search *search, uint64_t goroutine)
{
    struct wakeup *wakeup = gt_idmap_get(&search->wakeups, goroutine);
    return wakeup ? wakeup : gt_idmap_add(&search->wakeups, goroutine);
}

/*
 * Adds the event with this index to the goroutine's wakeup. If `anew` is set, the event begins a
 * new wakeup.
 */
static gt_status v1_wakeup_add(struct gt_v1_search *search, uint64_t goroutine, uint64_t index,
                               bool anew)
{
    struct wakeup *wakeup = v1_wakeup_get(search, goroutine);
    struct link *link = wakeup ? gt_pool_take(&search->link_pool) : NULL;
    if (!link)
        return gt_v1_no_memory(search->v1);
    if (anew)
        v1_wakeup_clear(search, wakeup);
    link->index = index;
    link->next = wakeup->links;
    wakeup->links = link;
    return GT_OK;
}

/* Marks an event as part of a futile wakeup. */
static gt_status v1_futile_mark(struct gt_v1_search *search, uint64_t index)
{
    struct gt_v1 *v1 = search->v1;
    if (gt_array_extend(v1->mem, &v1->futile.bytes, (size_t) (index / 8 + 1)) != GT_OK)
        return gt_v1_no_memory(v1);
    v1->futile.bytes.items[index / 8] |= (uint8_t) (1 << index % 8);
    return GT_OK;
}

/*
 * Ends a wakeup because the goroutine blocks again, which decides whether the wakeup was futile; if
 * it was, marks its events.
 */
static gt_status v1_wakeup_end(struct gt_v1_search *search, uint64_t goroutine, uint64_t index)
{
    gt_status status = GT_OK;
    struct wakeup *wakeup = gt_idmap_get(&search->wakeups, goroutine);
    if (!wakeup)
        return GT_OK;
    if (wakeup->futile)
        status = v1_futile_mark(search, index);
    for (struct link *link = wakeup->links; link && wakeup->futile && status == GT_OK;
         link = link->next)
        status = v1_futile_mark(search, link->index);
    v1_wakeup_clear(search, wakeup);
    gt_idmap_drop(&search->wakeups, goroutine, wakeup);
    return status;
}

gt_status gt_v1_futile_event(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                             uint64_t index)
{
    struct gt_v1_search *search = v1->futile.search;
    uint64_t goroutine = (uint64_t) data->event.goroutine;
    gt_status status;
    switch (type) {
    case GT_V1_GO_UNBLOCK:
    case GT_V1_GO_UNBLOCK_LOCAL:
        return v1_wakeup_add(search, data->arguments[0], index, true);
    case GT_V1_GO_START:
    case GT_V1_GO_START_LOCAL:
    case GT_V1_GO_PREEMPT:
        return v1_wakeup_add(search, goroutine, index, false);
    case GT_V1_FUTILE_WAKEUP:
        status = v1_wakeup_add(search, goroutine, index, false);
        if (status == GT_OK)
            v1_wakeup_get(search, goroutine)->futile = true;
        return status;
    case GT_V1_GO_BLOCK:
    case GT_V1_GO_BLOCK_SEND:
    case GT_V1_GO_BLOCK_RECV:
    case GT_V1_GO_BLOCK_SELECT:
    case GT_V1_GO_BLOCK_SYNC:
    case GT_V1_GO_BLOCK_COND:
        return v1_wakeup_end(search, goroutine, index);
    default:
        return GT_OK;
    }
}

/*
 * Repairs are not reported during this merge, because the merge that follows makes and reports the
 * same ones.
 */
gt_status gt_v1_futile_find(struct gt_v1 *v1)
{
    struct gt_v1_search search = {.v1 = v1};
    struct gt_repair repair = v1->repair;
    v1->repair.on_repair = NULL;
    v1->futile.search = &search;
    gt_idmap_init_objects(&search.wakeups, v1->mem, sizeof(struct wakeup));
    gt_pool_init(&search.link_pool, v1->mem, sizeof(struct link));
    gt_status status = gt_v1_merge_start(v1);
    while (status == GT_OK) {
        v1->output.next = v1->output.events->list;
        status = gt_v1_merge(v1);
    }
    v1->output.next = v1->output.events->list;
    v1->futile.search = NULL;
    /*
     * If a trace needs repairs, all its events are kept, because repairs may depend on events that
     * would be left out.
     */
    if (v1->repair.count != repair.count)
        gt_array_free(v1->mem, &v1->futile.bytes);
    gt_idmap_destroy(&search.wakeups);
    gt_pool_destroy(&search.link_pool);
    v1->repair = repair;
    return gt_repair_is_trouble(status) ? status : GT_OK;
}
