/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/reader.h"

#include <stddef.h>

#include "base/error.h"
#include "base/likely.h"
#include "base/sized.h"
#include "reader/options.h"
#include "source/header.h"
#include "source/origin.h"

enum {
    /* So many blocks of events: for fewer, of a short trace or generation, no thread is woken. */
    ALONE = 16,
    MOST_ALONE = 1024
};

static void tell_repair(void *data, const void *repair)
{
    struct gt_reader *reader = data;
    reader->on_repair(reader->repair_data, repair);
}

/* Whichever thread makes the repair, it is told of in the caller's. */
static void on_repair(void *data, const gt_error *repair)
{
    struct gt_reader *reader = data;
    if (reader->ahead)
        gt_ahead_run(reader->ahead, tell_repair, reader, repair);
    else
        tell_repair(reader, repair);
}

static gt_status start_v1(struct gt_reader *reader, const gt_reader_options *options)
{
    struct gt_v1 *v1 = gt_mem_alloc(&reader->mem, sizeof(*v1));
    if (!v1)
        return gt_error_plain(&reader->working, gt_mem_failure(&reader->mem));
    gt_v1_init(v1, &reader->mem, &reader->source, &reader->working);
    v1->version = reader->version;
    v1->options.lenient = (options->flags & GT_READER_LENIENT) != 0;
    v1->options.keep = (options->flags & GT_READER_KEEP) != 0;
    v1->options.as_recorded = (options->flags & GT_READER_AS_RECORDED) != 0;
    v1->options.on_repair = options->on_repair ? on_repair : NULL;
    v1->options.repair_data = reader;
    v1->options.symbolize = options->symbolize;
    v1->options.symbolize_data = options->symbolize_data;
    reader->v1 = v1;
    return GT_OK;
}

static gt_status read_header(struct gt_reader *reader, const gt_reader_options *options)
{
    reader->on_repair = options->on_repair;
    reader->repair_data = options->repair_data;
    reader->patience = ALONE;
    reader->reads_ahead = (options->flags & GT_READER_AHEAD) != 0;
    int newer = (options->flags & GT_READER_KNOWN_VERSIONS) == 0;
    gt_status status = gt_header_read(&reader->source, newer, &reader->version);
    if (status != GT_OK)
        return status;
    if (reader->version <= GT_V1_NEWEST)
        return start_v1(reader, options);
    reader->v2.version = reader->version > GT_NEWEST ? GT_NEWEST : reader->version;
    reader->v2.keep = (options->flags & GT_READER_KEEP) != 0;
    reader->v2.repair.lenient = (options->flags & GT_READER_LENIENT) != 0;
    reader->v2.repair.on_repair = options->on_repair ? on_repair : NULL;
    reader->v2.repair.user_data = reader;
    return GT_OK;
}

static struct gt_reader *create(const gt_reader_options *options, const gt_allocator *allocator,
                                gt_error *error)
{
    gt_status status;
    struct gt_reader *reader = gt_mem_create(sizeof(*reader), offsetof(struct gt_reader, mem),
                                             allocator, options->memory_limit, &status);
    if (!reader) {
        gt_error_plain(error, status);
        return NULL;
    }
    reader->working.size = reader->error.size = sizeof(gt_error);
    reader->error.offset = GT_NO_OFFSET;
    reader->next = reader->end = reader->events.list;
    gt_source_init(&reader->source, &reader->mem, &reader->working);
    gt_v2_init(&reader->v2, &reader->mem, &reader->source, &reader->working);
    return reader;
}

static gt_status try_open(struct gt_reader **out, const struct gt_origin *origin,
                          const gt_reader_options *options, gt_error *error)
{
    gt_allocator allocator;
    gt_reader_options taken;
    gt_status status = gt_reader_options_take(&taken, &allocator, options);
    if (status != GT_OK)
        return gt_error_plain(error, status);
    struct gt_reader *reader = create(&taken, &allocator, error);
    if (!reader)
        return (gt_status) error->status;
    reader->busy = 1;
    status = gt_origin_open(origin, &reader->source);
    if (status == GT_OK)
        status = read_header(reader, &taken);
    reader->busy = 0;
    *error = reader->working;
    if (status != GT_OK)
        gt_reader_close(&reader);
    *out = reader;
    return status;
}

static gt_status open_reader(struct gt_reader **out, const struct gt_origin *origin,
                             const gt_reader_options *options, gt_error *error)
{
    gt_error place = GT_ERROR_INIT;
    if (out)
        *out = NULL;
    if (error && !gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = out && gt_origin_is_good(origin)
                           ? try_open(out, origin, options, &place)
                           : gt_error_plain(&place, GT_ERR_INVALID_ARGUMENT);
    if (status != GT_OK && error)
        gt_struct_give(error, &place, sizeof(place));
    return status;
}

gt_status gt_reader_open_memory(gt_reader **reader, const void *data, size_t size,
                                const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_MEMORY, .data = data, .size = size};
    return open_reader(reader, &origin, options, error);
}

