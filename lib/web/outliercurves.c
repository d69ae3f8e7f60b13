/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/outliercurves.h"

#include "base/text.h"
#include "web/findingcurves.h"
#include "web/scan.h"

/* What one thread has found. */
struct outlier_worker {
    const struct gt_outliercurve *curve;
    double values[GT_FINDINGCURVES_BINS];
    /* The last name, and whether it is one of the types. */
    uint32_t name;
    bool has_name, is_wanted;
};

static bool outlier_has_type(const struct gt_outliercurve *curve, gt_string name)
{
    bool found = false;
    for (size_t i = 0; i < curve->type_count && !found; i++)
        found = gt_text_equal(curve->types[i], name);
    return found;
}

static bool outlier_wants(struct outlier_worker *worker, const struct gt_store *store,
                          uint32_t name)
{
    if (!worker->has_name || worker->name != name)
        worker->is_wanted = outlier_has_type(worker->curve, gt_store_text(store, name));
    worker->has_name = true;
    worker->name = name;
    return worker->is_wanted;
}

static void outlier_span_add(struct outlier_worker *worker, const struct gt_span *span)
{
    const struct gt_timebins *bins = worker->curve->bins;
    double time = (double) gt_time_minus(span->end, span->start);
    size_t bin = span->start > 0 ? (size_t) (span->start / bins->width) : 0;
    for (; bin < bins->count && gt_timebins_start(bins, bin) <= span->end; bin++) {
        if (worker->values[bin] < time)
            worker->values[bin] = time;
    }
}

static bool outlier_part_add(void *user_data, const struct gt_scan_part *part)
{
    struct outlier_worker *worker = user_data;
    struct gt_span span;
    for (uint32_t i = part->first; i < part->last; i++) {
        if (gt_track_get(part->track, i, &span) && outlier_wants(worker, part->store, span.name))
            outlier_span_add(worker, &span);
    }
    return true;
}

bool gt_outliercurve_make(const struct gt_outliercurve *curve, struct gt_web *web, double *values)
{
    const struct gt_scope scope = {.start = 0,
                                   .end = INT64_MAX,
                                   .view = curve->is_of_regions ? GT_STORE_VIEW_GOROUTINE
                                                                : GT_VIEW_TASK};
    const size_t bytes = GT_SCAN_WORKERS * sizeof(struct outlier_worker);
    struct outlier_worker *workers = gt_mem_zeros(&web->mem, bytes);
    struct gt_scan scan = {.store = web->store,
                           .scope = &scope,
                           .lanes = UINT32_C(1)
                                    << (curve->is_of_regions ? GT_LANE_REGION : GT_LANE_TASK),
                           .each = outlier_part_add};
    if (!workers)
        return false;
    for (size_t i = 0; i < GT_SCAN_WORKERS; i++)
        workers[i].curve = curve;
    bool good = gt_scan_run(&scan, &workers[0], &workers[1]) == GT_SCAN_DONE;
    for (size_t i = 0; good && i < GT_SCAN_WORKERS; i++) {
        for (size_t bin = 0; bin < curve->bins->count; bin++) {
            if (values[bin] < workers[i].values[bin])
                values[bin] = workers[i].values[bin];
        }
    }
    gt_mem_free(&web->mem, workers, bytes);
    return good;
}
