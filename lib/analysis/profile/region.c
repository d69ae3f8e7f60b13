/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include <string.h>

#include "base/open_find.h"
#include "base/text.h"
#include "base/time.h"

/*
 * Whether a region counts depends on how long it lasted, which is known at its end. Until then,
 * what is counted in it stays with it; if it does not match, that goes to the enclosing region. Of
 * nested regions that match, only the outermost one counts: it contains the others, so the result
 * is that of Go's union of all of them (cmd/trace/pprof.go).
 */

static bool region_type_matches(const struct gt_profile *profile, gt_string type)
{
    gt_string asked = profile->options.region_type;
    return !asked.data || gt_text_equal(asked, type);
}

static bool region_latency_matches(const struct gt_profile *profile, int64_t begin, int64_t end)
{
    /* A region that is open at the end ends at the last Sync event, and may begin after that. */
    uint64_t latency = end > begin ? gt_time_span(begin, end) : 0;
    return profile->options.latency_max >= 0 &&
           latency <= (uint64_t) profile->options.latency_max &&
           (profile->options.latency_min <= 0 ||
            latency >= (uint64_t) profile->options.latency_min);
}

static bool region_latency_is_any(const struct gt_profile *profile)
{
    return profile->options.latency_min <= 0 && profile->options.latency_max == INT64_MAX;
}

/* Counts the open spans up to now and restarts them: from now on they are in another region. */
static gt_status profiled_spans_split(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine)
{
    struct gt_profile_span wall = goroutine->wall, off = goroutine->off;
    gt_status status =
        gt_profile_end_span(profile, goroutine, &goroutine->wall, profile->event->time);
    if (status == GT_OK)
        status = gt_profile_end_span(profile, goroutine, &goroutine->off, profile->event->time);
    wall.since = off.since = profile->event->time;
    goroutine->wall = wall;
    goroutine->off = off;
    return status;
}

static gt_status profile_region_enter(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine, const gt_region *what)
{
    struct gt_profile_region *region = gt_pool_take(&profile->regions);
    if (!region)
        return gt_mem_failure(&profile->mem);
    memset(region, 0, sizeof(*region));
    region->outer = goroutine->regions;
    region->begin = profile->event->time;
    region->task = what->task;
    region->type = GT_PROFILE_INHERITED;
    region->matches = region_type_matches(profile, what->type);
    /* A region of a system goroutine counts only if it has an end. */
    region->certain = region->matches && region_latency_is_any(profile) && goroutine->has_name &&
                      !goroutine->is_system;
    goroutine->certain += (uint32_t) region->certain;
    goroutine->regions = region;
    return GT_OK;
}

/* Counts what was counted in the regions that began within this one, which counts, and go on. */
static gt_status profile_regions_count_inner(struct gt_profile *profile,
                                             struct gt_profile_goroutine *goroutine,
                                             const struct gt_profile_region *region)
{
    struct gt_tally *to = gt_profile_certain(profile, goroutine);
    gt_status status = GT_OK;
    for (struct gt_profile_region *inner = goroutine->regions; inner != region && status == GT_OK;
         inner = inner->outer)
        status = gt_tally_move(to, &profile->mem, &inner->inside, profile->sync);
    return status;
}

/* Leaves the first region of a list, or of the rest of one, which counts or does not. */
static gt_status profile_region_leave(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine,
                                      struct gt_profile_region **link, bool counts)
{
    struct gt_profile_region *region = *link;
    struct gt_tally *to = region->outer ? &region->outer->inside : &goroutine->pending;
    gt_status status;
    if (counts)
        to = gt_profile_certain(profile, goroutine);
    profile->selected += (uint64_t) counts;
    if (to == &goroutine->pending && goroutine->pending_counted) {
        gt_tally_free(&region->inside, &profile->mem);
        status = GT_OK;
    } else {
        status = gt_tally_move(to, &profile->mem, &region->inside, profile->sync);
    }
    if (status == GT_OK && counts)
        status = profile_regions_count_inner(profile, goroutine, region);
    if (status != GT_OK)
        return status;
    goroutine->certain -= (uint32_t) region->certain;
    *link = region->outer;
    gt_pool_give(&profile->regions, region);
    return GT_OK;
}

