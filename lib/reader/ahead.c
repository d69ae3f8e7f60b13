/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/ahead.h"

#include "reader/worker.h"

enum {
    /*
     * How many blocks of events the caller's thread decodes before it starts the worker. Waking a
     * thread costs more than it gains in a trace or generation that is shorter.
     */
    SOLO_BLOCKS = 16,
    /* The threshold grows up to this while generations prove too short. */
    MAX_SOLO_BLOCKS = 1024,
    /* A turn of the worker that gave so many blocks was worth starting it. */
    WORTHWHILE_BLOCKS = 4 * SOLO_BLOCKS
};

void gt_ahead_init(struct gt_ahead *ahead, struct gt_decoder *decoder)
{
    ahead->decoder = decoder;
    ahead->solo_threshold = SOLO_BLOCKS;
}

void gt_ahead_destroy(struct gt_ahead *ahead)
{
    gt_worker_destroy(ahead->worker);
}

static void ahead_call_on_repair(void *data, const void *repair)
{
    const struct gt_ahead *ahead = data;
    ahead->on_repair(ahead->repair_data, repair);
}

/* Called by the decoder. The caller is told in its own thread, whichever makes the repair. */
static void ahead_report_repair(void *data, const gt_error *repair)
{
    struct gt_ahead *ahead = data;
    if (ahead->worker)
        gt_worker_call(ahead->worker, ahead_call_on_repair, ahead, repair);
    else
        ahead_call_on_repair(ahead, repair);
}

void gt_ahead_set_options(struct gt_ahead *ahead, gt_reader_options *options)
{
    ahead->is_enabled = (options->flags & GT_READER_AHEAD) != 0;
    if (!options->on_repair)
        return;
    ahead->on_repair = options->on_repair;
    ahead->repair_data = options->repair_data;
    options->on_repair = ahead_report_repair;
    options->repair_data = ahead;
}

static bool ahead_decode_in_worker(void *decoder, struct gt_events *events)
{
    return gt_decoder_more(decoder, events);
}

/* Lets the worker continue where this thread has stopped. */
static void ahead_start_worker(struct gt_ahead *ahead)
{
    if (!ahead->worker)
        ahead->worker = gt_worker_create(gt_decoder_mem(ahead->decoder), ahead_decode_in_worker,
                                         ahead->decoder);
    if (!ahead->worker) {
        ahead->is_enabled = false;
        return;
    }
    gt_worker_start(ahead->worker);
    ahead->worker_blocks = 0;
    ahead->worker_active = true;
}

/* Takes the decoder back from the worker, which has nothing more to decode. */
static void ahead_stop_worker(struct gt_ahead *ahead)
{
    /* The next generations are probably as long as this one. */
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

gt_status gt_ahead_fill(struct gt_ahead *ahead, const struct gt_events **events)
{
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