gt_status gt_reader_open_file(gt_reader **reader, const char *path,
                              const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FILE, .path = path};
    return open_reader(reader, &origin, options, error);
}

gt_status gt_reader_open_fd(gt_reader **reader, int fd, const gt_reader_options *options,
                            gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_FD, .fd = fd};
    return open_reader(reader, &origin, options, error);
}

gt_status gt_reader_open_callback(gt_reader **reader, gt_read_fn read, void *user_data,
                                  const gt_reader_options *options, gt_error *error)
{
    struct gt_origin origin = {.kind = GT_ORIGIN_CALLBACK, .read = read, .user_data = user_data};
    return open_reader(reader, &origin, options, error);
}

void gt_reader_close(gt_reader **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_reader *reader = *out;
    *out = NULL;
    gt_ahead_destroy(reader->ahead);
    if (reader->v1) {
        gt_v1_destroy(reader->v1);
        gt_mem_free(&reader->mem, reader->v1, sizeof(*reader->v1));
    }
    gt_v2_destroy(&reader->v2);
    gt_source_close(&reader->source);
    struct gt_mem mem = reader->mem;
    gt_mem_free(&mem, reader, sizeof(*reader));
}

static int decode_more(void *data, struct gt_events *events)
{
    struct gt_reader *reader = data;
    return reader->v1 ? gt_v1_more(reader->v1, events) : gt_v2_more(&reader->v2, events);
}

/* The other thread goes on where this one has come to. */
static void leave_to_other(struct gt_reader *reader)
{
    if (!reader->ahead)
        reader->ahead = gt_ahead_create(&reader->mem, decode_more, reader);
    if (!reader->ahead) {
        reader->reads_ahead = 0;
        return;
    }
    gt_ahead_go(reader->ahead);
    reader->left = 0;
    reader->is_left = 1;
}

static gt_status fill(struct gt_reader *reader, const struct gt_events **events)
{
    uint32_t generations = reader->v2.generations;
    gt_status status = reader->v1 ? gt_v1_fill(reader->v1, &reader->events)
                                  : gt_v2_fill(&reader->v2, &reader->events);
    *events = &reader->events;
    if (reader->v2.generations != generations)
        reader->alone = 0;
    if (status == GT_OK && reader->reads_ahead && ++reader->alone >= reader->patience)
        leave_to_other(reader);
    return status;
}

/* Sets `*events`, also where there are none. */
static gt_status take_events(struct gt_reader *reader, const struct gt_events **events)
{
    if (reader->is_left) {
        *events = gt_ahead_next(reader->ahead);
        if (*events) {
            reader->left++;
            return GT_OK;
        }
        /* A generation that was hardly worth it: the next ones are likely as long. */
        if (reader->left >= 4 * ALONE)
            reader->patience = ALONE;
        else if (reader->patience < MOST_ALONE)
            reader->patience *= 2;
        reader->is_left = 0;
        reader->alone = 0;
    }
    return fill(reader, events);
}

/* Out of line, so that what is done for each event needs no registers saved. */
static GT_NOINLINE gt_status next_events(struct gt_reader *reader, const gt_event **event)
{
    const struct gt_events *events;
    *event = NULL;
    if (reader->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (reader->status != GT_OK)
        return reader->status;
    reader->busy = 1;
    gt_status status = take_events(reader, &events);
    reader->busy = 0;
    reader->repairs = events->repairs;
    if (status != GT_OK) {
        reader->status = status;
        if (status < 0)
            reader->error = reader->working;
        return status;
    }
    reader->next = events->list;
    reader->end = reader->next + events->count;
    reader->events_taken += events->count;
    *event = &(reader->next++)->event;
    return GT_OK;
}

gt_status gt_reader_next_event(gt_reader *reader, const gt_event **event)
{
    if (!reader || !event) {
        if (event)
            *event = NULL;
        return GT_ERR_INVALID_ARGUMENT;
    }
    const struct gt_event_data *next = reader->next;
    if (next < reader->end && !reader->busy) {
        reader->next = next + 1;
        *event = &next->event;
        return GT_OK;
    }
    return next_events(reader, event);
}

gt_status gt_reader_error(const gt_reader *reader, gt_error *error)
{
    if (!reader || reader->busy || !gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_struct_give(error, &reader->error, sizeof(reader->error));
    return GT_OK;
}

gt_status gt_reader_get_info(const gt_reader *reader, gt_reader_info *info)
{
    if (!reader || reader->busy || !gt_struct_fits(info, GT_UP_TO(gt_reader_info, repairs)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_reader_info known = GT_READER_INFO_INIT;
    known.version = reader->version;
    known.newer = reader->version > GT_NEWEST;
    known.bytes = gt_source_offset(&reader->source);
    known.events = reader->events_taken - (uint64_t) (reader->end - reader->next);
    known.generations = reader->v1 ? reader->v1->syncs != 0 : reader->v2.generations;
    known.repairs = reader->repairs;
    gt_mem_count(&reader->mem, &known.memory, &known.memory_peak);
    gt_struct_give(info, &known, sizeof(known));
    return GT_OK;
}
