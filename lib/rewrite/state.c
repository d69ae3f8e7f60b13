/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/state.h"

#include <gotrace/types.h>

enum {
    /* The number of unused causes to keep, because few different ones recur. */
    SPARE_CAUSES = 64,
    /* Likewise for types of tasks. */
    SPARE_TYPES = 64,
    /* The most bytes of the causes that each generation repeats; those of Go have at most 40. */
    KEPT_BYTES = 1024
};

void gt_rewrite_state_init(struct gt_rewrite_state *state, struct gt_mem *mem)
{
    state->mem = mem;
    gt_idmap_init_objects(&state->thread_map, mem, sizeof(struct gt_rewrite_thread));
    gt_idmap_init_objects(&state->proc_map, mem, sizeof(struct gt_rewrite_proc));
    gt_idmap_init_objects(&state->goroutine_map, mem, sizeof(struct gt_rewrite_goroutine));
    gt_idmap_init_objects(&state->task_map, mem, sizeof(struct gt_rewrite_task));
    gt_pool_init(&state->stop_pool, mem, sizeof(struct gt_rewrite_stop));
    gt_rewrite_regions_init(&state->regions, mem);
    gt_shared_texts_init(&state->causes, mem, SPARE_CAUSES);
    gt_shared_texts_init(&state->task_types, mem, SPARE_TYPES);
}

void gt_rewrite_state_destroy(struct gt_rewrite_state *state)
{
    for (size_t i = 0; i < state->threads.count; i++)
        gt_array_free(state->mem, &state->threads.items[i]->bytes);
    gt_array_free(state->mem, &state->threads);
    gt_array_free(state->mem, &state->procs);
    gt_roster_free(&state->goroutines, state->mem);
    gt_roster_free(&state->tasks, state->mem);
    gt_idmap_destroy(&state->thread_map);
    gt_idmap_destroy(&state->proc_map);
    gt_idmap_destroy(&state->goroutine_map);
    gt_idmap_destroy(&state->task_map);
    gt_pool_destroy(&state->stop_pool);
    gt_rewrite_regions_destroy(&state->regions);
    gt_shared_texts_destroy(&state->causes);
    gt_shared_texts_destroy(&state->task_types);
}

struct gt_rewrite_thread *gt_rewrite_thread_find(struct gt_rewrite_state *state, int64_t id)
{
    struct gt_rewrite_thread *thread = gt_idmap_get(&state->thread_map, (uint64_t) id);
    if (!thread) {
        /* The room in the list is reserved first, so that every thread is in the list. */
        if (gt_array_reserve(state->mem, &state->threads, 1) != GT_OK)
            return NULL;
        thread = gt_idmap_add(&state->thread_map, (uint64_t) id);
        if (!thread)
            return NULL;
        thread->id = id;
        thread->created = GT_NO_GOROUTINE;
        state->threads.items[state->threads.count++] = thread;
        bool is_numbered = state->numbers_threads && id != GT_NO_THREAD;
        thread->written_id = is_numbered ? (int64_t) state->threads.count : id;
    }
    state->recent = thread;
    return thread;
}

struct gt_rewrite_proc *gt_rewrite_proc_get(struct gt_rewrite_state *state, int64_t id)
{
    struct gt_rewrite_proc *proc = gt_idmap_get(&state->proc_map, (uint64_t) id);
    if (proc || gt_array_reserve(state->mem, &state->procs, 1) != GT_OK)
        return proc;
    proc = gt_idmap_add(&state->proc_map, (uint64_t) id);
    if (!proc)
        return NULL;
    proc->id = id;
    state->procs.items[state->procs.count++] = proc;
    return proc;
}

struct gt_rewrite_goroutine *gt_rewrite_goroutine_get(struct gt_rewrite_state *state, int64_t id)
{
    struct gt_rewrite_goroutine *goroutine = gt_idmap_get(&state->goroutine_map, (uint64_t) id);
    if (goroutine)
        return goroutine;
    goroutine = gt_idmap_add(&state->goroutine_map, (uint64_t) id);
    if (!goroutine)
        return NULL;
    goroutine->id = id;
    if (gt_roster_add(&state->goroutines, state->mem, goroutine, &goroutine->number) != GT_OK) {
        gt_idmap_drop(&state->goroutine_map, (uint64_t) id, goroutine);
        return NULL;
    }
    return goroutine;
}

void gt_rewrite_goroutine_end(struct gt_rewrite_state *state,
                              struct gt_rewrite_goroutine *goroutine)
{
    if (!goroutine)
        return;
    while (goroutine->stops)
        gt_rewrite_stop_end(state, goroutine);
    gt_rewrite_regions_drop(&state->regions, &goroutine->regions);
    gt_rewrite_free_goroutine(goroutine);
    gt_roster_remove(&state->goroutines, goroutine->number);
    gt_idmap_drop(&state->goroutine_map, (uint64_t) goroutine->id, goroutine);
}

