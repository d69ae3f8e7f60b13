/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DRAWING_H
#define GT_WEB_DRAWING_H

/*
 * Draws a trace, or the part that a request selects, as JSON for a trace viewer. Not for several
 * threads at the same time.
 */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

enum {
    GT_DRAWING_VIEWS = 3
};

/* The names of the views; the index is a GT_VIEW_ value. */
extern const char *const gt_drawing_views[GT_DRAWING_VIEWS];

struct gt_drawing_request {
    /* The view to draw, a GT_VIEW_ value. */
    uint32_t view;
    /* What to select: a GT_SELECT_ value and the id, or 0 for the whole trace. */
    uint32_t selection;
    uint64_t id;
    /* The numbers of the first and the last event to write; see gt_json_options. */
    uint64_t first, last;
    /*
     * The range of times to draw, in nanoseconds since the trace's start; all of it if `to` is 0.
     * Ignored if something is selected.
     */
    uint64_t from, to;
};

/* Called every few thousand events. Returns true to stop drawing. */
typedef bool gt_drawing_stop_fn(void *user_data);

struct gt_drawing {
    struct gt_drawing_request request;
    /* Receives the JSON. `user_data` is passed to it and to is_stopped, which may be NULL. */
    gt_write_fn write;
    void *user_data;
    gt_drawing_stop_fn *is_stopped;
    /* The parts that draw. They start as NULL and belong to the drawing. */
    gt_selector *selector;
    gt_json_writer *writer;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

/* Parses a number of at most 2^64-1. Returns false if the text has anything but decimal digits. */
bool gt_drawing_parse_number(const char *text, uint64_t *value);

/*
 * For a request that selects something: reads the trace once to find out what to show. The trace
 * must be opened again for gt_drawing_draw. Returns GT_ERR_NOT_AVAILABLE if the trace contains
 * nothing of the selection. Everything before an error in the trace counts; `*reading` becomes the
 * status with which reading ended.
 */
gt_status gt_drawing_select(struct gt_drawing *drawing, gt_reader *reader, gt_status *reading);

/*
 * Draws what the request asks for. Returns the error of drawing or writing, which is
 * GT_ERR_CALLBACK if it was stopped. `*reading` becomes the status with which reading ended.
 */
gt_status gt_drawing_draw(struct gt_drawing *drawing, gt_reader *reader, gt_status *reading);

/* Frees the parts that draw. May be called at any time, including after an error. */
void gt_drawing_close(struct gt_drawing *drawing);

#endif
