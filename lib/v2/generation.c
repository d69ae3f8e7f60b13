/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/generation.h"

#include <string.h>

#include "base/error.h"
#include "v2/batch.h"
#include "v2/fit.h"
#include "v2/gap.h"
#include "v2/repair.h"
#include "v2/samples.h"
#include "v2/spec.h"
#include "v2/table.h"
#include "v2/tables.h"

/*
 * Framing and checks of generations: internal/trace/generation.go, readGeneration and its variant.
 */

int64_t gt_v2_to_ns_slow(double unit, uint64_t units)
{
    double ns = (double) units * unit;
    return ns < 0x1p63 ? (int64_t) ns : INT64_MIN;
}

static void v2_generation_start(struct gt_v2_generation *generation)
{
    generation->is_open = true;
    generation->number = 0;
    generation->batches.count = generation->threads.count = generation->samples.count = 0;
    generation->has_events = generation->has_frequency = generation->is_cut = false;
    generation->unit = 0;
    generation->scale = generation->safe_span = generation->min_time = generation->clock_units = 0;
    generation->tail_size = 0;
    generation->undecoded = 0;
}

void gt_v2_generation_destroy(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_array_free(v2->mem, &generation->batches);
    gt_array_free(v2->mem, &generation->threads);
    gt_array_free(v2->mem, &generation->samples);
    gt_mem_free(v2->mem, generation->tail, generation->tail_capacity);
    memset(generation, 0, sizeof(*generation));
}

/*
 * Ensures that a batch is followed by enough bytes for one event, because events are decoded
 * without bounds checks. A batch that is too close to the end of the input is copied. All batches
 * to be copied end in the last GT_SOURCE_SLACK bytes of the input, so at most one of them can be
 * large.
 */
static gt_status v2_batch_with_slack(struct gt_v2 *v2, const struct gt_v2_batch *batch,
                                     const uint8_t **data)
{
    struct gt_v2_generation *generation = &v2->generation;
    *data = batch->data;
    if (gt_source_slack(v2->source, batch->data + batch->size))
        return GT_OK;
    if (generation->tail_capacity == 0) {
        size_t capacity = gt_source_left(v2->source) + GT_SOURCE_SLACK * GT_SOURCE_SLACK;
        generation->tail = gt_mem_alloc(v2->mem, capacity);
        if (!generation->tail)
            return gt_v2_no_memory(v2);
        memset(generation->tail, 0, capacity);
        generation->tail_capacity = capacity;
    }
    memcpy(generation->tail + generation->tail_size, batch->data, batch->size);
    *data = generation->tail + generation->tail_size;
    generation->tail_size += batch->size + (size_t) GT_SOURCE_SLACK;
    return GT_OK;
}

static gt_status v2_thread_append(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    struct gt_v2_generation *generation = &v2->generation;
    thread->lane.rank = (uint32_t) generation->threads.count;
    return gt_array_add(v2->mem, &generation->threads, thread);
}

static gt_status v2_events_link(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    gt_status status = gt_array_reserve(v2->mem, &generation->batches, 1);
    if (status != GT_OK)
        return status;
    struct gt_v2_thread *thread = gt_v2_thread_get(v2, (int64_t) batch->thread);
    if (!thread)
        return gt_mem_failure(v2->mem);
    if (generation->batches.count == INT32_MAX)
        return gt_mem_fail(v2->mem, GT_ERR_LIMIT);
    int32_t index = (int32_t) generation->batches.count;
    if (thread->lane.rank < generation->threads.count &&
        generation->threads.items[thread->lane.rank] == thread) {
        generation->batches.items[thread->last_batch].next = index;
    } else {
        status = v2_thread_append(v2, thread);
        thread->batch = index;
    }
    thread->last_batch = index;
    return status;
}

static gt_status v2_events_add(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    const uint8_t *data;
    generation->has_events = true;
    if (batch->size == 0)
        return GT_OK;
    gt_status status = v2_batch_with_slack(v2, batch, &data);
    if (status != GT_OK)
        return status;
    status = v2_events_link(v2, batch);
    if (status != GT_OK)
        return gt_error_plain(v2->error, status);
    struct gt_v2_events *events = &generation->batches.items[generation->batches.count++];
    events->data = data;
    events->offset = batch->data_offset;
    events->time = batch->time;
    events->size = batch->size;
    events->next = -1;
    generation->undecoded += batch->size;
    return GT_OK;
}

/*
 * Adds a batch to a table, which refers to the bytes of the batch. The bytes of a stream are
 * overwritten before the table is freed, so the table gets a copy of them.
 */
