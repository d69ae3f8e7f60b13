/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/sized.h"

/* The first release's layouts; members are only ever added at the end. */
struct options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t kinds;
    gt_string goroutine;
    gt_string region_type;
    int64_t latency_min;
    int64_t latency_max;
    uint64_t cpu_period;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

struct sample_v1 {
    size_t size;
    const gt_frame *frames;
    size_t frame_count;
    uint64_t count;
    uint64_t nanoseconds;
    uint32_t state;
    uint32_t reserved;
};

struct info_v1 {
    size_t size;
    uint64_t selected;
    uint64_t stacks;
    int64_t first_time;
    int64_t last_time;
    uint64_t memory;
    uint64_t memory_peak;
};

static_assert(sizeof(gt_profile_options) == sizeof(struct options_v1), "gt_profile_options");
static_assert(sizeof(gt_profile_sample) == sizeof(struct sample_v1), "gt_profile_sample");
static_assert(sizeof(gt_profile_info) == sizeof(struct info_v1), "gt_profile_info");

const char *gt_profile_kind_name(uint32_t kind)
{
    static const char *const names[] = {
        [GT_PROFILE_NET] = "net",     [GT_PROFILE_SYNC] = "sync", [GT_PROFILE_SYSCALL] = "syscall",
        [GT_PROFILE_SCHED] = "sched", [GT_PROFILE_CPU] = "cpu",   [GT_PROFILE_OFFCPU] = "offcpu",
        [GT_PROFILE_WALL] = "wall",
    };
    return kind >= GT_PROFILE_NET && kind < GT_PROFILE_KINDS ? names[kind] : "bad";
}

static gt_status take_options(gt_profile_options *out, gt_allocator *allocator,
                              const gt_profile_options *options)
{
    const uint64_t kinds = GT_PROFILE_BIT(GT_PROFILE_KINDS) - GT_PROFILE_BIT(GT_PROFILE_NET);
    gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct options_v1), options);
    if (status != GT_OK)
        return status;
    int by_region = (out->flags & GT_PROFILE_REGIONS) != 0;
    if ((out->flags & ~(uint64_t) GT_PROFILE_REGIONS) || (out->kinds & ~kinds) || out->kinds == 0 ||
        (by_region && out->goroutine.size > 0) || (out->goroutine.size > 0 && !out->goroutine.data))
        return GT_ERR_INVALID_ARGUMENT;
    return gt_allocator_take(allocator, out->allocator);
}

/* Texts of options come from the caller; these are the profile's own. */
static gt_status copy_texts(struct gt_profile *p)
{
    gt_string *goroutine = &p->options.goroutine, *type = &p->options.region_type;
    if (!type->data)
        type->size = 0;
    if (goroutine->size + type->size == 0)
        return GT_OK;
    p->texts = gt_mem_alloc(&p->mem, goroutine->size + type->size);
    if (!p->texts)
        return gt_mem_failure(&p->mem);
    if (goroutine->size > 0)
        memcpy(p->texts, goroutine->data, goroutine->size);
    if (type->size > 0)
        memcpy(p->texts + goroutine->size, type->data, type->size);
    goroutine->data = p->texts;
    if (type->data)
        type->data = p->texts + goroutine->size;
    return GT_OK;
}

/* What is asked for each event, from the options. */
static void prepare(struct gt_profile *p)
{
    int waits = gt_profile_has(p, GT_PROFILE_NET) || gt_profile_has(p, GT_PROFILE_SYNC);
    p->by_region = (p->options.flags & GT_PROFILE_REGIONS) != 0;
    p->own_spans = gt_profile_has(p, GT_PROFILE_OFFCPU) || gt_profile_has(p, GT_PROFILE_WALL);
    if (gt_profile_has(p, GT_PROFILE_SCHED))
        p->wait_slots[GT_GO_RUNNABLE] = GT_PROFILE_SCHED;
    if (gt_profile_has(p, GT_PROFILE_SYSCALL))
        p->wait_slots[GT_GO_SYSCALL] = GT_PROFILE_SYSCALL;
    if (waits)
        p->wait_slots[GT_GO_WAITING] = GT_SLOT_BY_REASON;
    p->change = (gt_transition) GT_TRANSITION_INIT;
    p->matters = 1u << GT_EVENT_SYNC;
    if (gt_profile_has(p, GT_PROFILE_CPU))
        p->matters |= 1u << GT_EVENT_STACK_SAMPLE;
    if (p->by_region)
        p->matters |= 1u << GT_EVENT_REGION_BEGIN | 1u << GT_EVENT_REGION_END;
}

static gt_status set_up(struct gt_profile *p)
{
    prepare(p);
    gt_idmap_init(&p->by_id, &p->mem);
    gt_pool_init(&p->pool, &p->mem, sizeof(struct gt_profile_go));
    gt_pool_init(&p->regions, &p->mem, sizeof(struct gt_profile_region));
    gt_status status = gt_stackset_init(&p->stacks, &p->mem);
    if (status == GT_OK)
        status = copy_texts(p);
    if (status != GT_OK)
        return status;
    p->frames = gt_mem_alloc(&p->mem, GT_STACK_MAX_FRAMES * sizeof(*p->frames));
    return p->frames ? GT_OK : gt_mem_failure(&p->mem);
}

