/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REHEARSAL_H
#define REHEARSAL_H

/*
 * Finds out how much of a damaged trace can be written, before anything is written: what a lenient
 * reader delivers may have a goroutine in two places, which no trace can have. Each remedy is tried
 * by writing to nowhere, so that the input is read several times. An undamaged trace is read once
 * more than without, unless it has been written to a file before: see rewrite_run.
 */

#include <stdbool.h>
#include <stdint.h>

#include "input.h"
#include "proof.h"

/* What is done about the faults of a trace, from what keeps most of it. */
enum remedy {
    REMEDY_FORCE,     /* events that wait for what is lost happen all the same */
    REMEDY_LEAVE_OUT, /* threads that wait for what is lost are left out */
    REMEDY_END,       /* the output ends before a generation */
    REMEDY_STOP,      /* the output ends at the first fault, as without --lenient */
    REMEDY_NONE       /* no remedy helps */
};

/*
 * Reads the input, which is open, and writes to nowhere. Returns GT_OK if that is a trace;
 * GT_ERR_NOT_AVAILABLE if what was repaired cannot be in one; or what else ended it.
 */
typedef gt_status rehearsal_write_fn(void *user_data);

/* Its members begin as zeros, and stay so for an input that is not to be repaired. */
struct rehearsal {
    struct input *in;
    rehearsal_write_fn *write;
    void *user_data;

    bool is_running; /* what is written goes to nowhere */
    enum remedy remedy;
    bool is_damaged;
    /* Reads the output of an input that is damaged; its reader is NULL otherwise. */
    struct proof proof;
    bool is_refuted; /* the proof has failed */
    /* The generation in which the last attempt failed. */
    uint64_t generation;
    /* REMEDY_END: the first generation that is not written. Otherwise 0. */
    uint64_t until;
};

/*
 * Reads the input, unless it is known to be damaged because it has been read and repaired already.
 * Chooses the remedy, and opens the input anew so that it can be written with that. Returns GT_OK;
 * why the reading has ended if the trace is not the cause, with the input open; or GT_ERR_IO after
 * it has reported that the input cannot be read again, which is then closed.
 */
gt_status rehearsal_run(struct rehearsal *rehearsal, struct input *in, rehearsal_write_fn *write,
                        void *user_data);

/*
 * Notes the generation that an event of a damaged input opens, if it is a Sync. Returns GT_END if
 * that is not written, or else GT_OK.
 */
gt_status rehearsal_note(struct rehearsal *rehearsal, const gt_event *event);

/*
 * The output of a damaged input is read while it is written; for other inputs these do nothing. If
 * the reading fails, the failure of the input becomes why: what was repaired cannot be in a trace,
 * unless memory ran out.
 */

/* Begins to read an output. Returns the status of the failure, or GT_OK. */
gt_status rehearsal_check_begin(struct rehearsal *rehearsal);

/* Reads what is written. Returns false if that fails. */
bool rehearsal_check(struct rehearsal *rehearsal, const void *data, size_t size);

/* Reads the output to its end. Returns false if that fails, or has failed before. */
bool rehearsal_check_end(struct rehearsal *rehearsal);

/*
 * Stores that a strict reader of what is written has failed with a status, in which generation, and
 * as the failure of the input why. rehearsal_check_end then returns false.
 */
void rehearsal_refute(struct rehearsal *rehearsal, const gt_reader *reader, gt_status status);

/* Ends the reading of an output, wherever it is. */
void rehearsal_check_close(struct rehearsal *rehearsal);

/* Reports on standard error what is not in the output. */
void rehearsal_report(const struct rehearsal *rehearsal);

#endif
