/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_STATES_H
#define TESTS_SUPPORT_STATES_H

#include <stddef.h>

#include <gotrace/gotrace.h>

/* The states of all goroutines and procs that a trace spoke of. Starts as all zeros. */
struct states {
    struct state {
        gt_resource resource;
        uint32_t state;
    } * all;

    size_t count;
    size_t capacity;
};

/*
 * Takes in an event. Returns whether it can follow: a transition begins in the
 * state that the last one of its goroutine or proc led to, and the first in none.
 */
int states_follow(struct states *states, const gt_event *event);

void states_free(struct states *states);

#endif
