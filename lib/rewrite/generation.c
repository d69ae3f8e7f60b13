/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/generation.h"

#include "base/time.h"
#include "base/varint.h"
#include "base/wraps.h"
#include "rewrite/batch.h"
#include "rewrite/table.h"
#include "source/header.h"

enum {
    /*
     * The first version with clock snapshots, and the first one with an end marker for generations.
     */
    CLOCKED = 25,
    MARKED = 26,
    NANOSECONDS = 1000000000,
    SYNC_MAX = 3 + 5 * GT_VARINT_MAX
};

gt_status gt_rewrite_generation_end(struct gt_writer *writer)
{
    static const uint8_t end = GT_WIRE_END_OF_GENERATION;
    if (!writer->generation.is_open)
        return GT_OK;
    writer->generation.is_open = false;
    gt_status status = gt_rewrite_threads_flush(writer);
    if (status == GT_OK)
        status = gt_rewrite_tables_flush(writer);
    if (status == GT_OK && writer->info.version >= MARKED)
        status = gt_rewrite_bytes(writer, &end, 1);
    return status;
}

/* Moves the snapshot `clock` to `time`: all its clocks advance by the difference. */
GT_WRAPS static struct gt_clock clock_move(const struct gt_clock *clock, int64_t time)
{
    struct gt_clock moved = *clock;
    gt_sync sync = GT_SYNC_INIT;
    sync.has_clock = 1;
    sync.clock_trace = clock->trace;
    sync.clock_seconds = clock->seconds;
    sync.clock_nanoseconds = clock->nanoseconds;
    /* If the wall clock would overflow at that time, it stays as it is. */
    if (gt_sync_wall_clock(&sync, time, &moved.seconds, &moved.nanoseconds) != GT_OK)
        moved.seconds = clock->seconds;
    moved.monotonic += gt_time_span(clock->trace, time);
    moved.trace = time;
    return moved;
}

/* Returns the snapshot of the input's generation, or one from the options if the input has none. */
static struct gt_clock clock_of_input(const struct gt_writer *writer)
{
    const gt_sync *sync = &writer->sync;
    int64_t seconds = (int64_t) writer->options.wall_seconds;
    struct gt_clock clock = {writer->first_time, (uint64_t) writer->first_time,
                             seconds == 0 ? 1 : seconds, 0, true};
    if (!sync->has_clock)
        return clock;
    clock.trace = gt_time_plus(sync->clock_trace, writer->options.offset);
    clock.monotonic = sync->clock_monotonic;
    clock.seconds = sync->clock_seconds;
    clock.nanoseconds = sync->clock_nanoseconds;
    return clock;
}

/* Returns whether all three clocks of a snapshot are later than those of another one. */
static bool clock_is_later(const struct gt_clock *clock, const struct gt_clock *than)
{
    return clock->trace > than->trace && clock->monotonic > than->monotonic &&
           (clock->seconds > than->seconds ||
            (clock->seconds == than->seconds && clock->nanoseconds > than->nanoseconds));
}

/*
 * Returns the snapshot for a generation at `time`. If `is_cut` is set, the generation begins within
 * one of the input, whose snapshot is moved to that time. The clocks must increase from one
 * snapshot to the next. After a cut, the input's next snapshot may be earlier than the moved one,
 * because it was taken before the last events of its generation and the clocks are not read at
 * exactly the same moment. Such a snapshot is replaced by one that continues the previous one.
 */
static struct gt_clock clock_for(struct gt_writer *writer, int64_t time, bool is_cut)
{
    struct gt_clock clock = clock_of_input(writer);
    struct gt_clock *last = &writer->cut_clock;
    if (is_cut || !writer->sync.has_clock)
        clock = clock_move(&clock, time);
    if (last->known && !clock_is_later(&clock, last))
        clock = clock_move(last,
                           clock.trace > last->trace ? clock.trace : gt_time_plus(last->trace, 1));
    writer->last_clock = clock;
    if (is_cut || last->known)
        *last = clock;
    return clock;
}

/* Writes the batch with the clock snapshot of a generation that begins at `time`. */
static gt_status generation_put_clock(struct gt_writer *writer, int64_t time, bool is_cut)
{
    uint8_t bytes[SYNC_MAX];
    uint8_t *to = bytes;
    if (writer->info.version < CLOCKED) {
        *to++ = GT_WIRE_FREQUENCY;
        to = gt_varint_put(to, NANOSECONDS);
        return gt_rewrite_batch_put(writer, GT_NO_THREAD, gt_rewrite_exact_time(time), bytes,
                                    (size_t) (to - bytes));
    }
    const struct gt_clock clock = clock_for(writer, time, is_cut);
    if (clock.trace < 0)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "a clock snapshot at a time below 0 cannot be written");
    int64_t base = gt_rewrite_exact_time(clock.trace < time ? clock.trace : time);
    if (base == 0) /* then all batches have the time 0: see batch_time */
        writer->generation.time = 0;
    *to++ = GT_WIRE_SYNC;
    *to++ = GT_WIRE_FREQUENCY;
    to = gt_varint_put(to, NANOSECONDS);
    *to++ = GT_WIRE_CLOCK_SNAPSHOT;
    to = gt_varint_put(to, gt_time_span(base, clock.trace));
    to = gt_varint_put(to, clock.monotonic);
    to = gt_varint_put(to, (uint64_t) clock.seconds);
    to = gt_varint_put(to, clock.nanoseconds);
    return gt_rewrite_batch_put(writer, GT_NO_THREAD, base, bytes, (size_t) (to - bytes));
}

/*
 * Returns the number of the next generation. In versions without end markers, the numbers must be
 * consecutive; in others it need only be higher than the last one, which may be a part of the same
 * generation of the input.
 */
