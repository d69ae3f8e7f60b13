/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

#include <gotrace/reader.h>

#include "analysis/frames.h"
#include "base/likely.h"
#include "base/text.h"

/* The slot for a wait with this reason, if the options ask for its kind. */
static uint32_t profile_reason_slot(const struct gt_profile *profile, gt_string reason)
{
    if (gt_profile_has(profile, GT_PROFILE_NET) && gt_text_is(reason, "network"))
        return GT_PROFILE_NET;
    if (gt_profile_has(profile, GT_PROFILE_SYNC) &&
        (gt_text_contains(reason, "chan") || gt_text_contains(reason, "sync") ||
         gt_text_contains(reason, "select")))
        return GT_PROFILE_SYNC;
    return GT_SLOT_NONE;
}

/* The slot of go tool trace's kinds for a state and its reason (cmd/trace/pprof.go). */
static uint32_t profile_wait_slot(const struct gt_profile *profile, const gt_transition *change)
{
    if (change->to >= GT_PROFILE_STATES)
        return GT_SLOT_NONE;
    uint32_t slot = profile->wait_slots[change->to];
    return slot == GT_SLOT_BY_REASON ? profile_reason_slot(profile, change->reason) : slot;
}

static bool state_is_off_cpu(uint32_t state)
{
    return state == GT_GO_RUNNABLE || state == GT_GO_WAITING;
}

/* Go counts the waits of a goroutine from when it first runs. */
static gt_status profiled_first_run(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine)
{
    gt_status status = GT_OK;
    if (gt_profile_may_recur(profile, goroutine)) {
        status = gt_profile_end_span(profile, goroutine, &goroutine->wait, profile->event->time);
    } else {
        gt_tally_free(&goroutine->before_run, &profile->mem);
        goroutine->wait.slot = GT_SLOT_NONE;
    }
    goroutine->has_run = true;
    return status;
}

/* Ends the spans of the left state that count for the goroutine's own stack. */
static gt_status profiled_own_leave(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine,
                                    const gt_transition *change)
{
    gt_status status =
        gt_profile_end_span(profile, goroutine, &goroutine->wall, profile->event->time);
    if (status == GT_OK && !state_is_off_cpu(change->to))
        status = gt_profile_end_span(profile, goroutine, &goroutine->off, profile->event->time);
    return status;
}

/* Ends the state that the goroutine was in. */
static gt_status profiled_state_leave(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine,
                                      const gt_transition *change)
{
    gt_status status = GT_OK;
    if (change->to == GT_GO_RUNNING && !goroutine->has_run && !profile->by_region &&
        !profile->counts_all)
        status = profiled_first_run(profile, goroutine);
    if (status == GT_OK)
        status = gt_profile_end_span(profile, goroutine, &goroutine->wait, profile->event->time);
    return status == GT_OK && profile->own_spans ? profiled_own_leave(profile, goroutine, change)
                                                 : status;
}

/* A goroutine from before the trace counts from the Sync event on (internal/trace/summary.go). */
static int64_t profile_state_begin(const struct gt_profile *profile, const gt_transition *change)
{
    return change->from == GT_GO_UNDETERMINED ? profile->sync_time : profile->event->time;
}

/* Begins the spans of the entered state that count for the goroutine's own stack. */
static void profiled_own_enter(struct gt_profile *profile, struct gt_profile_goroutine *goroutine,
                               const gt_transition *change)
{
    int64_t since = profile_state_begin(profile, change);
    if (gt_profile_has(profile, GT_PROFILE_WALL))
        goroutine->wall =
            (struct gt_profile_span){since, goroutine->stack, GT_SLOT_WALL + change->to};
    if (gt_profile_has(profile, GT_PROFILE_OFFCPU) && state_is_off_cpu(change->to) &&
        goroutine->off.slot == GT_SLOT_NONE)
        goroutine->off = (struct gt_profile_span){since, goroutine->stack, GT_PROFILE_OFFCPU};
}

/*
 * Begins a wait of one of Go's kinds at the stack of the event, which for a goroutine that was
 * created or woken is that of the goroutine that did so. If all waits count, one without such a
 * stack, for example after the network poller woke the goroutine, counts for the goroutine's own.
 */
static gt_status profiled_wait_enter(struct gt_profile *profile,
                                     struct gt_profile_goroutine *goroutine,
                                     const gt_transition *change, uint32_t slot)
{
    struct gt_profile_span *wait = &goroutine->wait;
    *wait = (struct gt_profile_span){profile->event->time, 0, slot};
    gt_status status = gt_stackset_number(&profile->stacks, profile->reader, profile->event,
                                          gt_event_stack(profile->event), &wait->stack);
    if (status != GT_OK || !profile->counts_all)
        return status;
    wait->since = profile_state_begin(profile, change);
    if (wait->stack == 0 || profile->stacks.stacks.items[wait->stack].is_blank)
        wait->stack = goroutine->stack;
    return GT_OK;
}

