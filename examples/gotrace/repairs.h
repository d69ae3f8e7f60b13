/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPAIRS_H
#define REPAIRS_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

struct repairs_kind;

/*
 * What was repaired in a trace. Repairs that differ in nothing but numbers and the name of the
 * event are of one kind, because one lost batch can make a hundred thousand of them. Its members
 * begin as zeros.
 */
struct repairs {
    struct repairs_kind *kinds; /* in the order in which they first occurred. Owned. */
    size_t count;
    uint64_t others; /* the number of repairs for whose kinds there is no room */
};

/* Adds a repair. */
void repairs_add(struct repairs *repairs, const gt_error *repair);

/* Reports on standard error the first repair of each kind, and how many others are like it. */
void repairs_report(const struct repairs *repairs, const char *name);

/* Forgets all repairs, and frees their memory. */
void repairs_clear(struct repairs *repairs);

#endif
