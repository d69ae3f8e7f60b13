/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/* A list of values, as two columns of text or as a JSON object. */

#include <stdbool.h>
#include <stdint.h>

#include "output.h"

enum report_unit {
    REPORT_COUNT,
    REPORT_BYTES,
    REPORT_NANOSECONDS
};

struct report {
    struct output *out;
    bool json;
    /* Whether the current object has a member yet. */
    bool begun;
    unsigned int depth;
};

void report_begin(struct report *report, struct output *out, bool json);
void report_end(struct report *report);

/*
 * A value has the name `label` in the columns and `key` in JSON. If `label` is NULL it is only in
 * JSON, if `key` is NULL it is only in the columns.
 */
void report_number(struct report *report, const char *label, const char *key, uint64_t value,
                   enum report_unit unit);
void report_text(struct report *report, const char *label, const char *key, const char *value);
void report_bool(struct report *report, const char *key, bool value);
/* An unknown value: null in JSON, and nothing in the columns. */
void report_null(struct report *report, const char *key);

/* Begins and ends an object in JSON; does nothing for the columns. */
void report_object_begin(struct report *report, const char *key);
void report_object_end(struct report *report);

#endif
