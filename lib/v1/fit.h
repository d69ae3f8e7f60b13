/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FIT_H
#define GT_V1_FIT_H

#include "v1/v1.h"

/*
 * Whether bytes can be records of the trace, for a lenient reader: text may look like records, and
 * another trace may follow, whose numbers of strings and stacks mean other texts.
 */

/* Notes the time of a batch of the trace. */
void gt_v1_fit_note_batch(struct gt_v1 *v1, uint64_t ticks);

/* Notes that the frequency is the record from `record` to `next`, behind which events may end. */
void gt_v1_fit_note_frequency(struct gt_v1 *v1, const uint8_t *record, const uint8_t *next);

/* Whether a batch that begins right behind a record, and not behind a gap, is of the trace. */
bool gt_v1_fit_is_batch(const struct gt_v1 *v1, const uint8_t *batch);

/*
 * Whether the record of a string is one, and not text that looks so: no batch begins in the string,
 * and the runtime numbers strings in the order in which it writes most of them.
 */
bool gt_v1_fit_is_string(struct gt_v1 *v1, const uint8_t *record, uint64_t id, const uint8_t *data,
                         size_t size);

/* Whether text begins here and goes up to a batch of the trace, or to the end of the input. */
bool gt_v1_fit_is_text(struct gt_v1 *v1, const uint8_t *data);

/*
 * Whether the string or stack of which the data begins here does not count while `record` is read:
 * it is in a gap, or it was read before a gap was found that ends before it, and is read again.
 */
bool gt_v1_fit_is_left_out(const struct gt_v1 *v1, const void *data, const uint8_t *record);

/*
 * Whether a stack with this id, of which the frames end at `end`, is of the trace: no other has the
 * id, and no other trace begins among its numbers.
 */
bool gt_v1_fit_is_stack(const struct gt_v1 *v1, uint64_t id, const uint8_t *data,
                        const uint8_t *end);

/* A search for where the trace goes on, behind bytes that cannot be of it. */
struct gt_v1_fit {
    struct gt_v1 *v1;
    const uint8_t *fault; /* the record that cannot be */
    bool has_others;      /* batches were found that are not of the trace */
    bool is_older;        /* one of them is older than the trace */
};

/* Returns where the trace goes on, from `data` on and before `end`, or `end`. */
const uint8_t *gt_v1_fit_find(struct gt_v1_fit *fit, const uint8_t *data, const uint8_t *end);

#endif
