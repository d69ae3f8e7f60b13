/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "viewer/check.h"
#include "viewer/emitter.h"

/* Metadata: the events with phase 'M', which give sections and rows their names and positions. */

enum {
    /* The position of the focused row: after the rows that stand for no resource, and before all
     * others. */
    FOCUS_PLACE = -2
};

static gt_status section_set_name(struct gt_emitter *emitter, uint32_t section, gt_string name)
{
    if (section >= GT_SECTIONS)
        return gt_emitter_refuse(emitter, "there is no such section");
    if (!gt_string_is_good(name))
        return gt_emitter_refuse(emitter, "the name of the section has no data");
    char *text = NULL;
    if (name.size != 0) {
        text = gt_mem_alloc(&emitter->mem, name.size);
        if (!text)
            return gt_mem_failure(&emitter->mem);
        memcpy(text, name.data, name.size);
    }
    struct gt_section_name *given = &emitter->names[section];
    gt_mem_free(&emitter->mem, given->text, given->size);
    *given = (struct gt_section_name){.is_given = true, .text = text, .size = name.size};
    return GT_OK;
}

gt_status gt_emitter_name_section(gt_emitter *emitter, uint32_t section, gt_string name)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, section_set_name(emitter, section, name))
               : gt_emitter_refusal(emitter);
}

static gt_status resource_set_name(struct gt_emitter *emitter, uint64_t resource, gt_string name)
{
    if (!gt_string_is_good(name))
        return gt_emitter_refuse(emitter, "the name of the resource has no data");
    if (!gt_emitter_shows(emitter, resource))
        return GT_OK;
    return gt_rows_put(&emitter->resources, resource, name, (int64_t) resource);
}

gt_status gt_emitter_name_resource(gt_emitter *emitter, uint64_t resource, gt_string name)
{
    return gt_emitter_enter(emitter)
               ? gt_emitter_leave(emitter, resource_set_name(emitter, resource, name))
               : gt_emitter_refusal(emitter);
}

gt_status gt_emitter_focus(gt_emitter *emitter, uint64_t resource)
{
    if (!gt_emitter_enter(emitter))
        return gt_emitter_refusal(emitter);
    emitter->focus = resource;
    return gt_emitter_leave(emitter, GT_OK);
}

gt_status gt_emitter_name_task(gt_emitter *emitter, uint64_t task, gt_string name, int64_t place)
{
    if (!gt_emitter_enter(emitter))
        return gt_emitter_refusal(emitter);
    gt_status status = gt_string_is_good(name)
                           ? gt_rows_put(&emitter->tasks, task, name, place)
                           : gt_emitter_refuse(emitter, "the name of the task has no data");
    return gt_emitter_leave(emitter, status);
}

static gt_status meta_emit(struct gt_emitter *emitter, gt_section section, uint64_t row,
                           gt_string event_name, const gt_viewer_argument *argument)
{
    gt_viewer_event event = gt_viewer_event_make('M', section, row, 0);
    event.name = event_name;
    event.arguments = argument;
    event.argument_count = 1;
    return gt_emitter_give(emitter, &event, true);
}

/* The names of the two events about a section or a row. */
struct meta_names {
    gt_string name;
    gt_string place;
};

static gt_status meta_emit_pair(struct gt_emitter *emitter, const struct meta_names *names,
                                gt_section section, uint64_t row, gt_string name, int64_t place)
{
    const gt_viewer_argument named = {
        .key = GT_LITERAL("name"), .kind = GT_VIEWER_STRING, .string = name};
    gt_status status = meta_emit(emitter, section, row, names->name, &named);
    if (status != GT_OK)
        return status;
    const gt_viewer_argument placed = {
        .key = GT_LITERAL("sort_index"),
        .kind = GT_VIEWER_SIGNED,
        .number = (uint64_t) place,
        .string = {"", 0},
    };
    return meta_emit(emitter, section, row, names->place, &placed);
}

static gt_string meta_string(const char *text, size_t size)
{
    return (gt_string){text ? text : "", size};
}

