/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/summary/summary.h"
#include "analysis/summary_sort.h"

static struct gt_region_node *region_new(struct gt_summary *s, int64_t goroutine, uint64_t task)
{
    static const gt_string empty = {"", 0};
    struct gt_region_node *region = gt_pool_take(&s->region_pool);
    if (!region)
        return NULL;
    memset(region, 0, sizeof(*region));
    region->s.type = empty;
    region->s.task = task;
    region->s.goroutine = goroutine;
    region->s.frame.function = empty;
    region->s.frame.file = empty;
    s->info.regions++;
    return region;
}

static void region_free(struct gt_summary *s, struct gt_region_node *region)
{
    gt_timing_free(&s->times, &region->lists);
    gt_shared_text_drop(&s->texts, region->type);
    gt_shared_text_drop(&s->texts, region->function);
    gt_shared_text_drop(&s->texts, region->file);
    gt_pool_give(&s->region_pool, region);
}

static gt_status set_type(struct gt_summary *s, struct gt_region_node *region, gt_string type)
{
    region->type = gt_shared_text_get(&s->texts, type);
    if (!region->type)
        return gt_mem_failure(&s->mem);
    region->s.type = region->type->string;
    return GT_OK;
}

static gt_status set_frame(struct gt_summary *s, struct gt_region_node *region, gt_stack stack)
{
    gt_frame frame;
    gt_status status = gt_summary_root(s, stack, &frame);
    if (status != GT_OK)
        return status;
    region->function = gt_shared_text_get(&s->texts, frame.function);
    region->file = region->function ? gt_shared_text_get(&s->texts, frame.file) : NULL;
    if (!region->file)
        return gt_mem_failure(&s->mem);
    frame.function = region->function->string;
    frame.file = region->file->string;
    region->s.frame = frame;
    return GT_OK;
}

/* The task that is named with a region on a goroutine, with both added to it. */
static gt_status add_to_task(struct gt_summary *s, struct gt_region_node *region)
{
    struct gt_task_node *task = gt_summary_get_task(s, region->s.task);
    if (!task)
        return gt_mem_failure(&s->mem);
    gt_status status = gt_task_add_goroutine(s, task, region->s.goroutine);
    return status == GT_OK ? gt_task_add_region(s, task, region) : status;
}

gt_status gt_region_inherit(struct gt_summary *s, struct gt_goroutine_node *g,
                            const struct gt_goroutine_node *creator, int64_t time)
{
    if (!creator->live || !creator->live->regions)
        return GT_OK;
    struct gt_region_node *region = region_new(s, g->s.id, creator->live->regions->s.task);
    if (!region)
        return gt_mem_failure(&s->mem);
    region->s.has_begin = 1;
    region->s.begin = time;
    region->s.inherited = 1;
    g->live->regions = region;
    return GT_OK;
}

/* It began before the trace where `event` is its end. */
static gt_status region_make(struct gt_summary *s, struct gt_region_node **made,
                             const struct gt_goroutine_node *g, const gt_event *event)
{
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK)
        return status;
    struct gt_region_node *region = region_new(s, g->s.id, what.task);
    if (!region)
        return gt_mem_failure(&s->mem);
    *made = region;
    status = set_type(s, region, what.type);
    return status == GT_OK ? add_to_task(s, region) : status;
}

gt_status gt_summary_region_begin(struct gt_summary *s, const gt_event *event)
{
    struct gt_goroutine_node *g = gt_summary_goroutine(s, event->goroutine);
    if (!g)
        return GT_OK;
    struct gt_live *live = gt_goroutine_live(s, g);
    struct gt_region_node *region = NULL;
    gt_status status = live ? region_make(s, &region, g, event) : gt_mem_failure(&s->mem);
    if (status == GT_OK)
        status = set_frame(s, region, gt_event_stack(event));
    if (status == GT_OK)
        status = gt_goroutine_snapshot(s, g, event->time, &region->s.times, &region->lists);
    if (status != GT_OK)
        return status;
    region->s.has_begin = 1;
    region->s.begin = event->time;
    region->outer = live->regions;
    live->regions = region;
    return GT_OK;
}

/* The region's times become those from its begin, which it has, to `now`. Takes `lists`. */
static void take_times(struct gt_summary *s, struct gt_region_node *region,
                       const gt_summary_times *now, struct gt_timing lists)
{
    gt_summary_times times = *now;
    gt_times_subtract(&times, &lists, &region->s.times, &region->lists);
    gt_timing_free(&s->times, &region->lists);
    region->s.times = times;
    region->lists = lists;
    gt_times_publish(&region->s.times, &region->lists);
}

