/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

/* EventStateTransition in testtrace/validation.go. */

/* What goroutines and procs differ in. */
static const struct kind {
    const char *name;
    const char *(*state_name)(uint32_t state);
    uint32_t undetermined;
    uint32_t not_exist;
    uint32_t running; /* bits of the states in which it has a thread */
} kinds[GT_SUBJECT_KINDS] = {
    [GT_SUBJECT_GOROUTINE] = {"goroutine", gt_go_state_name, GT_GO_UNDETERMINED, GT_GO_NOT_EXIST,
                              1u << GT_GO_RUNNING | 1u << GT_GO_SYSCALL},
    [GT_SUBJECT_PROC] = {"proc", gt_proc_state_name, GT_PROC_UNDETERMINED, GT_PROC_NOT_EXIST,
                         1u << GT_PROC_RUNNING},
};

/* A transition and what it is of. */
struct change {
    const gt_event *event;
    const gt_transition *said;
    const struct kind *kind;
    unsigned of; /* index of `kind` */
    struct gt_subject *subject;
};

static int runs(const struct change *change, uint32_t state)
{
    return state < 32 && (change->kind->running >> state & 1);
}

static gt_status found(struct gt_validator *v, const struct change *change, gt_rule rule,
                       const char *what)
{
    return gt_found(v, rule, "%s %d %s", change->kind->name, change->subject->id, what);
}

static gt_status found_old_state(struct gt_validator *v, const struct change *change)
{
    const struct kind *kind = change->kind;
    const char *from = kind->state_name(change->said->from);
    if (change->subject->knowledge == GT_UNSEEN)
        return gt_found(v, GT_RULE_FIRST_STATE, "%s %d leaves the state %s but is not known",
                        kind->name, change->subject->id, from);
    return gt_found(v, GT_RULE_OLD_STATE, "%s %d leaves the state %s but is in %s", kind->name,
                    change->subject->id, from, kind->state_name(change->subject->state));
}

static int fits(const struct change *change)
{
    uint32_t from = change->said->from;
    switch (change->subject->knowledge) {
    case GT_SEEN:
        return from == change->subject->state;
    case GT_STATELESS:
        return 1;
    default:
        return from == change->kind->undetermined || from == change->kind->not_exist;
    }
}

/* Looks at the states; `*good` becomes whether the old one is what it was known to be. */
static gt_status look_at_states(struct gt_validator *v, const struct change *change, int *good)
{
    const struct kind *kind = change->kind;
    *good = fits(change);
    if (change->said->to == kind->undetermined)
        return found(v, change, GT_RULE_UNDETERMINED, "becomes undetermined");
    int known = change->subject->knowledge == GT_SEEN;
    if (change->said->from == kind->undetermined && v->all_known && !(known && *good))
        return found(v, change, GT_RULE_UNDETERMINED, "is undetermined after the first generation");
    return *good ? GT_OK : found_old_state(v, change);
}

/* It ceases to exist. */
static gt_status look_at_ranges(struct gt_validator *v, const struct change *change)
{
    if (!change->subject->ranges)
        return GT_OK;
    gt_ranges_drop(v, change->subject);
    return found(v, change, GT_RULE_OPEN_RANGE, "ceases to exist while a range of its is open");
}

/* Before Go 1.22 a goroutine that was in a system call all along has no thread. */
static int may_lack_thread(const struct gt_validator *v, const struct change *change)
{
    return v->options.version < GT_VALIDATE_THREADS && change->of == GT_SUBJECT_GOROUTINE &&
           change->said->from == GT_GO_UNDETERMINED && change->said->to == GT_GO_SYSCALL;
}

static gt_status found_taken(struct gt_validator *v, const struct change *change,
                             const struct gt_thread *thread)
{
    const struct gt_subject *subject = change->subject;
    const struct gt_subject *other = thread->has[change->of];
    const char *name = change->kind->name;
    if (other)
        return gt_found(v, GT_RULE_THREAD_TAKEN, "%s %d runs on thread %d, where %s %d does", name,
                        subject->id, thread->subject.id, name, other->id);
    return gt_found(v, GT_RULE_THREAD_TAKEN, "%s %d runs on thread %d and also on thread %d", name,
                    subject->id, thread->subject.id, subject->thread->subject.id);
}

