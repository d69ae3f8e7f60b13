/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENDING_H
#define ENDING_H

#include <gotrace/reader.h>

#include "output.h"

/* Returns what a person is told about how the recording of a trace has ended. */
const char *ending_text(gt_ending ending);

/* Writes a line if the program has ended while it was recorded. */
void ending_warn(struct output *out, const gt_reader *reader);

#endif
