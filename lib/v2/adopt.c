/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/seam.h"

/*
 * From the state before a generation to that after it: what the reading apart knows at its end
 * replaces what was known before.
 */

static gt_status adopt_threads(struct gt_v2_seam *seam)
{
    const struct gt_v2_context *context;
    struct gt_v2 *v2 = seam->v2;
    size_t place = 0;
    while ((context = gt_idmap_next(&seam->contexts, &place))) {
        uint64_t id = (uint64_t) context->thread;
        const struct gt_v2_thread *from = gt_idmap_get(&seam->apart->v2.state.threads, id);
        struct gt_v2_thread *thread = gt_v2_thread_get(v2, context->thread);
        if (!thread)
            return gt_mem_failure(v2->mem);
        thread->lane.tried |= context->tried || (from && from->lane.tried);
        thread->proc_id = context->proc;
        thread->proc = gt_idmap_get(&v2->state.procs, (uint64_t) context->proc);
        thread->goroutine_id = context->goroutine;
        thread->goroutine = gt_idmap_get(&v2->state.goroutines, (uint64_t) context->goroutine);
    }
    return GT_OK;
}

static gt_status adopt_procs(struct gt_v2_seam *seam)
{
    const struct gt_v2_proc *from;
    struct gt_v2 *v2 = seam->v2;
    size_t place = 0;
    while ((from = gt_idmap_next(&seam->apart->v2.state.procs, &place))) {
        uint64_t id = (uint64_t) from->id;
        const struct gt_v2_earlier_proc *earlier = gt_idmap_get(&seam->procs, id);
        struct gt_v2_proc *proc = gt_idmap_get(&v2->state.procs, id);
        if (!proc)
            proc = gt_v2_proc_add(v2, from->id, from->status);
        if (!proc)
            return gt_mem_failure(v2->mem);
        proc->seq = from->seq;
        if (!earlier || !earlier->in_syscall)
            proc->status = from->status;
        proc->sweeping = from->sweeping || (earlier && earlier->sweeping);
        if (!from->thread)
            continue;
        proc->thread = gt_v2_thread_get(v2, from->thread->id);
        if (!proc->thread)
            return gt_mem_failure(v2->mem);
    }
    return GT_OK;
}

/*
 * Puts a copy of the list `from` before the list `*to`. The names are those of the reading apart,
 * which the reader takes over.
 */
static gt_status adopt_open(struct gt_v2 *v2, struct gt_v2_open **to, const struct gt_v2_open *from)
{
    for (; from; from = from->next) {
        struct gt_v2_open *open = gt_pool_take(&v2->state.open_pool);
        if (!open)
            return gt_mem_failure(v2->mem);
        open->task = from->task;
        open->name = from->name;
        open->next = *to;
        *to = open;
        to = &open->next;
    }
    return GT_OK;
}

/* Ends the goroutines of the state before that have ended, and the regions of the others. */
static void adopt_ends(struct gt_v2_seam *seam)
{
    const struct gt_v2_earlier_goroutine *earlier;
    struct gt_v2 *v2 = seam->v2;
    size_t place = 0;
    while ((earlier = gt_idmap_next(&seam->goroutines, &place))) {
        struct gt_v2_goroutine *goroutine = earlier->goroutine;
        if (!gt_idmap_get(&seam->apart->v2.state.goroutines, (uint64_t) goroutine->id)) {
            gt_v2_goroutine_end(v2, goroutine);
            continue;
        }
        while (goroutine->regions != earlier->regions) {
            struct gt_v2_open *region = goroutine->regions;
            goroutine->regions = region->next;
            gt_names_drop(&v2->names, region->name);
            gt_pool_give(&v2->state.open_pool, region);
        }
    }
}

static gt_status adopt_goroutines(struct gt_v2_seam *seam)
{
    const struct gt_v2_goroutine *from;
    struct gt_v2 *v2 = seam->v2;
    size_t place = 0;
    adopt_ends(seam);
    while ((from = gt_idmap_next(&seam->apart->v2.state.goroutines, &place))) {
        uint64_t id = (uint64_t) from->id;
        const struct gt_v2_earlier_goroutine *earlier = gt_idmap_get(&seam->goroutines, id);
        struct gt_v2_goroutine *goroutine =
            earlier ? earlier->goroutine : gt_v2_goroutine_add(v2, from->id, from->status);
        if (!goroutine)
            return gt_mem_failure(v2->mem);
        goroutine->seq = from->seq;
        goroutine->status = from->status;
        goroutine->assisting = from->assisting || (earlier && earlier->assisting);
        gt_status status = adopt_open(v2, &goroutine->regions, from->regions);
        if (status == GT_OK)
            status = adopt_open(v2, &goroutine->stops, from->stops);
        if (status != GT_OK)
            return status;
    }
    return GT_OK;
}

static gt_status adopt_tasks(struct gt_v2_seam *seam)
{
    struct gt_v2 *v2 = seam->v2;
    struct gt_idmap *tasks = &seam->apart->v2.state.tasks;
    struct gt_v2_task *task;
    size_t place = 0;
    uint64_t id;
    while ((task = gt_idmap_next_id(&seam->tasks, &place, &id))) {
        gt_names_drop(&v2->names, task->name);
        gt_idmap_drop(&v2->state.tasks, id, task);
    }
    place = 0;
    while ((task = gt_idmap_next_id(tasks, &place, &id))) {
        struct gt_v2_task *added = gt_idmap_add(&v2->state.tasks, id);
        if (!added)
            return gt_mem_failure(v2->mem);
        *added = *task;
    }
    return GT_OK;
}

gt_status gt_v2_adopt(struct gt_v2_seam *seam)
{
    const struct gt_v2 *from = &seam->apart->v2;
    struct gt_v2 *v2 = seam->v2;
    gt_status status = adopt_goroutines(seam);
    if (status == GT_OK)
        status = adopt_procs(seam);
    if (status == GT_OK)
        status = adopt_threads(seam);
    if (status == GT_OK)
        status = adopt_tasks(seam);
    if (from->state.gc != GT_V2_GC_UNDETERMINED) {
        v2->state.gc = from->state.gc;
        v2->state.gc_seq = from->state.gc_seq;
    }
    v2->damage.frequency = from->damage.frequency;
    return status;
}
