/* SPDX-License-Identifier: BSD-3-Clause */
#include "shown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "profiling.h"
#include "support/test.h"

void shown_open(struct shown *shown, const gt_allocator *allocator)
{
    const uint64_t flags[SHOWN_PROFILES] = {0, GT_PROFILE_ALL, GT_PROFILE_REGIONS};
    gt_summary_options summing = GT_SUMMARY_OPTIONS_INIT;
    gt_latency_options timing = GT_LATENCY_OPTIONS_INIT;

    summing.allocator = timing.allocator = allocator;
    assert_status(gt_summary_open(&shown->summary, &summing, NULL), GT_OK);
    summing.flags = GT_SUMMARY_DROP;
    assert_status(gt_summary_open(&shown->dropping, &summing, NULL), GT_OK);
    timing.flags = GT_LATENCY_PAIR_WAITS;
    timing.series = 3;
    assert_status(gt_latency_open(&shown->latency, &timing, NULL), GT_OK);
    for (size_t i = 0; i < SHOWN_PROFILES; i++) {
        gt_profile_options counting = profiling_options();
        counting.flags = flags[i];
        counting.allocator = allocator;
        assert_status(gt_profile_open(&shown->profiles[i], &counting, NULL), GT_OK);
    }
}

void shown_close(struct shown *shown)
{
    gt_summary_close(&shown->summary);
    gt_summary_close(&shown->dropping);
    gt_latency_close(&shown->latency);
    for (size_t i = 0; i < SHOWN_PROFILES; i++)
        gt_profile_close(&shown->profiles[i]);
}

void shown_event(struct shown *shown, gt_reader *reader, const gt_event *event)
{
    assert_status(gt_summary_event(shown->summary, reader, event), GT_OK);
    assert_status(gt_summary_event(shown->dropping, reader, event), GT_OK);
    assert_status(gt_latency_event(shown->latency, reader, event), GT_OK);
    for (size_t i = 0; i < SHOWN_PROFILES; i++)
        assert_status(gt_profile_event(shown->profiles[i], reader, event), GT_OK);
}

gt_status shown_snapshot(struct shown *shown)
{
    gt_status status = gt_summary_snapshot(shown->summary);

    if (status == GT_OK)
        status = gt_summary_snapshot(shown->dropping);
    if (status == GT_OK)
        status = gt_latency_snapshot(shown->latency);
    for (size_t i = 0; i < SHOWN_PROFILES && status == GT_OK; i++)
        status = gt_profile_snapshot(shown->profiles[i]);
    return status;
}

void shown_finish(struct shown *shown)
{
    assert_status(gt_summary_finish(shown->summary), GT_OK);
    assert_status(gt_summary_finish(shown->dropping), GT_OK);
    assert_status(gt_latency_finish(shown->latency), GT_OK);
    for (size_t i = 0; i < SHOWN_PROFILES; i++)
        assert_status(gt_profile_finish(shown->profiles[i]), GT_OK);
}

static void print_text(FILE *out, const char *what, gt_string text)
{
    assert_non_null(text.data);
    fprintf(out, " %s=\"%.*s\"", what, (int) text.size, text.data);
}

static void print_named(FILE *out, const gt_summary_time *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        print_text(out, "named", list[i].name);
        fprintf(out, " %" PRId64, list[i].time);
    }
    fputc('\n', out);
}

static void print_times(FILE *out, const gt_summary_times *times)
{
    fprintf(out, "  %" PRId64 " %" PRId64 " %" PRId64, times->execution, times->sched_wait,
            times->syscall);
    fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", times->syscall_block,
            times->block, times->unknown, times->total);
    print_named(out, times->blocks, times->block_count);
    print_named(out, times->ranges, times->range_count);
}

static void print_region(FILE *out, const gt_region_summary *region)
{
    fprintf(out, " region of %" PRIu64 " on %" PRId64, region->task, region->goroutine);
    fprintf(out, " %u %u %u", region->has_begin, region->has_end, region->inherited);
    fprintf(out, " %" PRId64 "-%" PRId64 " %" PRIu64, region->begin, region->end, region->frame.pc);
    print_text(out, "type", region->type);
    print_text(out, "function", region->frame.function);
    print_times(out, region->times);
}

static void print_goroutine(FILE *out, const gt_goroutine_summary *goroutine)
{
    fprintf(out, "goroutine %" PRId64 " %" PRIu64, goroutine->id, goroutine->pc);
    fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64, goroutine->created, goroutine->started,
            goroutine->ended);
    print_text(out, "name", goroutine->name);
    print_times(out, goroutine->times);
    fprintf(out, " %zu regions\n", goroutine->region_count);
    for (size_t i = 0; goroutine->regions && i < goroutine->region_count; i++)
        print_region(out, goroutine->regions[i]);
}

static void print_task_lists(FILE *out, const gt_task_summary *task)
{
    for (size_t i = 0; task->children && i < task->child_count; i++)
        fprintf(out, " child %" PRIu64, task->children[i]);
    for (size_t i = 0; task->goroutines && i < task->goroutine_count; i++)
        fprintf(out, " goroutine %" PRId64, task->goroutines[i]);
    for (size_t i = 0; task->logs && i < task->log_count; i++)
        print_text(out, "log", task->logs[i].message);
    for (size_t i = 0; task->regions && i < task->region_count; i++)
        print_region(out, task->regions[i]);
}

