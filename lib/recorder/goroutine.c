/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/goroutine.h"

#include "recorder/home.h"
#include "recorder/list.h"
#include "recorder/memory.h"
#include "recorder/section.h"
#include "recorder/stack.h"
#include "recorder/texts.h"

enum {
    /* How many ids a thread takes at once, so that not all write to one place. */
    GOROUTINE_IDS = 16
};

static const uint64_t GOROUTINE_FLAGS = GT_REC_BLOCKED;

/* Makes a goroutine that nobody else knows, without an id and a state. */
static gt_status goroutine_make(gt_recorder *recorder, gt_rec_text name, uint64_t flags,
                                gt_rec_go **out)
{
    if (!gt_recorder_text_is_known(recorder, name) || (flags & ~GOROUTINE_FLAGS) != 0)
        return GT_ERR_INVALID_ARGUMENT;
    gt_rec_go *go = gt_recorder_memory_alloc_handle(recorder, sizeof(*go), sizeof(*go));
    if (!go)
        return gt_mem_failure(&recorder->mem);
    go->recorder = recorder;
    go->name = name;
    *out = go;
    return GT_OK;
}

/* Sets the first state of a goroutine. */
static void goroutine_begin(gt_rec_go *go, uint64_t generation, uint64_t flags)
{
    uint64_t state = flags & GT_REC_BLOCKED ? GT_G_WAITING : GT_G_RUNNABLE;
    gt_atomic_set(&go->resource.word, gt_word_make(0, generation, false, state));
}

static uint64_t goroutine_next_id(gt_rec_thread *t)
{
    if (t->next_go == t->last_go) {
        t->next_go = gt_atomic_add(&t->recorder->next_go, GOROUTINE_IDS);
        t->last_go = t->next_go + GOROUTINE_IDS;
    }
    return t->next_go++;
}

gt_status gt_recorder_go_make(gt_rec_thread *t, gt_rec_text name, uint64_t flags, gt_rec_go **out)
{
    gt_status status = goroutine_make(t->recorder, name, flags, out);
    if (status == GT_OK)
        (*out)->resource.id = goroutine_next_id(t);
    return status;
}

gt_status gt_rec_go_create(gt_rec_thread *t, gt_rec_text name, uint64_t flags, gt_rec_go **out)
{
    if (!out)
        return GT_ERR_INVALID_ARGUMENT;
    *out = NULL;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_has_proc(t))
        return GT_ERR_STATE;
    gt_rec_go *go = NULL;
    gt_status status = gt_recorder_go_make(t, name, flags, &go);
    if (status != GT_OK)
        return status;
    bool is_blocked = flags & GT_REC_BLOCKED;
    gt_recorder_enter(t);
    goroutine_begin(go, t->generation, flags);
    if (gt_recorder_is_on(t)) {
        uint64_t time = gt_recorder_clock(t);
        gt_recorder_settle(t, time);
        gt_recorder_put(t, time, is_blocked ? GT_WIRE_GO_CREATE_BLOCKED : GT_WIRE_GO_CREATE,
                        go->resource.id, name, gt_recorder_stack(t));
    }
    /* Within the section: whoever ends its generation finds it in the list. */
    gt_recorder_list_add(&t->recorder->gos, &go->resource.link);
    gt_recorder_leave(t);
    *out = go;
    return GT_OK;
}

gt_status gt_rec_go_adopt(gt_recorder *recorder, gt_rec_text name, uint64_t flags, gt_rec_go **out)
{
    if (!out)
        return GT_ERR_INVALID_ARGUMENT;
    *out = NULL;
    if (!recorder)
        return GT_ERR_INVALID_ARGUMENT;
    gt_rec_go *go = NULL;
    gt_status status = goroutine_make(recorder, name, flags, &go);
    if (status != GT_OK)
        return status;
    go->resource.id = gt_atomic_add(&recorder->next_go, 1);
    /* With the lock recording does not start meanwhile. */
    gt_system_lock(&recorder->registry);
    bool is_on = gt_recorder_records(recorder);
    if (!is_on) {
        goroutine_begin(go, gt_recorder_number(recorder), flags);
        gt_recorder_list_add(&recorder->gos, &go->resource.link);
        *out = go;
    }
    gt_system_unlock(&recorder->registry);
    if (is_on)
        gt_mem_free(&recorder->mem, go, sizeof(*go));
    return is_on ? GT_ERR_STATE : GT_OK;
}

uint64_t gt_rec_go_id(const gt_rec_go *go)
{
    return go ? go->resource.id : 0;
}