static gt_status v2_table_add(struct gt_v2 *v2, const struct gt_v2_batch *batch,
                              gt_status (*add)(struct gt_v2 *v2, const struct gt_v2_batch *batch))
{
    struct gt_v2_batch copy = *batch;
    if (gt_source_is_lasting(v2->source) || batch->size == 0)
        return add(v2, batch);
    char *bytes = gt_arena_take(&v2->table->bytes, v2->mem, batch->size);
    if (!bytes)
        return gt_v2_no_memory(v2);
    memcpy(bytes, batch->data, batch->size);
    copy.data = (const uint8_t *) bytes;
    return add(v2, &copy);
}

static gt_status v2_batch_add(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    if (generation->min_time == 0 || batch->time < generation->min_time)
        generation->min_time = batch->time;
    gt_v2_fit_note(&v2->fit, batch);
    if (batch->experiment != 0)
        return v2_table_add(v2, batch, gt_v2_add_experiment);
    switch (batch->first) {
    case GT_WIRE_STRINGS:
        return v2_table_add(v2, batch, gt_v2_add_strings);
    case GT_WIRE_STACKS:
        return v2_table_add(v2, batch, gt_v2_add_stacks);
    case GT_WIRE_CPU_SAMPLES:
        return gt_v2_add_samples(v2, batch);
    case GT_WIRE_FREQUENCY:
        return v2->version < 25 ? gt_v2_add_sync(v2, batch) : v2_events_add(v2, batch);
    case GT_WIRE_SYNC:
        return v2->version >= 25 ? gt_v2_add_sync(v2, batch) : v2_events_add(v2, batch);
    default:
        return v2_events_add(v2, batch);
    }
}

static gt_status v2_check_stacks(struct gt_v2 *v2)
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

/*
 * Sets the error that the input ends within the generation, with a hint how to read the part that
 * is left.
 */
static gt_status v2_fail_cut(struct gt_v2 *v2, const char *text)
{
    gt_error_set(v2->error, GT_ERR_TRUNCATED, gt_source_offset(v2->source), v2->generation.number,
                 "%s", text);
    if (!v2->repair.lenient)
        gt_error_append(v2->error, "; try GT_READER_LENIENT");
    return GT_ERR_TRUNCATED;
}

static gt_status v2_check_frequency(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    uint64_t last = v2->damage.frequency;
    gt_status status;
    if (generation->has_frequency)
        return GT_OK;
    if (generation->is_cut && !v2->table->clock.known)
        status = v2_fail_cut(v2, "generation is cut off before its frequency");
    else
        status = gt_error_set(v2->error, GT_ERR_GENERATION, generation->offset, generation->number,
                              "generation without a frequency");
    if (!gt_v2_forgive(v2, last != 0 ? "; the last one is used"
                                     : "; 15625000 ticks a second are assumed"))
        return status;
    gt_v2_set_frequency(generation, last != 0 ? last : GT_V2_USUAL_FREQUENCY);
    return GT_OK;
}

static gt_status v2_check_clock(struct gt_v2 *v2)
{
    const struct gt_v2_generation *generation = &v2->generation;
    if (v2->version < 25 || v2->table->clock.known)
        return GT_OK;
    gt_status status = gt_error_set(v2->error, GT_ERR_GENERATION, generation->offset,
                                    generation->number, "generation without a clock snapshot");
    return gt_v2_forgive(v2, "; it has no wall-clock times") ? GT_OK : status;
}

/* Performs the checks and computes the times that require all batches of the generation. */
static gt_status v2_generation_finish(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    struct gt_clock *clock = &v2->table->clock;
    gt_status status = v2_check_frequency(v2);
    if (status == GT_OK)
        status = v2_check_clock(v2);
    if (status == GT_OK)
        status = v2_check_stacks(v2);
    if (status != GT_OK)
        return status;
    clock->trace = gt_v2_to_ns(generation, generation->clock_units);
    for (size_t i = 0; i < generation->samples.count; i++)
        generation->samples.items[i].time =
            gt_v2_to_ns(generation, (uint64_t) generation->samples.items[i].time);
    gt_v2_samples_sort(v2);
    v2->table->generation = generation->number;
    return GT_OK;
}

static gt_status v2_fail_number(struct gt_v2 *v2, const struct gt_v2_batch *batch)
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

/*
 * Returns whether the status means that the batch itself is damaged, so that the batches before it
 * can be used.
 */
static bool v2_is_bad_batch(gt_status status)
{
    return status == GT_ERR_BATCH || status == GT_ERR_TRUNCATED;
}

/* Uses the part that is left of a truncated batch, if the reader is lenient. */
static bool v2_take_cut(struct gt_v2 *v2, const struct gt_v2_batch *batch, gt_status status)
{
    return status == GT_ERR_TRUNCATED && batch->data &&
           gt_v2_forgive(v2, "; what there is of it is used");
}

