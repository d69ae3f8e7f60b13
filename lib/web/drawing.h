/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DRAWING_H
#define GT_WEB_DRAWING_H

/* A trace drawn as JSON for a trace viewer, all of it or what a request selects. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

enum {
    GT_DRAWING_VIEWS = 3
};

/* The names of views, by GT_VIEW_ value. */
extern const char *const gt_drawing_views[GT_DRAWING_VIEWS];

struct gt_drawing_request {
    /* A GT_VIEW_ value. */
    uint32_t view;
    /* What of the trace: a GT_SELECT_ value, or 0 for all, and the id. */
    uint32_t selection;
    uint64_t id;
    /* The first and the last event. */
    uint64_t first, last;
    /* Only what is between these, in ns since the trace's start; both 0 for all of it. */
    uint64_t from, to;
};

/* Asked after each so many events whether to stop. */
typedef bool gt_drawing_stop_fn(void *user_data);

struct gt_drawing {
    struct gt_drawing_request request;
    /* Where the JSON goes. */
    gt_write_fn write;
    void *user_data;
    gt_drawing_stop_fn *is_stopped;
    gt_selector *selector;
    gt_json_writer *writer;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

/* Digits only, of at most 2^64-1. */
bool gt_drawing_parse_number(const char *text, uint64_t *value);

/*
 * For a request that selects something: goes through the trace once to find out what
 * to show, and the reader has to be opened again. GT_ERR_NOT_AVAILABLE: there is no such thing.
 * What is good before an error in the trace counts; how the reading ended is `*reading`.
 */
gt_status gt_drawing_select(struct gt_drawing *drawing, gt_reader *reader, gt_status *reading);

/* Draws. Returns what went wrong with that. */
gt_status gt_drawing_draw(struct gt_drawing *drawing, gt_reader *reader, gt_status *reading);

void gt_drawing_close(struct gt_drawing *drawing);

#endif
