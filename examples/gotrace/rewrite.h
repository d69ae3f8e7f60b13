/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REWRITE_H
#define REWRITE_H

#include <stdbool.h>

#include <gotrace/downgrade.h>
#include <gotrace/writer.h>

#include "command.h"
#include "input.h"
#include "output.h"
#include "rehearsal.h"
#include "relay.h"
#include "tracefile.h"

/*
 * The part that commands have in common which read a trace and write its events as another one.
 * The caller sets the members of the first block before rewrite_run.
 */
struct rewrite {
    struct input *in;
    /* The name of the output as the user gave it; NULL for standard output. Borrowed. */
    const char *output;
    /*
     * The trace is written by a gt_downgrader. If it is damaged, a gt_writer with the options takes
     * the events first, and `take` is not called.
     */
    bool downgrades;
    gt_writer_options options;
    /* Passes an event to the writer or leaves it out. Any result but GT_OK ends the reading. May
     * store an error in in->failure. */
    input_event_fn *take;
    /* Reports on standard error how else the complete output differs from the input than every
     * writer can tell, or NULL. `*info` is that of the writer, if there is one. */
    void (*report)(void *user_data, const gt_writer_info *info);
    /* Forgets what `take` has stored, because the events come again; or NULL. */
    void (*reset)(void *user_data);
    /* What is passed to these functions. */
    void *user_data;

    /* One of the two is NULL, unless the first leads to the second. */
    gt_writer *writer;
    gt_downgrader *downgrader;
    struct relay relay;
    struct tracefile file;
    /* Chooses what is written of an input that is damaged. */
    struct rehearsal rehearsal;
    bool is_complete;
};

/* The option of a command for the name of its output, which is `member` in a struct `type`. */
#define REWRITE_OUTPUT_OPTION(type, member)                                                        \
    {                                                                                              \
        OPTION_VALUE(type, member, "output", "FILE",                                               \
                     "write to this file, which is replaced only when the trace is complete; the " \
                     "default is standard output, as is -, which must not be a terminal"),         \
            .letter = 'o', .summary = "write to this file", .words = OPTION_FILE                   \
    }

/* The `shared` options of a command that writes a trace: those about progress. */
extern const struct option_group rewrite_shared[];

/* The same of a command that can repair its input. */
extern const struct option_group rewrite_lenient_shared[];

/*
 * Takes the output "-" for standard output, and refuses to write a trace to a terminal. Returns
 * COMMAND_GO_ON, or COMMAND_MISUSED after it has reported that.
 */
int rewrite_check(const char **output, const struct command *self, const struct output *out);

/* Does what input_start does, so that the input can be read as often as rewrite_run needs it. */
int rewrite_start(struct input *in);

/*
 * Reports a number of things, such as "left out", 5, "clock snapshot" and "clock snapshots", which
 * is for any other number than 1, unless it is 0.
 */
void rewrite_report_count(const struct input *in, const char *what, uint64_t count, const char *one,
                          const char *things);

/* Reports what was repaired in the input, and what a writer has left out, moved or delayed. */
void rewrite_report_changes(const struct input *in, const gt_writer_info *info);

/*
 * Reads the input, which is open, and writes the output. Closes both, and reports what went wrong.
 * A fault of the input ends the output, which then has everything before it, unless faults are
 * repaired: see rehearsal.h. Returns the exit code of the program.
 */
int rewrite_run(struct rewrite *rewrite, struct output *out);

#endif
