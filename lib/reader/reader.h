/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_READER_H
#define GT_READER_READER_H

#include <gotrace/reader.h>

#include "base/mem.h"
#include "model/event.h"
#include "reader/ahead.h"
#include "source/source.h"
#include "v1/v1.h"
#include "v2/v2.h"

struct gt_reader {
    struct gt_mem mem;
    struct gt_source source;
    struct gt_v1 *v1;                 /* for traces of Go 1.21 and before; else NULL, ... */
    struct gt_v2 v2;                  /* ... and this */
    struct gt_events events;          /* decoded, ... */
    const struct gt_event_data *next; /* ... and to be delivered from here ... */
    const struct gt_event_data *end;  /* ... to here */
    uint64_t events_taken;            /* delivered or still in the list */
    uint64_t repairs;                 /* up to those */
    gt_repair_fn on_repair;           /* the caller's */
    void *repair_data;
    struct gt_ahead *ahead; /* NULL: not started, or not to be had */
    int reads_ahead;        /* as the caller wished */
    int is_left;            /* the decoding, to the other thread */
    unsigned patience;      /* blocks that are decoded in this thread before it is left */
    unsigned left;          /* blocks that the other thread gave since it had the decoder */
    unsigned alone;         /* blocks of events decoded in this thread since it was */
    gt_error working;       /* set where a fault is found, ... */
    gt_error error;         /* ... and here once the caller was told */
    gt_status status;       /* GT_OK until reading is over; then for ever the same */
    uint32_t version;       /* of the header */
    int busy;               /* in a call that may call the caller back */
};

#endif
