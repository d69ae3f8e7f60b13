/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile/profile.h"

static int is_text(gt_string a, const char *b)
{
    return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0;
}

static int contains(gt_string text, const char *part)
{
    size_t size = strlen(part);
    const char *end = text.data + text.size, *at = text.data;
    while ((at = memchr(at, part[0], (size_t) (end - at))) != NULL) {
        if ((size_t) (end - at) < size)
            return 0;
        if (memcmp(at, part, size) == 0)
            return 1;
        at++;
    }
    return 0;
}

/* The slot for a wait with this reason, where its kind is asked for. */
static uint32_t waiting_slot(const struct gt_profile *p, gt_string reason)
{
    if (gt_profile_has(p, GT_PROFILE_NET) && is_text(reason, "network"))
        return GT_PROFILE_NET;
    if (gt_profile_has(p, GT_PROFILE_SYNC) &&
        (contains(reason, "chan") || contains(reason, "sync") || contains(reason, "select")))
        return GT_PROFILE_SYNC;
    return GT_SLOT_NONE;
}

/* The slot of Go's kinds for a state and its reason (cmd/trace/pprof.go). */
static uint32_t wait_slot(const struct gt_profile *p, const gt_transition *change)
{
    if (change->to >= GT_PROFILE_STATES)
        return GT_SLOT_NONE;
    uint32_t slot = p->wait_slots[change->to];
    return slot == GT_SLOT_BY_REASON ? waiting_slot(p, change->reason) : slot;
}

static int is_off(uint32_t state)
{
    return state == GT_GO_RUNNABLE || state == GT_GO_WAITING;
}

/* Go counts a goroutine from when it first runs. */
static void run_first(struct gt_profile *p, struct gt_profile_go *g)
{
    g->ran = 1;
    g->wait.slot = GT_SLOT_NONE;
    if (!g->returns)
        gt_tally_free(&g->early, &p->mem);
}

/* Ends the spans of the state that the goroutine leaves that are about its own stack. */
static gt_status leave_own(struct gt_profile *p, struct gt_profile_go *g,
                           const gt_transition *change)
{
    gt_status status = gt_profile_end_span(p, g, &g->wall, p->event->time);
    if (status == GT_OK && !is_off(change->to))
        status = gt_profile_end_span(p, g, &g->off, p->event->time);
    return status;
}

/* Ends the state that the goroutine was in. */
static gt_status leave(struct gt_profile *p, struct gt_profile_go *g, const gt_transition *change)
{
    if (change->to == GT_GO_RUNNING && !g->ran && !gt_profile_by_region(p))
        run_first(p, g);
    gt_status status = gt_profile_end_span(p, g, &g->wait, p->event->time);
    return status == GT_OK && p->own_spans ? leave_own(p, g, change) : status;
}

/* Begins the spans of the state that the goroutine enters that are about its own stack. */
static gt_status enter_own(struct gt_profile *p, struct gt_profile_go *g,
                           const gt_transition *change)
{
    if (change->stack != GT_STACK_NONE) {
        gt_status status = gt_stackset_number(&p->stacks, p->reader, change->stack, &g->stack);
        if (status != GT_OK)
            return status;
    }
    /* What is there at the start was so since the Sync; internal/trace/summary.go. */
    int64_t since = change->from == GT_GO_UNDETERMINED ? p->sync_time : p->event->time;
    if (gt_profile_has(p, GT_PROFILE_WALL))
        g->wall = (struct gt_span){since, g->stack, GT_SLOT_WALL + change->to};
    if (gt_profile_has(p, GT_PROFILE_OFFCPU) && is_off(change->to) && g->off.slot == GT_SLOT_NONE)
        g->off = (struct gt_span){since, g->stack, GT_PROFILE_OFFCPU};
    return GT_OK;
}

/* Enters the state that the goroutine changes to, which `slot` is the wait slot of. */
static gt_status enter(struct gt_profile *p, struct gt_profile_go *g, const gt_transition *change,
                       uint32_t slot)
{
    g->state = change->to;
    if (slot != GT_SLOT_NONE) {
        g->wait = (struct gt_span){p->event->time, 0, slot};
        gt_status status =
            gt_stackset_number(&p->stacks, p->reader, gt_event_stack(p->event), &g->wait.stack);
        if (status != GT_OK)
            return status;
    }
    return p->own_spans && change->to < GT_PROFILE_STATES ? enter_own(p, g, change) : GT_OK;
}

static gt_status change_state(struct gt_profile *p, struct gt_profile_go *g,
                              const gt_transition *change)
{
    uint32_t slot = wait_slot(p, change);
    /* What stays in its state does so since it entered it, unless it was not known why. */
    if (change->to == g->state && (g->wait.slot != GT_SLOT_NONE || slot == GT_SLOT_NONE))
        return GT_OK;
    gt_status status = leave(p, g, change);
    if (status != GT_OK)
        return status;
    int is_gone = change->to == GT_GO_NOT_EXIST;
    if (is_gone || (change->to == GT_GO_WAITING && is_text(change->reason, "forever")))
        return gt_profile_go_end(p, g, is_gone);
    return enter(p, g, change, slot);
}

/* One that runs is asked for again soon. */
static struct gt_profile_go *find(struct gt_profile *p, int64_t id)
{
    struct gt_profile_go **recent = &p->recent[(uint64_t) id % GT_PROFILE_RECENT];
    if (!*recent || (*recent)->id != id)
        *recent = gt_idmap_get(&p->by_id, (uint64_t) id);
    return *recent;
}

static gt_status count(struct gt_profile *p)
{
    gt_transition *change = &p->change;
    gt_status status = gt_event_transition(p->event, change);
    if (status != GT_OK || change->resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    struct gt_profile_go *g = find(p, change->resource.id);
    if (!g || !g->is_plain || gt_profile_begins(change)) {
        status = gt_profile_go_meet(p, &g, change);
        if (status != GT_OK || g->over)
            return status;
    }
    return change_state(p, g, change);
}

/* Whether there is anything to count of an event that is no transition. */
static int matters(const struct gt_profile *p, uint32_t kind)
{
    return kind < 32 && (p->matters >> kind & 1);
}

/* Most events are transitions: so it is here, and what else it does is not. */
gt_status gt_profile_event(gt_profile *profile, struct gt_reader *reader, const gt_event *event)
{
    struct gt_profile *p = profile;
    if (!p || !reader || !event || p->busy)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = p->counting ? GT_OK : gt_profile_begin(p, event);
    if (status != GT_OK)
        return status;
    p->last_time = event->time;
    p->reader = reader;
    p->event = event;
    if (event->kind != GT_EVENT_STATE_TRANSITION)
        return matters(p, event->kind) ? gt_profile_other(p) : GT_OK;
    p->busy = 1;
    return gt_profile_done(p, count(p));
}
