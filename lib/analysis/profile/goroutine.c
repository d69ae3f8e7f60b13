/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile/profile.h"
#include "base/wraps.h"

/* A goroutine that the trace names for the first time; NULL: no memory. */
static struct gt_profile_go *add(struct gt_profile *p, int64_t id)
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

/* Forgets one that has been settled. */
static void forget(struct gt_profile *p, struct gt_profile_go *g)
{
    *g->link = g->next;
    if (g->next)
        g->next->link = g->link;
    gt_idmap_remove(&p->by_id, (uint64_t) g->id);
    p->recent[(uint64_t) g->id % GT_PROFILE_RECENT] = NULL;
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

gt_status gt_profile_take_sample(struct gt_profile *p)
{
    uint32_t stack;
    gt_status status = gt_stackset_number(&p->stacks, p->reader, gt_event_stack(p->event), &stack);
    if (status != GT_OK)
        return status;
    struct gt_amount amount = {1, p->options.cpu_period};
    if (p->options.goroutine.size == 0 && !gt_profile_by_region(p)) {
        struct gt_tally_part part = {stack << GT_SLOT_BITS | GT_PROFILE_CPU, p->sync, 1, amount};
        return gt_tally_add(&p->total, &p->mem, &part);
    }
    struct gt_profile_go *g = gt_idmap_get(&p->by_id, (uint64_t) p->event->goroutine);
    return g ? gt_profile_add(p, g, GT_PROFILE_CPU, stack, amount) : GT_OK;
}

gt_status gt_profile_count_span(struct gt_profile *p, struct gt_profile_go *g, struct gt_span *span,
                                int64_t now)
{
    uint32_t slot = span->slot;
    span->slot = GT_SLOT_NONE;
    if (now <= span->since)
        return GT_OK;
    struct gt_amount amount = {1, gt_time_span(span->since, now)};
    return gt_profile_add(p, g, slot, span->stack, amount);
}

/*
 * Another goroutine begins with the id of `g`, as they do that C makes for its calls of Go.
 * Go's summary keeps the last of them, and a profile of Go's kinds counts what all had of
 * its time alone: nothing before it first ran, or all if it never does. In regions, which
 * are its as well, it counts nothing from before (cmd/trace/pprof.go).
 */
static gt_status again(struct gt_profile *p, struct gt_profile_go *g)
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

/* It or the one before with its id. */
static gt_status find(struct gt_profile *p, struct gt_profile_go **g, const gt_transition *change)
{
    if (*g)
        return gt_profile_begins(change) && change->to != change->from ? again(p, *g) : GT_OK;
    *g = add(p, change->resource.id);
    if (!*g)
        return gt_mem_failure(&p->mem);
    (*g)->returns = change->from != GT_GO_NOT_EXIST || change->to == GT_GO_SYSCALL;
    return GT_OK;
}

static int needs_name(const struct gt_profile *p, const struct gt_profile_go *g)
{
    int depends = g->wanted == GT_WANTED_UNKNOWN || g->returns || gt_profile_by_region(p);
    return depends && !g->named;
}

gt_status gt_profile_go_meet(struct gt_profile *p, struct gt_profile_go **g,
                             const gt_transition *change)
{
    gt_status status = find(p, g, change);
    if (status == GT_OK && change->from == GT_GO_NOT_EXIST && gt_profile_by_region(p))
        status = gt_profile_region_inherit(p, *g);
    if (status == GT_OK && needs_name(p, *g) && change->from != change->to)
        status = gt_profile_go_name(p, *g, change->stack);
    if (status == GT_OK)
        (*g)->is_plain = !(*g)->over && !needs_name(p, *g);
    return status;
}

gt_status gt_profile_go_end(struct gt_profile *p, struct gt_profile_go *g, int is_gone)
{
    gt_status status = gt_profile_end_span(p, g, &g->off, p->event->time);
    if (status == GT_OK)
        status = gt_profile_regions_close(p, g, p->event->time);
    if (!gt_profile_by_region(p))
        gt_tally_free(&g->late, &p->mem);
    g->over = !is_gone;
    g->is_plain = 0;
    if (!is_gone || status != GT_OK)
        return status;
    /* Only what C made leaves from a system call, and may come again. */
    int is_last = g->state != GT_GO_SYSCALL || !g->returns;
    g->state = GT_GO_NOT_EXIST;
    if (is_last) {
        status = gt_profile_go_settle(p, g);
        forget(p, g);
    }
    return status;
}
