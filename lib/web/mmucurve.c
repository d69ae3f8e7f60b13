/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/mmucurve.h"

#include <math.h>

#include <gotrace/mmu.h>

#include "base/text.h"

const struct gt_mmucurve_flag gt_mmucurve_flags[GT_MMUCURVE_FLAGS] = {
    {"stw", GT_MMU_STW},     {"background", GT_MMU_BACKGROUND}, {"assist", GT_MMU_ASSIST},
    {"sweep", GT_MMU_SWEEP}, {"exact", GT_MMU_EXACT},           {"perproc", GT_MMU_PER_PROC},
};

const double gt_mmucurve_quantiles[GT_MMUCURVE_QUANTILES] = {0.001, 0.01, 0.05};

uint64_t gt_mmucurve_find_flag(gt_string name)
{
    for (size_t i = 0; i < GT_MMUCURVE_FLAGS; i++) {
        if (gt_text_is(name, gt_mmucurve_flags[i].name))
            return gt_mmucurve_flags[i].flag;
    }
    return 0;
}

int64_t gt_mmucurve_window(int64_t longest, int64_t i, int64_t count)
{
    const double shortest = 1000;
    double ratio = fmax(shortest, (double) longest) / shortest;
    double part = (double) i / (double) (count - 1);
    return (int64_t) (shortest * pow(ratio, part) + 0.5);
}
