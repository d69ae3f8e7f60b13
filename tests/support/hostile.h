/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_HOSTILE_H
#define TESTS_SUPPORT_HOSTILE_H

#include <stddef.h>

#include <gotrace/status.h>

#include "support/wire.h"

/* A kind of trace that is slow or large for a careless reader. */
struct hostile {
    const char *name;
    /* Writes one of `n` things, whatever there are many of. */
    void (*write)(struct wire *wire, uint64_t n);
    /* An `n` that gives about 100 KB. */
    uint64_t n;
    /* How reading it ends. */
    gt_status status;
};

extern const struct hostile hostiles[];
extern const size_t hostile_count;

/* Those that are so for who makes something of the events. */
extern const struct hostile event_hostiles[];
extern const size_t event_hostile_count;

/* Damaged ones. */
extern const struct hostile damage_hostiles[];
extern const size_t damage_hostile_count;

/* A thread's first event waits for one of the last of `n` other threads. */
void hostile_parked(struct wire *wire, uint64_t n);

#endif
