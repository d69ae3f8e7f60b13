/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_READER_H
#define GT_READER_READER_H

#include <gotrace/reader.h>

#include "model/event.h"
#include "model/interned.h"
#include "reader/ahead.h"
#include "reader/decoder.h"
#include "reader/live.h"
#include "reader/preface.h"
#include "source/input.h"

struct gt_reader {
    struct gt_input input;
    gt_reader_options options; /* for the decoder, which starts after the header was read */
    struct gt_preface preface;
    struct gt_decoder decoder;
    struct gt_ahead ahead;
    struct gt_interned interned;      /* the stacks that gt_stack_intern has interned */
    const struct gt_event_data *next; /* the next decoded event to deliver */
    const struct gt_event_data *end;  /* the end of the decoded events */
    /*
     * The events that gt_reader_next_events has delivered are those from `batch` to `next`. NULL:
     * none.
     */
    const struct gt_event_data *batch;
    const struct gt_event_data *list; /* the block in which `next` is */
    /* The addresses of the events of the block `pointed`, for gt_reader_next_events. */
    const gt_event *pointers[GT_EVENTS_AHEAD];
    const struct gt_event_data *pointed;
    uint64_t events_taken; /* the number of events up to `end` */
    uint64_t repairs;      /* the number of repairs up to `end` */
    uint64_t first_procs;  /* of the events up to `end` */
    struct gt_live *live;  /* for GT_READER_TRACK; NULL before the first event */
};

/* Does what gt_stack_view does, for use while the reader is in a call. */
gt_status gt_reader_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                               size_t *count);

#endif
