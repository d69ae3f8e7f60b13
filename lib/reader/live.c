/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/live.h"

#include <string.h>

#include "base/sized.h"
#include "reader/reader.h"

struct gt_live *gt_live_new(struct gt_mem *mem, const struct gt_event_data *next)
{
    struct gt_live *live = gt_mem_zeros(mem, sizeof(*live));
    if (!live)
        return NULL;
    live->mem = mem;
    live->next = next;
    gt_idmap_init_objects(&live->goroutines, mem, sizeof(struct gt_live_goroutine));
    gt_idmap_init_objects(&live->procs, mem, sizeof(struct gt_live_proc));
    gt_idmap_init_objects(&live->threads, mem, sizeof(struct gt_live_thread));
    gt_shared_texts_init(&live->texts, mem, GT_SHARED_TEXT_SPARE);
    gt_kept_stacks_init(&live->kept, mem, &live->texts);
    return live;
}

void gt_live_free(struct gt_live *live)
{
    if (!live)
        return;
    gt_idmap_destroy(&live->goroutines);
    gt_idmap_destroy(&live->procs);
    gt_idmap_destroy(&live->threads);
    gt_roster_free(&live->goroutine_roster, live->mem);
    gt_roster_free(&live->proc_roster, live->mem);
    gt_roster_free(&live->thread_roster, live->mem);
    gt_kept_stacks_destroy(&live->kept);
    gt_shared_texts_destroy(&live->texts);
    gt_mem_free(live->mem, live, sizeof(*live));
}

/* Keeps the stacks of a goroutine, since those of their generation are about to become invalid. */
static gt_status live_goroutine_hold(struct gt_live *live, struct gt_reader *reader,
                                     struct gt_live_goroutine *goroutine)
{
    struct gt_live_stack *const stacks[] = {&goroutine->stack, &goroutine->start_stack,
                                            &goroutine->creator_stack};
    gt_status status = GT_OK;
    for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks) && status == GT_OK; i++) {
        struct gt_live_stack *each = stacks[i];
        if (!each->is_held && each->stack != GT_STACK_NONE)
            status = gt_kept_stack_hold(&live->kept, reader, each->stack, &each->is_held);
    }
    return status;
}

static gt_status live_hold_stacks(struct gt_live *live, struct gt_reader *reader)
{
    struct gt_live_goroutine *goroutine;
    gt_status status = GT_OK;
    for (uint64_t number = 0; status == GT_OK; number = goroutine->number) {
        goroutine = gt_roster_after(&live->goroutine_roster, number);
        if (!goroutine)
            return GT_OK;
        status = live_goroutine_hold(live, reader, goroutine);
    }
    return status;
}

static gt_status live_generation_begin(struct gt_live *live, struct gt_reader *reader,
                                       const gt_event *sync)
{
    gt_status status =
        gt_decoder_keeps_tables(&reader->decoder) ? GT_OK : live_hold_stacks(live, reader);
    if (status != GT_OK)
        return status;
    live->sync_time = sync->time;
    /*
     * The cache is cleared because a new generation can have different strings at the same
     * addresses.
     */
    gt_recent_texts_clear(&live->recent, &live->texts);
    return GT_OK;
}

static gt_status live_event_take(struct gt_live *live, struct gt_reader *reader,
                                 const gt_event *event)
{
    if (live->ended)
        gt_live_goroutine_drop(live, live->ended);
    if (event->kind == GT_EVENT_STATE_TRANSITION)
        return gt_live_transition(live, reader, event);
    if (event->kind == GT_EVENT_SYNC)
        return live_generation_begin(live, reader, event);
    return GT_OK;
}

gt_status gt_live_take(struct gt_live *live, struct gt_reader *reader,
                       const struct gt_event_data *end)
{
    gt_status status = GT_OK;
    for (; live->next < end && status == GT_OK; live->next += status == GT_OK)
        status = live_event_take(live, reader, &live->next->event);
    return status;
}

void gt_live_leave(struct gt_live *live, struct gt_reader *reader, const struct gt_event_data *next)
{
    bool was_busy = reader->input.busy;
    reader->input.busy = true;
    gt_live_take(live, reader, reader->next);
    reader->input.busy = was_busy;
    live->next = next;
}

/*
 * Begins a query: sets `*live` to the state after the last delivered event, or to NULL before the
 * first one.
 */
static gt_status live_ask(struct gt_reader *reader, const void *info, size_t least,
                          struct gt_live **live)
{
    if (!reader || reader->input.busy || !(reader->options.flags & GT_READER_TRACK) ||
        !gt_struct_fits(info, least))
        return GT_ERR_INVALID_ARGUMENT;
    *live = reader->live;
    if (!*live)
        return GT_OK;
    reader->input.busy = true;
    gt_status status = gt_live_take(*live, reader, reader->next);
    reader->input.busy = false;
    return status;
}

static gt_string live_text(const struct gt_shared_text *text)
{
    static const gt_string empty = {"", 0};
    return text ? text->string : empty;
}

static const struct gt_live_thread *live_thread_find(const struct gt_live *live, int64_t id)
{
    return gt_idmap_get(&live->threads, (uint64_t) id);
}

