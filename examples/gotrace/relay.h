/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RELAY_H
#define RELAY_H

/*
 * Leads what a writer makes of a damaged trace to a downgrader, while it is being written: only a
 * gt_writer makes up the events that lead over what was lost. What is between the two is read
 * strictly, and never in memory as a whole.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/downgrade.h>
#include <gotrace/reader.h>

struct relay {
    gt_reader *reader; /* NULL: nothing is led */
    /* Takes the events of the reader. Set by the caller, who closes it before the relay. */
    gt_downgrader *downgrader;
    gt_status status; /* of the last call of the reader */
};

/* Returns GT_OK, or the status of the failure, with the error filled. */
gt_status relay_open(struct relay *relay, gt_error *error);

/* Passes bytes on. Returns false if the reader or the downgrader fails. */
bool relay_take(struct relay *relay, const void *data, size_t size);

/* Passes the rest on, because no more bytes come. Returns false if something fails. */
bool relay_end(struct relay *relay);

void relay_close(struct relay *relay);

#endif
