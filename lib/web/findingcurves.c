/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/findingcurves.h"

#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "web/outliercurves.h"
#include "web/scan.h"

enum {
    SUBJECTS_MAX = 5
};

/* What a curve counts. */
enum source_of {
    OF_GOROUTINES, /* goroutines in some classes of states */
    OF_GC,         /* time in which the collector marks */
    OF_STW,        /* time in which the world is stopped */
    OF_TASKS,      /* the longest task of some types */
    OF_REGIONS,    /* the longest region of some types */
    OF_EVENTS
};

#define CLASS(name) (UINT32_C(1) << GT_CLASS_##name)
#define ANY_CLASS   ((CLASS(WAIT_OTHER) << 1) - 1)
#define ANY_WAIT    (ANY_CLASS & ~(CLASS(WAIT_CHAN) - 1))

struct curve_kind {
    const char *finding;
    enum source_of source;
    uint32_t classes;
    /* Only the goroutines of the groups that the finding names count. */
    bool has_groups;
    const char *measure;
};

static const struct curve_kind curve_kinds[] = {
    {"blocked-on-lock", OF_GOROUTINES, CLASS(WAIT_SYNC), true,
     "goroutines of these functions waiting in package sync"},
    {"lock-convoy", OF_GOROUTINES, CLASS(WAIT_SYNC), true,
     "goroutines of these functions waiting in package sync"},
    {"blocked-on-channel", OF_GOROUTINES, CLASS(WAIT_CHAN), true,
     "goroutines of these functions waiting for channels"},
    {"goroutine-stuck", OF_GOROUTINES, ANY_WAIT, true, "goroutines of these functions waiting"},
    {"goroutine-growth", OF_GOROUTINES, ANY_CLASS, true,
     "goroutines of these functions in existence"},
    {"goroutine-churn", OF_GOROUTINES, ANY_CLASS, true,
     "goroutines of these functions in existence"},
    {"scheduler-latency", OF_GOROUTINES, CLASS(RUNNABLE), true,
     "goroutines of these functions ready to run"},
    {"network-wakeup", OF_GOROUTINES, CLASS(RUNNABLE), true,
     "goroutines of these functions ready to run"},
    {"cpu-idle-with-work", OF_GOROUTINES, CLASS(RUNNABLE), false, "goroutines ready to run"},
    {"cpu-saturated", OF_GOROUTINES, CLASS(RUNNABLE), false, "goroutines ready to run"},
    {"wake-storm", OF_GOROUTINES, CLASS(RUNNABLE), false, "goroutines ready to run"},
    {"long-run", OF_GOROUTINES, CLASS(RUNNABLE), false, "goroutines ready to run"},
    {"slow-syscall", OF_GOROUTINES, CLASS(SYSCALL) | CLASS(SYSCALL_BLOCKED), true,
     "goroutines of these functions in system calls"},
    {"gc-cpu", OF_GC, 0, false, "time in which the collector marks"},
    {"gc-assist", OF_GC, 0, false, "time in which the collector marks"},
    {"gc-too-often", OF_GC, 0, false, "time in which the collector marks"},
    {"gc-stop-the-world", OF_STW, 0, false, "time in which the world is stopped"},
    {"task-outlier", OF_TASKS, 0, true, "the longest of these tasks at the time"},
    {"region-outlier", OF_REGIONS, 0, true, "the longest of these regions at the time"},
    {"throttled", OF_EVENTS, 0, false, "events a second"},
    {"trace-health", OF_EVENTS, 0, false, "events a second"},
};

/* A finding whose goroutines are counted. Its texts belong to the report. */
struct counted {
    size_t finding;
    uint32_t classes;
    bool has_groups;
    gt_string groups[SUBJECTS_MAX];
    size_t group_count;
};

/* All of them, and what they count in. */
struct counting {
    const struct gt_timebins *bins;
    struct counted list[GT_FINDINGCURVES_MAX];
    size_t count;
};

/* The sums of one thread. Each finding of the list has one more cell than there are bins. */
struct curve_worker {
    const struct counting *counting;
    struct gt_timebins_cell *cells;
    /* The start function of the last goroutine, and the findings that count it, a bit for each. */
    bool has_name;
    uint32_t name;
    uint32_t wanted;
};

static const struct curve_kind *curve_kind_find(gt_string finding)
{
    for (size_t i = 0; i < sizeof(curve_kinds) / sizeof(curve_kinds[0]); i++) {
        if (gt_text_is(finding, curve_kinds[i].finding))
            return &curve_kinds[i];
    }
    return NULL;
}

