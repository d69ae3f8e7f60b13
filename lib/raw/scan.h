/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_SCAN_H
#define GT_RAW_SCAN_H

#include "base/varint.h"
#include "raw/raw.h"

/*
 * Reads a record that is not plain, number by number. If the window of the source ends within the
 * record, the record is read again from its start with a larger window.
 */
struct gt_raw_scan {
    struct gt_raw_reader *reader;
    struct gt_cursor cursor;
    const gt_wire_spec *spec;
    bool is_unusual; /* some number does not have its usual width */
    gt_status status;
};

/* Reads a record after its first byte, which is `first`. */
typedef void gt_raw_scan_fn(struct gt_raw_scan *scan, unsigned first);

/* Calls `read` until the window contains the whole record, and advances the source past it. */
gt_status gt_raw_scan_record(struct gt_raw_reader *reader, const gt_wire_spec *spec,
                             gt_raw_scan_fn *read);

/* Stores the width of a number, and checks whether it is the usual one. */
void gt_raw_scan_width(struct gt_raw_scan *scan, size_t width, size_t usual);

/* Reads a number, whose usual width is `usual`, or the least possible width if `usual` is 0. */
uint64_t gt_raw_scan_number(struct gt_raw_scan *scan, unsigned usual);

/* Reads the arguments of the record. */
void gt_raw_scan_arguments(struct gt_raw_scan *scan);

/*
 * These functions read the frames of the record, and its data, whose size has the usual width
 * `usual`.
 */
void gt_raw_scan_frames(struct gt_raw_scan *scan);
void gt_raw_scan_data(struct gt_raw_scan *scan, unsigned usual);

/* Returns whether all reads so far have succeeded. */
static inline bool gt_raw_scan_is_good(const struct gt_raw_scan *scan)
{
    return scan->cursor.fault == GT_VARINT_OK && scan->status == GT_OK;
}

#endif
