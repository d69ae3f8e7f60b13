/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

/* Validates transitions: EventStateTransition in Go's testtrace/validation.go. */

/* The properties in which goroutines and procs differ. */
static const struct state_model {
    const char *name;
    const char *(*state_name)(uint32_t state);
    uint32_t undetermined;
    uint32_t not_exist;
    uint32_t running; /* a bit set of the states in which the subject has a thread */
} models[GT_SUBJECT_KINDS] = {
    [GT_SUBJECT_GOROUTINE] = {"goroutine", gt_go_state_name, GT_GO_UNDETERMINED, GT_GO_NOT_EXIST,
                              1u << GT_GO_RUNNING | 1u << GT_GO_SYSCALL},
    [GT_SUBJECT_PROC] = {"proc", gt_proc_state_name, GT_PROC_UNDETERMINED, GT_PROC_NOT_EXIST,
                         1u << GT_PROC_RUNNING},
};

/* A transition of a goroutine or a proc. */
struct transition {
    const gt_event *event;
    unsigned kind; /* GT_SUBJECT_GOROUTINE or GT_SUBJECT_PROC */
    const struct state_model *model;
    struct gt_subject *subject;
    uint32_t from, to; /* states */
    gt_stack stack;
};

static bool transition_runs_in(const struct transition *t, uint32_t state)
{
    return state < 32 && (t->model->running >> state & 1);
}

static gt_status transition_report(struct gt_validator *v, const struct transition *t, gt_rule rule,
                                   const char *what)
{
    return gt_validator_report(v, rule, "%s %d %s", t->model->name, t->subject->id, what);
}

static gt_status transition_report_old_state(struct gt_validator *v, const struct transition *t)
{
    const struct state_model *model = t->model;
    const char *from = model->state_name(t->from);
    if (t->subject->knowledge == GT_UNSEEN)
        return gt_validator_report(v, GT_RULE_FIRST_STATE,
                                   "%s %d leaves the state %s but is not known", model->name,
                                   t->subject->id, from);
    return gt_validator_report(v, GT_RULE_OLD_STATE, "%s %d leaves the state %s but is in %s",
                               model->name, t->subject->id, from,
                               model->state_name(t->subject->state));
}

/*
 * Returns whether a goroutine is said to wait, or to be in a system call, after it was created so.
 * Up to Go 1.21 that takes two events, of which the second one is the one that describes goroutines
 * when a trace begins. The goroutine of a thread that C has made is an example.
 */
static bool transition_completes_creation(const struct gt_validator *v, const struct transition *t)
{
    return v->options.version < GT_VALIDATE_THREADS && t->kind == GT_SUBJECT_GOROUTINE &&
           t->subject->state == GT_GO_RUNNABLE && t->from == GT_GO_UNDETERMINED &&
           (t->to == GT_GO_WAITING || t->to == GT_GO_SYSCALL);
}

/* Returns whether the old state of the transition agrees with the known state of the subject. */
static bool transition_old_state_fits(const struct gt_validator *v, const struct transition *t)
{
    switch (t->subject->knowledge) {
    case GT_SEEN:
        return t->from == t->subject->state || transition_completes_creation(v, t);
    case GT_STATELESS:
        return true;
    default:
        return t->from == t->model->undetermined || t->from == t->model->not_exist;
    }
}

static gt_status transition_check_states(struct gt_validator *v, const struct transition *t,
                                         bool fits)
{
    const struct state_model *model = t->model;
    if (t->to == model->undetermined)
        return transition_report(v, t, GT_RULE_UNDETERMINED, "becomes undetermined");
    bool was_undetermined = fits && t->subject->knowledge == GT_SEEN;
    if (t->from == model->undetermined && v->all_known && !was_undetermined)
        return transition_report(v, t, GT_RULE_UNDETERMINED,
                                 "is undetermined after the first generation");
    return fits ? GT_OK : transition_report_old_state(v, t);
}

/* Checks the ranges of a subject that ceases to exist. */
static gt_status transition_check_ranges(struct gt_validator *v, const struct transition *t)
{
    if (!t->subject->ranges)
        return GT_OK;
    gt_validator_drop_ranges(v, t->subject);
    return transition_report(v, t, GT_RULE_OPEN_RANGE,
                             "ceases to exist while a range of its is open");
}

/*
 * Returns whether the subject's thread may be unknown: up to Go 1.21 that is so for a goroutine
 * that has been in a system call since before the trace.
 */
static bool transition_may_lack_thread(const struct gt_validator *v, const struct transition *t)
{
    return v->options.version < GT_VALIDATE_THREADS && t->kind == GT_SUBJECT_GOROUTINE &&
           t->from == GT_GO_UNDETERMINED && t->to == GT_GO_SYSCALL;
}

static gt_status transition_report_taken(struct gt_validator *v, const struct transition *t,
                                         const struct gt_thread *thread)
{
    const struct gt_subject *subject = t->subject;
    const struct gt_subject *other = thread->runs[t->kind];
    const char *name = t->model->name;
    if (other)
        return gt_validator_report(v, GT_RULE_THREAD_TAKEN,
                                   "%s %d runs on thread %d, where %s %d does", name, subject->id,
                                   thread->subject.id, name, other->id);
    return gt_validator_report(v, GT_RULE_THREAD_TAKEN,
                               "%s %d runs on thread %d and also on thread %d", name, subject->id,
                               thread->subject.id, subject->thread->subject.id);
}

