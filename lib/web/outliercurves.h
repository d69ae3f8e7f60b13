/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_OUTLIERCURVES_H
#define GT_WEB_OUTLIERCURVES_H

/* The curves of tasks and regions that take far longer than others of their type. */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/types.h>

#include "web/timebins.h"
#include "web/web.h"

struct gt_outliercurve {
    const struct gt_timebins *bins;
    /* Regions of goroutines instead of tasks. */
    bool is_of_regions;
    /* The types. */
    const gt_string *types;
    size_t type_count;
};

/*
 * Sets `values`, one for each bin, to how long the longest task or region of these types takes that
 * exists in the bin. Returns false if memory runs out.
 */
bool gt_outliercurve_make(const struct gt_outliercurve *curve, struct gt_web *web, double *values);

#endif