void gt_findingcurves_init(struct gt_findingcurves *curves, struct gt_web *web)
{
    gt_store_lock_read(web->store);
    gt_timebins_set(&curves->bins, 0, gt_store_end(web->store), GT_FINDINGCURVES_BINS);
    gt_store_unlock(web->store);
}

void gt_findingcurves_event(struct gt_findingcurves *curves, int64_t time)
{
    const struct gt_timebins *bins = &curves->bins;
    size_t bin = time > 0 ? (size_t) (time / bins->width) : 0;
    if (bins->count > 0)
        curves->events[bin < bins->count ? bin : bins->count - 1]++;
}

static bool counted_has(const struct counted *counted, gt_string name)
{
    bool found = !counted->has_groups;
    for (size_t i = 0; i < counted->group_count && !found; i++)
        found = gt_text_equal(counted->groups[i], name);
    return found;
}

/* Finds out which findings count the goroutine of a track; false: none. */
static bool curve_part_select(void *user_data, const struct gt_scan_part *part)
{
    struct curve_worker *worker = user_data;
    const struct counting *counting = worker->counting;
    struct gt_store_head head;
    if (!gt_store_get_head(part->store, part->view, part->ordinal, &head))
        return false;
    if (worker->has_name && worker->name == head.name)
        return worker->wanted != 0;
    gt_string name = gt_store_text(part->store, head.name);
    worker->has_name = true;
    worker->name = head.name;
    worker->wanted = 0;
    for (size_t i = 0; i < counting->count; i++) {
        if (counted_has(&counting->list[i], name))
            worker->wanted |= UINT32_C(1) << i;
    }
    return worker->wanted != 0;
}

static void curve_span_add(const struct curve_worker *worker, const struct gt_span_brief *span)
{
    const struct counting *counting = worker->counting;
    for (size_t i = 0; i < counting->count; i++) {
        if ((worker->wanted >> i & 1) != 0 && (counting->list[i].classes >> span->cls & 1) != 0)
            gt_timebins_add(counting->bins, worker->cells + i * (counting->bins->count + 1),
                            span->start, span->end);
    }
}

static bool curve_part_add(void *user_data, const struct gt_scan_part *part)
{
    struct gt_span_brief spans[GT_TRACK_BRIEFS];
    uint32_t count;
    for (uint32_t i = part->first; i < part->last; i += count) {
        count = gt_track_briefs(part->track, i, part->last, spans);
        if (count == 0)
            break;
        for (uint32_t k = 0; k < count; k++)
            curve_span_add(user_data, &spans[k]);
    }
    return true;
}

/* Adds a finding to those whose goroutines are counted. */
static void counting_add(struct counting *counting, const gt_report *report, size_t finding,
                         const struct curve_kind *kind)
{
    struct counted *counted = &counting->list[counting->count++];
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    *counted = (struct counted){
        .finding = finding, .classes = kind->classes, .has_groups = kind->has_groups};
    for (size_t i = 0; i < SUBJECTS_MAX; i++) {
        if (gt_report_get_subject(report, finding, i, &subject) == GT_OK)
            counted->groups[counted->group_count++] = subject.group;
    }
}

/* Sets the curves of goroutines from the sums of both threads. */
static void counting_finish(const struct counting *counting, struct gt_findingcurves *curves,
                            const struct curve_worker workers[GT_SCAN_WORKERS])
{
    const struct gt_timebins *bins = counting->bins;
    for (size_t i = 0; i < counting->count; i++) {
        double *values = curves->list[counting->list[i].finding].values;
        for (size_t thread = 0; thread < GT_SCAN_WORKERS; thread++) {
            double whole = 0;
            const struct gt_timebins_cell *cells = workers[thread].cells + i * (bins->count + 1);
            for (size_t bin = 0; bin < bins->count; bin++)
                values[bin] += gt_timebins_mean(bins, cells, bin, &whole);
        }
    }
}

