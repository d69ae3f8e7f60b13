/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/generation.h"

#include <string.h>

#include "base/error.h"
#include "v2/spec.h"
#include "v2/tables.h"
#include "v2/v2.h"

/* Framing and checks: internal/trace/generation.go, readGeneration and its twin. */

int64_t gt_v2_to_ns_slow(double unit, uint64_t units)
{
    double ns = (double) units * unit;
    return ns < 0x1p63 ? (int64_t) ns : INT64_MIN;
}

static void start(struct gt_v2_generation *generation)
{
    generation->number = 0;
    generation->batch_count = generation->thread_count = generation->sample_count = 0;
    generation->has_events = generation->has_frequency = 0;
    generation->unit = 0;
    generation->scale = generation->safe_span = generation->min_time = generation->clock_units = 0;
    generation->tail_size = 0;
}

void gt_v2_generation_destroy(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_mem_free(v2->mem, generation->batches,
                generation->batch_capacity * sizeof(*generation->batches));
    gt_mem_free(v2->mem, generation->threads,
                generation->thread_capacity * sizeof(struct gt_v2_thread *));
    gt_mem_free(v2->mem, generation->samples,
                generation->sample_capacity * sizeof(*generation->samples));
    gt_mem_free(v2->mem, generation->tail, generation->tail_capacity);
    memset(generation, 0, sizeof(*generation));
}

/*
 * Events are decoded without looking for the end of the input, so behind every
 * batch there must be room for one: a batch at the very end gets a copy. No more
 * than one can be large, as all of them end in the last GT_SOURCE_SLACK bytes.
 */
static gt_status with_slack(struct gt_v2 *v2, const struct gt_v2_batch *batch, const uint8_t **data)
{
    struct gt_v2_generation *generation = &v2->generation;
    *data = batch->data;
    if (gt_source_slack(v2->source, batch->data + batch->size))
        return GT_OK;
    if (generation->tail_capacity == 0) {
        size_t capacity = gt_source_left(v2->source) + GT_SOURCE_SLACK * GT_SOURCE_SLACK;
        generation->tail = gt_mem_alloc(v2->mem, capacity);
        if (!generation->tail)
            return gt_error_plain(v2->error, gt_mem_failure(v2->mem));
        memset(generation->tail, 0, capacity);
        generation->tail_capacity = capacity;
    }
    memcpy(generation->tail + generation->tail_size, batch->data, batch->size);
    *data = generation->tail + generation->tail_size;
    generation->tail_size += batch->size + (size_t) GT_SOURCE_SLACK;
    return GT_OK;
}

static gt_status add_thread(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_mem_reserve(v2->mem, &generation->threads, &generation->thread_capacity,
                                      generation->thread_count + 1, sizeof(struct gt_v2_thread *));
    if (status != GT_OK)
        return status;
    thread->lane.rank = (uint32_t) generation->thread_count;
    generation->threads[generation->thread_count++] = thread;
    return GT_OK;
}

static gt_status append_events(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_mem_reserve(v2->mem, &generation->batches, &generation->batch_capacity,
                                      generation->batch_count + 1, sizeof(*generation->batches));
    if (status != GT_OK)
        return status;
    struct gt_v2_thread *thread = gt_v2_thread_get(v2, (int64_t) batch->thread);
    if (!thread)
        return gt_mem_failure(v2->mem);
    if (generation->batch_count == INT32_MAX)
        return gt_mem_fail(v2->mem, GT_ERR_LIMIT);
    int32_t index = (int32_t) generation->batch_count;
    if (thread->lane.rank < generation->thread_count &&
        generation->threads[thread->lane.rank] == thread) {
        generation->batches[thread->last_batch].next = index;
    } else {
        status = add_thread(v2, thread);
        thread->batch = index;
    }
    thread->last_batch = index;
    return status;
}

static gt_status add_events(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    const uint8_t *data;
    generation->has_events = 1;
    if (batch->size == 0)
        return GT_OK;
    gt_status status = with_slack(v2, batch, &data);
    if (status != GT_OK)
        return status;
    status = append_events(v2, batch);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    struct gt_v2_events *events = &generation->batches[generation->batch_count++];
    events->data = data;
    events->offset = batch->data_offset;
    events->time = batch->time;
    events->size = batch->size;
    events->next = -1;
    return GT_OK;
}

