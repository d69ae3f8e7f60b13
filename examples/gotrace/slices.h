/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SLICES_H
#define SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/writer.h>

#include "input.h"
#include "output.h"
#include "rehearsal.h"
#include "tracefile.h"

/*
 * A file of several that are numbered from 0: NAME.000, NAME.001 and so on. Of stretches of time
 * the numbers of those are missing in which nothing happened.
 */
struct piece {
    char *path;
    struct tracefile file;
};

/*
 * Opens the file with the number. On failure reports why on standard error, and returns false; see
 * tracefile_open.
 */
bool piece_open(struct piece *piece, const char *name, uint64_t number, const char *input,
                struct output *out);

/*
 * Whether `count` files may be written, of at most `most`. Otherwise says so on standard error.
 */
bool pieces_are_allowed(const char *name, uint64_t count, uint64_t most);

/* Closes the file as tracefile_close does. */
bool piece_close(struct piece *piece, bool keeps);

/*
 * A trace that is cut into pieces of the same duration. The caller sets the members of the first
 * block.
 */
struct slices {
    struct input *in;
    const char *name; /* of the pieces, without their number */
    uint64_t every;   /* in nanoseconds */
    uint64_t most;    /* how many files may be written */
    struct output *out;

    gt_writer *writer;
    /* Chooses what is written of an input that is damaged. */
    struct rehearsal rehearsal;
    bool is_complete; /* all pieces are written */
    struct piece piece;
    bool is_open; /* the piece is open */
    bool has_first;
    int64_t first;      /* the first time of the trace */
    uint64_t number;    /* of the current stretch of time; not every one has a piece */
    uint64_t count;     /* of pieces that were opened */
    bool has_failed;    /* a piece could not be written, which has been reported */
    gt_writer_info all; /* the sums of what the pieces lack, and of what is elsewhere in them */
};

/*
 * Reads the input, which is open, and writes the pieces. Closes the input, and reports what went
 * wrong. Returns the exit code of the program.
 */
int slices_run(struct slices *slices);

#endif