enum v2_step {
    V2_STEP_ON,       /* the generation continues */
    V2_STEP_COMPLETE, /* the generation is complete */
    V2_STEP_CUT,      /* the generation ends at a damaged batch: the error is set */
    V2_STEP_OVER,     /* the input has ended */
    V2_STEP_AGAIN,    /* the bytes of the next step are not available yet */
    V2_STEP_FAILED    /* the error is set */
};

/* Continues the search for the end of a gap, in which the generation may end. */
static enum v2_step v2_gap_more(struct gt_v2 *v2)
{
    struct gt_v2_batch batch = {0};
    size_t end;
    gt_status status = gt_v2_gap_skip(v2);
    if (status == GT_OK)
        status = gt_v2_batch_look(v2->source, 0, &batch, &end);
    if (status != GT_OK)
        return status == GT_AGAIN ? V2_STEP_AGAIN : V2_STEP_FAILED;
    v2->is_over = !gt_v2_gap_close(v2);
    if (!gt_v2_gap_has_end(v2, v2->gap.is_last || v2->is_over ? NULL : &batch))
        return V2_STEP_ON;
    gt_v2_fit_end(&v2->fit);
    return V2_STEP_COMPLETE;
}

/* Skips a place where no batch begins, up to the next one. */
static enum v2_step v2_gap(struct gt_v2 *v2)
{
    if (!v2->repair.lenient)
        return V2_STEP_FAILED;
    gt_v2_gap_open(v2);
    return v2_gap_more(v2);
}

/*
 * Handles a batch of another generation, or an unexpected end marker. If the batch can be of a
 * later generation, a lenient reader concludes that the end of this one is lost.
 */
static enum v2_step v2_step_over(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_generation *generation = &v2->generation;
    v2_fail_number(v2, batch);
    if (!batch->end_of_generation && generation->number != 0 &&
        batch->generation > generation->number && gt_v2_fits(v2, batch) == GT_V2_FITS &&
        gt_v2_forgive(v2, "; a new one begins"))
        return V2_STEP_COMPLETE;
    return v2_gap(v2);
}

/*
 * Handles the end of the input. Since Go 1.26 every generation has an end marker, so a missing one
 * is an error.
 */
static enum v2_step v2_step_end(struct gt_v2 *v2)
{
    struct gt_v2_generation *generation = &v2->generation;
    generation->is_cut = true;
    gt_prints_report(&v2->prints, &v2->repair, v2->error);
    if (v2->version < 26)
        return generation->number != 0 ? V2_STEP_COMPLETE : V2_STEP_OVER;
    if (!generation->has_events) {
        /*
         * The runtime writes the clock of the next generation right behind the marker of the last
         * one; only a stop leaves nothing there (runtime/trace.go).
         */
        bool has_begun = generation->number != 0 || v2->generations == 0;
        if (!v2->is_torn)
            v2->ending = has_begun ? GT_ENDING_RUNNING : GT_ENDING_STOPPED;
        return V2_STEP_OVER;
    }
    v2->is_torn = true;
    v2_fail_cut(v2, "generation without its end");
    return gt_v2_forgive(v2, "; what there is of it is given") ? V2_STEP_COMPLETE : V2_STEP_FAILED;
}

/* Handles a batch that cannot be used; the error is set. */
static enum v2_step v2_step_bad(struct gt_v2 *v2, gt_status status)
{
    struct gt_v2_generation *generation = &v2->generation;
    if (v2->error->generation == 0)
        v2->error->generation = generation->number;
    if (!v2_is_bad_batch(status))
        return V2_STEP_FAILED;
    if (v2->repair.lenient)
        return v2_gap(v2);
    generation->is_cut = status == GT_ERR_TRUNCATED;
    return v2->version < 26 && generation->number != 0 ? V2_STEP_CUT : V2_STEP_FAILED;
}

/*
 * Sets `*is` to whether what was read as a batch or an end marker is one. In a trace without damage
 * all are. `status` is the result of reading the batch, which is cut off where another trace begins
 * in it.
 */
static gt_status v2_step_doubt(struct gt_v2 *v2, struct gt_v2_batch *batch, gt_status status,
                               bool *is)
{
    bool is_cut = status == GT_ERR_TRUNCATED && batch->data;
    if (status != GT_OK && !is_cut)
        return GT_OK;
    if (batch->end_of_generation)
        return v2->version >= 26 ? gt_v2_gap_is_end(v2, is) : GT_OK;
    *is = is_cut ? gt_v2_fits(v2, batch) != GT_V2_FITS_NOT : gt_v2_gap_is_batch(v2, batch);
    return *is ? gt_v2_gap_cut_batch(v2, batch, is_cut, is) : GT_OK;
}

/*
 * Notes what a lenient reader would doubt, in a generation that is read apart from those before it,
 * strictly.
 */