static void live_goroutine_give(const struct gt_live *live,
                                const struct gt_live_goroutine *goroutine, gt_goroutine_info *info)
{
    const struct gt_live_thread *thread = live_thread_find(live, goroutine->thread);
    gt_goroutine_info all = GT_GOROUTINE_INFO_INIT;
    all.number = goroutine->number;
    all.id = goroutine->id;
    all.state = goroutine->now.state;
    all.since_known = goroutine->now.known;
    all.since = goroutine->now.since;
    all.previous_state = goroutine->before.state;
    all.previous_known = goroutine->before.known;
    all.previous_since = goroutine->before.since;
    all.reason = live_text(goroutine->reason);
    all.name = live_text(goroutine->name);
    all.thread = goroutine->thread;
    all.proc = thread ? thread->proc : GT_NO_PROC;
    all.stack = goroutine->stack.stack;
    all.start_stack = goroutine->start_stack.stack;
    all.created = goroutine->created;
    all.creator = goroutine->creator;
    all.creator_stack = goroutine->creator_stack.stack;
    gt_struct_give(info, &all, sizeof(all));
}

static void live_proc_give(const struct gt_live *live, const struct gt_live_proc *proc,
                           gt_proc_info *info)
{
    const struct gt_live_thread *thread = live_thread_find(live, proc->thread);
    gt_proc_info all = GT_PROC_INFO_INIT;
    all.number = proc->number;
    all.id = proc->id;
    all.state = proc->now.state;
    all.since_known = proc->now.known;
    all.since = proc->now.since;
    all.previous_state = proc->before.state;
    all.previous_known = proc->before.known;
    all.previous_since = proc->before.since;
    all.thread = proc->thread;
    all.goroutine = thread ? thread->goroutine : GT_NO_GOROUTINE;
    gt_struct_give(info, &all, sizeof(all));
}

static void live_thread_give(const struct gt_live_thread *thread, gt_thread_info *info)
{
    gt_thread_info all = GT_THREAD_INFO_INIT;
    all.number = thread->number;
    all.id = thread->id;
    all.since = thread->since;
    all.proc = thread->proc;
    all.goroutine = thread->goroutine;
    gt_struct_give(info, &all, sizeof(all));
}

gt_status gt_reader_goroutine(gt_reader *reader, int64_t id, gt_goroutine_info *info)
{
    struct gt_live *live;
    gt_status status = live_ask(reader, info, GT_UP_TO(gt_goroutine_info, creator_stack), &live);
    if (status != GT_OK)
        return status;
    const struct gt_live_goroutine *goroutine =
        live ? gt_idmap_get(&live->goroutines, (uint64_t) id) : NULL;
    if (!goroutine)
        return GT_ERR_NOT_AVAILABLE;
    live_goroutine_give(live, goroutine, info);
    return GT_OK;
}

gt_status gt_reader_proc(gt_reader *reader, int64_t id, gt_proc_info *info)
{
    struct gt_live *live;
    gt_status status = live_ask(reader, info, GT_UP_TO(gt_proc_info, goroutine), &live);
    if (status != GT_OK)
        return status;
    const struct gt_live_proc *proc = live ? gt_idmap_get(&live->procs, (uint64_t) id) : NULL;
    if (!proc)
        return GT_ERR_NOT_AVAILABLE;
    live_proc_give(live, proc, info);
    return GT_OK;
}

gt_status gt_reader_thread(gt_reader *reader, int64_t id, gt_thread_info *info)
{
    struct gt_live *live;
    gt_status status = live_ask(reader, info, GT_UP_TO(gt_thread_info, goroutine), &live);
    if (status != GT_OK)
        return status;
    const struct gt_live_thread *thread = live ? live_thread_find(live, id) : NULL;
    if (!thread)
        return GT_ERR_NOT_AVAILABLE;
    live_thread_give(thread, info);
    return GT_OK;
}

gt_status gt_reader_next_goroutine(gt_reader *reader, gt_goroutine_info *info)
{
    struct gt_live *live;
    gt_status status = live_ask(reader, info, GT_UP_TO(gt_goroutine_info, creator_stack), &live);
    if (status != GT_OK)
        return status;
    const struct gt_live_goroutine *goroutine =
        live ? gt_roster_after(&live->goroutine_roster, info->number) : NULL;
    if (goroutine && goroutine == live->ended)
        goroutine = gt_roster_after(&live->goroutine_roster, goroutine->number);
    if (!goroutine)
        return GT_END;
    live_goroutine_give(live, goroutine, info);
    return GT_OK;
}

gt_status gt_reader_next_proc(gt_reader *reader, gt_proc_info *info)
{
    struct gt_live *live;
    gt_status status = live_ask(reader, info, GT_UP_TO(gt_proc_info, goroutine), &live);
    if (status != GT_OK)
        return status;
    const struct gt_live_proc *proc =
        live ? gt_roster_after(&live->proc_roster, info->number) : NULL;
    if (!proc)
        return GT_END;
    live_proc_give(live, proc, info);
    return GT_OK;
}

gt_status gt_reader_next_thread(gt_reader *reader, gt_thread_info *info)
{
    struct gt_live *live;
    gt_status status = live_ask(reader, info, GT_UP_TO(gt_thread_info, goroutine), &live);
    if (status != GT_OK)
        return status;
    const struct gt_live_thread *thread =
        live ? gt_roster_after(&live->thread_roster, info->number) : NULL;
    if (!thread)
        return GT_END;
    live_thread_give(thread, info);
    return GT_OK;
}
