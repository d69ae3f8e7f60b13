/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_RECORD_H
#define GT_V2_RECORD_H

#include <stdint.h>

#include "merge/result.h"
#include "model/event.h"

/*
 * Events in the order of their generation, as one thread hands them to another. A frequent event is
 * one record, without what follows from earlier events: its proc and goroutine. Any other event is
 * a record without content, and then all of its struct gt_event_data in further records.
 */
struct gt_v2_record {
    int64_t time;
    uint64_t argument;
    uint32_t stack;  /* the slot of its stack; for the end of a sweep, the second argument is */
    uint32_t string; /* in `stack` and `string` */
    uint32_t extra;  /* the slot of the second string, or of the stack of a created goroutine */
    uint32_t head;   /* the rank of the thread in the generation, above 8 bits for the type */
};

enum {
    GT_V2_RECORD_RANKS = 1 << 24, /* ranks must be less */
    /* The number of records of an event that is kept as a whole. */
    GT_V2_RECORDS_WHOLE = 1 + sizeof(struct gt_event_data) / sizeof(struct gt_v2_record),
    GT_V2_BLOCK_RECORDS = 1020,
    /* Up to this number of records there is room for all events that a rule makes of one. */
    GT_V2_BLOCK_LAST =
        GT_V2_BLOCK_RECORDS - (int) GT_RESULT_MOST_EVENTS * (int) GT_V2_RECORDS_WHOLE,
    /*
     * The type of an event that ends a region which began before its generation, between the
     * threads.
     */
    GT_V2_OUTER_REGION_END = 250
};

/* A block of records, which is filled by one thread and then read by another. */
struct gt_v2_block {
    struct gt_v2_block *next;
    uint64_t undecoded; /* the number of bytes of the generation that hold events after these */
    uint32_t count;
    struct gt_v2_record records[GT_V2_BLOCK_RECORDS];
};

/* How the records of a type of event are made and used. */
enum gt_v2_form {
    GT_V2_FORM_WHOLE, /* all of the event follows the record */
    GT_V2_FORM_PLAIN,
    GT_V2_FORM_START,  /* the goroutine of the argument begins to run */
    GT_V2_FORM_STOP,   /* the thread's goroutine no longer runs */
    GT_V2_FORM_CREATE, /* `extra` is the slot of the stack of a created goroutine */
    GT_V2_FORM_RANGE,  /* a range begins, which must not be open yet */
    GT_V2_FORM_SWEPT   /* has two arguments */
};

extern const uint8_t gt_v2_forms[256];

#endif
