/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRAWING_H
#define DRAWING_H

/* Draws a trace, or the part that a request selects, as JSON for a trace viewer. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

struct drawing_request {
    bool exact;
    /* Instead of drawing, divide it into parts of about `part_size` bytes. */
    bool parts;
    uint64_t part_size;
    /* A GT_VIEW_ value. */
    uint32_t view;
    /* A GT_SELECT_ value and the id of what it selects; 0: the whole trace. */
    uint32_t selection;
    uint64_t id;
    /* The numbers of the first and of the last event. */
    uint64_t first, last;
};

struct drawing {
    struct drawing_request request;
    /* Where the JSON goes. */
    gt_write_fn write;
    void *user_data;
    gt_selector *selector;
    gt_json_writer *writer;
    gt_splitter *splitter;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

/* Parses a decimal number without a sign, up to 2^64-1. */
bool drawing_parse_number(const char *text, uint64_t *value);
bool drawing_parse_view(const char *text, uint32_t *view);

/*
 * For a request that selects something: reads the trace once to find out what to draw; the
 * caller then opens the reader again. Returns GT_ERR_NOT_AVAILABLE if there is no such thing. An
 * error in the trace ends the reading, but is no failure: `*reading` is how the reading ended.
 */
gt_status drawing_select(struct drawing *drawing, gt_reader *reader, gt_status *reading);

/* Draws the trace, or with request.parts fills the splitter. `*reading` is as above. */
gt_status drawing_draw(struct drawing *drawing, gt_reader *reader, gt_status *reading);

void drawing_close(struct drawing *drawing);

#endif
