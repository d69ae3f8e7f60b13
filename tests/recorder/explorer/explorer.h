/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RECORDER_EXPLORER_H
#define TESTS_RECORDER_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Runs a few threads of a program in all orders with at most so many preemptions. The threads are
 * coroutines, which change places only at atomic operations, and where they wait. A thread that is
 * preempted may leave stores in its buffer, which others do not see before it runs again.
 */

enum {
    EXPLORER_THREADS = 4
};

/* What freed memory contains. To load it is a fault. */
#define EXPLORER_FREED      0xdd
#define EXPLORER_FREED_WORD UINT64_C(0xdddddddddddddddd)

typedef void (*explorer_body)(void *scene);

/* Begins the exploration. */
void explorer_begin(unsigned preemptions);

/* Runs threads up to their ends, in the next order. */
void explorer_run(const explorer_body *bodies, size_t count, void *scene);

/* Goes on to the next order. Returns false if there is none. */
bool explorer_next(void);

/* The number of the running thread, from 0; EXPLORER_THREADS outside of explorer_run. */
size_t explorer_self(void);

/* The running thread waits for another one. */
void explorer_wait(void);

/* Lets another thread go on, if there is one that has not ended. */
void explorer_pass(void);

/* A point at which another thread may continue. */
void explorer_point(void);

/* Whether no other thread may continue at the points of the running one, until it waits. */
void explorer_hold(bool holds);

/* Makes the stores of the running thread visible. */
void explorer_flush(void);

/* Makes the stores of all threads visible. */
void explorer_barrier(void);

/* Writes the decisions that led to the present order. */
void explorer_print(void);

#endif