static gt_status add_batch(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    if (generation->min_time == 0 || batch->time < generation->min_time)
        generation->min_time = batch->time;
    if (batch->experiment != 0)
        return gt_v2_add_experiment(v2, batch);
    switch (batch->size == 0 ? (uint8_t) GT_WIRE_NONE : batch->data[0]) {
    case GT_WIRE_STRINGS:
        return gt_v2_add_strings(v2, batch);
    case GT_WIRE_STACKS:
        return gt_v2_add_stacks(v2, batch);
    case GT_WIRE_CPU_SAMPLES:
        return gt_v2_add_samples(v2, batch);
    case GT_WIRE_FREQUENCY:
        return v2->version < 25 ? gt_v2_add_sync(v2, batch) : add_events(v2, batch);
    case GT_WIRE_SYNC:
        return v2->version >= 25 ? gt_v2_add_sync(v2, batch) : add_events(v2, batch);
    default:
        return add_events(v2, batch);
    }
}

static gt_status check_stacks(struct gt_v2 *v2)
{
    struct gt_wire_frame bad;
    uint32_t slot;
    gt_status status = gt_stacks_check(&v2->table->stacks, &v2->table->strings, &slot, &bad);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    if (slot == 0)
        return GT_OK;
    status = gt_error_set(v2->error, GT_ERR_STACKS, v2->generation.offset, v2->generation.number,
                          "frame with pc %u names string %u or %u, which does not exist", bad.pc,
                          bad.function, bad.file);
    return gt_v2_forgive(v2, "; such names are left empty") ? GT_OK : status;
}

static gt_status check_frequency(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    uint64_t last = v2->damage.frequency;
    if (generation->has_frequency)
        return GT_OK;
    gt_status status = gt_error_set(v2->error, GT_ERR_GENERATION, generation->offset,
                                    generation->number, "generation without a frequency");
    if (!gt_v2_forgive(v2, last != 0 ? "; the last one is used"
                                     : "; 15625000 ticks a second are assumed"))
        return status;
    gt_v2_set_frequency(generation, last != 0 ? last : GT_V2_USUAL_FREQUENCY);
    return GT_OK;
}

static gt_status check_clock(struct gt_v2 *v2)
{
    const struct gt_v2_generation *generation = &v2->generation;
    if (v2->version < 25 || v2->table->clock.known)
        return GT_OK;
    gt_status status = gt_error_set(v2->error, GT_ERR_GENERATION, generation->offset,
                                    generation->number, "generation without a clock snapshot");
    return gt_v2_forgive(v2, "; it has no wall-clock times") ? GT_OK : status;
}

/* What can be checked and reckoned only when all batches are there. */
static gt_status finish(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    struct gt_clock *clock = &v2->table->clock;
    gt_status status = check_frequency(v2);
    if (status == GT_OK)
        status = check_clock(v2);
    if (status == GT_OK)
        status = check_stacks(v2);
    if (status != GT_OK)
        return status;
    clock->trace = gt_v2_to_ns(generation, generation->clock_units);
    for (size_t i = 0; i < generation->sample_count; i++)
        generation->samples[i].time =
            gt_v2_to_ns(generation, (uint64_t) generation->samples[i].time);
    gt_v2_sort_samples(v2);
    v2->table->generation = generation->number;
    return GT_OK;
}

static gt_status bad_number(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_generation *generation = &v2->generation;
    if (batch->end_of_generation)
        return gt_error_set(v2->error, GT_ERR_GENERATION, batch->offset, generation->number,
                            "end of a generation, which this version does not have");
    if (batch->generation == 0)
        return gt_error_set(v2->error, GT_ERR_GENERATION, batch->offset, 0,
                            "batch of generation 0");
    return gt_error_set(v2->error, GT_ERR_GENERATION, batch->offset, generation->number,
                        "batch of generation %u in generation %u", batch->generation,
                        generation->number);
}

/* Damage of the batch itself, after which what came before it is still good. */
static int is_bad_batch(gt_status status)
{
    return status == GT_ERR_BATCH || status == GT_ERR_TRUNCATED;
}

/* A byte or a whole batch is damaged: goes on at the next batch that can be told. */
static int skip_damage(struct gt_v2 *v2)
{
    uint64_t skipped;
    gt_error damage = *v2->error;
    if (!v2->repair.lenient)
        return 0;
    if (gt_v2_batch_find(v2->source, v2->version, v2->generation.number, &skipped) != GT_OK)
        return 0;
    *v2->error = damage;
    return gt_v2_forgive_bytes(v2, skipped);
}

