/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_READER_H
#define GT_READER_READER_H

#include <gotrace/reader.h>

#include "base/mem.h"
#include "model/event.h"
#include "source/source.h"
#include "v2/v2.h"

struct gt_reader {
    struct gt_mem mem;
    struct gt_source source;
    struct gt_v2 v2;
    struct gt_event_data data; /* the event that the caller sees */
    gt_error working;          /* set where a fault is found, ... */
    gt_error error;            /* ... and here once the caller was told */
    gt_status status;          /* GT_OK until reading is over; then for ever the same */
    uint32_t version;          /* of the header */
    uint64_t events;
    int busy; /* in a call that may call the caller back */
};

#endif
