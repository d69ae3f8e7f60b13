/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile.h"
#include "base/wraps.h"

struct gt_profile_go *gt_profile_go_add(struct gt_profile *p, int64_t id)
{
    struct gt_profile_go *g = gt_pool_take(&p->pool);
    if (!g)
        return NULL;
    memset(g, 0, sizeof(*g));
    if (gt_idmap_put(&p->by_id, (uint64_t) id, g) != GT_OK) {
        gt_pool_give(&p->pool, g);
        return NULL;
    }
    g->id = id;
    g->next = p->alive;
    g->link = &p->alive;
    if (p->alive)
        p->alive->link = &g->next;
    p->alive = g;
    if (p->options.goroutine.size > 0)
        return g;
    g->wanted = GT_WANTED_YES;
    if (!gt_profile_by_region(p))
        p->selected++;
    return g;
}

void gt_profile_go_remove(struct gt_profile *p, struct gt_profile_go *g)
{
    *g->link = g->next;
    if (g->next)
        g->next->link = g->link;
    gt_idmap_remove(&p->by_id, (uint64_t) g->id);
    gt_pool_give(&p->pool, g);
}

struct gt_tally *gt_profile_certain(struct gt_profile *p, struct gt_profile_go *g)
{
    return g->returns ? &g->own : &p->total;
}

static struct gt_tally *tally_by_region(struct gt_profile *p, struct gt_profile_go *g)
{
    if (g->sure > 0)
        return gt_profile_certain(p, g);
    if (g->regions)
        return &g->regions->inside;
    return g->claimed ? NULL : &g->late;
}

/* Where samples of the goroutine go as things stand; NULL: they do not count. */
static struct gt_tally *tally_of(struct gt_profile *p, struct gt_profile_go *g, int is_go_kind)
{
    if (gt_profile_by_region(p))
        return tally_by_region(p, g);
    if (is_go_kind && g->returns)
        return g->ran ? &g->own : &g->early;
    if (g->wanted == GT_WANTED_NO)
        return NULL;
    if (is_go_kind && !g->ran)
        return &g->early;
    return g->wanted == GT_WANTED_YES ? &p->total : &g->late;
}

static int is_go_slot(uint32_t slot)
{
    return slot <= GT_PROFILE_SCHED;
}

gt_status gt_profile_add(struct gt_profile *p, struct gt_profile_go *g, uint32_t slot,
                         uint32_t stack, struct gt_amount amount)
{
    struct gt_tally *tally = tally_of(p, g, is_go_slot(slot));
    if (!tally)
        return GT_OK;
    struct gt_tally_part part = {stack << GT_SLOT_BITS | slot, p->sync, !is_go_slot(slot), amount};
    return gt_tally_add(tally, &p->mem, &part);
}

gt_status gt_profile_end_span(struct gt_profile *p, struct gt_profile_go *g, struct gt_span *span,
                              int64_t now)
{
    uint32_t slot = span->slot;
    if (slot == GT_SLOT_NONE)
        return GT_OK;
    span->slot = GT_SLOT_NONE;
    if (now <= span->since)
        return GT_OK;
    struct gt_amount amount = {1, gt_time_span(span->since, now)};
    return gt_profile_add(p, g, slot, span->stack, amount);
}

gt_status gt_profile_go_again(struct gt_profile *p, struct gt_profile_go *g)
{
    struct gt_tally *past = gt_profile_by_region(p) ? &g->late : &g->early;
    gt_status status = gt_profile_regions_close(p, g, p->event->time);
    for (size_t i = 0; g->own.entries && i <= g->own.mask && status == GT_OK; i++) {
        struct gt_tally_entry *entry = &g->own.entries[i];
        int is_go = is_go_slot(entry->key & (GT_SLOTS - 1));
        if (entry->key != 0)
            status = gt_tally_add_entry(is_go ? past : &p->total, &p->mem, entry, p->sync);
    }
    gt_tally_free(&g->own, &p->mem);
    g->ran = g->named = g->is_system = g->over = g->claimed = 0;
    if (p->options.goroutine.size > 0) {
        p->selected -= g->wanted == GT_WANTED_YES;
        g->wanted = GT_WANTED_UNKNOWN;
    }
    return status;
}

gt_status gt_profile_go_settle(struct gt_profile *p, struct gt_profile_go *g)
{
    gt_status status = GT_OK;
    if (g->wanted == GT_WANTED_YES) {
        status = gt_tally_move(&p->total, &p->mem, &g->own, p->sync);
        if (status == GT_OK && !g->ran)
            status = gt_tally_move(&p->total, &p->mem, &g->early, p->sync);
    }
    gt_tally_free(&g->own, &p->mem);
    gt_tally_free(&g->early, &p->mem);
    gt_tally_free(&g->late, &p->mem);
    return status;
}
