/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"
#include "base/system.h"

/* Decides by its name whether a goroutine is selected, and counts or drops what was pending. */
static gt_status profiled_choose(struct gt_profile *profile, struct gt_profile_goroutine *goroutine,
                                 gt_string root)
{
    goroutine->wanted =
        gt_text_equal(profile->options.goroutine, root) ? GT_WANTED_YES : GT_WANTED_NO;
    if (goroutine->wanted == GT_WANTED_NO) {
        gt_tally_free(&goroutine->pending, &profile->mem);
        return GT_OK;
    }
    profile->selected++;
    return gt_tally_move(&profile->total, &profile->mem, &goroutine->pending, profile->sync);
}

gt_status gt_profile_goroutine_stay(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine)
{
    struct gt_tally *to =
        goroutine->wanted == GT_WANTED_YES ? &profile->total : &goroutine->pending;
    if (goroutine->has_run)
        gt_tally_free(&goroutine->before_run, &profile->mem);
    if (goroutine->wanted != GT_WANTED_NO)
        return gt_tally_move(to, &profile->mem, &goroutine->own, profile->sync);
    gt_tally_free(&goroutine->own, &profile->mem);
    return GT_OK;
}

gt_status gt_profile_goroutine_name(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine, gt_stack stack)
{
    uint32_t number;
    gt_status status =
        gt_stackset_number(&profile->stacks, profile->reader, profile->event, stack, &number);
    gt_string root = {"", 0};
    if (status == GT_OK)
        root = gt_stackset_root(&profile->stacks, number);
    if (root.size == 0)
        return status;
    goroutine->has_name = true;
    goroutine->is_system = gt_is_system_goroutine(root);
    if (goroutine->wanted == GT_WANTED_UNKNOWN)
        status = profiled_choose(profile, goroutine, root);
    if (status != GT_OK || !goroutine->may_be_c || gt_text_is(root, "runtime.cgocallback"))
        return status;
    goroutine->may_be_c = false;
    return profile->is_first ? GT_OK : gt_profile_goroutine_stay(profile, goroutine);
}
