/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RAW_RECORD_H
#define TESTS_RAW_RECORD_H

#include <gotrace/gotrace.h>

#include "support/wire.h"

/* One version of each set of records that differs from the others', and one that is to come. */
#define RECORD_VERSIONS 13
extern const uint32_t record_versions[RECORD_VERSIONS];

#define RECORD_ARGUMENTS 8
#define RECORD_FRAMES    2

/* A record that a test makes. It must stay where it is: `event` points into it. */
struct record {
    gt_raw_event event;
    uint64_t arguments[RECORD_ARGUMENTS];
    gt_raw_frame frames[RECORD_FRAMES];
};

/* A record of that type with all that it can have, in which numbers are `value` where they can. */
void record_make(struct record *record, uint32_t version, const gt_wire_spec *spec, uint64_t value);

/* Appends its bytes, whose numbers have at least wire->width of them. */
void record_put(struct wire *wire, const struct record *record);

/* Asserts that what was read says the same, its place and widths apart. */
void record_assert(const gt_raw_event *actual, const struct record *expected);

#endif
