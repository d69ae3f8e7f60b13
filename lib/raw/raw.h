/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_RAW_H
#define GT_RAW_RAW_H

#include <gotrace/raw.h>

#include "base/mem.h"
#include "source/input.h"

enum {
    /* The most arguments of a record. */
    GT_RAW_ARGUMENTS = 8,

    /* The number of plain records that are read at once, and the most numbers of each. */
    GT_RAW_PLAIN = 32,
    GT_RAW_PLAIN_ARGUMENTS = 5,

    /* The width that Go's runtime reserves for the size of a batch, which it writes last. */
    GT_RAW_SIZE_WIDTH = 10
};

/* A record that is being read. Its arrays are reused for the next record. */
struct gt_raw_record {
    gt_raw_event event;
    uint64_t arguments[GT_RAW_ARGUMENTS];
    gt_raw_frame *frames;
    size_t frame_capacity;
    uint8_t *widths;
    size_t width_capacity;
};

/* Empties the record. */
void gt_raw_clear(struct gt_raw_record *record);

/*
 * Appends a frame or a width to the record, and returns its address. Returns NULL on failure; see
 * gt_mem_failure.
 */
gt_raw_frame *gt_raw_add_frame(struct gt_mem *mem, struct gt_raw_record *record);
uint8_t *gt_raw_add_width(struct gt_mem *mem, struct gt_raw_record *record);

/*
 * A plain record, which consists of numbers of their usual widths, as nearly all records do. Many
 * are read at once, since a call for each would take as long as the reading itself.
 */
struct gt_raw_plain {
    gt_raw_event event;
    uint64_t arguments[GT_RAW_PLAIN_ARGUMENTS];
};

struct gt_raw_text;

struct gt_raw_reader {
    struct gt_input input;
    bool allow_newer; /* unknown versions are read like the newest one */
    struct gt_raw_record record;
    struct gt_raw_text *text; /* NULL if the trace is in the binary form */
    struct gt_raw_plain plain[GT_RAW_PLAIN];
    const struct gt_raw_plain *next; /* the next plain record to deliver */
    const struct gt_raw_plain *end;  /* the end of the plain records that were read */
    const gt_wire_spec *specs[256];  /* the specification of each type */
    uint8_t plain_counts[256];       /* numbers of plain records by type; UINT8_MAX: not plain */
    uint64_t generation;             /* the generation of the last batch */
    uint64_t events; /* the number of records that were delivered or are in `plain` */
};

/*
 * These functions read from the binary form of a trace, either the next record to reader->record or
 * several plain records to reader->plain. They return GT_END at the end of the trace.
 */
gt_status gt_raw_read_v1(struct gt_raw_reader *reader);
gt_status gt_raw_read_v2(struct gt_raw_reader *reader);

/* Initialises the table for plain records when the version is known. */
void gt_raw_prepare_plain(struct gt_raw_reader *reader);

/*
 * These functions read the text form of a trace. gt_raw_text_open reads the line "Trace Go1.N", and
 * sets reader->input.version and reader->text; if it returns GT_AGAIN, another call continues.
 * gt_raw_text_read reads the next record, and gt_raw_text_close frees reader->text.
 */
gt_status gt_raw_text_open(struct gt_raw_reader *reader);
gt_status gt_raw_text_read(struct gt_raw_reader *reader);
void gt_raw_text_close(struct gt_raw_reader *reader);

/*
 * Sets the error of the record at `offset`. `text` is a format for gt_error_set with the arguments
 * `name`, `a` and `b`.
 */
gt_status gt_raw_fail(struct gt_raw_reader *reader, gt_status status, uint64_t offset,
                      const char *text, const char *name, uint64_t a, uint64_t b);

/* Returns the number of bytes of the shortest encoding of a number. */
static inline unsigned gt_raw_width(uint64_t value)
{
    unsigned width = 1;
    for (; value >= 0x80; value >>= 7)
        width++;
    return width;
}

#endif
