/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TWINS_FIBERS_H
#define TWINS_FIBERS_H

#include <stdbool.h>

#include <gotrace/recorder.h>

/*
 * A small scheduler that runs many fibers on few threads, with what Go programs use to wait for
 * each other, and that records itself as a trace.
 */

/* Runs `main` and what it starts on so many threads, until all fibers have ended. */
void fibers_run(gt_recorder *recorder, unsigned threads, void (*main)(void *argument));

/* The text with a name, for the functions below and for types of tasks and regions. */
gt_rec_text fibers_text(const char *name);

/* All below are called by fibers. */

/* The thread on which the fiber runs, until it waits the next time. */
gt_rec_thread *fibers_thread(void);

void fibers_go(const char *name, void (*function)(void *argument), void *argument);
void fibers_sleep(unsigned milliseconds);

struct fiber;

/* A list of fibers that wait, first come, first served. Starts as zeros, as all below. */
struct fiber_list {
    struct fiber *first, *last;
};

/* A channel without a buffer. */
struct channel {
    struct fiber_list senders, receivers;
    bool is_closed;
};

void channel_send(struct channel *channel, long value);

/* Returns false if there is no value, because the channel was closed. */
bool channel_receive(struct channel *channel, long *value);
void channel_close(struct channel *channel);

struct fiber_mutex {
    struct fiber_list waiting;
    bool is_locked;
};

void fiber_lock(struct fiber_mutex *mutex);
void fiber_unlock(struct fiber_mutex *mutex);

/* Waits until a number of others are done. */
struct fiber_group {
    struct fiber_list waiting;
    unsigned count;
};

void group_add(struct fiber_group *group, unsigned count);
void group_done(struct fiber_group *group);
void group_wait(struct fiber_group *group);

#endif
