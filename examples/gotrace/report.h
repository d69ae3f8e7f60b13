/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/*
 * Facts, one after the other, as two columns for people or as a JSON object.
 */

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
    /* Whether the object that is being written has a member yet. */
    bool begun;
    unsigned int depth;
};

void report_begin(struct report *report, struct output *out, bool json);
void report_end(struct report *report);

/*
 * A fact is called `label` in the columns and `key` in JSON. With `label` NULL
 * it is in JSON only, with `key` NULL in the columns only.
 */
void report_number(struct report *report, const char *label, const char *key, uint64_t value,
                   enum report_unit unit);
void report_text(struct report *report, const char *label, const char *key, const char *value);
void report_bool(struct report *report, const char *key, bool value);
/* A fact that is not known: null, and nothing in the columns. */
void report_null(struct report *report, const char *key);

/* An object in JSON; nothing in the columns. */
void report_object_begin(struct report *report, const char *key);
void report_object_end(struct report *report);

#endif
