/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FINDINGTEXT_H
#define FINDINGTEXT_H

/* The findings of a report as text and as JSON. */

#include <stdbool.h>

#include <gotrace/report.h>

#include "output.h"

/*
 * Parses the value of a threshold in its unit, which may follow it: a duration such as 1.5ms for
 * nanoseconds, otherwise a number. Returns false if it is none.
 */
bool findingtext_parse(const char *text, gt_report_unit unit, double *value);

void findingtext_write(struct output *out, const gt_report *report);
/* `ending` is the word for how the recording has ended, or NULL if that is not known. */
void findingtext_write_json(struct output *out, const gt_report *report, const char *ending);
void findingtext_write_thresholds(struct output *out, const gt_report *report, bool json);

#endif
