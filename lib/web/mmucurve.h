/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_MMUCURVE_H
#define GT_WEB_MMUCURVE_H

/* What curves of mutator utilisation are of. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GT_MMUCURVE_FLAGS = 6,
    GT_MMUCURVE_QUANTILES = 3
};

/* What counts for a curve: GT_MMU_ bits. */
struct gt_mmucurve_flag {
    const char *name;
    uint64_t flag;
};

extern const struct gt_mmucurve_flag gt_mmucurve_flags[GT_MMUCURVE_FLAGS];

/* Parts of all windows that are worse; as in Go's viewer, in rising order. */
extern const double gt_mmucurve_quantiles[GT_MMUCURVE_QUANTILES];

/* The flag of a name of `size` bytes, or 0. */
uint64_t gt_mmucurve_find_flag(const char *name, size_t size);

/* The length number `i` of `count` (at least 2), from 1 us to `longest`, in equal ratios. */
int64_t gt_mmucurve_window(int64_t longest, int64_t i, int64_t count);

#endif
