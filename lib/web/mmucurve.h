/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_MMUCURVE_H
#define GT_WEB_MMUCURVE_H

/* What curves of mutator utilisation are of. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MMUCURVE_FLAGS = 6,
    MMUCURVE_QUANTILES = 3
};

/* What counts for a curve: GT_MMU_ bits. */
struct mmucurve_flag {
    const char *name;
    uint64_t flag;
};

extern const struct mmucurve_flag mmucurve_flags[MMUCURVE_FLAGS];

/* Parts of all windows that are worse; as in Go's viewer, in rising order. */
extern const double mmucurve_quantiles[MMUCURVE_QUANTILES];

/* The flag of a name of `size` bytes, or 0. */
uint64_t mmucurve_find_flag(const char *name, size_t size);

/* The length number `i` of `count` (at least 2), from 1 us to `longest`, in equal ratios. */
int64_t mmucurve_window(int64_t longest, int64_t i, int64_t count);

#endif
