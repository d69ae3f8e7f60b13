/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/time.h"
#include "web/totals.h"

static bool totals_task_add(struct gt_totals *totals, uint64_t id)
{
    uint32_t name;
    if (totals->tasks.count >= UINT32_MAX - 1 ||
        gt_array_reserve(totals->mem, &totals->tasks, 1) != GT_OK ||
        !gt_dictionary_put(&totals->names, (gt_string){"", 0}, &name))
        return false;
    totals->tasks.items[totals->tasks.count++] =
        (struct gt_totals_task){.id = id, .parent = GT_NO_TASK, .name = name};
    return true;
}

uint32_t gt_totals_task_number(struct gt_totals *totals, uint64_t id)
{
    size_t number = gt_idmap_get_number(&totals->task_ids, id);
    if (number == 0 && totals_task_add(totals, id)) {
        number = totals->tasks.count;
        if (gt_idmap_put_number(&totals->task_ids, id, number) != GT_OK)
            return 0;
    }
    return (uint32_t) number;
}

/*
 * The begin and the end of a task both name its parent, so only the first of them is used.
 * Children are linked in the order of these events.
 */
static bool totals_task_set_parent(struct gt_totals *totals, uint32_t number, uint64_t id)
{
    if (id == GT_NO_TASK || totals->tasks.items[number - 1].parent != GT_NO_TASK)
        return true;
    uint32_t parent = gt_totals_task_number(totals, id);
    if (parent == 0)
        return false;
    struct gt_totals_task *task = &totals->tasks.items[number - 1];
    task->parent = id;
    task->previous_sibling = totals->tasks.items[parent - 1].last_child;
    totals->tasks.items[parent - 1].last_child = number;
    return true;
}

/* If a task has events after its end, this function is called again with a summary of these
 * events. */
bool gt_totals_add_task(struct gt_totals *totals, const gt_task_summary *summary)
{
    uint32_t number = gt_totals_task_number(totals, summary->id);
    if (number == 0)
        return false;
    struct gt_totals_task *task = &totals->tasks.items[number - 1];
    if (summary->name.size > 0 && !gt_dictionary_put(&totals->names, summary->name, &task->name))
        return false;
    if (summary->has_begin) {
        task->has_begin = true;
        task->begin = gt_time_minus(summary->begin, totals->start);
    }
    if (summary->has_end) {
        task->has_end = true;
        task->end = gt_time_minus(summary->end, totals->start);
    }
    task->regions += summary->region_count;
    return true;
}

/* Records an event of a task. `log` is NULL unless `kind` is GT_TOTALS_LOG. */
static bool totals_task_add_record(struct gt_totals *totals, uint32_t number, const gt_event *event,
                                   enum gt_totals_event_kind kind, const gt_log *log)
{
    struct gt_totals_task *task = &totals->tasks.items[number - 1];
    struct gt_pack *events = &totals->events;
    uint32_t category = 0;
    if (log && !gt_dictionary_put(&totals->names, log->category, &category))
        return false;
    size_t at = events->size;
    gt_pack_unsigned(events, kind);
    gt_pack_signed(events, gt_time_minus(event->time, totals->start));
    gt_pack_signed(events, event->goroutine);
    gt_pack_unsigned(events, task->last_event);
    if (log) {
        gt_pack_unsigned(events, category);
        gt_pack_bytes(events, log->message);
    }
    task->last_event = at + 1;
    return !events->failed;
}

static bool totals_task_add_log(struct gt_totals *totals, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    if (gt_event_log(event, &log) != GT_OK)
        return true;
    uint32_t number = gt_totals_task_number(totals, log.task);
    return number != 0 && totals_task_add_record(totals, number, event, GT_TOTALS_LOG, &log);
}

bool gt_totals_add_event(struct gt_totals *totals, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    if (event->kind == GT_EVENT_LOG)
        return totals_task_add_log(totals, event);
    if (gt_event_task(event, &task) != GT_OK)
        return true;
    enum gt_totals_event_kind kind =
        event->kind == GT_EVENT_TASK_BEGIN ? GT_TOTALS_TASK_BEGIN : GT_TOTALS_TASK_END;
    uint32_t number = gt_totals_task_number(totals, task.id);
    return number != 0 && totals_task_set_parent(totals, number, task.parent) &&
           totals_task_add_record(totals, number, event, kind, NULL);
}

void gt_totals_get_event(const struct gt_totals *totals, uint64_t at, struct gt_totals_event *event)
{
    struct gt_unpack unpack = {&totals->events, (size_t) at};
    event->kind = (enum gt_totals_event_kind) gt_unpack_unsigned(&unpack);
    event->time = gt_unpack_signed(&unpack);
    event->goroutine = gt_unpack_signed(&unpack);
    event->previous = gt_unpack_unsigned(&unpack);
    if (event->kind == GT_TOTALS_LOG) {
        event->category = (uint32_t) gt_unpack_unsigned(&unpack);
        event->message = gt_unpack_bytes(&unpack);
    }
}

int64_t gt_totals_task_length(const struct gt_totals *totals, const struct gt_totals_task *task)
{
    int64_t begin = task->has_begin ? task->begin : 0;
    return gt_time_minus(task->has_end ? task->end : totals->end, begin);
}

/* The state that is needed only while tasks are counted by type. */
struct typing {
    GT_ARRAY(uint32_t) numbers;                     /* by name: the number of its type + 1, or 0 */
    GT_ARRAY(struct gt_distribution) distributions; /* by type */
};

static bool totals_task_add_to_type(struct gt_totals *totals, struct typing *typing,
                                    const struct gt_totals_task *task)
{
    struct gt_mem *mem = totals->mem;
    uint32_t *number = &typing->numbers.items[task->name];
    if (*number == 0) {
        const struct gt_totals_task_type added = {.name = task->name};
        if (gt_array_add(mem, &totals->task_types, added) != GT_OK ||
            gt_array_extend(mem, &typing->distributions, totals->task_types.count) != GT_OK)
            return false;
        *number = (uint32_t) totals->task_types.count;
    }
    struct gt_totals_task_type *type = &totals->task_types.items[*number - 1];
    type->count++;
    if (!task->has_begin || !task->has_end)
        return true;
    int64_t length = gt_totals_task_length(totals, task);
    return gt_histogram_add(&type->lengths.histogram, mem, length) &&
           gt_distribution_add(&typing->distributions.items[*number - 1], mem, length);
}

bool gt_totals_finish_tasks(struct gt_totals *totals)
{
    struct gt_mem *mem = totals->mem;
    struct typing typing = {.numbers = {NULL, 0, 0}};
    gt_pack_trim(&totals->events);
    bool good = gt_array_extend(mem, &typing.numbers, totals->names.texts.list.count) == GT_OK;
    for (size_t i = 0; good && i < totals->tasks.count; i++)
        good = totals_task_add_to_type(totals, &typing, &totals->tasks.items[i]);
    for (size_t i = 0; i < typing.distributions.count; i++)
        gt_totals_measure(&totals->task_types.items[i].lengths, mem,
                          &typing.distributions.items[i]);
    gt_array_free(mem, &typing.numbers);
    gt_array_free(mem, &typing.distributions);
    return good;
}

void gt_totals_free_tasks(struct gt_totals *totals)
{
    gt_idmap_destroy(&totals->task_ids);
    gt_array_free(totals->mem, &totals->tasks);
    for (size_t i = 0; i < totals->task_types.count; i++)
        gt_histogram_free(&totals->task_types.items[i].lengths.histogram, totals->mem);
    gt_array_free(totals->mem, &totals->task_types);
    gt_pack_free(&totals->events);
}