/* Returns false if memory runs out. */
static bool counting_run(const struct counting *counting, struct gt_findingcurves *curves,
                         struct gt_web *web)
{
    const struct gt_scope scope = {.start = 0, .end = INT64_MAX, .view = GT_STORE_VIEW_GOROUTINE};
    size_t count = counting->count * (counting->bins->count + 1);
    size_t bytes = GT_SCAN_WORKERS * count * sizeof(struct gt_timebins_cell);
    struct gt_timebins_cell *cells = gt_mem_zeros(&web->mem, bytes);
    struct curve_worker workers[GT_SCAN_WORKERS] = {
        {.counting = counting, .cells = cells},
        {.counting = counting, .cells = cells ? cells + count : NULL}};
    struct gt_scan scan = {
        .store = web->store, .scope = &scope, .select = curve_part_select, .each = curve_part_add};
    bool good = cells && gt_scan_run(&scan, &workers[0], &workers[1]) == GT_SCAN_DONE;
    if (good)
        counting_finish(counting, curves, workers);
    gt_mem_free(&web->mem, cells, bytes);
    return good;
}

/* Sets a curve to the share of the time that the spans of a track take. */
static void curve_share_set(struct gt_findingcurve *curve, const struct gt_timebins *bins,
                            const struct gt_track *track)
{
    const double all = 100;
    curve->unit = "%";
    for (size_t bin = 0; bin < bins->count; bin++) {
        struct gt_track_sums sums = {.time = {0}};
        int64_t start = gt_timebins_start(bins, bin), length = gt_timebins_length(bins, bin);
        int64_t time = 0;
        gt_track_sum(track, start, gt_time_plus(start, length), &sums);
        for (uint32_t i = 0; i < GT_STORE_CLASSES; i++)
            gt_time_add_to(&time, sums.time[i]);
        curve->values[bin] = all * (double) time / (double) length;
    }
}

static void curve_events_set(struct gt_findingcurve *curve, const struct gt_findingcurves *curves)
{
    const double second = 1e9;
    curve->unit = "/s";
    for (size_t bin = 0; bin < curves->bins.count; bin++)
        curve->values[bin] =
            (double) curves->events[bin] * second / (double) gt_timebins_length(&curves->bins, bin);
}

/* Sets the curve of a finding, unless its goroutines must be counted first. */
static void curve_set(struct gt_findingcurves *curves, struct gt_web *web, size_t finding,
                      const struct curve_kind *kind)
{
    struct gt_findingcurve *curve = &curves->list[finding];
    curve->measure = kind->measure;
    curve->unit = "count";
    curve->view = kind->has_groups ? GT_STORE_VIEW_GOROUTINE : GT_STORE_VIEW_PROC;
    if (kind->source == OF_EVENTS)
        curve_events_set(curve, curves);
    if (kind->source != OF_GC && kind->source != OF_STW)
        return;
    gt_store_lock_read(web->store);
    curve_share_set(curve, &curves->bins,
                    kind->source == OF_GC ? gt_store_gc(web->store) : gt_store_stw(web->store));
    gt_store_unlock(web->store);
}

/* Sets the curve of tasks or regions of the types that a finding names. */
static bool curve_outliers_set(struct gt_findingcurves *curves, struct gt_web *web,
                               const gt_report *report, size_t finding,
                               const struct curve_kind *kind)
{
    gt_string types[SUBJECTS_MAX];
    struct gt_outliercurve of = {
        .bins = &curves->bins, .is_of_regions = kind->source == OF_REGIONS, .types = types};
    gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
    struct gt_findingcurve *curve = &curves->list[finding];
    curve->unit = "ns";
    if (kind->source == OF_TASKS)
        curve->view = GT_VIEW_TASK;
    for (size_t i = 0; i < SUBJECTS_MAX; i++) {
        if (gt_report_get_subject(report, finding, i, &subject) == GT_OK)
            types[of.type_count++] = subject.detail;
    }
    return gt_outliercurve_make(&of, web, curve->values);
}

bool gt_findingcurves_make(struct gt_findingcurves *curves, struct gt_web *web,
                           const gt_report *report)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    struct counting *counting = gt_mem_zeros(&web->mem, sizeof(*counting));
    if (!counting)
        return false;
    bool good = true;
    counting->bins = &curves->bins;
    for (size_t i = 0; good && i < GT_FINDINGCURVES_MAX && curves->bins.count > 0; i++) {
        if (gt_report_get_finding(report, i, &finding) != GT_OK)
            break;
        const struct curve_kind *kind = curve_kind_find(finding.name);
        if (!kind)
            continue;
        curve_set(curves, web, i, kind);
        if (kind->source == OF_GOROUTINES)
            counting_add(counting, report, i, kind);
        if (kind->source == OF_TASKS || kind->source == OF_REGIONS)
            good = curve_outliers_set(curves, web, report, i, kind);
    }
    good = good && (counting->count == 0 || counting_run(counting, curves, web));
    gt_mem_free(&web->mem, counting, sizeof(*counting));
    return good;
}