/* Enters the new state. `slot` is its wait slot. */
static gt_status profiled_state_enter(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine,
                                      const gt_transition *change, uint32_t slot)
{
    goroutine->state = change->to;
    gt_status status = GT_OK;
    bool has_state = change->to < GT_PROFILE_STATES;
    if (profile->own_stacks && has_state && change->stack != GT_STACK_NONE)
        status = gt_stackset_number(&profile->stacks, profile->reader, profile->event,
                                    change->stack, &goroutine->stack);
    if (status == GT_OK && slot != GT_SLOT_NONE)
        status = profiled_wait_enter(profile, goroutine, change, slot);
    if (status == GT_OK && profile->own_spans && has_state)
        profiled_own_enter(profile, goroutine, change);
    return status;
}

static gt_status profiled_state_change(struct gt_profile *profile,
                                       struct gt_profile_goroutine *goroutine,
                                       const gt_transition *change)
{
    uint32_t slot = profile_wait_slot(profile, change);
    /* A goroutine that stays in its state goes on with it, unless the reason was not known. */
    if (change->to == goroutine->state &&
        (goroutine->wait.slot != GT_SLOT_NONE || slot == GT_SLOT_NONE))
        return GT_OK;
    gt_status status = profiled_state_leave(profile, goroutine, change);
    if (status != GT_OK)
        return status;
    bool is_gone = change->to == GT_GO_NOT_EXIST;
    if (is_gone || (change->to == GT_GO_WAITING && gt_text_is(change->reason, "forever")))
        return gt_profile_goroutine_end(profile, goroutine, is_gone);
    return profiled_state_enter(profile, goroutine, change, slot);
}

/* Finds a goroutine by way of the cache: one that runs is looked up again soon. */
static struct gt_profile_goroutine *profiled_find(struct gt_profile *profile, int64_t id)
{
    struct gt_profile_goroutine **recent = &profile->recent[(uint64_t) id % GT_PROFILE_RECENT];
    if (!*recent || (*recent)->id != id)
        *recent = gt_idmap_get(&profile->goroutines, (uint64_t) id);
    return *recent;
}

static GT_ALWAYS_INLINE gt_status profile_transition(struct gt_profile *profile)
{
    gt_transition *change = &profile->change;
    gt_status status = gt_event_transition(profile->event, change);
    if (status != GT_OK || change->resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    struct gt_profile_goroutine *goroutine = profiled_find(profile, change->resource.id);
    if (!goroutine || !goroutine->is_plain || gt_transition_begins(change)) {
        status = gt_profile_goroutine_meet(profile, &goroutine, change);
        if (status != GT_OK || goroutine->blocks_forever)
            return status;
    }
    return profiled_state_change(profile, goroutine, change);
}

/* Whether an event that is not a transition is not ignored. */
static bool profile_event_matters(const struct gt_profile *profile, uint32_t kind)
{
    return kind < 32 && (profile->matters >> kind & 1);
}

static inline bool profile_takes(struct gt_reader *reader, const gt_event *event)
{
    return gt_reader_has_event(reader, event) || (!reader && gt_frames_are_known(NULL, event));
}

/* Counts an event of profile->reader. */
static inline gt_status profile_count(struct gt_profile *profile, const gt_event *event)
{
    profile->last_time = event->time;
    profile->event = event;
    if (event->kind == GT_EVENT_STATE_TRANSITION)
        return profile_transition(profile);
    return profile_event_matters(profile, event->kind) ? gt_profile_other(profile) : GT_OK;
}

/* Counts the events, of which there is at least one. The loop has all of it inline. */
static gt_status profile_count_all(struct gt_profile *profile, struct gt_reader *reader,
                                   const gt_event *const *events, size_t count)
{
    gt_status status = profile->is_counting ? GT_OK : gt_profile_start(profile, reader, events[0]);
    if (status != GT_OK)
        return status;
    profile->reader = reader;
    profile->busy = true;
    for (size_t i = 0; i < count && status == GT_OK; i++)
        status = profile_count(profile, events[i]);
    return gt_profile_done(profile, status);
}

/* This is in the file of transitions because most events are: the compiler can inline them. */
gt_status gt_profile_event(gt_profile *profile, struct gt_reader *reader, const gt_event *event)
{
    if (!profile || profile->busy || !profile_takes(reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    return profile_count_all(profile, reader, &event, 1);
}

/* Whether `events` are some of those that the reader has delivered last, in their order. */
static bool profile_takes_all(struct gt_reader *reader, const gt_event *const *events, size_t count)
{
    if (!reader || !profile_takes(reader, events[0]) || !profile_takes(reader, events[count - 1]))
        return false;
    /* All are in one array, between the first and the last. */
    for (size_t i = 1; i < count; i++) {
        if ((uintptr_t) events[i] <= (uintptr_t) events[i - 1])
            return false;
    }
    return true;
}

gt_status gt_profile_events(gt_profile *profile, struct gt_reader *reader,
                            const gt_event *const *events, size_t count)
{
    if (!profile || profile->busy || (count > 0 && !events))
        return GT_ERR_INVALID_ARGUMENT;
    if (count == 0)
        return profile->failure;
    if (!profile_takes_all(reader, events, count))
        return GT_ERR_INVALID_ARGUMENT;
    return profile_count_all(profile, reader, events, count);
}
