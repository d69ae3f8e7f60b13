/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_MMUCURVE_H
#define GT_WEB_MMUCURVE_H

/* The parameters of curves of mutator utilisation: flags, quantiles and windows. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

enum {
    GT_MMUCURVE_FLAGS = 6,
    GT_MMUCURVE_QUANTILES = 3
};

/* The name of a flag that selects what counts for a curve. `flag` is one GT_MMU_ bit. */
struct gt_mmucurve_flag {
    const char *name;
    uint64_t flag;
};

extern const struct gt_mmucurve_flag gt_mmucurve_flags[GT_MMUCURVE_FLAGS];

/*
 * For each quantile, the fraction of all windows that are worse. They are the same as in Go's
 * viewer, in ascending order.
 */
extern const double gt_mmucurve_quantiles[GT_MMUCURVE_QUANTILES];

/* Returns the flag with this name, or 0 if there is none. */
uint64_t gt_mmucurve_find_flag(gt_string name);

/*
 * Returns window number `i` of `count` in nanoseconds. The windows form a geometric sequence from
 * 1 us to `longest`. `count` is at least 2.
 */
int64_t gt_mmucurve_window(int64_t longest, int64_t i, int64_t count);

#endif