/* Whether a section is shown. Go's viewer always has two of them. */
static bool meta_has_section(const struct gt_emitter *emitter, gt_section section)
{
    static const bool always_in_go[GT_SECTIONS] = {
        [GT_SECTION_RESOURCES] = true,
        [GT_SECTION_STATS] = true,
    };
    const struct gt_rows *named[GT_SECTIONS] = {
        [GT_SECTION_RESOURCES] = &emitter->resources,
        [GT_SECTION_TASKS] = &emitter->tasks,
    };
    if (named[section] && named[section]->list.count != 0)
        return true;
    if (emitter->follows_go)
        return always_in_go[section];
    return emitter->is_used[section] || emitter->names[section].is_given;
}

static gt_status meta_emit_section(struct gt_emitter *emitter, gt_section section)
{
    static const struct meta_names names = {
        GT_LITERAL("process_name"),
        GT_LITERAL("process_sort_index"),
    };

    static const struct {
        gt_string name;
        int64_t place;
    } defaults[GT_SECTIONS] = {
        [GT_SECTION_RESOURCES] = {GT_LITERAL(""), 2},
        [GT_SECTION_STATS] = {GT_LITERAL("STATS"), 0},
        [GT_SECTION_TASKS] = {GT_LITERAL("TASKS"), 1},
    };

    if (!meta_has_section(emitter, section))
        return GT_OK;
    const struct gt_section_name *given = &emitter->names[section];
    gt_string name =
        given->is_given ? meta_string(given->text, given->size) : defaults[section].name;
    return meta_emit_pair(emitter, &names, section, 0, name, defaults[section].place);
}

static gt_status meta_emit_row(struct gt_emitter *emitter, gt_section section, uint64_t row,
                               gt_string name, int64_t place)
{
    static const struct meta_names names = {
        GT_LITERAL("thread_name"),
        GT_LITERAL("thread_sort_index"),
    };
    return meta_emit_pair(emitter, &names, section, row, name, place);
}

static gt_status meta_emit_tasks(struct gt_emitter *emitter)
{
    struct gt_rows *tasks = &emitter->tasks;
    gt_rows_sort(tasks);
    gt_status status = meta_emit_section(emitter, GT_SECTION_TASKS);
    for (size_t i = 0; i < tasks->list.count && status == GT_OK; i++) {
        const struct gt_named_row *row = &tasks->list.items[i];
        status = meta_emit_row(emitter, GT_SECTION_TASKS, row->id,
                               meta_string(row->name, row->name_size), row->place);
    }
    return status;
}

/* In Go's viewer, the rows that stand for no resource come first, and in this order. */
static gt_status meta_emit_stand_ins(struct gt_emitter *emitter)
{
    static const struct {
        uint64_t row;
        gt_string name;
        int64_t place;
    } rows[] = {
        {GT_ROW_GC, GT_LITERAL("GC"), -6},
        {GT_ROW_NETWORK, GT_LITERAL("Network"), -5},
        {GT_ROW_TIMERS, GT_LITERAL("Timers"), -4},
        {GT_ROW_SYSCALLS, GT_LITERAL("Syscalls"), -3},
    };

    gt_status status = GT_OK;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && status == GT_OK; i++)
        status =
            meta_emit_row(emitter, GT_SECTION_RESOURCES, rows[i].row, rows[i].name, rows[i].place);
    return status;
}

static gt_status meta_emit_resources(struct gt_emitter *emitter)
{
    gt_status status = meta_emit_section(emitter, GT_SECTION_RESOURCES);
    if (status == GT_OK && emitter->follows_go)
        status = meta_emit_stand_ins(emitter);
    struct gt_rows *rows = &emitter->resources;
    gt_rows_sort(rows);
    for (size_t i = 0; i < rows->list.count && status == GT_OK; i++) {
        const struct gt_named_row *row = &rows->list.items[i];
        bool focused = emitter->focus != 0 && row->id == emitter->focus;
        status = meta_emit_row(emitter, GT_SECTION_RESOURCES, row->id,
                               meta_string(row->name, row->name_size),
                               focused ? FOCUS_PLACE : row->place);
    }
    return status;
}

gt_status gt_emitter_give_rows(struct gt_emitter *emitter)
{
    gt_status status = meta_emit_section(emitter, GT_SECTION_STATS);
    if (status == GT_OK)
        status = meta_emit_tasks(emitter);
    if (status == GT_OK)
        status = meta_emit_resources(emitter);
    return status;
}