/* What there is of a batch that is cut off is taken. */
static int take_cut(struct gt_v2 *v2, const struct gt_v2_batch *batch, gt_status status)
{
    return status == GT_ERR_TRUNCATED && batch->data &&
           gt_v2_forgive(v2, "; what there is of it is used");
}

enum step {
    STEP_ON,
    STEP_COMPLETE,
    STEP_CUT,
    STEP_OVER,
    STEP_FAILED
};

/*
 * A batch of another generation, or an end that does not belong there. To a lenient reader the
 * first two of a later generation are the end of this one, which is lost.
 */
static enum step step_over(struct gt_v2 *v2, struct gt_v2_batch *batch)
{
    const struct gt_v2_generation *generation = &v2->generation;
    int is_followed;
    bad_number(v2, batch);
    if (batch->end_of_generation)
        return skip_damage(v2) ? STEP_ON : STEP_FAILED;
    if (!v2->repair.lenient)
        return STEP_FAILED;
    gt_error damage = *v2->error;
    if (gt_v2_batch_is_followed(v2->source, batch, &is_followed) != GT_OK)
        return STEP_FAILED;
    *v2->error = damage;
    if (batch->generation > generation->number && generation->number != 0 && is_followed)
        return gt_v2_forgive(v2, "; a new one begins") ? STEP_COMPLETE : STEP_FAILED;
    if (!gt_v2_forgive(v2, "; it is left out"))
        return STEP_FAILED;
    gt_v2_batch_take(v2->source, batch);
    return STEP_ON;
}

/*
 * Before 1.26 the next generation's first batch, or the end of the input, ends a
 * generation; since then a byte of its own does.
 */
static enum step step(struct gt_v2 *v2, struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    int marked = v2->version >= 26;
    gt_status status = gt_v2_batch_peek(v2->source, batch);
    if (status == GT_END) {
        if (!marked)
            return generation->number != 0 ? STEP_COMPLETE : STEP_OVER;
        if (!generation->has_events)
            return STEP_OVER;
        gt_error_set(v2->error, GT_ERR_TRUNCATED, gt_source_offset(v2->source), generation->number,
                     "generation without its end");
        return gt_v2_forgive(v2, "; what there is of it is given") ? STEP_COMPLETE : STEP_FAILED;
    }
    if (status != GT_OK && !take_cut(v2, batch, status)) {
        if (v2->error->generation == 0)
            v2->error->generation = generation->number;
        if (is_bad_batch(status) && v2->repair.lenient)
            return skip_damage(v2) ? STEP_ON : STEP_FAILED;
        return is_bad_batch(status) && !marked && generation->number != 0 ? STEP_CUT : STEP_FAILED;
    }
    if (generation->number == 0) {
        generation->number = batch->generation;
        generation->offset = batch->offset;
    }
    if (marked && batch->end_of_generation) {
        gt_v2_batch_take(v2->source, batch);
        return STEP_COMPLETE;
    }
    if (!marked && batch->generation != 0 && batch->generation == generation->number + 1)
        return STEP_COMPLETE;
    if (batch->generation == 0 || batch->generation != generation->number)
        return step_over(v2, batch);
    if (add_batch(v2, batch) != GT_OK && !gt_v2_forgive(v2, "; the rest of its batch is left out"))
        return STEP_FAILED;
    gt_v2_batch_take(v2->source, batch);
    return STEP_ON;
}

enum gt_v2_outcome gt_v2_generation_read(struct gt_v2 *v2)
{
    enum step last;
    struct gt_v2_batch batch;
    gt_v2_table_retire(v2);
    if (!v2->keep)
        gt_source_release(v2->source);
    start(&v2->generation);
    v2->generation.offset = gt_source_offset(v2->source);
    v2->damage.found = false;
    v2->damage.forced = NULL;
    v2->damage.reported = 0;
    if (gt_v2_table_start(v2) != GT_OK) {
        gt_error_plain(v2->error, gt_mem_failure(v2->mem));
        return GT_V2_READ_FAILED;
    }
    do
        last = step(v2, &batch);
    while (last == STEP_ON);
    if (last == STEP_FAILED)
        return GT_V2_READ_FAILED;
    if (last == STEP_OVER && (v2->version >= 26 || v2->generations > 0))
        return GT_V2_READ_NOTHING;
    gt_error cut_by = *v2->error;
    if (finish(v2) != GT_OK)
        return GT_V2_READ_FAILED;
    *v2->error = cut_by;
    return last == STEP_CUT ? GT_V2_READ_CUT : GT_V2_READ;
}
