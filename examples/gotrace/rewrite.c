/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite.h"

#include <inttypes.h>
#include <string.h>

#include "problem.h"
#include "terminal.h"

enum {
    /* The newest version whose events name no threads. */
    REWRITE_OLD = 21
};

static const struct option rewrite_lenient[] = {
    {OPTION_FLAG(struct input, lenient, "lenient",
                 "repair what can be repaired, and report it on standard error, as well as what "
                 "had to be made up or left out for that"),
     .summary = "repair what can be repaired"},
};

const struct option_group rewrite_shared[] = {
    {.list = output_options + 1, .count = 2, .is_of_output = true},
    {.count = 0},
};

const struct option_group rewrite_lenient_shared[] = {
    {.list = rewrite_lenient, .count = sizeof(rewrite_lenient) / sizeof(*rewrite_lenient)},
    {.list = output_options + 1, .count = 2, .is_of_output = true},
    {.count = 0},
};

int rewrite_start(struct input *in)
{
    in->rehearses = in->lenient;
    return input_start(in);
}

int rewrite_check(const char **output, const struct command *self, const struct output *out)
{
    if (*output && strcmp(*output, "-") == 0)
        *output = NULL;
    if (!*output && out->is_terminal)
        return command_misused(self, "standard output is a terminal, and a trace is not text",
                               NULL);
    return COMMAND_GO_ON;
}

void rewrite_report_count(const struct input *in, const char *what, uint64_t count, const char *one,
                          const char *things)
{
    if (count != 0)
        terminal_report("%s: %s: %" PRIu64 " %s", in->name, what, count, count == 1 ? one : things);
}

/* Reports what a writer has left out, unless that is nothing. */
static void rewrite_report_left_out(const struct input *in, uint64_t count, bool is_old)
{
    if (is_old)
        rewrite_report_count(in, "left out", count,
                             "event that cannot be where it is since Go 1.22",
                             "events that cannot be where they are since Go 1.22");
    else if (in->lenient)
        rewrite_report_count(in, "left out", count, "event that no trace can have there",
                             "events that no trace can have there");
    else
        rewrite_report_count(
            in, "left out", count,
            "end of a stop of the world or of a region that no trace can have there",
            "ends of stops of the world or of regions that no trace can have there");
}

void rewrite_report_changes(const struct input *in, const gt_writer_info *info)
{
    gt_reader_info about = GT_READER_INFO_INIT;
    gt_reader_get_info(in->reader, &about);
    bool is_old = about.version <= REWRITE_OLD;
    bool adds = is_old || info->version < about.version;
    rewrite_report_count(in, "repaired", in->repairs, "fault, which the output does not mark",
                         "faults, which the output does not mark");
    rewrite_report_left_out(in, info->left_out, is_old);
    if (in->repairs != 0)
        rewrite_report_count(in, "made up", info->made_up,
                             "event that names what exists, or leads over what was lost",
                             "events that name what exists, or lead over what was lost");
    rewrite_report_count(in, "moved", info->moved,
                         "event to a thread or goroutine that can have it",
                         "events to a thread or goroutine that can have them");
    rewrite_report_count(in, "made up", info->handed_over, "change of a proc to another thread",
                         "changes of a proc to another thread");
    if (adds)
        rewrite_report_count(in, "delayed", info->delayed,
                             "event by nanoseconds, because of others at the same time",
                             "events by nanoseconds, because of others at the same time");
    else
        rewrite_report_count(in, "delayed", info->delayed,
                             "event, behind the names of what existed before it",
                             "events, behind the names of what existed before them");
}

/* A gt_write_fn. */
static int rewrite_write(void *user_data, const void *data, size_t size)
{
    struct rewrite *rewrite = user_data;
    if (!rehearsal_check(&rewrite->rehearsal, data, size))
        return -1;
    return rewrite->rehearsal.is_running ? 0 : tracefile_write(&rewrite->file, data, size);
}

