/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include "base/time.h"

/* Adds a goroutine. NULL: no memory. */
static struct gt_profile_goroutine *profiled_add(struct gt_profile *profile, int64_t id)
{
    struct gt_profile_goroutine *goroutine = gt_idmap_add(&profile->goroutines, (uint64_t) id);
    if (!goroutine)
        return NULL;
    goroutine->id = id;
    goroutine->next = profile->alive;
    goroutine->link = &profile->alive;
    if (profile->alive)
        profile->alive->link = &goroutine->next;
    profile->alive = goroutine;
    if (profile->options.goroutine.size > 0)
        return goroutine;
    goroutine->wanted = GT_WANTED_YES;
    if (!profile->by_region)
        profile->selected++;
    return goroutine;
}

void gt_profile_goroutine_remove(struct gt_profile *profile, struct gt_profile_goroutine *goroutine)
{
    *goroutine->link = goroutine->next;
    if (goroutine->next)
        goroutine->next->link = goroutine->link;
    profile->recent[(uint64_t) goroutine->id % GT_PROFILE_RECENT] = NULL;
    gt_idmap_drop(&profile->goroutines, (uint64_t) goroutine->id, goroutine);
}

struct gt_tally *gt_profile_certain(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine)
{
    return gt_profile_may_recur(profile, goroutine) ? &goroutine->own : &profile->total;
}

static struct gt_tally *profile_region_tally(struct gt_profile *profile,
                                             struct gt_profile_goroutine *goroutine)
{
    if (goroutine->certain > 0)
        return gt_profile_certain(profile, goroutine);
    if (goroutine->regions)
        return &goroutine->regions->inside;
    return goroutine->pending_counted ? NULL : &goroutine->pending;
}

/* The tally for samples of a goroutine at present. NULL: they do not count. */
static struct gt_tally *profile_tally(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine, bool is_go_kind)
{
    if (profile->by_region)
        return profile_region_tally(profile, goroutine);
    if (is_go_kind && gt_profile_may_recur(profile, goroutine))
        return goroutine->has_run ? &goroutine->own : &goroutine->before_run;
    if (goroutine->wanted == GT_WANTED_NO)
        return NULL;
    if (is_go_kind && !goroutine->has_run)
        return &goroutine->before_run;
    return goroutine->wanted == GT_WANTED_YES ? &profile->total : &goroutine->pending;
}

/*
 * Whether Go takes the stack for a missing one: it has no pcs (cmd/trace/pprof.go). Such stacks are
 * counted under the key of stack 0.
 */
static bool profile_stack_is_blank(const struct gt_profile *profile, uint32_t stack)
{
    return stack == 0 || profile->stacks.stacks.items[stack].is_blank;
}

static uint32_t profile_key(uint32_t slot, uint32_t stack, bool is_blank)
{
    return (is_blank ? 0 : stack) << GT_SLOT_BITS | slot;
}

gt_status gt_profile_add(struct gt_profile *profile, struct gt_profile_goroutine *goroutine,
                         uint32_t slot, uint32_t stack, struct gt_amount amount)
{
    bool as_go = gt_profile_counts_as_go(profile, slot);
    struct gt_tally *tally = profile_tally(profile, goroutine, as_go);
    if (!tally)
        return GT_OK;
    bool is_blank = profile_stack_is_blank(profile, stack);
    /* Of the stacks without pcs Go shows the one that it counted last. */
    if (is_blank && as_go && tally != &goroutine->before_run)
        profile->blank_stacks[slot] = stack;
    struct gt_tally_part part = {profile_key(slot, stack, is_blank), profile->sync, !as_go, amount};
    return gt_tally_add(tally, &profile->mem, &part);
}

gt_status gt_profile_cpu_sample(struct gt_profile *profile)
{
    uint32_t stack;
    gt_status status = gt_stackset_number(&profile->stacks, profile->reader, profile->event,
                                          gt_event_stack(profile->event), &stack);
    if (status != GT_OK)
        return status;
    struct gt_amount amount = {1, profile->options.cpu_period};
    if (profile->options.goroutine.size == 0 && !profile->by_region) {
        bool is_blank = profile_stack_is_blank(profile, stack);
        struct gt_tally_part part = {profile_key(GT_PROFILE_CPU, stack, is_blank), profile->sync,
                                     true, amount};
        return gt_tally_add(&profile->total, &profile->mem, &part);
    }
    struct gt_profile_goroutine *goroutine =
        gt_idmap_get(&profile->goroutines, (uint64_t) profile->event->goroutine);
    return goroutine ? gt_profile_add(profile, goroutine, GT_PROFILE_CPU, stack, amount) : GT_OK;
}

gt_status gt_profile_count_span(struct gt_profile *profile, struct gt_profile_goroutine *goroutine,
                                struct gt_profile_span *span, int64_t now)
{
    uint32_t slot = span->slot;
    span->slot = GT_SLOT_NONE;
    if (now <= span->since)
        return GT_OK;
    struct gt_amount amount = {1, gt_time_span(span->since, now)};
    return gt_profile_add(profile, goroutine, slot, span->stack, amount);
}

/*
 * Another goroutine begins with the same id, as goroutines do that C threads make for their calls
 * of Go. Go's summary keeps only the last of them, but a profile of Go's kinds counts the waits of
 * all of them in the time of the last one: none from before it first ran, or all if it never does.
 * By region, nothing from before the last one counts (cmd/trace/pprof.go).
 */
