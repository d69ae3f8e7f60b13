/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/fit.h"

#include "v2/batch.h"
#include "v2/repair.h"
#include "v2/spec.h"
#include "v2/v2.h"

enum {
    /* No two batches that follow each other in a trace are further apart. */
    FIT_SECONDS = 600,

    /*
     * Parts of a second: for a tenth of one, threads may still begin batches of the generation
     * before; and by a thousandth, the strings of the first generation, which the runtime collects
     * from its beginning, may be earlier than all other batches.
     */
    FIT_OVERLAP = 10,
    FIT_STRINGS = 1000,

    /* A batch of strings with fewer bytes was written because there are no more. */
    FIT_FULL = GT_V2_MAX_BATCH - 2 * GT_V2_MAX_STRING
};

/* Whether the batch belongs to no thread, as tables, clocks, CPU samples and some events do. */
static bool fit_is_common(const struct gt_v2_batch *batch)
{
    return batch->thread == UINT64_MAX;
}

static bool fit_has_events(const struct gt_v2_batch *batch)
{
    switch (batch->first) {
    case GT_WIRE_NONE:
    case GT_WIRE_STRINGS:
    case GT_WIRE_STACKS:
    case GT_WIRE_CPU_SAMPLES:
    case GT_WIRE_FREQUENCY:
    case GT_WIRE_SYNC:
        return false;
    default:
        return batch->experiment == 0;
    }
}

static uint64_t fit_frequency(const struct gt_v2 *v2)
{
    uint64_t frequency = v2->damage.frequency;
    return frequency != 0 && frequency < UINT64_MAX / FIT_SECONDS ? frequency
                                                                  : GT_V2_USUAL_FREQUENCY;
}

/* The latest time of the batches of events so far, or the earliest of all if there are none. */
static uint64_t fit_last(const struct gt_v2_fit *fit)
{
    return fit->latest != 0 ? fit->latest : fit->least;
}

/* Whether a batch at this time is not too long after the last one. */
static bool fit_is_near(const struct gt_v2 *v2, uint64_t time)
{
    uint64_t last = fit_last(&v2->fit);
    return time <= last || (time - last) / FIT_SECONDS <= fit_frequency(v2);
}

/* Returns `time` less a part of a second. */
static uint64_t fit_before(const struct gt_v2 *v2, uint64_t time, unsigned part)
{
    uint64_t slack = fit_frequency(v2) / part;
    return time > slack ? time - slack : 0;
}

/*
 * The time of the last batch of the same thread in the generation, or 0. A batch that comes again
 * has the same time.
 */
static uint64_t fit_thread_time(const struct gt_v2 *v2, uint64_t id)
{
    const struct gt_v2_generation *generation = &v2->generation;
    const struct gt_v2_thread *thread = gt_idmap_get(&v2->state.threads, id);
    if (!thread || thread->lane.rank >= generation->threads.count ||
        generation->threads.items[thread->lane.rank] != thread)
        return 0;
    return generation->batches.items[thread->last_batch].time;
}

/* Whether a batch of the newest generation can follow the others of it. */
static enum gt_v2_fits fit_in_generation(const struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_fit *fit = &v2->fit;
    if (fit->has_ended || batch->time < fit_before(v2, fit->floor, FIT_OVERLAP))
        return GT_V2_FITS_NOT;
    if (fit_has_events(batch) &&
        (fit->has_stacks || batch->time <= fit_thread_time(v2, batch->thread)))
        return GT_V2_FITS_NOT;
    if (batch->first == GT_WIRE_CPU_SAMPLES && batch->time == fit->samples_time)
        return GT_V2_FITS_NOT;
    uint64_t least = fit->least;
    if (batch->first == GT_WIRE_STRINGS)
        least = fit_before(v2, least, FIT_STRINGS);
    return fit->floor != 0 || batch->time >= least ? GT_V2_FITS : GT_V2_FITS_EARLY;
}

