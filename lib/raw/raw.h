/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_RAW_H
#define GT_RAW_RAW_H

#include <gotrace/raw.h>

#include "base/mem.h"
#include "source/input.h"

enum {
    /* More arguments than any record has. */
    GT_RAW_ARGUMENTS = 8,

    /* How many plain records are read at once, and the most numbers that one has. */
    GT_RAW_PLAIN = 32,
    GT_RAW_PLAIN_ARGUMENTS = 5,

    /* What Go's runtime gives the size of a batch, which it writes last. */
    GT_RAW_SIZE_WIDTH = 10
};

/* A record that is being read. Arrays are the reader's and used for record after record. */
struct gt_raw_record {
    gt_raw_event event;
    uint64_t arguments[GT_RAW_ARGUMENTS];
    gt_raw_frame *frames;
    size_t frame_capacity;
    uint8_t *widths;
    size_t width_capacity;
};

/* Makes it a record with nothing in it. */
void gt_raw_clear(struct gt_raw_record *record);

/* Adds room for one more frame, or width, and returns it. NULL where there is no memory. */
gt_raw_frame *gt_raw_add_frame(struct gt_mem *mem, struct gt_raw_record *record);
uint8_t *gt_raw_add_width(struct gt_mem *mem, struct gt_raw_record *record);

/*
 * A record of numbers alone, all of usual width, as nearly all are. Many are read at
 * once: a call for each would cost as much as the reading.
 */
struct gt_raw_plain {
    gt_raw_event event;
    uint64_t arguments[GT_RAW_PLAIN_ARGUMENTS];
};

struct gt_raw_text;

struct gt_raw_reader {
    struct gt_input input;
    struct gt_raw_record record;
    struct gt_raw_text *text; /* NULL if the trace is not in the text form */
    struct gt_raw_plain plain[GT_RAW_PLAIN];
    const struct gt_raw_plain *next; /* the plain record to deliver next */
    const struct gt_raw_plain *end;  /* behind the last plain record that was read */
    const gt_wire_spec *specs[256];  /* by type */
    uint8_t plain_counts[256]; /* how many numbers a plain record of a type has; see read_v2.c */
    uint64_t generation;       /* of the last batch */
    uint64_t events;           /* delivered, or waiting in `plain` */
};

/* Reads the next record of bytes, into reader->record, or several plain ones. GT_END at the end. */
gt_status gt_raw_read_v2(struct gt_raw_reader *reader);
void gt_raw_prepare_plain(struct gt_raw_reader *reader);
gt_status gt_raw_read_v1(struct gt_raw_reader *reader);

/*
 * The same of text. gt_raw_text_open reads the line "Trace Go1.N", sets
 * reader->input.version, and reader->text; gt_raw_text_close frees that.
 */
gt_status gt_raw_text_open(struct gt_raw_reader *reader);
gt_status gt_raw_text_read(struct gt_raw_reader *reader);
void gt_raw_text_close(struct gt_raw_reader *reader);

/*
 * Sets the error of the record at `offset`; `text` as in gt_error_set, with
 * `name`, `a` and `b` as arguments.
 */
gt_status gt_raw_fail(struct gt_raw_reader *reader, gt_status status, uint64_t offset,
                      const char *text, const char *name, uint64_t a, uint64_t b);

/* How many bytes a number takes at least. */
static inline unsigned gt_raw_width(uint64_t value)
{
    unsigned width = 1;
    for (; value >= 0x80; value >>= 7)
        width++;
    return width;
}

#endif
