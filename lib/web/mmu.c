/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /api/mmu and /api/mmu/worst: how much of the CPU time the garbage collector leaves to the
 * program.
 */
#include <math.h>
#include <string.h>

#include <gotrace/mmu.h>

#include "base/text.h"
#include "base/time.h"
#include "web/analysis.h"
#include "web/endpoints.h"
#include "web/json.h"
#include "web/query.h"

enum {
    POINTS = 100,
    WORST = 10,
    QUANTILES = 3
};

/*
 * For each quantile, the fraction of all windows that are worse. They are the same as in Go's
 * viewer, in ascending order.
 */
static const double curve_quantiles[QUANTILES] = {0.001, 0.01, 0.05};

/* An estimate for reading_share, as the real share is not known in advance. */
#define READING_SHARE 0.7

struct point {
    int64_t window;
    double minimum;
    double quantiles[QUANTILES];
};

/* The result of an analysis. The key of the analysis is the flags. */
struct curve {
    /* Protects `mmu`, as a gt_mmu may be used by one thread at a time only. */
    pthread_mutex_t lock;
    gt_mmu *mmu;
    bool begun;
    /* The time of the trace's first event. */
    int64_t start;
    struct point points[POINTS];
    size_t count;
};

static gt_status curve_event_take(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct curve *curve = user_data;
    (void) reader;
    if (!curve->begun)
        curve->start = event->time;
    curve->begun = true;
    return gt_mmu_event(curve->mmu, event);
}

static gt_status curve_point_find(struct curve *curve, int64_t window)
{
    struct point *point = &curve->points[curve->count++];
    point->window = window;
    gt_status status = gt_mmu_minimum(curve->mmu, window, &point->minimum);
    if (status != GT_OK)
        return status;
    return gt_mmu_quantiles(curve->mmu, window, curve_quantiles, QUANTILES, point->quantiles);
}

/* Returns window number `i` in nanoseconds. They form a geometric sequence from 1 us to `longest`.
 */
static int64_t curve_window(int64_t longest, int64_t i)
{
    const double shortest = 1000;
    double ratio = fmax(shortest, (double) longest) / shortest;
    double part = (double) i / (double) (POINTS - 1);
    return (int64_t) (shortest * pow(ratio, part) + 0.5);
}

static bool curve_points_find(struct gt_analysis_pass *pass, struct curve *curve)
{
    int64_t start, end;
    gt_status status = gt_mmu_finish(curve->mmu);
    if (status == GT_OK)
        status = gt_mmu_range(curve->mmu, &start, &end);
    for (int64_t i = 0; i < POINTS && status == GT_OK && end > start; i++) {
        if (!gt_analysis_go_on(pass, READING_SHARE + (1 - READING_SHARE) * (double) i / POINTS))
            return false;
        status = curve_point_find(curve, curve_window(gt_time_minus(end, start), i));
    }
    if (status != GT_OK)
        gt_analysis_fail(pass, status);
    return status == GT_OK;
}

static void curve_free(struct gt_mem *mem, void *result)
{
    struct curve *curve = result;
    gt_mmu_close(&curve->mmu);
    pthread_mutex_destroy(&curve->lock);
    gt_mem_free(mem, curve, sizeof(*curve));
}

static void *curve_run(struct gt_analysis_pass *pass, const void *key)
{
    gt_mmu_options options = GT_MMU_OPTIONS_INIT;
    struct gt_mem *mem = &pass->web->mem;
    struct curve *curve = gt_mem_zeros(mem, sizeof(*curve));
    if (!curve || pthread_mutex_init(&curve->lock, NULL) != 0) {
        gt_mem_free(mem, curve, sizeof(*curve));
        return gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    }
    options.allocator = &mem->allocator;
    memcpy(&options.flags, key, sizeof(options.flags));
    pass->reading_share = READING_SHARE;
    gt_status status = gt_mmu_open(&curve->mmu, &options, NULL);
    if (status != GT_OK)
        gt_analysis_fail(pass, status);
    else if (gt_analysis_read(pass, curve_event_take, curve) && curve_points_find(pass, curve))
        return curve;
    curve_free(mem, curve);
    return NULL;
}

static const struct gt_analysis_kind curve_kind = {curve_run, curve_free};

