/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/states.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* Returns the state of the resource; a new one is undetermined. */
static struct state *find(struct states *states, gt_resource resource)
{
    struct state *state;

    for (size_t i = 0; i < states->count; i++) {
        state = &states->all[i];
        if (state->resource.kind == resource.kind && state->resource.id == resource.id)
            return state;
    }
    if (states->count == states->capacity) {
        states->capacity = states->capacity ? 2 * states->capacity : 64;
        states->all = realloc(states->all, states->capacity * sizeof(*states->all));
        assert_non_null(states->all);
    }
    state = &states->all[states->count++];
    *state = (struct state){resource, GT_GO_UNDETERMINED};
    return state;
}

int states_follow(struct states *states, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    struct state *state;
    int follows;

    if (event->kind != GT_EVENT_STATE_TRANSITION)
        return 1;
    assert_status(gt_event_transition(event, &transition), GT_OK);
    state = find(states, transition.resource);
    /* These two states have the same number for both kinds of resources. */
    /* As in Go, a CPU sample in a system call ends it. */
    if (event->proc == GT_STAND_IN_SYSCALLS && state->state == GT_GO_RUNNING)
        state->state = GT_GO_SYSCALL;
    follows = transition.from == state->state ||
              (state->state == GT_GO_UNDETERMINED && transition.from == GT_GO_NOT_EXIST) ||
              /* As in Go, a resource that has ended is unknown. */
              (state->state == GT_GO_NOT_EXIST && transition.from == GT_GO_UNDETERMINED);
    state->state = transition.to;
    return follows;
}

void states_free(struct states *states)
{
    free(states->all);
    memset(states, 0, sizeof(*states));
}