gt_status gt_rec_go_release(gt_rec_go **go)
{
    if (!go || !*go)
        return GT_ERR_INVALID_ARGUMENT;
    if (gt_word_state(gt_atomic_get(&(*go)->resource.word)) != GT_G_DEAD ||
        gt_atomic_pointer_get(&(*go)->home))
        return GT_ERR_STATE;
    gt_recorder *recorder = (*go)->recorder;
    gt_array_free(&recorder->mem, &(*go)->regions);
    gt_atomic_set(&(*go)->is_released, true);
    *go = NULL;
    gt_recorder_note_released(recorder);
    return GT_OK;
}

/* The goroutine runs on the thread: the end of a section. */
static inline gt_status goroutine_run(gt_rec_thread *t, gt_rec_go *go, uint64_t word,
                                      uint64_t section)
{
    gt_recorder_take_go(t, go, word);
    gt_recorder_leave_from(t, section);
    return GT_OK;
}

/* What is recorded is not inlined, so that calls need few registers while nothing is. */
static GT_NOINLINE gt_status goroutine_put_start(gt_rec_thread *t, gt_rec_go *go,
                                                 struct gt_recorder_change change)
{
    uint64_t time = gt_recorder_time(t);
    if (GT_UNLIKELY(!gt_recorder_own_proc(t)))
        gt_recorder_home_start_proc(t, time);
    if (gt_recorder_is_on(t)) {
        gt_recorder_settle(t, time);
        if (change.is_fresh)
            gt_recorder_put_go_status(t, time, go, GT_NO_THREAD_ID, GT_G_RUNNABLE,
                                      change.has_range);
        gt_recorder_put(t, time, GT_WIRE_GO_START, go->resource.id, gt_word_number(change.word));
        gt_recorder_tell_procs(t, time);
    }
    return goroutine_run(t, go, change.word, change.section);
}

gt_status gt_rec_go_start(gt_rec_thread *t, gt_rec_go *go)
{
    if (!t || !go || go->recorder != t->recorder)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_recorder_change change;
    if (!gt_recorder_can_start(t) || !gt_recorder_may_run(t, go) ||
        !gt_recorder_enter_and_move(t, &go->resource, GT_G_RUNNABLE, GT_G_RUNNING,
                                    GT_RECORDER_ALONE, &change))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t) || GT_UNLIKELY(!gt_recorder_own_proc(t)))
        return goroutine_put_start(t, go, change);
    return goroutine_run(t, go, change.word, change.section);
}

/* The goroutine does not run on the thread any more: the end of a section. */
static inline gt_status goroutine_let_go(gt_rec_thread *t, uint64_t state, uint64_t section)
{
    gt_rec_go *go = gt_recorder_own_go(t);
    gt_recorder_drop_go(t);
    gt_recorder_leave_go(t, go, state);
    gt_recorder_leave_from(t, section);
    return GT_OK;
}

/* Writes the event before the word changes, because then others may have the goroutine. */
static GT_NOINLINE gt_status goroutine_put_leave(gt_rec_thread *t, uint8_t type, gt_rec_text reason,
                                                 uint64_t state, uint64_t section, uint64_t stack)
{
    uint64_t time = gt_recorder_time(t);
    if (gt_recorder_is_on(t)) {
        gt_recorder_settle(t, time);
        if (GT_UNLIKELY(!gt_recorder_own_go(t))) {
            gt_recorder_leave_from(t, section);
            return GT_ERR_STATE;
        }
        if (state == GT_G_DEAD)
            gt_recorder_put_bare(t, time, type);
        else
            gt_recorder_put(t, time, type, reason, stack);
    }
    if (state == GT_G_WAITING && gt_recorder_own_go(t) == t->home_go && !t->keeps_proc)
        gt_recorder_home_stop_proc(t, time);
    return goroutine_let_go(t, state, section);
}

static GT_ALWAYS_INLINE gt_status goroutine_leave(gt_rec_thread *t, uint8_t type,
                                                  gt_rec_text reason, uint64_t state)
{
    if (!gt_recorder_is_running(t))
        return GT_ERR_STATE;
    uint64_t section = gt_recorder_enter(t);
    if (!gt_recorder_is_on(t) && (state != GT_G_WAITING || gt_recorder_own_go(t) != t->home_go))
        return goroutine_let_go(t, state, section);
    uint64_t stack = state == GT_G_DEAD || !gt_recorder_is_on(t) ? 0 : gt_recorder_stack(t);
    return goroutine_put_leave(t, type, reason, state, section, stack);
}

