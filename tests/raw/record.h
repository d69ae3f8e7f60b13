/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RAW_RECORD_H
#define TESTS_RAW_RECORD_H

#include <gotrace/gotrace.h>

#include "support/wire.h"

/* One version for each set of records that differs from the others, and a future one. */
#define RECORD_VERSIONS 13
extern const uint32_t record_versions[RECORD_VERSIONS];

#define RECORD_ARGUMENTS 8
#define RECORD_FRAMES    2

/* A record that a test makes. It must not be moved, because `event` points into it. */
struct record {
    gt_raw_event event;
    uint64_t arguments[RECORD_ARGUMENTS];
    gt_raw_frame frames[RECORD_FRAMES];
};

/*
 * Makes a record of a type with everything it can have, in which numbers are `value` if they can
 * be.
 */
void record_make(struct record *record, uint32_t version, const gt_wire_spec *spec, uint64_t value);

/* Appends the record's bytes, in which numbers take at least wire->width bytes. */
void record_put(struct wire *wire, const struct record *record);

/* Asserts that the record that was read is the same, except for its offset and widths. */
void record_assert(const gt_raw_event *actual, const struct record *expected);

#endif
