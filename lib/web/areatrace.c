/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/area.trace: what happened in a range of time, as a trace of its own. */
#include <gotrace/gotrace.h>

#include "base/time.h"
#include "web/areaproof.h"
#include "web/download.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    /* The newest version whose traces begin with the states of all that exists. */
    AREATRACE_OLD = 21
};

/* What of the trace has come so far. */
struct areatrace_seen {
    bool start;
    bool any;     /* events that are no Sync */
    bool passed;  /* events before the range */
    bool states;  /* events that tell what exists there */
    bool begun;   /* events of the range */
    bool written; /* events of the range that are no Sync */
    /* The states of everything that exists in the range. */
    bool all;
};

/* How a trace that was repaired is read so that the output can be in a trace. */
struct areatrace_remedy {
    uint64_t reader_flags;
    /* The first generation that is not written, or 0. */
    uint64_t until;
};

/* One request while it is being answered. */
struct areatrace {
    struct gt_download download;
    gt_writer *writer;
    /* The range of times to write, both included, in nanoseconds since the trace's start. */
    struct gt_query_range range;
    int64_t start;
    struct areatrace_seen seen;
    gt_reader *reader;
    /* The trace was repaired, or is not known yet to be whole. */
    bool is_damaged;
    struct areatrace_remedy remedy;
    /* Nothing is passed to the client, but the output is read, to find out if it is a trace. */
    bool is_rehearsal;
    struct gt_area_proof proof;
    /* The generation in which the last attempt failed. */
    uint64_t generation;
    /* Why the first attempt has failed, if the trace cannot be written. */
    gt_error failure;
    /* The client has got an error. */
    bool is_answered;
};

/* Notes the generation that an event opens. Returns GT_END if that is not written. */
static gt_status areatrace_note(struct areatrace *area, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    if (!area->is_damaged || gt_event_sync(event, &sync) != GT_OK || sync.generation == 0)
        return GT_OK;
    if (area->remedy.until != 0 && sync.generation >= area->remedy.until)
        return GT_END;
    area->generation = sync.generation;
    return GT_OK;
}

static void areatrace_begin(struct areatrace *area, const gt_event *first)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(area->reader, &info);
    area->seen.start = true;
    area->seen.all = info.version <= AREATRACE_OLD;
    area->start = first->time;
}

/*
 * Takes an event after the range. What sleeps from before the trace on is not named before the end
 * of the first generation that has events. If nothing happens in the range, the states are written.
 */
static gt_status areatrace_go_on(struct areatrace *area, const gt_event *event)
{
    const struct areatrace_seen *seen = &area->seen;
    const struct gt_query_range *range = &area->range;
    gt_status status = GT_OK;
    if (!seen->all && !seen->written && (seen->begun || seen->passed)) {
        area->seen.states = true;
        return gt_writer_late(area->writer, event);
    }
    if (!seen->begun && seen->states && range->start <= range->end)
        status = gt_writer_states(area->writer, gt_time_plus(area->start, range->start),
                                  gt_time_plus(area->start, range->end));
    return status == GT_OK ? GT_END : status;
}

static gt_status areatrace_take_event(void *user_data, const gt_event *event)
{
    struct areatrace *area = user_data;
    struct areatrace_seen *seen = &area->seen;
    bool is_sync = event->kind == GT_EVENT_SYNC;
    if (areatrace_note(area, event) == GT_END)
        return GT_END;
    if (is_sync)
        seen->all = seen->any;
    seen->any |= !is_sync;
    if (!seen->start)
        areatrace_begin(area, event);
    int64_t time = gt_time_minus(event->time, area->start);
    if (time > area->range.end)
        return areatrace_go_on(area, event);
    seen->begun |= time >= area->range.start;
    seen->passed |= !seen->begun;
    seen->states |= !seen->begun && !is_sync;
    seen->written |= seen->begun && !is_sync;
    return seen->begun ? gt_writer_event(area->writer, event) : gt_writer_skip(area->writer, event);
}

/* A gt_write_fn. */
static int areatrace_write(void *user_data, const void *data, size_t size)
{
    struct areatrace *area = user_data;
    if (area->is_rehearsal)
        return gt_area_proof_take(&area->proof, data, size) ? 0 : -1;
    return gt_download_write(&area->download, data, size);
}

/* Stores why the trace cannot be written, unless an attempt before has failed. */
static void areatrace_explain(struct areatrace *area)
{
    uint64_t generation = area->proof.fault.generation;
    if (area->proof.is_refuted && generation != 0 && generation < area->generation)
        area->generation = generation;
    if (area->failure.status == GT_OK)
        gt_writer_error(area->writer, &area->failure);
    if (area->failure.status == GT_OK || area->failure.status == GT_ERR_IO)
        area->failure = area->proof.fault;
}