static uint64_t generation_number(const struct gt_writer *writer)
{
    bool is_next =
        writer->info.version < MARKED || writer->sync.generation <= writer->generation.number;
    if (is_next && writer->info.generations > 1)
        return writer->generation.number + 1;
    return writer->sync.generation != 0 ? writer->sync.generation : 1;
}

static gt_status writer_put_header(struct gt_writer *writer)
{
    uint8_t header[GT_HEADER_SIZE];
    writer->info.version = writer->version;
    gt_header_write(header, writer->version);
    return gt_rewrite_bytes(writer, header, sizeof(header));
}

gt_status gt_rewrite_generation_begin(struct gt_writer *writer, int64_t time, bool is_cut)
{
    gt_status status = writer->info.version == 0 ? writer_put_header(writer) : GT_OK;
    if (status == GT_OK)
        status = gt_rewrite_tables_begin(writer);
    if (status != GT_OK)
        return status;
    if (writer->info.generations++ == 0)
        writer->first_time = time;
    writer->generation.ordinal++;
    writer->generation.number = generation_number(writer);
    writer->generation.time = gt_rewrite_exact_time(time);
    writer->generation.is_open = true;
    writer->generation.is_due = false;
    writer->generation.begin = gt_rewrite_bytes_count(writer);
    writer->generation.table_bytes = 0;
    writer->last_time = time;
    status = generation_put_clock(writer, time, is_cut);
    if (status == GT_OK)
        status = gt_rewrite_causes_keep(writer);
    for (size_t i = 0; status == GT_OK && i < writer->batches.count; i++) {
        struct gt_rewrite_batch *batch = &writer->batches.items[i];
        if (!batch->is_written)
            status = gt_rewrite_experiment_put(writer, batch->experiment, batch->thread,
                                               batch->data, batch->size);
        batch->is_written = true;
    }
    return status;
}

/*
 * Fails if the reader has made repairs, unless the options allow that: a lenient reader forces
 * states, for which the format has no record.
 */
static gt_status writer_check_repairs(struct gt_writer *writer)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_status status = gt_reader_get_info(writer->reader, &info);
    bool is_allowed = writer->options.flags & GT_WRITER_LENIENT;
    return status == GT_OK && info.repairs != 0 && !is_allowed
               ? gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                                 "a trace that was repaired cannot be written")
               : status;
}

/*
 * Ends the generation that the Sync ends, and begins the one that it opens. The reader of Go 1.22
 * refuses generations without events (internal/trace/v2/reader.go), so there it begins only with
 * the first one.
 */
static gt_status sync_put(struct gt_writer *writer, int64_t time)
{
    gt_status status = gt_rewrite_generation_end(writer);
    writer->generation.is_due = gt_rewrite_is_older(writer);
    writer->generation.due_time = time;
    if (writer->generation.is_due)
        return status;
    return status == GT_OK ? gt_rewrite_generation_begin(writer, time, false) : status;
}

gt_status gt_rewrite_sync(struct gt_writer *writer, const gt_event *event, int64_t time)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_status status = gt_event_sync(event, &sync);
    if (status == GT_OK)
        status = writer_check_repairs(writer);
    if (status != GT_OK)
        return status;
    /*
     * An output that begins with a Sync in the middle of the input must name everything that
     * exists, because not every generation of the input does.
     */
    if (writer->has_skipped && writer->info.generations == 0) {
        writer->is_writing = false;
        writer->rest_time = time;
    }
    if (writer->options.flags & GT_WRITER_ANONYMOUS)
        sync.has_clock = sync.batch_count = 0;
    if (gt_rewrite_is_older(writer))
        sync.batch_count = 0;
    if (sync.generation == 0) { /* the Sync at the end of the trace, which another may continue */
        writer->has_end = writer->is_writing;
        return GT_OK;
    }
    bool continues;
    status = gt_rewrite_join_sync(writer, &sync, &continues);
    if (status != GT_OK || continues)
        return status;
    writer->sync = sync;
    writer->input_count++;
    gt_rewrite_batches_drop(writer, false);
    status = gt_rewrite_batches_keep(writer, event);
    return status == GT_OK && writer->is_writing ? sync_put(writer, time) : status;
}

/*
 * Writes the clock of another generation, which is all that there is of it, if the program of the
 * input ended while it was recorded, and the output has everything up to there. Of an output
 * without generations the end tells that already.
 */
static gt_status finish_running(struct gt_writer *writer)
{
    bool is_running = writer->has_end && gt_reader_get_ending(writer->reader) == GT_ENDING_RUNNING;
    if (!is_running || writer->info.version < MARKED || writer->info.generations == 0 ||
        writer->generation.number == UINT64_MAX)
        return GT_OK;
    int64_t time = gt_time_plus(writer->last_time, 1);
    writer->generation.number++;
    writer->generation.time = gt_rewrite_exact_time(time);
    return generation_put_clock(writer, time, true);
}

gt_status gt_rewrite_finish(struct gt_writer *writer)
{
    gt_status status = writer_check_repairs(writer);
    if (status != GT_OK)
        return status;
    if (writer->info.generations == 0 && writer->has_skipped)
        status = gt_rewrite_cut(writer, writer->rest_time);
    else if (writer->info.generations == 0 && writer->generation.is_due)
        status = gt_rewrite_generation_begin(writer, writer->generation.due_time, false);
    else if (writer->info.generations == 0)
        status = writer_put_header(writer);
    writer->generation.is_due = false;
    if (status == GT_OK && writer->info.generations == 0 && writer->info.version < MARKED)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE, "there are no events to write");
    if (status == GT_OK)
        status = gt_rewrite_generation_end(writer);
    if (status == GT_OK)
        status = finish_running(writer);
    return status == GT_OK ? gt_rewrite_flush(writer) : status;
}