static void v2_step_note(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_batch copy = *batch;
    bool is = true;
    if (batch->end_of_generation) {
        v2->fit.is_doubtful |= gt_v2_gap_is_end(v2, &is) != GT_OK || !is;
        return;
    }
    v2->fit.is_doubtful |= !gt_v2_gap_is_batch(v2, batch) ||
                           gt_v2_gap_cut_batch(v2, &copy, false, &is) != GT_OK || !is ||
                           copy.size != batch->size;
    gt_v2_fit_doubt(v2, batch);
}

/*
 * Takes the next batch. Before Go 1.26 a generation ends at the first batch of the next one, or at
 * the end of the input; since then it ends with an end marker of one byte.
 */
static enum v2_step v2_step(struct gt_v2 *v2, struct gt_v2_batch *batch)
{
    struct gt_v2_generation *generation = &v2->generation;
    bool marked = v2->version >= 26;
    if (v2->gap.is_open)
        return v2_gap_more(v2);
    gt_status status = v2->is_over ? GT_END : gt_v2_batch_peek(v2->source, batch);
    if (status == GT_AGAIN)
        return V2_STEP_AGAIN;
    if (status == GT_END)
        return v2_step_end(v2);
    if (v2->repair.lenient) {
        bool is_batch = true;
        gt_status known = v2_step_doubt(v2, batch, status, &is_batch);
        if (known != GT_OK)
            return known == GT_AGAIN ? V2_STEP_AGAIN : V2_STEP_FAILED;
        if (!is_batch) {
            gt_v2_gap_open_here(v2, batch);
            return v2_gap_more(v2);
        }
    }
    if (v2->is_apart && status == GT_OK)
        v2_step_note(v2, batch);
    if (status != GT_OK && !v2_take_cut(v2, batch, status))
        return v2_step_bad(v2, status);
    if (generation->number == 0) {
        generation->number = batch->generation;
        generation->offset = batch->offset;
    }
    if (marked && batch->end_of_generation) {
        gt_v2_batch_take(v2->source, batch);
        gt_v2_fit_end(&v2->fit);
        v2->is_torn = false;
        return V2_STEP_COMPLETE;
    }
    if (!marked && batch->generation != 0 && batch->generation - 1 == generation->number)
        return V2_STEP_COMPLETE;
    if (batch->generation == 0 || batch->generation != generation->number)
        return v2_step_over(v2, batch);
    if (v2_batch_add(v2, batch) != GT_OK &&
        !gt_v2_forgive(v2, "; the rest of its batch is left out"))
        return V2_STEP_FAILED;
    gt_v2_batch_take(v2->source, batch);
    return V2_STEP_ON;
}

/*
 * Takes the next batch, reports the progress to the program, and checks whether reading was
 * cancelled.
 */
static enum v2_step v2_step_watched(struct gt_v2 *v2, struct gt_v2_batch *batch)
{
    uint64_t start = gt_source_offset(v2->source);
    enum v2_step step = v2_step(v2, batch);
    uint64_t end = gt_source_offset(v2->source);
    if (step == V2_STEP_ON && gt_source_pass(v2->source, end, end - start) != GT_OK)
        return V2_STEP_FAILED;
    return step;
}

/* Prepares to read a generation. Fails only if there is no memory. */
static gt_status v2_generation_open(struct gt_v2 *v2)
{
    gt_source_release(v2->source);
    v2_generation_start(&v2->generation);
    v2->generation.offset = gt_source_offset(v2->source);
    v2->damage.found = false;
    v2->damage.forced = 0;
    v2->damage.reported = 0;
    return gt_v2_table_start(v2) == GT_OK ? GT_OK : gt_v2_no_memory(v2);
}

enum gt_v2_outcome gt_v2_generation_read(struct gt_v2 *v2)
{
    enum v2_step last;
    struct gt_v2_batch batch;
    if (!v2->generation.is_open && v2_generation_open(v2) != GT_OK)
        return GT_V2_READ_FAILED;
    do
        last = v2_step_watched(v2, &batch);
    while (last == V2_STEP_ON);
    if (last == V2_STEP_AGAIN)
        return GT_V2_READ_AGAIN;
    v2->generation.is_open = false;
    if (last == V2_STEP_FAILED)
        return GT_V2_READ_FAILED;
    if (last == V2_STEP_OVER && (v2->version >= 26 || v2->generations > 0))
        return GT_V2_READ_NOTHING;
    gt_error cut_by = *v2->error;
    if (v2_generation_finish(v2) != GT_OK)
        return GT_V2_READ_FAILED;
    *v2->error = cut_by;
    return last == V2_STEP_CUT ? GT_V2_READ_CUT : GT_V2_READ;
}
