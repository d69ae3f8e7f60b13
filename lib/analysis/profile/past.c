/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include <string.h>

enum {
    /* A goroutine with more entries stays as it is, so that its entries are not copied again. */
    PAST_ENTRIES = 16
};

static size_t past_bytes(uint32_t count)
{
    return sizeof(struct gt_profile_past) + count * sizeof(struct gt_tally_entry);
}

/* Appends the entries of a tally of the goroutine. */
static void past_append(struct gt_profile_past *past, const struct gt_tally *tally)
{
    if (tally->list.count == 0)
        return;
    memcpy(past->entries + past->count, tally->list.items,
           tally->list.count * sizeof(*tally->list.items));
    past->count += (uint32_t) tally->list.count;
}

static void past_drop(struct gt_profile *profile, struct gt_profile_past *past)
{
    *past->link = past->next;
    if (past->next)
        past->next->link = past->link;
    gt_mem_free(&profile->mem, past, past_bytes(past->count));
}

/* Keeps `count` entries of a goroutine. NULL: no memory. */
static struct gt_profile_past *
past_add(struct gt_profile *profile, const struct gt_profile_goroutine *goroutine, uint32_t count)
{
    struct gt_profile_past *past = gt_mem_alloc(&profile->mem, past_bytes(count));
    if (!past)
        return NULL;
    if (gt_idmap_put(&profile->past_map, (uint64_t) goroutine->id, past) != GT_OK) {
        gt_mem_free(&profile->mem, past, past_bytes(count));
        return NULL;
    }
    past->next = profile->past;
    past->link = &profile->past;
    if (past->next)
        past->next->link = &past->next;
    profile->past = past;
    past->id = goroutine->id;
    past->was_selected = goroutine->wanted == GT_WANTED_YES;
    past->count = past->certain = 0;
    return past;
}

gt_status gt_profile_past_keep(struct gt_profile *profile, struct gt_profile_goroutine *goroutine)
{
    size_t count = goroutine->own.list.count + goroutine->before_run.list.count +
                   goroutine->pending.list.count;
    if (count > PAST_ENTRIES)
        return GT_OK;
    struct gt_profile_past *past = past_add(profile, goroutine, (uint32_t) count);
    if (!past)
        return gt_mem_failure(&profile->mem);
    past_append(past, &goroutine->own);
    if (!goroutine->has_run)
        past_append(past, &goroutine->before_run);
    past->certain = past->count;
    if (goroutine->has_run)
        past_append(past, &goroutine->before_run);
    past_append(past, &goroutine->pending);
    gt_tally_free(&goroutine->own, &profile->mem);
    gt_tally_free(&goroutine->before_run, &profile->mem);
    gt_tally_free(&goroutine->pending, &profile->mem);
    gt_profile_goroutine_remove(profile, goroutine);
    return GT_OK;
}

gt_status gt_profile_past_revive(struct gt_profile *profile, struct gt_profile_goroutine *goroutine)
{
    struct gt_profile_past *past = gt_idmap_get(&profile->past_map, (uint64_t) goroutine->id);
    struct gt_tally *to = profile->by_region ? &goroutine->pending : &goroutine->before_run;
    gt_status status = GT_OK;
    if (!past)
        return GT_OK;
    for (uint32_t i = 0; i < past->count && status == GT_OK; i++)
        status = gt_tally_add_entry(to, &profile->mem, &past->entries[i], profile->sync);
    profile->selected -= past->was_selected && !profile->by_region;
    gt_idmap_remove(&profile->past_map, (uint64_t) past->id);
    past_drop(profile, past);
    return status;
}

gt_status gt_profile_past_count(struct gt_profile *profile, struct gt_profile_past *past)
{
    gt_status status = GT_OK;
    for (uint32_t i = 0; i < past->certain && past->was_selected && status == GT_OK; i++)
        status =
            gt_tally_add_entry(&profile->total, &profile->mem, &past->entries[i], profile->sync);
    return status;
}

/* From now on an id comes again only if a C thread has made the goroutine. */
static gt_status past_stay(struct gt_profile *profile, struct gt_profile_goroutine *goroutine)
{
    if (goroutine->may_be_c)
        return GT_OK;
    if (goroutine->state != GT_GO_NOT_EXIST)
        return gt_profile_goroutine_stay(profile, goroutine);
    gt_status status = gt_profile_goroutine_settle(profile, goroutine);
    gt_profile_goroutine_remove(profile, goroutine);
    return status;
}

gt_status gt_profile_past_settle(struct gt_profile *profile)
{
    gt_status status = GT_OK;
    profile->is_first = false;
    for (struct gt_profile_past *past = profile->past; past && status == GT_OK; past = past->next)
        status = gt_profile_past_count(profile, past);
    gt_profile_past_free(profile);
    struct gt_profile_goroutine *goroutine = profile->alive;
    while (goroutine && status == GT_OK) {
        struct gt_profile_goroutine *next = goroutine->next;
        status = past_stay(profile, goroutine);
        goroutine = next;
    }
    return status;
}

void gt_profile_past_free(struct gt_profile *profile)
{
    while (profile->past)
        past_drop(profile, profile->past);
    gt_idmap_destroy(&profile->past_map);
}
