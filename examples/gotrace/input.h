/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <gotrace/reader.h>

#include "command.h"
#include "intake.h"
#include "output.h"
#include "repairs.h"
#include "symbols.h"

/* The `shared` options of a command that reads a trace and prints text. */
extern const struct option_group input_options[];
/* The same for a command whose --threads means something else. */
extern const struct option_group input_perfetto_options[];

/* The same of a command that can follow a trace while it grows. */
extern const struct option_group input_follow_options[];

/* The `shared` options of a command that reads a trace but prints no text of it. */
extern const struct option_group input_view_options[];

/* The `shared` options of a command that reads many traces, and repairs them always. */
extern const struct option_group input_tables_options[];

/* The `shared` options of a command that repairs a damaged trace without being asked to, and can
 * follow a trace. */
extern const struct option_group input_salvage_options[];

/* Which repairs a command that repairs without being asked to reports on standard error. */
enum input_reporting {
    INPUT_REPORTS_FIRST,
    INPUT_REPORTS_ALL,
    INPUT_REPORTS_NONE
};

/*
 * The trace that a command reads, and the options for reading it. It is the first member of the
 * structure in which a command stores its options.
 */
struct input {
    /* As the user gave it. Borrowed. */
    const char *name;
    /* The user asked for repairs, so all of them are reported, and they do not count as a fault of
     * the input. */
    bool lenient;
    /* The command repairs without being asked to, so a repair counts as a fault of the input. */
    bool salvages;
    /* The user wants no repairs. */
    bool strict;
    /* Threads that wait for what is lost are left out, so that what is read can be written. */
    bool unforced;
    enum input_reporting reporting;
    /* Called for each repair of each reading of the trace, unless it is NULL. */
    void (*note_repair)(void *user_data, const gt_error *repair);
    void *note_data;
    /* The number of repairs, and the first one. */
    uint64_t repairs;
    gt_error first_repair;
    /* The number of repairs of events that waited for what is lost. */
    uint64_t stuck;
    /* All repairs, if they are to be reported once the reading has ended. */
    struct repairs all_repairs;
    bool as_recorded;
    /* The user wants no second thread. */
    bool one_thread;
    const char *threads_text; /* the value of --threads, or NULL */
    unsigned threads;         /* 0: as many as are useful */
    enum progress_mode progress;
    /* Several traces are read at once: this is called instead of drawing a line about progress, and
     * signals are left to who reads them. NULL if this is the only trace. */
    gt_progress_fn on_progress;
    void *progress_data;
    struct symbols symbols;
    gt_reader *reader;
    /* The error for which an analysis could not be opened. Its message is reported if the reading
     * ends with its status. */
    gt_error failure;
    struct intake_settings settings;
    /* The process and the time after which following ends, as the user gave them, or NULL. */
    const char *pid;
    const char *idle;
    struct intake intake;
    /* What is read instead of the file, if it is not NULL. */
    gt_read_fn read;
    void *read_data;
    /* The trace is read twice, so a pipe or a compressed file is copied to a temporary file. */
    bool twice;
    /* It is read several times, to find out what can be written of it. */
    bool rehearses;
    FILE *copy;
    /* The trace is being read for the second time. */
    bool again;
};

/*
 * Parses the arguments of a command that reads FILE, or standard input if that is "-". Opens it and
 * returns COMMAND_GO_ON; or reports an error and returns the exit code of the program. `*in` is the
 * first member of the structure of the command's options, and must not be moved until input_close.
 */
int input_open(struct input *in, const struct command *self, struct output *out, char **arguments);

/*
 * The two halves of input_open, for a command that checks its options before anything is read,
 * or that sets in->twice or in->reporting in between. Both return what input_open does.
 */
int input_parse(struct input *in, const struct command *self, struct output *out, char **arguments);
int input_start(struct input *in);

/* Does what input_parse does, for a command whose operands are not a single FILE. */
int input_parse_operands(struct input *in, const struct command *self, struct output *out,
                         char **arguments, const struct operands *operands);

/* Returns whether the file of the traced program can be read, or none was named. Otherwise reports
 * the error. */
bool input_check_binary(const struct input *in);

/* Returns whether readers of the trace should read ahead in a thread of their own. */
bool input_reads_ahead(const struct input *in);

/* A function that receives an event. Returns GT_OK, or a status that ends the reading. */
typedef gt_status input_event_fn(void *user_data, const gt_event *event);

/* Must be called when reading has ended. Erases the line about progress, and lets Ctrl-C end the
 * program again. */
void input_stop_watching(void);

/* A function that receives some events. Returns GT_OK, or a status that ends the reading. */
typedef gt_status input_events_fn(void *user_data, const gt_event *const *events, size_t count);

/* Does what input_for_each_event does, for a function that takes many events at once. */
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
 * Passes each event to `take` until there are no more, reading fails, or `take` returns an error.
 * Returns the last result of `take`; `*reading` is GT_END or the error that ended the reading, or
 * GT_OK if `take` ended it. Inline, so that no event costs an indirect call.
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

/* Closes the reader, and reports nothing. A copy remains, and is the caller's. */
void input_release(struct input *in);

/* Begins to read from the start again. Does not report repairs again. */
int input_restart(struct input *in);

/* Begins to read from the start again, as if what was read before had not been. */
int input_begin_again(struct input *in);

/*
 * Returns whether something else than damage of the trace ended the reading with `status`: memory,
 * a limit, the file, or the user. Then what was read is not all that can be read of the trace.
 */
bool input_is_in_trouble(const struct input *in, gt_status status);

/*
 * Returns whether reading ended with an error before anything was read but the Sync of the fault,
 * so that there is nothing to write.
 */
bool input_is_all_lost(const struct input *in, gt_status status);

/*
 * Fills `*error` with the error that ended the reading with `status`. If `status` is not an error,
 * the status in `*error` becomes GT_OK.
 */
void input_error(const struct input *in, gt_status status, gt_error *error);

/*
 * Reports all repairs so far, if all are reported: for a command that reports more of them before
 * it closes the input.
 */
void input_report_all_repairs(struct input *in);

/*
 * Closes the input after the reading ended with `status`. Writes all output before it reports an
 * error or repairs. Returns the exit code of the program.
 */
int input_close(struct input *in, struct output *out, gt_status status);

#endif