static gt_status keep(struct gt_summary *s, struct gt_goroutine_node *g,
                      struct gt_region_node *region)
{
    gt_status status = gt_mem_reserve(&s->mem, &g->regions, &g->region_capacity,
                                      g->s.region_count + 1, sizeof(*g->regions));
    if (status == GT_OK)
        g->regions[g->s.region_count++] = &region->s;
    return status;
}

static gt_status region_done(struct gt_summary *s, struct gt_goroutine_node *g,
                             struct gt_region_node *region)
{
    if (s->options.on_region)
        s->options.on_region(s->options.user_data, &region->s);
    if (!(s->options.flags & GT_SUMMARY_DROP))
        return keep(s, g, region);
    g->s.region_count++;
    region_free(s, region);
    return GT_OK;
}

gt_status gt_summary_region_end(struct gt_summary *s, const gt_event *event)
{
    struct gt_goroutine_node *g = gt_summary_goroutine(s, event->goroutine);
    if (!g)
        return GT_OK;
    struct gt_live *live = gt_goroutine_live(s, g);
    if (!live)
        return gt_mem_failure(&s->mem);
    struct gt_region_node *region = live->regions;
    gt_status status = GT_OK;
    if (region)
        live->regions = region->outer;
    else
        status = region_make(s, &region, g, event);
    gt_summary_times now;
    struct gt_timing lists;
    if (status == GT_OK)
        status = gt_goroutine_snapshot(s, g, event->time, &now, &lists);
    if (status != GT_OK)
        return status;
    take_times(s, region, &now, lists);
    region->s.has_end = 1;
    region->s.end = event->time;
    return region_done(s, g, region);
}

/* IsSystemGoroutine in internal/trace/summary.go. */
static int is_system(gt_string name)
{
    static const char prefix[] = "runtime.", main_name[] = "runtime.main";
    if (name.size == 0)
        return 1;
    if (name.size < sizeof(prefix) - 1 || memcmp(name.data, prefix, sizeof(prefix) - 1) != 0)
        return 0;
    return name.size != sizeof(main_name) - 1 || memcmp(name.data, main_name, name.size) != 0;
}

static struct gt_region_node *outermost_first(struct gt_region_node *region)
{
    struct gt_region_node *first = NULL;
    while (region) {
        struct gt_region_node *outer = region->outer;
        region->outer = first;
        first = region;
        region = outer;
    }
    return first;
}

static gt_status end_region(struct gt_summary *s, struct gt_goroutine_node *g,
                            struct gt_region_node *region, const gt_event *event)
{
    struct gt_timing lists;
    gt_status status = gt_timing_copy(&s->times, &lists, &g->lists);
    if (status != GT_OK)
        return status;
    take_times(s, region, &g->s.times, lists);
    if (event) {
        region->s.has_end = 1;
        region->s.end = event->time;
    }
    return GT_OK;
}

/* By begin; one without was made by its end, and each of those has another. */
static int region_before(const void *a, const void *b)
{
    const gt_region_summary *const *left = a, *const *right = b;
    if ((*left)->has_begin != (*right)->has_begin)
        return (*left)->has_begin < (*right)->has_begin;
    if ((*left)->has_begin)
        return (*left)->begin < (*right)->begin;
    return (*left)->end < (*right)->end;
}

void gt_regions_publish(struct gt_goroutine_node *g)
{
    if (!g->regions)
        return;
    gt_summary_sort(g->regions, g->s.region_count, sizeof(*g->regions), region_before);
    g->s.regions = (const gt_region_summary *const *) g->regions;
}

gt_status gt_regions_done(struct gt_summary *s, struct gt_goroutine_node *g, const gt_event *event)
{
    struct gt_region_node *region = g->live ? outermost_first(g->live->regions) : NULL;
    int system = is_system(g->s.name);
    gt_status status = GT_OK;
    if (g->live)
        g->live->regions = NULL;
    while (region && status == GT_OK) {
        /* Of a system goroutine it is left out; its task may have it all the same. */
        struct gt_region_node *inner = region->outer;
        if (!system || !region->s.inherited)
            status = end_region(s, g, region, event);
        if (status == GT_OK && !system)
            status = region_done(s, g, region);
        else if (region->s.inherited || (s->options.flags & GT_SUMMARY_DROP))
            region_free(s, region);
        region = inner;
    }
    return status;
}
