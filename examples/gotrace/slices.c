/* SPDX-License-Identifier: BSD-3-Clause */
#include "slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"
#include "terminal.h"

enum {
    /* What follows the name of a piece, with its NUL. */
    PIECE_SUFFIX_ROOM = 16
};

bool piece_open(struct piece *piece, const char *name, unsigned number, const char *input,
                struct output *out)
{
    size_t room = strlen(name) + PIECE_SUFFIX_ROOM;
    piece->path = malloc(room);
    if (!piece->path) {
        terminal_report("%s: %s", name, gt_status_text(GT_ERR_NO_MEMORY));
        return false;
    }
    snprintf(piece->path, room, "%s.%03u", name, number);
    if (tracefile_open(&piece->file, piece->path, input, out))
        return true;
    free(piece->path);
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
    if (slices->proof.reader && !proof_take(&slices->proof, data, size)) {
        slices->is_refuted = true;
        return -1;
    }
    return tracefile_write(&slices->piece.file, data, size);
}

static gt_status slices_open_piece(struct slices *slices)
{
    struct input *in = slices->in;
    if (in->lenient && !proof_open(&slices->proof, &in->failure))
        return (gt_status) in->failure.status;
    slices->is_open =
        piece_open(&slices->piece, slices->name, slices->count, in->name, slices->out);
    slices->has_failed = !slices->is_open;
    slices->count++;
    return slices->is_open ? GT_OK : GT_ERR_IO;
}

/* Ends the reading of the piece, if it is read. Returns whether a reader reads it. */
static bool slices_end_proof(struct slices *slices)
{
    if (slices->proof.reader && !slices->is_refuted && !proof_end(&slices->proof))
        slices->is_refuted = true;
    proof_close(&slices->proof);
    return !slices->is_refuted;
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
    slices->all.moved += info.moved;
    slices->all.handed_over += info.handed_over;
    slices->is_open = false;
    if (!slices_end_proof(slices) && status == GT_OK)
        status = GT_ERR_NOT_AVAILABLE;
    if (!piece_close(&slices->piece, status == GT_OK)) {
        slices->has_failed = true;
        return GT_ERR_IO;
    }
    return status;
}

static gt_status slices_take(void *user_data, const gt_event *event)
{
    struct slices *slices = user_data;
    gt_status status = GT_OK;
    if (!slices->has_first) {
        slices->has_first = true;
        slices->first = event->time;
        status = slices_open_piece(slices);
    }
    uint64_t number = ((uint64_t) event->time - (uint64_t) slices->first) / slices->every;
    if (status == GT_OK && number != slices->number && slices->is_open)
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
    bool is_good = status == GT_OK && reading != GT_CANCELLED;
    if (is_good && slices->is_open)
        status = slices_end_piece(slices, true);
    else if (slices->is_open)
        slices->has_failed = !piece_close(&slices->piece, false);
    proof_close(&slices->proof);
    if (slices->is_refuted)
        proof_explain(&in->failure);
    else if (status != GT_OK && in->failure.status == GT_OK)
        gt_writer_error(slices->writer, &in->failure);
    if (slices->is_refuted)
        return GT_ERR_NOT_AVAILABLE;
    return status != GT_OK ? status : reading;
}

int slices_run(struct slices *slices)
{
    struct input *in = slices->in;
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    options.flags = in->lenient ? GT_WRITER_LENIENT : 0;
    gt_status status =
        gt_writer_open(&slices->writer, in->reader, slices_write, slices, &options, &in->failure);
    if (status == GT_OK)
        status = slices_copy(slices);
    rewrite_report_changes(in, &slices->all);
    gt_writer_close(&slices->writer);
    int code = input_close(in, slices->out, slices->has_failed ? GT_OK : status);
    return slices->has_failed ? COMMAND_BAD : code;
}
