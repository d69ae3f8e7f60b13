/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/futile.h"

#include <string.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "v1/merge.h"

/* An event of a goroutine's wakeup. */
struct link {
    struct link *next;
    uint64_t index;
};

/* The wakeup that a goroutine is in. */
struct wakeup {
    struct link *links;
    int futile;
};

struct gt_v1_search {
    struct gt_v1 *v1;
    struct gt_idmap wakeups; /* by goroutine */
    struct gt_pool wakeup_pool;
    struct gt_pool link_pool;
    size_t bytes; /* of the bits */
};

static void drop_links(struct gt_v1_search *search, struct wakeup *wakeup)
{
    while (wakeup->links) {
        struct link *link = wakeup->links;
        wakeup->links = link->next;
        gt_pool_give(&search->link_pool, link);
    }
}

static struct wakeup *get(struct gt_v1_search *search, uint64_t goroutine)
{
    struct wakeup *wakeup = gt_idmap_get(&search->wakeups, goroutine);
    if (wakeup)
        return wakeup;
    wakeup = gt_pool_take(&search->wakeup_pool);
    if (!wakeup)
        return NULL;
    wakeup->links = NULL;
    wakeup->futile = 0;
    return gt_idmap_put(&search->wakeups, goroutine, wakeup) == GT_OK ? wakeup : NULL;
}

/* The event belongs to the goroutine's wakeup; with `anew` it is its first. */
static gt_status add(struct gt_v1_search *search, uint64_t goroutine, uint64_t index, int anew)
{
    struct wakeup *wakeup = get(search, goroutine);
    struct link *link = wakeup ? gt_pool_take(&search->link_pool) : NULL;
    if (!link)
        return gt_v1_fail_memory(search->v1);
    if (anew)
        drop_links(search, wakeup);
    link->index = index;
    link->next = wakeup->links;
    wakeup->links = link;
    return GT_OK;
}

static gt_status mark(struct gt_v1_search *search, uint64_t index)
{
    struct gt_v1 *v1 = search->v1;
    size_t known = search->bytes;
    if (gt_mem_reserve(v1->mem, &v1->futile, &search->bytes, (size_t) (index / 8 + 1), 1) != GT_OK)
        return gt_v1_fail_memory(v1);
    memset(v1->futile + known, 0, search->bytes - known);
    v1->futile[index / 8] |= (uint8_t) (1 << index % 8);
    return GT_OK;
}

/* The goroutine blocks. Whether that was futile is known now. */
static gt_status end(struct gt_v1_search *search, uint64_t goroutine, uint64_t index)
{
    gt_status status = GT_OK;
    struct wakeup *wakeup = gt_idmap_get(&search->wakeups, goroutine);
    if (!wakeup)
        return GT_OK;
    if (wakeup->futile)
        status = mark(search, index);
    for (struct link *link = wakeup->links; link && wakeup->futile && status == GT_OK;
         link = link->next)
        status = mark(search, link->index);
    drop_links(search, wakeup);
    gt_idmap_remove(&search->wakeups, goroutine);
    gt_pool_give(&search->wakeup_pool, wakeup);
    return status;
}

gt_status gt_v1_search_event(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                             uint64_t index)
{
    struct gt_v1_search *search = v1->search;
    uint64_t goroutine = (uint64_t) data->event.goroutine;
    gt_status status;
    switch (type) {
    case GT_V1_GO_UNBLOCK:
    case GT_V1_GO_UNBLOCK_LOCAL:
        return add(search, data->arguments[0], index, 1);
    case GT_V1_GO_START:
    case GT_V1_GO_START_LOCAL:
    case GT_V1_GO_PREEMPT:
        return add(search, goroutine, index, 0);
    case GT_V1_FUTILE_WAKEUP:
        status = add(search, goroutine, index, 0);
        if (status == GT_OK)
            get(search, goroutine)->futile = 1;
        return status;
    case GT_V1_GO_BLOCK:
    case GT_V1_GO_BLOCK_SEND:
    case GT_V1_GO_BLOCK_RECV:
    case GT_V1_GO_BLOCK_SELECT:
    case GT_V1_GO_BLOCK_SYNC:
    case GT_V1_GO_BLOCK_COND:
        return end(search, goroutine, index);
    default:
        return GT_OK;
    }
}

/* In a trace that needs repairs, what is taken out may be what others follow from. */
static void drop_bits(struct gt_v1 *v1)
{
    gt_mem_free(v1->mem, v1->futile, v1->futile_size);
    v1->futile = NULL;
    v1->futile_size = 0;
}

/* Faults are not told twice: the merge that follows comes upon them again. */
gt_status gt_v1_find_futile(struct gt_v1 *v1)
{
    struct gt_v1_search search = {.v1 = v1};
    uint64_t repairs = v1->repairs;
    gt_repair_fn on_repair = v1->options.on_repair;
    v1->options.on_repair = NULL;
    v1->search = &search;
    gt_idmap_init(&search.wakeups, v1->mem);
    gt_pool_init(&search.wakeup_pool, v1->mem, sizeof(struct wakeup));
    gt_pool_init(&search.link_pool, v1->mem, sizeof(struct link));
    gt_status status = gt_v1_merge_start(v1);
    while (status == GT_OK) {
        v1->slot = v1->events->list;
        status = gt_v1_merge(v1);
    }
    v1->slot = v1->events->list;
    v1->search = NULL;
    v1->futile_size = search.bytes;
    if (v1->repairs != repairs)
        drop_bits(v1);
    gt_idmap_destroy(&search.wakeups);
    gt_pool_destroy(&search.wakeup_pool);
    gt_pool_destroy(&search.link_pool);
    v1->options.on_repair = on_repair;
    v1->repairs = repairs;
    return status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT ? status : GT_OK;
}