static void print_task(FILE *out, const gt_task_summary *task)
{
    fprintf(out, "task %" PRIu64 " of %" PRIu64 " %u %u", task->id, task->parent, task->has_begin,
            task->has_end);
    print_text(out, "name", task->name);
    fprintf(out, " %" PRId64 "-%" PRId64, task->begin, task->end);
    fprintf(out, " %zu %zu %zu %zu\n", task->child_count, task->goroutine_count, task->log_count,
            task->region_count);
    print_task_lists(out, task);
    fputc('\n', out);
}

static void print_summary(FILE *out, const gt_summary *summary)
{
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    size_t count;
    const gt_goroutine_summary *const *goroutines = gt_summary_goroutines(summary, &count);

    for (size_t i = 0; i < count; i++) {
        print_goroutine(out, goroutines[i]);
        if (i + 1 == count || goroutines[i + 1]->id != goroutines[i]->id)
            assert_ptr_equal(gt_summary_find_goroutine(summary, goroutines[i]->id), goroutines[i]);
    }
    const gt_task_summary *const *tasks = gt_summary_tasks(summary, &count);
    for (size_t i = 0; i < count; i++) {
        print_task(out, tasks[i]);
        assert_ptr_equal(gt_summary_find_task(summary, tasks[i]->id), tasks[i]);
    }
    assert_status(gt_summary_get_info(summary, &info), GT_OK);
    fprintf(out, "%" PRIu64 " events %" PRId64 "-%" PRId64, info.events, info.first_time,
            info.last_time);
    fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", info.goroutines, info.regions,
            info.tasks);
}

static void print_series(FILE *out, const gt_latency *latency, size_t index)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    int64_t median;

    assert_status(gt_latency_get_series(latency, index, &series), GT_OK);
    assert_status(gt_latency_quantile(latency, index, 0.5, &median), GT_OK);
    fprintf(out, "series %u %u", series.kind, series.group);
    print_text(out, "name", series.name);
    fprintf(out, " %" PRIu64 " %" PRId64 " %" PRId64, series.count, series.sum, series.minimum);
    fprintf(out, " %" PRId64 " %" PRId64 ":", series.maximum, median);
    while (gt_latency_next_bucket(latency, index, &bucket) == GT_OK)
        fprintf(out, " %" PRId64 " %" PRIu64, bucket.from, bucket.count);
    fputc('\n', out);
}

static void print_pair(FILE *out, const gt_latency *latency, size_t index)
{
    gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
    gt_frame frame = {0};
    size_t counts[2];

    assert_status(gt_latency_get_pair(latency, index, &pair), GT_OK);
    fprintf(out, "pair %" PRIu64 " %" PRId64 " %" PRId64, pair.count, pair.time, pair.maximum);
    fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64, pair.begin, pair.goroutine, pair.unblocker);
    print_text(out, "reason", pair.reason);
    for (uint32_t side = 0; side < 2; side++) {
        assert_status(gt_latency_pair_frames(latency, index, side, &frame, 1, &counts[side]),
                      GT_OK);
        fprintf(out, " %zu %" PRIu64, counts[side], frame.pc);
    }
    fputc('\n', out);
}

static void print_profile(FILE *out, gt_profile *profile)
{
    gt_profile_info info = GT_PROFILE_INFO_INIT;

    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
        char *lines = profiling_lines(profile, kind);
        fprintf(out, "%s\n%s", gt_profile_kind_name(kind), lines);
        free(lines);
    }
    assert_status(gt_profile_get_info(profile, &info), GT_OK);
    fprintf(out, "%" PRIu64 " %" PRIu64, info.selected, info.stacks);
    fprintf(out, " %" PRId64 " %" PRId64 "\n", info.first_time, info.last_time);
}

static int print_hex(void *user_data, const void *data, size_t size)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < size; i++)
        fprintf(user_data, "%02x", bytes[i]);
    return 0;
}

char *shown_text(struct shown *shown)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    print_summary(out, shown->summary);
    for (size_t i = 0; i < gt_latency_series_count(shown->latency); i++)
        print_series(out, shown->latency, i);
    for (size_t i = 0; i < gt_latency_pair_count(shown->latency); i++)
        print_pair(out, shown->latency, i);
    for (size_t i = 0; i < SHOWN_PROFILES; i++)
        print_profile(out, shown->profiles[i]);
    assert_status(gt_profile_write_pprof(shown->profiles[0], GT_PROFILE_SCHED, print_hex, out),
                  GT_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

char *shown_rest(const gt_summary *summary)
{
    char *text = NULL;
    size_t size, count;
    FILE *out = open_memstream(&text, &size);
    const gt_goroutine_summary *const *goroutines = gt_summary_goroutines(summary, &count);

    assert_non_null(out);
    for (size_t i = 0; i < count; i++) {
        if (goroutines[i]->ended == 0) {
            gt_goroutine_summary goroutine = *goroutines[i];
            goroutine.regions = NULL;
            print_goroutine(out, &goroutine);
        }
    }
    assert_int_equal(fclose(out), 0);
    return text;
}
