/* SPDX-License-Identifier: BSD-3-Clause */
#include "rehearsal.h"

#include <inttypes.h>

#include <gotrace/event.h>

#include "problem.h"
#include "terminal.h"

static gt_status rehearsal_read_event(void *user_data, const gt_event *event)
{
    (void) user_data;
    (void) event;
    return GT_OK;
}

/* Opens the input anew, for a reading with this remedy. */
static gt_status rehearsal_open(struct rehearsal *rehearsal, enum remedy remedy, bool forces,
                                uint64_t until)
{
    struct input *in = rehearsal->in;
    rehearsal->remedy = remedy;
    rehearsal->until = until;
    rehearsal->is_refuted = false;
    in->unforced = !forces;
    in->strict = remedy == REMEDY_STOP;
    return input_begin_again(in) == COMMAND_GO_ON ? GT_OK : GT_ERR_IO;
}

/* Writes to nowhere with a remedy. */
static gt_status rehearsal_try(struct rehearsal *rehearsal, enum remedy remedy, bool forces,
                               uint64_t until)
{
    gt_status status = rehearsal_open(rehearsal, remedy, forces, until);
    return status == GT_OK ? rehearsal->write(rehearsal->user_data) : status;
}

/*
 * Tries the remedies until one does not fail with GT_ERR_NOT_AVAILABLE. If events can neither be
 * let happen nor left out, what was possible for longer is done until it was not.
 */
static gt_status rehearsal_choose(struct rehearsal *rehearsal, bool *forces)
{
    *forces = true;
    gt_status status = rehearsal_try(rehearsal, REMEDY_FORCE, true, 0);
    if (status != GT_ERR_NOT_AVAILABLE)
        return status;
    uint64_t until = rehearsal->generation;
    *forces = false;
    status = rehearsal_try(rehearsal, REMEDY_LEAVE_OUT, false, 0);
    if (status != GT_ERR_NOT_AVAILABLE)
        return status;
    *forces = until > rehearsal->generation;
    if (!*forces)
        until = rehearsal->generation;
    status = rehearsal_try(rehearsal, REMEDY_END, *forces, until);
    if (status != GT_ERR_NOT_AVAILABLE)
        return status;
    *forces = true;
    return rehearsal_try(rehearsal, REMEDY_STOP, true, 0);
}

/* Chooses the remedy, and opens the input anew. See rehearsal_run. */
static gt_status rehearsal_prepare(struct rehearsal *rehearsal)
{
    struct input *in = rehearsal->in;
    gt_status reading;
    bool forces = true;
    if (in->repairs == 0) {
        input_for_each_event(in->reader, rehearsal_read_event, NULL, &reading);
        if (input_is_in_trouble(in, reading))
            return reading;
    }
    rehearsal->is_damaged = in->repairs != 0;
    if (!rehearsal->is_damaged)
        return rehearsal_open(rehearsal, REMEDY_FORCE, true, 0);
    gt_status status = rehearsal_choose(rehearsal, &forces);
    /* The writing explains why there is no remedy, and fails as the first attempt did. */
    if (status == GT_ERR_NOT_AVAILABLE)
        return rehearsal_open(rehearsal, REMEDY_NONE, true, 0);
    if (input_is_in_trouble(in, status) || !in->reader)
        return status;
    return rehearsal_open(rehearsal, rehearsal->remedy, forces, rehearsal->until);
}

gt_status rehearsal_run(struct rehearsal *rehearsal, struct input *in, rehearsal_write_fn *write,
                        void *user_data)
{
    rehearsal->in = in;
    rehearsal->write = write;
    rehearsal->user_data = user_data;
    rehearsal->is_running = true;
    gt_status status = rehearsal_prepare(rehearsal);
    rehearsal->is_running = false;
    return status;
}

gt_status rehearsal_note(struct rehearsal *rehearsal, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    if (!rehearsal->is_damaged || event->kind != GT_EVENT_SYNC)
        return GT_OK;
    gt_status status = gt_event_sync(event, &sync);
    if (status != GT_OK || sync.generation == 0)
        return status;
    if (rehearsal->until != 0 && sync.generation >= rehearsal->until)
        return GT_END;
    rehearsal->generation = sync.generation;
    return GT_OK;
}

void rehearsal_refute(struct rehearsal *rehearsal, const gt_reader *reader, gt_status status)
{
    gt_error fault = GT_ERROR_INIT;
    rehearsal->is_refuted = true;
    gt_reader_error(reader, &fault);
    if (fault.generation != 0 && fault.generation < rehearsal->generation)
        rehearsal->generation = fault.generation;
    if (status == GT_ERR_NO_MEMORY)
        problem_set_status(&rehearsal->in->failure, status);
    else
        proof_explain(&rehearsal->in->failure);
}

gt_status rehearsal_check_begin(struct rehearsal *rehearsal)
{
    if (!rehearsal->is_damaged || proof_open(&rehearsal->proof, &rehearsal->in->failure))
        return GT_OK;
    return (gt_status) rehearsal->in->failure.status;
}

bool rehearsal_check(struct rehearsal *rehearsal, const void *data, size_t size)
{
    if (!rehearsal->proof.reader || proof_take(&rehearsal->proof, data, size))
        return true;
    rehearsal_refute(rehearsal, rehearsal->proof.reader, rehearsal->proof.status);
    return false;
}

bool rehearsal_check_end(struct rehearsal *rehearsal)
{
    if (rehearsal->proof.reader && !rehearsal->is_refuted && !proof_end(&rehearsal->proof))
        rehearsal_refute(rehearsal, rehearsal->proof.reader, rehearsal->proof.status);
    return !rehearsal->is_refuted;
}

void rehearsal_check_close(struct rehearsal *rehearsal)
{
    proof_close(&rehearsal->proof);
}

void rehearsal_report(const struct rehearsal *rehearsal)
{
    const struct input *in = rehearsal->in;
    if (rehearsal->remedy == REMEDY_LEAVE_OUT)
        terminal_report("%s: left out: the rest of %" PRIu64
                        " %s, whose events wait for what is lost",
                        in->name, in->stuck, in->stuck == 1 ? "thread" : "threads");
    else if (rehearsal->remedy == REMEDY_END)
        terminal_report("%s: left out: generation %" PRIu64
                        " and all after it, as what was repaired there cannot be in a trace",
                        in->name, rehearsal->until);
    else if (rehearsal->remedy == REMEDY_STOP)
        terminal_report("%s: left out: everything after the first fault, as what was repaired "
                        "cannot be in a trace",
                        in->name);
}
