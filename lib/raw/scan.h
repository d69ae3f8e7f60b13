/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_SCAN_H
#define GT_RAW_SCAN_H

#include "base/varint.h"
#include "raw/raw.h"

/*
 * Reading the numbers of a record one by one, with all that may be odd about them.
 * What runs into the end of the window is read again from the start, once there is
 * more of the input.
 */
struct gt_raw_scan {
    struct gt_raw_reader *reader;
    struct gt_cursor cursor;
    const gt_wire_spec *spec;
    int unusual; /* a number has not its usual width */
    gt_status status;
};

/* Reads the record of `spec` at the source's `cur`, behind its first byte. */
typedef void gt_raw_scan_fn(struct gt_raw_scan *scan, unsigned first);

/* Runs `read` until the record is whole, and moves the source behind it. */
gt_status gt_raw_scan_record(struct gt_raw_reader *reader, const gt_wire_spec *spec,
                             gt_raw_scan_fn *read);

/* Notes the width of a number, and what it usually is. */
void gt_raw_scan_width(struct gt_raw_scan *scan, size_t width, size_t usual);

/* Reads a number of the usual width `usual`, or of as few bytes as it needs where that is 0. */
uint64_t gt_raw_scan_number(struct gt_raw_scan *scan, unsigned usual);

/* Reads as many numbers as the record has arguments. */
void gt_raw_scan_arguments(struct gt_raw_scan *scan);

/* Reads frames and data as the record's flags ask for them. */
void gt_raw_scan_frames(struct gt_raw_scan *scan);
void gt_raw_scan_data(struct gt_raw_scan *scan, unsigned usual);

/* Whether all was well so far. */
static inline int gt_raw_scan_goes_on(const struct gt_raw_scan *scan)
{
    return scan->cursor.fault == GT_VARINT_OK && scan->status == GT_OK;
}

#endif
