/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/profile.h"

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
    switch (change->to) {
    case GT_GO_RUNNABLE:
        return gt_profile_has(p, GT_PROFILE_SCHED) ? GT_PROFILE_SCHED : GT_SLOT_NONE;
    case GT_GO_SYSCALL:
        return gt_profile_has(p, GT_PROFILE_SYSCALL) ? GT_PROFILE_SYSCALL : GT_SLOT_NONE;
    case GT_GO_WAITING:
        return waiting_slot(p, change->reason);
    default:
        return GT_SLOT_NONE;
    }
}

static int is_off(uint32_t state)
{
    return state == GT_GO_RUNNABLE || state == GT_GO_WAITING;
}

/* internal/trace/summary.go has what the runtime's own goroutines are. */
static int is_system_name(gt_string name)
{
    static const char prefix[] = "runtime.";
    return name.size >= sizeof(prefix) - 1 && memcmp(name.data, prefix, sizeof(prefix) - 1) == 0 &&
           !is_text(name, "runtime.main");
}

static int is_asked(const struct gt_profile *p, gt_string name)
{
    const gt_string *asked = &p->options.goroutine;
    return asked->size == name.size && memcmp(asked->data, name.data, name.size) == 0;
}

static gt_status choose(struct gt_profile *p, struct gt_profile_go *g, gt_string root)
{
    g->wanted = is_asked(p, root) ? GT_WANTED_YES : GT_WANTED_NO;
    if (g->wanted == GT_WANTED_NO) {
        gt_tally_free(&g->late, &p->mem);
        return GT_OK;
    }
    p->selected++;
    return gt_tally_move(&p->total, &p->mem, &g->late, p->sync);
}

/* It is no goroutine that C made, so no other will have its id. */
static gt_status stay(struct gt_profile *p, struct gt_profile_go *g)
{
    g->returns = 0;
    if (g->ran)
        gt_tally_free(&g->early, &p->mem);
    if (g->wanted == GT_WANTED_YES)
        return gt_tally_move(&p->total, &p->mem, &g->own, p->sync);
    gt_tally_free(&g->own, &p->mem);
    return GT_OK;
}

/* Names the goroutine by the root of its first stack, and sees what that makes of it. */
static gt_status name(struct gt_profile *p, struct gt_profile_go *g, gt_stack stack)
{
    uint32_t number;
    gt_status status = gt_stackset_number(&p->stacks, p->reader, stack, &number);
    gt_string root = {"", 0};
    if (status == GT_OK)
        root = gt_stackset_root(&p->stacks, number);
    if (root.size == 0)
        return status;
    g->named = 1;
    g->is_system = (uint8_t) is_system_name(root);
    if (g->wanted == GT_WANTED_UNKNOWN)
        status = choose(p, g, root);
    if (status == GT_OK && g->returns && !is_text(root, "runtime.cgocallback"))
        status = stay(p, g);
    return status;
}

/* Ends the state that the goroutine was in. */
static gt_status leave(struct gt_profile *p, struct gt_profile_go *g, const gt_transition *change)
{
    int64_t now = p->event->time;
    if (change->to == GT_GO_RUNNING && !g->ran && !gt_profile_by_region(p)) {
        /* Go counts a goroutine from when it first runs. */
        g->ran = 1;
        g->wait.slot = GT_SLOT_NONE;
        if (!g->returns)
            gt_tally_free(&g->early, &p->mem);
    }
    gt_status status = gt_profile_end_span(p, g, &g->wait, now);
    if (status == GT_OK)
        status = gt_profile_end_span(p, g, &g->wall, now);
    if (status == GT_OK && !is_off(change->to))
        status = gt_profile_end_span(p, g, &g->off, now);
    return status;
}

/* Begins the spans of the state that the goroutine enters that are about its own stack. */
static gt_status enter_own(struct gt_profile *p, struct gt_profile_go *g,
                           const gt_transition *change)
{
    if (!gt_profile_has(p, GT_PROFILE_OFFCPU) && !gt_profile_has(p, GT_PROFILE_WALL))
        return GT_OK;
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

static gt_status enter(struct gt_profile *p, struct gt_profile_go *g, const gt_transition *change)
{
    g->state = change->to;
    uint32_t slot = wait_slot(p, change);
    if (slot != GT_SLOT_NONE) {
        g->wait = (struct gt_span){p->event->time, 0, slot};
        gt_status status =
            gt_stackset_number(&p->stacks, p->reader, gt_event_stack(p->event), &g->wait.stack);
        if (status != GT_OK)
            return status;
    }
    return change->to <= GT_GO_SYSCALL ? enter_own(p, g, change) : GT_OK;
}

/* It no longer exists, or blocks for ever, where Go's summary ends as well. */
static gt_status end(struct gt_profile *p, struct gt_profile_go *g, int is_gone)
{
    gt_status status = gt_profile_end_span(p, g, &g->off, p->event->time);
    if (status == GT_OK)
        status = gt_profile_regions_close(p, g, p->event->time);
    if (!gt_profile_by_region(p))
        gt_tally_free(&g->late, &p->mem);
    g->over = !is_gone;
    if (!is_gone || status != GT_OK)
        return status;
    /* Only what C made leaves from a system call, and may come again. */
    int is_last = g->state != GT_GO_SYSCALL || !g->returns;
    g->state = GT_GO_NOT_EXIST;
    if (is_last) {
        status = gt_profile_go_settle(p, g);
        gt_profile_go_remove(p, g);
    }
    return status;
}

static gt_status change_state(struct gt_profile *p, struct gt_profile_go *g,
                              const gt_transition *change)
{
    gt_status status = GT_OK;
    /* What stays in its state does so since it entered it, unless it was not known why. */
    int goes_on = change->to == g->state &&
                  (g->wait.slot != GT_SLOT_NONE || wait_slot(p, change) == GT_SLOT_NONE);
    if (!goes_on)
        status = leave(p, g, change);
    if (status != GT_OK || goes_on)
        return status;
    int is_gone = change->to == GT_GO_NOT_EXIST;
    if (is_gone || (change->to == GT_GO_WAITING && is_text(change->reason, "forever")))
        return end(p, g, is_gone);
    return enter(p, g, change);
}

/* The goroutine of a transition; NULL: no memory. */
static struct gt_profile_go *find(struct gt_profile *p, const gt_transition *change)
{
    int begins = change->from == GT_GO_NOT_EXIST || change->from == GT_GO_UNDETERMINED;
    struct gt_profile_go *g = gt_idmap_get(&p->by_id, (uint64_t) change->resource.id);
    if (g && begins && change->to != change->from)
        return gt_profile_go_again(p, g) == GT_OK ? g : NULL;
    if (g)
        return g;
    g = gt_profile_go_add(p, change->resource.id);
    if (g)
        g->returns = change->from != GT_GO_NOT_EXIST || change->to == GT_GO_SYSCALL;
    return g;
}

gt_status gt_profile_transition(struct gt_profile *p)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(p->event, &change);
    if (status != GT_OK || change.resource.kind != GT_RESOURCE_GOROUTINE)
        return status;
    struct gt_profile_go *g = find(p, &change);
    if (!g)
        return gt_mem_failure(&p->mem);
    if (change.from == GT_GO_NOT_EXIST && gt_profile_by_region(p))
        status = gt_profile_region_inherit(p, g);
    int by_name = g->wanted == GT_WANTED_UNKNOWN || g->returns || gt_profile_by_region(p);
    if (status == GT_OK && by_name && !g->named && change.from != change.to)
        status = name(p, g, change.stack);
    if (status != GT_OK || g->over)
        return status;
    return change_state(p, g, &change);
}
