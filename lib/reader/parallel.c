/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/parallel.h"

#include "v2/fit.h"
#include "v2/table.h"

struct gt_parallel *gt_parallel_create(struct gt_decoder *decoder, const struct gt_crew_size *size)
{
    struct gt_v2 *v2 = &decoder->v2;
    struct gt_parallel *parallel = gt_mem_zeros(v2->mem, sizeof(*parallel));
    if (!parallel)
        return NULL;
    parallel->v2 = v2;
    parallel->crew = gt_crew_create(v2->mem, v2->source, v2->version, size);
    if (!parallel->crew) {
        gt_mem_free(v2->mem, parallel, sizeof(*parallel));
        return NULL;
    }
    gt_v2_seam_init(&parallel->seam, v2);
    return parallel;
}

/* Frees the jobs that were given up, except for that of the present generation. */
static void parallel_free_retired(struct gt_parallel *parallel, bool all)
{
    struct gt_crew_job **link = &parallel->retired;
    while (*link) {
        struct gt_crew_job *job = *link;
        if (!all && job->apart.v2.table->ordinal >= parallel->v2->generations) {
            link = &job->next;
            continue;
        }
        *link = job->next;
        gt_crew_free(parallel->crew, job);
    }
}

static void parallel_give_block(struct gt_parallel *parallel)
{
    if (parallel->block)
        gt_crew_give(parallel->crew, parallel->block);
    parallel->block = NULL;
}

void gt_parallel_destroy(struct gt_parallel *parallel)
{
    if (!parallel)
        return;
    struct gt_mem *mem = parallel->v2->mem;
    parallel_give_block(parallel);
    if (parallel->job)
        gt_v2_seam_abandon(&parallel->seam);
    parallel_free_retired(parallel, true);
    gt_crew_destroy(parallel->crew);
    gt_v2_seam_destroy(&parallel->seam);
    gt_mem_free(mem, parallel, sizeof(*parallel));
}

/* Returns the job of the generation at which v2 stands, or NULL. */
static struct gt_crew_job *parallel_find_job(struct gt_parallel *parallel)
{
    const uint8_t *cur = parallel->v2->source->cur;
    struct gt_crew_job *job;
    if (parallel->v2->stage != GT_V2_EVENTS)
        return NULL;
    while ((job = gt_crew_first(parallel->crew)) && job->extent.start < cur) {
        gt_crew_end(parallel->crew, job);
        gt_crew_free(parallel->crew, job);
    }
    return job && job->extent.start == cur ? job : NULL;
}

/*
 * Begins to deliver the records of the next generation: adds its Sync. Returns GT_OK without an
 * event if v2 must read it.
 */
static gt_status parallel_begin(struct gt_parallel *parallel, struct gt_events *events)
{
    struct gt_source *source = parallel->v2->source;
    struct gt_crew_job *job = parallel_find_job(parallel);
    events->count = 0;
    if (!job)
        return GT_OK;
    struct gt_v2_block *block = gt_crew_take(parallel->crew, job);
    bool is_doubtful =
        parallel->v2->repair.lenient && !gt_v2_fit_follows(parallel->v2, &job->apart.v2.fit);
    if ((!block && job->apart.failed) || is_doubtful) {
        if (block)
            gt_crew_give(parallel->crew, block);
        gt_crew_end(parallel->crew, job);
        gt_crew_free(parallel->crew, job);
        return GT_OK;
    }
    uint64_t size = (uint64_t) (job->extent.end - job->extent.start);
    parallel->block = block;
    parallel->record = block ? block->records : NULL;
    gt_status status = gt_source_pass(source, gt_source_offset(source) + size, size);
    if (status == GT_OK)
        status = gt_v2_seam_begin(&parallel->seam, &job->apart, job->extent.end, events);
    if (status == GT_OK) {
        events->undecoded = size;
        parallel->job = job;
    }
    return status;
}

/* Ends the generation, all of whose events were delivered. */
static gt_status parallel_end(struct gt_parallel *parallel)
{
    struct gt_crew_job *job = parallel->job;
    gt_status status = gt_v2_seam_end(&parallel->seam);
    parallel->job = NULL;
    parallel->ended++;
    gt_crew_end(parallel->crew, job);
    gt_crew_free(parallel->crew, job);
    return status;
}

/* Removes the first `count` events of a block, which has more. */
static void parallel_shift(struct gt_events *events, unsigned count)
{
    events->count -= count;
    for (unsigned i = 0; i < events->count; i++) {
        events->list[i] = events->list[i + count];
        gt_event_mark(&events->list[i]);
    }
}

/* Lets v2 read the generation again, up to the first event that was not delivered. */
static gt_status parallel_fall_back(struct gt_parallel *parallel, struct gt_events *events)
{
    struct gt_v2 *v2 = parallel->v2;
    uint64_t delivered = parallel->seam.delivered;
    struct gt_crew_job *job = parallel->job;
    parallel_give_block(parallel);
    gt_crew_end(parallel->crew, job);
    job->next = parallel->retired;
    parallel->retired = job;
    parallel->job = NULL;
    gt_v2_seam_abandon(&parallel->seam);
    while (delivered > 0) {
        gt_status status = gt_v2_fill(v2, events);
        if (status == GT_OK && gt_source_is_cancelled(v2->source))
            status = gt_source_fail_cancelled(v2->source);
        if (status != GT_OK) {
            events->count = 0;
            return status;
        }
        if (events->count > delivered) {
            parallel_shift(events, (unsigned) delivered);
            return GT_OK;
        }
        delivered -= events->count;
    }
    events->count = 0;
    return GT_OK;
}

/*
 * Adds the next events of the generation. Returns GT_OK without an event at its end, and if v2 must
 * go on.
 */
static gt_status parallel_deliver(struct gt_parallel *parallel, struct gt_events *events)
{
    struct gt_v2_seam *seam = &parallel->seam;
    events->count = 0;
    if (!parallel->block) {
        parallel->block = gt_crew_take(parallel->crew, parallel->job);
        if (!parallel->block && !parallel->job->apart.failed)
            return parallel_end(parallel);
        if (parallel->block)
            parallel->record = parallel->block->records;
    }
    if (!parallel->block || seam->failed)
        return parallel_fall_back(parallel, events);
    const struct gt_v2_record *end = parallel->block->records + parallel->block->count;
    parallel->record = gt_v2_seam_take(seam, parallel->record, end, events);
    events->undecoded = parallel->block->undecoded;
    if (parallel->record == end)
        parallel_give_block(parallel);
    return seam->failed && events->count == 0 ? parallel_fall_back(parallel, events) : GT_OK;
}

static gt_status parallel_next(struct gt_parallel *parallel, struct gt_events *events)
{
    struct gt_v2 *v2 = parallel->v2;
    for (;;) {
        if (v2->has_expired) {
            gt_v2_table_expire(v2);
            parallel_free_retired(parallel, false);
        }
        bool was_delivering = parallel->job;
        gt_status status = GT_OK;
        if (was_delivering)
            status = parallel_deliver(parallel, events);
        else if (!gt_v2_more(v2, events) && v2->after == GT_OK)
            status = parallel_begin(parallel, events);
        if (status != GT_OK || events->count != 0)
            return status;
        if (!was_delivering) {
            gt_v2_seam_leave(&parallel->seam);
            return gt_v2_fill(v2, events);
        }
    }
}

gt_status gt_parallel_fill(struct gt_parallel *parallel, struct gt_events *events)
{
    gt_status status = parallel_next(parallel, events);
    events->repairs = parallel->v2->repair.count;
    return status;
}
