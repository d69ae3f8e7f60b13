/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STACKWRITER_H
#define STACKWRITER_H

/* Writes the records of a trace again, with what is known of the places of its stacks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/raw.h>

#include "demangler.h"
#include "places.h"

enum {
    /* The oldest version whose records are those of today: see formats.md. */
    STACKWRITER_OLDEST = 22,
    /* The most frames of a stack: internal/trace/tracev2/events.go. */
    STACKWRITER_FRAMES = 128
};

/*
 * Functions that were inlined have addresses from here on, below those of libgotrace-recorder's
 * texts, because Go's tools take frames with the same address for the same place.
 */
#define STACKWRITER_INLINED_PC (UINT64_C(1) << 51)

/* The caller sets the members of the first block. */
struct stackwriter {
    const struct places *places;
    const struct demangler *demangler;
    /* The ids of names begin here, where the trace has no strings. */
    uint64_t first_string;

    gt_raw_writer *writer;
    /* The generation, and the time of its last batch; false before the first batch. */
    bool has_generation;
    uint64_t generation, time;
    /* How many bytes of stacks or strings the batch has now, at most. */
    size_t batch_size;
    /* The number of the generation, from 1 on, in which a name was used last; and the names that
     * were used in this one. */
    size_t *used_in;
    size_t generation_count;
    size_t *used;
    size_t used_count;
    gt_raw_frame frames[STACKWRITER_FRAMES];
    size_t frame_count;
};

/* `version` and the other parameters are those of gt_raw_writer_open. */
gt_status stackwriter_open(struct stackwriter *writer, uint32_t version, gt_write_fn write,
                           void *user_data);

/* Writes a record, which is the next one of the trace. */
gt_status stackwriter_event(struct stackwriter *writer, const gt_raw_event *event);

/* Must be called at the end of the trace. */
gt_status stackwriter_finish(struct stackwriter *writer);

void stackwriter_close(struct stackwriter *writer);

#endif
