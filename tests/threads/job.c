/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* How many events a job handles before the next job has its turn. */
#define STEP 50

static int fold_bytes(void *user_data, const void *data, size_t size)
{
    struct job *job = user_data;
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++)
        job->hash = (job->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return 0;
}

static void fold_number(struct job *job, uint64_t number)
{
    fold_bytes(job, &number, sizeof(number));
}

static void fold_text(struct job *job, gt_string text)
{
    fold_number(job, text.size);
    fold_bytes(job, text.data, text.size);
}

static void on_finding(void *user_data, const gt_finding *finding)
{
    fold_number(user_data, finding->rule);
    fold_bytes(user_data, finding->message, strlen(finding->message));
}

static void on_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    fold_text(user_data, goroutine->name);
    fold_number(user_data, (uint64_t) goroutine->id);
    fold_number(user_data, (uint64_t) goroutine->times->total);
    fold_number(user_data, (uint64_t) goroutine->times->block);
}

static gt_status open_drawing(struct job *job)
{
    gt_emitter_options emitting = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options drawing = GT_TIMELINE_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_status status = gt_json_writer_open(&job->writer, fold_bytes, job, NULL, NULL);

    drawing.selector = job->selector;
    drawing.view = GT_VIEW_GOROUTINE;
    if (status == GT_OK)
        status = gt_json_writer_consumer(job->writer, &consumer);
    if (status == GT_OK && job->selector)
        status = gt_selector_apply(job->selector, &emitting);
    if (status == GT_OK)
        status = gt_emitter_open(&job->emitter, &consumer, &emitting, NULL);
    if (status == GT_OK)
        status = gt_timeline_open(&job->timeline, job->reader, job->emitter, &drawing, NULL);
    return status;
}

/* Passes the event to what the job makes of the trace. */
static gt_status open_user(struct job *job)
{
    gt_validator_options validating = GT_VALIDATOR_OPTIONS_INIT;
    gt_summary_options summing = GT_SUMMARY_OPTIONS_INIT;
    gt_profile_options profiling = GT_PROFILE_OPTIONS_INIT;

    validating.on_finding = on_finding;
    validating.user_data = job;
    summing.on_goroutine = on_goroutine;
    summing.user_data = job;
    profiling.kinds = GT_PROFILE_BIT(GT_PROFILE_SYNC) | GT_PROFILE_BIT(GT_PROFILE_SCHED);
    switch (job->kind) {
    case JOB_VALIDATE:
        return gt_validator_open(&job->validator, &validating, NULL);
    case JOB_SUMMARY:
        return gt_summary_open(&job->summary, &summing, NULL);
    case JOB_PROFILE:
        return gt_profile_open(&job->profile, &profiling, NULL);
    case JOB_MMU:
        return gt_mmu_open(&job->mmu, NULL, NULL);
    case JOB_LATENCY:
        return gt_latency_open(&job->latency, NULL, NULL);
    case JOB_DRAW:
        return open_drawing(job);
    default:
        job->fold = calloc(1, sizeof(*job->fold));
        assert_non_null(job->fold);
        job->fold->reader = job->reader;
        return GT_OK;
    }
}

void job_open(struct job *job)
{
    const struct job_trace *trace = job->trace;
    gt_reader_options options = GT_READER_OPTIONS_INIT;

    options.flags =
        (job->kind == JOB_LENIENT ? GT_READER_LENIENT : 0) | (job->is_ahead ? GT_READER_AHEAD : 0);
    if (job->kind == JOB_RAW && job->by_path)
        job->status = gt_raw_reader_open_file(&job->raw, trace->path, NULL, NULL);
    else if (job->kind == JOB_RAW)
        job->status = gt_raw_reader_open_memory(&job->raw, trace->data, trace->size, NULL, NULL);
    else if (job->by_path)
        job->status = gt_reader_open_file(&job->reader, trace->path, &options, NULL);
    else
        job->status = gt_reader_open_memory(&job->reader, trace->data, trace->size, &options, NULL);
    if (job->status == GT_OK)
        job->status = open_user(job);
    assert_status(job->status, GT_OK);
}

