/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile/profile.h"
#include "base/wraps.h"

/*
 * Which regions count shows at their end, by how long they lasted. Until then what is
 * counted in one is kept with it, and goes to the one around it if it does not match. Of
 * regions that match and nest only the outermost count, which comes to the same as all of
 * them together (cmd/trace/pprof.go).
 */

static int type_fits(const struct gt_profile *p, gt_string type)
{
    const gt_string *asked = &p->options.region_type;
    if (!asked->data)
        return 1;
    return asked->size == type.size && memcmp(asked->data, type.data, type.size) == 0;
}

static int latency_fits(const struct gt_profile *p, int64_t begin, int64_t end)
{
    /* One that is open at the end can have begun after the last Sync, which is its end. */
    uint64_t latency = end > begin ? gt_time_span(begin, end) : 0;
    return p->options.latency_max >= 0 && latency <= (uint64_t) p->options.latency_max &&
           (p->options.latency_min <= 0 || latency >= (uint64_t) p->options.latency_min);
}

static int is_any_latency(const struct gt_profile *p)
{
    return p->options.latency_min <= 0 && p->options.latency_max == INT64_MAX;
}

/* Time that goes on is counted up to here, as from here on it may be in another region. */
static gt_status cut(struct gt_profile *p, struct gt_profile_go *g)
{
    struct gt_span wall = g->wall, off = g->off;
    gt_status status = gt_profile_end_span(p, g, &g->wall, p->event->time);
    if (status == GT_OK)
        status = gt_profile_end_span(p, g, &g->off, p->event->time);
    wall.since = off.since = p->event->time;
    g->wall = wall;
    g->off = off;
    return status;
}

static gt_status enter(struct gt_profile *p, struct gt_profile_go *g, gt_string type)
{
    struct gt_profile_region *region = gt_pool_take(&p->regions);
    if (!region)
        return gt_mem_failure(&p->mem);
    memset(region, 0, sizeof(*region));
    region->outer = g->regions;
    region->begin = p->event->time;
    region->fits = type_fits(p, type);
    /* One that does not end counts only if its goroutine is none of the runtime's. */
    region->sure = region->fits && is_any_latency(p) && g->named && !g->is_system;
    g->sure += (uint32_t) region->sure;
    g->regions = region;
    return GT_OK;
}

/* Leaves the innermost region, which `counts` or does not. */
static gt_status leave(struct gt_profile *p, struct gt_profile_go *g, int counts)
{
    struct gt_profile_region *region = g->regions;
    struct gt_tally *to = region->outer ? &region->outer->inside : &g->late;
    gt_status status;
    if (counts)
        to = gt_profile_certain(p, g);
    p->selected += (uint64_t) counts;
    if (to == &g->late && g->claimed) {
        gt_tally_free(&region->inside, &p->mem);
        status = GT_OK;
    } else {
        status = gt_tally_move(to, &p->mem, &region->inside, p->sync);
    }
    if (status != GT_OK)
        return status;
    g->sure -= (uint32_t) region->sure;
    g->regions = region->outer;
    gt_pool_give(&p->regions, region);
    return GT_OK;
}

/* An end without a begin. Of several only the first counts, as the others overlap it. */
static gt_status end_old(struct gt_profile *p, struct gt_profile_go *g, gt_string type)
{
    if (!type_fits(p, type) || !latency_fits(p, p->first_time, p->event->time))
        return GT_OK;
    p->selected++;
    g->claimed = 1;
    return gt_tally_move(gt_profile_certain(p, g), &p->mem, &g->late, p->sync);
}

static gt_status take(struct gt_profile *p, struct gt_profile_go **g, gt_region *region)
{
    *g = gt_idmap_get(&p->by_id, (uint64_t) p->event->goroutine);
    return *g ? gt_event_region(p->event, region) : GT_OK;
}

gt_status gt_profile_region_begin(struct gt_profile *p)
{
    gt_region region = GT_REGION_INIT;
    struct gt_profile_go *g;
    gt_status status = take(p, &g, &region);
    if (status != GT_OK || !g)
        return status;
    status = cut(p, g);
    return status == GT_OK ? enter(p, g, region.type) : status;
}

gt_status gt_profile_region_end(struct gt_profile *p)
{
    gt_region region = GT_REGION_INIT;
    struct gt_profile_go *g;
    gt_status status = take(p, &g, &region);
    if (status == GT_OK && g)
        status = cut(p, g);
    if (status != GT_OK || !g)
        return status;
    if (!g->regions)
        return end_old(p, g, region.type);
    const struct gt_profile_region *inner = g->regions;
    return leave(p, g, inner->fits && latency_fits(p, inner->begin, p->event->time));
}

gt_status gt_profile_region_inherit(struct gt_profile *p, struct gt_profile_go *g)
{
    const struct gt_profile_go *creator = gt_idmap_get(&p->by_id, (uint64_t) p->event->goroutine);
    if (!creator || !creator->regions)
        return GT_OK;
    return enter(p, g, (gt_string){"", 0});
}

gt_status gt_profile_regions_close(struct gt_profile *p, struct gt_profile_go *g, int64_t end)
{
    gt_status status = GT_OK;
    while (g->regions && status == GT_OK) {
        const struct gt_profile_region *inner = g->regions;
        int counts = g->named && !g->is_system && inner->fits;
        status = leave(p, g, counts && latency_fits(p, inner->begin, end));
    }
    return status;
}