gt_status gt_profile_open(gt_profile **profile, const gt_profile_options *options)
{
    if (!profile)
        return GT_ERR_INVALID_ARGUMENT;
    *profile = NULL;
    if (!options)
        return GT_ERR_INVALID_ARGUMENT;
    gt_profile_options taken;
    gt_allocator allocator;
    gt_status status = take_options(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_profile *p = gt_mem_create(sizeof(*p), offsetof(struct gt_profile, mem), &allocator,
                                         taken.memory_limit, &status);
    if (!p)
        return status;
    p->options = taken;
    status = set_up(p);
    if (status != GT_OK)
        gt_profile_close(&p);
    *profile = p;
    return status;
}

static void free_goroutines(struct gt_profile *p)
{
    for (struct gt_profile_go *g = p->alive; g; g = g->next) {
        for (struct gt_profile_region *region = g->regions; region; region = region->outer)
            gt_tally_free(&region->inside, &p->mem);
        gt_tally_free(&g->own, &p->mem);
        gt_tally_free(&g->early, &p->mem);
        gt_tally_free(&g->late, &p->mem);
    }
    p->alive = NULL;
    gt_pool_destroy(&p->regions);
    gt_pool_destroy(&p->pool);
    gt_idmap_destroy(&p->by_id);
}

void gt_profile_close(gt_profile **profile)
{
    struct gt_profile *p = profile ? *profile : NULL;
    if (!p || p->busy)
        return;
    free_goroutines(p);
    gt_stackset_destroy(&p->stacks);
    gt_tally_free(&p->total, &p->mem);
    gt_mem_free(&p->mem, p->texts, p->options.goroutine.size + p->options.region_type.size);
    gt_mem_free(&p->mem, p->rows, p->row_capacity * sizeof(*p->rows));
    gt_mem_free(&p->mem, p->frames, GT_STACK_MAX_FRAMES * sizeof(*p->frames));
    struct gt_mem mem = p->mem;
    gt_mem_free(&mem, p, sizeof(*p));
    *profile = NULL;
}

static gt_status count_other(struct gt_profile *p)
{
    switch (p->event->kind) {
    case GT_EVENT_STACK_SAMPLE:
        return gt_profile_take_sample(p);
    case GT_EVENT_REGION_BEGIN:
        return gt_profile_region_begin(p);
    case GT_EVENT_REGION_END:
        return gt_profile_region_end(p);
    default:
        p->sync++;
        p->sync_time = p->event->time;
        return GT_OK;
    }
}

gt_status gt_profile_other(struct gt_profile *p)
{
    p->busy = 1;
    return gt_profile_done(p, count_other(p));
}

gt_status gt_profile_begin(struct gt_profile *p, const gt_event *event)
{
    if (p->failure != GT_OK)
        return p->failure;
    if (p->finished)
        return GT_ERR_INVALID_ARGUMENT;
    p->counting = 1;
    p->first_time = event->time;
    p->sync_time = event->time;
    p->has_wall_clock = gt_event_wall_clock(event, &p->wall_seconds, &p->wall_nanoseconds) == GT_OK;
    return GT_OK;
}

/* Time that goes on lasts until the last event; a region that does until the last Sync. */
static gt_status settle_all(struct gt_profile *p)
{
    gt_status status = GT_OK;
    for (struct gt_profile_go *g = p->alive; g && status == GT_OK; g = g->next) {
        status = gt_profile_end_span(p, g, &g->wall, p->last_time);
        if (status == GT_OK)
            status = gt_profile_end_span(p, g, &g->off, p->last_time);
        if (status == GT_OK)
            status = gt_profile_regions_close(p, g, p->sync_time);
        if (status == GT_OK)
            status = gt_profile_go_settle(p, g);
    }
    return status;
}

gt_status gt_profile_finish(gt_profile *profile)
{
    struct gt_profile *p = profile;
    if (!p || p->busy || p->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (p->failure != GT_OK)
        return p->failure;
    p->busy = 1;
    p->counting = 0;
    p->failure = settle_all(p);
    if (p->failure == GT_OK) {
        free_goroutines(p);
        p->failure = gt_profile_sort(p);
    }
    p->finished = p->failure == GT_OK;
    p->busy = 0;
    return p->failure;
}

size_t gt_profile_count(const gt_profile *profile, uint32_t kind)
{
    if (!profile || !profile->finished || kind >= GT_PROFILE_KINDS)
        return 0;
    return profile->kind_first[kind + 1] - profile->kind_first[kind];
}

gt_status gt_profile_get_sample(gt_profile *profile, uint32_t kind, size_t index,
                                gt_profile_sample *sample)
{
    struct gt_profile *p = profile;
    if (!gt_struct_fits(sample, sizeof(struct sample_v1)) || index >= gt_profile_count(p, kind) ||
        p->busy)
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_profile_row *row = &p->rows[p->kind_first[kind] + index];
    gt_profile_sample filled = GT_PROFILE_SAMPLE_INIT;
    filled.frames = p->frames;
    filled.frame_count = gt_stackset_frames(&p->stacks, row->stack, p->frames, GT_STACK_MAX_FRAMES);
    filled.count = row->amount.count;
    filled.nanoseconds = row->amount.ns;
    if (row->slot >= GT_SLOT_WALL)
        filled.state = row->slot - GT_SLOT_WALL;
    gt_struct_give(sample, &filled, sizeof(filled));
    return GT_OK;
}

gt_status gt_profile_get_info(const gt_profile *profile, gt_profile_info *info)
{
    if (!profile || !gt_struct_fits(info, sizeof(struct info_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_profile_info filled = GT_PROFILE_INFO_INIT;
    filled.selected = profile->selected;
    filled.stacks = profile->stacks.stacks.count;
    filled.first_time = profile->first_time;
    filled.last_time = profile->last_time;
    filled.memory = profile->mem.used;
    filled.memory_peak = profile->mem.peak;
    gt_struct_give(info, &filled, sizeof(filled));
    return GT_OK;
}
