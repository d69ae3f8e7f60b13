/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_LIMITS_KINDS_H
#define TESTS_LIMITS_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "support/hostile.h"

/* All kinds of hostile traces, from all tables. */
struct kind {
    const struct hostile *hostile;
    /* The name of its table: "v2", "events", "damage" or "v1". */
    const char *table;
};

size_t kinds_count(void);
struct kind kinds_get(size_t index);

/* The same, in a block from malloc. */
struct kind *kinds_new(size_t index);

/* Makes a trace of `n` things, from malloc in a block of exactly its size. */
uint8_t *kinds_write(const struct kind *kind, uint64_t n, size_t *size);

#endif