void gt_rewrite_free_proc(struct gt_rewrite_proc *proc)
{
    if (proc->thread)
        proc->thread->proc = NULL;
    proc->thread = NULL;
}

void gt_rewrite_free_goroutine(struct gt_rewrite_goroutine *goroutine)
{
    if (goroutine->thread)
        goroutine->thread->goroutine = NULL;
    goroutine->thread = NULL;
}

bool gt_rewrite_bind_proc(struct gt_rewrite_thread *thread, struct gt_rewrite_proc *proc)
{
    if (thread->id == GT_NO_THREAD || thread->proc == proc)
        return true;
    if (thread->proc || proc->thread)
        return false;
    thread->proc = proc;
    proc->thread = thread;
    return true;
}

bool gt_rewrite_bind_goroutine(struct gt_rewrite_thread *thread,
                               struct gt_rewrite_goroutine *goroutine)
{
    if (thread->id == GT_NO_THREAD || thread->goroutine == goroutine)
        return true;
    if (thread->goroutine || goroutine->thread)
        return false;
    thread->goroutine = goroutine;
    goroutine->thread = thread;
    return true;
}

bool gt_rewrite_task_begin(struct gt_rewrite_state *state, uint64_t id, uint64_t parent,
                           gt_string type)
{
    gt_rewrite_task_end(state, id); /* only in a trace that was repaired */
    struct gt_rewrite_task *task = gt_idmap_add(&state->task_map, id);
    if (!task)
        return false;
    *task = (struct gt_rewrite_task){.id = id, .parent = parent};
    task->type = gt_shared_text_get(&state->task_types, type);
    if (task->type && gt_roster_add(&state->tasks, state->mem, task, &task->number) == GT_OK)
        return true;
    gt_shared_text_drop(&state->task_types, task->type);
    gt_idmap_drop(&state->task_map, id, task);
    return false;
}

void gt_rewrite_task_end(struct gt_rewrite_state *state, uint64_t id)
{
    struct gt_rewrite_task *task = gt_idmap_get(&state->task_map, id);
    if (!task)
        return;
    gt_roster_remove(&state->tasks, task->number);
    gt_shared_text_drop(&state->task_types, task->type);
    gt_idmap_drop(&state->task_map, id, task);
}

struct gt_rewrite_stop *gt_rewrite_stop_begin(struct gt_rewrite_state *state,
                                              struct gt_rewrite_goroutine *goroutine,
                                              gt_string cause)
{
    struct gt_rewrite_stop *stop = gt_pool_take(&state->stop_pool);
    struct gt_rewrite_stop **end = &goroutine->stops;
    if (!stop)
        return NULL;
    *stop = (struct gt_rewrite_stop){.cause = gt_shared_text_get(&state->causes, cause)};
    if (!stop->cause) {
        gt_pool_give(&state->stop_pool, stop);
        return NULL;
    }
    while (*end) /* the list is short, because a reader limits it */
        end = &(*end)->next;
    *end = stop;
    state->stop_count++;
    return stop;
}

bool gt_rewrite_stop_keep(struct gt_rewrite_state *state, struct gt_rewrite_stop *stop,
                          gt_string text, uint32_t id)
{
    size_t bytes = text.size;
    for (size_t i = 0; i < state->kept_stop_count; i++)
        bytes += state->kept_stops[i]->written->string.size;
    if (id == 0 || state->kept_stop_count == GT_REWRITE_KEPT_STOPS || bytes > KEPT_BYTES)
        return true;
    stop->written = gt_shared_text_get(&state->causes, text);
    if (!stop->written)
        return false;
    stop->written_id = id;
    state->kept_stops[state->kept_stop_count++] = stop;
    return true;
}

static void stop_forget(struct gt_rewrite_state *state, struct gt_rewrite_stop *stop)
{
    size_t kept = 0;
    if (!stop->written)
        return;
    gt_shared_text_drop(&state->causes, stop->written);
    stop->written = NULL;
    for (size_t i = 0; i < state->kept_stop_count; i++) {
        if (state->kept_stops[i] != stop)
            state->kept_stops[kept++] = state->kept_stops[i];
    }
    state->kept_stop_count = kept;
}

void gt_rewrite_stops_forget(struct gt_rewrite_state *state)
{
    while (state->kept_stop_count > 0)
        stop_forget(state, state->kept_stops[0]);
}

bool gt_rewrite_stop_end(struct gt_rewrite_state *state, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_stop *stop = goroutine->stops;
    if (!stop)
        return false;
    bool is_lost = stop->is_lost;
    stop_forget(state, stop);
    goroutine->stops = stop->next;
    state->stop_count--;
    gt_shared_text_drop(&state->causes, stop->cause);
    gt_pool_give(&state->stop_pool, stop);
    return !is_lost;
}
