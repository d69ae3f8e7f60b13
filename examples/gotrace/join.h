/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOIN_H
#define JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/writer.h>

#include "generations.h"
#include "proof.h"
#include "tracefile.h"

/*
 * Joins traces that follow each other by reading their events, which is needed where one was cut
 * from another within a generation. The caller sets the members of the first block.
 */
struct join {
    struct generations *inputs; /* Borrowed, as is `file`. */
    size_t count;
    struct tracefile *file;
    uint64_t *delayed; /* Borrowed; gets the number of events of each input that were delayed. */

    gt_reader *reader;
    gt_writer *writer;
    struct proof proof;
    uint64_t all_delayed; /* the number of events that were delayed so far */
    size_t at;            /* the number of the input that is read */
    bool is_refuted;      /* no reader reads the output */
    /* Why it failed. GT_ERR_IO is reported where the file is closed. */
    gt_error error;
    bool is_of_input; /* the error is that of the input, not of joining it */
};

/* Writes the file. Returns whether that succeeded. */
bool join_run(struct join *join);

#endif
