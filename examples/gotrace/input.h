/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <gotrace/reader.h>

#include "command.h"
#include "intake.h"
#include "output.h"
#include "symbols.h"

/* The `shared` options of a command that reads a trace and prints text. */
extern const struct option_group input_options[];

/* The same for a command that prints no text of the trace. */
extern const struct option_group input_view_options[];

/* The same for a command that repairs a damaged trace without being asked to. */
extern const struct option_group input_salvage_options[];

/* Which repairs a command that repairs without being asked to reports on standard error. */
enum input_reporting {
    INPUT_REPORTS_FIRST,
    INPUT_REPORTS_ALL,
    INPUT_REPORTS_NONE
};

/*
 * The trace that a command reads, and how. A command keeps what its options say in a structure
 * whose first member this is.
 */
struct input {
    /* As the user gave it. Borrowed. */
    const char *name;
    /* The user asked for repairs: then all of them are reported, and they are no fault. */
    bool lenient;
    /* The command repairs without being asked to; a repair is then a fault of the input. */
    bool salvages;
    /* The user wants no repairs. */
    bool strict;
    enum input_reporting reporting;
    /* How many there were, and the first one. */
    uint64_t repairs;
    gt_error first_repair;
    bool as_recorded;
    /* The user wants no second thread. */
    bool one_thread;
    enum progress_mode progress;
    struct symbols symbols;
    gt_reader *reader;
    /* Why an analysis could not be opened; its message is reported for that status. */
    gt_error failure;
    struct intake intake;
    /* It is read twice: a pipe, or what has to be decompressed, is copied to a temporary file. */
    bool twice;
    FILE *copy;
    /* This is the second time. */
    bool again;
};

/*
 * Parses the arguments of a command that reads FILE, or standard input if that is "-". Opens it
 * and returns COMMAND_GO_ON; or returns what the program is to exit with, after it has reported
 * why. `*in` is the first member of what the options of the command are about, and must stay
 * where it is until input_close.
 */
int input_open(struct input *in, const struct command *self, struct output *out, char **arguments);

/*
 * The two halves of input_open, for a command that checks its options before anything is read,
 * or that sets in->twice or in->reporting in between. Both return what input_open does.
 */
int input_parse(struct input *in, const struct command *self, struct output *out, char **arguments);
int input_start(struct input *in);

/* input_parse for a command that takes other operands than one FILE. */
int input_parse_operands(struct input *in, const struct command *self, struct output *out,
                         char **arguments, const struct operands *operands);

/* Whether the program that was traced can be read, if one is named; otherwise says so. */
bool input_check_binary(const struct input *in);

/* Whether its reader, or another one of the trace, should read ahead in a thread of its own. */
bool input_reads_ahead(const struct input *in);

/* A function that is given an event. Returns GT_OK, or what ends the reading. */
typedef gt_status input_event_fn(void *user_data, const gt_event *event);

/* Reading has ended: erases the line about progress, and lets Ctrl-C end the program again. */
void input_stop_watching(void);

/* A function that is given some events. Returns GT_OK, or what ends the reading. */
typedef gt_status input_events_fn(void *user_data, const gt_event *const *events, size_t count);

/* The same as input_for_each_event for a function that takes many events at once. */
static inline gt_status input_for_each_batch(gt_reader *reader, input_events_fn *take,
                                             void *user_data, gt_status *reading)
{
    const gt_event *const *events;
    size_t count;
    gt_status taken = GT_OK;
    while (taken == GT_OK && (*reading = gt_reader_next_events(reader, &events, &count)) == GT_OK)
        taken = take(user_data, events, count);
    input_stop_watching();
    return taken;
}

/*
 * Hands the events to `take` until there are no more, reading fails, or `take` does. Returns
 * what `take` returned last; `*reading` is GT_END or the error that ended the reading, or GT_OK
 * if `take` ended it. Inline, so that no event costs an indirect call.
 */
static inline gt_status input_for_each_event(gt_reader *reader, input_event_fn *take,
                                             void *user_data, gt_status *reading)
{
    const gt_event *const *events;
    size_t count;
    gt_status taken = GT_OK;
    while (taken == GT_OK && (*reading = gt_reader_next_events(reader, &events, &count)) == GT_OK) {
        for (size_t i = 0; i < count && taken == GT_OK; i++)
            taken = take(user_data, events[i]);
    }
    input_stop_watching();
    return taken;
}

/* Begins to read from the start again. Does not report repairs again. */
int input_restart(struct input *in);

/*
 * Fills `*error` with the error that ended the reading with `status`; if `status` is none, its
 * status is GT_OK.
 */
void input_error(const struct input *in, gt_status status, gt_error *error);

/*
 * Closes it after the reading ended with `status`. Writes out all output before it reports an
 * error or repairs. Returns what the program is to exit with.
 */
int input_close(struct input *in, struct output *out, gt_status status);

#endif