/* Stores why what the writer has made cannot be downgraded. */
static void rewrite_explain_relay(struct rewrite *rewrite)
{
    const struct relay *relay = &rewrite->relay;
    gt_error *failure = &rewrite->in->failure;
    gt_error of_downgrader = GT_ERROR_INIT;
    gt_downgrader_error(relay->downgrader, &of_downgrader);
    if (failure->status != GT_OK)
        return;
    if (of_downgrader.status != GT_OK)
        *failure = of_downgrader;
    else
        rehearsal_refute(&rewrite->rehearsal, relay->reader, relay->status);
}

/* A gt_write_fn of a writer that leads to a downgrader. */
static int rewrite_lead(void *user_data, const void *data, size_t size)
{
    struct rewrite *rewrite = user_data;
    if (relay_take(&rewrite->relay, data, size))
        return 0;
    rewrite_explain_relay(rewrite);
    return -1;
}

/*
 * Opens a downgrader: of the input, or of what a writer makes of it if it is damaged. That it is
 * one of Go 1.21 already is for the downgrader to say.
 */
static gt_status rewrite_open_downgrader(struct rewrite *rewrite)
{
    struct input *in = rewrite->in;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader *reader = in->reader;
    gt_reader_get_info(reader, &info);
    if (rewrite->rehearsal.is_damaged && info.version > REWRITE_OLD) {
        gt_status status = relay_open(&rewrite->relay, &in->failure);
        if (status != GT_OK)
            return status;
        reader = rewrite->relay.reader;
    }
    gt_status status = gt_downgrader_open(&rewrite->downgrader, reader, rewrite_write, rewrite,
                                          NULL, &in->failure);
    rewrite->relay.downgrader = rewrite->downgrader;
    return status;
}

static gt_status rewrite_open(struct rewrite *rewrite)
{
    struct input *in = rewrite->in;
    gt_status status = rehearsal_check_begin(&rewrite->rehearsal);
    if (status == GT_OK && rewrite->downgrades)
        status = rewrite_open_downgrader(rewrite);
    bool is_led = rewrite->relay.reader;
    if (status != GT_OK || (rewrite->downgrades && !is_led))
        return status;
    if (in->lenient)
        rewrite->options.flags |= GT_WRITER_LENIENT;
    return gt_writer_open(&rewrite->writer, in->reader, is_led ? rewrite_lead : rewrite_write,
                          rewrite, &rewrite->options, &in->failure);
}

/* Ends what leads to the output, and then the output. */
static gt_status rewrite_finish_writing(struct rewrite *rewrite)
{
    gt_status status = rewrite->writer ? gt_writer_finish(rewrite->writer) : GT_OK;
    if (status != GT_OK || !rewrite->downgrades)
        return status;
    if (rewrite->relay.reader && !relay_end(&rewrite->relay)) {
        rewrite_explain_relay(rewrite);
        return (gt_status) rewrite->in->failure.status;
    }
    return gt_downgrader_finish(rewrite->downgrader);
}

/* Ends the output, of which the reading has ended with `taken`. */
static gt_status rewrite_finish(struct rewrite *rewrite, gt_status taken)
{
    if (taken != GT_OK && taken != GT_END)
        return taken;
    gt_status status = rewrite_finish_writing(rewrite);
    if (status == GT_OK && !rehearsal_check_end(&rewrite->rehearsal))
        return (gt_status) rewrite->in->failure.status;
    return status;
}

/* Passes an event on, unless it opens a generation that is not written. */
static gt_status rewrite_take(void *user_data, const gt_event *event)
{
    struct rewrite *rewrite = user_data;
    gt_status status = rehearsal_note(&rewrite->rehearsal, event);
    if (status != GT_OK)
        return status;
    return rewrite->relay.reader ? gt_writer_event(rewrite->writer, event)
                                 : rewrite->take(rewrite->user_data, event);
}

/* Stores the reason for which the writing failed, unless `take` has done that. */
static void rewrite_explain(struct rewrite *rewrite, gt_status status)
{
    gt_error *failure = &rewrite->in->failure;
    if (failure->status == GT_OK && rewrite->writer)
        gt_writer_error(rewrite->writer, failure);
    if (failure->status == GT_OK && rewrite->downgrader)
        gt_downgrader_error(rewrite->downgrader, failure);
    /* A call that is refused leaves no error. */
    if (failure->status == GT_OK)
        problem_set_status(failure, status);
}

