/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_STATES_H
#define TESTS_SUPPORT_STATES_H

#include <stddef.h>

#include <gotrace/gotrace.h>

/* The states of all goroutines and procs in a trace. Starts as zeros. */
struct states {
    struct state {
        gt_resource resource;
        uint32_t state;
    } * all;

    size_t count;
    size_t capacity;
};

/*
 * Adds an event. Returns whether it can follow: a transition must begin in the state in which the
 * last one of its goroutine or proc ended; the first one has no state before it.
 */
int states_follow(struct states *states, const gt_event *event);

void states_free(struct states *states);

#endif