static gt_status profiled_recur(struct gt_profile *profile, struct gt_profile_goroutine *goroutine)
{
    struct gt_tally *past = profile->by_region ? &goroutine->pending : &goroutine->before_run;
    gt_status status = gt_profile_regions_close(profile, goroutine, profile->event->time);
    for (size_t i = 0; i < goroutine->own.list.count && status == GT_OK; i++) {
        struct gt_tally_entry *entry = &goroutine->own.list.items[i];
        bool is_go = gt_profile_counts_as_go(profile, entry->key & (GT_SLOTS - 1));
        status =
            gt_tally_add_entry(is_go ? past : &profile->total, &profile->mem, entry, profile->sync);
    }
    gt_tally_free(&goroutine->own, &profile->mem);
    goroutine->has_run = goroutine->has_name = goroutine->is_system = goroutine->blocks_forever =
        goroutine->pending_counted = false;
    goroutine->stack = 0;
    if (profile->options.goroutine.size > 0) {
        profile->selected -= goroutine->wanted == GT_WANTED_YES;
        goroutine->wanted = GT_WANTED_UNKNOWN;
    }
    return status;
}

void gt_profile_goroutine_empty(struct gt_profile *profile, struct gt_profile_goroutine *goroutine)
{
    for (struct gt_profile_region *region = goroutine->regions; region; region = region->outer)
        gt_tally_free(&region->inside, &profile->mem);
    gt_tally_free(&goroutine->own, &profile->mem);
    gt_tally_free(&goroutine->before_run, &profile->mem);
    gt_tally_free(&goroutine->pending, &profile->mem);
}

gt_status gt_profile_goroutine_settle(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine)
{
    gt_status status = GT_OK;
    if (goroutine->wanted == GT_WANTED_YES) {
        status = gt_tally_move(&profile->total, &profile->mem, &goroutine->own, profile->sync);
        if (status == GT_OK && !goroutine->has_run)
            status = gt_tally_move(&profile->total, &profile->mem, &goroutine->before_run,
                                   profile->sync);
    }
    gt_tally_free(&goroutine->own, &profile->mem);
    gt_tally_free(&goroutine->before_run, &profile->mem);
    gt_tally_free(&goroutine->pending, &profile->mem);
    return status;
}

/* Finds or adds the goroutine of a transition, which may follow one with the same id. */
static gt_status profiled_get(struct gt_profile *profile, struct gt_profile_goroutine **goroutine,
                              const gt_transition *change)
{
    if (*goroutine)
        return gt_transition_begins(change) && change->to != change->from
                   ? profiled_recur(profile, *goroutine)
                   : GT_OK;
    *goroutine = profiled_add(profile, change->resource.id);
    if (!*goroutine)
        return gt_mem_failure(&profile->mem);
    (*goroutine)->may_be_c = change->from != GT_GO_NOT_EXIST || change->to == GT_GO_SYSCALL;
    return profile->is_first ? gt_profile_past_revive(profile, *goroutine) : GT_OK;
}

static bool profiled_needs_name(const struct gt_profile *profile,
                                const struct gt_profile_goroutine *goroutine)
{
    bool depends =
        goroutine->wanted == GT_WANTED_UNKNOWN || goroutine->may_be_c || profile->by_region;
    return depends && !goroutine->has_name;
}

gt_status gt_profile_goroutine_meet(struct gt_profile *profile,
                                    struct gt_profile_goroutine **goroutine,
                                    const gt_transition *change)
{
    gt_status status = profiled_get(profile, goroutine, change);
    if (status == GT_OK && change->from == GT_GO_NOT_EXIST && profile->by_region)
        status = gt_profile_region_inherit(profile, *goroutine);
    if (status == GT_OK && profiled_needs_name(profile, *goroutine) && change->from != change->to)
        status = gt_profile_goroutine_name(profile, *goroutine, change->stack);
    if (status == GT_OK)
        (*goroutine)->is_plain =
            !(*goroutine)->blocks_forever && !profiled_needs_name(profile, *goroutine);
    return status;
}

gt_status gt_profile_goroutine_end(struct gt_profile *profile,
                                   struct gt_profile_goroutine *goroutine, bool is_gone)
{
    gt_status status =
        gt_profile_end_span(profile, goroutine, &goroutine->off, profile->event->time);
    if (status == GT_OK)
        status = gt_profile_regions_close(profile, goroutine, profile->event->time);
    if (!profile->by_region)
        gt_tally_free(&goroutine->pending, &profile->mem);
    goroutine->blocks_forever = !is_gone;
    goroutine->is_plain = false;
    if (!is_gone || status != GT_OK)
        return status;
    /* Only goroutines that C threads made end in a system call, and their ids come again. */
    bool is_last = goroutine->state != GT_GO_SYSCALL || !goroutine->may_be_c;
    goroutine->state = GT_GO_NOT_EXIST;
    if (!is_last)
        return GT_OK;
    if (profile->is_first)
        return gt_profile_past_keep(profile, goroutine);
    status = gt_profile_goroutine_settle(profile, goroutine);
    gt_profile_goroutine_remove(profile, goroutine);
    return status;
}