/* Whoever is on the thread has left it, and when that was nobody said. */
static gt_status evict(struct gt_validator *v, const struct change *change,
                       struct gt_thread *thread)
{
    if (!thread->has[change->of] && !change->subject->thread)
        return GT_OK;
    gt_status status = found_taken(v, change, thread);
    if (thread->has[change->of])
        thread->has[change->of]->knowledge = GT_STATELESS;
    return status;
}

/*
 * It runs, or goes on to. Before Go 1.22 the thread is the one on which the proc was
 * last seen to start, and other procs and goroutines may be there by then.
 */
static gt_status look_at_run(struct gt_validator *v, const struct change *change)
{
    struct gt_subject *subject = change->subject;
    if (change->event->thread == GT_NO_THREAD) {
        gt_subject_release(subject, change->of);
        return may_lack_thread(v, change)
                   ? GT_OK
                   : found(v, change, GT_RULE_NO_THREAD, "runs on no thread");
    }
    struct gt_thread *thread = gt_subjects_thread(&v->subjects, change->event->thread);
    if (!thread)
        return gt_mem_failure(&v->mem);
    thread->subject.knowledge = GT_SEEN;
    if (subject->thread == thread || v->options.version < GT_VALIDATE_THREADS)
        return GT_OK;
    gt_status status = evict(v, change, thread);
    gt_subject_put(subject, change->of, thread);
    return status;
}

/*
 * Who stops a goroutine or a proc of its own context is on its thread; who steals a
 * proc is not.
 */
static int stops_elsewhere(const struct change *change)
{
    const struct gt_thread *thread = change->subject->thread;
    const gt_event *event = change->event;
    int64_t own = change->of == GT_SUBJECT_GOROUTINE ? event->goroutine : event->proc;
    return thread && own == change->subject->id && event->thread != thread->subject.id;
}

/* It ran, and does so no longer. */
static gt_status look_at_stop(struct gt_validator *v, const struct change *change)
{
    const gt_event *event = change->event;
    if (stops_elsewhere(change))
        return gt_found(v, GT_RULE_NOT_RUNNING, "%s %d stops on thread %d but runs on thread %d",
                        change->kind->name, change->subject->id, event->thread,
                        change->subject->thread->subject.id);
    if (change->of == GT_SUBJECT_GOROUTINE && change->said->stack != gt_event_stack(event))
        return found(v, change, GT_RULE_STOP_STACK, "stops with a stack that is not the event's");
    return GT_OK;
}

/* It is in its new state. */
static gt_status look_at_place(struct gt_validator *v, const struct change *change, int good)
{
    struct gt_subject *subject = change->subject;
    gt_status status = GT_OK;
    if (!good) /* where it was is not known either */
        gt_subject_release(subject, change->of);
    if (runs(change, change->said->to))
        return look_at_run(v, change);
    if (runs(change, change->said->from))
        status = look_at_stop(v, change);
    gt_subject_release(subject, change->of);
    if (change->said->to == change->kind->not_exist)
        gt_subjects_forget(&v->subjects, change->of, subject);
    return status;
}

static gt_status look_at_change(struct gt_validator *v, const struct change *change)
{
    struct gt_subject *subject = change->subject;
    int good;
    gt_status status = look_at_states(v, change, &good);
    if (status == GT_OK && change->said->to == change->kind->not_exist)
        status = look_at_ranges(v, change);
    if (subject->knowledge == GT_UNSEEN && change->said->from == change->kind->undetermined)
        subject->older = 1;
    subject->state = change->said->to;
    subject->knowledge = GT_SEEN;
    return status != GT_OK ? status : look_at_place(v, change, good);
}

gt_status gt_look_transition(struct gt_validator *v, const gt_event *event)
{
    gt_transition said = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &said);
    if (status != GT_OK)
        return gt_found_getter(v, "gt_event_transition", status);
    if (said.stack != gt_event_stack(event))
        status = gt_look_stack(v, said.stack);
    if (status != GT_OK)
        return status;
    if (said.resource.kind != GT_RESOURCE_GOROUTINE && said.resource.kind != GT_RESOURCE_PROC)
        return GT_OK;
    struct change change = {event, &said, NULL, GT_SUBJECT_GOROUTINE, NULL};
    if (said.resource.kind == GT_RESOURCE_PROC)
        change.of = GT_SUBJECT_PROC;
    change.kind = &kinds[change.of];
    change.subject = gt_subjects_get(&v->subjects, change.of, said.resource.id);
    return change.subject ? look_at_change(v, &change) : gt_mem_failure(&v->mem);
}