/*
 * Ends a region that began before the trace. Several such regions overlap, as all of them count
 * from the first event on, so only the first one that ends counts.
 */
static gt_status profile_region_end_old(struct gt_profile *profile,
                                        struct gt_profile_goroutine *goroutine, gt_string type)
{
    if (!region_type_matches(profile, type) ||
        !region_latency_matches(profile, profile->first_time, profile->event->time))
        return GT_OK;
    profile->selected++;
    goroutine->pending_counted = true;
    return gt_tally_move(gt_profile_certain(profile, goroutine), &profile->mem, &goroutine->pending,
                         profile->sync);
}

static gt_status profile_region_take(struct gt_profile *profile,
                                     struct gt_profile_goroutine **goroutine, gt_region *region)
{
    *goroutine = gt_idmap_get(&profile->goroutines, (uint64_t) profile->event->goroutine);
    return *goroutine ? gt_event_region(profile->event, region) : GT_OK;
}

gt_status gt_profile_region_begin(struct gt_profile *profile)
{
    gt_region region = GT_REGION_INIT;
    struct gt_profile_goroutine *goroutine;
    gt_status status = profile_region_take(profile, &goroutine, &region);
    if (status != GT_OK || !goroutine)
        return status;
    status = profiled_spans_split(profile, goroutine);
    if (status == GT_OK)
        status = profile_region_enter(profile, goroutine, &region);
    return status == GT_OK
               ? gt_texts_add(&profile->region_types, region.type, &goroutine->regions->type)
               : status;
}

/* Returns the pointer to the open region that ends, of at least one. */
static struct gt_profile_region **profile_region_find(const struct gt_profile *profile,
                                                      struct gt_profile_goroutine *goroutine,
                                                      const gt_region *what)
{
    uint32_t type = gt_texts_number(&profile->region_types, what->type, goroutine->regions->type);
    struct gt_profile_region **link;
    GT_OPEN_FIND_ENDED(link, &goroutine->regions, outer,
                       (*link)->task == what->task && (*link)->type == type);
    return link;
}

gt_status gt_profile_region_end(struct gt_profile *profile)
{
    gt_region region = GT_REGION_INIT;
    struct gt_profile_goroutine *goroutine;
    gt_status status = profile_region_take(profile, &goroutine, &region);
    if (status == GT_OK && goroutine)
        status = profiled_spans_split(profile, goroutine);
    if (status != GT_OK || !goroutine)
        return status;
    if (!goroutine->regions)
        return profile_region_end_old(profile, goroutine, region.type);
    struct gt_profile_region **link = profile_region_find(profile, goroutine, &region);
    return profile_region_leave(
        profile, goroutine, link,
        (*link)->matches && region_latency_matches(profile, (*link)->begin, profile->event->time));
}

gt_status gt_profile_region_inherit(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine)
{
    const struct gt_profile_goroutine *creator =
        gt_idmap_get(&profile->goroutines, (uint64_t) profile->event->goroutine);
    if (!creator || !creator->regions)
        return GT_OK;
    const gt_region inherited = {.task = creator->regions->task, .type = {"", 0}};
    return profile_region_enter(profile, goroutine, &inherited);
}

gt_status gt_profile_regions_close(struct gt_profile *profile,
                                   struct gt_profile_goroutine *goroutine, int64_t end)
{
    gt_status status = GT_OK;
    while (goroutine->regions && status == GT_OK) {
        const struct gt_profile_region *inner = goroutine->regions;
        bool counts = goroutine->has_name && !goroutine->is_system && inner->matches;
        status = profile_region_leave(profile, goroutine, &goroutine->regions,
                                      counts && region_latency_matches(profile, inner->begin, end));
    }
    return status;
}
