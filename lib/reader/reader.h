/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_READER_H
#define GT_READER_READER_H

#include <gotrace/reader.h>

#include "model/event.h"
#include "model/interned.h"
#include "reader/ahead.h"
#include "reader/decoder.h"
#include "reader/live.h"
#include "source/input.h"

struct gt_reader {
    struct gt_input input;
    gt_reader_options options; /* for the decoder, which starts once the header was read */
    struct gt_decoder decoder;
    struct gt_ahead ahead;
    struct gt_interned interned;      /* what gt_stack_intern was asked for */
    const struct gt_event_data *next; /* the decoded event to deliver next */
    const struct gt_event_data *end;  /* behind the last decoded event */
    /* What gt_reader_next_events has given: the events from `batch` to `next`. NULL: nothing. */
    const struct gt_event_data *batch;
    const gt_event *pointers[GT_EVENTS_AHEAD];
    uint64_t events_taken; /* of the trace, up to `end` */
    uint64_t repairs;      /* of the trace, up to `end` */
    struct gt_live *live;  /* for GT_READER_TRACK; NULL before the first event */
};

/* The same as gt_stack_view while the reader is in a call. */
gt_status gt_reader_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                               size_t *count);

#endif
