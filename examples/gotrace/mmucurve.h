/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MMUCURVE_H
#define MMUCURVE_H

/* The parameters of curves of minimum mutator utilisation. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MMUCURVE_FLAGS = 6,
    MMUCURVE_QUANTILES = 3
};

/* What counts as time of the collector: the name of a GT_MMU_ bit. */
struct mmucurve_flag {
    const char *name;
    uint64_t flag;
};

extern const struct mmucurve_flag mmucurve_flags[MMUCURVE_FLAGS];

/* The shares of the worst windows that Go's viewer shows, in ascending order. */
extern const double mmucurve_quantiles[MMUCURVE_QUANTILES];

/* Returns the flag whose name has the `size` bytes at `name`, or 0. */
uint64_t mmucurve_find_flag(const char *name, size_t size);

/*
 * Returns the window length number `i` of `count` (at least 2); they form a geometric sequence
 * from 1 us to `longest`.
 */
int64_t mmucurve_window(int64_t longest, int64_t i, int64_t count);

#endif