gt_status gt_rec_go_stop(gt_rec_thread *t, gt_rec_text reason)
{
    if (!t || !gt_recorder_text_is_known(t->recorder, reason))
        return GT_ERR_INVALID_ARGUMENT;
    return goroutine_leave(t, GT_WIRE_GO_STOP, reason, GT_G_RUNNABLE);
}

gt_status gt_rec_go_block(gt_rec_thread *t, gt_rec_text reason)
{
    if (!t || !gt_recorder_text_is_known(t->recorder, reason))
        return GT_ERR_INVALID_ARGUMENT;
    return goroutine_leave(t, GT_WIRE_GO_BLOCK, reason, GT_G_WAITING);
}

gt_status gt_rec_go_end(gt_rec_thread *t)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_can_end(t))
        return GT_ERR_STATE;
    return goroutine_leave(t, GT_WIRE_GO_DESTROY, 0, GT_G_DEAD);
}

static GT_ALWAYS_INLINE gt_status goroutine_unblock(gt_rec_thread *t, gt_rec_go *go)
{
    struct gt_recorder_change change;
    if (!gt_recorder_enter_and_move(t, &go->resource, GT_G_WAITING, GT_G_RUNNABLE,
                                    GT_RECORDER_RIVALS, &change))
        return GT_STALE;
    if (gt_recorder_is_on(t)) {
        gt_recorder_settle(t, change.before);
        if (change.is_fresh)
            gt_recorder_put_go_status(t, change.before, go, GT_NO_THREAD_ID, GT_G_WAITING,
                                      change.has_range);
        gt_recorder_put(t, change.before, GT_WIRE_GO_UNBLOCK, go->resource.id,
                        gt_word_number(change.word), gt_recorder_stack(t));
    }
    gt_recorder_leave_from(t, change.section);
    return GT_OK;
}

gt_status gt_rec_go_unblock(gt_rec_thread *t, gt_rec_go *go)
{
    if (!t || !go || go->recorder != t->recorder)
        return GT_ERR_INVALID_ARGUMENT;
    return t->is_in_call ? GT_ERR_STATE : goroutine_unblock(t, go);
}

/* Whoever has woken it may have said so, or not. */
gt_status gt_rec_go_resume(gt_rec_thread *t)
{
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!t->home_go || gt_recorder_own_go(t))
        return GT_ERR_STATE;
    goroutine_unblock(t, t->home_go);
    return gt_rec_go_start(t, t->home_go);
}

/* Enters a section in which the thread has a goroutine, and `go`, which waited, runs. */
static gt_status goroutine_enter_switch(gt_rec_thread *t, gt_rec_go *go, uint64_t *time,
                                        struct gt_recorder_change *change)
{
    enum gt_recorder_moved moved;
    while (gt_recorder_enter_go(t, time)) {
        moved = gt_recorder_move(t, &go->resource, GT_G_WAITING, GT_G_RUNNING, GT_RECORDER_RIVALS,
                                 change);
        if (moved == GT_RECORDER_MOVED)
            return GT_OK;
        gt_recorder_leave(t);
        if (moved == GT_RECORDER_REFUSED)
            return GT_STALE;
    }
    return GT_ERR_STATE;
}

/* The running goroutine gets a new state, and `go`, which waits, runs instead. */
static gt_status goroutine_switch(gt_rec_thread *t, gt_rec_go *go, uint8_t type, uint64_t state)
{
    if (!t || !go || go->recorder != t->recorder)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_may_run(t, go) ||
        (state == GT_G_DEAD && !gt_recorder_can_end(t)))
        return GT_ERR_STATE;
    uint64_t time = 0;
    struct gt_recorder_change change;
    gt_status status = goroutine_enter_switch(t, go, &time, &change);
    if (status != GT_OK)
        return status;
    gt_rec_go *old = gt_recorder_own_go(t);
    if (gt_recorder_is_on(t)) {
        if (change.is_fresh)
            gt_recorder_put_go_status(t, time, go, GT_NO_THREAD_ID, GT_G_WAITING, change.has_range);
        gt_recorder_put(t, time, type, go->resource.id, gt_word_number(change.word));
    }
    gt_recorder_drop_go(t);
    gt_recorder_leave_go(t, old, state);
    gt_recorder_take_go(t, go, change.word);
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_go_switch(gt_rec_thread *t, gt_rec_go *go)
{
    return goroutine_switch(t, go, GT_WIRE_GO_SWITCH, GT_G_WAITING);
}

gt_status gt_rec_go_switch_end(gt_rec_thread *t, gt_rec_go *go)
{
    return goroutine_switch(t, go, GT_WIRE_GO_SWITCH_DESTROY, GT_G_DEAD);
}