enum gt_v2_fits gt_v2_fits(const struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_fit *fit = &v2->fit;
    if (batch->generation == 0)
        return GT_V2_FITS_NOT;
    if (fit->generation == 0)
        return GT_V2_FITS;
    if (batch->generation < fit->generation || !fit_is_near(v2, batch->time))
        return GT_V2_FITS_NOT;
    if (batch->generation == fit->generation)
        return fit_in_generation(v2, batch);
    return batch->time >= fit_before(v2, fit_last(fit), FIT_OVERLAP) ? GT_V2_FITS : GT_V2_FITS_NOT;
}

bool gt_v2_fit_is_other(const struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_fit *fit = &v2->fit;
    bool is_complete = fit->floor != 0 || (fit->has_stacks && fit->has_strings);
    return fit->is_padded && is_complete && batch->time < fit_before(v2, fit->least, FIT_STRINGS);
}

bool gt_v2_fit_is_late(const struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_fit *fit = &v2->fit;
    bool is_at_end = fit_is_common(batch) && batch->experiment == 0 &&
                     batch->first != GT_WIRE_STRINGS && batch->first != GT_WIRE_NONE;
    return batch->time >= fit->latest && gt_v2_fits(v2, batch) == GT_V2_FITS &&
           (batch->generation > fit->generation || is_at_end);
}

/*
 * Whether no batch of tables need follow. The runtime writes strings last; other writers may write
 * all tables before the events.
 */
static bool fit_is_final(const struct gt_v2_batch *batch)
{
    return batch->first == GT_WIRE_STRINGS ? batch->size < (uint32_t) FIT_FULL
                                           : batch->first != GT_WIRE_STACKS;
}

void gt_v2_fit_note(struct gt_v2_fit *fit, const struct gt_v2_batch *batch)
{
    if (batch->generation != fit->generation) {
        fit->generation = batch->generation;
        fit->floor = fit->latest;
        fit->samples_time = 0;
        fit->has_ended = fit->has_stacks = fit->has_strings = false;
        fit->greatest = fit->lowest = batch->time;
    }
    if (batch->time > fit->greatest)
        fit->greatest = batch->time;
    if (batch->time < fit->lowest)
        fit->lowest = batch->time;
    fit->is_padded = batch->is_padded && (fit->is_padded || fit->least == 0);
    if (fit->least == 0 || batch->time < fit->least)
        fit->least = batch->time;
    if (!fit_is_common(batch) && batch->time > fit->latest)
        fit->latest = batch->time;
    fit->has_stacks |= batch->first == GT_WIRE_STACKS;
    fit->has_strings |= batch->first == GT_WIRE_STRINGS;
    fit->is_closed = fit->has_stacks && fit->has_strings && fit_is_final(batch);
    if (batch->first == GT_WIRE_CPU_SAMPLES)
        fit->samples_time = batch->time;
}

void gt_v2_fit_doubt(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    struct gt_v2_fit *fit = &v2->fit;
    if (fit->generation != 0 &&
        (fit->is_padded != batch->is_padded || gt_v2_fits(v2, batch) != GT_V2_FITS))
        fit->is_doubtful = true;
}

bool gt_v2_fit_follows(const struct gt_v2 *v2, const struct gt_v2_fit *apart)
{
    const struct gt_v2_fit *fit = &v2->fit;
    if (apart->is_doubtful)
        return false;
    if (fit->generation == 0)
        return true;
    return fit_is_near(v2, apart->greatest) && apart->is_padded == fit->is_padded &&
           apart->lowest >= fit_before(v2, fit_last(fit), FIT_OVERLAP);
}

void gt_v2_fit_end(struct gt_v2_fit *fit)
{
    fit->has_ended = true;
}

void gt_v2_fit_join(struct gt_v2_fit *fit, const struct gt_v2_fit *next)
{
    struct gt_v2_fit before = *fit;
    *fit = *next;
    fit->floor = before.latest;
    fit->is_doubtful = false;
    fit->is_padded &= before.is_padded || before.generation == 0;
    if (before.generation != 0 && before.least < fit->least)
        fit->least = before.least;
    if (before.latest > fit->latest)
        fit->latest = before.latest;
}
