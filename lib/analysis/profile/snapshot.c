/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include <string.h>

/*
 * A snapshot finishes copies: one of what was counted for all, and one of each live goroutine in
 * turn. What the profile itself counts stays as it is, whether there is enough memory or not.
 */

/* Copies the open regions. Those that were copied are in `copy` also after a failure. */
static gt_status snapshot_regions_copy(struct gt_profile *profile,
                                       struct gt_profile_goroutine *copy,
                                       const struct gt_profile_goroutine *goroutine)
{
    struct gt_profile_region **link = &copy->regions;
    gt_status status = GT_OK;
    for (struct gt_profile_region *region = goroutine->regions; region && status == GT_OK;
         region = region->outer) {
        struct gt_profile_region *twin = gt_pool_take(&profile->regions);
        if (!twin)
            return gt_mem_failure(&profile->mem);
        *twin = *region;
        twin->outer = NULL;
        memset(&twin->inside, 0, sizeof(twin->inside));
        *link = twin;
        link = &twin->outer;
        status = gt_tally_copy(&twin->inside, &profile->mem, &region->inside, profile->sync);
    }
    return status;
}

/* Copies what finishing a goroutine changes. */
static gt_status snapshot_goroutine_copy(struct gt_profile *profile,
                                         struct gt_profile_goroutine *copy,
                                         struct gt_profile_goroutine *goroutine)
{
    struct gt_mem *mem = &profile->mem;
    *copy = *goroutine;
    copy->regions = NULL;
    memset(&copy->own, 0, sizeof(copy->own));
    memset(&copy->before_run, 0, sizeof(copy->before_run));
    memset(&copy->pending, 0, sizeof(copy->pending));
    gt_status status = gt_tally_copy(&copy->own, mem, &goroutine->own, profile->sync);
    if (status == GT_OK)
        status = gt_tally_copy(&copy->before_run, mem, &goroutine->before_run, profile->sync);
    if (status == GT_OK)
        status = gt_tally_copy(&copy->pending, mem, &goroutine->pending, profile->sync);
    return status == GT_OK ? snapshot_regions_copy(profile, copy, goroutine) : status;
}

static void snapshot_goroutine_free(struct gt_profile *profile, struct gt_profile_goroutine *copy)
{
    gt_profile_goroutine_empty(profile, copy);
    while (copy->regions) {
        struct gt_profile_region *region = copy->regions;
        copy->regions = region->outer;
        gt_pool_give(&profile->regions, region);
    }
}

/* Finishes a copy of a goroutine. `ends_first` is whether the first generation ends with it. */
static gt_status snapshot_goroutine_finish(struct gt_profile *profile,
                                           struct gt_profile_goroutine *goroutine, bool ends_first)
{
    struct gt_profile_goroutine copy;
    bool stays = !ends_first || goroutine->may_be_c;
    bool has_ended = goroutine->state == GT_GO_NOT_EXIST;
    gt_status status = snapshot_goroutine_copy(profile, &copy, goroutine);
    if (status == GT_OK && !stays && !has_ended)
        status = gt_profile_goroutine_stay(profile, &copy);
    if (status == GT_OK)
        status = !stays && has_ended ? gt_profile_goroutine_settle(profile, &copy)
                                     : gt_profile_goroutine_finish(profile, &copy);
    snapshot_goroutine_free(profile, &copy);
    return status;
}

/* As finishing the profile: makes its rows, but changes what was counted. */
static gt_status snapshot_take(struct gt_profile *profile)
{
    gt_status status = GT_OK;
    bool ends_first = profile->is_first;
    profile->is_first = false;
    for (struct gt_profile_past *past = profile->past; past && status == GT_OK; past = past->next)
        status = gt_profile_past_count(profile, past);
    for (struct gt_profile_goroutine *goroutine = profile->alive; goroutine && status == GT_OK;
         goroutine = goroutine->next)
        status = snapshot_goroutine_finish(profile, goroutine, ends_first);
    profile->is_first = ends_first;
    return status == GT_OK ? gt_profile_rows_make(profile) : status;
}

/* Takes a snapshot with a copy of what was counted for all. */
static gt_status snapshot_make(struct gt_profile *profile)
{
    struct gt_tally total = profile->total;
    uint32_t blank_stacks[GT_SLOTS];
    uint64_t selected = profile->selected;
    memcpy(blank_stacks, profile->blank_stacks, sizeof(blank_stacks));
    memset(&profile->total, 0, sizeof(profile->total));
    gt_status status = gt_tally_copy(&profile->total, &profile->mem, &total, profile->sync);
    if (status == GT_OK)
        status = snapshot_take(profile);
    gt_tally_free(&profile->total, &profile->mem);
    profile->total = total;
    profile->selected_results = profile->selected;
    profile->selected = selected;
    memcpy(profile->blank_stacks, blank_stacks, sizeof(blank_stacks));
    return status;
}

gt_status gt_profile_snapshot(gt_profile *profile)
{
    if (!profile || profile->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (profile->failure != GT_OK || profile->has_results)
        return profile->failure;
    profile->busy = true;
    gt_status status = snapshot_make(profile);
    profile->busy = false;
    profile->has_results = status == GT_OK;
    /* The next event then comes by gt_profile_start, which drops the results. */
    profile->is_counting = false;
    return status;
}
