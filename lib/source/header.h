/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_HEADER_H
#define GT_SOURCE_HEADER_H

#include <stdint.h>

#include "source/source.h"

enum {
    GT_HEADER_SIZE = 16,
    /* The N of the newest header that is fully supported, and of the newest in the older format. */
    GT_NEWEST = 26,
    GT_V1_NEWEST = 21
};

/*
 * Returns the N of the header "go 1.N trace" in the GT_HEADER_SIZE bytes at `header`, or 0 if they
 * are not a header.
 */
uint32_t gt_header_parse(const uint8_t *header);

/* Returns where the header of a trace begins in these bytes, or `end`. */
const uint8_t *gt_header_find(const uint8_t *data, const uint8_t *end);

/* Sets `*is` to whether the header of a trace begins `at` bytes, which have come, from here. */
gt_status gt_header_is_at(struct gt_source *source, size_t at, bool *is);

/* Writes the header of a version, which must have one or two digits. */
void gt_header_write(uint8_t *header, uint32_t version);

/* Returns whether a version of Go writes traces with this N, or may do so in the future. */
bool gt_version_is_good(uint32_t version);

/* Reads the header of a trace. Versions above GT_NEWEST are errors unless `allow_newer`. */
gt_status gt_header_read(struct gt_source *source, bool allow_newer, uint32_t *version);

/* Sets the error that a version is not supported, and returns its status. */
gt_status gt_header_refuse(gt_error *error, uint32_t version);

/*
 * Sets the error that the input, which starts with these bytes, is not a trace. If it looks
 * compressed, the message says how to unpack it.
 */
gt_status gt_header_refuse_start(gt_error *error, const uint8_t *start, size_t size);

#endif
