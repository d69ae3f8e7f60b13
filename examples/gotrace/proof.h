/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROOF_H
#define PROOF_H

/*
 * Reads a trace strictly while it is being written. The output of a trace that was repaired needs
 * that, because not everything that a lenient reader delivers can be in a trace.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/reader.h>

struct proof {
    gt_reader *reader;
    gt_status status; /* of the last call of the reader */
};

/* Returns false on failure, with the error filled. Then there is nothing to close. */
bool proof_open(struct proof *proof, gt_error *error);

/* Reads further bytes. Returns false if no reader reads the trace any further. */
bool proof_take(struct proof *proof, const void *data, size_t size);

/* Reads the rest, because no more bytes come. Returns whether the trace was read to its end. */
bool proof_end(struct proof *proof);

/* Stores as the error that what was repaired cannot be written. */
void proof_explain(gt_error *error);

void proof_close(struct proof *proof);

#endif