/* Writes what a reader delivers. */
static gt_status areatrace_copy(struct areatrace *area)
{
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    gt_status reading = GT_OK;
    options.allocator = &area->download.web->source.mem->allocator;
    options.flags = area->is_damaged ? GT_WRITER_LENIENT : 0;
    gt_status status =
        gt_writer_open(&area->writer, area->reader, areatrace_write, area, &options, NULL);
    if (status == GT_OK)
        status =
            gt_download_read(&area->download, area->reader, areatrace_take_event, area, &reading);
    if (status == GT_END)
        status = GT_OK;
    if (status == GT_OK && reading == GT_OK) {
        status = gt_writer_finish(area->writer);
        if (status == GT_OK && area->is_rehearsal)
            gt_area_proof_end(&area->proof);
    }
    if (area->proof.is_refuted)
        status = (gt_status) area->proof.fault.status;
    if (status == GT_ERR_NOT_AVAILABLE || status == GT_ERR_VERSION)
        areatrace_explain(area);
    return status != GT_OK ? status : reading;
}

/* Reads the trace with the remedy, and writes it. */
static gt_status areatrace_attempt(struct areatrace *area)
{
    area->seen = (struct areatrace_seen){.start = false};
    gt_status status =
        gt_download_open_as(&area->download, area->remedy.reader_flags, &area->reader);
    area->is_answered = status != GT_OK;
    if (status != GT_OK)
        return status;
    area->proof = (struct gt_area_proof){.mem = area->download.web->source.mem};
    status = areatrace_copy(area);
    gt_area_proof_close(&area->proof);
    area->proof.is_refuted = false;
    gt_writer_close(&area->writer);
    gt_reader_close(&area->reader);
    return status;
}

static gt_status areatrace_try(struct areatrace *area, uint64_t reader_flags, uint64_t until)
{
    area->remedy = (struct areatrace_remedy){reader_flags, until};
    return areatrace_attempt(area);
}

/*
 * Finds out how a trace that was repaired can be written, by writing it to nowhere, from what keeps
 * most of it: what a lenient reader delivers may have a goroutine in two places, which no trace can
 * have. Events that wait for what is lost happen all the same, or their threads are left out, or
 * the output ends before the generation that makes it impossible, or at the first fault.
 */
static gt_status areatrace_rehearse(struct areatrace *area)
{
    const uint64_t forced = area->remedy.reader_flags, unforced = forced | GT_READER_UNFORCED;
    gt_status status = areatrace_try(area, forced, 0);
    if (status != GT_ERR_NOT_AVAILABLE || !area->seen.begun)
        return status;
    uint64_t until_forced = area->generation;
    status = areatrace_try(area, unforced, 0);
    if (status != GT_ERR_NOT_AVAILABLE)
        return status;
    bool forces = until_forced > area->generation;
    status =
        areatrace_try(area, forces ? forced : unforced, forces ? until_forced : area->generation);
    if (status != GT_ERR_NOT_AVAILABLE)
        return status;
    return areatrace_try(area, forced & ~GT_READER_LENIENT, 0);
}

/*
 * Ends the answer. A trace that cannot be written, or a range without events, is told with the
 * writer's message.
 */
static void areatrace_end(const struct areatrace *area, gt_status status)
{
    bool is_over = gt_response_is_over(area->download.response);
    bool is_impossible = status == GT_ERR_NOT_AVAILABLE || status == GT_ERR_VERSION;
    if (is_impossible && area->failure.status != GT_OK && !is_over)
        gt_response_error(area->download.response, 404, area->failure.message);
    else
        gt_download_end(&area->download, status);
}

static bool areatrace_is_damaged(struct gt_web *web)
{
    struct gt_web_loading *loading = &web->loading;
    pthread_mutex_lock(&loading->lock);
    bool is_whole = loading->done && loading->repairs_total == 0;
    pthread_mutex_unlock(&loading->lock);
    return !is_whole;
}

void gt_web_serve_area_trace(struct gt_web *web, struct gt_query *query)
{
    struct areatrace area = {.download = {web, query->response},
                             .remedy.reader_flags = web->source.reader_flags,
                             .failure = GT_ERROR_INIT};
    gt_status status = GT_OK;
    gt_query_whole(query, web->store, &area.range);
    if (query->failed)
        return;
    gt_response_stream(query->response);
    gt_response_set_type(query->response, "application/octet-stream");
    area.is_damaged = area.is_rehearsal = areatrace_is_damaged(web);
    if (area.is_rehearsal)
        status = areatrace_rehearse(&area);
    area.is_rehearsal = false;
    if (status == GT_OK)
        status = areatrace_attempt(&area);
    if (!area.is_answered)
        areatrace_end(&area, status);
}
