/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REHEARSAL_H
#define REHEARSAL_H

/*
 * Finds out how much of a damaged trace can be written, before anything is written: what a lenient
 * reader delivers may have a goroutine in two places, which no trace can have. Each remedy is tried
 * by writing to nowhere, so that the input is read several times. An undamaged trace is read once
 * more than without.
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

struct rehearsal {
    /* Set by the caller. */
    struct input *in;
    /*
     * Reads the input, which is open, and writes to nowhere. Returns GT_OK if that is a trace;
     * GT_ERR_NOT_AVAILABLE if what was repaired cannot be in one, with `generation` set; or what
     * else ended it.
     */
    gt_status (*write)(void *user_data);
    void *user_data;

    enum remedy remedy;
    bool is_damaged;
    /* The generation in which the last attempt failed. */
    uint64_t generation;
    /* REMEDY_END: the first generation that is not written. Otherwise 0. */
    uint64_t until;
};

/*
 * Chooses the remedy, and opens the input anew so that it can be written with that. Returns GT_OK;
 * why the reading has ended if the trace is not the cause, with the input open; or GT_ERR_IO after
 * it has reported that the input cannot be read again, which is then closed.
 */
gt_status rehearsal_run(struct rehearsal *rehearsal);

/*
 * Notes the generation of a Sync. Returns GT_END if it opens one that is not written, or else
 * GT_OK.
 */
gt_status rehearsal_note_sync(struct rehearsal *rehearsal, const gt_event *event);

/*
 * Stores as the failure of the input why the reader of the output has failed, which is that what
 * was repaired cannot be in a trace, unless memory ran out; and in which generation.
 */
void rehearsal_refute(struct rehearsal *rehearsal, const struct proof *proof);

/* Reports on standard error what is not in the output. */
void rehearsal_report(const struct rehearsal *rehearsal);

#endif
