/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include <string.h>

#include <gotrace/reader.h>

#include "base/error.h"
#include "base/object.h"

const char *gt_profile_kind_name(uint32_t kind)
{
    static const char *const names[] = {
        [GT_PROFILE_NET] = "net",     [GT_PROFILE_SYNC] = "sync", [GT_PROFILE_SYSCALL] = "syscall",
        [GT_PROFILE_SCHED] = "sched", [GT_PROFILE_CPU] = "cpu",   [GT_PROFILE_OFFCPU] = "offcpu",
        [GT_PROFILE_WALL] = "wall",
    };
    return kind >= GT_PROFILE_NET && kind < GT_PROFILE_KINDS ? names[kind] : "bad";
}

static bool profile_options_are_valid(const void *taken, gt_error *failure)
{
    const gt_profile_options *options = taken;
    const uint64_t kinds = GT_PROFILE_BIT(GT_PROFILE_KINDS) - GT_PROFILE_BIT(GT_PROFILE_NET);
    const char *fault = NULL;
    if (!gt_options_bits_are_known(options->kinds, kinds, "options.kinds", failure))
        return false;
    if (options->kinds == 0)
        fault = "options.kinds is 0, which asks for no profile";
    else if (options->goroutine.size != 0 && !options->goroutine.data)
        fault = "options.goroutine.data is NULL";
    else if (options->goroutine.size != 0 && (options->flags & GT_PROFILE_REGIONS) != 0)
        fault = "options.goroutine cannot be combined with GT_PROFILE_REGIONS";
    return !fault || gt_error_refuse(failure, fault) == GT_OK;
}

/* Replaces the texts of the options, which the caller owns, by copies. */
static gt_status profile_texts_copy(struct gt_profile *profile)
{
    gt_string *goroutine = &profile->options.goroutine, *type = &profile->options.region_type;
    if (!type->data)
        type->size = 0;
    if (goroutine->size + type->size == 0)
        return GT_OK;
    profile->texts = gt_mem_alloc(&profile->mem, goroutine->size + type->size);
    if (!profile->texts)
        return gt_mem_failure(&profile->mem);
    if (goroutine->size > 0)
        memcpy(profile->texts, goroutine->data, goroutine->size);
    if (type->size > 0)
        memcpy(profile->texts + goroutine->size, type->data, type->size);
    goroutine->data = profile->texts;
    if (type->data)
        type->data = profile->texts + goroutine->size;
    return GT_OK;
}

/* Sets what follows from the options. */
static void profile_plan(struct gt_profile *profile)
{
    bool waits =
        gt_profile_has(profile, GT_PROFILE_NET) || gt_profile_has(profile, GT_PROFILE_SYNC);
    profile->by_region = (profile->options.flags & GT_PROFILE_REGIONS) != 0;
    profile->counts_all = (profile->options.flags & GT_PROFILE_ALL) != 0;
    profile->own_spans =
        gt_profile_has(profile, GT_PROFILE_OFFCPU) || gt_profile_has(profile, GT_PROFILE_WALL);
    profile->own_stacks = profile->own_spans || profile->counts_all;
    if (gt_profile_has(profile, GT_PROFILE_SCHED))
        profile->wait_slots[GT_GO_RUNNABLE] = GT_PROFILE_SCHED;
    if (gt_profile_has(profile, GT_PROFILE_SYSCALL))
        profile->wait_slots[GT_GO_SYSCALL] = GT_PROFILE_SYSCALL;
    if (waits)
        profile->wait_slots[GT_GO_WAITING] = GT_SLOT_BY_REASON;
    profile->change = (gt_transition) GT_TRANSITION_INIT;
    profile->matters = 1u << GT_EVENT_SYNC;
    if (gt_profile_has(profile, GT_PROFILE_CPU))
        profile->matters |= 1u << GT_EVENT_STACK_SAMPLE;
    if (profile->by_region)
        profile->matters |= 1u << GT_EVENT_REGION_BEGIN | 1u << GT_EVENT_REGION_END;
}

static gt_status profile_state_init(struct gt_profile *profile)
{
    profile_plan(profile);
    gt_idmap_init_objects(&profile->goroutines, &profile->mem, sizeof(struct gt_profile_goroutine));
    gt_idmap_init(&profile->past_map, &profile->mem);
    gt_pool_init(&profile->regions, &profile->mem, sizeof(struct gt_profile_region));
    gt_status status = gt_stackset_init(&profile->stacks, &profile->mem);
    profile->stacks.keeps_blank = true;
    if (status == GT_OK)
        status = gt_texts_init(&profile->region_types, &profile->mem);
    if (status == GT_OK)
        status = profile_texts_copy(profile);
    if (status != GT_OK)
        return status;
    profile->frames = gt_mem_alloc(&profile->mem, GT_STACK_MAX_FRAMES * sizeof(*profile->frames));
    return profile->frames ? GT_OK : gt_mem_failure(&profile->mem);
}

