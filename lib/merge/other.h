/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_OTHER_H
#define GT_MERGE_OTHER_H

#include "merge/repair.h"

/*
 * Another trace in the same file: a download that broke off and was appended whole, a shorter trace
 * that was written over an older one, or the trace of a second process. Its numbers of strings and
 * stacks mean other texts, so that nothing of it may be read as a part of the trace before it.
 */

/* Reports that the header of another trace is at this offset, and ends the one that is read. */
void gt_other_trace_begins(struct gt_repair *repair, gt_error *error, uint64_t offset);

/* Reports that the rest of the input, `size` bytes from this offset on, is of another trace. */
void gt_other_trace_rest(struct gt_repair *repair, gt_error *error, uint64_t offset, uint64_t size,
                         bool is_older);

#endif
