/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/state.h"

#include "v2/v2.h"

void gt_v2_state_init(struct gt_v2_state *state, struct gt_mem *mem)
{
    gt_idmap_init_objects(&state->threads, mem, sizeof(struct gt_v2_thread));
    gt_idmap_init_objects(&state->procs, mem, sizeof(struct gt_v2_proc));
    gt_idmap_init_objects(&state->goroutines, mem, sizeof(struct gt_v2_goroutine));
    state->no_goroutine.id = GT_NO_GOROUTINE;
    for (size_t i = 0; i < GT_V2_RECENT; i++)
        state->recent[i] = &state->no_goroutine;
    gt_idmap_init_objects(&state->tasks, mem, sizeof(struct gt_v2_task));
    gt_pool_init(&state->open_pool, mem, sizeof(struct gt_v2_open));
}

void gt_v2_state_destroy(struct gt_v2_state *state)
{
    gt_idmap_destroy(&state->threads);
    gt_idmap_destroy(&state->procs);
    gt_idmap_destroy(&state->goroutines);
    gt_idmap_destroy(&state->tasks);
    gt_pool_destroy(&state->open_pool);
}

struct gt_v2_thread *gt_v2_thread_get(struct gt_v2 *v2, int64_t id)
{
    struct gt_v2_state *state = &v2->state;
    struct gt_v2_thread *thread = gt_idmap_get(&state->threads, (uint64_t) id);
    if (thread)
        return thread;
    thread = gt_idmap_add(&state->threads, (uint64_t) id);
    if (!thread)
        return NULL;
    thread->id = id;
    thread->proc_id = GT_NO_PROC;
    thread->goroutine_id = GT_NO_GOROUTINE;
    return thread;
}

struct gt_v2_goroutine *gt_v2_goroutine_add(struct gt_v2 *v2, int64_t id, uint8_t status)
{
    struct gt_v2_state *state = &v2->state;
    struct gt_v2_goroutine *goroutine = gt_idmap_add(&state->goroutines, (uint64_t) id);
    if (goroutine)
        gt_v2_goroutine_begin(v2, goroutine, id, status);
    return goroutine;
}

struct gt_v2_proc *gt_v2_proc_add(struct gt_v2 *v2, int64_t id, uint8_t status)
{
    struct gt_v2_state *state = &v2->state;
    struct gt_v2_proc *proc = gt_idmap_add(&state->procs, (uint64_t) id);
    if (!proc)
        return NULL;
    proc->id = id;
    proc->status = status;
    return proc;
}

static void v2_open_drop(struct gt_v2 *v2, struct gt_v2_open *list)
{
    while (list) {
        struct gt_v2_open *next = list->next;
        gt_names_drop(&v2->names, list->name);
        gt_pool_give(&v2->state.open_pool, list);
        list = next;
    }
}

void gt_v2_goroutine_end(struct gt_v2 *v2, struct gt_v2_goroutine *goroutine)
{
    v2_open_drop(v2, goroutine->regions);
    v2_open_drop(v2, goroutine->stops);
    uint64_t id = (uint64_t) goroutine->id;
    goroutine->id = GT_NO_GOROUTINE;
    gt_idmap_drop(&v2->state.goroutines, id, goroutine);
}
