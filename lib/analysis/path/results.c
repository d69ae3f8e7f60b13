/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/path.h"

#include "base/sized.h"
#include "base/sort.h"
#include "base/text.h"

static gt_string path_text(const struct gt_path *path, uint32_t number)
{
    return path->texts.list.items[number];
}

const char *gt_path_state_name(uint32_t state)
{
    static const char *const names[] = {
        "bad",     "running", "syscall",     "scheduler, procs busy", "scheduler, proc idle",
        "waiting", "unknown", "not followed"};
    return state < sizeof(names) / sizeof(names[0]) ? names[state] : names[0];
}

/* The most frequent name comes first, and of equally frequent ones the first in the alphabet. */
static bool path_name_is_before(const void *a, const void *b, void *context)
{
    const struct gt_path *path = context;
    uint32_t left = *(const uint32_t *) a, right = *(const uint32_t *) b;
    uint64_t left_count = path->name_counts.items[left];
    uint64_t right_count = path->name_counts.items[right];
    if (left_count != right_count)
        return left_count > right_count;
    return gt_text_compare(path_text(path, left), path_text(path, right)) < 0;
}

gt_status gt_path_names_sort(struct gt_path *path)
{
    gt_status status = GT_OK;
    for (uint32_t i = 0; i < path->name_counts.count && status == GT_OK; i++) {
        if (path->name_counts.items[i] > 0)
            status = gt_array_add(&path->mem, &path->names, i);
    }
    if (status == GT_OK && path->names.count > 1)
        gt_sort(path->names.items, path->names.count, sizeof(uint32_t), path_name_is_before, path);
    return status;
}

gt_status gt_path_get_name(const gt_path *path, size_t index, gt_string *name, uint64_t *count)
{
    if (!path || !name || !count)
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= path->names.count)
        return GT_ERR_NOT_AVAILABLE;
    *name = path_text(path, path->names.items[index]);
    *count = path->name_counts.items[path->names.items[index]];
    return GT_OK;
}

size_t gt_path_interval_count(const gt_path *path)
{
    return path ? path->intervals.list.count : 0;
}

gt_status gt_path_get_interval(const gt_path *path, size_t index, gt_path_interval *interval)
{
    if (!path || !gt_struct_fits(interval, GT_UP_TO(gt_path_interval, name)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= path->intervals.list.count)
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_path_found *found = &path->intervals.list.items[index];
    const gt_path_interval all = {sizeof(all),  found->task, found->goroutine,
                                  found->start, found->end,  path_text(path, found->name)};
    gt_struct_give(interval, &all, sizeof(all));
    return GT_OK;
}

size_t gt_path_selected_count(const gt_path *path)
{
    return path ? path->intervals.selected : 0;
}

size_t gt_path_row_count(const gt_path *path)
{
    return path ? path->intervals.selection.count : 0;
}

gt_status gt_path_get_row(const gt_path *path, size_t index, gt_path_row *row)
{
    if (!path || !gt_struct_fits(row, GT_UP_TO(gt_path_row, time)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_path_row_count(path))
        return GT_ERR_NOT_AVAILABLE;
    uint32_t id = path->intervals.selection.items[index];
    const struct gt_path_sum *sum = &path->intervals.rows.items[id];
    const struct gt_path_label *label = &path->labels.items[sum->label];
    const gt_path_row all = {
        .size = sizeof(all),
        .id = id,
        .group = path_text(path, sum->group),
        .reason = path_text(path, label->reason),
        .state = label->state,
        .count = sum->count,
        .time = sum->time,
    };
    gt_struct_give(row, &all, sizeof(all));
    return GT_OK;
}

/* Copies the frames of the stack of a label. */
static gt_status path_label_frames(const struct gt_path *path, uint32_t label, gt_frame *frames,
                                   size_t capacity, size_t *count)
{
    *count = gt_stackset_frames(&path->stacks, path->labels.items[label].stack, frames, capacity);
    return GT_OK;
}

gt_status gt_path_row_frames(const gt_path *path, size_t index, gt_frame *frames, size_t capacity,
                             size_t *count)
{
    if (!path || !count || (!frames && capacity != 0))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= gt_path_row_count(path))
        return GT_ERR_NOT_AVAILABLE;
    uint32_t id = path->intervals.selection.items[index];
    return path_label_frames(path, path->intervals.rows.items[id].label, frames, capacity, count);
}

size_t gt_path_part_count(const gt_path *path)
{
    return path ? path->steps.count : 0;
}

gt_status gt_path_get_part(const gt_path *path, size_t index, gt_path_part *part)
{
    if (!path || !gt_struct_fits(part, GT_UP_TO(gt_path_part, reserved)))
        return GT_ERR_INVALID_ARGUMENT;
    size_t count = path->steps.count;
    if (index >= count)
        return GT_ERR_NOT_AVAILABLE;
    const struct gt_path_step *step = &path->steps.items[count - 1 - index];
    const struct gt_path_label *label = &path->labels.items[step->label];
    const gt_path_part all = {
        .size = sizeof(all),
        .start = step->start,
        .end = index + 1 < count ? step[-1].start : path->steps_end,
        .goroutine = step->goroutine,
        .group = path_text(path, step->group),
        .reason = path_text(path, label->reason),
        .state = label->state,
    };
    gt_struct_give(part, &all, sizeof(all));
    return GT_OK;
}

gt_status gt_path_part_frames(const gt_path *path, size_t index, gt_frame *frames, size_t capacity,
                              size_t *count)
{
    if (!path || !count || (!frames && capacity != 0))
        return GT_ERR_INVALID_ARGUMENT;
    size_t parts = path->steps.count;
    if (index >= parts)
        return GT_ERR_NOT_AVAILABLE;
    return path_label_frames(path, path->steps.items[parts - 1 - index].label, frames, capacity,
                             count);
}

gt_status gt_path_get_info(const gt_path *path, gt_path_info *info)
{
    if (!path || !gt_struct_fits(info, GT_UP_TO(gt_path_info, end)))
        return GT_ERR_INVALID_ARGUMENT;
    const gt_path_info all = {
        .size = sizeof(all),
        .events = path->events,
        .changes = path->changes,
        .forgotten = path->history.forgotten,
        .cut = path->cut,
        .memory = path->mem.used,
        .memory_peak = path->mem.peak,
        .start = path->start,
        .end = path->now,
    };
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}