/*
 * Parses the parameter "flags", which has the same form as in Go's viewer: names separated by
 * '|'. Two of Go's names are accepted without effect: "system" is the opposite of "perproc", and
 * "mut" asks for quantiles, which are always included.
 */
static uint64_t curve_flags_take(struct gt_query *query)
{
    const char *text = gt_request_value(query->request, "flags");
    uint64_t flags = 0;
    if (!text)
        return GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST;
    for (const char *end; *text != '\0'; text = end + (*end != '\0')) {
        end = text + strcspn(text, "|");
        gt_string name = {text, (size_t) (end - text)};
        uint64_t flag = gt_mmu_flag_find(name);
        bool is_other = gt_text_is(name, "system") || gt_text_is(name, "mut");
        if (gt_text_is(name, "perProc"))
            flag = GT_MMU_PER_PROC;
        if (flag == 0 && !is_other && name.size > 0)
            gt_query_fail(query, "flags", "no such value");
        flags |= flag;
    }
    return flags;
}

static void curve_flags_write(struct gt_json *json, uint64_t flags)
{
    gt_json_key_array(json, "flags");
    for (uint64_t flag = 1; flag <= GT_MMU_EXACT; flag <<= 1) {
        if (flags & flag & ~(uint64_t) GT_MMU_PER_PROC)
            gt_json_text(json, gt_mmu_flag_name(flag));
    }
    if (flags & GT_MMU_PER_PROC)
        gt_json_text(json, gt_mmu_flag_name(GT_MMU_PER_PROC));
    gt_json_end(json);
}

/* Writes the curve: each point is an array of the window, the minimum, and the quantiles. */
static void curve_answer(struct gt_response *response, const struct curve *curve, uint64_t flags)
{
    struct gt_json json;
    gt_json_start(&json, response);
    curve_flags_write(&json, flags);
    gt_json_key_array(&json, "percentiles");
    for (size_t i = 0; i < QUANTILES; i++)
        gt_json_real(&json, 100 - 100 * curve_quantiles[i]);
    gt_json_end(&json);
    gt_json_key_array(&json, "curve");
    for (size_t i = 0; i < curve->count; i++) {
        gt_json_array(&json);
        gt_json_int(&json, curve->points[i].window);
        gt_json_real(&json, curve->points[i].minimum);
        for (size_t quantile = 0; quantile < QUANTILES; quantile++)
            gt_json_real(&json, curve->points[i].quantiles[quantile]);
        gt_json_end(&json);
    }
    gt_json_finish(&json);
}

void gt_web_serve_mmu(struct gt_web *web, struct gt_query *query)
{
    uint64_t flags = curve_flags_take(query);
    const struct curve *curve =
        gt_analysis_demand(web, query, &curve_kind, &flags, sizeof(flags), false);
    if (curve)
        curve_answer(query->response, curve, flags);
}

static void curve_worst_answer(struct gt_response *response, struct curve *curve, int64_t window)
{
    gt_utilization worst[WORST];
    size_t count = WORST;
    struct gt_json json;
    pthread_mutex_lock(&curve->lock);
    gt_status status = gt_mmu_worst(curve->mmu, window, worst, &count);
    pthread_mutex_unlock(&curve->lock);
    if (status != GT_OK) {
        gt_response_error(response, 503, gt_status_text(status));
        return;
    }
    gt_json_start(&json, response);
    gt_json_key_array(&json, "windows");
    for (size_t i = 0; i < count; i++) {
        gt_json_object(&json);
        gt_json_key_int(&json, "time", gt_time_minus(worst[i].time, curve->start));
        gt_json_key_real(&json, "utilization", worst[i].value);
        gt_json_end(&json);
    }
    gt_json_finish(&json);
}

void gt_web_serve_mmu_worst(struct gt_web *web, struct gt_query *query)
{
    uint64_t flags = curve_flags_take(query);
    int64_t window = 0;
    gt_query_need(query, "window");
    gt_query_int(query, "window", 1, GT_QUERY_TIME_MAX, &window);
    struct curve *curve = gt_analysis_demand(web, query, &curve_kind, &flags, sizeof(flags), false);
    if (curve)
        curve_worst_answer(query->response, curve, window);
}