/* Writes the events. Returns what the writer failed with, or else how the reading ended. */
static gt_status rewrite_copy(struct rewrite *rewrite)
{
    gt_status reading = GT_OK;
    gt_status status = rewrite_open(rewrite);
    if (status != GT_OK)
        return status;
    if (rewrite->rehearsal.is_damaged)
        status = input_for_each_event(rewrite->in->reader, rewrite_take, rewrite, &reading);
    else
        status =
            input_for_each_event(rewrite->in->reader, rewrite->take, rewrite->user_data, &reading);
    if (input_is_in_trouble(rewrite->in, reading) || input_is_all_lost(rewrite->in, reading))
        return reading;
    status = rewrite_finish(rewrite, status);
    rewrite->is_complete = status == GT_OK;
    if (status != GT_OK)
        rewrite_explain(rewrite, status);
    return status == GT_OK ? reading : (gt_status) rewrite->in->failure.status;
}

static void rewrite_close(struct rewrite *rewrite)
{
    gt_writer_close(&rewrite->writer);
    gt_downgrader_close(&rewrite->downgrader);
    relay_close(&rewrite->relay);
    rehearsal_check_close(&rewrite->rehearsal);
}

/* Forgets what was written, because the events come again. */
static void rewrite_forget(struct rewrite *rewrite)
{
    rewrite_close(rewrite);
    rewrite->is_complete = false;
    if (rewrite->reset)
        rewrite->reset(rewrite->user_data);
}

/* Writes to nowhere, and forgets that. See struct rehearsal. */
static gt_status rewrite_try(void *user_data)
{
    struct rewrite *rewrite = user_data;
    gt_status status = rewrite_copy(rewrite);
    bool is_good = rewrite->is_complete;
    rewrite_forget(rewrite);
    return is_good ? GT_OK : status;
}

/*
 * Writes an input that is to be repaired. What is written to a file can be taken back, so an input
 * that turns out to be undamaged is read once.
 */
static gt_status rewrite_copy_lenient(struct rewrite *rewrite)
{
    struct input *in = rewrite->in;
    if (rewrite->output) {
        gt_status status = rewrite_copy(rewrite);
        bool is_possible = status != GT_ERR_NOT_AVAILABLE;
        if (in->repairs == 0 || (is_possible && input_is_in_trouble(in, status)))
            return status;
        rewrite_forget(rewrite);
        tracefile_restart(&rewrite->file);
    }
    gt_status status = rehearsal_run(&rewrite->rehearsal, in, rewrite_try, rewrite);
    return status == GT_OK ? rewrite_copy(rewrite) : status;
}

static void rewrite_report(const struct rewrite *rewrite)
{
    gt_writer_info info = GT_WRITER_INFO_INIT;
    if (!rewrite->is_complete)
        return;
    gt_writer_get_info(rewrite->writer, &info);
    input_report_all_repairs(rewrite->in);
    rewrite_report_changes(rewrite->in, &info);
    rehearsal_report(&rewrite->rehearsal);
    if (rewrite->report)
        rewrite->report(rewrite->user_data, &info);
}

int rewrite_run(struct rewrite *rewrite, struct output *out)
{
    struct input *in = rewrite->in;
    if (!tracefile_open(&rewrite->file, rewrite->output, in->name, out)) {
        input_close(in, out, GT_OK);
        return COMMAND_BAD;
    }
    gt_status status = in->lenient ? rewrite_copy_lenient(rewrite) : rewrite_copy(rewrite);
    if (!in->reader) {
        tracefile_close(&rewrite->file, false);
        return COMMAND_BAD;
    }
    rewrite_report(rewrite);
    rewrite_close(rewrite);
    bool is_closed = tracefile_close(&rewrite->file, rewrite->is_complete);
    /* A failure to write has been reported, or will be by main. */
    bool has_written = rewrite->is_complete || in->failure.status != GT_ERR_IO;
    int code = input_close(in, out, has_written ? status : GT_OK);
    return is_closed && has_written ? code : COMMAND_BAD;
}