/*
 * Reports a finding if another subject runs on the thread, whose state is unknown from then on, or
 * if the subject runs on another thread.
 */
static gt_status transition_check_taken(struct gt_validator *v, const struct transition *t,
                                        struct gt_thread *thread)
{
    if (!thread->runs[t->kind] && !t->subject->thread)
        return GT_OK;
    gt_status status = transition_report_taken(v, t, thread);
    if (thread->runs[t->kind])
        thread->runs[t->kind]->knowledge = GT_STATELESS;
    return status;
}

/*
 * Checks the thread of a subject that runs in its new state. Up to Go 1.21 the event's thread is
 * the one on which its proc last started, on which other procs and goroutines may run by now.
 */
static gt_status transition_check_run(struct gt_validator *v, const struct transition *t)
{
    struct gt_subject *subject = t->subject;
    if (t->event->thread == GT_NO_THREAD) {
        gt_subject_release(subject, t->kind);
        if (transition_may_lack_thread(v, t))
            return GT_OK;
        return transition_report(v, t, GT_RULE_NO_THREAD, "runs on no thread");
    }
    struct gt_thread *thread = gt_subjects_thread(&v->subjects, t->event->thread);
    if (!thread)
        return gt_mem_failure(&v->mem);
    thread->subject.knowledge = GT_SEEN;
    if (subject->thread == thread || v->options.version < GT_VALIDATE_THREADS)
        return GT_OK;
    gt_status status = transition_check_taken(v, t, thread);
    gt_subject_put(subject, t->kind, thread);
    return status;
}

/*
 * Returns whether the subject stops itself, but on a thread other than its own. A stolen proc is
 * stopped from another thread, but then the event's own proc is another one.
 */
static bool transition_stops_elsewhere(const struct transition *t)
{
    const struct gt_thread *thread = t->subject->thread;
    const gt_event *event = t->event;
    int64_t own = t->kind == GT_SUBJECT_GOROUTINE ? event->goroutine : event->proc;
    return thread && own == t->subject->id && event->thread != thread->subject.id;
}

/* Checks a subject that ran in its old state and does not run in its new one. */
static gt_status transition_check_stop(struct gt_validator *v, const struct transition *t)
{
    const gt_event *event = t->event;
    if (transition_stops_elsewhere(t))
        return gt_validator_report(v, GT_RULE_NOT_RUNNING,
                                   "%s %d stops on thread %d but runs on thread %d", t->model->name,
                                   t->subject->id, event->thread, t->subject->thread->subject.id);
    if (t->kind == GT_SUBJECT_GOROUTINE && t->stack != gt_event_stack(event))
        return transition_report(v, t, GT_RULE_STOP_STACK,
                                 "stops with a stack that is not the event's");
    return GT_OK;
}

/* Checks the thread of the subject, and records its thread in its new state. */
static gt_status transition_check_thread(struct gt_validator *v, const struct transition *t,
                                         bool fits)
{
    struct gt_subject *subject = t->subject;
    gt_status status = GT_OK;
    if (!fits) /* Its thread is as uncertain as its state. */
        gt_subject_release(subject, t->kind);
    if (transition_runs_in(t, t->to))
        return transition_check_run(v, t);
    if (transition_runs_in(t, t->from))
        status = transition_check_stop(v, t);
    gt_subject_release(subject, t->kind);
    if (t->to == t->model->not_exist)
        gt_subjects_forget(&v->subjects, t->kind, subject);
    return status;
}

static gt_status transition_check(struct gt_validator *v, const struct transition *t)
{
    struct gt_subject *subject = t->subject;
    bool fits = transition_old_state_fits(v, t);
    gt_status status = transition_check_states(v, t, fits);
    if (status == GT_OK && t->to == t->model->not_exist)
        status = transition_check_ranges(v, t);
    if (subject->knowledge == GT_UNSEEN && t->from == t->model->undetermined)
        subject->is_older = true;
    subject->state = t->to;
    subject->knowledge = GT_SEEN;
    return status == GT_OK ? transition_check_thread(v, t, fits) : status;
}

gt_status gt_validate_transition(struct gt_validator *v, const gt_event *event)
{
    gt_transition said = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &said);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_transition", status);
    if (said.stack != gt_event_stack(event))
        status = gt_validate_stack(v, said.stack);
    if (status != GT_OK)
        return status;
    struct transition t = {.event = event, .from = said.from, .to = said.to, .stack = said.stack};
    switch (said.resource.kind) {
    case GT_RESOURCE_GOROUTINE:
        t.kind = GT_SUBJECT_GOROUTINE;
        break;
    case GT_RESOURCE_PROC:
        t.kind = GT_SUBJECT_PROC;
        break;
    default:
        return GT_OK;
    }
    t.model = &models[t.kind];
    t.subject = gt_subjects_get(&v->subjects, t.kind, said.resource.id);
    return t.subject ? transition_check(v, &t) : gt_mem_failure(&v->mem);
}