gt_status gt_profile_open(gt_profile **out, const gt_profile_options *options, gt_error *error)
{
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("profile", gt_profile, gt_profile_options, allocator,
                         GT_PROFILE_REGIONS | GT_PROFILE_ALL, NULL, profile_options_are_valid);
    gt_status status;
    struct gt_profile *profile = gt_object_open(out, &layout, options, error, &status);
    if (!profile)
        return status;
    status = profile_state_init(profile);
    if (status != GT_OK)
        gt_profile_close(&profile);
    *out = profile;
    return gt_error_report_plain(error, status);
}

void gt_profile_goroutines_free(struct gt_profile *profile)
{
    for (struct gt_profile_goroutine *goroutine = profile->alive; goroutine;
         goroutine = goroutine->next)
        gt_profile_goroutine_empty(profile, goroutine);
    profile->alive = NULL;
    gt_profile_past_free(profile);
    gt_pool_destroy(&profile->regions);
    gt_idmap_destroy(&profile->goroutines);
}

void gt_profile_close(gt_profile **out)
{
    struct gt_profile *profile = out ? *out : NULL;
    if (!profile || profile->busy)
        return;
    struct gt_mem *mem = &profile->mem;
    gt_profile_goroutines_free(profile);
    gt_stackset_destroy(&profile->stacks);
    gt_texts_destroy(&profile->region_types);
    gt_tally_free(&profile->total, mem);
    gt_mem_free(mem, profile->texts,
                profile->options.goroutine.size + profile->options.region_type.size);
    gt_array_free(mem, &profile->rows);
    gt_mem_free(mem, profile->frames, GT_STACK_MAX_FRAMES * sizeof(*profile->frames));
    gt_mem_delete(mem, profile, sizeof(*profile));
    *out = NULL;
}

gt_status gt_profile_other(struct gt_profile *profile)
{
    switch (profile->event->kind) {
    case GT_EVENT_STACK_SAMPLE:
        return gt_profile_cpu_sample(profile);
    case GT_EVENT_REGION_BEGIN:
        return gt_profile_region_begin(profile);
    case GT_EVENT_REGION_END:
        return gt_profile_region_end(profile);
    default:
        profile->sync++;
        profile->sync_time = profile->event->time;
        return profile->is_first && (profile->alive || profile->past)
                   ? gt_profile_past_settle(profile)
                   : GT_OK;
    }
}

gt_status gt_profile_start(struct gt_profile *profile, const struct gt_reader *reader,
                           const gt_event *event)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    if (profile->failure != GT_OK)
        return profile->failure;
    if (profile->finished)
        return GT_ERR_INVALID_ARGUMENT;
    profile->has_results = false;
    if (profile->has_begun) {
        profile->is_counting = true;
        return GT_OK;
    }
    /* Events that are of no reader are like those of the newest version. */
    info.version = UINT32_MAX;
    gt_status status = reader ? gt_reader_get_info(reader, &info) : GT_OK;
    if (status != GT_OK)
        return status;
    profile->is_counting = profile->has_begun = true;
    profile->is_first = info.version >= GT_PROFILE_GENERATIONS;
    profile->first_time = event->time;
    profile->sync_time = event->time;
    profile->has_wall_clock =
        gt_event_wall_clock(event, &profile->wall_seconds, &profile->wall_nanoseconds) == GT_OK;
    return GT_OK;
}

size_t gt_profile_count(const gt_profile *profile, uint32_t kind)
{
    if (!profile || !profile->has_results || kind >= GT_PROFILE_KINDS)
        return 0;
    return profile->kind_first[kind + 1] - profile->kind_first[kind];
}

gt_status gt_profile_get_sample(gt_profile *profile, uint32_t kind, size_t index,
                                gt_profile_sample *sample)
{
    if (!gt_struct_fits(sample, GT_UP_TO(gt_profile_sample, reserved)) ||
        index >= gt_profile_count(profile, kind) || profile->busy)
        return GT_ERR_INVALID_ARGUMENT;
    const struct gt_profile_row *row = &profile->rows.items[profile->kind_first[kind] + index];
    gt_profile_sample filled = GT_PROFILE_SAMPLE_INIT;
    filled.frames = profile->frames;
    filled.frame_count =
        gt_stackset_frames(&profile->stacks, row->stack, profile->frames, GT_STACK_MAX_FRAMES);
    filled.count = row->amount.count;
    filled.nanoseconds = row->amount.ns;
    if (row->slot >= GT_SLOT_WALL)
        filled.state = row->slot - GT_SLOT_WALL;
    gt_struct_give(sample, &filled, sizeof(filled));
    return GT_OK;
}

gt_status gt_profile_get_info(const gt_profile *profile, gt_profile_info *info)
{
    if (!profile || !gt_struct_fits(info, GT_UP_TO(gt_profile_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_profile_info filled = GT_PROFILE_INFO_INIT;
    filled.selected = profile->has_results ? profile->selected_results : profile->selected;
    filled.stacks = profile->stacks.stacks.count;
    filled.first_time = profile->first_time;
    filled.last_time = profile->last_time;
    filled.memory = profile->mem.used;
    filled.memory_peak = profile->mem.peak;
    gt_struct_give(info, &filled, sizeof(filled));
    return GT_OK;
}
