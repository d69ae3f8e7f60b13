/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENDING_H
#define ENDING_H

#include <gotrace/reader.h>

#include "output.h"

/* Returns what a person is told about how the recording of a trace has ended. */
const char *ending_text(gt_ending ending);

/* Returns the word for it in JSON, or NULL if it is not known. */
const char *ending_word(gt_ending ending);

/*
 * Writes a line about a trace that was read to its end: that the program has ended while it was
 * recorded, or that the format does not tell. A recording that was stopped needs no words.
 */
void ending_write(struct output *out, const gt_reader *reader);

#endif
