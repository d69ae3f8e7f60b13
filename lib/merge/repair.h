/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_REPAIR_H
#define GT_MERGE_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/reader.h>

/*
 * What a lenient reader does about damage instead of ending with an error. Both formats use the
 * same words:
 *
 * - to fail is to set the error; a strict reader ends there;
 * - to forgive is to report the error that is set as a repair, and to clear it;
 * - to force is to bring a goroutine or a proc into the state that an event needs, by a
 *   transition that the trace lacks.
 */
struct gt_repair {
    bool lenient;
    gt_repair_fn on_repair; /* the callback; may be NULL */
    void *user_data;        /* its first argument */
    uint64_t count;         /* the number of repairs so far */
    uint64_t unnested;      /* those of them that are no damage: see merge/nesting.h */
};

/*
 * Returns whether the status is caused by the call and not by the trace: memory, the source, or
 * cancellation.
 */
bool gt_repair_is_trouble(int32_t status);

/* Calls the callback with the error, after appending `text` to the error's message. */
void gt_repair_report(const struct gt_repair *repair, gt_error *error, const char *text);

/* Clears an error that needs no report. */
void gt_repair_drop(gt_error *error);

/* Appends to the message of an error that so many bytes are left out. */
void gt_repair_append_size(gt_error *error, uint64_t bytes);

/* Counts a repair, and clears the error. */
void gt_repair_count(struct gt_repair *repair, gt_error *error);

/*
 * Forgives the error that is set, if the reader is lenient and the trace is the cause: reports the
 * error, with `text` as the description of the repair, and clears it. Returns whether the error was
 * forgiven, so that reading continues.
 */
bool gt_repair_forgive(struct gt_repair *repair, gt_error *error, const char *text);

#endif
