/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/mmu.h>

#include "base/text.h"

static const struct {
    uint64_t flag;
    const char *name;
} mmu_flags[] = {
    {GT_MMU_STW, "stw"},     {GT_MMU_BACKGROUND, "background"}, {GT_MMU_ASSIST, "assist"},
    {GT_MMU_SWEEP, "sweep"}, {GT_MMU_PER_PROC, "perproc"},      {GT_MMU_EXACT, "exact"},
};

const char *gt_mmu_flag_name(uint64_t flag)
{
    for (size_t i = 0; i < sizeof(mmu_flags) / sizeof(mmu_flags[0]); i++) {
        if (mmu_flags[i].flag == flag)
            return mmu_flags[i].name;
    }
    return NULL;
}

uint64_t gt_mmu_flag_find(gt_string name)
{
    for (size_t i = 0; i < sizeof(mmu_flags) / sizeof(mmu_flags[0]); i++) {
        if (gt_text_is(name, mmu_flags[i].name))
            return mmu_flags[i].flag;
    }
    return 0;
}