static gt_status use_record(struct job *job)
{
    const gt_raw_event *record;
    gt_status status = gt_raw_reader_next_event(job->raw, &record);

    if (status != GT_OK)
        return status;
    fold_number(job, record->type);
    for (uint32_t i = 0; i < record->argument_count; i++)
        fold_number(job, record->arguments[i]);
    fold_text(job, record->data);
    return GT_OK;
}

static gt_status use_event(struct job *job)
{
    const gt_event *event;
    gt_status status = gt_reader_next_event(job->reader, &event);

    if (status != GT_OK)
        return status;
    switch (job->kind) {
    case JOB_VALIDATE:
        return gt_validator_event(job->validator, job->reader, event);
    case JOB_SUMMARY:
        return gt_summary_event(job->summary, job->reader, event);
    case JOB_PROFILE:
        return gt_profile_event(job->profile, job->reader, event);
    case JOB_MMU:
        return gt_mmu_event(job->mmu, event);
    case JOB_LATENCY:
        return gt_latency_event(job->latency, job->reader, event);
    case JOB_DRAW:
        return gt_timeline_event(job->timeline, event);
    default:
        status = fold_event(job->fold, event);
        fold_number(job, job->fold->hash);
        return status;
    }
}

static void finish_profile(struct job *job)
{
    assert_status(gt_profile_finish(job->profile), GT_OK);
    assert_status(gt_profile_write_pprof(job->profile, GT_PROFILE_SYNC, fold_bytes, job), GT_OK);
    assert_status(gt_profile_write_pprof(job->profile, GT_PROFILE_SCHED, fold_bytes, job), GT_OK);
}

static void finish_mmu(struct job *job)
{
    double minimum;

    assert_status(gt_mmu_finish(job->mmu), GT_OK);
    for (int64_t window = 1000; window <= 100000000; window *= 10) {
        assert_status(gt_mmu_minimum(job->mmu, window, &minimum), GT_OK);
        fold_bytes(job, &minimum, sizeof(minimum));
    }
}

static void finish_latency(struct job *job)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;

    assert_status(gt_latency_finish(job->latency), GT_OK);
    for (size_t i = 0; i < gt_latency_series_count(job->latency); i++) {
        assert_status(gt_latency_get_series(job->latency, i, &series), GT_OK);
        fold_text(job, series.name);
        fold_number(job, series.count);
        fold_number(job, (uint64_t) series.sum);
    }
}

static void finish(struct job *job)
{
    if (job->summary)
        assert_status(gt_summary_finish(job->summary), GT_OK);
    if (job->profile)
        finish_profile(job);
    if (job->mmu)
        finish_mmu(job);
    if (job->latency)
        finish_latency(job);
    if (job->timeline) {
        assert_status(gt_timeline_finish(job->timeline), GT_OK);
        assert_status(gt_emitter_flush(job->emitter), GT_OK);
    }
}

static void close_all(struct job *job)
{
    free(job->fold);
    gt_validator_close(&job->validator);
    gt_summary_close(&job->summary);
    gt_profile_close(&job->profile);
    gt_mmu_close(&job->mmu);
    gt_latency_close(&job->latency);
    gt_timeline_close(&job->timeline);
    gt_emitter_close(&job->emitter);
    gt_json_writer_close(&job->writer);
    gt_reader_close(&job->reader);
    gt_raw_reader_close(&job->raw);
}

int job_step(struct job *job)
{
    unsigned i;

    for (i = 0; i < STEP && job->status == GT_OK; i++) {
        job->status = job->kind == JOB_RAW ? use_record(job) : use_event(job);
        if (job->status == GT_OK)
            job->events++;
    }
    if (job->status == GT_OK)
        return 1;
    finish(job);
    close_all(job);
    return 0;
}
