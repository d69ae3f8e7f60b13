/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_FIT_H
#define GT_V2_FIT_H

#include <stdbool.h>

struct gt_v2;
struct gt_v2_batch;
struct gt_v2_fit;

/*
 * Whether a batch can be of the trace that is read. Behind damage, or behind the end of a trace,
 * there may be batches of another one, and bytes that look like a batch. Numbers of strings and
 * stacks mean something else in another trace, so that none of its events may be given.
 */

enum gt_v2_fits {
    GT_V2_FITS_NOT,
    GT_V2_FITS_EARLY, /* only if batches of the trace follow that are written at its end: it is
                         earlier than all others, as another trace's would be */
    GT_V2_FITS
};

enum gt_v2_fits gt_v2_fits(const struct gt_v2 *v2, const struct gt_v2_batch *batch);

/*
 * Whether a batch right behind another one is of another trace all the same: a generation of
 * the runtime is complete, and the batch is earlier than all of the trace.
 */
bool gt_v2_fit_is_other(const struct gt_v2 *v2, const struct gt_v2_batch *batch);

/*
 * Whether a batch shows that the generation goes on: the runtime writes it behind the events, and
 * its time is later than theirs.
 */
bool gt_v2_fit_is_late(const struct gt_v2 *v2, const struct gt_v2_batch *batch);

/* Notes that a batch, which will be added, may not fit. */
void gt_v2_fit_doubt(struct gt_v2 *v2, const struct gt_v2_batch *batch);

/*
 * Whether a lenient reader, which has read all generations before, would read that of `apart` as
 * that was read: no batch of it is doubtful, and it fits as a whole.
 */
bool gt_v2_fit_follows(const struct gt_v2 *v2, const struct gt_v2_fit *apart);

/* Notes a batch that is added to its generation, and the end marker of the newest generation. */
void gt_v2_fit_note(struct gt_v2_fit *fit, const struct gt_v2_batch *batch);
void gt_v2_fit_end(struct gt_v2_fit *fit);

/* Notes the batches of the next generation, which were read apart. */
void gt_v2_fit_join(struct gt_v2_fit *fit, const struct gt_v2_fit *next);

#endif
