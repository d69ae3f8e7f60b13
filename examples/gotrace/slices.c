/* SPDX-License-Identifier: BSD-3-Clause */
#include "slices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"
#include "terminal.h"

enum {
    /* What follows the name of a piece, with its NUL. */
    PIECE_SUFFIX_ROOM = 24
};

bool piece_open(struct piece *piece, const char *name, uint64_t number, const char *input,
                struct output *out)
{
    size_t room = strlen(name) + PIECE_SUFFIX_ROOM;
    piece->path = malloc(room);
    if (!piece->path) {
        terminal_report("%s: %s", name, gt_status_text(GT_ERR_NO_MEMORY));
        return false;
    }
    snprintf(piece->path, room, "%s.%03" PRIu64, name, number);
    if (tracefile_open(&piece->file, piece->path, input, out))
        return true;
    free(piece->path);
    return false;
}

bool pieces_are_allowed(const char *name, uint64_t count, uint64_t most)
{
    if (count <= most)
        return true;
    terminal_report("%s: there would be more than %" PRIu64 " files; --files allows more", name,
                    most);
    return false;
}

bool piece_close(struct piece *piece, bool keeps)
{
    bool is_good = tracefile_close(&piece->file, keeps);
    free(piece->path);
    return is_good;
}

/* A gt_write_fn. */
static int slices_write(void *user_data, const void *data, size_t size)
{
    struct slices *slices = user_data;
    if (!rehearsal_check(&slices->rehearsal, data, size))
        return -1;
    return slices->rehearsal.is_running ? 0 : tracefile_write(&slices->piece.file, data, size);
}

static gt_status slices_open_piece(struct slices *slices)
{
    gt_status status = rehearsal_check_begin(&slices->rehearsal);
    if (status != GT_OK)
        return status;
    slices->is_open =
        slices->rehearsal.is_running ||
        (pieces_are_allowed(slices->name, ++slices->count, slices->most) &&
         piece_open(&slices->piece, slices->name, slices->number, slices->in->name, slices->out));
    slices->has_failed = !slices->is_open;
    return slices->is_open ? GT_OK : GT_ERR_IO;
}

/* Closes the file of the piece, and notes if that fails. */
static void slices_close_piece(struct slices *slices, bool keeps)
{
    slices->is_open = false;
    if (!slices->rehearsal.is_running && !piece_close(&slices->piece, keeps))
        slices->has_failed = true;
}

/* Ends a piece, and lets the writer begin another one unless the piece is the last one. */
static gt_status slices_end_piece(struct slices *slices, bool is_last)
{
    gt_writer_info info = GT_WRITER_INFO_INIT;
    gt_writer_get_info(slices->writer, &info);
    gt_status status =
        is_last ? gt_writer_finish(slices->writer) : gt_writer_restart(slices->writer);
    slices->all.left_out += info.left_out;
    slices->all.delayed += info.delayed;
    slices->all.made_up += info.made_up;
    slices->all.moved += info.moved;
    slices->all.handed_over += info.handed_over;
    if (!rehearsal_check_end(&slices->rehearsal) && status == GT_OK)
        status = GT_ERR_NOT_AVAILABLE;
    rehearsal_check_close(&slices->rehearsal);
    slices_close_piece(slices, status == GT_OK);
    return slices->has_failed ? GT_ERR_IO : status;
}

/* Returns whether an event is the Sync at the end of the trace, which belongs to the last piece. */
static bool slices_is_end(const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    return event->kind == GT_EVENT_SYNC && gt_event_sync(event, &sync) == GT_OK &&
           sync.generation == 0;
}

static gt_status slices_take(void *user_data, const gt_event *event)
{
    struct slices *slices = user_data;
    gt_status status = rehearsal_note(&slices->rehearsal, event);
    if (status == GT_OK && !slices->has_first) {
        slices->has_first = true;
        slices->first = event->time;
        status = slices_open_piece(slices);
    }
    uint64_t number = ((uint64_t) event->time - (uint64_t) slices->first) / slices->every;
    if (status == GT_OK && number != slices->number && slices->is_open && !slices_is_end(event))
        status = slices_end_piece(slices, false);
    slices->number = number;
    /* Only events make a piece: the last event of the trace is a Sync. */
    if (status == GT_OK && !slices->is_open && event->kind == GT_EVENT_SYNC)
        return gt_writer_skip(slices->writer, event);
    if (status == GT_OK && !slices->is_open)
        status = slices_open_piece(slices);
    return status == GT_OK ? gt_writer_event(slices->writer, event) : status;
}

/* Writes the pieces. Returns what the writer failed with, or else how the reading ended. */
static gt_status slices_copy(struct slices *slices)
{
    struct input *in = slices->in;
    gt_status reading = GT_OK;
    gt_status status = input_for_each_event(in->reader, slices_take, slices, &reading);
    bool is_good = (status == GT_OK || status == GT_END) && !input_is_in_trouble(in, reading) &&
                   !input_is_all_lost(in, reading);
    if (is_good)
        status = slices->is_open ? slices_end_piece(slices, true) : GT_OK;
    else if (slices->is_open)
        slices_close_piece(slices, false);
    rehearsal_check_close(&slices->rehearsal);
    if (status != GT_OK && in->failure.status == GT_OK)
        gt_writer_error(slices->writer, &in->failure);
    if (slices->rehearsal.is_refuted)
        return (gt_status) in->failure.status;
    slices->is_complete = status == GT_OK && is_good;
    return status != GT_OK ? status : reading;
}

static gt_status slices_write_all(struct slices *slices)
{
    struct input *in = slices->in;
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    options.flags = in->lenient ? GT_WRITER_LENIENT : 0;
    gt_status status =
        gt_writer_open(&slices->writer, in->reader, slices_write, slices, &options, &in->failure);
    if (status == GT_OK)
        status = slices_copy(slices);
    return status;
}

/* Writes to nowhere, and forgets that. See struct rehearsal. */
static gt_status slices_try(void *user_data)
{
    struct slices *slices = user_data;
    gt_status status = slices_write_all(slices);
    bool is_complete = slices->is_complete;
    gt_writer_close(&slices->writer);
    slices->is_complete = slices->has_first = false;
    slices->number = 0;
    slices->all = (gt_writer_info) GT_WRITER_INFO_INIT;
    return is_complete ? GT_OK : status;
}

int slices_run(struct slices *slices)
{
    struct input *in = slices->in;
    gt_status status = GT_OK;
    if (in->lenient)
        status = rehearsal_run(&slices->rehearsal, in, slices_try, slices);
    if (!in->reader)
        return COMMAND_BAD;
    if (status == GT_OK)
        status = slices_write_all(slices);
    input_report_all_repairs(in);
    rewrite_report_changes(in, &slices->all);
    rehearsal_report(&slices->rehearsal);
    gt_writer_close(&slices->writer);
    int code = input_close(in, slices->out, slices->has_failed ? GT_OK : status);
    return slices->has_failed ? COMMAND_BAD : code;
}
