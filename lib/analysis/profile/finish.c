/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/profile.h"

/* The results: what was counted, and what is open as if it ended with the last event. */

static gt_status profiled_spans_end(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine)
{
    gt_status status =
        gt_profile_end_span(profile, goroutine, &goroutine->wall, profile->last_time);
    if (status == GT_OK)
        status = gt_profile_end_span(profile, goroutine, &goroutine->off, profile->last_time);
    if (status == GT_OK && profile->counts_all)
        status = gt_profile_end_span(profile, goroutine, &goroutine->wait, profile->last_time);
    return status;
}

/* Open spans end with the last event, open regions with the last Sync event. */
gt_status gt_profile_goroutine_finish(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine)
{
    gt_status status = profiled_spans_end(profile, goroutine);
    if (status == GT_OK)
        status = gt_profile_regions_close(profile, goroutine, profile->sync_time);
    return status == GT_OK ? gt_profile_goroutine_settle(profile, goroutine) : status;
}

static gt_status profile_settle(struct gt_profile *profile)
{
    gt_status status = profile->is_first ? gt_profile_past_settle(profile) : GT_OK;
    for (struct gt_profile_goroutine *goroutine = profile->alive; goroutine && status == GT_OK;
         goroutine = goroutine->next)
        status = gt_profile_goroutine_finish(profile, goroutine);
    return status;
}

gt_status gt_profile_finish(gt_profile *profile)
{
    if (!profile || profile->busy || profile->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (profile->failure != GT_OK)
        return profile->failure;
    profile->busy = true;
    profile->is_counting = false;
    profile->failure = profile_settle(profile);
    if (profile->failure == GT_OK) {
        gt_profile_goroutines_free(profile);
        profile->failure = gt_profile_rows_make(profile);
        gt_tally_free(&profile->total, &profile->mem);
    }
    profile->finished = profile->has_results = profile->failure == GT_OK;
    profile->selected_results = profile->selected;
    profile->busy = false;
    return profile->failure;
}
