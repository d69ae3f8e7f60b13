/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/ahead.h"

#include "base/mem.h"
#include "base/thread.h"
#include "reader/parallel.h"
#include "reader/worker.h"

enum {
    /*
     * The number of blocks of events that the caller's thread decodes before it starts the worker.
     * In a shorter trace or generation, waking a thread costs more than it gains.
     */
    SOLO_BLOCKS = 16,
    /* The threshold grows up to this number while generations are too short for the worker. */
    MAX_SOLO_BLOCKS = 1024,
    /* Starting the worker was worthwhile if it has then decoded at least this many blocks. */
    WORTHWHILE_BLOCKS = 4 * SOLO_BLOCKS,
    /*
     * The number of repairs that the worker hands over at once. The caller's thread reports them,
     * and waiting for it takes the worker about as long as making a hundred repairs, while a
     * damaged trace may need one for every few bytes.
     */
    REPAIRS_AT_ONCE = 64,
    MAX_WORKERS = 64,
    /* The most bytes of records if the program does not say how many there may be. */
    DEFAULT_BYTES = 64 << 20
};

/* Repairs that the worker has made and that are not reported yet. */
struct gt_ahead_repairs {
    size_t count;
    gt_error list[REPAIRS_AT_ONCE];
};

void gt_ahead_init(struct gt_ahead *ahead, struct gt_decoder *decoder)
{
    ahead->decoder = decoder;
    ahead->solo_threshold = SOLO_BLOCKS;
}

void gt_ahead_destroy(struct gt_ahead *ahead)
{
    gt_parallel_destroy(ahead->parallel);
    gt_worker_destroy(ahead->worker);
    if (ahead->repairs)
        gt_mem_free(gt_decoder_mem(ahead->decoder), ahead->repairs, sizeof(*ahead->repairs));
}

static void ahead_call_on_repair(void *data, const void *argument)
{
    const struct gt_ahead *ahead = data;
    const struct gt_ahead_repairs *repairs = argument;
    for (size_t i = 0; i < repairs->count; i++)
        ahead->on_repair(ahead->repair_data, &repairs->list[i]);
}

/* Reports the worker's repairs in the caller's thread. Called by the worker. */
static void ahead_flush_repairs(struct gt_ahead *ahead)
{
    if (!ahead->repairs || ahead->repairs->count == 0)
        return;
    gt_worker_call(ahead->worker, ahead_call_on_repair, ahead, ahead->repairs);
    ahead->repairs->count = 0;
}

/*
 * The callback of the decoder for a repair. Ensures that the caller's function is called in the
 * caller's thread, whichever thread makes the repair.
 */
static void ahead_report_repair(void *data, const gt_error *repair)
{
    struct gt_ahead *ahead = data;
    if (!ahead->is_in_worker) {
        ahead->on_repair(ahead->repair_data, repair);
        return;
    }
    ahead->repairs->list[ahead->repairs->count++] = *repair;
    if (ahead->repairs->count == REPAIRS_AT_ONCE)
        ahead_flush_repairs(ahead);
}

void gt_ahead_set_options(struct gt_ahead *ahead, gt_reader_options *options)
{
    ahead->is_enabled = (options->flags & GT_READER_AHEAD) != 0;
    ahead->crew.workers =
        options->workers < MAX_WORKERS ? (unsigned) options->workers : (unsigned) MAX_WORKERS;
    ahead->crew.bytes = options->ahead_bytes;
    ahead->crew.execute = options->execute;
    ahead->crew.execute_data = options->execute_data;
    if (!options->on_repair)
        return;
    ahead->on_repair = options->on_repair;
    ahead->repair_data = options->repair_data;
    options->on_repair = ahead_report_repair;
    options->repair_data = ahead;
}

/*
 * Decodes a block in the worker. Repairs are reported before the caller gets the events of the
 * block in which they were made.
 */
