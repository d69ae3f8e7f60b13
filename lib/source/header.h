/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_HEADER_H
#define GT_SOURCE_HEADER_H

#include <stdint.h>

#include "source/source.h"

enum {
    GT_HEADER_SIZE = 16,
    /* The newest header of which all is known, and the last of the older format. */
    GT_NEWEST = 26,
    GT_V1_NEWEST = 21
};

/* The N of "go 1.N trace", at the start of GT_HEADER_SIZE bytes: 0 where it is not there. */
uint32_t gt_header_parse(const uint8_t *header);

/* Writes one, for an N of one or two digits. */
void gt_header_write(uint8_t *header, uint32_t version);

/* Whether Go ever wrote traces with that N, or may come to. */
int gt_version_is_good(uint32_t version);

/* Takes a trace's header; a newer one than GT_NEWEST only with `newer`. */
gt_status gt_header_read(struct gt_source *source, int newer, uint32_t *version);

/* Says that a version cannot be read, and returns why. */
gt_status gt_header_refuse(gt_error *error, uint32_t version);

#endif