static bool ahead_decode_in_worker(void *data, struct gt_events *events)
{
    struct gt_ahead *ahead = data;
    ahead->is_in_worker = true;
    bool has_more = gt_decoder_more(ahead->decoder, events);
    ahead_flush_repairs(ahead);
    ahead->is_in_worker = false;
    return has_more;
}

/* Creates the worker and its memory. Returns false on failure. */
static bool ahead_create_worker(struct gt_ahead *ahead)
{
    struct gt_mem *mem = gt_decoder_mem(ahead->decoder);
    if (ahead->on_repair && !ahead->repairs) {
        ahead->repairs = gt_mem_alloc(mem, sizeof(*ahead->repairs));
        if (!ahead->repairs)
            return false;
        ahead->repairs->count = 0;
    }
    ahead->worker = gt_worker_create(mem, ahead_decode_in_worker, ahead);
    return ahead->worker;
}

/* Hands the decoder to the worker, which continues where this thread has stopped. */
static void ahead_start_worker(struct gt_ahead *ahead)
{
    if (!ahead->worker && !ahead_create_worker(ahead)) {
        ahead->is_enabled = false;
        return;
    }
    gt_worker_start(ahead->worker);
    ahead->worker_blocks = 0;
    ahead->worker_active = true;
}

/* Takes the decoder back from the worker, which has reached the end of the generation. */
static void ahead_stop_worker(struct gt_ahead *ahead)
{
    /* The threshold is adjusted because the next generations are probably as long as this one. */
    if (ahead->worker_blocks >= WORTHWHILE_BLOCKS)
        ahead->solo_threshold = SOLO_BLOCKS;
    else if (ahead->solo_threshold < MAX_SOLO_BLOCKS)
        ahead->solo_threshold *= 2;
    ahead->worker_active = false;
    ahead->solo_blocks = 0;
}

static gt_status ahead_decode(struct gt_ahead *ahead, const struct gt_events **events)
{
    uint32_t ordinal = gt_decoder_last_ordinal(ahead->decoder);
    gt_status status = gt_decoder_fill(ahead->decoder, &ahead->events);
    *events = &ahead->events;
    if (gt_decoder_last_ordinal(ahead->decoder) != ordinal)
        ahead->solo_blocks = 0;
    if (status == GT_OK && ahead->is_enabled && ++ahead->solo_blocks >= ahead->solo_threshold)
        ahead_start_worker(ahead);
    return status;
}

/* Returns the most bytes that records may take. */
static uint64_t ahead_bytes(const struct gt_ahead *ahead)
{
    const struct gt_source *source = ahead->decoder->v2.source;
    uint64_t limit = ahead->decoder->v2.mem->limit;
    uint64_t bytes = ahead->crew.bytes;
    if (bytes == 0)
        bytes = source->total / 2 < DEFAULT_BYTES ? source->total / 2 : (uint64_t) DEFAULT_BYTES;
    return limit != 0 && bytes > limit / 4 ? limit / 4 : bytes;
}

/* Starts the threads that read generations apart, if the trace can be read so. */
static void ahead_start_parallel(struct gt_ahead *ahead)
{
    const struct gt_v2 *v2 = &ahead->decoder->v2;
    ahead->crew.bytes = ahead_bytes(ahead);
    if (GT_HAS_THREADS && !ahead->decoder->v1 && gt_source_is_lasting(v2->source) &&
        v2->source->ended)
        ahead->parallel = gt_parallel_create(ahead->decoder, &ahead->crew);
    ahead->crew.workers = 0;
}

gt_status gt_ahead_fill(struct gt_ahead *ahead, const struct gt_events **events)
{
    if (ahead->crew.workers != 0)
        ahead_start_parallel(ahead);
    if (ahead->parallel) {
        *events = &ahead->events;
        return gt_parallel_fill(ahead->parallel, &ahead->events);
    }
    if (ahead->worker_active) {
        *events = gt_worker_next(ahead->worker);
        if (*events) {
            ahead->worker_blocks++;
            return GT_OK;
        }
        ahead_stop_worker(ahead);
    }
    return ahead_decode(ahead, events);
}
